"""Matches of several cotos, and the records of their cotos, won by the side that is to win them."""

from functools import cache
from itertools import count
from typing import Any

import engine
from tests.clubs import SYSTEM, a_club, csv, new_tournament, text, the_round
from tournaments.core.permissions import Actor
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import import_entries
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.models import Match, Tournament
from tournaments.results.services.submission import SubmissionOutcome
from tournaments.results.services.submit import submit_record


def best_of_three(**more: Any) -> Tournament:
    """The pairs of the club night; two cotos of a single hand win a match; round 1 is played."""
    tournament = create_tournament(
        SYSTEM, a_club(), "Liga de cotos", new_tournament(options={"to": 1}, cotos=2, **more)
    )
    import_entries(SYSTEM, tournament, csv("players.csv"), csv("pairs.csv"))
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    tournament.refresh_from_db()
    return tournament


@cache
def played(seats: tuple[str, ...], winner: str, number: int = 1, to: int = 1) -> dict[str, Any]:
    """Return the ``number``-th record of a coto that the pair at ``winner`` (AC, BD) wins."""
    rules, hands = engine.RULESETS["parejas-online"], 0
    for seed in count():
        secret = seed.to_bytes(32)
        bots = {seat: engine.HOUSE_BOTS["random"](secret) for seat in "ABCD"}
        record = engine.play_match(rules, bots, secret, "coto", seats, {"to": to})
        hands += record["winner"] == winner
        if hands == number:
            return record
    raise AssertionError


def coto(match: Match, winner: str, number: int = 1, tag: int | None = None) -> str:
    """Return a record of a coto that ``home`` or ``away`` wins, perhaps with its number."""
    home, away = match.names_at(0), match.names_at(1)
    seats = (home[0], away[0], home[1], away[1])
    record = played(seats, {"home": "AC", "away": "BD"}[winner], number)
    return text(record if tag is None else {**record, "tags": {"coto": str(tag)}})


def submit_coto(
    actor: Actor, match: Match, winner: str, number: int = 1, **more: Any
) -> SubmissionOutcome:
    """Submit a coto."""
    return submit_record(actor, match, coto(match, winner, number, **more))

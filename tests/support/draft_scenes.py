"""Tournaments of every format whose next round is a draft."""

from collections.abc import Callable
from typing import Any, Final

from django.db import transaction

from tests.clubs import SYSTEM
from tests.support.day import entry, the_people
from tournaments.core.errors import Reason, Refusal
from tournaments.director.services.draws import draw, draw_next
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.restoring import draw_lots
from tournaments.director.services.rounds import swap
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import (
    close_round,
    create_tournament,
    publish_round,
)
from tournaments.domain.scores import Score
from tournaments.models import Match, Player, Round, Tournament
from tournaments.results.services.matches import correct_result

GROUPS: Final[dict[str, Any]] = {"format": "groups", "rules": {"groups": 2}}

STAGES: Final[dict[str, list[dict[str, Any]]]] = {
    "liguilla": [{"format": "liguilla"}],
    "groups": [GROUPS],
    "knockout": [{"format": "knockout"}],
    "double": [{"format": "double"}],
    "repesca": [{"format": "repesca"}],
    "lives": [{"format": "lives", "rules": {"lives": 2}}],
    "swiss": [{"format": "swiss", "rules": {"rounds": 4}}],
    "individual": [{"format": "individual", "rules": {"rounds": 4}}],
    "threes": [{"format": "threes", "rules": {"rounds": 4}}],
    "duplicate": [{"format": "duplicate"}],
    "ladder": [{"format": "ladder"}],
    "groups,knockout": [GROUPS, {"format": "knockout", "rules": {"take": 2}}],
    "swiss,liguilla": [
        {"format": "swiss", "rules": {"rounds": 2}},
        {"format": "liguilla", "rules": {"take": 4}},
    ],
}


def scene(name: str, *, played: bool = True) -> Tournament:
    """Eight entrants; the first stage, or its first round, is played, and the next is a draft."""
    of_players = name in ("individual", "threes")
    club, pairs = the_people(9)
    tournament = create_tournament(
        SYSTEM,
        club,
        "Torneo",
        NewTournament(
            GameSettings(
                ruleset="arrastrado" if name == "threes" else "parejas-online",
                options={"deals": 2} if name == "duplicate" else {"to": 3},
            ),
            stages=STAGES[name],
        ),
    )
    people = list(Player.objects.filter(club=club).order_by("code")) if of_players else pairs
    enter_newcomers(SYSTEM, tournament, people[:8])
    tournament.stages.update(
        next_seed="3" * 64
    )  # one draw in which every cause changes who meets whom
    draw(SYSTEM, tournament)
    rounds = Round.objects.filter(stage__tournament=tournament)
    while played:
        last = rounds.filter(state="draft").order_by("number")[0]
        played_out(publish_round(SYSTEM, last))
        if not rounds.filter(state="draft").exists():
            next_round(tournament, last.number)
        if len(STAGES[name]) == 1 or the_draft(tournament).stage.number == 2:
            tournament.refresh_from_db()
            return tournament
    return tournament


def next_round(tournament: Tournament, after: int) -> None:
    """Draw the next round; lots decide who goes on from a shared place."""
    if refusal_of(lambda: draw_next(SYSTEM, tournament, after=after)) is Reason.CANNOT_DRAW:
        draw_lots(SYSTEM, tournament.stages.get(number=1))
        draw_next(SYSTEM, tournament, after=after)


def refusal_of(act: Callable[[], object]) -> Reason | None:
    """Do something, and return why it was refused, if it was."""
    try:
        with transaction.atomic():
            act()
    except Refusal as refused:
        return refused.reason
    return None


def played_out(round_: Round) -> None:
    """Give every match of a round to the side of the lowest number, and close it."""
    for match in round_.matches.with_names().filter(state=Match.State.PENDING):
        numbers = [side[0].number for side in match.sides]
        result = result_of(match, numbers.index(min(numbers)))
        correct_result(SYSTEM, match, **result, reason="as it was played")
    close_round(SYSTEM, round_)


def result_of(match: Match, winner: int) -> dict[str, Any]:
    """A result of a match, won by one of its sides."""
    if match.boards:
        points = [90, 40] if winner == 0 else [40, 90]
        deals = [{"home": points[0], "away": points[1], "board": n} for n in match.boards]
        return {"hand_scores": deals}
    hands = [1] * len(match.sides)
    hands[winner] = 3
    return {"score": Score.of(tuple(hands), tuple(100 * won for won in hands))}


def the_draft(tournament: Tournament) -> Round:
    drafts = Round.objects.filter(stage__tournament=tournament, state="draft")
    drafts = drafts.select_related("stage__tournament__club").prefetch_related("matches")
    return drafts.order_by("number")[0]


def change_by_hand(tournament: Tournament) -> None:
    """Swap the second places of the last two full tables of the draft."""
    draft = the_draft(tournament)
    tables = draft.matches.filter(away__isnull=False).order_by("-table")[:2]
    one, other = (entry(tournament, match.away.number) for match in tables)  # type: ignore[union-attr]
    swap(SYSTEM, draft, one, other)

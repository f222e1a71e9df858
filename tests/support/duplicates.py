"""A duplicate of pairs on its evening: entered, drawn, and played by reports of each deal."""

from typing import Any

from tests.clubs import SYSTEM, the_round
from tests.support.day import the_people
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import (
    close_round,
    create_tournament,
    publish_round,
)
from tournaments.models import Match, Round, Tournament
from tournaments.results.services.reports import report_result


def a_duplicate(pairs: int, late: int = 0, drawn: bool = True, **rules: Any) -> Tournament:
    """Return a drawn duplicate, `duplicada`, with deals of 130 points."""
    club, people = the_people(pairs + late)
    deals = rules.get("deals", 2)
    tournament = create_tournament(
        SYSTEM,
        club,
        "Duplicada",
        NewTournament(
            GameSettings(options={"deals": deals}),
            stages=[{"format": "duplicate", "rules": {"dealt_by": "table", **rules}}],
        ),
        slug="duplicada",
    )
    enter_newcomers(SYSTEM, tournament, people[:pairs])
    if drawn:
        draw(SYSTEM, tournament)
    return tournament


def points_at(round_: int, table: int, board: int) -> tuple[int, int]:
    """Return what the two sides make of a deal: different from table to table, and repeatable."""
    home = 2 * ((37 * round_ + 23 * table + 11 * board) % 65)  # even: never half of 130
    return home, 130 - home


def play_deals(tournament: Tournament, number: int) -> None:
    """Publish a round unless it is, report each deal of each table, and close it."""
    round_ = the_round(tournament, number)
    if round_.state == Round.State.DRAFT:
        round_ = publish_round(SYSTEM, round_)
    for match in Match.objects.with_names().filter(round=round_, bye=""):
        hands = []
        for board in match.boards:
            home, away = points_at(number, match.table, board)
            hands.append({"home": home, "away": away, "board": board})
        report_result(SYSTEM, match, hand_scores=hands)
    close_round(SYSTEM, round_)

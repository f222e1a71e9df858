"""A bye that is pinned stays in every format when the round is drawn again."""

from dataclasses import replace

import pytest

from tournaments.domain.pairing import FORMATS
from tournaments.domain.rows import Bye, Entrant, Stage, Table, TournamentRows
from tournaments.domain.stages import next_draw


def rows_of_first_round(name: str, entrants: int) -> TournamentRows:
    rules = FORMATS[name].rules
    stage = Stage(1, name, replace(rules, rounds=4), tuple(range(1, entrants + 1)), seed="5eed")
    people = tuple(Entrant(number) for number in stage.entrants)
    return TournamentRows(name="T", entrants=people, stages=(stage,))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("entrants", [7, 8])
def test_a_pinned_bye_stays_and_everybody_else_has_a_table(name: str, entrants: int) -> None:
    rows = rows_of_first_round(name, entrants)
    drawn = next_draw(rows)
    last = max(table.number for table in drawn.tables)
    for resting in (3, 6):
        pinned = Table(last + 1, ((resting,),), Bye.HALF, pinned=True)
        draw = next_draw(rows, (pinned,))
        assert pinned in draw.tables
        seated = [entrant for table in draw.tables for entrant in table.entrants]
        assert sorted(seated) == list(range(1, entrants + 1))


@pytest.mark.parametrize("name", ["knockout", "double", "repesca"])
def test_the_opponents_of_two_pinned_byes_meet(name: str) -> None:
    rows = rows_of_first_round(name, 8)
    (one, left), (other, alone) = (table.entrants for table in next_draw(rows).tables[:2])
    pins = tuple(
        Table(number, ((entrant,),), Bye.PAIRING, pinned=True)
        for number, entrant in ((5, one), (6, other))
    )
    tables = next_draw(rows, pins).tables
    assert {left, alone} in [set(table.entrants) for table in tables]

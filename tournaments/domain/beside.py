"""Stages that are played side by side: whose entrants are set apart, which tables follow.

A stage that begins while another one is being played has the number of that one in its rules
(`StageRules.beside`). So a file says by itself where its tables begin and who could not come into
it, and files of tournaments whose stages follow each other mean what they meant before.
"""

from collections.abc import Iterator
from math import ceil

from tournaments.domain.pairing import FORMATS
from tournaments.domain.rows import Stage, State, TournamentRows


def stages_beside(rows: TournamentRows, stage: Stage) -> Iterator[Stage]:
    """Yield the stages beside which a stage began: its own, then that one's, and so on."""
    numbers = {stage.number}
    while (number := stage.rules.beside) is not None and number not in numbers:
        numbers.add(number)
        stage = next(other for other in rows.stages if other.number == number)
        yield stage


def tables_beside(rows: TournamentRows, stage: Stage) -> int:
    """Return how many table numbers the stages beside which a stage began use up.

    0 where all tables play the same deals: these move from table to table by number.
    """
    if FORMATS[stage.format].same_deals:
        return 0
    return sum(
        ceil(len(other.entrants) / FORMATS[other.format].seats)
        for other in stages_beside(rows, stage)
    )


def tables_in_use(rows: TournamentRows, number: int) -> frozenset[int]:
    """Return the numbers of the tables in the open rounds of the stages other than ``number``.

    Drafts too: a board that has grown since another one was numbered would get numbers of it. None
    of byes, and none where all tables play the same deals.
    """
    if FORMATS[next(stage for stage in rows.stages if stage.number == number).format].same_deals:
        return frozenset()
    return frozenset(
        table.number
        for stage in rows.stages
        if stage.number != number and not FORMATS[stage.format].same_deals
        for round_ in stage.rounds
        if round_.state is not State.CLOSED
        for table in round_.tables
        if not table.is_bye
    )

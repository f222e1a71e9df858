"""Compares a draft with what would be drawn now: its entrants, its tables, who may sit in it."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import count

from tournaments.domain.next_stages import can_share_entrants
from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.base import CannotDraw, Draw, Field, PairingReason
from tournaments.domain.pairing.checks import NOT_QUALIFIED, OTHER_BOARD, objections
from tournaments.domain.rows import Seeding, Stage, State, Table, TournamentRows
from tournaments.domain.stages import (
    field_for,
    is_finished,
    is_ready,
    next_draw,
    next_round,
    open_tables,
    qualified_entrants,
    source_of,
    sources_of,
    stage_of,
    takes_those_out,
    with_stage,
)


def rows_before(rows: TournamentRows, number: int) -> TournamentRows:
    """Return the rows with the rounds before a number alone, drafts as if they were published."""
    stages = (
        replace(
            stage,
            rounds=tuple(
                replace(round_, state=State.PUBLISHED) if round_.state is State.DRAFT else round_
                for round_ in stage.rounds
                if round_.number < number
            ),
        )
        for stage in rows.stages
    )
    return replace(rows, stages=tuple(stages))


def entrants_now(rows: TournamentRows, number: int) -> tuple[int, ...]:
    """Return the entrants with which a stage that has begun would be drawn now.

    They differ from its entrants where others qualify since: a result before it was corrected, or
    an entry has left. Entrants who came late into the stage stay in it, the last. Raises
    CannotDraw where it is not known who qualifies.
    """
    stage = stage_of(rows, number)
    if number == min(other.number for other in rows.stages) or stage.published:
        return stage.entrants
    first, entrants = next_round(rows), rows.by_number
    late = tuple(n for n in stage.entrants if entrants[n].joined >= first)
    qualified = qualified_entrants(rows, number)
    is_by_hand = stage.rules.seeding is Seeding.MANUAL
    if is_by_hand and {*qualified, *late} == set(stage.entrants):
        return stage.entrants
    return (*qualified, *late)


def draw_again(
    rows: TournamentRows,
    number: int,
    stage: int,
    tables: Sequence[Table],
    in_use: Collection[int] = (),
) -> tuple[Draw, Field]:
    """Draw a draft as it would be drawn now, around those of its ``tables`` that can stay.

    ``in_use`` as of `next_draw`. Returns the field of the draw with it. Raises CannotDraw;
    ``stage_over`` also where a stage that fills this one is to be played first.
    """
    rows = rows_before(rows, number)
    if is_finished(rows, stage_of(rows, stage)):
        raise CannotDraw("stage_over")
    for source in reversed(sources_of(rows, stage_of(rows, stage))):
        if not is_ready(rows, stage_of(rows, stage)) and not is_finished(rows, source):
            missing = open_tables(source)
            raise CannotDraw("waiting", tables=missing) if missing else CannotDraw("stage_over")
    begun = replace(stage_of(rows, stage), entrants=entrants_now(rows, stage))
    rows = with_stage(rows, begun)
    field = field_for(rows, stage, number)
    return next_draw(rows, staying(tables, field), number, stage, in_use), field


def numbers_from(rows: TournamentRows, stage: int, first: int) -> Iterator[int]:
    """Yield the numbers of a stage's drafts from ``first`` on, then those of further rounds."""
    own = [round_.number for round_ in stage_of(rows, stage).rounds if round_.number >= first]
    yield from own
    taken = {round_.number for one in rows.stages for round_ in one.rounds}
    last = own[-1] if own else first - 1
    yield from (number for number in count(last + 1) if number not in taken)


def staying(tables: Sequence[Table], field: Field) -> tuple[Table, ...]:
    """Return the tables of which all entrants are to be paired; the others cannot be kept.

    Nor can those of two groups: each group is drawn by itself.
    """
    groups = FORMATS[field.stage.format].groups
    parts = groups(field.stage) if groups else (field.stage.entrants,)
    present = [set(field.present).intersection(part) for part in parts]
    return tuple(
        table for table in tables if any(part.issuperset(table.entrants) for part in present)
    )


def draft_objections(
    rows: TournamentRows, number: int, stage: int, tables: Sequence[Table]
) -> tuple[PairingReason, ...]:
    """Return the rules that a draft breaks (`objections`), impossibilities first.

    ``check_not_qualified`` are the entrants at tables of a stage's first round who do not qualify
    for it now; all of them where it is not known yet who does. ``check_other_board`` are those who
    play in another ``stage`` that is played at the same time.
    """
    elsewhere = _entrants_elsewhere(rows, stage_of(rows, stage))
    rows = rows_before(rows, number)
    try:
        entrants = set(entrants_now(rows, stage))
    except CannotDraw:
        entrants = set()
    strangers = (
        PairingReason(OTHER_BOARD, table.number, (entrant,), {"stage": elsewhere[entrant]})
        if entrant in elsewhere
        else PairingReason(NOT_QUALIFIED, table.number, (entrant,))
        for table in tables
        for entrant in table.entrants
        if entrant in elsewhere or entrant not in entrants
    )
    return (*strangers, *objections(field_for(rows, stage, number), tables))


def _entrants_elsewhere(rows: TournamentRows, stage: Stage) -> dict[int, int]:
    """Return the stage in which entrants play who cannot come into this one, by entrant.

    Those of the stages that it is filled without, those who sit in an open round of any board, and
    those who, out of a tree by earlier results, play for a place.
    """
    elsewhere: dict[int, int] = {}
    for other in rows.stages:
        is_for_places = takes_those_out(other, stage) and source_of(rows, other) == stage
        if other.number in stage.rules.without or (is_for_places and other.published):
            elsewhere.update(dict.fromkeys(other.entrants, other.number))
        elif other.number != stage.number and not can_share_entrants(rows, stage, other):
            seated = (r.tables for r in other.rounds if r.state is State.PUBLISHED)
            numbers = (n for tables in seated for table in tables for n in table.entrants)
            elsewhere.update(dict.fromkeys(numbers, other.number))
    return elsewhere

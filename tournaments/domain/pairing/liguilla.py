"""The liguilla: everybody meets everybody, once or several times (`calendar`)."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from tournaments.domain.pairing.base import CannotDraw, Draw, Field, Format, PairingReason
from tournaments.domain.pairing.calendar import Calendar, CalendarRound, all_have_met
from tournaments.domain.pairing.colouring import Meeting
from tournaments.domain.pairing.numbering import free_numbers
from tournaments.domain.rows import NONE, Bye, Entrant, Points, Scale, Stage, StageRules, Table

MAX_ENTRANTS: Final = 64
"""More would have thousands of matches."""


class UnnumberedTable(NamedTuple):
    """A table before it has its number: its entrants, and the reason of the pairing."""

    entrants: tuple[int, ...]
    code: str
    about: tuple[int, ...] = ()
    facts: Mapping[str, int] = NONE
    pinned: bool = False


def draw(field: Field) -> Draw:
    """Answer the next round of the calendar. Raises CannotDraw: ``stage_over``."""
    if is_over(field.stage, field.entrants):
        raise CannotDraw("stage_over")
    return number_tables(field, list(group_tables(field, field.stage.entrants)))


def group_tables(field: Field, members: tuple[int, ...]) -> Iterator[UnnumberedTable]:
    """Yield the tables of one group: its meetings, then those with a bye."""
    calendar = Calendar(members, field.stage, field.entrants, field.round)
    present_members = set(field.present).intersection(members)
    pinned_meetings = [
        (table.entrants[0], table.entrants[1])
        for table in field.pinned_tables
        if not table.is_bye and present_members.issuperset(table.entrants)
    ]
    bye_entrants = {table.entrants[0] for table in field.pinned_tables if table.is_bye}
    calendar_round = calendar.draw(present_members - bye_entrants, pinned_meetings)
    planned = set(calendar_round.planned)
    for meeting in calendar_round.meetings[: len(pinned_meetings)]:
        yield UnnumberedTable(meeting, "pinned", pinned=True)
    for meeting in calendar_round.meetings[len(pinned_meetings) :]:
        yield _meeting(calendar, calendar_round, meeting, on_plan=meeting in planned)
    playing = {entrant for meeting in calendar_round.meetings for entrant in meeting}
    for entrant in members:
        if entrant in present_members and entrant not in playing:
            yield _bye_table(calendar_round, entrant, field)


def _meeting(
    calendar: Calendar, calendar_round: CalendarRound, meeting: Meeting, *, on_plan: bool
) -> UnnumberedTable:
    if calendar_round.schedule is not None and on_plan:
        home, away = (calendar.chair(entrant) for entrant in meeting)
        facts = {"place": calendar_round.schedule, "home": home, "away": away}
        return UnnumberedTable(meeting, "on_schedule", facts=facts)
    return UnnumberedTable(
        calendar.balance_home(meeting), "still_to_meet", facts={"left": calendar.rounds_left()}
    )


def _bye_table(calendar_round: CalendarRound, entrant: int, field: Field) -> UnnumberedTable:
    """Name the opponent that an entrant with a bye would have had, if there is one."""
    for meeting in calendar_round.planned:
        if entrant in meeting:
            other = sum(meeting) - entrant
            code = (
                "opponent_left" if field.entrants[other].has_left(field.round) else "opponent_away"
            )
            return UnnumberedTable((entrant,), code, (other,))
    return UnnumberedTable(
        (entrant,), "empty_chair" if calendar_round.schedule is not None else "waits_for_others"
    )


def number_tables(field: Field, sittings: list[UnnumberedTable]) -> Draw:
    """Number the tables through, byes last; pinned tables keep their numbers."""
    pinned_tables = {frozenset(table.entrants): table for table in field.pinned_tables}
    numbers = free_numbers(field.pinned_tables)
    tables, reasons = [], []
    for sitting in sorted(sittings, key=lambda sitting: len(sitting.entrants) == 1):
        table = pinned_tables.get(frozenset(sitting.entrants))
        if table is None:
            sides = tuple((entrant,) for entrant in sitting.entrants)
            bye = Bye.PAIRING if len(sides) == 1 else None
            table = Table(next(numbers), sides, bye=bye)
            reasons.append(
                PairingReason(
                    sitting.code, table.number, (*sitting.entrants, *sitting.about), sitting.facts
                )
            )
        else:
            reasons.append(PairingReason("pinned", table.number, sitting.entrants))
        tables.append(table)
    return Draw(tuple(tables), tuple(reasons), {"rests": sum(table.is_bye for table in tables)})


def rounds(entrants: int, rules: StageRules) -> int:
    """Return n - 1 rounds a turn for an even number of entrants, n for an odd one."""
    return (entrants - 1 + entrants % 2) * rules.turns


def is_over(stage: Stage, entrants: Mapping[int, Entrant]) -> bool:
    """Tell whether everybody who has come and not left has met everybody else.

    An absence with an end is waited for, an entrant who is only to come later is not.
    """
    return bool(stage.rounds) and is_over_among(stage.entrants, stage, entrants)


def is_over_among(members: tuple[int, ...], stage: Stage, entrants: Mapping[int, Entrant]) -> bool:
    """Tell whether one group is over."""
    return all_have_met(members, stage, entrants, stage.next_round)


FORMAT: Final = Format(
    name="liguilla",
    draw=draw,
    rounds=rounds,
    is_over=is_over,
    order=("direct_encounter", "hand_difference", "point_difference"),
    settings=("turns",),
    rules=StageRules(scale=Scale(bye=Points(0))),
    max_entrants=MAX_ENTRANTS,
    all_at_once=True,
    is_preset=True,
    paired_by_place=True,
)

"""Which entries are expected on the day: for a match to play, or to be drawn for."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, NamedTuple, Self

from django.db.models import QuerySet
from django.utils import timezone

from tournaments.director.queries.days import ordered_days
from tournaments.director.queries.snapshot import rows_of
from tournaments.domain.days import RoundOnDay, give_days
from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.base import CannotDraw
from tournaments.domain.rows import Stage, State, TournamentRows
from tournaments.domain.sides import PLACES
from tournaments.domain.stages import field_for, next_round, qualified_entrants, source_of
from tournaments.models import Absence, Day, Entry, Match, Round, Tournament
from tournaments.models.matches import day_of

GRANTED_BYES: Final = ("full", "half", "zero")
"""Kinds of a bye that was asked for (`Match.bye`); a bye by the draw is no reason not to come."""


@dataclass(frozen=True, slots=True)
class ExpectedEntries:
    """The entries that are expected today, by number.

    ``coming`` have a match to play, or are to be drawn for a round of the day. ``resting`` have a
    granted bye in their first round of the day, whose number is the value. All others are not
    expected: beaten, not qualified, entered from a later round, their match postponed or played
    ahead.
    """

    coming: frozenset[int]
    resting: Mapping[int, int]


class _Sitting(NamedTuple):
    """An entry in a round of the day; ``rests`` by a granted bye."""

    round: int
    entry: int
    rests: bool = False


def expected_today(tournament: Tournament) -> ExpectedEntries:
    """Return the entries that are expected today, absences apart: twelve queries at any size.

    The rounds of the day are those that are not planned for another one: a round without a day is
    one of today's. Where none is planned for today, the next planned day counts, or the last.
    """
    if tournament.state == Tournament.State.FINISHED:
        return ExpectedEntries(frozenset(), {})
    rows, calendar = rows_of(tournament), _Calendar.of(tournament)
    sittings = sorted([*_at_tables(tournament, calendar), *_to_be_drawn(rows, calendar)])
    first: dict[int, _Sitting] = {}
    for sitting in sittings:
        first.setdefault(sitting.entry, sitting)
    return ExpectedEntries(
        frozenset(entry for entry, sitting in first.items() if not sitting.rests),
        {entry: sitting.round for entry, sitting in first.items() if sitting.rests},
    )


def missing_entries(tournament: Tournament) -> list[Entry]:
    """Return the entries of people that are expected, have not checked in and are not away."""
    absent = list(_not_away(tournament).filter(checked_in_at__isnull=True))
    coming = expected_today(tournament).coming if absent else frozenset()
    return [entry for entry in absent if entry.number in coming]


def present_entries(tournament: Tournament) -> list[int]:
    """Return the numbers of the entries of people that have checked in and are not away.

    Where nobody has checked in, the club makes no use of it: all that are not away are present.
    """
    rows = list(_not_away(tournament).values_list("number", "checked_in_at"))
    checked_in = [number for number, at in rows if at is not None]
    return checked_in or [number for number, _at in rows]


def _not_away(tournament: Tournament) -> QuerySet[Entry]:
    """Return the entries of people that have not left, by number."""
    away = Absence.objects.filter(entry__tournament=tournament, until_round__isnull=True)
    entries = tournament.entries.filter(bot__isnull=True)
    return entries.exclude(pk__in=away.values("entry")).order_by("number")


@dataclass(frozen=True, slots=True)
class _Calendar:
    """The days of the rounds that are not closed; ``today`` is the day that counts."""

    rounds: Mapping[int, Round]
    days: Collection[Day]
    sources: Mapping[int, int]
    today: date

    @classmethod
    def of(cls, tournament: Tournament) -> Self:
        rounds = Round.objects.filter(stage__tournament=tournament).select_related("stage", "day")
        by_number = {round_.number: round_ for round_ in rounds}
        days = ordered_days(tournament)
        planned = {
            day.due_on if day.starts_at is None else timezone.localdate(day.starts_at)
            for day in days
            if any(r.state != Round.State.CLOSED for r in by_number.values() if r.day_id == day.pk)
            or not any(r.day_id == day.pk for r in by_number.values())
        }
        today = timezone.localdate()
        later = [day for day in planned if day >= today]
        sources = {
            stage.number: stage.rules.source or stage.number - 1
            for stage in tournament.stages.order_by("number")
            if stage.number > 1
        }
        return cls(by_number, days, sources, min(later, default=max(planned, default=today)))

    def is_today(self, stage: int, number: int) -> bool:
        """Return whether a round, drawn or to be drawn, is not planned for another day."""
        day = self._day_of(stage, number)
        if day is None:
            return True
        return (day.due_on if day.starts_at is None else day_of(day.starts_at)) == self.today

    def _day_of(self, stage: int, number: int) -> Day | None:
        """Return the day of a round; of one to be drawn the day that it would take."""
        if (round_ := self.rounds.get(number)) is not None:
            return round_.day
        if not self.days:
            return None
        numbers = {day.pk: day.number for day in self.days}
        rounds = [
            RoundOnDay(row.number, row.stage.number, numbers.get(row.day_id or 0))
            for row in self.rounds.values()
            if row.day_id is not None
        ]
        holds = {day.number: day.holds for day in self.days}
        given = give_days([*rounds, RoundOnDay(number, stage)], holds, self.sources)
        return next((day for day in self.days if day.number == given.get(number)), None)


def _at_tables(tournament: Tournament, calendar: _Calendar) -> Iterator[_Sitting]:
    """Yield who has a match of the day to play, or a bye in a round of it that is published."""
    matches = Match.objects.filter(round__stage__tournament=tournament)
    undecided = (Match.State.PENDING, Match.State.POSTPONED, Match.State.BYE)
    matches = matches.filter(state__in=undecided).exclude(round__state=Round.State.DRAFT)
    places = [f"{place}__number" for place in PLACES]
    for row in matches.values("round__number", "state", "bye", "postponed_to", *places):
        round_ = calendar.rounds[row["round__number"]]
        if row["state"] == Match.State.POSTPONED:
            is_today = row["postponed_to"] is not None and day_of(row["postponed_to"]) in {
                calendar.today,
                timezone.localdate(),
            }
        elif row["state"] == Match.State.BYE and round_.state == Round.State.CLOSED:
            is_today = False
        else:
            is_today = calendar.is_today(round_.stage.number, round_.number)
        if is_today:
            for place in places:
                if (entry := row[place]) is not None:
                    yield _Sitting(round_.number, entry, row["bye"] in GRANTED_BYES)


def _to_be_drawn(rows: TournamentRows, calendar: _Calendar) -> Iterator[_Sitting]:
    """Yield who is to be drawn for a round of the day, a draft or the next to be drawn."""
    for stage in rows.stages:
        drafts = [round_.number for round_ in stage.rounds if round_.state is State.DRAFT]
        for number in drafts or [next_round(rows, stage.number)]:
            if calendar.is_today(stage.number, number):
                for entry in _entrants_of_draw(rows, stage, number, calendar):
                    is_asked = rows.by_number[entry].bye_in(number) is not None
                    yield _Sitting(number, entry, rests=is_asked)


def _entrants_of_draw(
    rows: TournamentRows, stage: Stage, number: int, calendar: _Calendar
) -> Iterator[int]:
    """Yield those who are to be drawn for a round of a stage, as far as that is known."""
    entrants = rows.by_number
    if stage.entrants:
        published = replace(stage, rounds=stage.published)
        if FORMATS[stage.format].is_over(published, entrants):
            return
        field = field_for(rows, stage.number, number)
        running = [r.number for r in published.rounds if r.state is State.PUBLISHED]
        today = [round_ for round_ in running if calendar.is_today(stage.number, round_)]
        first = min(today, default=number)
        yield from (n for n in (*field.present, *field.byes) if entrants[n].joined <= first)
        return
    try:
        is_first = source_of(rows, stage) is None
        coming = tuple(entrants) if is_first else qualified_entrants(rows, stage.number)
    except CannotDraw:  # the stage before is still played
        return
    yield from (n for n in coming if entrants[n].is_here(number))

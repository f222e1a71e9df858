"""Plans the days of a tournament, changes and removes them, and gives them to its rounds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, time
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from tournaments.core.audit import write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_tournament, refresh_row
from tournaments.core.names import validate_remark
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.director.queries.days import ordered_days
from tournaments.director.queries.state import refuse_closed, tournament_facts
from tournaments.director.services.tournaments import announce
from tournaments.domain.days import MAX_DAYS, Pause, RoundOnDay, give_days, plan_times
from tournaments.domain.names import MAX_NAME_LENGTH
from tournaments.domain.timetable import DAY, Timetable
from tournaments.models import Day, Round, Tournament
from tournaments.models.tournaments import MAX_LINE_LENGTH

MAX_DAYS_TO_PLAY: Final = 365
"""Days after which the matches of a day have to be played, at most."""

MAX_ROUNDS_A_DAY: Final = 50
"""Rounds of a stage on one day, at most; chosen: more is a typing error."""

NOON: Final = time(12)


@dataclass(frozen=True, slots=True)
class DayPlan:
    """Days ahead: ``count`` of them ``on`` some days of the week (0 is Monday) from ``first`` on.

    Without an hour, ``at``, a day only says until when its matches are to be played, which is
    ``play_within`` days after it. ``pauses`` are left out; with ``before_holidays`` a pause of
    one day moves the day to the one before. It ``holds`` so many rounds of a stage.
    """

    on: tuple[int, ...]
    at: time | None
    first: date
    count: int
    pauses: Sequence[Pause] = ()
    before_holidays: bool = False
    play_within: int | None = None
    holds: int = 1
    place: str = ""


@dataclass(frozen=True, slots=True)
class NewDay:
    """What a day says (`Day`)."""

    starts_at: datetime | None = None
    play_by: date | None = None
    place: str = ""
    note: str = ""
    holds: int = 1


# --- Verbs ----------------------------------------------------------------------------------------


@transaction.atomic
def plan_days(actor: Actor, tournament: Tournament, plan: DayPlan) -> Tournament:
    """Plan the days of a tournament; the days of rounds that are published stay, the others go.

    Rounds without a day take the new ones in order. Refuses FORBIDDEN, TOURNAMENT_OVER, BAD_DAYS,
    BAD_REASON.
    """
    tournament = _lock(actor, tournament, "plan_days")
    new_days = _planned(plan)
    kept = Round.objects.filter(day__tournament=tournament).exclude(state=Round.State.DRAFT)
    tournament.days.exclude(pk__in=list(kept.values_list("day", flat=True))).delete()
    _refuse_too_many(tournament, len(new_days))
    first = _next_number(tournament)
    Day.objects.bulk_create(
        Day(tournament=tournament, number=number, **asdict(day))
        for number, day in enumerate(new_days, first)
    )
    give_days_to_rounds(tournament)
    write_tournament_event(
        actor, "days.planned", tournament, tournament, days=[_facts(day) for day in new_days]
    )
    return tournament


@transaction.atomic
def add_day(actor: Actor, tournament: Tournament, new: NewDay) -> Day:
    """Add a day; rounds that have none take it.

    Refuses FORBIDDEN, TOURNAMENT_OVER, BAD_DAYS, BAD_REASON.
    """
    tournament = _lock(actor, tournament, "add_day")
    values = _checked(new)
    _refuse_too_many(tournament, 1)
    number = _next_number(tournament)
    day = Day.objects.create(tournament=tournament, number=number, **asdict(values))
    give_days_to_rounds(tournament)
    write_tournament_event(actor, "day.added", tournament, tournament, day=number, **_facts(values))
    return day


@transaction.atomic
def change_day(
    actor: Actor,
    day: Day,
    changes: Mapping[str, Any],
    *,
    rounds: Sequence[int] | None = None,
    announcement: str = "",
) -> Day:
    """Move a day, or change what it says (`NewDay`); fields left out stay.

    ``rounds`` are the numbers of the rounds on it, if they change; one that has another day leaves
    it. ``announcement`` replaces the one in the hall. Values that are there already change nothing.
    Refuses FORBIDDEN, TOURNAMENT_OVER, NOT_FOUND, BAD_DAYS, BAD_REASON, ANNOUNCEMENT_TOO_LONG.
    """
    tournament = _lock(actor, day.tournament, "change_day")
    day = refresh_row(tournament.days.all(), day)
    before = _values_of(day)
    values = _checked(NewDay(**{**asdict(before), **changes}))
    rounds_before = _round_numbers(day)
    if rounds is not None:
        _set_rounds(day, rounds)
    is_moved = values.starts_at != before.starts_at
    if values != before:
        if is_moved:
            was = day.moved_from or before.starts_at
            day.moved_from = None if was == values.starts_at else was
        for name, value in asdict(values).items():
            setattr(day, name, value)
        day.sequence += 1
        day.save()
    if values != before or _round_numbers(day) != rounds_before:
        write_tournament_event(
            actor,
            "day.changed",
            tournament,
            tournament,
            day=day.number,
            before={**_facts(before), "rounds": rounds_before},
            after={**_facts(values), "rounds": _round_numbers(day)},
        )
    if announcement:
        announce(actor, tournament, announcement)
    return day


@transaction.atomic
def remove_day(actor: Actor, day: Day) -> Tournament:
    """Remove a day; its rounds that are not closed take the next day that is free.

    Refuses FORBIDDEN, TOURNAMENT_OVER, NOT_FOUND.
    """
    tournament = _lock(actor, day.tournament, "remove_day")
    day = refresh_row(tournament.days.all(), day)
    facts = {"day": day.number, **_facts(_values_of(day)), "rounds": _round_numbers(day)}
    day.delete()
    give_days_to_rounds(tournament)
    write_tournament_event(actor, "day.removed", tournament, tournament, **facts)
    return tournament


# --- Days of rounds -------------------------------------------------------------------------------


def give_days_to_rounds(tournament: Tournament) -> None:
    """Give each round of a locked tournament that is not closed and has no day the next free one.

    One query where no days are planned.
    """
    days = ordered_days(tournament)
    if not days:
        return
    rounds = list(Round.objects.filter(stage__tournament=tournament).select_related("stage"))
    numbers = {day.pk: day.number for day in days}
    sources = {
        stage.number: stage.rules.source or stage.number - 1
        for stage in {round_.stage for round_ in rounds}
        if stage.number > 1
    }
    given = give_days(
        (
            RoundOnDay(row.number, row.stage.number, numbers.get(row.day_id or 0))
            for row in rounds
            if row.day_id is not None or row.state != Round.State.CLOSED
        ),
        {day.number: day.holds for day in days},
        sources,
    )
    by_number = {day.number: day for day in days}
    changed = [row for row in rounds if row.number in given]
    for row in changed:
        row.day = by_number[given[row.number]]
    Round.objects.bulk_update(changed, ["day"])


def _set_rounds(day: Day, numbers: Iterable[int]) -> None:
    """Put the rounds of these numbers on a day, and no others. Refuses BAD_DAYS."""
    wanted = set(numbers)
    rounds = Round.objects.filter(stage__tournament=day.tournament)
    known = set(rounds.filter(number__in=wanted).values_list("number", flat=True))
    if wanted - known:
        missing = ", ".join(map(str, sorted(wanted - known)))
        raise Refusal(
            Reason.BAD_DAYS, why=gettext("there is no round %(text)s") % {"text": missing}
        )
    rounds.filter(day=day).exclude(number__in=wanted).update(day=None)
    rounds.filter(number__in=wanted).update(day=day)


def _round_numbers(day: Day) -> list[int]:
    return list(day.rounds.order_by("number").values_list("number", flat=True))


# --- What days say --------------------------------------------------------------------------------


def _lock(actor: Actor, tournament: Tournament, verb: str) -> Tournament:
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    refuse_closed(verb, tournament_facts(tournament))
    return tournament


def _planned(plan: DayPlan) -> list[NewDay]:
    """Return the days of a plan. Refuses BAD_DAYS, BAD_REASON."""
    if not 1 <= plan.count <= MAX_DAYS or not 0 <= (plan.play_within or 0) <= MAX_DAYS_TO_PLAY:
        raise Refusal(Reason.BAD_DAYS, why=gettext("the number of days is out of range"))
    if any(begin > end for begin, end in plan.pauses):
        raise Refusal(Reason.BAD_DAYS, why=gettext("a pause ends before it begins"))
    try:
        timetable = Timetable(plan.at or NOON, settings.TIME_ZONE, tuple(sorted(set(plan.on))))
        times = plan_times(
            timetable,
            plan.first,
            plan.count,
            plan.pauses,
            before_holidays=plan.before_holidays,
        )
        within = (plan.play_within or 0) * DAY
        last_days = [timezone.localdate(moment) + within for moment in times]
    except (ValueError, OverflowError) as error:
        why = gettext("name days of the week, an hour, and a number of days that is in reach")
        raise Refusal(Reason.BAD_DAYS, why=why) from error
    days = []
    for moment, play_by in zip(times, last_days, strict=True):
        is_timed, ends_later = plan.at is not None, plan.play_within is not None
        new = NewDay(
            starts_at=moment if is_timed else None,
            play_by=play_by if ends_later or not is_timed else None,
            place=plan.place,
            holds=plan.holds,
        )
        days.append(_checked(new))
    return days


def _checked(new: NewDay) -> NewDay:
    """Return what a day says as it is stored. Refuses BAD_DAYS, BAD_REASON."""
    place, note = (" ".join(validate_remark(text).split()) for text in (new.place, new.note))
    why = ""
    if new.starts_at is None and new.play_by is None:
        why = gettext("a day has a beginning, or a last day to play")
    elif new.starts_at and new.play_by and new.play_by < timezone.localdate(new.starts_at):
        why = gettext("the last day to play is before the beginning")
    if not 1 <= new.holds <= MAX_ROUNDS_A_DAY:
        why = gettext("the number of rounds is out of range")
    if len(place) > MAX_NAME_LENGTH or len(note) > MAX_LINE_LENGTH:
        why = gettext("the place or the note is too long")
    if why:
        raise Refusal(Reason.BAD_DAYS, why=why)
    return NewDay(new.starts_at, new.play_by, place, note, new.holds)


def _values_of(day: Day) -> NewDay:
    return NewDay(day.starts_at, day.play_by, day.place, day.note, day.holds)


def _facts(day: NewDay) -> dict[str, Any]:
    """Return what a day says for an event; what is empty is left out."""
    starts_at = None if day.starts_at is None else day.starts_at.isoformat()
    play_by = None if day.play_by is None else day.play_by.isoformat()
    facts = {"starts_at": starts_at, "play_by": play_by, "place": day.place, "note": day.note}
    return {name: value for name, value in facts.items() if value} | {"holds": day.holds}


def _next_number(tournament: Tournament) -> int:
    last = tournament.days.order_by("-number").values_list("number", flat=True).first()
    return (last or 0) + 1


def _refuse_too_many(tournament: Tournament, count: int) -> None:
    if tournament.days.count() + count > MAX_DAYS:
        raise Refusal(Reason.BAD_DAYS, why=gettext("a tournament has at most 200 days"))

"""The days of a tournament with their rounds, and the matches that are overdue."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from tournaments.core.find import find_tournament, or_404
from tournaments.core.permissions import Actor
from tournaments.director.queries.rows import MatchRow, live_results, match_row
from tournaments.director.queries.state import last_round
from tournaments.director.queries.tournaments import (
    TournamentHead,
    VisibleTournament,
    open_tournament,
)
from tournaments.domain.sides import PLACES
from tournaments.domain.timetable import DAY
from tournaments.models import Day, Match, Round, Tournament


@dataclass(frozen=True, slots=True)
class DayRow:
    """A day (`Day`): ``rounds`` are those on it that the viewer may see, ``place`` is never empty.

    ``own_place`` is the place if it is not the tournament's. ``is_over``: its last day is past.
    """

    pk: int
    number: int
    starts_at: datetime | None
    play_by: date | None
    own_place: str
    place: str
    note: str
    holds: int
    moved_from: datetime | None
    sequence: int
    due_on: date
    is_over: bool
    rounds: tuple[int, ...]

    @property
    def when(self) -> str:
        """Its beginning, or its last day, with the day of the week, in the reader's language."""
        if self.starts_at is not None:
            return moment_text(self.starts_at)
        return gettext("until %(day)s") % {"day": day_text(self.due_on)}

    @property
    def begins_on(self) -> date:
        """The day on which it begins, in the club's zone."""
        return self.due_on if self.starts_at is None else timezone.localdate(self.starts_at)

    @property
    def what(self) -> str:
        """Its rounds in words; empty where none is drawn."""
        if not self.rounds:
            return ""
        numbers = ", ".join(map(str, self.rounds))
        if len(self.rounds) == 1:
            return gettext("round %(number)s") % {"number": numbers}
        return gettext("rounds %(numbers)s") % {"numbers": numbers}


@dataclass(frozen=True, slots=True)
class OverdueRow:
    """A match without a result after its last day; ``contacts`` are empty for who may not read.

    A postponed match is overdue after the day to which it was postponed.
    """

    match: MatchRow
    due_on: date
    is_postponed: bool
    contacts: tuple[tuple[str, str], ...]

    @property
    def reminder(self) -> str:
        """The text that reminds its people."""
        facts = {"round": self.match.round, "names": self.match.names, "day": day_text(self.due_on)}
        text = gettext(
            "Round %(round)s, %(names)s: this match was to be played by %(day)s. "
            "Please play it and report the result, or tell us when you play."
        )
        return text % facts


@dataclass(frozen=True, slots=True)
class DayMatches:
    """The matches of a day, under its title."""

    title: str
    matches: tuple[MatchRow, ...]


@dataclass(frozen=True, slots=True)
class WeekPage:
    """The matches of the days from ``first`` to ``last``."""

    head: TournamentHead
    first: date
    last: date
    days: tuple[DayMatches, ...]


@dataclass(frozen=True, slots=True)
class DaysPage:
    """The days of a tournament in the order of time, and for arbiters what is overdue.

    ``postponed`` are the matches to be played on another day than their round (`MatchRow`).
    """

    head: TournamentHead
    days: tuple[DayRow, ...]
    overdue: tuple[OverdueRow, ...]
    postponed: tuple[MatchRow, ...] = ()

    @property
    def has_rounds(self) -> bool:
        """Whether a round has a day, so that there are matches to print."""
        return any(day.rounds for day in self.days)

    @property
    def week_from(self) -> date:
        """The next day with rounds, or the last one; only where there are some."""
        return _first_of_week(self.days)


def day_text(day: date) -> str:
    """Return a day with the day of the week, in the reader's language."""
    return f"{date_format(day, 'l')}, {date_format(day, 'DATE_FORMAT')}"


def moment_text(moment: datetime) -> str:
    """Return a day and hour with the day of the week, in the reader's language and local time."""
    local = timezone.localtime(moment)
    return f"{day_text(local.date())}, {date_format(local, 'H:i')}"


def find_day(slug: str, number: int, viewer: Actor) -> Day:
    """Return a day of a tournament that the viewer may see. Refuses NOT_FOUND."""
    days = find_tournament(slug, viewer).days.select_related("tournament__club")
    return or_404(days.filter(number=number).first())


def days_page(slug: str, viewer: Actor) -> DaysPage:
    """Return the days of a tournament: the head's queries and two.

    For arbiters three more, and one where a match is postponed.
    """
    access = open_tournament(slug, viewer)
    days = days_of(access.tournament, member=access.powers.member)
    late = (
        overdue_matches(access.tournament, with_contacts=access.head.may.manage)
        if access.head.may.arbitrate
        else ()
    )
    return DaysPage(access.head, days, late, postponed_matches(access))


def postponed_matches(access: VisibleTournament) -> tuple[MatchRow, ...]:
    """Return the matches that are postponed, those without a new day last: at most one query."""
    rounds = [row.number for row in access.rounds if row.postponed]
    visible = set(access.visible_rounds).intersection(rounds)
    if not visible:
        return ()
    matches = Match.objects.with_names().filter(
        round__stage__tournament=access.tournament,
        round__number__in=visible,
        state=Match.State.POSTPONED,
    )
    in_order = F("postponed_to").asc(nulls_last=True), "round__number", "table"
    return tuple(match_row(match, None) for match in matches.order_by(*in_order))


def when_text(match: MatchRow, days: Mapping[int, DayRow]) -> str:
    """Return when a match is played: its own new day, else its round's; empty where it has none.

    ``days`` are those of the rounds (`days_by_round`).
    """
    if match.postponed_to is not None:
        return moment_text(match.postponed_to)
    day = days.get(match.round)
    return "" if day is None or match.state == Match.State.POSTPONED else day.when


def ordered_days(tournament: Tournament | TournamentHead) -> list[Day]:
    """Return the days of a tournament in the order of time; one query."""
    return sorted(Day.objects.filter(tournament=tournament.pk), key=_time)


def _time(day: Day) -> tuple[date, bool, float, int]:
    """Return what orders a day: one that begins at an hour comes before one that only ends."""
    if day.starts_at is None:
        return day.due_on, True, 0, day.number
    return timezone.localdate(day.starts_at), False, day.starts_at.timestamp(), day.number


def days_of(tournament: Tournament | TournamentHead, *, member: bool = False) -> tuple[DayRow, ...]:
    """Return the days of a tournament in the order of time: one query, two where there are some.

    Drafts of rounds are seen by members of the club alone.
    """
    days = ordered_days(tournament)
    if not days:
        return ()
    rounds = Round.objects.filter(day__in=days).order_by("number")
    if not member:
        rounds = rounds.exclude(state=Round.State.DRAFT)
    numbers = list(rounds.values_list("day", "number"))
    return tuple(
        row_of_day(day, tournament, tuple(number for key, number in numbers if key == day.pk))
        for day in days
    )


def day_row(day: Day, *, member: bool = False) -> DayRow:
    """Return one day that has been read with its tournament; two queries."""
    return next(row for row in days_of(day.tournament, member=member) if row.pk == day.pk)


def row_of_day(
    day: Day, tournament: Tournament | TournamentHead, rounds: tuple[int, ...] = ()
) -> DayRow:
    """Return the row of a day of a tournament, with the numbers of its rounds."""
    return DayRow(
        pk=day.pk,
        number=day.number,
        starts_at=day.starts_at,
        play_by=day.play_by,
        own_place=day.place,
        place=day.place or tournament.place,
        note=day.note,
        holds=day.holds,
        moved_from=day.moved_from,
        sequence=day.sequence,
        due_on=day.due_on,
        is_over=day.due_on < timezone.localdate(),
        rounds=rounds,
    )


def days_by_round(days: Iterable[DayRow]) -> dict[int, DayRow]:
    """Return the day of each round, by its number."""
    return {number: day for day in days for number in day.rounds}


def rounds_to_plan(tournament: Tournament) -> int | None:
    """Return how many rounds take a day of a new plan; None while that is open.

    Those that are over, and those that were published on a day, take none.
    """
    last = last_round(tournament)
    rounds = Round.objects.filter(stage__tournament=tournament).exclude(state=Round.State.DRAFT)
    settled = rounds.filter(Q(state=Round.State.CLOSED) | Q(day__isnull=False)).count()
    return None if last is None else last - settled


def next_day(days: Sequence[DayRow]) -> DayRow | None:
    """Return the first day that is not over."""
    return next((day for day in days if not day.is_over), None)


def week_page(slug: str, viewer: Actor, first: date | None) -> WeekPage:
    """Return the matches of seven days: the head's queries and at most five. Refuses NOT_FOUND.

    They begin on ``first``, or on the next day with rounds; matches that were postponed to them
    come last, by their time. Byes are left out.
    """
    access = open_tournament(slug, viewer)
    days = days_of(access.tournament, member=access.powers.member)
    first = first or _first_of_week(days)
    last = min(first, date.max - 6 * DAY) + 6 * DAY
    in_week = [day for day in days if first <= day.begins_on <= last]
    matches = Match.objects.with_names().filter(round__stage__tournament=access.tournament)
    matches = matches.filter(round__number__in=access.visible_rounds, away__isnull=False)
    dated = Q(round__day__isnull=False) | Q(postponed_to__isnull=False)
    rows: dict[int, list[Match]] = {}
    later: dict[tuple[datetime, int], list[Match]] = {}
    for match in (
        matches.filter(dated).select_related("round__day").order_by("round__number", "table")
    ):
        if (on := match.plays_on) is None or not first <= on <= last:
            continue
        if match.postponed_to is not None:
            later.setdefault((match.postponed_to, match.round.number), []).append(match)
        elif match.round.day_id is not None:
            rows.setdefault(match.round.day_id, []).append(match)
    wanted = [(_week_title(day), rows.get(day.pk, [])) for day in in_week]
    wanted += [(_postponed_title(*key), later[key]) for key in sorted(later)]
    results = live_results([match for _, several in wanted for match in several])
    return WeekPage(
        access.head,
        first,
        last,
        tuple(
            DayMatches(title, tuple(match_row(match, results.get(match.pk)) for match in several))
            for title, several in wanted
        ),
    )


def _first_of_week(days: Sequence[DayRow]) -> date:
    """Return when the next day with rounds begins, or else the last one; today without any."""
    drawn = [day for day in days if day.rounds]
    day = next_day(drawn) or (drawn[-1] if drawn else None)
    return timezone.localdate() if day is None else day.begins_on


def _week_title(day: DayRow) -> str:
    what = day.what[:1].upper() + day.what[1:]
    return " · ".join(filter(None, (what, day.when, day.place)))


def _postponed_title(moment: datetime, round_: int) -> str:
    """Return the title of the matches of a round that are played at a new time."""
    number = gettext("Round %(number)s") % {"number": round_}
    return f"{number} · {gettext('Postponed to %(time)s') % {'time': moment_text(moment)}}"


def overdue_matches(
    tournament: Tournament, *, with_contacts: bool = False
) -> tuple[OverdueRow, ...]:
    """Return the matches that were to be played before today, the oldest first."""
    rows = []
    today = timezone.localdate()
    matches = _open_matches(tournament).select_related("round__day")
    if with_contacts:
        matches = matches.select_related(*(f"{place}__request" for place in PLACES))
    for match in matches:
        if (due_on := _due_on(match)) is not None and due_on < today:
            contacts = _contacts(match) if with_contacts else ()
            is_postponed = match.state == Match.State.POSTPONED
            rows.append(OverdueRow(match_row(match, None), due_on, is_postponed, contacts))
    return tuple(sorted(rows, key=lambda row: (row.due_on, row.match.round, row.match.table)))


def _open_matches(tournament: Tournament) -> QuerySet[Match]:
    """Return the matches of published rounds without a result that have a last day."""
    waiting = Q(state=Match.State.PENDING, round__day__isnull=False)
    postponed = Q(state=Match.State.POSTPONED, postponed_to__isnull=False)
    matches = Match.objects.with_names().filter(waiting | postponed)
    matches = matches.exclude(round__state=Round.State.DRAFT)
    return matches.filter(round__stage__tournament=tournament)


def _due_on(match: Match) -> date | None:
    if match.state == Match.State.POSTPONED:
        return None if match.postponed_to is None else timezone.localdate(match.postponed_to)
    return None if match.round.day is None else match.round.day.due_on


def _contacts(match: Match) -> tuple[tuple[str, str], ...]:
    """Return who can be called: the name and the contact of each entry that gave one."""
    entries = (getattr(match, place) for place in PLACES)
    return tuple(
        (entry.shown_name, entry.request.contact)
        for entry in entries
        if entry is not None and entry.request is not None and entry.request.contact
    )

"""The days of a tournament with their rounds, and the matches that are overdue."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from tournaments.core.permissions import Actor
from tournaments.director.queries.rows import MatchRow, match_row
from tournaments.director.queries.tournaments import TournamentHead, open_tournament
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
class DaysPage:
    """The days of a tournament in the order of time, and for arbiters what is overdue."""

    head: TournamentHead
    days: tuple[DayRow, ...]
    overdue: tuple[OverdueRow, ...]


def day_text(day: date) -> str:
    """Return a day with the day of the week, in the reader's language."""
    return f"{date_format(day, 'l')}, {date_format(day, 'DATE_FORMAT')}"


def moment_text(moment: datetime) -> str:
    """Return a day and hour with the day of the week, in the reader's language and local time."""
    local = timezone.localtime(moment)
    return f"{day_text(local.date())}, {date_format(local, 'H:i')}"


def days_page(slug: str, viewer: Actor) -> DaysPage:
    """Return the days of a tournament: the head's queries and two, for arbiters three more."""
    access = open_tournament(slug, viewer)
    days = days_of(access.tournament, member=access.powers.member)
    late = (
        overdue_matches(access.tournament, with_contacts=access.head.may.manage)
        if access.head.may.arbitrate
        else ()
    )
    return DaysPage(access.head, days, late)


def ordered_days(tournament: Tournament) -> list[Day]:
    """Return the days of a tournament in the order of time; one query."""
    return sorted(tournament.days.all(), key=_time)


def _time(day: Day) -> tuple[date, bool, float, int]:
    """Return what orders a day: one that begins at an hour comes before one that only ends."""
    if day.starts_at is None:
        return day.due_on, True, 0, day.number
    return timezone.localdate(day.starts_at), False, day.starts_at.timestamp(), day.number


def days_of(tournament: Tournament, *, member: bool = False) -> tuple[DayRow, ...]:
    """Return the days of a tournament in the order of time: one query, two where there are some.

    Drafts of rounds are seen by members of the club alone.
    """
    days = ordered_days(tournament)
    if not days:
        return ()
    rounds = Round.objects.filter(day__in=days).order_by("number")
    if not member:
        rounds = rounds.exclude(state=Round.State.DRAFT)
    return day_rows(days, tournament.place, list(rounds.values_list("day", "number")))


def day_rows(
    days: Iterable[Day], place: str, rounds: Sequence[tuple[int | None, int]]
) -> tuple[DayRow, ...]:
    """Return rows of days; ``rounds`` are pairs of the key of a day and the number of a round."""
    today = timezone.localdate()
    return tuple(
        DayRow(
            pk=day.pk,
            number=day.number,
            starts_at=day.starts_at,
            play_by=day.play_by,
            own_place=day.place,
            place=day.place or place,
            note=day.note,
            holds=day.holds,
            moved_from=day.moved_from,
            sequence=day.sequence,
            due_on=day.due_on,
            is_over=day.due_on < today,
            rounds=tuple(number for key, number in rounds if key == day.pk),
        )
        for day in days
    )


def next_day(days: Sequence[DayRow]) -> DayRow | None:
    """Return the first day that is not over."""
    return next((day for day in days if not day.is_over), None)


def overdue_matches(
    tournament: Tournament, *, with_contacts: bool = False
) -> tuple[OverdueRow, ...]:
    """Return the matches that were to be played before today, the oldest first."""
    rows = []
    today = timezone.localdate()
    for match in _open_matches(tournament).select_related("round__day"):
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
    entries = (match.home, match.home_partner, match.away, match.away_partner, match.third)
    return tuple(
        (entry.shown_name, entry.request.contact)
        for entry in entries
        if entry is not None and entry.request is not None and entry.request.contact
    )

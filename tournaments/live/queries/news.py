"""News and appointments of a club or a tournament, for feeds and calendars."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final

from django.db.models import QuerySet
from django.utils import timezone

from tournaments.core.find import find_club, find_tournament, not_found_unless, or_404
from tournaments.core.permissions import Actor, may_see_poster, public_condition
from tournaments.director.queries.cards import posted
from tournaments.director.queries.days import DayRow, row_of_day
from tournaments.director.queries.rows import live_results, match_row
from tournaments.models import AuditEvent, Club, Day, Match, Round, Schedule, Season, Tournament
from tournaments.standings.queries.seasons import find_season

MAX_NEWS: Final = 30
"""News in a feed, at most: the latest."""

MAX_EVENTS: Final = 500
"""Rounds in a calendar, at most: the latest."""

MAX_NEXT_TIMES: Final = 14
"""Future times of a schedule in a calendar."""

PUBLISHED, CLOSED, FINISHED = "published", "closed", "finished"
OPENED: Final = "opened"
POSTED: Final = "posted"


@dataclass(frozen=True, slots=True)
class News:
    """A news item: a round ``published`` or ``closed``, a tournament ``finished``.

    ``lines`` are the pairings, with the results once the round is closed.
    """

    kind: str
    tournament: str
    slug: str
    round: int
    at: datetime
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NewsPage:
    """The latest news, the newest first, with ``name`` and ``slug`` of the club or tournament."""

    name: str
    slug: str
    news: tuple[News, ...]


@dataclass(frozen=True, slots=True)
class Appointment:
    """A round with its time, a planned day, or the first or last day of a season.

    ``key`` never changes; of a planned one ``day`` says the rest, and ``what`` of a postponed match
    (``match``, its primary key) its names.
    ``ends`` is set where the round's clock gives it. A future round of a schedule has no number
    yet (0). For a season, ``season`` is its short name, ``tournament`` its name, and ``what`` the
    day: ``opened`` or ``closed``.
    """

    key: str
    tournament: str
    slug: str
    round: int
    begins: datetime
    ends: datetime | None
    season: str = ""
    what: str = ""
    day: DayRow | None = None
    match: int = 0

    @property
    def is_all_day(self) -> bool:
        """Whether it is a day without an hour."""
        return bool(self.season) or (self.day is not None and self.day.starts_at is None)


@dataclass(frozen=True, slots=True)
class CalendarPage:
    """The appointments of a club or tournament, in the order of time."""

    name: str
    slug: str
    appointments: tuple[Appointment, ...]


def club_news(slug: str) -> NewsPage:
    """Return the public news of a club: six queries. Refuses NOT_FOUND."""
    club = find_club(slug)
    return NewsPage(club.name, club.slug, _news(Tournament.objects.filter(club=club)))


def tournament_news(slug: str) -> NewsPage:
    """Return the public news of a tournament. Refuses NOT_FOUND."""
    tournament = find_tournament(slug, Actor.anonymous())
    return NewsPage(
        tournament.name, tournament.slug, _news(Tournament.objects.filter(pk=tournament.pk))
    )


def club_calendar(slug: str) -> CalendarPage:
    """Return rounds, days of tournaments and of seasons of a club: at most ten queries.

    Refuses NOT_FOUND.
    """
    club = find_club(slug)
    tournaments = Tournament.objects.filter(club=club)
    appointments = [*_public_appointments(tournaments), *_season_days(club)]
    appointments.sort(key=lambda appointment: (appointment.begins, appointment.key))
    return CalendarPage(club.name, club.slug, tuple(appointments))


def season_calendar(club_slug: str, slug: str) -> CalendarPage:
    """Return rounds and days of the tournaments of a season. Refuses NOT_FOUND."""
    season = find_season(club_slug, slug)
    appointments = _public_appointments(Tournament.objects.filter(seasons__season=season))
    appointments.sort(key=lambda appointment: (appointment.begins, appointment.key))
    return CalendarPage(season.name, season.slug, tuple(appointments))


def tournament_calendar(slug: str, viewer: Actor) -> CalendarPage:
    """Return the rounds of a tournament with their times, of a draft its planned days.

    Refuses NOT_FOUND to those who may not see its poster.
    """
    tournament = or_404(Tournament.objects.select_related("club").filter(slug=slug).first())
    not_found_unless(may_see_poster(viewer, tournament))
    rows = Tournament.objects.filter(pk=tournament.pk)
    if tournament.state == Tournament.State.DRAFT:
        appointments = tuple(_days_to_come(rows.filter(cancelled_at=None)))
    else:
        appointments = _appointments(rows)
    return CalendarPage(tournament.name, tournament.slug, appointments)


def _news(tournaments: QuerySet[Tournament]) -> tuple[News, ...]:
    public_tournaments = tournaments.filter(public_condition())
    rounds = Round.objects.filter(stage__tournament__in=public_tournaments).exclude(
        state=Round.State.DRAFT
    )
    rows = rounds.select_related("stage__tournament").order_by("-published_at", "-number", "-pk")
    latest = list(rows[:MAX_NEWS])
    lines = _pairing_lines(latest)
    news = [_published_news(round_, lines.get(round_.pk, ())) for round_ in latest]
    news += [
        _closed_news(round_, lines.get(round_.pk, ()))
        for round_ in latest
        if round_.closed_at is not None
    ]
    over = public_tournaments.filter(state=Tournament.State.FINISHED).values("pk")
    events = AuditEvent.objects.filter(verb="tournament.finished", tournament__in=over)
    for event in events.select_related("tournament").order_by("-at", "-pk")[:MAX_NEWS]:
        if event.tournament is not None:
            tournament = event.tournament
            news.append(News(FINISHED, tournament.name, tournament.slug, 0, event.at))
    return tuple(sorted(news, key=lambda item: item.at, reverse=True)[:MAX_NEWS])


def _published_news(row: Round, lines: Iterable[tuple[str, str]]) -> News:
    tournament = row.stage.tournament
    at = row.published_at or tournament.created_at
    names = tuple(names for names, _ in lines)
    return News(PUBLISHED, tournament.name, tournament.slug, row.number, at, names)


def _closed_news(row: Round, lines: Iterable[tuple[str, str]]) -> News:
    tournament = row.stage.tournament
    at = row.closed_at or tournament.created_at
    results = tuple(f"{names}: {score}" if score else names for names, score in lines)
    return News(CLOSED, tournament.name, tournament.slug, row.number, at, results)


def _pairing_lines(rounds: Iterable[Round]) -> Mapping[int, list[tuple[str, str]]]:
    """Return the pairings and results of rounds, by round; two queries."""
    matches = list(
        Match.objects.with_names()
        .filter(round__in=[one.pk for one in rounds], away__isnull=False)
        .order_by("table")
    )
    results = live_results(matches)
    lines: dict[int, list[tuple[str, str]]] = {}
    for match in matches:
        result = results.get(match.pk)
        row = match_row(match, result if result is not None and result.counts else None)
        lines.setdefault(match.round_id, []).append(
            (row.names, row.score.text if row.score else "")
        )
    return lines


def _public_appointments(tournaments: QuerySet[Tournament]) -> list[Appointment]:
    """Return rounds and days of the tournaments that are public or posted."""
    return [*_appointments(tournaments), *_days_to_come(posted(tournaments))]


def _appointments(tournaments: QuerySet[Tournament]) -> tuple[Appointment, ...]:
    public_tournaments = tournaments.filter(public_condition())
    rounds = Round.objects.filter(stage__tournament__in=public_tournaments, day=None).exclude(
        state=Round.State.DRAFT
    )
    rows = rounds.select_related("stage__tournament").order_by("-published_at", "-pk")
    appointments = [_appointment(row) for row in rows[:MAX_EVENTS]]
    appointments += _planned_days(public_tournaments)
    appointments += _postponed_matches(public_tournaments)
    active_tournaments = public_tournaments.filter(state=Tournament.State.RUNNING)
    for schedule in Schedule.objects.filter(tournament__in=active_tournaments).select_related(
        "tournament"
    ):
        appointments += _next_appointments(schedule)
    return tuple(
        sorted(appointments, key=lambda appointment: (appointment.begins, appointment.key))
    )


def _season_days(club: Club) -> Iterable[Appointment]:
    """Yield the days on which seasons were opened and closed; one query."""
    for season in Season.objects.filter(club=club).order_by("pk"):
        for what, at in ((OPENED, season.created_at), (CLOSED, season.closed_at)):
            if at is not None:
                key = f"season-{season.pk}-{what}"
                yield Appointment(key, season.name, club.slug, 0, at, None, season.slug, what)


def _days_to_come(rows: QuerySet[Tournament]) -> Iterable[Appointment]:
    """Yield the planned days of drafts, and the day of those without; three queries."""
    yield from _planned_days(rows)
    for row in rows.filter(begins_at__isnull=False, days=None)[:MAX_EVENTS]:
        begins = row.begins_at or row.created_at
        yield Appointment(f"tournament-{row.pk}", row.name, row.slug, 0, begins, None, what=POSTED)


def _planned_days(tournaments: QuerySet[Tournament]) -> Iterable[Appointment]:
    """Yield the days of tournaments, those planned last; two queries."""
    rows = Day.objects.filter(tournament__in=tournaments).select_related("tournament")
    days = list(rows.order_by("-pk")[:MAX_EVENTS])
    published = Round.objects.filter(day__in=days).exclude(state=Round.State.DRAFT)
    rounds = list(published.order_by("number").values_list("day", "number"))
    for day in days:
        tournament = day.tournament
        numbers = tuple(number for key, number in rounds if key == day.pk)
        row = row_of_day(day, tournament, numbers)
        begins = row.starts_at or timezone.make_aware(datetime.combine(row.due_on, time.min))
        number = row.rounds[0] if row.rounds else 0
        yield Appointment(
            f"day-{day.pk}", tournament.name, tournament.slug, number, begins, None, day=row
        )


def _postponed_matches(tournaments: QuerySet[Tournament]) -> Iterable[Appointment]:
    """Yield the matches that are played on a day of their own, those put off last; one query."""
    rows = Match.objects.with_names().filter(
        round__stage__tournament__in=tournaments, postponed_to__isnull=False
    )
    rows = rows.exclude(round__state=Round.State.DRAFT)
    for match in rows.order_by("-postponed_to", "-pk")[:MAX_EVENTS]:
        if match.postponed_to is not None:
            tournament, row = match.tournament, match_row(match, None)
            place = tournament.name, tournament.slug, row.round
            begins = match.postponed_to
            yield Appointment(
                f"match-{match.pk}", *place, begins, None, what=row.names, match=match.pk
            )


def _appointment(row: Round) -> Appointment:
    tournament, begins = row.stage.tournament, row.clock_started_at or row.published_at
    ends = None
    if row.clock_started_at is not None and row.minutes:
        ends = row.clock_started_at + timedelta(minutes=row.minutes)
    key = f"round-{row.pk}"
    return Appointment(
        key, tournament.name, tournament.slug, row.number, begins or tournament.created_at, ends
    )


def _next_appointments(schedule: Schedule) -> list[Appointment]:
    """Return the next times of an active schedule."""
    if not schedule.is_on:
        return []
    tournament = schedule.tournament
    return [
        Appointment(
            f"schedule-{tournament.pk}-{moment:%Y%m%d%H%M}",
            tournament.name,
            tournament.slug,
            0,
            moment,
            None,
        )
        for moment in schedule.timetable.next_times(timezone.now(), MAX_NEXT_TIMES)
    ]

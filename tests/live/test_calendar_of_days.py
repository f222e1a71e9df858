"""The days of play in the calendars and on paper: right instants, and the same event when moved."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from tests.clubs import SYSTEM, a_bot_liguilla, a_club, a_draft, a_swiss, the_liguilla, the_round
from tests.sheets.reading import words_of
from tournaments.director.queries.days import days_of, overdue_matches
from tournaments.director.services.days import DayPlan, change_day, plan_days
from tournaments.director.services.posting import post_tournament
from tournaments.director.services.tournaments import publish_round
from tournaments.live.queries import news
from tournaments.models import Club, Tournament
from tournaments.standings.services.seasons import add_tournament, create_season

pytestmark = pytest.mark.django_db

MADRID = ZoneInfo("Europe/Madrid")
FIFTEEN = DayPlan(
    on=(1, 3),
    at=time(20, 30),
    first=date(2026, 3, 24),
    count=15,
    pauses=[(date(2026, 4, 14), date(2026, 10, 5))],
)
"""Tuesdays and Thursdays, a pause over the summer, and both changes of the clocks."""

INSTANTS = [
    *(datetime(2026, 3, day, 19, 30, tzinfo=UTC) for day in (24, 26)),  # winter
    datetime(2026, 3, 31, 18, 30, tzinfo=UTC),  # summer, since 29 March
    *(datetime(2026, 4, day, 18, 30, tzinfo=UTC) for day in (2, 7, 9)),
    *(datetime(2026, 10, day, 18, 30, tzinfo=UTC) for day in (6, 8, 13, 15, 20, 22)),
    *(datetime(2026, 10, day, 19, 30, tzinfo=UTC) for day in (27, 29)),  # winter, since 25 October
    datetime(2026, 11, 3, 19, 30, tzinfo=UTC),
]


def events_of(path: str) -> list[Any]:
    return list(Calendar.from_ical(Client().get(path).content).walk("VEVENT"))


def a_posted_league(club: Club | None = None, name: str = "Liga") -> Tournament:
    league = a_draft(club or a_club(), name)
    plan_days(SYSTEM, league, FIFTEEN)
    return post_tournament(SYSTEM, league)


def test_fifteen_rounds_have_their_instants_on_poster_and_feed() -> None:
    league = a_posted_league()
    assert [day.starts_at for day in days_of(league)] == INSTANTS
    page = Client().get(f"/t/{league.slug}/poster/").content.decode()
    for moment in INSTANTS:
        assert f'datetime="{moment.astimezone(MADRID).isoformat()}"' in page
    assert page.count("20:30</time>") == 15
    events = events_of(reverse("club-calendar", args=[league.club.slug]))
    assert [event.decoded("DTSTART") for event in events] == INSTANTS


def test_two_days_are_moved_and_the_calendar_updates_the_same_events() -> None:
    league = a_posted_league()
    path = reverse("club-calendar", args=[league.club.slug])
    before = {str(event["UID"]): event.decoded("DTSTART") for event in events_of(path)}
    for number, day in ((3, 1), (6, 10)):
        moved = datetime(2026, 4, day, 21, 0, tzinfo=MADRID)
        change_day(SYSTEM, league.days.get(number=number), {"starts_at": moved, "place": "Bar"})
    after = events_of(path)
    assert {str(event["UID"]) for event in after} == before.keys()
    changed = [event for event in after if event.decoded("DTSTART") != before[str(event["UID"])]]
    assert [
        (event.decoded("DTSTART"), event["SEQUENCE"], event["LOCATION"]) for event in changed
    ] == [
        (datetime(2026, 4, 1, 19, 0, tzinfo=UTC), 1, "Bar"),
        (datetime(2026, 4, 10, 19, 0, tzinfo=UTC), 1, "Bar"),
    ]
    assert {event["SEQUENCE"] for event in after if event not in changed} == {0}


def test_a_full_calendar_has_the_days_that_were_planned_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    club = a_posted_league(name="Liga de ayer").club
    a_posted_league(club, "Liga de hoy")
    monkeypatch.setattr(news, "MAX_EVENTS", 15)
    events = events_of(reverse("club-calendar", args=[club.slug]))
    assert {str(event["SUMMARY"]) for event in events} == {"Liga de hoy"}


def test_a_round_is_in_the_calendar_once_on_its_day() -> None:
    league = the_liguilla(published=2)
    plan_days(SYSTEM, league, DayPlan((1,), time(20, 30), date(2026, 3, 3), 3))
    path = reverse("tournament-calendar", args=[league.slug])
    titles = [str(event["SUMMARY"]) for event in events_of(path)]
    assert titles == [f"{league.name}, ronda 1", f"{league.name}, ronda 2", league.name]


def test_a_day_without_an_hour_is_the_last_one_to_play() -> None:
    swiss = a_swiss()
    publish_round(SYSTEM, the_round(swiss, 1))
    plan_days(SYSTEM, swiss, DayPlan((6,), None, date(2026, 3, 1), 1))
    (event,) = events_of(reverse("tournament-calendar", args=[swiss.slug]))
    assert event.decoded("DTSTART") == date(2026, 3, 1)
    assert str(event["SUMMARY"]) == f"{swiss.name}, ronda 1: último día para jugar"


def test_the_days_of_a_draft_that_is_not_posted_are_in_no_calendar() -> None:
    draft = a_draft(a_club())
    plan_days(SYSTEM, draft, FIFTEEN)
    assert not events_of(reverse("club-calendar", args=[draft.club.slug]))


def test_a_poster_has_its_days_as_a_calendar_and_a_draft_for_its_club_alone() -> None:
    draft = a_draft(a_club())
    plan_days(SYSTEM, draft, FIFTEEN)
    path = reverse("tournament-calendar", args=[draft.slug])
    assert Client().get(path).status_code == 404
    post_tournament(SYSTEM, draft)
    assert path in Client().get(reverse("poster", args=[draft.slug])).content.decode()
    assert len(events_of(path)) == draft.days.count() > 0


def test_the_week_sheet_has_the_matches_by_day_with_room_for_the_score() -> None:
    league = the_liguilla(published=3)
    plan_days(SYSTEM, league, DayPlan((1, 3), time(20, 30), date(2026, 3, 24), 7))
    path = f"/t/{league.slug}/print/week.pdf"
    answer = Client().get(f"{path}?from=2026-03-24", headers={"accept-language": "en"})
    assert answer["Content-Disposition"] == f'inline; filename="{league.slug}-2026-03-24.pdf"'
    text = " ".join(words_of(answer.content))
    assert "Round 1 · Tuesday, 24 March 2026, 20:30" in text
    assert "Round 2 · Thursday, 26 March 2026, 20:30" in text
    assert "Round 3" not in text
    for match in the_round(league, 1).matches.with_names():
        assert match.home.shown_name in text
    assert Client().get(f"{path}?from=2027-01-01").status_code == 404
    as_without_a_day = Client().get(f"{path}?from=2026-13-40", headers={"accept-language": "en"})
    assert "Round 3" in " ".join(words_of(as_without_a_day.content))
    assert Client().get(f"{path}?from=9999-12-31").status_code == 404


def test_the_league_of_fifteen_rounds_is_right_on_paper_and_overdue_to_the_day() -> None:
    league = a_bot_liguilla(entries=16, published=15)
    plan_days(SYSTEM, league, FIFTEEN)
    for number, day in ((3, 1), (6, 10)):  # a Wednesday and a Friday
        moved = datetime(2026, 4, day, 21, 0, tzinfo=MADRID)
        change_day(SYSTEM, league.days.get(number=number), {"starts_at": moved})
    local = [moment.astimezone(MADRID) for moment in INSTANTS]
    local[2] = datetime(2026, 4, 1, 21, 0, tzinfo=MADRID)
    local[5] = datetime(2026, 4, 10, 21, 0, tzinfo=MADRID)
    mondays = sorted({moment.date() - timedelta(days=moment.weekday()) for moment in local})
    text = ""
    for monday in mondays:
        answer = Client().get(
            f"/t/{league.slug}/print/week.pdf?from={monday}", headers={"accept-language": "en"}
        )
        text += " ".join(words_of(answer.content))
    for number, moment in enumerate(local, 1):
        assert f"Round {number} · {moment:%A}, {moment.day} {moment:%B %Y, %H:%M}" in text
    for number, moment in enumerate(local, 1):
        midnight = datetime.combine(moment.date() + timedelta(days=1), time.min, MADRID)
        for when, last in ((midnight - timedelta(seconds=1), number - 1), (midnight, number)):
            with time_machine.travel(when, tick=False):
                overdue = overdue_matches(league)
            assert [row.match.round for row in overdue] == [
                round_ for round_ in range(1, last + 1) for _ in range(8)
            ]


def test_a_season_has_the_evenings_of_its_tournaments_as_a_calendar() -> None:
    league = a_posted_league()
    a_posted_league(league.club, "Otra liga")
    season = create_season(SYSTEM, league.club, name="Temporada")
    add_tournament(SYSTEM, season, league)
    path = reverse("season-calendar", args=[league.club.slug, season.slug])
    assert [event.decoded("DTSTART") for event in events_of(path)] == INSTANTS
    page = Client().get(reverse("season", args=[league.club.slug, season.slug]))
    assert path in page.content.decode()

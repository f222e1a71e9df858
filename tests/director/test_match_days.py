"""When a match is played: its own new day, else its round's, the tournament's, its publication."""

from datetime import UTC, date, datetime

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from tests.clubs import SYSTEM, a_swiss, play_out, the_liguilla, the_round
from tests.director.test_days import TUESDAYS, at
from tests.sheets.reading import words_of
from tournaments.director.services.days import DayPlan, plan_days
from tournaments.director.services.tournaments import publish_round
from tournaments.models import Match, Tournament
from tournaments.models.matches import TIMES, day_of, first_time
from tournaments.results.services.matches import postpone

pytestmark = pytest.mark.django_db


def days_of_matches(tournament: Tournament) -> list[date | None]:
    """Return the days of the matches, read as rows and as columns, which have to agree."""
    matches = Match.objects.filter(round__stage__tournament=tournament)
    matches = matches.order_by("round__number", "table").select_related("round__day")
    days = [match.plays_on for match in matches]
    times = [first_time(row) for row in matches.values_list(*TIMES)]
    assert [None if moment is None else day_of(moment) for moment in times] == days
    return days


def test_a_match_is_played_on_its_own_new_day_else_on_that_of_its_round() -> None:
    league = the_liguilla(published=1)
    plan_days(SYSTEM, league, TUESDAYS)
    match = the_round(league, 1).matches.get(table=2)
    postpone(SYSTEM, match, at(3, 20))
    assert days_of_matches(league)[:5] == [
        date(2026, 3, 3),
        date(2026, 3, 20),
        date(2026, 3, 3),
        date(2026, 3, 3),
        date(2026, 3, 10),
    ]


def test_a_postponed_match_without_a_new_day_has_none() -> None:
    league = the_liguilla(published=1)
    plan_days(SYSTEM, league, TUESDAYS)
    match = postpone(SYSTEM, the_round(league, 1).matches.get(table=1), None)
    assert match.plays_on is None


def test_without_a_day_the_tournament_s_counts_else_the_publication_by_the_club_s_clock() -> None:
    swiss = a_swiss()
    round_ = publish_round(SYSTEM, the_round(swiss, 1))
    round_.published_at = datetime(2026, 3, 3, 23, 30, tzinfo=UTC)  # half past midnight in Spain
    round_.save()
    assert set(days_of_matches(swiss)) == {date(2026, 3, 4)}
    Tournament.objects.filter(pk=swiss.pk).update(begins_at=at(2, 28))
    assert set(days_of_matches(swiss)) == {date(2026, 2, 28)}
    plan_days(SYSTEM, swiss, DayPlan((1,), None, date(2026, 3, 10), 3))  # to be played by a day
    assert set(days_of_matches(swiss)) == {date(2026, 3, 10)}


@pytest.mark.parametrize("closed", [False, True])
def test_the_new_day_of_a_postponed_match_is_shown_wherever_the_match_is(closed: bool) -> None:
    league = the_liguilla(published=1)
    plan_days(SYSTEM, league, TUESDAYS)
    round_ = the_round(league, 1)
    match = postpone(SYSTEM, round_.matches.get(table=2), at(3, 20, 18, 15))
    if closed:
        play_out(round_)
    client, name = Client(), match.home.players[0].name
    find = reverse("find", args=[league.slug], query={"who": name})
    of_tournament = [reverse(page, args=[league.slug]) for page in ("tournament", "rounds", "days")]
    for path in (*of_tournament, reverse("round", args=[league.slug, 1]), find):
        assert "Aplazada al 20/03/2026 18:15" in client.get(path).content.decode(), path
    days = client.get(f"/api/v1/tournaments/{league.slug}/days/").json()
    (put_off,) = days["postponed"]
    assert (put_off["match"]["table"], put_off["to"][:16]) == (2, "2026-03-20T18:15")
    for calendar, slug in (
        ("tournament-calendar", league.slug),
        ("club-calendar", league.club.slug),
    ):
        events = Calendar.from_ical(client.get(reverse(calendar, args=[slug])).content)
        found = {str(event["UID"]).partition("@")[0]: event for event in events.walk("VEVENT")}
        event = found[f"match-{match.pk}"]
        assert event.decoded("DTSTART") == at(3, 20, 18, 15)
        assert match.home.shown_name in str(event["SUMMARY"])


def test_the_week_sheet_has_a_match_on_its_new_day_before_and_after_it_is_played() -> None:
    league = the_liguilla(published=2)
    plan_days(SYSTEM, league, TUESDAYS)
    match = postpone(SYSTEM, the_round(league, 1).matches.get(table=2), at(3, 12))

    def matches_by_week(first: str) -> int:
        path = reverse("print-week", args=[league.slug], query={"from": first})
        text = " ".join(words_of(Client().get(path).content))
        assert ("12 de marzo" in text.lower()) == (first == "2026-03-09")
        return text.count(match.home.shown_name)

    before = [matches_by_week(first) for first in ("2026-03-02", "2026-03-09")]
    assert before == [0, 2]  # late, and in its second round
    play_out(the_round(league, 1))
    assert [matches_by_week(first) for first in ("2026-03-02", "2026-03-09")] == before

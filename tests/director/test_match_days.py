"""When a match is played: its own new day, else its round's, the tournament's, its publication."""

from datetime import UTC, date, datetime

import pytest

from tests.clubs import SYSTEM, a_swiss, the_liguilla, the_round
from tests.director.test_days import TUESDAYS, at
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

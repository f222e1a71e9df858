"""How long a hand takes at a club is measured from its own matches."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.clubs import the_liguilla
from tests.support.counting import count_queries
from tournaments.director.queries.desk import MIN_MATCHES, paces
from tournaments.models import Match, Result, Round

pytestmark = pytest.mark.django_db


def played(minutes_a_hand: float, matches: int = MIN_MATCHES) -> str:
    """A club that has played matches of four hands each; return its name in addresses."""
    tournament = the_liguilla()
    begun = timezone.now()
    rounds = Round.objects.filter(stage__tournament=tournament)
    rounds.update(
        state="published", published_at=begun - timedelta(hours=3), clock_started_at=begun
    )
    for match in Match.objects.filter(round__in=rounds)[:matches]:
        Result.objects.create(
            match=match,
            version=1,
            depth="score",
            home_hands=3,
            away_hands=1,
            home_points=0,
            away_points=0,
            winner="home",
            made_by="x",
            made_at=begun + timedelta(minutes=4 * minutes_a_hand),
        )
    return tournament.club.slug


def test_minutes_a_hand_are_counted_from_the_clock_of_the_round() -> None:
    slug = played(7)
    pace_rows, queries = count_queries(lambda: paces(slug))
    assert [(pace.minutes, pace.matches) for pace in pace_rows.values()] == [(7, MIN_MATCHES)]
    assert queries == 1


def test_a_few_matches_say_nothing() -> None:
    assert paces(played(7, MIN_MATCHES - 1)) == {}


def test_what_was_written_down_the_next_day_says_nothing() -> None:
    assert paces(played(400)) == {}


def test_bots_are_too_quick_to_be_measured() -> None:
    assert paces(played(0.1)) == {}

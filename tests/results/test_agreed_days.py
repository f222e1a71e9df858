"""Two sides agree another day for their match, by their codes, until the day to play it by."""

from datetime import datetime

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.clubs import SYSTEM, the_liguilla, the_round
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.director.services.days import NewDay, add_day
from tournaments.domain.timetable import DAY
from tournaments.models import AuditEvent, Match, Tournament
from tournaments.results.services.agreements import agree_day, decline_day, propose_day
from tournaments.results.services.matches import postpone

pytestmark = pytest.mark.django_db

NOON = timezone.now().replace(hour=12, minute=0, second=0, microsecond=0)


def in_days(days: int) -> datetime:
    return NOON + days * DAY


@pytest.fixture
def match() -> Match:
    """A match of a round that is to be played within a week."""
    league = the_liguilla(published=1)
    add_day(SYSTEM, league, NewDay(play_by=timezone.localdate(in_days(7))))
    return the_round(league, 1).matches.with_names().get(table=1)


def side(match: Match, index: int) -> Actor:
    return Actor.for_entry(match.sides[index][0])


def test_a_day_that_one_side_proposes_and_the_other_agrees_to_is_the_day_of_the_match(
    match: Match,
) -> None:
    home, away = side(match, 0), side(match, 1)
    propose_day(home, match, in_days(2))
    propose_day(home, match, in_days(2))
    propose_day(away, match, in_days(3))
    with refusal(Reason.OWN_PROPOSAL):
        agree_day(away, match, in_days(3))
    with refusal(Reason.PROPOSAL_CHANGED):
        agree_day(home, match, in_days(2))
    agree_day(home, match, in_days(3))
    match.refresh_from_db()
    assert (match.state, match.postponed_to) == ("postponed", in_days(3))
    assert (match.proposed_day, match.day_proposed_by) == (None, "")
    events = AuditEvent.objects.filter(subject_type="match", subject_pk=match.pk).order_by("pk")
    assert [(event.verb, event.facts.get("side")) for event in events] == [
        ("match.day_proposed", "home"),
        ("match.day_proposed", "away"),
        ("match.postponed", None),
    ]
    assert events.last().facts["agreed_by"] == "home"  # type: ignore[union-attr]


def test_a_proposal_is_declined_or_taken_back_and_an_arbiter_decides_after_all(
    match: Match,
) -> None:
    home, away = side(match, 0), side(match, 1)
    for actor in (home, away):
        propose_day(home, match, in_days(2))
        decline_day(actor, match)
        with refusal(Reason.NO_DAY_PROPOSED):
            agree_day(away, match, in_days(2))
    assert postpone(SYSTEM, match, in_days(20)).postponed_to == in_days(20)


@pytest.mark.parametrize("days", [-1, 8])
def test_no_day_is_proposed_before_today_or_after_the_last_day(match: Match, days: int) -> None:
    with refusal(Reason.BAD_DAYS):
        propose_day(side(match, 0), match, in_days(days))


def test_no_side_agrees_to_a_day_that_is_over(match: Match) -> None:
    propose_day(side(match, 0), match, in_days(1))
    with time_machine.travel(in_days(3)), refusal(Reason.BAD_DAYS):
        agree_day(side(match, 1), match, in_days(1))


def test_where_the_organiser_forbids_it_or_an_evening_is_played_no_day_is_proposed(
    match: Match,
) -> None:
    other_people = side(the_round(match.tournament, 1).matches.with_names().get(table=2), 0)
    with refusal(Reason.FORBIDDEN):
        propose_day(other_people, match, in_days(2))
    Tournament.objects.filter(pk=match.tournament.pk).update(sides_agree_days=False)
    with refusal(Reason.DAY_IS_SET):
        propose_day(side(match, 0), match, in_days(2))
    Tournament.objects.filter(pk=match.tournament.pk).update(sides_agree_days=True)
    match.tournament.days.update(starts_at=in_days(2), play_by=None)
    with refusal(Reason.DAY_IS_SET):
        propose_day(side(match, 0), match, in_days(2))


def test_both_sides_do_it_on_their_phones_by_their_codes(match: Match) -> None:
    slug = match.tournament.slug
    phones = []
    for entries in match.sides:
        phone = Client(headers={"accept-language": "en"})
        phone.post(reverse("give-code", args=[slug]), {"code": entries[0].code})
        phones.append(phone)
    home, away = phones
    form = {"to": timezone.localtime(in_days(2)).strftime("%Y-%m-%dT%H:%M")}
    home.post(reverse("propose-day", args=[match.pk]), form)
    table = reverse("own-table", args=[slug])
    assert "Take the proposal back" in home.get(table).content.decode()
    page = away.get(table).content.decode()
    assert "Agree to this day" in page
    shown = page.partition('name="to" value="')[2].partition('"')[0]
    away.post(reverse("agree-day", args=[match.pk]), {"to": shown})
    match.refresh_from_db()
    assert match.postponed_to == in_days(2)

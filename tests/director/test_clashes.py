"""A person who is entered in two tournaments of one day is named on the entries of both."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.clubs import NOBODY, organiser
from tests.support.day import a_day
from tournaments.director.queries.entries import entries_page
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.tournaments import create_tournament
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def test_who_is_entered_twice_on_a_day_is_named_to_the_club_alone(client: Client) -> None:
    here = a_day(4)
    boss = organiser(here.club)
    there = create_tournament(boss, here.club, "Copa de tarde")
    entered = here.entries.with_players().get(number=2)
    assert entered.pair is not None
    enter_newcomers(boss, there, [entered.pair])
    assert entries_page(here.slug, boss).clashes == (), "neither has a day"
    Tournament.objects.filter(pk__in=(here.pk, there.pk)).update(begins_at=timezone.now())
    named = [(clash.entry, clash.tournament) for clash in entries_page(here.slug, boss).clashes]
    assert named == [(2, "Copa de tarde")] * 2
    assert [clash.entry for clash in entries_page(there.slug, boss).clashes] == [1, 1]
    assert entries_page(here.slug, NOBODY).clashes == ()
    assert boss.user is not None
    client.force_login(boss.user)
    page = client.get(reverse("entries", args=[here.slug]), headers={"accept-language": "en"})
    assert "(entry 2): also in Copa de tarde" in page.content.decode()
    later = timezone.now() + timedelta(days=2)
    Tournament.objects.filter(pk=there.pk).update(begins_at=later)
    assert entries_page(here.slug, boss).clashes == ()

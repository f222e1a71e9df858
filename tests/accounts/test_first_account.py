"""The first account of an installation is made in a browser, by a link good once."""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tournaments.accounts.services.accounts import first_account_proof

pytestmark = pytest.mark.django_db

ACCOUNT = {"username": "olga", "chosen": "siete de espadas", "again": "siete de espadas"}


def address() -> str:
    return reverse("first-account", args=[first_account_proof()])


def test_the_link_makes_a_superuser_signs_in_and_leads_to_the_new_club() -> None:
    client, link = Client(), address()
    assert client.get(link).status_code == 200
    answer = client.post(link, ACCOUNT)
    assert answer.status_code == 302
    olga = User.objects.get()
    assert (olga.username, olga.is_superuser, olga.is_staff) == ("olga", True, True)
    club = client.post(reverse("new-club"), {"name": "Peña La Sota", "slug": "sota"})
    assert club.status_code == 302


def test_it_is_good_once_and_only_while_there_is_no_account() -> None:
    link, other = address(), address()
    assert Client().post(link, ACCOUNT).status_code == 302
    for used in (link, other):
        assert Client().get(used).status_code == 404
        assert Client().post(used, ACCOUNT | {"username": "eva"}).status_code == 404
    assert User.objects.count() == 1


def test_a_poor_password_uses_nothing_up() -> None:
    link = address()
    poor = Client().post(link, ACCOUNT | {"chosen": "1234", "again": "1234"})
    assert poor.status_code == 422
    assert not User.objects.exists()
    assert Client().post(link, ACCOUNT).status_code == 302


def test_after_a_day_or_changed_by_a_letter_it_opens_nothing() -> None:
    link = address()
    assert Client().get(link[:-2] + "x/").status_code == 404
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        assert Client().get(link).status_code == 404

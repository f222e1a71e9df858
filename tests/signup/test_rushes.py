"""Many sign-ups at once, wanted or not: the end of a waiting list, one connection, several off."""

import json

import pytest
from django.core.cache import cache
from django.test import Client

from tests.clubs import NOBODY, SYSTEM, organiser
from tests.signup.test_signing_up import a_posted, ask, pairs
from tests.signup.test_signup_pages import desk, form, text_of, token
from tests.support.caller import Caller
from tests.support.refusals import refusal
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.errors import Reason
from tournaments.core.permissions import Scope
from tournaments.models import SignUp, SignUpRequest
from tournaments.signup.queries.places import PlacesLeft, most_waiting_of
from tournaments.signup.services.links import make_link
from tournaments.signup.services.requests import Application, set_sign_up, sign_up

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_limits() -> None:
    cache.clear()


def test_as_many_may_wait_as_there_are_places_but_twenty_at_least() -> None:
    assert [
        most_waiting_of(SignUp(places=places, most_waiting=most))
        for places, most in ((4, None), (64, None), (None, None), (4, 0))
    ] == [20, 64, 500, 0]
    assert [PlacesLeft(4, taken, 20).is_full for taken in (23, 24)] == [False, True]
    assert [PlacesLeft(None, taken, 500).is_full for taken in (499, 500)] == [False, True]


def test_a_full_waiting_list_is_closed_on_the_web_and_open_to_the_organiser_and_bars() -> None:
    tournament = a_posted(places=1, most_waiting=1)
    pairs(tournament, 2)
    with refusal(Reason.WAITING_LIST_FULL):
        ask(tournament, "Eva Ruiz", "Pepe Gil")
    assert "The waiting list is full" in text_of(
        Client(headers={"accept-language": "en"}), f"/t/{tournament.slug}/sign-up/"
    )
    link, _secret = make_link(SYSTEM, tournament, "Bar Central", 2)
    assert sign_up(NOBODY, tournament, Application(("Rosa", "Juan")), link).ticket == 3
    added = sign_up(organiser(tournament.club), tournament, Application(("Eva", "Pepe")))
    assert added.ticket == 4
    set_sign_up(SYSTEM, tournament, {"most_waiting": None})
    assert ask(tournament, "Eva Ruiz", "Pepe Gil").ticket == 5


def test_tickets_of_one_connection_are_shown_and_taken_off_with_one_reason() -> None:
    tournament = a_posted(places=2)
    ask(tournament, "Eva Ruiz", "Pepe Gil")
    for number, name in enumerate(("Ana Sanz", "Blas Polo", "Celia Mora")):
        sent = form(first=name, token=token(key=f"k{number}"))
        posted = Client().post(f"/t/{tournament.slug}/sign-up/", sent)
        assert posted.status_code == 302
    client, at = desk(tournament), f"/t/{tournament.slug}/sign-ups/"
    page = text_of(client, at)
    assert "3 from one connection" in page
    assert "2, 3, 4" in page
    client.post(f"{at}off/", {"ticket": ["2", "3", "9"], "reason": "Un robot"})
    assert not SignUpRequest.objects.exclude(left_at=None).exists()
    client.post(f"{at}off/", {"ticket": ["2", "3", "4"], "reason": "Un robot"})
    off = SignUpRequest.objects.exclude(left_at=None).order_by("ticket")
    assert list(off.values_list("ticket", "left_why")) == [(n, "Un robot") for n in (2, 3, 4)]
    assert "from one connection" not in text_of(client, at)


def test_a_program_takes_several_off_or_none() -> None:
    tournament = a_posted()
    pairs(tournament, 3)
    actor = organiser(tournament.club)
    assert actor.user is not None
    scopes = [Scope.READ, Scope.MANAGE]
    _token, secret = issue_token(SYSTEM, tournament.club, actor.user, name="lista", scopes=scopes)
    caller, path = Caller(secret), f"tournaments/{tournament.slug}/sign-ups/take-off/"

    def send(*tickets: int) -> int:
        body = json.dumps({"tickets": tickets, "reason": "No vienen"})
        return caller.submit(path, body, f"off-{tickets[-1]}").status_code

    assert (send(1, 9), send(1, 2), send(1, 3)) == (404, 201, 409)
    off = SignUpRequest.objects.exclude(left_at=None)
    assert sorted(off.values_list("ticket", flat=True)) == [1, 2]

"""From the list of a sign-up to the draw: when the form opens, and what says that people wait."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.clubs import SYSTEM, a_club
from tests.signup.test_signing_up import a_posted, pairs
from tests.signup.test_signup_pages import desk, phone, text_of
from tournaments.director.services.posting import post_tournament, unpost_tournament
from tournaments.director.services.tournaments import create_tournament
from tournaments.models import SignUp, Tournament
from tournaments.signup.services.requests import set_sign_up

pytestmark = pytest.mark.django_db


def a_draft() -> Tournament:
    return create_tournament(SYSTEM, a_club(), "Torneo de feria")


def test_draw_arrivals_control_room_and_entries_say_how_many_have_signed_up() -> None:
    tournament = a_posted(places=8)
    pairs(tournament, 4)
    client = desk(tournament)
    for page in ("draw", "check-in", "control", "entries"):
        text = text_of(client, f"/t/{tournament.slug}/{page}/")
        assert "4 have signed up and are not entered." in text
        assert f"/t/{tournament.slug}/sign-ups/enter/" in text
    shown = [str(number) for number in range(1, 5)]
    client.post(f"/t/{tournament.slug}/sign-ups/enter/", {"shown": shown, "ticket": shown})
    assert "signed up and" not in text_of(client, f"/t/{tournament.slug}/draw/")


def test_a_new_form_opens_when_the_tournament_is_posted() -> None:
    tournament = a_draft()
    client, at = desk(tournament), f"/t/{tournament.slug}/sign-ups/settings/"
    page = text_of(client, at)
    assert re.search(r"<input[^>]*value=\"posted\"[^>]*checked", page)
    client.post(at, {"on_web": "posted", "places": "20", "fee_per": "entry"})
    assert SignUp.objects.get().opens_at is None
    tournament = post_tournament(SYSTEM, tournament)
    assert SignUp.objects.get().opens_at == tournament.posted_at
    assert f"/t/{tournament.slug}/sign-up/" in text_of(phone(), f"/t/{tournament.slug}/poster/")
    tournament = unpost_tournament(SYSTEM, tournament)
    tournament = post_tournament(SYSTEM, tournament)
    assert SignUp.objects.get().opens_at == tournament.posted_at
    client.post(at, {"on_web": "posted", "places": "20", "fee_per": "entry"})
    assert SignUp.objects.get().opens_at == tournament.posted_at


def test_without_a_form_the_poster_says_how_else_one_signs_up() -> None:
    tournament = post_tournament(SYSTEM, a_draft())
    closes_at = timezone.now() + timedelta(days=3)
    set_sign_up(SYSTEM, tournament, {"closes_at": closes_at})
    poster = text_of(phone(), f"/t/{tournament.slug}/poster/")
    assert "There is no form on the web: sign up with" in poster
    assert "Sign-up until" in poster


def test_an_hour_ends_the_opening_by_the_poster() -> None:
    tournament = a_draft()
    set_sign_up(SYSTEM, tournament, {"opens_when_posted": True})
    opens_at = timezone.now() + timedelta(days=3)
    signup = set_sign_up(SYSTEM, tournament, {"opens_at": opens_at})
    assert not signup.opens_when_posted
    post_tournament(SYSTEM, tournament)
    assert SignUp.objects.get().opens_at == opens_at


def test_the_hour_is_asked_for_where_the_form_opens_at_one() -> None:
    tournament = a_draft()
    client, at = desk(tournament), f"/t/{tournament.slug}/sign-ups/settings/"
    answer = client.post(at, {"on_web": "from", "fee_per": "entry"})
    assert "Say from when." in answer.content.decode()

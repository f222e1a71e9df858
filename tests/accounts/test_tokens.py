"""Tokens of programs."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.clubs import a_club, arbiter, organiser, program, stranger, user
from tests.support.refusals import refusal
from tournaments.accounts.services.invitations import issue_token, revoke_token
from tournaments.core.api.requests import authenticate_token
from tournaments.core.errors import Reason
from tournaments.models import ApiToken, AuditEvent, Club

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    """A club."""
    return a_club()


def test_the_text_of_a_token_signs_in_its_user_in_its_club(club: Club) -> None:
    boss = organiser(club)
    token, text = issue_token(
        boss, club, user("olga"), name="tablet", scopes=["games:submit", "games:submit"]
    )
    assert re.fullmatch(r"baza_[0-9a-f]{16}_[\w-]{43}", text)
    actor = authenticate_token(text)
    assert actor.token == token
    assert actor.user == user("olga")
    assert actor.label == "olga (tablet)"
    assert token.scopes == ["games:submit"]


def test_the_secret_is_kept_nowhere(club: Club) -> None:
    token, text = issue_token(organiser(club), club, user("olga"), name="tablet", scopes=[])
    secret = text.split("_", 2)[2]
    assert secret not in str(ApiToken.objects.filter(pk=token.pk).values())
    assert secret not in str(list(AuditEvent.objects.values()))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda _: "",
        lambda text: text[:-1],
        lambda text: text[:-1] + ("A" if text[-1] != "A" else "B"),
        lambda text: text.replace("baza_", "tute_"),
        lambda text: text + "x" * 500,
        lambda text: "baza_" + "0" * 16 + "_" + text.split("_", 2)[2],
        lambda _: "\x00",
        lambda text: text[:10] + "\x00" + text[11:],
    ],
)
def test_anything_else_is_refused(club: Club, spoil: object) -> None:
    assert callable(spoil)
    _, text = issue_token(organiser(club), club, user("olga"), name="tablet", scopes=[])
    with refusal(Reason.BAD_TOKEN):
        authenticate_token(spoil(text))


def test_a_token_taken_back_is_worth_nothing(club: Club) -> None:
    boss = organiser(club)
    token, text = issue_token(boss, club, user("olga"), name="tablet", scopes=[])
    revoke_token(boss, token)
    events = AuditEvent.objects.count()
    revoke_token(boss, token)
    assert AuditEvent.objects.count() == events
    with refusal(Reason.BAD_TOKEN):
        authenticate_token(text)


def test_the_token_of_a_user_put_out_is_worth_nothing(club: Club) -> None:
    _, text = issue_token(organiser(club), club, user("olga"), name="tablet", scopes=[])
    olga = user("olga")
    olga.is_active = False
    olga.save()
    with refusal(Reason.BAD_TOKEN):
        authenticate_token(text)


def test_its_use_is_noted_to_the_minute(club: Club) -> None:
    token, text = issue_token(organiser(club), club, user("olga"), name="tablet", scopes=[])
    authenticate_token(text)
    token.refresh_from_db()
    first = token.last_used_at
    assert first is not None
    authenticate_token(text)
    token.refresh_from_db()
    assert token.last_used_at == first
    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(minutes=2))
    authenticate_token(text)
    token.refresh_from_db()
    assert token.last_used_at > first


def test_organisers_in_person_give_out_tokens(club: Club) -> None:
    with refusal(Reason.UNKNOWN_SCOPE):
        issue_token(organiser(club), club, user("olga"), name="x", scopes=["everything"])
    token, _ = issue_token(organiser(club), club, user("olga"), name="x", scopes=[])
    for actor in (arbiter(club), stranger(), program(club, "tournaments:manage")):
        with refusal(Reason.FORBIDDEN):
            issue_token(actor, club, user("olga"), name="x", scopes=[])
        with refusal(Reason.FORBIDDEN):
            revoke_token(actor, token)

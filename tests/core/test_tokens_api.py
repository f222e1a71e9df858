"""Who may do what with which token (input 39)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client

from tests.support.caller import Caller, problem
from tests.support.scenes import Scene, record_between, records_of, user_named
from tournaments.accounts.services.invitations import issue_token, revoke_token
from tournaments.core.permissions import Actor
from tournaments.models import ApiToken, Match, Membership
from tournaments.people.services import clubs

if TYPE_CHECKING:
    from tests.conftest import Issue


@pytest.fixture
def match(scene: Scene) -> Match:
    return scene.matches()[1]


@pytest.fixture
def path(match: Match) -> str:
    return f"matches/{match.pk}/records/"


@pytest.fixture
def text(match: Match) -> str:
    return record_between(match, records_of("records"))


def test_without_a_token_nothing_is_submitted(anonymous: Caller, path: str, text: str) -> None:
    response = anonymous.submit(path, text)
    problem(response, 401, "sign_in")
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="baza"'


@pytest.mark.parametrize(
    "token",
    [
        "baza_0123456789abcdef_nonsense",
        "nonsense",
        "baza__",
        "x" * 5000,
        "baza_ñ_ñ",
        "baza_\x00_\x00",
    ],
)
def test_a_token_that_is_none_is_refused(scene: Scene, path: str, text: str, token: str) -> None:
    for response in (Caller(token).submit(path, text), Caller(token).get("clubs/")):
        problem(response, 401, "bad_token")
        assert 'error="invalid_token"' in response.headers["WWW-Authenticate"]


def test_another_way_of_signing_in_is_refused(scene: Scene) -> None:
    response = Caller().get("clubs/", Authorization="Basic b3JnYW5pc2VyOng=")
    problem(response, 401, "bad_token")


def test_a_token_taken_back_is_worth_nothing(scene: Scene, path: str, text: str) -> None:
    row, token = issue_token(
        Actor.system(),
        scene.club,
        scene.users["organiser"],
        name="lost",
        scopes=[ApiToken.Scope.SUBMIT],
    )
    revoke_token(Actor.system(), row)
    problem(Caller(token).submit(path, text), 401, "bad_token")


def test_the_token_of_a_person_sent_away_is_worth_nothing(
    scene: Scene, organiser: Caller, path: str, text: str
) -> None:
    scene.users["organiser"].is_active = False
    scene.users["organiser"].save()
    problem(organiser.submit(path, text), 401, "bad_token")


def test_a_token_without_the_scope_may_not_submit(issue: Issue, path: str, text: str) -> None:
    problem(issue(scopes=(ApiToken.Scope.READ,)).submit(path, text), 403, "forbidden")


def test_a_token_of_another_club_may_not_submit(scene: Scene, path: str, text: str) -> None:
    problem(stranger(scene).submit(path, text), 403, "forbidden")


def test_what_is_not_public_is_not_there_for_another_club(scene: Scene, organiser: Caller) -> None:
    hidden = scene.matches(2)[0]  # of a round that is not published
    assert organiser.get(f"matches/{hidden.pk}/").status_code == 200
    for caller in (Caller(), stranger(scene)):
        problem(caller.get(f"matches/{hidden.pk}/"), 404, "not_found")
        problem(caller.get(f"tournaments/{scene.tournament.slug}/rounds/2/"), 404, "not_found")


def test_a_draft_is_not_there_for_a_token_that_may_not_read(scene: Scene, issue: Issue) -> None:
    hidden = scene.matches(2)[0]
    caller = issue(scopes=(ApiToken.Scope.SUBMIT,))
    problem(caller.get(f"matches/{hidden.pk}/"), 404, "not_found")


def stranger(scene: Scene) -> Caller:
    """The organiser of another club, with all scopes there."""
    system = Actor.system()
    club = clubs.create_club(system, name="Casino de Huesca")
    user = user_named("stranger")
    clubs.add_member(system, club, user, Membership.Role.ORGANISER)
    _row, token = issue_token(system, club, user, name="his", scopes=tuple(ApiToken.Scope.values))
    return Caller(token)


def test_a_browser_that_is_signed_in_is_nobody_here(scene: Scene, path: str, text: str) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(scene.users["organiser"], "django.contrib.auth.backends.ModelBackend")
    response = browser.post(
        f"/api/v1/{path}", text, "application/json", headers={"Idempotency-Key": "x"}
    )
    assert response.status_code == 401


def test_an_answer_sets_no_cookie_and_is_not_shared(organiser: Caller, path: str) -> None:
    response = organiser.get("clubs/")
    assert "Set-Cookie" not in response.headers
    assert "private" in response.headers["Cache-Control"]
    assert {"Authorization", "Accept-Language"} <= {
        name.strip() for name in response.headers["Vary"].split(",")
    }

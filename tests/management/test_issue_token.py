"""`manage.py issue_token`, as docs/programs/api.md describes it."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.support.scenes import Scene, draft
from tournaments.core.api.requests import authenticate_token


@pytest.fixture
def scene(db: None) -> Scene:
    return draft()


def issued(*arguments: str) -> str:
    printed = StringIO()
    call_command("issue_token", *arguments, stdout=printed)
    return printed.getvalue().strip()


def test_a_token_is_printed_that_works(scene: Scene) -> None:
    actor = authenticate_token(issued(scene.club.slug, "organiser", "--name", "the desk"))
    assert actor.user == scene.users["organiser"]
    assert actor.token
    assert (actor.token.club, actor.token.name) == (scene.club, "the desk")
    assert set(actor.token.scopes) == {"games:submit", "games:read"}


def test_a_token_has_the_scopes_asked_for_alone(scene: Scene) -> None:
    text = issued(scene.club.slug, "arbiter", "--name", "audit", "--scope", "audit:read")
    token = authenticate_token(text).token
    assert token
    assert token.scopes == ["audit:read"]


@pytest.mark.parametrize(
    ("club", "user", "text"), [("nowhere", "organiser", "not_found"), (None, "nobody", "nobody")]
)
def test_one_who_is_not_there_gets_none(
    scene: Scene, club: str | None, user: str, text: str
) -> None:
    with pytest.raises(CommandError, match=text):
        issued(club or scene.club.slug, user, "--name", "x")

"""Fixtures of the API's tests: one tournament in its first round, and those who may call."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from django.core.cache import cache

from tests.api.caller import Caller
from tests.web.scenes import PAIRS, PLAYERS, Scene, draft, running
from tournaments.models import ApiToken
from tournaments.permissions import Actor
from tournaments.services.draws import draw
from tournaments.services.tokens import issue_token
from tournaments.services.tournaments import publish_round

ALL_SCOPES = tuple(ApiToken.Scope.values)
Issue = Callable[..., Caller]


@pytest.fixture(scope="session", autouse=True)
def uncollected_files() -> None:
    """Let the server of a browser's tests give out the files of the source tree."""
    settings.WHITENOISE_USE_FINDERS = True


@pytest.fixture(autouse=True)
def fresh_quotas() -> Iterator[None]:
    """Count requests from nothing in every test."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def scene(db: None) -> Scene:
    """A tournament of four pairs: round 1 published, its first table played."""
    return running()


@pytest.fixture
def issue(scene: Scene) -> Issue:
    """Give a function that makes a token for one of the club's people, and a caller with it."""

    def make(name: str = "organiser", scopes: tuple[str, ...] = ALL_SCOPES) -> Caller:
        _row, text = issue_token(
            Actor.system(), scene.club, scene.users[name], name=f"{name}'s", scopes=scopes
        )
        return Caller(text)

    return make


@pytest.fixture
def anonymous(scene: Scene) -> Caller:
    """A caller without a token."""
    return Caller()


@pytest.fixture
def organiser(issue: Issue) -> Caller:
    """A caller with the organiser's token and all scopes."""
    return issue()


@pytest.fixture
def club_night(db: None) -> Scene:
    """The eight pairs of the sample, all seven rounds published, nothing played."""
    scene = draft(PAIRS, PLAYERS)
    scene.tournament = draw(scene.organiser, scene.tournament)
    for round_ in scene.rounds:
        publish_round(scene.organiser, round_)
    return scene


@pytest.fixture
def desk(club_night: Scene) -> Caller:
    """The table where the records are handed in."""
    _row, token = issue_token(
        Actor.system(),
        club_night.club,
        club_night.users["organiser"],
        name="desk",
        scopes=["games:submit", "games:read"],
    )
    return Caller(token)

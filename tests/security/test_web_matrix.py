"""The pages' matrix for everybody else, and for a private tournament.

The rows are those of `tests.web.test_doors`, which fails when an address has none. A role
without a column of its own is answered like one of them (`crowd.LIKE`), unless a row here says so.
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any, Final

import pytest
from django.db import connection, transaction

from tests.quick import long
from tests.security.crowd import LIKE, SECRET, crowded, private, visitor
from tests.support import scenes
from tests.web.test_doors import (
    MATRIX,
    NAMES,
    POSTED,
    ROLES,
    TO_BE_PLAYED,
    address_of,
    void,
)
from tournaments.core.views import parent_page
from tournaments.results.services.matches import dispute_result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpResponse

pytestmark = pytest.mark.django_db

OF_A_TOURNAMENT: Final = ("/t/", "/embed/", "/matches/", "/records/")
"""How the addresses of what belongs to one tournament begin."""

STRANGERS: Final = ("", "neighbour")
PEOPLE: Final = ("player", "code", "organiser")

BESIDE: Final[dict[str, dict[str, dict[str, int]]]] = {
    "get": {
        "new-password": {"root": 302},  # its owner has not signed in
        "new-club": {"staff": 200, "root": 200},
        "connect-bot": {"root": 403},  # of another author
        "come": {"code": 302},  # to the table
        "own-plays": {"code": 200},
        "propose-day": {"code": 409},  # no last day to play
        **{name: {"code": 200} for name in ("submit-record", "recorder", "dispute")},
        **{name: {"code": 200} for name in ("report", "report-hands")},
    },
    "post": {
        "confirm-address": {"neighbour": 302, "staff": 302, "root": 302},  # nobody has used it up
        "new-password": {"root": 302},
        "connect-bot": {"root": 403},
        "invitation": {"root": 302},  # nobody has used it up
        "arena-switch": {"staff": 302, "root": 302},
        **{name: {"code": 422} for name in ("recorder-send",)},
        **{name: {"code": 409} for name in ("agree-day", "decline-day")},  # none is proposed
    },
}
"""Where those beside the matrix are answered otherwise than whom they are like."""

KEPT_PRIVATE: Final = frozenset(
    {
        "tournament-feed",
        "embed-standings",
        "embed-hand",
        "share-card",
        "poster-card",
        "round-card",
        "bracket-card",
        "match-card",
        "hand-card",
    }
)
"""What is for the whole world or not at all: of a private tournament, not even for its people."""

NAMELESS: Final = {
    **dict.fromkeys(("come", "own-table", "own-table-worker", "recorder-worker"), 200),
    "own-request": 302,
}
NAMELESS_POSTS: Final = {
    "give-code": 422,  # a code that is none
    **dict.fromkeys(("come-act", "forget-code", "own-request-act"), 302),
}
"""What a stranger is shown of a private tournament: the question for a code, and a script."""


@contextmanager
def undone() -> Iterator[None]:
    """Take back what is done within."""
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)


@contextmanager
def prepared(name: str, scene: scenes.Scene) -> Iterator[str]:
    """Give the address of a page, with what it is about; all is taken back afterwards."""
    with undone():
        if name == "rule-dispute":
            dispute_result(scene.organiser, scene.matches()[0], "Faltó una baza.")
        if name in TO_BE_PLAYED:
            void(scene)
        yield address_of(name, scene)
    scene.tournament.refresh_from_db()


def answer_to(scene: scenes.Scene, role: str, method: str, path: str) -> Any:
    """Return the answer to a role; changes are rolled back."""
    with undone():
        return getattr(visitor(scene, role), method)(path)


def expected(table: dict[str, tuple[int, ...]], method: str, name: str, role: str) -> int:
    """Return what the matrix says for a role."""
    column = ROLES.index(LIKE.get(role, role))
    return BESIDE[method].get(name, {}).get(role, table[name][column])


def text_of(response: HttpResponse) -> bytes:
    """Return the whole of an answer."""
    return b"".join(response) if response.streaming else response.content


@pytest.mark.slow
@pytest.mark.parametrize(("method", "table"), [("get", MATRIX), ("post", POSTED)])
def test_those_beside_the_matrix_are_answered_like_one_of_it(
    method: str, table: dict[str, tuple[int, ...]]
) -> None:
    scene, wrong = crowded(scenes.running()), {}
    for name in table:
        with prepared(name, scene) as path:
            for role in LIKE:
                got = answer_to(scene, role, method, path).status_code
                if got != expected(table, method, name, role):
                    wrong[name, role] = got
    assert wrong == {}


@pytest.mark.slow
@pytest.mark.database
def test_the_organiser_is_answered_on_every_page_by_either_database() -> None:
    """On SQLite some of the pages are enough: `tests.web.test_doors` asks each of them there."""
    scene, wrong = crowded(scenes.running()), {}
    for name in list(MATRIX)[:: 1 if connection.vendor == "postgresql" else 10]:
        with prepared(name, scene) as path:
            got = answer_to(scene, "organiser", "get", path).status_code
            if got not in MATRIX[name]:  # the first of the roles to look is not always its column
                wrong[name] = got
    assert wrong == {}


@pytest.mark.slow
def test_a_private_tournament_is_not_there_for_strangers() -> None:
    scene, wrong = crowded(scenes.running()), {}
    for name in NAMES:
        with prepared(name, scene) as path:
            private(scene)
            for role in STRANGERS:
                answer = answer_to(scene, role, "get", path)
                is_of_tournament = path.startswith(OF_A_TOURNAMENT)
                if answer.status_code == 302 and answer.url == parent_page(path):
                    continue  # takes forms alone, whether there is such a tournament or not
                if is_of_tournament and answer.status_code not in {404, NAMELESS.get(name)}:
                    wrong[name, role] = answer.status_code
                if SECRET.encode() in text_of(answer):
                    wrong[name, role] = "names it"
                if scene.tournament.slug not in path and _slug(scene) in text_of(answer):
                    wrong[name, role] = "leads to it"
    assert wrong == {}


@pytest.mark.slow
def test_strangers_change_nothing_in_a_private_tournament() -> None:
    scene, wrong = crowded(scenes.running()), {}
    for name in POSTED:
        with prepared(name, scene) as path:
            if not path.startswith(OF_A_TOURNAMENT):
                continue
            private(scene)
            for role in STRANGERS:
                got = answer_to(scene, role, "post", path).status_code
                if got != NAMELESS_POSTS.get(name, 404):
                    wrong[name, role] = got
    assert wrong == {}


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, *long([len(PEOPLE)])])
def test_its_own_people_see_a_private_tournament_as_if_it_were_public(count: int) -> None:
    """Each page is asked by one of them in turn: one function says who sees a tournament."""
    scene, wrong = crowded(scenes.running()), {}
    turns = cycle(PEOPLE)
    for name in NAMES:
        with prepared(name, scene) as path:
            if not path.startswith(OF_A_TOURNAMENT):
                continue
            private(scene)
            for role in islice(turns, count):
                got = answer_to(scene, role, "get", path).status_code
                status = 404 if name in KEPT_PRIVATE else expected(MATRIX, "get", name, role)
                if got != status:
                    wrong[name, role] = got
    assert wrong == {}


def test_who_sees_it_is_shown_it_on_the_front_page_and_its_club_s() -> None:
    scene = private(crowded(scenes.running()))
    for path in ("/", f"/clubs/{scene.club.slug}/"):
        roles = {role for role in (*STRANGERS, *PEOPLE) if _names(scene, role, path)}
        assert roles == set(PEOPLE)


def _names(scene: scenes.Scene, role: str, path: str) -> bool:
    return SECRET in visitor(scene, role).get(path).content.decode()


def _slug(scene: scenes.Scene) -> bytes:
    return scene.tournament.slug.encode()

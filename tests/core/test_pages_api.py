"""Long lists, cut by key."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.support.caller import Caller, problem
from tournaments.core.permissions import Actor
from tournaments.people.services import clubs as clubs_services

if TYPE_CHECKING:
    from tests.support.scenes import Scene


@pytest.fixture
def clubs(db: None) -> list[str]:
    system = Actor.system()
    return sorted(clubs_services.create_club(system, name=f"Club {n:02}").slug for n in range(7))


def test_a_list_is_read_to_its_end_by_its_links(clubs: list[str]) -> None:
    slugs: list[str] = []
    path: str | None = "clubs/?page_size=3"
    sizes = []
    while path:
        response = Caller().get(path)
        page = json.loads(response.content)
        sizes.append(len(page["results"]))
        slugs += [club["slug"] for club in page["results"]]
        path = page["next"]
        link = response.headers.get("Link")
        assert link == (f'<{path}>; rel="next"' if path else None)
    assert (slugs, sizes) == (clubs, [3, 3, 1])


def test_a_page_stays_right_while_rows_are_added(clubs: list[str]) -> None:
    first = Caller().read("clubs/?page_size=3")
    clubs_services.create_club(Actor.system(), name="Antes de todos", slug="a-first")
    clubs_services.create_club(Actor.system(), name="El último", slug="z-last")
    second = Caller().read(first["next"])
    assert [club["slug"] for club in second["results"]] == clubs[3:6]
    third = Caller().read(second["next"])
    assert [club["slug"] for club in third["results"]] == [*clubs[6:], "z-last"]


def test_input_44_a_cursor_of_another_list_is_refused(clubs: list[str]) -> None:
    cursor = Caller().read("clubs/?page_size=1")["next"].partition("?")[2]
    problem(Caller().get(f"tournaments/?{cursor}"), 400, "bad_parameter")


def test_the_history_is_read_page_by_page(scene: Scene, organiser: Caller) -> None:
    path = f"tournaments/{scene.tournament.slug}/history/"
    whole = organiser.read(path)
    assert whole["next"] is None
    page = organiser.read(f"{path}?page_size=2")
    more = page["next"].replace("page_size=2", "page_size=200")
    rest = organiser.read(more)
    numbers = [event["sequence"] for event in (*page["results"], *rest["results"])]
    assert numbers == [event["sequence"] for event in whole["results"]] == sorted(numbers)

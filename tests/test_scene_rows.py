"""Scenes whose rows are stored, and the cases that are quick."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from tests import quick
from tests.clubs import a_club, the_liguilla
from tests.support import scenes
from tests.support.scene_rows import all_rows, reuse_rows, scene_cache
from tournaments.models import Club

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("make", [scenes.running, scenes.club_night, the_liguilla])
def test_a_kept_scene_has_as_many_rows_as_its_function_makes(make: Callable[..., Any]) -> None:
    with transaction.atomic():
        inserted_scene = make()
        inserted = {table: len(rows) for table, rows in all_rows().items()}
        transaction.set_rollback(True)
    made_scene = make.__wrapped__()  # type: ignore[attr-defined]
    assert {table: len(rows) for table, rows in all_rows().items()} == inserted
    assert type(inserted_scene) is type(made_scene)


def test_a_kept_scene_is_made_for_each_call_that_is_named() -> None:
    assert "tests.clubs.the_liguilla({'club': None, 'published': 1})" in scene_cache
    assert the_liguilla(published=1).stages.get().rounds.exclude(state="draft").count() == 1


@reuse_rows()
def a_lone_club() -> Club:
    return a_club()


def test_the_scenes_of_a_module_of_tests_are_kept_as_well() -> None:
    assert "tests.test_scene_rows.a_lone_club({})" in scene_cache
    assert a_lone_club() == Club.objects.get()


def test_in_a_test_that_has_made_a_user_the_function_is_called() -> None:
    User.objects.create_user(username="olga")
    assert scenes.running().matches()[0].pk


def test_of_many_cases_three_are_quick_with_the_first_and_the_last() -> None:
    marked: list[int] = []
    items: list[Any] = [
        SimpleNamespace(
            nodeid=f"tests/x.py::test_x[{number}]",
            callspec=SimpleNamespace(indices={"number": number}),
            get_closest_marker=lambda _name: None,
            add_marker=lambda _mark, number=number: marked.append(number),
        )
        for number in range(20)
    ]
    quick.mark_cases(items[::-1])
    assert sorted(set(range(20)) - set(marked)) == [0, 10, 19]

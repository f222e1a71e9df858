"""The recipes of CONTRIBUTING.md, applied to a copy of the repository, do what they say."""

from pathlib import Path

import pytest

from tests.docs.recipes import copy_repository, follow_recipe, recipes_of

RECIPES = recipes_of("CONTRIBUTING.md")


def test_there_are_three_recipes() -> None:
    assert list(RECIPES) == [
        *("Add a ruleset", "Add a tie-break", "Add a column to the standings"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_does_what_it_says(name: str, tmp_path: Path) -> None:
    follow_recipe(RECIPES[name], copy_repository(tmp_path / "baza"))

"""The guide to a new feature quotes the code as it is, and its recipes cost what they should."""

import re
from pathlib import Path

import pytest

from tests.docs.recipes import BLOCK, copy_repository, follow_recipe, recipes_of
from tournaments.environment import ROOT

GUIDE = "docs/contributors/new-feature.md"
RECIPES = recipes_of(GUIDE)
TEXT = (ROOT / GUIDE).read_text(encoding="utf-8")
SOURCE_FILES = {
    "Add a field of the API's match": 2,
    "Add a setting of an entry": 9,
    "Add a private column of an entry": 5,
    "Add a verb of an entry": 8,
    "Add a setting of a tournament": 7,
}
"""Files of the program that a recipe changes: without catalogues, migrations, tests, documents."""

SOURCE = re.compile(
    r"^\+\+\+ b/((?:tournaments|templates|engine)/\S+\.(?:py|html|js))$", re.MULTILINE
)
PASSAGE = re.compile(
    r"^`([\w/.]+)`:\n((?:```(?:python|html)\n.*?^```\n)+)", re.MULTILINE | re.DOTALL
)
CODE = re.compile(r"^```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_what_it_quotes_is_the_code() -> None:
    passages = [
        (path, code) for path, blocks in PASSAGE.findall(TEXT) for code in CODE.findall(blocks)
    ]
    assert len(passages) == TEXT.count("```python") + TEXT.count("```html") > 10
    for path, code in passages:
        assert code in (ROOT / path).read_text(encoding="utf-8"), path


def test_every_registry_is_there_and_names_its_command() -> None:
    section = TEXT.partition("## The registries")[2].partition("\n## ")[0]
    rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 15
    for _, places, commands in rows:
        for place in re.findall(r"`([\w.-]+/[\w/.-]*)`", places):
            assert (ROOT / place).exists(), place
        assert "./baza" in commands
        for test in re.findall(r"tests/[\w/.]+", commands):
            assert (ROOT / test).exists(), test


@pytest.mark.parametrize(("name", "price"), SOURCE_FILES.items())
def test_a_change_costs_so_many_files(name: str, price: int) -> None:
    (diff,) = (text for kind, text in BLOCK.findall(RECIPES[name]) if kind == "diff")
    assert len(SOURCE.findall(diff)) == price


@pytest.mark.slow
@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_does_what_it_says(name: str, tmp_path: Path) -> None:
    follow_recipe(RECIPES[name], copy_repository(tmp_path / "baza"))

"""The recipes of CONTRIBUTING.md, applied to a copy of the repository, do what they say."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.docs.test_examples import matches
from tournaments.environment import ROOT

if TYPE_CHECKING:
    from pathlib import Path

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"^### (.+?)\n(.+?)(?=^##|\Z)", TEXT, re.MULTILINE | re.DOTALL))
BLOCK = re.compile(r"^```(diff|sh|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_COPIED = shutil.ignore_patterns(
    *(".git", ".venv", "var", "images", "test-results", "__pycache__", ".*_cache", ".hypothesis")
)
RUNNER = """#!/bin/sh
command=$1
case $command in
    test) shift; exec .venv/bin/python -m pytest -q "$@" ;;
    fix) exec .venv/bin/python .ci/check.py fix ;;
    *) exec .venv/bin/baza "$@" ;;
esac
"""
"""What `./baza` does once `.venv` is there: the copy borrows that of the repository."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    place = tmp_path / "baza"
    shutil.copytree(ROOT, place, ignore=NOT_COPIED)
    (place / ".venv").symlink_to(sys.prefix)
    (place / "baza").write_text(RUNNER, encoding="utf-8")
    return place


def run(command: str, place: Path) -> str:
    """Run a command in the copy and return its output; fail if the command does."""
    foreign = ("PYTEST_", "DATABASE_URL", "REDIS_URL", "BAZA_")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(foreign)}
    process = subprocess.run(
        ["sh", "-e", "-c", command],
        cwd=place,
        env={**environment, "PYTHONPATH": str(place)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=300,
    )
    assert process.returncode == 0, f"$ {command}\n{process.stdout}"
    return process.stdout


def test_there_are_three_recipes() -> None:
    assert list(RECIPES) == [
        *("Add a ruleset", "Add a tie-break", "Add a column to the standings"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_does_what_it_says(name: str, copy: Path) -> None:
    kinds = set()
    for kind, text in BLOCK.findall(RECIPES[name]):
        kinds.add(kind)
        if kind == "diff":
            (copy / "recipe.diff").write_text(text, encoding="utf-8")
            run("git apply recipe.diff && rm recipe.diff", copy)
        elif kind == "sh":
            run(text, copy)
        else:
            for step in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, output = step.partition("\n")
                printed = run(command, copy)
                assert matches(output, printed), f"$ {command}\n{printed}"
    assert kinds >= {"diff", "sh"}

"""Recipes of a document: diffs and commands, applied to a copy of the repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.docs.test_examples import matches
from tournaments.environment import ROOT

if TYPE_CHECKING:
    from pathlib import Path

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


def recipes_of(document: str) -> dict[str, str]:
    """Return the recipes of a document by their headings."""
    text = (ROOT / document).read_text(encoding="utf-8")
    text = text.partition("\n## Recipes\n")[2]
    return dict(re.findall(r"^### (.+?)\n(.+?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL))


def copy_repository(place: Path) -> Path:
    """Copy the repository to a folder, which borrows its environment."""
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


def follow_recipe(recipe: str, copy: Path) -> None:
    """Apply the diffs of a recipe, run its commands, and compare what they print."""
    kinds = set()
    for kind, text in BLOCK.findall(recipe):
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

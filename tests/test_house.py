"""What the house promises about itself and import contracts cannot say."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tournaments.environment import ROOT


def imported(path: Path) -> Iterator[str]:
    """Name the packages a file imports, wherever in the file it does."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module).partition(".")[0]


def test_the_card_game_needs_the_standard_library_alone() -> None:
    allowed = sys.stdlib_module_names | {"engine"}
    strangers = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in (ROOT / "engine").rglob("*.py")
        for name in imported(path)
        if name not in allowed
        # Only what is compiled needs a compiler, and the game does without it.
        and not (path.is_relative_to(ROOT / "engine" / "fast") and name in {"numba", "numpy"})
        and not (
            path.parent == ROOT / "engine" / "solver" and name in {"llvmlite", "numba", "numpy"}
        )
        and not (path.parent == ROOT / "engine" / "bots" / "strong" and name == "numpy")
    }
    assert strangers == set()


def test_the_card_game_is_there_without_what_the_kernel_needs() -> None:
    probe = (
        "import sys; sys.modules.update(numba=None, numpy=None); import engine;"
        " print(engine.audit('{}').faults[0].code)"
    )
    command = [sys.executable, "-c", probe]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert process.stdout == "record.format\n"


def test_nothing_is_called_utils() -> None:
    vague = {"utils", "helpers", "misc", "common", "manager"}
    texts = [
        str(path.relative_to(ROOT))
        for top in ("engine", "tournaments", "tests", "benchmarks")
        for path in (ROOT / top).rglob("*")
        if path.stem in vague
    ]
    assert texts == []


@pytest.mark.slow
def test_what_waits_for_work_has_loaded_no_arrays_and_no_fonts() -> None:
    """Pages, tasks and the scheduler are imported by eight processes of a small machine."""
    probe = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "tournaments.settings"
os.environ["CELERY_SKIP_CHECKS"] = "1"
import django
from django.urls import get_resolver
django.setup()
from tournaments.celery import app
app.loader.import_default_modules()
assert get_resolver().url_patterns and len(app.tasks) > 10
print(*sorted({"numpy", "numba", "llvmlite", "PIL", "fontTools", "fpdf"} & set(sys.modules)))
"""
    answer = subprocess.run(
        [sys.executable, "-c", probe], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert answer.stdout.split() == []

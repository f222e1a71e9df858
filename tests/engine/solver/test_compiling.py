"""What is compiled stays within its arrays, is kept, and is loaded only on demand."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from engine.fast.compiling import cache_folder
from tournaments.environment import ROOT

if TYPE_CHECKING:
    from pathlib import Path


SOLVE = """
from random import Random
from engine.solver import search
from engine.solver.fast import FastSearch
from engine.solver.moments import moment_of
from tests.engine.solver.minimax import TWO_SIDED, position
rng = Random(5)
for ruleset in TWO_SIDED:
    for size in (1, 2, 4, 6):
        moment = moment_of(position(rng, ruleset, size, on_table=size % 2))
        search_of_it = FastSearch(moment)
        value = search_of_it.value(moment)
        values = search_of_it.values(moment)
        assert value == (min if moment.turn & 1 else max)(values.values())
        search_of_it.values_in(moment, [moment.hands] * 2)
moment = moment_of(position(rng, "cuatro", 8))
for _ in range(3):
    FastSearch(moment).value(moment)
compiled = (search.new_deal, search.search_value, search.solve_worlds)
print([len(f.stats.cache_misses) for f in compiled])
"""


def run(code: str, **environment: str) -> str:
    answer = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


@pytest.mark.slow
def test_the_search_never_reaches_beyond_its_arrays_and_is_compiled_once(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    checked = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(folder)}
    assert run(SOLVE, **checked) == "[1, 1, 1]\n"
    assert run(SOLVE, **checked) == "[0, 0, 0]\n"
    assert {path.suffix for path in folder.rglob("search.*")} == {".nbi", ".nbc"}


def test_the_game_starts_and_is_played_without_the_compiler() -> None:
    probe = (
        "import sys, engine, tournaments.cli; from engine.cli import main; main(['rulesets']);"
        " print({'numba', 'llvmlite', 'engine.solver'} & set(sys.modules))"
    )
    assert run(probe).endswith("set()\n")


def test_compiled_code_is_kept_in_a_folder_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = cache_folder()
    assert folder is not None
    assert folder.parent == tmp_path / "baza"
    assert not folder.stat().st_mode & 0o077


def test_a_folder_that_others_may_write_into_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(shared))
    assert cache_folder() is None


def test_where_no_folder_can_be_made_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "folder"))
    assert cache_folder() is None

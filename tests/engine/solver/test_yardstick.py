"""The C program of the benchmark looks at the same positions as the solver, one for one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from benchmarks import solver, yardstick

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("size", solver.SIZES, ids=lambda size: f"{size.ruleset}-{size.cards}")
def test_the_c_program_finds_the_same_values_in_as_many_positions(
    tmp_path: Path, size: solver.Size
) -> None:
    compiler = yardstick.compiler()
    if compiler is None:
        pytest.skip("no C compiler (cc, gcc, clang) on this machine")
    deals = solver.moments(replace(size, deals=8 if size.cards == 10 else 60))
    c_results = solver.in_c(solver.build(compiler, tmp_path), deals)
    results = solver.compiled(deals)
    assert [(result.points, result.nodes) for result in c_results] == [
        (result.points, result.nodes) for result in results
    ]

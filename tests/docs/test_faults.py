"""The table of faults names what proves each promise, and all of it is there."""

import ast
import re
from functools import cache

from tournaments.environment import ROOT

ROW = re.compile(r"^\| (\d[\d, ]*) \|.*\| ([^|]+) \|$", re.MULTILINE)
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
OURS = {*range(1, 36), 37, 38, 42}


def rows() -> dict[int, list[tuple[str, str]]]:
    """Return the tests of each fault: file and name."""
    text = (ROOT / "docs/faults.md").read_text(encoding="utf-8")
    return {
        int(number): NAMED.findall(proofs)
        for numbers, proofs in ROW.findall(text)
        for number in numbers.split(", ")
    }


@cache
def written_in(path: str) -> dict[str, str]:
    """Return the tests of a file with what they say of themselves."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {test.name: ast.get_docstring(test) or "" for test in tests}


def test_every_fault_of_the_arena_has_a_test_that_is_there() -> None:
    assert set(rows()) == OURS
    for number, proofs in rows().items():
        assert proofs, number
        for path, name in proofs:
            assert name in written_in(path), f"fault {number}: {path}::{name}"


def test_every_drill_says_which_fault_it_is_about_and_stands_in_the_table() -> None:
    for path in sorted((ROOT / "tests/drills").glob("test_*.py")):
        own = str(path.relative_to(ROOT))
        for name, said in written_in(own).items():
            if not name.startswith("test_"):
                continue
            told = re.match(r"Faults? (\d+)(?:-(\d+))?: ", said)
            assert told, f"{own}::{name}"
            numbers = range(int(told[1]), int(told[2] or told[1]) + 1)
            listed = {number for number, proofs in rows().items() if (own, name) in proofs}
            assert listed, f"{own}::{name}"
            assert listed <= set(numbers), f"{own}::{name}"

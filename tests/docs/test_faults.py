"""The table of faults names what proves each promise, and all of it is there."""

import ast
import re
from functools import cache

from tournaments.environment import ROOT

ROW = re.compile(r"^\| (\d[\d, ]*) \|.*\| ([^|]+) \|$", re.MULTILINE)
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
OURS = {*range(1, 36), 37, 38, 42, *range(45, 49)}


def rows() -> dict[int, list[tuple[str, str]]]:
    """Return the tests of each fault: file and name."""
    text = (ROOT / "docs/operators/faults.md").read_text(encoding="utf-8")
    return {
        int(number): NAMED.findall(proofs)
        for numbers, proofs in ROW.findall(text)
        for number in numbers.split(", ")
    }


@cache
def docstrings_of(path: str) -> dict[str, str]:
    """Return the tests of a file with what they say of themselves."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {test.name: ast.get_docstring(test) or "" for test in tests}


def test_every_fault_of_the_arena_has_a_test_that_is_there() -> None:
    assert set(rows()) == OURS
    for number, proofs in rows().items():
        assert proofs, number
        for path, name in proofs:
            assert name in docstrings_of(path), f"fault {number}: {path}::{name}"


def test_every_drill_says_which_fault_it_is_about_and_stands_in_the_table() -> None:
    for path in sorted((ROOT / "tests/drills").glob("test_*.py")):
        relative_path = str(path.relative_to(ROOT))
        for name, text in docstrings_of(relative_path).items():
            if not name.startswith("test_"):
                continue
            pattern_match = re.match(r"Faults? (\d+)(?:-(\d+))?: ", text)
            assert pattern_match, f"{relative_path}::{name}"
            numbers = range(int(pattern_match[1]), int(pattern_match[2] or pattern_match[1]) + 1)
            rule_numbers = {
                number for number, proofs in rows().items() if (relative_path, name) in proofs
            }
            assert rule_numbers, f"{relative_path}::{name}"
            assert rule_numbers <= set(numbers), f"{relative_path}::{name}"

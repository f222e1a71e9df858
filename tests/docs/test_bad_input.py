"""The table of bad input names tests that there are."""

import re

import pytest

from tournaments.environment import ROOT

ROW = re.compile(r"^\| (?P<numbers>\d[\d, ]*) \|.*\| (?P<tests>[^|]+) \|$", re.MULTILINE)
TEXT = (ROOT / "docs" / "operators" / "bad-input.md").read_text(encoding="utf-8")
ROWS = {
    int(number): re.findall(r"`([^`]+)`", row["tests"])
    for row in ROW.finditer(TEXT)
    for number in row["numbers"].split(", ")
}


def test_every_number_has_a_row() -> None:
    assert sorted(ROWS) == list(range(1, 49))


@pytest.mark.parametrize("number", sorted(ROWS))
def test_the_tests_of_a_row_are_there(number: int) -> None:
    assert ROWS[number]
    for name in ROWS[number]:
        path, _, test = name.partition("::")
        assert f"\ndef {test}(" in (ROOT / path).read_text(encoding="utf-8"), name

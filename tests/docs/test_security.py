"""The table of controls names what proves each of them, and all of it is there."""

import re

from tests.docs.test_faults import NAMED, docstrings_of
from tournaments.environment import ROOT

ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def rows() -> dict[str, list[tuple[str, str]]]:
    """Return the tests of each control: file and name."""
    text = (ROOT / "docs/operators/security.md").read_text(encoding="utf-8")
    occurrences_by_area = {area: NAMED.findall(proofs) for area, _, _, proofs in ROW.findall(text)}
    return {area: proofs for area, proofs in occurrences_by_area.items() if area != "Area"}


def test_every_control_has_tests_that_are_there() -> None:
    assert len(rows()) > 15
    for area, proofs in rows().items():
        assert proofs, area
        for path, name in proofs:
            assert name in docstrings_of(path), f"{area}: {path}::{name}"


def test_every_test_of_security_stands_in_the_table() -> None:
    listed_proofs = {proof for proofs in rows().values() for proof in proofs}
    for path in sorted((ROOT / "tests/security").glob("test_*.py")):
        relative_path = str(path.relative_to(ROOT))
        tests = {name for name in docstrings_of(relative_path) if name.startswith("test_")}
        assert {name for name in tests if (relative_path, name) not in listed_proofs} <= EVIDENT


EVIDENT = {
    "test_the_organiser_is_answered_on_every_page_by_either_database",
    "test_who_sees_it_is_shown_it_on_the_front_page_and_its_club_s",
}
"""What is no control but a promise to those who may."""

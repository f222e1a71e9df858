"""The tournament files of `tests/inputs/tournaments`: each is read, and the proofs hold."""

from pathlib import Path

import pytest

from tournaments.domain.file import rows_from_bytes, rows_to_bytes
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.verification import verify

INPUTS = Path("tests/inputs/tournaments")


@pytest.mark.parametrize(
    ("name", "entrants", "formats"),
    [
        ("duplicate_proof_three_deals.json", 10, ["duplicate"]),
        ("individual_swapped_draft_proof.json", 16, ["individual"]),
        ("knockout_corrected_final_played.json", 4, ["knockout"]),
        ("pinned_bye.json", 7, ["swiss"]),
    ],
)
def test_each_file_is_read_and_written_without_a_loss(
    name: str, entrants: int, formats: list[str]
) -> None:
    rows = rows_from_bytes((INPUTS / name).read_bytes())
    assert len(rows.entrants) == entrants
    assert [stage.format for stage in rows.stages] == formats
    assert rows_from_bytes(rows_to_bytes(rows)) == rows


@pytest.mark.parametrize(
    "name",
    [
        "duplicate_proof_three_deals.json",
        pytest.param("individual_swapped_draft_proof.json", marks=pytest.mark.slow),
    ],
)
def test_each_proof_holds(name: str) -> None:
    findings = verify(bundle_from_bytes((INPUTS / name).read_bytes()))
    assert findings
    assert [finding for finding in findings if not finding.holds] == []

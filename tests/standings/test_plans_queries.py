"""How the database carries out the queries of the main pages, when there is much history."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tournaments.environment import ROOT

TOURNAMENTS = 200


@pytest.fixture(scope="module")
def plans(postgres_url: str) -> dict[str, Any]:
    """Ask for the plans of all queries of the main pages and of a submission, on a long history."""
    command = [sys.executable, "-m", "benchmarks.growth", "--plans"]
    process = subprocess.run(
        [*command, "--tournaments", str(TOURNAMENTS)],
        cwd=ROOT,
        env={**os.environ, "BAZA_GROWTH_DATABASE": postgres_url},
        check=False,
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stderr
    fields: dict[str, Any] = json.loads(process.stdout.splitlines()[-1])
    return fields


def test_no_page_and_no_submission_reads_a_big_table_from_end_to_end(plans: dict[str, Any]) -> None:
    assert plans["looked"] > 100
    assert plans["found"] == []


def test_a_query_that_would_is_found_out(plans: dict[str, Any]) -> None:
    assert plans["known"] == ["record"]

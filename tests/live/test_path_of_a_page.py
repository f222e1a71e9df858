"""How many files of the club and the engine one cold `GET` of a tournament's page passes."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

import engine
import tournaments
from tests.clubs import club_night_lines, organiser, the_liguilla, the_match
from tournaments.results.services.submit import submit_record

pytestmark = pytest.mark.django_db

ROOT = Path(tournaments.__file__).parents[1]
FOLDERS = (Path(tournaments.__file__).parent, Path(engine.__file__).parent)
LEFT_OUT = ("tournaments/models/", "tournaments/core/errors.py", "tournaments/core/middleware.py")
AT_MOST = 57


@pytest.mark.slow
def test_the_page_of_a_tournament_passes_few_files_and_replays_no_hand() -> None:
    tournament = the_liguilla()
    submit_record(organiser(tournament.club), the_match(tournament, 1, 1), club_night_lines()[0])
    client, address = Client(), f"/t/{tournament.slug}/"
    client.get(address)  # what is loaded once is not counted
    cache.clear()
    passed: set[str] = set()

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        file = Path(frame.f_code.co_filename)
        if event == "call" and frame.f_code.co_name != "<module>":
            passed.update(
                str(file.relative_to(ROOT)) for root in FOLDERS if file.is_relative_to(root)
            )

    sys.setprofile(note)
    try:
        response = client.get(address)
    finally:
        sys.setprofile(None)
    assert response.status_code == 200
    assert "/last-trick/" in response.content.decode()
    names = sorted(name for name in passed if not name.startswith(LEFT_OUT))
    assert "engine/replay.py" not in names
    assert len(names) <= AT_MOST, "\n".join(names)

"""How many files of the club one `POST` of a record passes: the fewer, the sooner it is read."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from django.test import Client

import tournaments
from tests.clubs import SYSTEM, club_night_lines, organiser, the_liguilla, the_match
from tournaments.accounts.services.invitations import issue_token

pytestmark = pytest.mark.django_db

ROOT = Path(tournaments.__file__).parent
MIDDLEWARE = (
    *("core/middleware.py", "core/api/error_handlers.py"),
    *("operations/views.py", "accounts/session_tracking.py"),
)
LEFT_OUT = ("models/", "core/errors.py", *MIDDLEWARE)
AT_MOST = 27


@pytest.mark.slow
def test_a_record_passes_few_files_of_the_club() -> None:
    client, tournament = Client(), the_liguilla()
    actor = organiser(tournament.club)
    assert actor.user is not None
    scopes = ["games:submit"]
    _, token = issue_token(SYSTEM, tournament.club, actor.user, name="phone", scopes=scopes)
    line = club_night_lines()[0]
    path = f"/api/v1/matches/{the_match(tournament, 1, 1).pk}/records/"
    client.get("/api/v1/tournaments/")  # what is loaded once is not counted
    passed: set[str] = set()

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        file = Path(frame.f_code.co_filename)
        if event == "call" and frame.f_code.co_name != "<module>" and file.is_relative_to(ROOT):
            passed.add(str(file.relative_to(ROOT)))

    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "k-1"}
    sys.setprofile(note)
    try:
        response = client.post(path, line, content_type="application/json", headers=headers)
    finally:
        sys.setprofile(None)
    assert response.status_code == 201, response.content
    names = sorted(name for name in passed if not name.startswith(LEFT_OUT))
    assert len(names) <= AT_MOST, "\n".join(names)

"""The sample club night over the API: every record of it, and the table worked out by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.domain.test_club_night_standings import TABLE
from tests.support.caller import Caller, problem
from tests.support.scenes import Scene, records_of
from tournaments.models import Record


def expected_faults() -> list[dict[str, Any]]:
    return [json.loads(line) for line in records_of("disputed.expected")]


@pytest.mark.slow
def test_the_whole_club_night_is_handed_in_over_the_api(club_night: Scene, desk: Caller) -> None:
    place = f"tournaments/{club_night.tournament.slug}"
    for number, text in enumerate(records_of("records")):
        response = desk.submit(f"{place}/records/", text, key=f"record-{number}")
        assert response.status_code == 201, response.content
    table = desk.read(f"{place}/standings/")["rows"]
    for number, (text, expected) in enumerate(
        zip(records_of("disputed"), expected_faults(), strict=True)
    ):
        response = desk.submit(f"{place}/records/", text, key=f"disputed-{number}")
        body = problem(response, 422, expected["code"])
        (fault,) = body["verdict"]["faults"]
        assert (fault["hand"], fault["token"]) == (expected["hand"], expected["token"])
        assert set(fault["legal"]) == set(expected["legal"])
        document = desk.read(body["record"])
        assert (document["record"]["state"], document["text"]) == ("refused", text)
    assert desk.read(f"{place}/standings/")["rows"] == table
    assert [
        tuple(
            row[name]
            for name in (
                *("number", "won", "lost", "match_points"),
                *("hands_for", "hands_against", "points_for", "points_against"),
            )
        )
        for row in table
    ] == list(TABLE)
    assert Record.objects.accepted().count() == len(records_of("records"))

"""Many records at once: all of them or none, each line with its own answer (inputs 41 and 42)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.caller import Caller, problem
from tests.support.scenes import Scene, record_between, records_of, spoiled
from tournaments.core.permissions import Actor
from tournaments.models import AuditEvent, Hand, Match, Record, Result, Submission
from tournaments.standings.queries.standings import standings_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Issue

LINES = "application/x-ndjson"
MIB = 1 << 20


def path_of(scene: Scene) -> str:
    return f"tournaments/{scene.tournament.slug}/records/bulk/"


def send(
    caller: Caller, scene: Scene, lines: list[str], key: str | None = "night", query: str = ""
) -> Any:
    body = "\n".join(lines) + "\n"
    return caller.submit(path_of(scene) + query, body, key=key, content_type=LINES)


def rows() -> dict[str, int]:
    """What a batch that was refused must not have added to."""
    kinds = (Record, Hand, Result, AuditEvent, Submission)
    return {kind.__name__: kind.objects.count() for kind in kinds}


@pytest.fixture
def nothing_written(club_night: Scene) -> Iterator[None]:
    club_night.tournament.refresh_from_db()
    before, version = rows(), club_night.tournament.version
    yield
    assert rows() == before
    club_night.tournament.refresh_from_db()
    assert club_night.tournament.version == version
    assert set(Match.objects.values_list("state", flat=True)) == {"pending"}


def table(scene: Scene) -> object:
    return standings_page(scene.tournament.slug, Actor.anonymous()).rows


def test_a_whole_night_in_one_request_gives_the_table_of_single_records(
    club_night: Scene, desk: Caller
) -> None:
    response = send(desk, club_night, records_of("records"))
    assert response.status_code == 201, response.content
    body = json.loads(response.content)
    assert [line["line"] for line in body["lines"]] == list(range(1, 29))
    assert {line["outcome"] for line in body["lines"]} == {"accepted"}
    at_once = table(club_night)
    document = desk.read(body["lines"][4]["record"])
    assert document["text"] == records_of("records")[4]
    assert desk.read(body["lines"][4]["match"])["match"]["state"] == "accepted"
    events = AuditEvent.objects.filter(verb="record.accepted")
    assert sorted(events.values_list("subject_pk", flat=True)) == sorted(
        Record.objects.values_list("pk", flat=True)
    )

    Result.objects.all().delete()
    Record.objects.all().delete()
    Match.objects.update(state="pending")
    for number, text in enumerate(records_of("records")):
        path = f"tournaments/{club_night.tournament.slug}/records/"
        assert desk.submit(path, text, key=f"one-{number}").status_code == 201
    assert table(club_night) == at_once


def test_input_41_one_bad_line_refuses_all_of_them(
    club_night: Scene, desk: Caller, nothing_written: None
) -> None:
    lines = records_of("records")
    wrong = spoiled(lines[17])
    lines[17] = wrong.text
    body = problem(send(desk, club_night, lines), 422, "batch_refused")
    bad = body["lines"][17]
    assert (bad["line"], bad["outcome"], bad["status"]) == (18, "refused", 422)
    assert bad["code"].startswith("play.")
    assert bad["pointer"] == "/hands/0/play"
    assert wrong.card in bad["detail"]
    assert [line["line"] for line in body["lines"] if line["status"] >= 400] == [18]
    assert {line["record"] for line in body["lines"]} == {None}


def test_input_41_a_dry_run_gives_the_same_report(
    club_night: Scene, desk: Caller, nothing_written: None
) -> None:
    lines = records_of("records")
    lines[3] = spoiled(lines[3]).text
    dry = problem(send(desk, club_night, lines, None, "?dry_run=1"), 422, "batch_refused")
    wet = problem(send(desk, club_night, lines), 422, "batch_refused")
    assert dry["lines"] == wet["lines"]
    assert (dry["dry_run"], wet["dry_run"]) == (True, False)


def test_a_dry_run_in_order_writes_nothing(
    club_night: Scene, desk: Caller, nothing_written: None
) -> None:
    response = send(desk, club_night, records_of("records"), None, "?dry_run=1")
    body = json.loads(response.content)
    assert (response.status_code, body["dry_run"]) == (200, True)
    assert {line["outcome"] for line in body["lines"]} == {"accepted"}
    assert {line["record"] for line in body["lines"]} == {None}


def test_a_batch_repeated_under_its_key_gets_the_same_answer(
    club_night: Scene, desk: Caller
) -> None:
    first = send(desk, club_night, records_of("records"))
    before = rows()
    second = send(desk, club_night, records_of("records"))
    assert (second.status_code, second.content) == (first.status_code, first.content)
    assert second.headers["Idempotency-Replayed"] == "true"
    assert rows() == before
    other = send(desk, club_night, records_of("records")[1:])
    problem(other, 422, "idempotency_mismatch")


def test_a_refused_batch_put_right_may_keep_its_key(club_night: Scene, desk: Caller) -> None:
    lines = records_of("records")
    problem(send(desk, club_night, [*lines[:5], "{"]), 422, "batch_refused")
    assert send(desk, club_night, lines).status_code == 201


def test_records_that_are_there_already_are_reported_as_such(
    club_night: Scene, desk: Caller
) -> None:
    lines = records_of("records")
    first = json.loads(send(desk, club_night, lines[:10], "a").content)["lines"]
    response = send(desk, club_night, lines, "b")
    line_answers = json.loads(response.content)["lines"]
    assert response.status_code == 201
    assert [line["duplicate"] for line in line_answers] == [True] * 10 + [False] * 18
    assert [line["record"] for line in line_answers[:10]] == [line["record"] for line in first]
    last_response = send(desk, club_night, lines, "c")
    assert last_response.status_code == 200
    assert Record.objects.count() == 28


def test_a_line_that_stands_twice_counts_once(club_night: Scene, desk: Caller) -> None:
    lines = records_of("records")
    line_answers = json.loads(send(desk, club_night, [*lines[:3], lines[1]]).content)["lines"]
    assert line_answers[3]["duplicate"]
    assert line_answers[3]["record"] == line_answers[1]["record"]
    assert Record.objects.count() == 3


def test_another_record_of_a_match_in_the_same_batch_refuses_all(
    club_night: Scene, desk: Caller, nothing_written: None
) -> None:
    lines = records_of("records")
    other = record_with_the_seats_of(lines[0], lines[1])
    body = problem(send(desk, club_night, [lines[0], other]), 422, "batch_refused")
    assert body["lines"][1]["code"] == "conflicting_log"
    assert body["lines"][1]["record"] is None


def record_with_the_seats_of(text: str, played: str) -> str:
    """The hands of one record with the people of another."""
    seats = json.loads(text)["seats"]
    return json.dumps({**json.loads(played), "seats": seats, "tags": {}}, ensure_ascii=False)


def test_input_42_blank_lines_and_a_missing_end_of_line_do_no_harm(
    club_night: Scene, desk: Caller
) -> None:
    lines = records_of("records")[:3]
    body = f"\n{lines[0]}\r\n  \n\n{lines[1]}\n{lines[2]}"
    response = desk.submit(path_of(club_night), body, content_type=LINES)
    assert response.status_code == 201, response.content
    line_answers = json.loads(response.content)["lines"]
    assert [line["line"] for line in line_answers] == [2, 5, 6]
    assert desk.read(line_answers[0]["record"])["text"] == lines[0]


@pytest.mark.parametrize(
    "body", [b"{}\n" * 1001, b" " * (5 * MIB) + b"\n", b"x" * (5 * MIB + 1)], ids=len
)
def test_input_42_too_much_at_once(
    club_night: Scene, desk: Caller, nothing_written: None, body: bytes
) -> None:
    response = desk.submit(path_of(club_night), body, content_type=LINES)
    problem(response, 413, "too_large")


def test_input_42_a_thousand_lines_are_not_too_many(
    club_night: Scene, desk: Caller, nothing_written: None
) -> None:
    response = desk.submit(path_of(club_night), b"{}\n\n" * 1000, content_type=LINES)
    body = problem(response, 422, "batch_refused")
    assert len(body["lines"]) == 1000
    assert {line["code"] for line in body["lines"]} == {"record.format"}


@pytest.mark.parametrize("body", ["", "\n", " \n\r\n"])
def test_nothing_at_all_is_refused(
    club_night: Scene, desk: Caller, nothing_written: None, body: str
) -> None:
    response = desk.submit(path_of(club_night), body, content_type=LINES)
    problem(response, 422, "nothing_listed")


def test_each_line_is_reported_by_its_own_fault(
    club_night: Scene, desk: Caller, nothing_written: None
) -> None:
    good = records_of("records")[0]
    strangers = json.dumps({**json.loads(good), "seats": ["Ana", "Beto", "Caro", "Dani"]})
    lines = [
        good[:-1],
        good.replace("{", '{"nota": 1, ', 1),
        strangers,
        "[" * 5000,
        '{"a":"' + "x" * MIB + '"}',
        good,
    ]
    body = problem(send(desk, club_night, lines), 422, "batch_refused")
    pairs = [(line["status"], line.get("code"), line.get("reason")) for line in body["lines"]]
    assert pairs == [
        (400, "record.syntax", "malformed_json"),
        (400, "record.field", "unknown_field"),
        (422, "not_a_participant", None),
        (400, "record.limit", "too_deep"),
        (413, "record.limit", "too_large"),
        (201, None, None),
    ]
    assert body["lines"][0]["column"] > 1000
    assert body["lines"][1]["pointer"] == "/nota"


def test_a_player_hands_in_no_record_of_others(scene: Scene, issue: Issue) -> None:
    """The player has played the first table, not the other."""
    player = issue("player")
    texts = [record_between(match, records_of("records")) for match in scene.matches()]
    before = rows()
    response = player.submit(path_of(scene), "\n".join(texts), content_type=LINES)
    lines = problem(response, 422, "batch_refused")["lines"]
    assert [line.get("code") for line in lines].count("forbidden") == 1
    assert rows() == before


def test_the_media_type_is_asked_for(club_night: Scene, desk: Caller) -> None:
    response = desk.submit(path_of(club_night), records_of("records")[0])
    problem(response, 415, "unsupported_media_type")
    assert response.headers["Accept-Post"] == LINES
    assert LINES in json.loads(response.content)["detail"]


def test_a_batch_needs_a_key_and_a_dry_run_none(club_night: Scene, desk: Caller) -> None:
    lines = records_of("records")
    problem(send(desk, club_night, lines, None), 400, "idempotency_key_missing")
    problem(send(desk, club_night, lines, "k", "?dry_run=2"), 400, "bad_parameter")
    problem(send(desk, club_night, lines, "k", "?trocken=1"), 400, "bad_parameter")

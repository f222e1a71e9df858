"""All records of a tournament in one answer that proves its own end."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from tests.support.caller import Caller, document, problem
from tests.support.scenes import Scene, record_between, records_of, spoiled
from tournaments.core.permissions import Actor
from tournaments.director.services.tournaments import publish_round
from tournaments.models import Record
from tournaments.results.queries.records import records_file

LINES = "application/x-ndjson"


def path_of(scene: Scene) -> str:
    return f"tournaments/{scene.tournament.slug}/records/export/"


def exported(caller: Caller, scene: Scene, **headers: str) -> Any:
    """The answer, whose body the test client has put together from its pieces."""
    return caller.client.get(f"/api/v1/{path_of(scene)}", headers={**caller.headers, **headers})


def body_of(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


def proves_its_end(body: bytes) -> bool:
    """Return whether a body is whole, as a reader does: by its last line alone."""
    *lines, last = body.splitlines(keepends=True) or [b""]
    if not last.endswith(b"\n"):
        return False
    sha256 = hashlib.sha256(b"".join(lines)).hexdigest()
    return bool(json.loads(last) == {"end": True, "count": len(lines), "sha256": sha256})


def test_the_records_come_in_the_order_in_which_they_were_played(
    scene: Scene, organiser: Caller
) -> None:
    publish_round(scene.organiser, scene.rounds[1])
    order = [*scene.matches(1), *scene.matches(2)]
    for match in [order[3], order[1], order[2]]:
        assert scene.submit(match).record
    scene.submit(order[1], spoiled(record_between(order[1], records_of("records"))).text)
    answer = exported(Caller(), scene)
    body = body_of(answer)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == LINES
    assert int(answer.headers["Content-Length"]) == len(body)
    *lines, last = body.decode().splitlines()
    assert lines == [record_between(match, records_of("records")) for match in order]
    assert json.loads(last)["count"] == 4
    assert proves_its_end(body)


def test_a_body_that_was_cut_short_anywhere_is_known_as_such(scene: Scene) -> None:
    scene.submit(scene.matches()[1])
    body = body_of(exported(Caller(), scene))
    assert proves_its_end(body)
    for end in (0, 1, len(body) // 3, len(body) // 2, body.rindex(b'{"end"'), len(body) - 1):
        assert not cut_proves_its_end(body[:end]), end
    lines = body.splitlines(keepends=True)
    assert not cut_proves_its_end(b"".join(lines[1:]))
    assert not cut_proves_its_end(body.replace(b"Zaragoza", b"Saragossa", 1))


def cut_proves_its_end(body: bytes) -> bool:
    try:
        return proves_its_end(body)
    except ValueError:
        return False


def test_nothing_played_is_a_trailer_alone(scene: Scene) -> None:
    Record.objects.update(state="refused", code="play.must_head")
    assert proves_its_end(body := body_of(exported(Caller(), scene)))
    assert json.loads(body)["count"] == 0


def test_a_record_written_over_several_lines_becomes_one(scene: Scene) -> None:
    match = scene.matches()[1]
    loose = json.dumps(json.loads(record_between(match, records_of("records"))), indent=2)
    assert scene.submit(match, loose).record
    body = body_of(exported(Caller(), scene))
    assert proves_its_end(body)
    assert json.loads(body.splitlines()[1]) == json.loads(loose)


def test_what_has_not_changed_is_not_sent_again(scene: Scene) -> None:
    first = exported(Caller(), scene)
    body_of(first)
    tag = first.headers["ETag"]
    assert exported(Caller(), scene, **{"If-None-Match": tag}).status_code == 304
    scene.submit(scene.matches()[1])
    changed = exported(Caller(), scene, **{"If-None-Match": tag})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != tag
    body_of(changed)


@pytest.mark.parametrize("accept", ["*/*", LINES, "application/*", f"text/html, {LINES};q=0.5"])
def test_one_who_accepts_lines_gets_them(scene: Scene, accept: str) -> None:
    answer = exported(Caller(), scene, accept=accept)
    assert answer.status_code == 200
    assert proves_its_end(body_of(answer))


@pytest.mark.parametrize("accept", ["application/json", "text/csv", "text/html,application/xml"])
def test_input_45_one_who_does_not_is_informed_what_there_is(scene: Scene, accept: str) -> None:
    body = problem(Caller().get(path_of(scene), accept=accept), 406, "not_acceptable")
    assert LINES in body["detail"]


def test_the_files_of_text_come_to_one_who_accepts_text(scene: Scene) -> None:
    path = f"tournaments/{scene.tournament.slug}/proof/"
    problem(Caller().get(path, accept="text/plain"), 406, "not_acceptable")
    assert Caller().get(path, accept="application/json").status_code == 200


def test_a_draft_exists_for_its_club_alone(scene: Scene, organiser: Caller) -> None:
    scene.tournament.state = "draft"
    scene.tournament.save()
    problem(Caller().get(path_of(scene)), 404, "not_found")
    assert proves_its_end(body_of(exported(organiser, scene)))


def test_parameters_are_refused_not_ignored(scene: Scene) -> None:
    problem(Caller().get(f"{path_of(scene)}?round=1"), 400, "bad_parameter")


@pytest.mark.django_db(transaction=True)
def test_the_file_is_of_one_moment_outside_any_transaction(transactional_scene: Scene) -> None:
    result = records_file(transactional_scene.tournament.slug, Actor.anonymous())
    with result.file as file:
        body = file.read()
    assert proves_its_end(body)
    assert (result.count, result.size) == (1, len(body))


@pytest.fixture
def transactional_scene(transactional_db: None) -> Scene:
    from tests.support.scenes import running

    return running()


def test_the_document_mentions_the_lines() -> None:
    path = "/api/v1/tournaments/{slug}/records/export/"
    assert LINES in document()["paths"][path]["get"]["responses"]["200"]["content"]


def test_asking_for_the_head_alone_sends_no_records(scene: Scene) -> None:
    response = Caller().client.head(f"/api/v1/{path_of(scene)}")
    assert (response.status_code, response.getvalue()) == (200, b"")
    assert int(response.headers["Content-Length"]) > 1000
    response.close()

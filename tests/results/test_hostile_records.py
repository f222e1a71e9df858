"""A refused record over the API and on its page: none of its control characters leave."""

from __future__ import annotations

import json
from random import Random

import pytest
from django.test import Client

from tests.quick import examples
from tests.security.test_web_matrix import undone
from tests.support.caller import Caller
from tests.support.hostile import MOVES, SCRAPS, hostile_record
from tests.support.scenes import Scene, record_between, records_of
from tournaments.core.errors import Reason, Refusal, sentence_of
from tournaments.models import Record

FORGED = "\x1b[31m\r\n✓ night.ndjson#2 forged\u202e"
ESCAPED = r"\x1b[31m\r\n✓ night.ndjson#2 forged\u202e"


@pytest.fixture
def browser(scene: Scene) -> Client:
    """The browser of the organiser."""
    client = Client()
    client.force_login(scene.users["organiser"])
    return client


def test_a_forged_line_in_a_ruleset_is_one_escaped_line(
    scene: Scene, organiser: Caller, browser: Client
) -> None:
    match = scene.matches()[0]
    record = json.loads(record_between(match, records_of("records")))
    answer = organiser.submit(
        f"matches/{match.pk}/records/", json.dumps(record | {"ruleset": FORGED})
    )
    problem = json.loads(answer.content)
    assert problem["code"] == "record.ruleset"
    assert f"Unknown ruleset {ESCAPED}; known" in problem["detail"]
    assert problem["verdict"]["faults"][0]["message"] == problem["detail"]
    page = browser.get(f"/records/{Record.objects.latest('pk').pk}/").content.decode()
    assert ESCAPED in page


@pytest.mark.parametrize("name", [FORGED, "\x9b", "\u061c\u2066"])
def test_a_field_name_is_escaped_in_the_text_of_the_answer_and_exact_in_its_value(
    name: str, scene: Scene, organiser: Caller
) -> None:
    match = scene.matches()[0]
    record = json.loads(record_between(match, records_of("records")))
    answer = organiser.submit(f"matches/{match.pk}/records/", json.dumps(record | {name: 1}))
    assert not MOVES.search(answer.content.decode())
    problem = json.loads(answer.content)
    assert problem["pointer"] == f"/{name}"
    assert not MOVES.search(problem["detail"])


def post(caller: Caller, path: str, body: str, content_type: str = "application/json") -> str:
    """Submit a text; give the answer as it is, without checking it against the document."""
    headers = {**caller.headers, "Idempotency-Key": "first"}
    answer = caller.client.post(f"/api/v1/{path}", body, content_type=content_type, headers=headers)
    return answer.content.decode()


@pytest.mark.slow
def test_no_answer_and_no_page_has_a_control_of_a_refused_record(
    scene: Scene, organiser: Caller, browser: Client
) -> None:
    chance = Random(33)
    match = scene.matches()[0]
    pages = 0
    good = json.loads(record_between(match, records_of("records")))
    for number in range(examples(200)):
        hostile = hostile_record(chance)
        if number % 2:  # all else is right, so that the service itself refuses it
            hostile = {**good, "hands": good["hands"], "options": hostile["options"]}
        body = json.dumps(hostile, ensure_ascii=False)
        with undone():
            texts = [post(organiser, f"matches/{match.pk}/records/", body)]
            detail = json.loads(texts[0]).get("detail", "")
            assert not MOVES.search(detail), body
            for record in Record.objects.filter(state="refused"):
                page = browser.get(f"/records/{record.pk}/")
                assert page.status_code == 200
                pages += 1
                texts += [page.content.decode().replace("\t", " ")]
                address = f"/api/v1/records/{record.pk}/"
                texts += [organiser.client.get(address, headers=organiser.headers).content.decode()]
            path, line = f"tournaments/{scene.tournament.slug}/records/bulk/", f"{body}\n"
            texts += [post(organiser, path, line, "application/x-ndjson")]
            for text in texts:
                assert not MOVES.search(text), (body, MOVES.search(text))
    assert pages


@pytest.mark.parametrize("scrap", SCRAPS)
def test_a_refusal_quotes_no_control(scrap: str) -> None:
    name = f"a{scrap}b"
    assert not MOVES.search(Refusal(Reason.BAD_PARAMETER, name=name).message)
    assert not MOVES.search(sentence_of("bad_parameter", {"name": name}))

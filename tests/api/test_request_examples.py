"""Requests in the document are accepted, and its answers are those that were given.

`BAZA_WRITE_EXAMPLES=1` writes the answers again (`tournaments/api/examples.json`).
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

import pytest
from django.db import transaction

from tests.support.caller import Caller, document, problem
from tests.support.world import World, filled_world
from tournaments.api.examples import ANSWERS, REQUESTS

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LENGTH = 300
UNREADABLE = {"bad_request", "bad_parameter", "idempotency_key_missing", "unsupported_media_type"}
IN_THE_TOUR = {"submit_record", "submit_record_to_tournament", "submit_lines"}
"""The record shown is of no match here; `docs/programs/api-tour.md` has records that are taken."""

OTHER_STATES = {
    *("split_player", "hand_out_prize"),
    *("draw_stage_again", "draw_again_of_stage"),
}
"""Possible only in tournaments that are over, or whose drawn rounds are drafts: none is here."""


def operations() -> Iterator[tuple[str, str, Any]]:
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            yield path, method.upper(), operation


def content_of(part: Any) -> tuple[str, Any]:
    """Return the kind and the description of a body; of several kinds the usual one."""
    kind, content = next(iter(part["content"].items()))
    return kind, content


def example_of(operation: Any) -> tuple[str, bytes]:
    """Return the kind and the text of the first example of what an operation is asked."""
    kind, content = content_of(operation["requestBody"])
    examples = content.get("examples")
    assert examples, f"{operation['operationId']} shows nothing that is sent"
    value = next(iter(examples.values()))["value"]
    return kind, value.encode() if isinstance(value, str) else json.dumps(value).encode()


def send_example(world: World, path: str, method: str, operation: Any, number: int) -> Any:
    """Ask as the document shows it, in the number'th place of its kind."""
    address = path
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "path":
            name = parameter["name"]
            address = address.replace(f"{{{name}}}", str(world.value(path, name, number)))
    caller = Caller(world.tokens["organiser"])
    if method == "DELETE":
        return caller.call(method, address, b"", {"If-Match": "*"})
    if "requestBody" not in operation:
        return caller.get(address) if method == "GET" else caller.submit(address, "{}")
    kind, body = example_of(operation)
    headers = {"Idempotency-Key": f"example-{number}"}
    if method in {"PUT", "PATCH"}:
        headers = {"If-Match": "*"}
    return caller.call(method, address, body, headers, kind)


@pytest.mark.slow
def test_every_example_is_taken_as_it_is_shown(db: None) -> None:
    world = filled_world()
    fields: dict[str, Any] = {}
    for path, method, operation in operations():
        name = operation["operationId"]
        for number in range(8):
            with transaction.atomic():
                answer = send_example(world, path, method, operation, number)
                transaction.set_rollback(True)
            kind = answer.headers.get("Content-Type", "")
            if "problem" in kind:
                code = json.loads(answer.content)["code"]
                assert code not in UNREADABLE, f"{name}: {answer.content!r}"
            elif kind == "application/json":
                example = {str(answer.status_code): shortened(json.loads(answer.content))}
                fields.setdefault(name, example)
                break
    if os.environ.get("BAZA_WRITE_EXAMPLES"):
        kept = json.loads(ANSWERS.read_text(encoding="utf-8"))
        fields = values_kept(fields, kept)
        text = json.dumps(fields, ensure_ascii=False, indent=1, sort_keys=True)
        text = text.replace("http://testserver", "https://club.example")
        text = re.sub('whsec_[^"]+', f"whsec_{'A' * 43}=", text)
        ANSWERS.write_text(text + "\n", encoding="utf-8")
    example = json.loads(ANSWERS.read_text(encoding="utf-8"))
    assert set(example) == set(fields), set(fields) ^ set(example)
    for name, answers in fields.items():
        assert set(example[name]) == set(answers), name


@pytest.mark.slow
def test_no_operation_passes_over_a_parameter_that_it_does_not_know(db: None) -> None:
    world = filled_world()
    for path, method, operation in operations():
        answer = send_example(world, f"{path}?nonsense=1", method, operation, 0)
        body = problem(answer, 400, "bad_parameter")
        assert body["parameter"] == "nonsense", (method, path)


def shortened(value: Any) -> Any:
    """Cut lists of rows to their first, and long texts, so that a document can show them."""
    if isinstance(value, dict):
        return {name: shortened(item) for name, item in value.items()}
    if isinstance(value, list):
        rows = value[:1] if value and isinstance(value[0], dict | list) else value
        return [shortened(item) for item in rows]
    if isinstance(value, str) and len(value) > MAX_LENGTH:
        return value[:MAX_LENGTH] + "…"
    return value


def values_kept(new: Any, old: Any) -> Any:
    """Return an answer of the new shape with the old values, so that times and digests stay."""
    if isinstance(new, dict) and isinstance(old, dict):
        return {
            name: values_kept(value, old[name]) if name in old else value
            for name, value in new.items()
        }
    if isinstance(new, list) and isinstance(old, list) and len(new) == len(old):
        return [values_kept(*both) for both in zip(new, old, strict=True)]
    return old if type(new) is type(old) and not isinstance(new, dict | list) else new


def test_every_operation_with_a_body_shows_one() -> None:
    with_body = [
        operation for _path, _method, operation in operations() if "requestBody" in operation
    ]
    for operation in with_body:
        kind, body = example_of(operation)
        assert body, (operation["operationId"], kind)
    assert set(REQUESTS) <= {operation["operationId"] for operation in with_body}


def test_every_operation_shows_an_answer() -> None:
    for _path, _method, operation in operations():
        contents = [
            response["content"]["application/json"]
            for status, response in operation["responses"].items()
            if status.startswith("2") and "application/json" in response.get("content", {})
        ]
        with_examples = [content for content in contents if content.get("examples")]
        assert (
            with_examples or not contents or operation["operationId"] in IN_THE_TOUR | OTHER_STATES
        )

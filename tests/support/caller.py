"""A program that calls the API, and checks every answer against the OpenAPI document."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from django.test import Client
from jsonschema import Draft202012Validator

from tournaments.environment import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from django.http import HttpResponse

DOCUMENT = ROOT / "docs" / "openapi.json"
BASE = "/api/v1/"
NDJSON = "application/x-ndjson"


class Caller:
    """Calls with a token or without one; what the document does not describe is an error."""

    def __init__(self, token: str = "", language: str = "en") -> None:
        self.headers = {"accept-language": language}
        if token:
            self.headers["authorization"] = f"Bearer {token}"
        self.client = Client()

    def get(self, path: str, **headers: str) -> HttpResponse:
        """Read an address under `/api/v1/`, or a whole one."""
        return self.call("GET", path, b"", headers)

    def read(self, path: str) -> Any:
        """Read an address that must answer 200; return what the JSON says."""
        answer = self.get(path)
        assert answer.status_code == 200, answer.content
        return json.loads(answer.content)

    def submit(
        self,
        path: str,
        body: str | bytes,
        key: str | None = "first",
        content_type: str = "application/json",
        **headers: str,
    ) -> HttpResponse:
        """Submit a record as it is."""
        raw = body.encode() if isinstance(body, str) else body
        keyed = headers if key is None else {**headers, "Idempotency-Key": key}
        return self.call("POST", path, raw, keyed, content_type)

    def call(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        content_type: str = "application/octet-stream",
    ) -> HttpResponse:
        """Make any request."""
        answer = self.client.generic(
            method,
            path if path.startswith(("/", "http")) else BASE + path,
            body,
            content_type,
            headers={**self.headers, **(headers or {})},
            CONTENT_TYPE=content_type,
        )
        assert not answer.cookies, f"{path} sets cookies: {answer.cookies}"
        assert_documented(method, answer)
        return answer  # type: ignore[return-value]


def problem(response: HttpResponse, status: int, code: str) -> Any:
    """Check that an answer is this problem, and return it."""
    assert response.headers["Content-Type"] == "application/problem+json", response.content
    body = json.loads(response.content)
    assert (response.status_code, body["code"]) == (status, code), body
    assert body["status"] == status
    assert set(body) >= {"type", "title", "status", "detail", "instance", "code"}
    assert body["detail"]
    assert "%(" not in body["detail"]
    return body


@cache
def document() -> Any:
    """Return the OpenAPI document as it is checked in."""
    return json.loads(DOCUMENT.read_text(encoding="utf-8"))


@cache
def components() -> Any:
    """Return the document's shapes, made strict: a field that they do not describe is an error."""
    return _strict(document()["components"])


def _strict(part: Any) -> Any:
    if isinstance(part, list):
        return [_strict(item) for item in part]
    if not isinstance(part, dict):
        return part
    strict = {name: _strict(value) for name, value in part.items()}
    if part.get("type") == "object" and "properties" in part:
        strict["additionalProperties"] = False
    return strict


def assert_documented(method: str, answer: Any) -> None:
    """Check the answer of a documented operation against its schema."""
    match = answer.resolver_match
    operation = _operation(method, match.route if match else "")
    if operation is None or answer.status_code == 304 or method == "HEAD":
        return
    response = operation["responses"].get(str(answer.status_code))
    if response and "$ref" in response:
        response = components()["responses"][response["$ref"].rpartition("/")[2]]
    assert response, (
        f"{method} {match.route} does not tell of {answer.status_code}: {answer.content!r}"
    )
    if answer.status_code == 204:
        assert not answer.content
        return
    kind = answer.headers["Content-Type"]
    assert kind in response["content"], f"{match.route} does not tell of {kind}"
    if not kind.startswith(("text/", "application/json", "application/problem", NDJSON)):
        return  # a binary file
    schema = {**response["content"][kind]["schema"], "components": components()}
    is_json = "json" in kind and "ndjson" not in kind
    content = json.loads(answer.content) if is_json else answer.getvalue().decode()
    errors = list(_errors(schema, content))
    assert not errors, errors


def assert_sent_as_documented(webhook: str, message: Any) -> None:
    """Check a message to a club's program against `webhooks` of the document."""
    content = document()["webhooks"][webhook]["post"]["requestBody"]["content"]
    schema = {**content["application/json"]["schema"], "components": components()}
    errors = list(_errors(schema, message))
    assert not errors, errors


def _operation(method: str, route: str) -> Any:
    for path, operations in document()["paths"].items():
        if _plain(route) == path.lstrip("/").replace("{id}", "{pk}"):
            return operations.get(method.lower())
    return None


def _plain(route: str) -> str:
    for text, plain in (("<slug:", "{"), ("<int:", "{"), (">", "}")):
        route = route.replace(text, plain)
    return route


def _errors(schema: Any, value: Any) -> Iterator[str]:
    strict = Draft202012Validator(schema)
    for error in strict.iter_errors(value):
        yield f"{error.json_path}: {error.message}"

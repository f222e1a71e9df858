"""A change that breaks the published document is found; one that adds to it is not."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from tests.api.changes import CODES, PUBLISHED, breaks, read

SHAPES = {
    "Report": {
        "type": "object",
        "properties": {
            "winner": {"type": "string", "enum": ["home", "away"]},
            "hands": {"type": "integer", "maximum": 10},
            "notes": {"type": ["string", "null"]},
            "points": {"type": "array", "items": {"type": "number"}},
        },
        "required": ["winner"],
        "additionalProperties": False,
    },
    "Told": {
        "type": "object",
        "properties": {
            "outcome": {"type": "string", "enum": ["accepted", "reported"]},
            "version": {"type": "integer"},
            "match": {"oneOf": [{"$ref": "#/components/schemas/Match"}, {"type": "null"}]},
        },
        "required": ["outcome", "version"],
    },
    "Unused": {"type": "object"},
    "Match": {
        "type": "object",
        "properties": {
            "table": {"type": "integer"},
            "replay_of": {"$ref": "#/components/schemas/Match"},
        },
    },
}
POST = {
    "operationId": "report_result",
    "security": [{"token": []}, {}],
    "parameters": [
        {"in": "header", "name": "Idempotency-Key", "required": True, "schema": {"type": "string"}},
        {"in": "query", "name": "dry_run", "schema": {"type": "integer", "maximum": 1}},
    ],
    "requestBody": {
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Report"}}},
    },
    "responses": {
        "201": {
            "headers": {"Location": {"schema": {"type": "string"}}},
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Told"}}},
        },
        "409": {"$ref": "#/components/responses/Problem"},
    },
}
DOCUMENT: Any = {
    "paths": {"/matches/{id}/report/": {"post": POST}, "/clubs/": {"get": {**POST}}},
    "components": {
        "schemas": SHAPES,
        "responses": {"Problem": {"content": {"application/problem+json": {"schema": {}}}}},
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "Made."}},
    },
    CODES: {"too_late": [409]},
}
OPERATION = ("paths", "/matches/{id}/report/", "post")
SENT = ("components", "schemas", "Report")
TOLD = ("components", "schemas", "Told")
KEY = (*OPERATION, "parameters", 0)
DRY_RUN = (*OPERATION, "parameters", 1)
TOKEN = ("components", "securitySchemes", "token")
GONE = object()
BREAKING: dict[str, tuple[tuple[Any, ...], Any]] = {
    "an address is gone": (OPERATION[:2], GONE),
    "a method is gone": (OPERATION, GONE),
    "the tokens are not described": (("components", "securitySchemes"), GONE),
    "a token is sent in another way": ((*TOKEN, "scheme"), "basic"),
    "a shape has another name": (("components", "schemas", "Unused"), GONE),
    "an operation has another name": ((*OPERATION, "operationId"), "report"),
    "a token is wanted": ((*OPERATION, "security"), [{"token": []}]),
    "a parameter is gone": (DRY_RUN, GONE),
    "a parameter is wanted": ((*DRY_RUN, "required"), True),
    "a parameter takes less": ((*DRY_RUN, "schema", "maximum"), 0),
    "a parameter has another type": ((*DRY_RUN, "schema", "type"), "boolean"),
    "a parameter has a pattern": ((*KEY, "schema", "pattern"), "^[a-z]+$"),
    "a body is wanted": ((*OPERATION, "requestBody", "required"), True),
    "a kind of body is gone": ((*OPERATION, "requestBody", "content", "application/json"), GONE),
    "a field is wanted": ((*SENT, "required"), ["winner", "hands"]),
    "a field that was sent is gone": ((*SENT, "properties", "notes"), GONE),
    "a word is no longer taken": ((*SENT, "properties", "winner", "enum"), ["home"]),
    "only some words are taken": ((*SENT, "properties", "notes", "enum"), ["late"]),
    "a number may not be as large": ((*SENT, "properties", "hands", "maximum"), 9),
    "null is no longer taken": ((*SENT, "properties", "notes", "type"), "string"),
    "items take less": ((*SENT, "properties", "points", "items", "type"), "integer"),
    "a success is gone": ((*OPERATION, "responses", "201"), GONE),
    "a refusal is gone": ((*OPERATION, "responses", "409"), GONE),
    "a header is gone": ((*OPERATION, "responses", "201", "headers", "Location"), GONE),
    "an answer has another kind": (
        (*OPERATION, "responses", "201", "content", "application/json"),
        GONE,
    ),
    "a field of an answer is gone": ((*TOLD, "properties", "version"), GONE),
    "a field of an answer may be missing": ((*TOLD, "required"), ["outcome"]),
    "a field of an answer has another type": ((*TOLD, "properties", "version", "type"), "string"),
    "a field of an answer may be null": (
        (*TOLD, "properties", "version", "type"),
        ["integer", "null"],
    ),
    "a field of an answer is any text": ((*TOLD, "properties", "outcome", "enum"), GONE),
    "an answer has another form": (
        (*TOLD, "properties", "match", "oneOf", 1, "type"),
        "string",
    ),
    "a deep field is gone": (("components", "schemas", "Match", "properties", "table"), GONE),
    "a code is gone": ((CODES, "too_late"), GONE),
    "a code has another status": ((CODES, "too_late"), [410]),
}
ADDING: dict[str, tuple[tuple[Any, ...], Any]] = {
    "another address": (("paths", "/players/"), {"get": POST}),
    "another method": (("paths", "/clubs/", "post"), POST),
    "another parameter": ((*OPERATION, "parameters", 1, "description"), "New."),
    "a field that may be sent": ((*SENT, "properties", "third"), {"type": "integer"}),
    "a word that may be sent": ((*SENT, "properties", "winner", "enum"), ["home", "away", "3"]),
    "a field is wanted no longer": ((*SENT, "required"), []),
    "a field of an answer": ((*TOLD, "properties", "dispute"), {"type": "integer"}),
    "a word of an answer": (
        (*TOLD, "properties", "outcome", "enum"),
        ["accepted", "reported", "disputed"],
    ),
    "another refusal": ((*OPERATION, "responses", "428"), {"content": {}}),
    "another code": ((CODES, "too_early"), [409]),
}


def changed(place: tuple[Any, ...], value: Any) -> Any:
    """Return the document with this in that place, or without what is there."""
    document = deepcopy(DOCUMENT)
    part = document
    for name in place[:-1]:
        part = part[name]
    if value is GONE:
        del part[place[-1]]
    else:
        part[place[-1]] = value
    return document


@pytest.mark.parametrize("what", BREAKING)
def test_a_breaking_change_is_found(what: str) -> None:
    place, value = BREAKING[what]
    assert list(breaks(DOCUMENT, changed(place, value)))


@pytest.mark.parametrize("what", ADDING)
def test_an_addition_breaks_nothing(what: str) -> None:
    place, value = ADDING[what]
    assert not list(breaks(DOCUMENT, changed(place, value)))


def test_a_body_that_took_any_field_may_not_refuse_them() -> None:
    before = changed((*SENT, "additionalProperties"), GONE)
    assert len(set(breaks(before, DOCUMENT))) == 2  # at both addresses


def test_the_published_document_has_every_code_and_breaks_nothing_itself() -> None:
    published = read(PUBLISHED)
    assert published[CODES]["not_found"] == [404]
    assert not list(breaks(published, published))

"""Texts that mean harm, in every part of every address, every parameter and every field.

The routes come from the URL configuration, parameters and fields of pages from a walk through them,
those of the API from its document: a new one is tried as well. No answer is 500.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode

import pytest
from django.test import Client

from tests.api.test_routes import CHANGES, LINES, ROWS, Row, body_for
from tests.security.test_api_matrix import open_places
from tests.security.test_twice_at_once import organiser_of, organiser_s_program
from tests.security.test_web_matrix import undone
from tests.security.walk import PageForm, walk
from tests.support import rich, scenes
from tests.support.caller import document
from tests.support.routes import api_addresses, page_patterns

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

NULL: Final = "a\0b"
LONG: Final = "x" * 10_000
TURNED: Final = "\u202eA%00%ff%0d%0a\u2066%s'\""
HOSTILE: Final = (NULL, LONG, TURNED, "9" * 30)


def fails_with_500(client: Client, method: str, path: str, **fields: Any) -> bool:
    """Send a request, take back what it did, and return whether it was answered with 500."""
    with undone():
        return bool(client.generic(method, path, **fields).status_code >= 500)


@pytest.mark.long
def test_every_part_of_every_address() -> None:
    scene = rich.rich_club()
    club, tournament = scene.club, scene.club.tournaments.earliest("pk")
    browser = Client(raise_request_exception=False)
    browser.force_login(organiser_of(scene), "django.contrib.auth.backends.ModelBackend")
    paths = [
        base + path
        for base, routes in (
            ("/", [str(pattern.pattern) for pattern in page_patterns]),
            ("/api/v1/", api_addresses),
        )
        for route in routes
        for path in addresses(route, club.slug if route.startswith("clubs/") else tournament.slug)
    ]
    assert [path for path in paths if fails_with_500(browser, "GET", path)] == []


def addresses(route: str, slug: str) -> Iterator[str]:
    """Write a route with a hostile text in each of its parts, one after another."""
    parts = re.findall(r"<[^>]+>", route)
    for place in parts:
        for text in HOSTILE:
            address = route.replace(place, quote(text, safe=""), 1)
            yield re.sub(r"<(?:int:)[^>]+>", "1", re.sub(r"<(?!int:)[^>]+>", slug, address))


@pytest.mark.long
def test_every_parameter_and_field_of_the_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    boss = organiser_of(rich.rich_club())
    browser = Client(raise_request_exception=False)
    browser.force_login(boss, "django.contrib.auth.backends.ModelBackend")
    site, wrong = walk(browser, monkeypatch), []
    for path, names in site.pages.items():
        for name in sorted(names):
            for text in HOSTILE:
                query = urlencode({name: text})
                if fails_with_500(browser, "GET", path, QUERY_STRING=query):
                    wrong.append(f"{path}?{query[:60]}")
    for form in site.posts():
        for name, text in (
            (control.name, text) for control in form.controls for text in HOSTILE[:3]
        ):
            if field_fails(browser, form, name, text):
                wrong.append(f"{form.label}: {name}={text[:20]!r}")
    assert wrong == []


def field_fails(browser: Client, form: PageForm, name: str, text: str) -> bool:
    """Send a form with a hostile text in one of its fields."""
    with undone():
        response = browser.post(form.path, {**form.data, name: text})
    return bool(response.status_code >= 500)


def test_every_parameter_and_field_of_the_api() -> None:
    scene = scenes.running()
    places, caller = open_places(scene), organiser_s_program(scene)
    wrong = []
    for row in (row for rows in ROWS.values() for row in rows):
        path = row.path.format(**places)
        for query, body in hostile_requests(scene, row):
            with undone():
                answer = caller.call(
                    row.method,
                    path + query,
                    body,
                    {"Idempotency-Key": "hostile", "If-Match": "*"},
                    row.content_type,
                )
            if answer.status_code >= 500:
                wrong.append(f"{row.method} {path}{query[:60]} {body[:80]!r}")
    assert wrong == []


def hostile_requests(scene: scenes.Scene, row: Row) -> Iterator[tuple[str, bytes]]:
    """Write queries and bodies for a row, with a hostile text in one place each."""
    if row.method == "GET":
        operation = document()["paths"].get(f"/api/v1/{described(row.path)}", {}).get("get", {})
        for parameter in operation.get("parameters", ()):
            if parameter.get("in") == "query":
                yield from ((f"?{urlencode({parameter['name']: text})}", b"") for text in HOSTILE)
        return
    if row.method == "DELETE" or row.content_type == LINES:
        return
    body = json.loads(CHANGES[row.path] if row.method == "PATCH" else body_for(scene, row.path))
    for name, value in body.items():
        if isinstance(value, str):
            yield from (("", json.dumps({**body, name: text}).encode()) for text in HOSTILE)


def described(path: str) -> str:
    """Write the address of a row as the document does."""
    for documented_path in document()["paths"]:
        pattern = re.sub(r"\\{[^}]+\\}", "[^/]+", re.escape(documented_path))
        if re.fullmatch(pattern, f"/api/v1/{path}"):
            return str(documented_path).removeprefix("/api/v1/")
    return path

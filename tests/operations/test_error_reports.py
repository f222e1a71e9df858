"""Reports of errors reach a server of Sentry's protocol, and hold nothing that a person sent."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from tests.support import scenes
from tournaments.core.error_reports import ErrorReports
from tournaments.environment import read

pytestmark = pytest.mark.django_db

PLANTED = ("Ana García", "ana@example.org", "baza_0123456789abcdef_secret", "la-sota", "192.0.2.7")

Envelopes = Queue[tuple[str, str, list[Any]]]


@pytest.fixture
def server() -> Iterator[tuple[str, Envelopes]]:
    """Take envelopes on a free port: the address for the service, and what came."""
    envelopes: Envelopes = Queue()

    class Take(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            lines = [json.loads(line) for line in body.splitlines()]
            envelopes.put((self.path, self.headers["X-Sentry-Auth"], lines))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_args: Any) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Take) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://thekey@127.0.0.1:{http.server_port}/errors/7", envelopes
        http.shutdown()


@pytest.fixture
def reports(server: tuple[str, Envelopes]) -> Iterator[Envelopes]:
    """Attach the handler as the settings do where there is a DSN."""
    handler = ErrorReports(server[0])
    logging.getLogger().addHandler(handler)
    yield server[1]
    logging.getLogger().removeHandler(handler)


def break_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a query of pages and API fail with an exception full of what a person sent."""

    def fail(*_arguments: Any, **_named: Any) -> None:
        secret = " ".join(PLANTED)
        try:
            dict[str, str]()[secret]
        except KeyError as error:
            raise ValueError(f"a bug with {secret}") from error

    monkeypatch.setattr("tournaments.front.views.club_front", fail)
    monkeypatch.setattr("tournaments.people.api.queries.players_after", fail)


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("/clubs/{slug}/", "/clubs/<slug:slug>/"),
        ("/api/v1/clubs/{slug}/players/", "/api/v1/clubs/<slug:slug>/players/"),
    ],
)
def test_a_500_is_reported_with_its_places_and_nothing_that_was_sent(
    scene: scenes.Scene,
    reports: Envelopes,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    pattern: str,
) -> None:
    break_pages(monkeypatch)
    client = Client(raise_request_exception=False, REMOTE_ADDR="192.0.2.7")
    scene.club.slug = "la-sota"
    scene.club.save()
    query = {"name": "Ana García"} if "api" in path else {"token": PLANTED[2]}
    answer = client.get(path.format(slug="la-sota"), query, headers={"Cookie": f"x={PLANTED[2]}"})
    assert answer.status_code == 500
    address, auth, (head, item, event) = reports.get(timeout=10)
    assert address == "/errors/api/7/envelope/"
    assert "sentry_version=7" in auth
    assert "sentry_key=thekey" in auth
    assert (item, head["event_id"]) == ({"type": "event"}, event["event_id"])
    assert event["transaction"] == pattern
    assert event["tags"] == {"request": answer["X-Request-ID"]}
    kinds = [value["type"] for value in event["exception"]["values"]]
    assert kinds == ["KeyError", "ValueError"]
    (*_, place) = event["exception"]["values"][-1]["stacktrace"]["frames"]
    assert (place["filename"], place["function"]) == (
        "tests/operations/test_error_reports.py",
        "fail",
    )
    whole = json.dumps([head, item, event], ensure_ascii=False)
    assert not [planted for planted in PLANTED if planted in whole]


def test_a_server_that_does_not_answer_is_named_in_the_log_and_harms_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    handler = ErrorReports("http://thekey@127.0.0.1:9/7")
    handler.sending.acquire()
    handler.send({"event_id": "0" * 32})
    assert "The report of an error was not taken" in caplog.text
    assert "thekey" not in caplog.text
    assert handler.sending.acquire(blocking=False)


def test_without_an_address_nothing_is_sent(tmp_path: Any) -> None:
    assert read({"BAZA_VAR": str(tmp_path)}).sentry_dsn == ""
    assert settings.ERROR_REPORTS == {}
    assert not [each for each in logging.getLogger().handlers if isinstance(each, ErrorReports)]


def test_with_an_address_the_service_reports(tmp_path: Any) -> None:
    dsn = "https://key@errors.example/1"
    assert read({"BAZA_VAR": str(tmp_path), "BAZA_SENTRY_DSN": dsn}).sentry_dsn == dsn

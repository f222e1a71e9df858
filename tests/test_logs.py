"""What is written down: one event a line, under a number, and never what was sent."""

from __future__ import annotations

import io
import json
import logging
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import pytest
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import path

from tests.clubs import a_club, user
from tournaments import urls
from tournaments.celery import RetryingTask, app
from tournaments.core import jobs, logs
from tournaments.core.jobs import Job, post

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECRET = "Xq7vTrueno93"  # planted wherever a request can carry something
FORMS = {"line": logs.TextFormatter, "json": logs.JsonFormatter}


def breaks(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Fail with all that was sent in the exception's text, one inside the other."""
    value_error = ValueError(
        f"{request.GET} {request.POST} {request.COOKIES} {request.headers} {code} {number}"
    )
    try:
        raise value_error
    except ValueError as error:
        raise RuntimeError(f"{value_error}\nforged 2026-01-01 ERROR line") from error


def refuses(request: HttpRequest, code: str) -> HttpResponse:
    logging.getLogger("tournaments.tried").warning("no at %s of %s", request.path, code[:0])
    return HttpResponse(status=422)


urlpatterns = [
    path("tried/<str:code>/<int:number>/", breaks, name="breaks"),
    path("refused/<str:code>/", refuses),
    *urls.urlpatterns,
]
handler400, handler500 = urls.handler400, urls.handler500


class LogCapture:
    """Everything that is written meanwhile, in both forms, from the lowest level on."""

    def __init__(self) -> None:
        self.texts = {name: io.StringIO() for name in FORMS}
        self.handlers = []
        for name, form in FORMS.items():
            handler = logging.StreamHandler(self.texts[name])
            handler.setFormatter(form())
            self.handlers.append(handler)

    def __getitem__(self, name: str) -> str:
        return self.texts[name].getvalue()

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self["json"].splitlines()]


@pytest.fixture
def log_capture() -> Iterator[LogCapture]:
    capture = LogCapture()
    root = logging.getLogger()
    names = ("tournaments", "tournaments.core.middleware", "django", "axes")
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
    for handler in capture.handlers:
        root.addHandler(handler)
    yield capture
    for handler in capture.handlers:
        root.removeHandler(handler)
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.django_db
@pytest.mark.urls("tests.test_logs")
def test_a_secret_in_any_part_of_a_request_that_fails_is_never_written(
    client: Client, log_capture: LogCapture
) -> None:
    client.cookies["sessionid"] = client.cookies["table"] = SECRET
    headers = {
        "Authorization": f"Bearer baza_0123456789abcdef_{SECRET}",
        "X-CSRFToken": SECRET,
        "Referer": f"https://club.example/{SECRET}",
        "User-Agent": SECRET,
    }
    body = {"password": SECRET, "email": f"{SECRET}@example.org"}
    response = client.post(f"/tried/{SECRET}/7/?key={SECRET}", body, headers=headers)
    assert response.status_code == 500
    client.post(f"/refused/{SECRET}/?code={SECRET}", body)
    client.get(f"/nowhere/{SECRET}/")
    client.get("/", headers={"Host": f"{SECRET}.example"})
    client.get("/", headers={"Host": f"{SECRET} not a host"})
    strict = Client(raise_request_exception=False, enforce_csrf_checks=True)
    strict.post("/accounts/login/", body, headers={"Origin": f"https://{SECRET}.example"})
    client.post("/accounts/login/", {"username": SECRET, "password": SECRET})
    client.get(f"/invitations/{SECRET}/")
    client.get(f"/api/v1/clubs/?cursor={SECRET}", headers=headers)
    for form in FORMS:
        assert SECRET.lower() not in log_capture[form].lower()
    failed = next(event for event in log_capture.events if event.get("status") == 500)
    assert failed["route"] == "/tried/<str:code>/7/"
    traces = [line for event in log_capture.events for line in event.get("exception", ())]
    assert {"RuntimeError", "ValueError"} <= set(traces)
    assert any(line.startswith("  tests/test_logs.py:") and "breaks" in line for line in traces)


@pytest.mark.django_db
@pytest.mark.urls("tests.test_logs")
def test_a_line_an_event_whatever_the_text(client: Client, log_capture: LogCapture) -> None:
    client.get("/tried/a%0Aforged%20ERROR%20line/7/")
    log = logging.getLogger("tournaments.tried")
    log.warning("first\nsecond\r\x1b[31mred\u2028third")
    assert log_capture.events[-1]["message"] == "first\\x0asecond\\x0d\\x1b[31mred\\x2028third"
    for line in log_capture["line"].splitlines():
        assert line.startswith("    ") or line[:2] == "20"
    assert "\n20" not in log_capture["line"].replace("\n2026", "")
    assert "forged" not in log_capture["line"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("token baza_0123456789abcdef_aB-c_d and on", "token baza_… and on"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer …"),
        ("redis://user:word@host:6379/0", "redis://…@host:6379/0"),
        ("mail to ana.ruiz@example.org failed", "mail to …@… failed"),
        ("GET /x/?next=/t/&code=12 done", "GET /x/?… done"),
        ("baza_client/client.py", "baza_client/client.py"),
    ],
)
def test_secrets_are_known_by_their_form_with_any_author(text: str, expected: str) -> None:
    assert logs.remove_secrets(text) == expected


@pytest.mark.django_db
def test_an_event_shows_number_route_actor_status_and_duration(
    client: Client, log_capture: LogCapture
) -> None:
    ana, club = user("ana"), a_club()
    client.force_login(ana)
    response = client.get(f"/clubs/{club.slug}/", headers={"X-Request-ID": "from-the-proxy-1"})
    assert response["X-Request-ID"] == "from-the-proxy-1"
    (event,) = [row for row in log_capture.events if row["logger"] == "tournaments.core.middleware"]
    assert event["request_id"] == "from-the-proxy-1"
    assert (event["method"], event["route"]) == ("GET", f"/clubs/{club.slug}/")
    assert (event["status"], event["actor"]) == (200, ana.pk)
    assert event["duration_ms"] > 0
    assert "ana" not in str(event)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "text", ["", "short", "x" * 65, "with a space", "with\nline", "ñandú-ñandú"]
)
def test_a_number_that_is_none_is_replaced(client: Client, text: str) -> None:
    numbers = {client.get("/healthz", headers={"X-Request-ID": text})["X-Request-ID"] for _ in "ab"}
    assert len(numbers) == 2
    assert all(len(number) == 32 and number != text for number in numbers)


@pytest.mark.django_db
@pytest.mark.urls("tests.test_logs")
def test_one_who_meets_a_bug_sees_the_number_that_is_in_the_log(
    client: Client, log_capture: LogCapture
) -> None:
    page = client.get("/tried/a/7/", headers={"X-Request-ID": "seen-by-ana-1"})
    assert page.status_code == 500
    assert "seen-by-ana-1" in page.content.decode()
    assert all(row["request_id"] == "seen-by-ana-1" for row in log_capture.events)


@pytest.mark.django_db
@pytest.mark.urls("tests.test_logs")
def test_a_bug_is_answered_with_its_number_though_no_static_file_is_collected(
    client: Client, settings: Any, tmp_path: Path
) -> None:
    backend = "tournaments.core.static.ModuleStaticFilesStorage"
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": backend}}
    settings.STATIC_ROOT = tmp_path
    page = client.get("/tried/a/7/", headers={"X-Request-ID": "seen-by-ana-1"})
    assert page.status_code == 500
    assert "<title>500</title>" in page.content.decode()
    assert "seen-by-ana-1" in page.content.decode()


@pytest.mark.django_db
def test_a_job_carries_the_number_of_the_request_that_asked_for_it(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    fields: list[dict[str, Any]] = []

    class Messenger:
        def send_task(self, name: str, **options: Any) -> None:
            fields.append({"name": name, **options})

    monkeypatch.setattr(jobs, "current_app", Messenger())
    monkeypatch.setattr(logs, "_log_context", ContextVar("asked", default=None))
    request = RequestFactory().get("/")
    with (
        django_capture_on_commit_callbacks(execute=True),
        logs.log_request(request, "asked-for-it-1"),
        transaction.atomic(),
    ):
        post(Job.SWEEP)
    assert fields[0]["headers"] == {"request_id": "asked-for-it-1"}
    with django_capture_on_commit_callbacks(execute=True):
        post(Job.SWEEP)
    assert fields[1]["headers"] == {}


def test_what_a_worker_writes_carries_the_number_of_its_message(log_capture: LogCapture) -> None:
    log = logging.getLogger("tournaments.tried")

    def act() -> None:
        log.warning("done")

    task = app.task(name="tests.number", base=RetryingTask)(act)
    try:
        task.apply(headers={"request_id": "asked-for-it-2"})
        assert task() is None
    finally:
        app.tasks.pop("tests.number")
    rows = [row for row in log_capture.events if row["logger"] == "tournaments.tried"]
    assert rows[0]["request_id"] == "asked-for-it-2"
    assert rows[0]["task"] == "tests.number"

"""Requests that the database could not let through: carried out again, or answered with 503."""

from __future__ import annotations

import json
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import psycopg.errors
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.db import OperationalError, connection, transaction
from django.http import HttpRequest, HttpResponse

from tests.clubs import SYSTEM
from tests.support.caller import Caller, problem
from tests.support.scenes import Scene, record_between, records_of
from tournaments.celery import app
from tournaments.core import db
from tournaments.core.api.error_handlers import RetryMiddleware
from tournaments.core.audit import write_event
from tournaments.models import AuditEvent, Club, Record, Submission
from tournaments.results.services import submit

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client, RequestFactory

POSTGRES = [
    psycopg.errors.DeadlockDetected,
    psycopg.errors.SerializationFailure,
    psycopg.errors.LockNotAvailable,
]


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Note the pauses between attempts, and make none."""
    seconds: list[float] = []
    monkeypatch.setattr(db, "sleep", seconds.append)
    return seconds


def wrapped(cause: Exception) -> OperationalError:
    """Return what Django raises for an error of the driver."""
    error = OperationalError(*cause.args)
    error.__cause__ = cause
    return error


def busy() -> OperationalError:
    cause = sqlite3.OperationalError("database is locked")
    cause.sqlite_errorcode = sqlite3.SQLITE_BUSY_SNAPSHOT
    return wrapped(cause)


def failing(times: int, error: OperationalError, then: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that fails so often, and then does what it should."""
    left = [error] * times

    def act(*arguments: Any, **keywords: Any) -> Any:
        if left:
            raise left.pop()
        return then(*arguments, **keywords)

    return act


@pytest.mark.parametrize("error", [*(wrapped(kind("x")) for kind in POSTGRES), busy()])
def test_what_passes_is_tried_three_times_more(
    error: OperationalError, pauses: list[float]
) -> None:
    assert db.retry_transaction(failing(3, error, lambda: "done")) == "done"
    with pytest.raises(OperationalError):
        db.retry_transaction(failing(4, error, lambda: "done"))
    first, second, third = pauses[:3]
    assert 0 < first <= 0.05 < second * 2 <= 0.2 < third * 4 <= 0.8


@pytest.mark.parametrize(
    "error",
    [
        wrapped(psycopg.errors.AdminShutdown("terminating connection")),
        wrapped(psycopg.OperationalError("server closed the connection unexpectedly")),
        OperationalError("no such table"),
    ],
)
def test_a_lost_connection_is_not_tried_again(error: OperationalError, pauses: list[float]) -> None:
    with pytest.raises(OperationalError):
        db.retry_transaction(failing(1, error, lambda: "done"))
    assert pauses == []


def test_who_has_waited_for_long_is_informed(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 11.0])
    monkeypatch.setattr(db, "monotonic", lambda: next(clock))
    with pytest.raises(OperationalError):
        db.retry_transaction(failing(1, busy(), lambda: "done"))


def test_a_task_is_tried_again_too() -> None:
    acts = failing(2, busy(), lambda name: f"{name} sang")
    task = app.task(name="tests.sing", shared=False)(acts)
    assert task("who") == "who sang"


def test_the_files_of_a_form_are_read_again(rf: RequestFactory) -> None:
    body = {"file": SimpleUploadedFile("acta.txt", b"twenty in oros")}
    request = rf.post("/", body)
    read: list[bytes] = []

    def view(request: HttpRequest) -> HttpResponse:
        file = request.FILES["file"]
        assert isinstance(file, UploadedFile)
        read.append(file.read())
        if len(read) == 1:
            raise busy()
        return HttpResponse("done")

    answer = RetryMiddleware(lambda _: HttpResponse()).process_view(request, view, (), {})
    assert answer is not None
    assert answer.content == b"done"
    assert read == [b"twenty in oros"] * 2


# --- the API -------------------------------------------------------------------------------------


@pytest.fixture
def path(scene: Scene) -> str:
    return f"matches/{scene.matches()[1].pk}/records/"


@pytest.fixture
def body(scene: Scene) -> str:
    return record_between(scene.matches()[1], records_of("records"))


def test_a_submission_that_met_a_deadlock_is_carried_out_again(
    scene: Scene, organiser: Caller, path: str, body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = wrapped(POSTGRES[0]("deadlock detected"))
    monkeypatch.setattr(
        "tournaments.results.services.submit.judge", failing(3, error, vars(submit)["judge"])
    )
    before = Record.objects.count()
    response = organiser.submit(path, body)
    assert response.status_code == 201, response.content
    assert Record.objects.count() == before + 1


def test_after_the_last_attempt_it_is_a_503_and_the_key_is_free(
    scene: Scene, organiser: Caller, path: str, body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = wrapped(POSTGRES[1]("could not serialize access"))
    events = AuditEvent.objects.count()
    with monkeypatch.context() as patch:
        patch.setattr("tournaments.results.services.submit.judge", failing(4, error, lambda: None))
        response = organiser.submit(path, body)
        document = problem(response, 503, "unavailable")
    assert int(response.headers["Retry-After"]) > 0
    assert "serialize" not in json.dumps(document)
    assert AuditEvent.objects.count() == events
    assert not Submission.objects.exists()
    assert organiser.submit(path, body).status_code == 201


def test_a_request_tried_again_counts_once_against_the_quota(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rest_framework.settings import api_settings

    from tournaments.people import queries

    monkeypatch.setattr(api_settings, "DEFAULT_THROTTLE_RATES", {"anonymous": 2, "token": 2})
    monkeypatch.setattr("tournaments.core.api.requests.time.time", lambda: 6_000_000_030.0)
    acts = failing(3, busy(), vars(queries)["clubs_after"])
    monkeypatch.setattr(queries, "clubs_after", acts)
    answers = [Caller().get("clubs/").status_code for _ in range(3)]
    assert answers == [200, 200, 429]


# --- pages ---------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "words"), [("en", "Just a moment, please"), ("es", "Un momento, por favor")]
)
def test_a_page_without_its_database_asks_for_a_moment(
    client: Client, language: str, words: str
) -> None:
    def lose_connection(*_: object) -> None:
        raise wrapped(psycopg.OperationalError("gone"))

    with connection.execute_wrapper(lose_connection):
        response = client.get("/", headers={"accept-language": language})
    assert response.status_code == 503
    assert int(response.headers["Retry-After"]) > 0
    assert words in response.content.decode()
    assert "gone" not in response.content.decode()


@pytest.mark.django_db
def test_a_session_that_cannot_be_kept_is_a_503_too(
    client: Client, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.raise_request_exception = False
    client.force_login(scene.users["organiser"])

    def raising(*_: object) -> None:
        raise OperationalError("gone")

    monkeypatch.setattr(
        "django.contrib.sessions.middleware.SessionMiddleware.process_response", raising
    )
    response = client.get("/", headers={"accept-language": "en"})
    assert (response.status_code, "Retry-After" in response.headers) == (503, True)
    assert "Just a moment" in response.content.decode()


# --- for real ------------------------------------------------------------------------------------


@pytest.fixture
def two_clubs(transactional_db: None) -> tuple[Club, Club]:
    """Two clubs, whose rows two requests will want of each other."""
    return tuple(Club.objects.create(name=name, slug=name) for name in ("uno", "dos"))  # type: ignore[return-value]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("code", ["40P01", "40001"])
def test_requests_that_really_collide_are_both_carried_out_once(
    two_clubs: tuple[Club, Club], rf: RequestFactory, caplog: pytest.LogCaptureFixture, code: str
) -> None:
    """On PostgreSQL, where two can write at a time; on SQLite one waits for the other."""
    is_shared = connection.vendor == "postgresql"
    barrier = threading.Barrier(2)
    request = rf.get("/")

    def carry_out(mine: Club, other: Club) -> int:
        attempts = 0

        def view(_request: HttpRequest) -> HttpResponse:
            nonlocal attempts
            attempts += 1
            with transaction.atomic():
                if code == "40001" and is_shared:
                    connection.cursor().execute("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")
                    names = list(Club.objects.order_by("pk").values_list("city", flat=True))
                    wait(attempts)
                    Club.objects.filter(pk=mine.pk).update(city=f"{names}"[:60])
                else:
                    Club.objects.filter(pk=mine.pk).update(city="mine")
                    wait(attempts)
                    Club.objects.filter(pk=other.pk).update(city="mine")
                write_event(SYSTEM, "test.done", mine, club=mine)
            return HttpResponse("done")

        def wait(attempt: int) -> None:
            if attempt == 1 and is_shared:
                barrier.wait(timeout=30)

        try:
            answer = RetryMiddleware(lambda _: HttpResponse()).process_view(request, view, (), {})
        finally:
            connection.close()
        assert answer is not None
        assert answer.status_code == 200
        return attempts

    pairs = [two_clubs, two_clubs[::-1]]
    with ThreadPoolExecutor(2) as pool:
        attempts = list(pool.map(lambda pair: carry_out(*pair), pairs))
    assert AuditEvent.objects.filter(verb="test.done").count() == 2
    assert sum(attempts) == 2 + caplog.text.count("Once more, after")
    assert (sum(attempts) > 2) is is_shared


@pytest.mark.django_db(transaction=True)
def test_a_lock_that_is_held_too_long_is_waited_for_again(
    two_clubs: tuple[Club, Club], rf: RequestFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    club, _other = two_clubs
    holder = Holder(club)
    monkeypatch.setattr(db, "sleep", lambda _: holder.let_go())

    def view(_request: HttpRequest) -> HttpResponse:
        with transaction.atomic():
            hurry()
            Club.objects.filter(pk=club.pk).update(city="Huesca")
        return HttpResponse("done")

    answer = RetryMiddleware(lambda _: HttpResponse()).process_view(rf.get("/"), view, (), {})
    assert holder.has_let_go
    assert answer is not None
    assert answer.status_code == 200
    assert Club.objects.get(pk=club.pk).city == "Huesca"


@pytest.mark.django_db(transaction=True)
def test_a_lock_that_is_never_let_go_is_a_503(
    two_clubs: tuple[Club, Club], rf: RequestFactory
) -> None:
    club, _other = two_clubs
    holder = Holder(club)

    def view(_request: HttpRequest) -> HttpResponse:
        with transaction.atomic():
            hurry()
            Club.objects.filter(pk=club.pk).update(city="Huesca")
        return HttpResponse("done")

    try:
        answer = RetryMiddleware(lambda _: HttpResponse()).process_view(rf.get("/"), view, (), {})
    finally:
        holder.let_go()
    assert answer is not None
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert Club.objects.get(pk=club.pk).city == ""


def hurry() -> None:
    """Make waiting times short."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL lock_timeout = '50ms'")


class Holder:
    """Another connection that holds a club, or all of an SQLite file, for writing."""

    def __init__(self, club: Club) -> None:
        self.held, self.over, self.has_let_go = threading.Event(), threading.Event(), False
        self.thread = threading.Thread(target=self.hold, args=(club,))
        self.thread.start()
        assert self.held.wait(timeout=30)
        if connection.vendor == "sqlite":
            connection.cursor().execute("PRAGMA busy_timeout = 50")

    def hold(self, club: Club) -> None:
        """Hold it until released."""
        try:
            with transaction.atomic():
                Club.objects.select_for_update().get(pk=club.pk)
                self.held.set()
                self.over.wait(timeout=60)
        finally:
            connection.close()

    def let_go(self) -> None:
        """Hold it no more."""
        self.over.set()
        self.thread.join()
        self.has_let_go = True

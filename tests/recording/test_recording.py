"""The answer of every route for every role, compared with the one kept in `answers/`.

A change of an answer shows as a difference of a text file. Where it is meant, `BAZA_RECORD=1 ./baza
test tests/recording` writes the files, and `git diff` shows what a reader of the page will notice.
The files are the same on SQLite and PostgreSQL.
"""

from __future__ import annotations

import datetime as dt
import difflib
import os
import random
import sys
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
import time_machine
from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.core.management.color import no_style
from django.db import connection
from django.db.models.functions import Now
from django.test import Client

import engine
from tests.analysing import analyse_hand
from tests.api import test_routes
from tests.e2e.test_every_page import BY_CODE, LOOKS, ROUTES, Addresses, Look, session_of
from tests.recording.rendering import against, render_answer, render_roles
from tests.security.test_web_matrix import undone
from tests.support import rich, scenes
from tests.web.test_doors import DONE, MATRIX, NOBODY_READS, ROLES
from tournaments.models import Attempt
from tournaments.results.services.matches import dispute_result

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True, reset_sequences=True),
]

FOLDER: Final = Path(__file__).parent / "answers"
EVENING: Final = dt.datetime(2026, 11, 20, 18, 30, tzinfo=dt.UTC)
WHO: Final = (*ROLES, BY_CODE, "staff")
WRITES: Final = bool(os.environ.get("BAZA_RECORD"))
DRAWERS: Final = frozenset({"tournaments", "engine", "django", "rest_framework", "tests"})
"""Packages whose functions draw; the standard library draws for them."""

DOCUMENT: Final = "openapi"
"""The document of the API is docs/openapi.json, which `./baza fix` writes."""
FRAMED: Final = frozenset({"home", "club"})
"""Pages recorded with the frame of all pages, of the service and of a club."""
STREAM: Final = "events-stream"
"""A stream stays open; `tests/live/test_streams_api.py` reads it."""


@pytest.fixture(autouse=True)
def seeded_evening(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stop the clock on one evening, and take chance from a seed.

    Entry codes, the seeds of draws and tokens come from the operating system; an answer can only
    be compared when they are the same each time.
    """
    cache.clear()
    number_on()
    reseed("club", monkeypatch)
    monkeypatch.setattr(engine, "analyse_hand", analyse_hand, raising=False)
    with time_machine.travel(EVENING, tick=False):
        yield
    cache.clear()


class Chance:
    """Random bytes for tests: each function that draws has a sequence of its own.

    What a process draws only once (the names of temporary files, say) depends on the tests before.
    In one common sequence it would change all that is drawn after it.
    """

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.draws: Counter[str] = Counter()

    def __call__(self, size: int) -> bytes:
        frame = sys._getframe(1)
        while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] not in DRAWERS:
            frame = frame.f_back
        function = frame.f_code.co_name
        self.draws[function] += 1
        return random.Random(f"{self.seed} {function} {self.draws[function]}").randbytes(size)


def reseed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin new sequences of chance, so that one draw more or less changes one address only."""
    chance = Chance(name)
    monkeypatch.setattr("random._urandom", chance)
    monkeypatch.setattr("os.urandom", chance)


def number_on() -> None:
    """Let the next row of each table have the number after the last one that is there.

    PostgreSQL alone needs it: its sequences begin again below the bots that the migrations make,
    and go on counting when rows are rolled back.
    """
    tables = [model for model in apps.get_models() if model._meta.managed]
    if statements := connection.ops.sequence_reset_sql(no_style(), tables):
        with connection.cursor() as cursor:
            cursor.execute(";".join(statements))


@contextmanager
def rolled_back() -> Iterator[None]:
    """Take back the rows that are made within, and their numbers."""
    with undone():
        yield
    number_on()


def renew_attempts() -> None:
    """Date the bots' attempts now: a page names the workers heard of in a quarter of an hour.

    It asks the database's clock, which does not stand still, and a slow machine takes longer.
    """
    Attempt.objects.filter(ended_at__isnull=True).update(started_at=Now())
    Attempt.objects.filter(ended_at__isnull=False).update(ended_at=Now())


def difference(kind: str, name: str, lines: list[str]) -> str:
    """Compare the answers of a route with its recording; return where they part, or nothing."""
    path = FOLDER / kind / f"{name}.txt"
    if WRITES:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return ""
    if not path.exists():
        return f"{kind}/{name}.txt is missing: a route without a recording"
    old = path.read_text(encoding="utf-8").splitlines()
    changes = list(difflib.unified_diff(old, lines, "recorded", "answered", n=1, lineterm=""))
    return "\n".join([f"{kind}/{name}.txt", *changes[:40]]) if changes else ""


def visitor(session: str) -> Client:
    """Return a browser that reads Spanish, with a session or without one."""
    client = Client(headers={"Accept-Language": "es"}, raise_request_exception=False)
    if session:
        client.cookies[settings.SESSION_COOKIE_NAME] = session
    return client


def test_every_page_answers_every_role_as_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = rich.rich_club()
    sessions = {role: session_of(role, scene) if role else "" for role in WHO}
    usual = Client().get("/help/").headers
    differences = []
    for name in map(str, ROUTES):
        lines: list[str] = []
        read: dict[str, list[str]] = {}
        for method, look in requests_of(name):
            answers = {}
            path = ""
            for role in WHO:
                reseed(f"{name} {method} {look}", monkeypatch)
                with rolled_back():
                    renew_attempts()
                    path = Addresses(scene).of(name, look)
                    answer = getattr(visitor(sessions[role]), method)(path)
                    shown = render_answer(answer, usual, with_frame=name in FRAMED)
                    answers[role or "nobody"] = against(read.get(role, []), shown)
                    if method == "get":
                        answers[role or "nobody"] = read[role] = shown
            lines += render_roles(f"{method.upper()} {path}", answers)
        differences.append(difference("web", name, lines))
    assert not any(differences), "\n\n".join(filter(None, differences))


def requests_of(name: str) -> Iterator[tuple[str, Look]]:
    """Yield the addresses at which a route is read, then one to which an empty form is sent."""
    looks = LOOKS.get(name, (Look(verb=DONE.get(name, "draw-again")),))
    counts = list(dict.fromkeys(replace(look, who="") for look in looks))
    if MATRIX[name] is not NOBODY_READS:
        yield from (("get", look) for look in counts)
    yield "post", counts[0]


def test_every_operation_of_the_api_answers_every_caller_as_recorded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene = scenes.running()
    places = test_routes.addresses(scene)
    callers = test_routes.callers_of(scene)
    usual = callers["anonymous"].get("problems/").headers
    differences = []
    for name, rows in test_routes.ROWS.items():
        lines: list[str] = []
        for row in rows:
            path = row.path.format(**places, dispute=1)
            answers = {}
            for role, caller in callers.items():
                reseed(f"{name} {row.method}", monkeypatch)
                with rolled_back():
                    if name in {"take-up", "rule", "preview-ruling"}:
                        dispute_result(scene.organiser, scene.matches()[0], "Faltó una baza.")
                    answer = test_routes.answer_to(caller, scene, row, path)
                    if name != STREAM:
                        answers[role] = render_answer(answer, usual)
            lines += render_roles(f"{row.method} {path}", answers)
        if name not in {STREAM, DOCUMENT}:
            differences.append(difference("api", name, lines))
    assert not any(differences), "\n\n".join(filter(None, differences))

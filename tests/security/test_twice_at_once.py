"""Every form of the pages and every write of the API, sent twice in the same instant.

No answer is 500, and the second has no effect: the history has what one alone does. Forms are
those that a walk through the pages finds, and an empty one for each route that it does not meet;
addresses of the API are those of `tests.api.test_routes`, which has a row for every one. So a new
route is sent twice as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from tests.api import test_routes
from tests.api.test_routes import ROWS
from tests.e2e.test_every_page import LOOKS, ORGANISER, ROUTES, Addresses, Look, session_of
from tests.results.test_concurrency import at_once
from tests.security.snapshots import Snapshot
from tests.security.test_api_matrix import open_places
from tests.security.test_web_matrix import undone
from tests.security.walk import Control, PageForm, walk
from tests.support import rich, scenes
from tests.support.caller import BASE, Caller
from tests.web.test_doors import DONE
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.permissions import Actor
from tournaments.models import ApiToken, AuditEvent

if TYPE_CHECKING:
    from django.contrib.auth.models import User

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

Send = Callable[[], HttpResponse]


class Unchecked(Caller):
    """Calls without holding the answer against the document."""

    def call(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        content_type: str = "application/octet-stream",
    ) -> HttpResponse:
        client = Client(raise_request_exception=False)
        all_headers = {**self.headers, **(headers or {})}
        return client.generic(  # type: ignore[return-value]
            method, BASE + path, body, content_type, headers=all_headers
        )


def faults_of(send: Send, snapshot: Snapshot) -> list[str]:
    """Say what is wrong when something is sent twice in the same instant; takes it back."""
    before = AuditEvent.objects.count()
    with undone():
        send()
        alone = AuditEvent.objects.count() - before
    cache.clear()
    responses = at_once(lambda: send().status_code, lambda: send().status_code)
    together = AuditEvent.objects.count() - before
    verbs = list(AuditEvent.objects.order_by("pk").values_list("verb", flat=True))[before:]
    # What refuses both has written nothing: PostgreSQL takes 0.2 s and more to restore.
    if together or not all(isinstance(s, int) and 400 <= s < 500 for s in responses):
        snapshot.restore()
    cache.clear()
    faults = [f"{status}" for status in responses if not isinstance(status, int) or status >= 500]
    if together > alone:
        faults.append(f"{together} events instead of {alone}: {' '.join(verbs)}")
    return faults


def test_every_form(monkeypatch: pytest.MonkeyPatch) -> None:
    club = rich.rich_club()
    browser = Client(raise_request_exception=False)
    browser.force_login(organiser_of(club), "django.contrib.auth.backends.ModelBackend")
    forms = [(form, browser) for form in walk(browser, monkeypatch).posts()]
    forms += empty_forms(club, {form.route.partition(" ")[0] for form, _ in forms})
    wrong = {}
    with Snapshot() as snapshot:
        for form, tab in forms:
            if faults := faults_of(sender_of(form, tab), snapshot):
                wrong[form.label] = faults
    assert wrong == {}


def empty_forms(club: rich.RichClub, walked: set[str]) -> list[tuple[PageForm, Client]]:
    """Return a form with a key alone for each route that takes one and that a walk has not met.

    It is sent by the one who can open the route's page, else by the organiser.
    """
    forms = []
    for name in sorted({str(name) for name in ROUTES} - walked):
        look = LOOKS.get(name, (Look(),))[0]
        path = Addresses(club).of(name, replace(look, verb=DONE.get(name, "draw-again")))
        tab = Client(raise_request_exception=False)
        session = session_of(look.who or ORGANISER, club)
        tab.cookies[settings.SESSION_COOKIE_NAME] = session
        with undone():
            takes_forms = tab.post(path).status_code != HTTPStatus.METHOD_NOT_ALLOWED
        if takes_forms:
            forms.append((PageForm(path, name, "post", (Control("form_key", "twice"),)), tab))
    return forms


def sender_of(form: PageForm, browser: Client) -> Send:
    """Return what sends a form from the same session, in whichever thread."""

    def send() -> HttpResponse:
        tab = Client(raise_request_exception=False)
        tab.cookies = browser.cookies
        return tab.post(form.path, form.data)  # type: ignore[return-value]

    return send


def organiser_of(scene: rich.RichClub) -> User:
    """Return the organiser of the rich club, who is of the service's staff besides."""
    boss = scene.users["organiser"]
    boss.is_staff = True
    boss.save()
    return boss


def organiser_s_program(scene: scenes.Scene) -> Unchecked:
    """Return a program of the organiser that may do everything."""
    actor, scopes = scene.users["organiser"], tuple(ApiToken.Scope.values)
    token = issue_token(Actor.system(), scene.club, actor, name="suyo", scopes=scopes)[1]
    return Unchecked(token)


def test_every_write_of_the_api() -> None:
    scene = scenes.running()
    places = open_places(scene)
    caller = organiser_s_program(scene)
    wrong = {}
    with Snapshot() as snapshot:
        for row in (row for rows in ROWS.values() for row in rows if row.method != "GET"):
            path = row.path.format(**places)

            def send(row: test_routes.Row = row, path: str = path) -> HttpResponse:
                return test_routes.answer_to(caller, scene, row, path)

            if faults := faults_of(send, snapshot):
                wrong[f"{row.method} {row.path}"] = faults
    assert wrong == {}

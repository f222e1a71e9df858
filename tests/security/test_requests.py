"""Requests that mean harm: forged ones, foreign hosts, addresses to be led to, keys too many."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, reverse

from tests.api.test_routes import CHANGES, LINES, ROWS, addresses, body_for
from tests.clubs import a_draft
from tests.security.test_web_matrix import undone
from tests.support import scenes
from tests.support.caller import Caller
from tests.support.routes import page_patterns
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.permissions import Actor
from tournaments.environment import ROOT
from tournaments.models import ApiToken, Tournament
from tournaments.results.services.matches import dispute_result

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import User
    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db

ANY: Final = {"IntConverter": "1", "SlugConverter": "x", "StringConverter": "x"}
"""The text of an address that is never requested."""

EVERYWHERE: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
}
"""What every answer says about itself."""


TOKEN: Final = re.compile(r'name="csrfmiddlewaretoken" value="\w+"|"X-CSRFToken": "\w+"')


@pytest.fixture
def account() -> User:
    return scenes.user_named("conocida")


def signed_in(user: User) -> Client:
    browser = Client(enforce_csrf_checks=True, raise_request_exception=False)
    browser.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return browser


# --- Forged requests -------------------------------------------------------------------------


def test_no_page_takes_a_post_without_its_token(account: User) -> None:
    browser, statuses = signed_in(account), {}
    for pattern in page_patterns:
        assert isinstance(pattern, URLPattern)
        kinds = {
            key: type(converter).__name__ for key, converter in pattern.pattern.converters.items()
        }
        path = reverse(str(pattern.name), kwargs={key: ANY[kind] for key, kind in kinds.items()})
        response = browser.post(path)
        if response.status_code != 403:
            statuses[pattern.name] = response.status_code
    assert statuses == {}


@pytest.mark.parametrize("path", ["/i18n/setlang/", "/admin/login/", "/admin/logout/"])
def test_nor_do_the_pages_of_django(path: str, account: User) -> None:
    assert signed_in(account).post(path).status_code == 403


def test_what_is_sent_from_another_site_is_refused_under_https(
    account: User, settings: Settings
) -> None:
    settings.SECURE_SSL_REDIRECT = True
    browser = signed_in(account)
    foreign = {"Origin": "https://elsewhere.example"}
    assert browser.post("/accounts/logout/", headers=foreign, secure=True).status_code == 403


# --- Where one is led ------------------------------------------------------------------------

ELSEWHERE: Final = ("https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)")


@pytest.mark.parametrize("text", ELSEWHERE)
def test_signing_in_leads_nowhere_else(text: str, account: User) -> None:
    del account
    form = {"username": "conocida", "password": scenes.PASSWORD, "next": text}
    response = Client().post("/accounts/login/", form)
    assert (response.status_code, response["Location"]) == (302, "/")


@pytest.mark.parametrize("text", ELSEWHERE)
def test_changing_the_language_leads_nowhere_else(text: str) -> None:
    response = Client().post("/i18n/setlang/", {"language": "en", "next": text})
    assert (response.status_code, response["Location"]) == (302, "/")


@pytest.mark.parametrize("path", ["/", "/api/v1/clubs/", "/admin/", "/accounts/forgotten/"])
def test_a_host_that_is_not_ours_is_not_served(path: str, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["baza.example"]
    response = Client(raise_request_exception=False).get(
        path, headers={"host": "elsewhere.example"}
    )
    assert response.status_code == 400
    assert b"elsewhere" not in response.content


def test_who_signs_in_gets_another_session(account: User) -> None:
    del account
    browser = Client()
    browser.post("/i18n/setlang/", {"language": "en"})
    session = browser.session
    session["planted"] = "yes"
    session.save()
    browser.cookies["sessionid"] = before = str(session.session_key)
    browser.post("/accounts/login/", {"username": "conocida", "password": scenes.PASSWORD})
    assert "_auth_user_id" in browser.session
    assert browser.session.session_key != before


# --- What every answer says --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/accounts/", 302),
        ("/accounts/login/", 200),
        ("/no-such-page/", 404),
        ("/clubs/none/", 404),
        ("/api/v1/clubs/", 200),
        ("/api/v1/none/", 404),
        ("/api/v1/openapi.json", 200),
        ("/admin/", 302),
        ("/accounts/logout/", 302),
    ],
)
def test_every_kind_of_answer_has_the_same_headers(path: str, status: int) -> None:
    response = Client().get(path)
    assert response.status_code == status
    assert {name: response.headers.get(name) for name in EVERYWHERE} == EVERYWHERE
    assert "Strict-Transport-Security" not in response


def test_files_say_the_same_and_their_policy_keeps_them_out_of_frames(settings: Settings) -> None:
    settings.WHITENOISE_USE_FINDERS = True
    response = Client().get("/static/css/base.css")
    response.close()
    assert response.status_code == 200
    headers = {name: value for name, value in EVERYWHERE.items() if name != "X-Frame-Options"}
    assert {name: response.headers.get(name) for name in headers} == headers


def test_a_fault_of_ours_has_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_viewer: Actor, *, all_clubs: bool) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr("tournaments.front.queries.home.cards.home", broken)
    response = Client(raise_request_exception=False).get("/")
    assert response.status_code == 500
    assert {name: response.headers.get(name) for name in EVERYWHERE} == EVERYWHERE
    assert b"planted" not in response.content
    assert b"Traceback" not in response.content


def test_no_cache_keeps_what_not_everybody_is_shown(account: User) -> None:
    scene = scenes.running()
    slug, draft = scene.tournament.slug, a_draft(scene.club)
    desk = (f"/t/{slug}/desk/", f"/t/{draft.slug}/", "/accounts/", "/accounts/second-factor/")
    browser = signed_in(scene.users["organiser"])
    for path in desk:
        response = browser.get(path)
        assert response.status_code == 200, path
        assert {"no-store", "private"} <= set(response["Cache-Control"].split(", ")), path
    stranger = Client()
    assert "no-store" in stranger.get("/accounts/login/")["Cache-Control"]
    assert "Cache-Control" not in stranger.get(f"/t/{slug}/")
    code = scene.tournament.entries.first()
    assert code is not None
    second_response = stranger.post(f"/t/{slug}/come/code/", {"code": code.code})
    assert "no-store" in second_response["Cache-Control"]
    assert "no-store" in stranger.get(f"/t/{slug}/come/")["Cache-Control"]


def test_a_hidden_tournament_and_none_are_the_same_to_a_stranger() -> None:
    scene = scenes.running()
    scene.tournament.visibility = Tournament.Visibility.PRIVATE
    scene.tournament.save()

    def answers(slug: str) -> list[tuple[int, str]]:
        browser = Client(raise_request_exception=False)
        got = [
            browser.get(f"/t/{slug}/"),
            browser.get(f"/t/{slug}/come/"),
            browser.get(f"/t/{slug}/table/"),
            browser.get(f"/t/{slug}/table/", headers={"HX-Request": "true"}),
            browser.post(f"/t/{slug}/come/code/", {"code": "ZZZZZZ"}),
            browser.post(f"/t/{slug}/come/check-in/"),
            browser.post(f"/t/{slug}/come/none/"),
        ]
        return [(a.status_code, TOKEN.sub("", a.content.decode()).replace(slug, "…")) for a in got]

    assert answers(scene.tournament.slug) == answers("no-such-cup")


def test_under_https_browsers_are_asked_to_stay_there(settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_HSTS_SECONDS = 31_536_000
    settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = settings.SECURE_HSTS_PRELOAD = True
    policy = Client().get("/", secure=True)["Strict-Transport-Security"]
    assert policy == "max-age=31536000; includeSubDomains; preload"
    assert Client().get("/")["Location"].startswith("https://")


def test_the_cookies_are_out_of_reach_of_scripts_and_of_other_sites(account: User) -> None:
    del account
    browser = Client()
    browser.post("/accounts/login/", {"username": "conocida", "password": scenes.PASSWORD})
    session = browser.cookies["sessionid"]
    assert session["httponly"]
    assert session["samesite"] == "Lax"
    assert browser.cookies["csrftoken"]["samesite"] == "Lax"


# --- Keys too many -------------------------------------------------------------------------------


def test_no_body_of_the_api_takes_a_key_that_it_does_not_know() -> None:
    cache.clear()
    scene, statuses = scenes.running(), {}
    places = addresses(scene)
    places["dispute"] = dispute_result(scene.organiser, scene.matches()[0], "Faltó una baza.").pk
    actor, scopes = scene.users["organiser"], tuple(ApiToken.Scope.values)
    caller = Caller(issue_token(Actor.system(), scene.club, actor, name="suyo", scopes=scopes)[1])
    for row in (row for rows in ROWS.values() for row in rows):
        is_no_body = row.content_type == LINES or row.path.endswith(
            "turns/{turn}/"
        )  # a bot's words
        if row.method in {"GET", "DELETE"} or is_no_body or row.answers[-1] == 404:
            continue
        change = CHANGES[row.path] if row.method == "PATCH" else body_for(scene, row.path)
        body = json.dumps({**json.loads(change), "is_superuser": True}).encode()
        headers = {"Idempotency-Key": "too-many", "If-Match": "*"}
        path = row.path.format(**places)
        with undone():
            answer = caller.call(row.method, path, body, headers, "application/json")
        change = json.loads(answer.content)
        if answer.status_code not in {400, 422} or "is_superuser" not in answer.content.decode():
            statuses[row.path] = (answer.status_code, change.get("code"))
    assert statuses == {}


def test_a_form_beyond_the_limit_is_not_read(account: User) -> None:
    del account
    form_fields = {"username": "conocida", "password": scenes.PASSWORD, "more": "x" * 3_000_000}
    browser = Client(raise_request_exception=False)
    form = "application/x-www-form-urlencoded"
    response = browser.post("/accounts/login/", urlencode(form_fields), content_type=form)
    assert response.status_code in {400, 413}
    assert "_auth_user_id" not in browser.session


# --- Secrets ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "missing"),
    [({}, "BAZA_SECRET_KEY"), ({"BAZA_SECRET_KEY": "x1y2z" * 12}, "BAZA_AUDIT_KEY")],
)
def test_outside_the_embedded_mode_nothing_starts_on_a_secret_of_ours(
    fields: dict[str, str], missing: str, tmp_path: Path
) -> None:
    variables = {"BAZA_VAR": str(tmp_path), "DATABASE_URL": "postgresql://baza@db.example/baza"}
    answer = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env=variables | fields,
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 1
    assert answer.stderr.startswith(f"baza: {missing} is missing")
    assert answer.stderr.count("\n") == 1


def test_the_admin_is_for_staff_alone(account: User) -> None:
    for browser in (Client(), signed_in(account)):
        response = browser.get("/admin/tournaments/tournament/")
        assert response.status_code == 302
        assert "/admin/login/" in response["Location"]

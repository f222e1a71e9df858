"""Open pages behind nginx, with the configuration of `deploy/`: of equal polls few reach Django."""

from __future__ import annotations

import contextlib
import http.client
import json
from typing import TYPE_CHECKING

import pytest

from tests.drills.site import folder_with_files
from tests.served import WebServer
from tests.servers import NginxServer
from tests.support import scenes
from tournaments.core.api.problems import CONTENT_TYPE
from tournaments.core.live_version import live_version
from tournaments.core.permissions import Actor

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.scenes import Scene

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ATTEMPTS = 50
"""Pairs of equal requests, in case a busy machine takes a second between the two."""


@pytest.fixture
def scene(child_environment: dict[str, str]) -> Scene:
    return scenes.running()


@pytest.fixture
def site(
    nginx: str, child_environment: dict[str, str], scene: Scene, tmp_path: Path
) -> Iterator[NginxServer]:
    """Serve the tournament behind nginx."""
    environment = child_environment | {"BAZA_VAR": str(folder_with_files())}
    with (
        WebServer(environment, tmp_path / "granian.log") as service,
        NginxServer(nginx, service.port) as proxy,
    ):
        yield proxy


class Visitor:
    """Requests from one browser; each answer is known by its `X-Request-ID`."""

    def __init__(self, site: NginxServer, **headers: str) -> None:
        self.port, self.headers = site.port, headers

    def get(self, path: str, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        all_headers = {
            **self.headers,
            **{name.replace("_", "-"): headers[name] for name in headers},
        }
        connection.request("GET", path, headers=all_headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer, body

    def key(self, path: str, **headers: str) -> str:
        answer, _ = self.get(path, **headers)
        assert answer.status in {200, 204}, answer.status
        return answer.headers["X-Request-ID"]


def poll_of(scene: Scene, behind: int = 0) -> str:
    """Return the address that an open page polls, some versions behind."""
    version = int(live_version(scene.tournament.slug, Actor.anonymous()))
    return f"/t/{scene.tournament.slug}/?seen={version - behind}"


OTHERS: tuple[dict[str, str], ...] = (
    {"accept_language": "en"},
    {"cookie": "sessionid=of-an-organiser"},
    {"cookie": "messages=one"},
    {"baza_version": "999999"},
)
"""Headers on which the answer of a poll may depend."""


def test_of_equal_polls_few_reach_django_and_of_others_all(site: NginxServer, scene: Scene) -> None:
    visitor, other = Visitor(site), Visitor(site)
    for path in (poll_of(scene), poll_of(scene, behind=1)):
        assert any(visitor.key(path) == other.key(path) for _ in range(ATTEMPTS))
        for headers in OTHERS:
            assert visitor.key(path) != other.key(path, **headers), headers
    assert visitor.key(path) != other.key(path, accept_encoding="gzip"), "the page is compressed"


def test_an_opened_page_is_always_answered_by_django(site: NginxServer, scene: Scene) -> None:
    path, visitor = f"/t/{scene.tournament.slug}/", Visitor(site)
    assert len({visitor.key(path) for _ in range(5)}) == 5


def test_a_poll_in_another_language_is_answered_in_it(site: NginxServer, scene: Scene) -> None:
    path = poll_of(scene, 1)
    for language in ("es", "en", "de", "es"):
        answer, body = Visitor(site).get(path, accept_language=language)
        assert answer.headers["Content-Language"] == language
        assert f'lang="{language}"'.encode() in body


def test_streams_pass_as_they_are_sent(site: NginxServer, scene: Scene) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    connection.request("GET", f"/api/v1/tournaments/{scene.tournament.slug}/events/stream/")
    answer = connection.getresponse()
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    assert answer.readline() == b"retry: 2000\n"
    connection.close()


def test_figures_are_not_for_the_world(site: NginxServer) -> None:
    for path in ("/healthz", "/readyz", "/metrics"):
        assert Visitor(site).get(path)[0].status == 404


LARGEST = {
    "/clubs/{club}/tournaments/import/": (64, 66),
    "/clubs/{club}/tournaments/from-file/": (16, 18),
    "/t/{slug}/submit/": (5, 7),
    "/clubs/{club}/settings/photo/": (20, 22),
    "/api/v1/tournaments/{slug}/records/bulk/": (5, 7),
    "/api/v1/tournaments/{slug}/records/": (1, 3),
    "/accounts/login/": (1, 3),
}
"""By address: MiB of a body that reaches the service, and that does not."""


def test_a_body_is_let_through_by_its_address(site: NginxServer, scene: Scene) -> None:
    for path, (passes, refused) in LARGEST.items():
        address = path.format(slug=scene.tournament.slug, club=scene.club.slug)
        assert posted(site, address, passes)[0] != 413
        status, kind, body = posted(site, address, refused)
        assert status == 413
        if path.startswith("/api/"):
            most = "5 MiB" if "bulk" in path else "1 MiB"
            problem = json.loads(body)
            assert (kind, problem["code"], problem["status"]) == (CONTENT_TYPE, "too_large", 413)
            assert f"at most {most} at once" in problem["detail"]
            assert problem["instance"] == address


def posted(site: NginxServer, path: str, size: int) -> tuple[int, str, bytes]:
    """Post a body of so many MiB; return status, media type and body of the answer."""
    with contextlib.closing(
        http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    ) as connection:
        connection.putrequest("POST", path)
        connection.putheader("Content-Type", "application/x-ndjson")
        connection.putheader("Content-Length", str(size << 20))
        connection.endheaders()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.send(b" " * (size << 20))
        with connection.getresponse() as answer:
            return answer.status, str(answer.headers["Content-Type"]), answer.read()

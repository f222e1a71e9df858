"""Pages of a large event ask the database as often as those of a small one, and send little."""

from __future__ import annotations

import gzip
from http import HTTPStatus

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchmarks.pages import VIEW_AIM, addresses, first_view, open_event, superuser

pytestmark = pytest.mark.django_db

SMALL, MORE, LARGE = 20, 60, 150
"""Three times as many people show a query for each of them as well as eight times as many do."""
FILES = {"tournament-file", "export", "proof"}
"""Files that hold the whole event are read in portions."""


def asked(client: Client, path: str) -> tuple[int, int]:
    """Return how a page answers, and how often it asks the database."""
    cache.clear()
    with CaptureQueriesContext(connection) as queries:
        status = client.get(path).status_code
    return status, len(queries)


@pytest.mark.slow
def test_no_page_asks_more_often_when_more_people_play() -> None:
    client, large = superuser(), dict(addresses(open_event(MORE, "Largo")))
    paths = {name: (path, large[name]) for name, path in addresses(open_event(SMALL, "Corto"))}
    counts = {name: [asked(client, path) for path in both] for name, both in paths.items()}
    pages = {name: pair for name, pair in counts.items() if HTTPStatus.OK in dict(pair)}
    assert len(pages) > 40
    assert [name for name, (small, more) in pages.items() if small[0] != more[0]] == []
    more = [name for name, pair in pages.items() if pair[1] > pair[0] and name not in FILES]
    # Asked once again: what a process keeps for a minute may have run out in between.
    again = {name: [asked(client, path) for path in paths[name]] for name in more}
    assert {name: pair for name, pair in again.items() if pair[1] > pair[0]} == {}


def test_a_first_view_of_the_standings_is_small() -> None:
    tournament = open_event(LARGE, "Largo")
    number, files = first_view(
        Client(headers={"Accept-Encoding": "gzip"}), f"/t/{tournament.slug}/"
    )
    assert number <= VIEW_AIM
    assert files > 5


def test_a_page_travels_compressed_to_one_who_takes_it_so() -> None:
    path = f"/t/{open_event(SMALL, 'Corto').slug}/"
    packed = Client(headers={"Accept-Encoding": "gzip"}).get(path)
    plain = Client().get(path)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert b"<html" in gzip.decompress(packed.content)
    assert b"<html" in plain.content
    assert "Accept-Encoding" in plain.headers["Vary"]

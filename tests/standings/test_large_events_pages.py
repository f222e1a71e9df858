"""Pages of a large event ask the database as often as those of a small one, and send little."""

from __future__ import annotations

import gzip

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchmarks.pages import VIEW_AIM, first_view, open_event, pages, superuser

pytestmark = pytest.mark.django_db

SMALL, LARGE = 20, 150
FILES = {"tournament-file", "export", "proof"}
"""Files that hold the whole event are read in portions."""


def queries_of(client: Client, path: str) -> int:
    cache.clear()
    with CaptureQueriesContext(connection) as queries:
        client.get(path)
    return len(queries)


@pytest.mark.slow
def test_no_page_asks_more_often_when_more_people_play() -> None:
    client = superuser()
    small = dict(pages(client, open_event(SMALL, "Corto")))
    large = dict(pages(client, open_event(LARGE, "Largo")))
    assert set(small) == set(large)
    assert len(large) > 40
    counts = {
        name: (queries_of(client, path), queries_of(client, large[name]))
        for name, path in small.items()
        if name not in FILES
    }
    assert {name: pair for name, pair in counts.items() if pair[1] > pair[0]} == {}


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

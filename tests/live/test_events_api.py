"""The live events over the API: pages, tokens, and the stream where the server keeps none open."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.clubs import NOBODY, a_club, a_draft, submitted, the_liguilla
from tests.support.caller import Caller, problem
from tests.support.scene_rows import reuse_rows
from tournaments.live.queries.feed import open_feed, token_of
from tournaments.models import AuditEvent, Tournament

pytestmark = pytest.mark.django_db
LINES = "application/x-ndjson"


@pytest.fixture
def night() -> Tournament:
    return six_matches_played()


@reuse_rows()
def six_matches_played() -> Tournament:
    """A night with the first six matches played."""
    night = the_liguilla(published=2)
    for index in range(6):
        submitted(night, index)
    return night


def pages(path: str) -> list[dict[str, Any]]:
    results, following = [], path
    while following:
        page = Caller().read(following)
        results += page["results"]
        assert page["token"] == results[-1]["token"]
        following = page["next"]
    return results


def frames(body: bytes) -> list[dict[str, Any]]:
    """What a browser would make of a stream."""
    documents = []
    for frame in body.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in frame.splitlines() if line)
        if "data" in fields:
            documents.append(json.loads(fields["data"]))
            assert fields["id"] == documents[-1]["token"]
    return documents


def test_pages_of_any_size_tell_the_same(night: Tournament) -> None:
    path = f"tournaments/{night.slug}/events/"
    whole = pages(path)
    assert [event["type"] for event in whole].count("result.accepted") == 6
    assert pages(f"{path}?page_size=1") == whole
    assert pages(f"{path}?page_size=4&since={whole[2]['token']}") == whole[3:]


def test_what_an_event_is_about_can_be_read(night: Tournament) -> None:
    for event in pages(f"tournaments/{night.slug}/events/"):
        assert Caller().read(event["subject"]["url"])


def test_who_has_all_gets_nothing_and_keeps_their_token(night: Tournament) -> None:
    path = f"tournaments/{night.slug}/events/"
    token = pages(path)[-1]["token"]
    page = Caller().read(f"{path}?since={token}")
    assert page == {"results": [], "next": None, "token": token}
    submitted(night, 6)
    (event,) = Caller().read(f"{path}?since={token}")["results"]
    assert (event["type"], event["standings"]) == ("result.accepted", True)


def test_nothing_private_is_in_any_form(night: Tournament) -> None:
    path = f"tournaments/{night.slug}/events/"
    whole = Caller().read(path)["results"]
    for event in whole:
        assert set(event) == {"token", "type", "at", "subject", "standings"}
        assert set(event["subject"]) == {"kind", "id", "url"}
    numbers = set(AuditEvent.objects.values_list("sequence", flat=True))
    assert not {event["token"] for event in whole} & {str(number) for number in numbers}


@pytest.mark.parametrize("token", ["", "x", "1", "%00", "0" * 24])
@pytest.mark.parametrize("form", ["", "stream/"])
def test_a_token_that_is_none_is_refused(night: Tournament, token: str, form: str) -> None:
    response = Caller().get(f"tournaments/{night.slug}/events/{form}?since={token}")
    problem(response, 400, "bad_parameter")


def test_a_token_of_another_tournament_or_of_a_time_to_come_is_refused(night: Tournament) -> None:
    path = f"tournaments/{night.slug}/events/"
    feed = open_feed(night.slug, NOBODY)
    foreign, early = token_of(feed.tournament + 1, 1), token_of(feed.tournament, feed.last + 1)
    for token in (foreign, early):
        problem(Caller().get(f"{path}?since={token}"), 400, "bad_parameter")
        headers = {"Last-Event-ID": token}
        problem(Caller().get(f"{path}stream/", **headers), 400, "bad_parameter")


def test_a_draft_and_what_is_not_there_have_no_events() -> None:
    draft = a_draft(a_club())
    for slug in (draft.slug, "nada"):
        for form in ("", "stream/"):
            problem(Caller().get(f"tournaments/{slug}/events/{form}"), 404, "not_found")


def test_other_parameters_and_kinds_are_refused(night: Tournament) -> None:
    path = f"tournaments/{night.slug}/events/"
    for form in ("", "stream/"):
        problem(Caller().get(f"{path}{form}?after=1"), 400, "bad_parameter")
    problem(Caller().get(f"{path}stream/", Accept="text/html"), 406, "not_acceptable")


def test_a_stream_says_what_the_pages_say(night: Tournament) -> None:
    path = f"tournaments/{night.slug}/events/"
    whole = pages(path)
    response = Caller().get(f"{path}stream/")
    assert (response["Content-Type"], response["Cache-Control"]) == (
        "text/event-stream",
        "no-store",
    )
    assert response.content.startswith(b"retry: 2000\n\n")
    assert frames(response.content) == whole
    lines = Caller().get(f"{path}stream/", Accept=LINES).content.splitlines()
    assert [json.loads(line) for line in lines if line] == whole


def test_the_last_id_goes_before_since(night: Tournament) -> None:
    path = f"tournaments/{night.slug}/events/"
    whole = pages(path)
    address = f"{path}stream/?since={whole[1]['token']}"
    assert frames(Caller().get(address).content) == whole[2:]
    resumed = Caller().get(address, **{"Last-Event-ID": whole[4]["token"]})
    assert frames(resumed.content) == whole[5:]

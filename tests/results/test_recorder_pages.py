"""Hands written down on a player's device: what the service answers, and what it takes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

import engine
from tests.clubs import SYSTEM
from tests.support import scenes
from tests.support.coto_matches import best_of_three
from tests.support.coto_matches import submit_coto as coto
from tests.support.counting import count_queries
from tests.support.event_tables import home, table_1
from tournaments.core.permissions import Actor
from tournaments.core.views import ENTRY_CODES
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.scores import Score
from tournaments.models import Entry, Match, Record
from tournaments.results.queries.matches import recorder_page
from tournaments.results.services.matches import correct_result
from tournaments.results.views import records

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> scenes.Scene:
    """Round 1 published, nothing played."""
    scene = scenes.drawn()
    publish_round(scene.organiser, scene.rounds[0])
    return scene


@pytest.fixture
def match(scene: scenes.Scene) -> Match:
    return scene.matches()[0]


def phone(entry: Entry | None) -> Client:
    """A phone on which the code of an entry was given."""
    assert entry is not None
    client = Client(headers={"Accept-Language": "es"})
    session = client.session
    session[ENTRY_CODES] = {entry.tournament.slug: entry.code}
    session.save()
    return client


def record_of(match: Match) -> dict[str, Any]:
    """A good record of the match, as its hands were seen."""
    record: dict[str, Any] = json.loads(scenes.record_between(match, scenes.records_of("records")))
    return record


def submit_verdict(
    client: Client, match: Match, record: Any, key: str = "k-1", **judged: Any
) -> Any:
    """Send a record with the verdict that the engine gives, unless it is given otherwise."""
    verdict = engine.audit(record)
    code = verdict.faults[0].code if verdict.faults else ""
    form = {"code": code, "digest": verdict.digest, "score": verdict.score, **judged}
    return post(client, match, {"record": record, "verdict": form}, key)


def post(client: Client, match: Match, body: Any, key: str = "k-1") -> Any:
    path = reverse("recorder-send", args=[match.pk])
    headers = {"Idempotency-Key": key}
    return client.post(path, body, content_type="application/json", headers=headers)


def field_of(answer: Any, name: str) -> Any:
    return answer.json()[name]


def test_one_who_gave_the_code_of_their_entry_writes_down_and_the_other_side_confirms(
    match: Match,
) -> None:
    client, record = phone(match.home), record_of(match)
    page = client.get(reverse("recorder", args=[match.pk])).content.decode()
    assert 'id="recorder-start"' in page
    answer = submit_verdict(client, match, record)
    assert (answer.status_code, field_of(answer, "outcome")) == (201, "reported")
    confirmed = submit_verdict(phone(match.away), match, record)
    assert (confirmed.status_code, field_of(confirmed, "outcome")) == (200, "confirmed")
    assert Match.objects.get(pk=match.pk).state == "accepted"


def test_what_is_sent_again_with_its_key_is_one_record(match: Match) -> None:
    client, record = phone(match.home), record_of(match)
    first, second = submit_verdict(client, match, record), submit_verdict(client, match, record)
    assert first.content == second.content
    assert Record.objects.filter(match=match).count() == 1


def test_a_match_that_is_not_decided_is_not_taken(match: Match) -> None:
    record = record_of(match)
    record |= {"hands": record["hands"][:1], "score": None, "winner": None}
    answer = submit_verdict(phone(match.home), match, record)
    assert (answer.status_code, field_of(answer, "code")) == (422, "incomplete")


def test_who_does_not_play_in_the_match_sends_nothing(scene: scenes.Scene, match: Match) -> None:
    other = scene.matches()[1]
    answer = submit_verdict(phone(other.home), match, record_of(match))
    assert (answer.status_code, field_of(answer, "code")) == (403, "forbidden")


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b"{}",
        b'{"record": {}}',
        b'{"record": [], "verdict": {}}',
        b'{"record": {}, "verdict": "good"}',
    ],
)
def test_what_is_no_record_with_a_verdict_is_refused(match: Match, body: bytes) -> None:
    response = post(phone(match.home), match, body)
    assert (response.status_code, field_of(response, "code")) == (422, "bad_draft")


def test_no_difference_is_logged_where_browser_and_service_agree(
    match: Match, caplog: pytest.LogCaptureFixture
) -> None:
    record = record_of(match)
    assert submit_verdict(phone(match.home), match, record).status_code == 201
    record["hands"][0]["play"] = "1o " + record["hands"][0]["play"]
    assert submit_verdict(phone(match.home), match, record, "k-2").status_code == 422
    assert "recorder.difference" not in caplog.text


@pytest.mark.parametrize(
    "judged", [{"code": "play.must_head"}, {"digest": "sha256:0"}, {"score": {"AC": 9, "BD": 0}}]
)
def test_a_record_that_the_browser_judged_otherwise_is_taken_and_logged_as_a_defect(
    match: Match, caplog: pytest.LogCaptureFixture, judged: dict[str, Any]
) -> None:
    assert submit_verdict(phone(match.home), match, record_of(match), **judged).status_code == 201
    (line,) = [record for record in caplog.records if "recorder.difference" in record.message]
    assert line.levelname == "ERROR"
    assert f"match={match.pk} " in line.message
    assert str(next(iter(judged.values()))) in line.message
    assert "'code': ''" in line.message.partition("service=")[2]


def test_the_page_has_the_rules_the_tags_and_both_ways_to_sit(match: Match) -> None:
    page = phone(match.home).get(reverse("recorder", args=[match.pk])).content.decode()
    pattern_match = re.search(r'<script id="recorder-start"[^>]*>(.*?)</script>', page)
    assert pattern_match
    start = json.loads(pattern_match[1])
    assert start["ruleset"] == match.tournament.ruleset
    assert start["tags"]["round"] == "1"
    first, second = start["orders"]
    assert first[0] == second[0]
    assert first[1::2] == second[1::2][::-1]


def test_the_recorder_of_a_closed_match_says_why_and_how_it_stands(match: Match) -> None:
    client = phone(match.home)
    correct_result(SYSTEM, match, Score(3, 1, 0, 0), reason="Consta en el acta de papel.")
    response = client.get(reverse("recorder", args=[match.pk]))
    assert response.status_code == 409
    page = response.content.decode()
    assert "dio el árbitro" in page
    assert "Lo da el árbitro" in page
    assert reverse("match", args=[match.pk]) in page
    assert f"baza-record-{match.pk}" in page
    assert "recorder.js" not in page


def test_the_page_proposes_the_coto_that_comes_next() -> None:
    match = table_1(best_of_three())
    for number in (1, 2):
        page = recorder_page(match.pk, home(match))
        assert (page.coto, page.most_cotos) == (number, 3)
        coto(home(match), match, ("home", "away")[number - 1])
    assert recorder_page(match.pk, home(match)).coto == 3


def test_the_page_is_read_with_few_queries(match: Match) -> None:
    page, count = count_queries(lambda: recorder_page(match.pk, Actor.for_entry(match.home)))
    assert count <= 13
    assert len(page.orders) == 2


# --- The copy on the device ----------------------------------------------------------------------


def cached_by_match(match: Match) -> dict[str, Any]:
    """Return what the service worker of a match says that it keeps."""
    return cached_at(reverse("recorder-worker", args=[match.pk]))


def cached_at(path: str) -> dict[str, Any]:
    response = Client().get(path)
    assert response.headers["Content-Type"].startswith("text/javascript")
    assert response.headers["Cache-Control"] == "no-cache"
    line = next(
        text_line
        for text_line in response.content.decode().splitlines()
        if text_line.startswith("const {")
    )
    fields: dict[str, Any] = json.loads(line.partition(" = ")[2].rstrip(";"))
    return fields


def test_the_worker_keeps_every_file_that_the_page_names_and_its_modules(match: Match) -> None:
    page = phone(match.home).get(reverse("recorder", args=[match.pk])).content.decode()
    fields = cached_by_match(match)
    occurrences = set(re.findall(r'(?:href|src)="(/static/[^"#?]+)', page))
    assert occurrences <= set(fields["files"])
    for name in ("recorder", "tute"):
        folder = finders.find(f"js/{name}")
        assert isinstance(folder, str)
        modules = {f"/static/js/{name}/{path.name}" for path in Path(folder).iterdir()}
        assert modules <= set(fields["files"])
    assert all(finders.find(path.removeprefix("/static/")) for path in fields["files"])


def test_the_worker_of_ones_own_table_keeps_what_the_page_names_and_no_other_page(
    match: Match,
) -> None:
    slug = match.tournament.slug
    page = phone(match.home).get(reverse("own-table", args=[slug])).content.decode()
    fields = cached_at(reverse("own-table-worker", args=[slug]))
    assert f'data-worker="{reverse("own-table-worker", args=[slug])}"' in page
    assert set(re.findall(r'(?:href|src)="(/static/[^"#?]+)', page)) <= set(fields["files"])
    for path in fields["files"]:
        position = finders.find(path.removeprefix("/static/"))
        assert isinstance(position, str)
        if path.endswith(".js"):
            imports = re.findall(
                r'^import .*"\./([^"]+)";', Path(position).read_text(), re.MULTILINE
            )
            assert {f"/static/js/{name}" for name in imports} <= set(fields["files"]), path
    assert fields["page"] == reverse("own-table", args=[slug])


def test_the_worker_of_a_match_keeps_that_page_alone(scene: scenes.Scene, match: Match) -> None:
    fields = cached_by_match(match)
    other = cached_by_match(scene.matches()[1])
    assert fields["page"] == reverse("recorder", args=[match.pk])
    assert all(path.startswith("/static/") for path in fields["files"])
    assert fields["name"].startswith(fields["family"])
    assert not other["name"].startswith(fields["family"])


def test_the_worker_has_another_name_when_a_file_is_another(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = cached_by_match(match)["name"]
    assert cached_by_match(match)["name"] == before
    monkeypatch.setattr(records, "RECORDER_FILES", records.RECORDER_FILES[1:])
    assert cached_by_match(match)["name"] != before

"""Hands written down on somebody's device: what the service answers, and what it takes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from tests.support import scenes
from tests.support.counting import counted
from tournaments.core.permissions import Actor
from tournaments.core.views import ENTRY_CODES
from tournaments.director.services.tournaments import publish_round
from tournaments.models import Entry, Match, Record
from tournaments.results.queries.recorder import recorder_page
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


def draft_of(match: Match, **more: Any) -> dict[str, Any]:
    """The match's own good record as its hands were seen."""
    record = json.loads(scenes.record_between(match, scenes.records_of("records")))
    hands = [
        {"dealer": hand["dealer"], "trump": hand["trump"], "tokens": hand["play"].split()}
        for hand in record["hands"]
    ]
    return {"order": 0, "hands": hands, **more}


def asked(client: Client, match: Match, draft: dict[str, Any]) -> Any:
    path = reverse("recorder-next", args=[match.pk])
    return client.post(path, draft, content_type="application/json")


def sent(client: Client, match: Match, draft: dict[str, Any], key: str = "k-1") -> Any:
    path = reverse("recorder-send", args=[match.pk])
    headers = {"Idempotency-Key": key}
    return client.post(path, draft, content_type="application/json", headers=headers)


def test_whoever_gave_the_code_of_his_entry_writes_down_and_the_other_side_confirms(
    match: Match,
) -> None:
    client, draft = phone(match.home), draft_of(match)
    page = client.get(reverse("recorder", args=[match.pk])).content.decode()
    assert 'id="recorder-start"' in page
    told = asked(client, match, draft).json()
    assert (told["decided"], told["phase"]) == (True, "over")
    answer = sent(client, match, draft)
    assert (answer.status_code, answer.json()["outcome"]) == (201, "reported")
    confirmed = sent(phone(match.away), match, draft)
    assert (confirmed.status_code, confirmed.json()["outcome"]) == (200, "confirmed")
    assert Match.objects.get(pk=match.pk).state == "accepted"


def test_what_is_sent_again_with_its_key_is_one_record(match: Match) -> None:
    client, draft = phone(match.home), draft_of(match)
    first, again = sent(client, match, draft), sent(client, match, draft)
    assert first.json() == again.json()
    assert Record.objects.filter(match=match).count() == 1


def test_a_match_that_is_not_decided_is_not_taken(match: Match) -> None:
    draft = draft_of(match)
    draft["hands"] = draft["hands"][:1]
    answer = sent(phone(match.home), match, draft)
    assert (answer.status_code, answer.json()["code"]) == (422, "incomplete")
    assert not Record.objects.filter(match=match).exists()


def test_who_does_not_play_in_the_match_is_told_nothing(scene: scenes.Scene, match: Match) -> None:
    other = scene.matches()[1]
    answer = asked(phone(other.home), match, draft_of(match))
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


def test_a_card_against_a_duty_is_told_with_the_trick_to_go_back_to(match: Match) -> None:
    hand = {"dealer": "D", "trump": "7o", "tokens": ["1c", "4e", "2c", "5c", "1e", "3c"]}
    told = asked(phone(match.home), match, {"order": 0, "hands": [hand]}).json()
    assert (told["good"], told["fault"]["here"], told["fault"]["token"]) == (5, 5, 1)
    assert told["fault"]["words"].startswith("En la baza 1 ")
    assert "3c" in told["fault"]["legal"]
    assert told["turn"] == "B"
    seen = asked(phone(match.home), match, {"order": 0, "hands": [hand], "at": 1}).json()
    assert (seen["cursor"], seen["table"]) == (1, [["A", "1c"]])


def test_partners_may_sit_the_other_way_round(match: Match) -> None:
    draft = draft_of(match, order=1)
    assert sent(phone(match.home), match, draft).status_code == 201
    record = json.loads(Record.objects.get(match=match).text)
    assert record["seats"][1::2] == list(reversed(match.names_at(1)))


@pytest.mark.parametrize(
    "draft",
    [
        b"{",
        b"[]",
        b'{"order": true, "hands": []}',
        b'{"order": 7, "hands": []}',
        b'{"order": 0, "hands": [{"tokens": "1o"}]}',
        b'{"order": 0, "hands": [{"tokens": ["1o 2o"]}]}',
        b'{"order": 0, "hands": [{"dealer": 3}]}',
        b'{"order": 0, "hands": [], "at": "x"}',
    ],
)
def test_what_is_no_draft_is_refused(match: Match, draft: bytes) -> None:
    path = reverse("recorder-next", args=[match.pk])
    answer = phone(match.home).post(path, draft, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_draft")


@pytest.mark.parametrize(
    "hand",
    [
        {"dealer": "Z", "trump": "1o"},
        {"dealer": "A", "trump": "9x"},
        {"dealer": "A", "trump": "1o", "deal": {"A": "x y"}, "tokens": ["?"]},
        {"dealer": "A", "trump": "1o", "deal": {"Q": "1o"}, "tokens": ["Z:40", "1o"]},
        {"dealer": "A", "trump": "1o", "stock": "1o 1o", "tokens": ["A:tuteX", "B:20"]},
        {"dealer": "A", "trump": "1o", "deal": {"B": "a b c d e f g h i j"}},
    ],
)
def test_nonsense_in_a_draft_is_no_bug_of_ours(match: Match, hand: dict[str, Any]) -> None:
    assert asked(phone(match.home), match, {"order": 0, "hands": [hand]}).status_code == 200


def test_the_page_is_read_with_few_queries(match: Match) -> None:
    page, count = counted(lambda: recorder_page(match.pk, Actor.of_entry(match.home)))
    assert count <= 13
    assert len(page.orders) == 2


# --- The copy on the device ----------------------------------------------------------------------


def kept_by(client: Client, match: Match) -> dict[str, Any]:
    """Return what the service worker of a match says that it keeps."""
    answer = client.get(reverse("recorder-worker", args=[match.pk]))
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"
    line = next(one for one in answer.content.decode().splitlines() if one.startswith("const {"))
    kept: dict[str, Any] = json.loads(line.partition(" = ")[2].rstrip(";"))
    return kept


def test_the_worker_keeps_every_file_that_the_page_names_and_its_modules(match: Match) -> None:
    page = phone(match.home).get(reverse("recorder", args=[match.pk])).content.decode()
    kept = kept_by(Client(), match)
    named = set(re.findall(r'(?:href|src)="(/static/[^"#?]+)', page))
    assert named <= set(kept["files"])
    folder = finders.find("js/recorder")
    assert isinstance(folder, str)
    modules = {f"/static/js/recorder/{path.name}" for path in Path(folder).iterdir()}
    assert modules <= set(kept["files"])
    assert all(finders.find(path.removeprefix("/static/")) for path in kept["files"])


def test_the_worker_of_a_match_keeps_that_page_alone(scene: scenes.Scene, match: Match) -> None:
    kept = kept_by(Client(), match)
    other = kept_by(Client(), scene.matches()[1])
    assert kept["page"] == reverse("recorder", args=[match.pk])
    assert all(path.startswith("/static/") for path in kept["files"])
    assert kept["name"].startswith(kept["family"])
    assert not other["name"].startswith(kept["family"])


def test_the_worker_has_another_name_when_a_file_is_another(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kept_by(Client(), match)["name"]
    assert kept_by(Client(), match)["name"] == before
    monkeypatch.setattr(records, "FILES", records.FILES[1:])
    assert kept_by(Client(), match)["name"] != before

"""An arbiter gives all points of a hand to the other side, as after a revoke."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.conftest import Issue
from tests.support import scenes
from tests.support.caller import problem
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.scores import Score
from tournaments.models import AuditEvent, Match, Result
from tournaments.results.services.given import HandAward
from tournaments.results.services.matches import correct_result, dispute_result
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db

# 3–1: the third hand made it 2–1.
HANDS = [
    {"home": 90, "away": 40},
    {"home": 40, "away": 90},
    {"home": 100, "away": 30},
    {"home": 80, "away": 50},
]


@pytest.fixture
def scene() -> scenes.Scene:
    """Round 1 published; a match goes to three hands."""
    scene = scenes.drawn()
    publish_round(scene.organiser, scene.rounds[0])
    return scene


@pytest.fixture
def match(scene: scenes.Scene) -> Match:
    """The first match, won by 3–1 with the points of each hand."""
    match = scene.matches()[0]
    report_result(scene.organiser, match, hand_scores=HANDS)
    return match


def arbiter(scene: scenes.Scene) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(scene.users["arbiter"])
    return client


def live(match: Match) -> Result:
    return match.results.live().get()


def score(match: Match) -> tuple[int, int, int, int]:
    result = live(match)
    return result.home_hands, result.away_hands, result.home_points, result.away_points


def test_the_hand_goes_to_the_other_side_and_the_score_follows(
    scene: scenes.Scene, match: Match
) -> None:
    correct_result(scene.organiser, match, reason="Renuncio.", award=HandAward(3, "away"))
    assert score(match) == (2, 2, 210, 310)
    assert live(match).hand_scores[2] == {"home": 0, "away": 130, "winner": "away"}
    event = AuditEvent.objects.filter(verb="result.corrected").latest("pk")
    assert event.facts["award"] == {"hand": 3, "side": "away"}


def test_hands_after_the_one_that_wins_the_match_fall_away(
    scene: scenes.Scene, match: Match
) -> None:
    correct_result(scene.organiser, match, reason="Renuncio.", award=HandAward(2, "home"))
    assert score(match) == (3, 0, 320, 70)
    assert len(live(match).hand_scores) == 3


def test_a_match_that_time_ended_stays_so(scene: scenes.Scene) -> None:
    match = scene.matches()[0]
    report_result(scene.organiser, match, hand_scores=HANDS[:3], cut=True)
    correct_result(scene.organiser, match, reason="Renuncio.", award=HandAward(3, "away"))
    assert (score(match)[:2], live(match).cut) == ((1, 2), True)


def test_one_press_shows_the_effect_and_the_next_gives_the_hand(
    scene: scenes.Scene, match: Match
) -> None:
    client, path = arbiter(scene), reverse("correct-result", args=[match.pk])
    page = client.get(path).content.decode()
    assert "All to " in page
    seen = client.get(f"{path}?hand=3&side=away")
    assert "With 2–2" in seen.content.decode()
    assert score(match)[:2] == (3, 1)
    form = {
        "hand": "3",
        "side": "away",
        "reason": "Revoke.",
        "seen": seen.context["effect"].version,
    }
    assert client.post(path, form).status_code == 302
    assert score(match)[:2] == (2, 2)


def test_a_dispute_is_ruled_by_it(scene: scenes.Scene, match: Match) -> None:
    dispute_result(Actor.for_entry(match.home), match, "No sirvió.")
    client, path = arbiter(scene), reverse("rule-dispute", args=[match.pk])
    assert "All to " in client.get(path).content.decode()
    seen = client.get(f"{path}?hand=1&side=away")
    assert "becomes 2–2" in seen.content.decode()
    form = {"hand": "1", "side": "away", "reason": "No.", "seen": seen.context["preview"].version}
    assert client.post(path, form).status_code == 302
    assert (score(match)[:2], match.disputes.get().state) == ((2, 2), "amended")
    event = AuditEvent.objects.filter(verb="dispute.ruled").latest("pk")
    assert event.facts["award"] == {"hand": 1, "side": "away"}


def test_the_hands_of_a_record_are_known_too(scene: scenes.Scene) -> None:
    match = scene.matches()[1]
    scene.submit(match)
    before = live(match)
    assert (before.depth, before.hand_scores) == ("record", [])
    hands = [dict(hand.points) for hand in before.record.hands.order_by("number")]  # type: ignore[union-attr]
    page = arbiter(scene).get(reverse("correct-result", args=[match.pk]))
    assert len(page.context["page"].known_hands) == len(hands)
    correct_result(scene.organiser, match, reason="Renuncio.", award=HandAward(1, "away"))
    first = live(match).hand_scores[0]
    assert first == {"home": 0, "away": sum(hands[0].values()), "winner": "away"}


def test_programs_give_a_hand_after_asking_what_it_does(
    issue: Issue, scene: scenes.Scene, match: Match
) -> None:
    caller, path = issue("organiser"), f"matches/{match.pk}/correct/"
    body: dict[str, Any] = {"award": {"hand": 3, "side": "away"}, "reason": "Renuncio."}
    tried = caller.submit(f"{path}?dry_run=1", json.dumps(body), "one")
    assert (tried.status_code, score(match)[:2]) == (200, (3, 1))
    assert caller.submit(path, json.dumps(body), "two").status_code == 201
    assert score(match)[:2] == (2, 2)
    both = {**body, "home_hands": 3, "away_hands": 0}
    problem(caller.submit(path, json.dumps(both), "three"), 422, "score_missing")


def test_a_hand_that_is_not_known_is_refused(scene: scenes.Scene, match: Match) -> None:
    with refusal(Reason.HAND_UNKNOWN):
        correct_result(scene.organiser, match, reason="Renuncio.", award=HandAward(5, "away"))
    other = scene.matches()[1]
    report_result(scene.organiser, other, score=Score(3, 1, 0, 0))
    with refusal(Reason.HAND_UNKNOWN):
        correct_result(scene.organiser, other, reason="Renuncio.", award=HandAward(1, "away"))
    with refusal(Reason.UNKNOWN_SIDE):
        correct_result(scene.organiser, match, reason="Renuncio.", award=HandAward(1, "third"))


def test_a_hand_of_a_score_alone_goes_to_the_other_side(scene: scenes.Scene, match: Match) -> None:
    other = scene.matches()[1]
    report_result(scene.organiser, other, score=Score(3, 1, 0, 0))
    path = reverse("correct-result", args=[other.pk])
    client = arbiter(scene)
    assert 'name="hand" value="0"' in client.get(path).content.decode()
    shown = client.get(f"{path}?hand=0&side=away").content.decode()
    assert "A hand is lost: it goes to" in shown
    assert score(other)[:2] == (3, 1)
    correct_result(scene.organiser, other, reason="Se levantó.", award=HandAward(0, "away"))
    assert score(other) == (2, 2, 0, 0)
    with refusal(Reason.HAND_UNKNOWN):
        correct_result(scene.organiser, match, reason="Se levantó.", award=HandAward(0, "away"))

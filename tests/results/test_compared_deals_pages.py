"""A result whose deals are compared is corrected, or ruled on, hand by hand: pages and API."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, arbiter, organiser, the_match, the_round
from tests.support.day import the_people
from tests.support.event_tables import compared_table
from tournaments.accounts.services.invitations import issue_token
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.settings import NewTournament
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.models import ApiToken, Dispute, Match
from tournaments.results.services.matches import dispute_result
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db

SEEN = re.compile(r'name="seen" value="([^"]+)"')


@pytest.fixture
def match(db: None) -> Match:
    """A match whose two hands were reported as 90–40."""
    match = compared_table()
    hands = [{"home": 90, "away": 40, "board": board} for board in match.boards]
    report_result(SYSTEM, match, hand_scores=hands)
    return match


@pytest.fixture
def browser(match: Match) -> Client:
    """The browser of an arbiter of the club."""
    user = arbiter(match.tournament.club).user
    assert user is not None
    browser = Client()
    browser.force_login(user)
    return browser


def points(match: Match) -> list[tuple[int, int]]:
    hands = match.results.counting().get().hand_scores
    return [(hand["home"], hand["away"]) for hand in hands]


def sheet(**fields: Any) -> dict[str, Any]:
    lines = {"h1_home": 90, "h1_away": 40, "h2_home": 90, "h2_away": 40}
    return {**lines, "reason": "La primera, mal.", **fields}


def test_the_page_shows_the_hands_then_the_effect_and_corrects_them(
    match: Match, browser: Client
) -> None:
    address = reverse("correct-result", args=[match.pk])
    page = browser.get(address).content.decode()
    assert re.search(r'name="h2_away"[^>]*value="40"|value="40"[^>]*name="h2_away"', page)
    response = browser.post(address, sheet(h1_home=30, h1_away=100))
    assert points(match) == [(90, 40), (90, 40)]
    (occurrence,) = SEEN.findall(response.content.decode())
    second_response = browser.post(address, sheet(h1_home=30, h1_away=100, seen=occurrence))
    assert second_response.status_code == 302
    assert points(match) == [(30, 100), (90, 40)]
    assert match.results.count() == 2


def test_a_line_without_points_is_named_and_nothing_is_corrected(
    match: Match, browser: Client
) -> None:
    address = reverse("correct-result", args=[match.pk])
    response = browser.post(address, sheet(h2_home="", h2_away=""))
    assert response.status_code == 422
    assert not SEEN.findall(response.content.decode())
    assert points(match) == [(90, 40), (90, 40)]


def test_a_report_is_asked_for_hand_by_hand_and_never_as_a_score_alone(db: None) -> None:
    club, pairs = the_people(4)
    stages = [{"format": "duplicate", "rules": {"deals": 2}}]
    tournament = create_tournament(SYSTEM, club, "Duplicada", NewTournament(stages=stages))
    enter_newcomers(SYSTEM, tournament, pairs)
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    match = the_match(tournament, 1, 1)
    entry = match.home
    assert entry is not None
    phone = Client()
    phone.post(reverse("give-code", args=[match.tournament.slug]), {"code": entry.code})
    score, hands = (reverse(name, args=[match.pk]) for name in ("report", "report-hands"))
    for address in (
        reverse("own-table", args=[match.tournament.slug]),
        reverse("match", args=[match.pk]),
        hands,
    ):
        page = phone.get(address).content.decode()
        assert f'"{score}"' not in page
        assert (address == hands) or f'"{hands}"' in page
    assert phone.get(score)["Location"].startswith(hands)


def post(match: Match, path: str, body: dict[str, Any]) -> Any:
    """Post to the API as an organiser does."""
    boss = organiser(match.tournament.club)
    assert boss.user is not None
    scopes = [ApiToken.Scope.MANAGE]
    _row, token = issue_token(boss, match.tournament.club, boss.user, name="mesa", scopes=scopes)
    return Client().post(
        f"/api/v1/{path}/",
        body,
        content_type="application/json",
        headers={"authorization": f"Bearer {token}", "idempotency-key": "once"},
    )


def correct(match: Match, body: dict[str, Any]) -> Any:
    return post(match, f"matches/{match.pk}/correct", body)


def test_the_api_corrects_the_hands(match: Match) -> None:
    first, second = match.boards
    hands = [
        {"home": 30, "away": 100, "board": first},
        {"home": 90, "away": 40, "board": second},
    ]
    answer = correct(match, {"hands": hands, "reason": "La primera, mal."})
    assert answer.status_code == 201, answer.content
    assert points(match) == [(30, 100), (90, 40)]


def test_hands_and_a_score_together_are_refused_over_the_api(match: Match) -> None:
    body = {"home_hands": 2, "away_hands": 0, "hands": [{"home": 1, "away": 0}], "reason": "x"}
    answer = correct(match, body)
    assert (answer.status_code, answer.json()["code"]) == (422, "score_missing")


@pytest.fixture
def dispute(match: Match) -> Dispute:
    """A dispute about the match."""
    return dispute_result(SYSTEM, match, "La primera, mal.")


def test_a_ruling_gives_other_hands(match: Match, dispute: Dispute, browser: Client) -> None:
    address = reverse("rule-dispute", args=[match.pk])
    page = browser.get(address).content.decode()
    assert re.search(r'name="h2_away"[^>]*value="40"|value="40"[^>]*name="h2_away"', page)
    ruling = {"dispute": dispute.pk, "ruling": "amend", **sheet(h1_home=30, h1_away=100)}
    response = browser.post(address, ruling)
    assert points(match) == [(90, 40), (90, 40)]
    assert "el resultado es 2–0 y pasa a ser 1–1." in response.content.decode()
    answer = browser.post(address, {**ruling, "seen": response.context["preview"].version})
    assert answer.status_code == 302
    assert points(match) == [(30, 100), (90, 40)]
    dispute.refresh_from_db()
    assert dispute.state == Dispute.State.AMENDED


def test_a_ruling_with_a_line_left_empty_names_it(
    match: Match, dispute: Dispute, browser: Client
) -> None:
    ruling = {"dispute": dispute.pk, "ruling": "amend", **sheet(h2_home="")}
    response = browser.post(reverse("rule-dispute", args=[match.pk]), ruling)
    assert response.status_code == 422
    assert points(match) == [(90, 40), (90, 40)]


def test_a_ruling_that_gives_no_result_reads_no_hands(
    match: Match, dispute: Dispute, browser: Client
) -> None:
    empty = {name: "" for name in sheet() if name.startswith("h")}
    ruling = {"dispute": dispute.pk, "ruling": "uphold", **sheet(**empty)}
    response = browser.post(reverse("rule-dispute", args=[match.pk]), ruling)
    assert response.status_code == 302
    assert points(match) == [(90, 40), (90, 40)]


def test_the_api_rules_with_hands_and_refuses_a_score(match: Match, dispute: Dispute) -> None:
    first, second = match.boards
    hands = [
        {"home": 30, "away": 100, "board": first},
        {"home": 90, "away": 40, "board": second},
    ]
    ruling = {"ruling": "amend", "reason": "La primera, mal."}
    path = f"disputes/{dispute.pk}/rule"
    score = {"home_hands": 2, "away_hands": 0, "home_points": 180, "away_points": 80}
    refused = post(match, path, {**ruling, **score})
    assert (refused.status_code, refused.json()["code"]) == (422, "deals_missing")
    response = post(match, path, {**ruling, "hands": hands})
    assert response.status_code == 201, response.content
    assert points(match) == [(30, 100), (90, 40)]

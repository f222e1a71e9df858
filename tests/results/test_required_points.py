"""Results whose card points are required, or are added to a result that lacks them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, organiser, the_liguilla, the_match
from tests.support.event_tables import by_code
from tests.support.refusals import refusal
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.errors import Reason
from tournaments.director.services.settings import NewTournament, Terms
from tournaments.director.services.tournaments import change_tournament, create_tournament
from tournaments.domain.scores import Score
from tournaments.models import ApiToken, AuditEvent, Match, Result, Tournament
from tournaments.results.services.matches import correct_result, forfeit
from tournaments.results.services.reports import confirm_result, report_result

pytestmark = pytest.mark.django_db

HANDS, BOTH = Score(3, 1, 0, 0), Score(3, 1, 360, 210)


@pytest.fixture
def strict() -> Tournament:
    """Seven rounds published, and no result without its points."""
    tournament = the_liguilla()
    Tournament.objects.filter(pk=tournament.pk).update(points_required=True)
    return tournament


def scored(tournament: Tournament, scoring: str, places: str = "played") -> Match:
    """The first match of a tournament whose stage is scored so."""
    stage = tournament.stages.get()
    stage.settings = {**stage.settings, "scoring": scoring, "places": places}
    stage.save(update_fields=["settings"])
    return the_match(tournament, 1, 1)


def live(match: Match) -> Result:
    return match.results.get(live=True)


# --- Required ------------------------------------------------------------------------------------


def test_a_tournament_can_require_points_of_every_result(strict: Tournament) -> None:
    match = the_match(strict, 1, 1)
    for actor in (SYSTEM, by_code(match, "home")):
        with refusal(Reason.POINTS_MISSING):
            report_result(actor, match, score=HANDS)
    with refusal(Reason.POINTS_MISSING):
        correct_result(SYSTEM, match, HANDS, reason="Mal apuntado.")
    assert report_result(by_code(match, "home"), match, score=BOTH).outcome == "reported"
    other = the_match(strict, 1, 2)
    assert forfeit(SYSTEM, other, ["away"], reason="No ha venido.").forfeits == ["away"]
    third = the_match(strict, 1, 3)
    nothing = Score(0, 0, 0, 0)
    assert correct_result(SYSTEM, third, nothing, reason="Anulada.").winner == "tie"


@pytest.mark.parametrize("scoring", ["points", "victory"])
def test_a_stage_scored_by_points_requires_them_by_the_rule_alone(scoring: str) -> None:
    match = scored(the_liguilla(), scoring)
    with refusal(Reason.POINTS_MISSING):
        report_result(SYSTEM, match, score=HANDS)
    assert report_result(SYSTEM, match, score=BOTH).outcome == "accepted"
    before = scored(the_liguilla(), scoring, "listed")
    assert report_result(SYSTEM, before, score=HANDS).outcome == "accepted"


def test_the_setting_is_a_term_of_the_tournament() -> None:
    terms = Terms(points_required=True)
    club = the_liguilla().club
    tournament = create_tournament(SYSTEM, club, "Con tantos", NewTournament(terms=terms))
    assert tournament.points_required
    assert (
        AuditEvent.objects.filter(verb="tournament.created")
        .latest("pk")
        .facts["terms"]["points_required"]
    )
    assert not change_tournament(SYSTEM, tournament, {"points_required": False}).points_required
    page = Client().get(f"/api/v1/tournaments/{the_liguilla().slug}/").json()
    assert page["points_required"] is False


def test_the_desk_refuses_a_line_without_points(strict: Tournament) -> None:
    boss = organiser(strict.club)
    client = Client(headers={"accept-language": "en"})
    assert boss.user is not None
    client.force_login(boss.user)
    address = reverse("desk-enter", args=[strict.slug])
    refused = client.post(address, {"round": "1", "table": "1", "hands": "3-1"})
    assert refused.status_code == 422
    assert "Give the points of each side" in refused.content.decode()
    line = {"round": "1", "table": "1", "hands": "31 360-210"}
    assert client.post(address, line).status_code == 200
    assert live(the_match(strict, 1, 1)).home_points == 360


def test_the_phone_asks_for_the_points_and_refuses_a_score_without(strict: Tournament) -> None:
    match = the_match(strict, 1, 1)
    phone = Client(headers={"accept-language": "en"})
    phone.post(reverse("give-code", args=[strict.slug]), {"code": match.home.code})
    page = phone.get(reverse("own-table", args=[strict.slug])).content.decode()
    assert 'name="home_points"' in page
    assert "Points as well (optional)" not in page
    form = {"home_hands": "3", "away_hands": "1", "home_points": "", "away_points": ""}
    address = reverse("report", args=[match.pk])
    assert phone.post(address, form).status_code == 422
    assert not match.results.exists()
    assert phone.post(address, {**form, "home_points": "0", "away_points": "0"}).status_code == 422
    sent = phone.post(address, {**form, "home_points": "360", "away_points": "210"})
    assert sent.status_code == 302
    assert live(match).away_points == 210


def test_the_api_refuses_a_score_without_points(strict: Tournament) -> None:
    boss = organiser(strict.club)
    assert boss.user is not None
    scopes = [ApiToken.Scope.MANAGE, ApiToken.Scope.SUBMIT]
    _, token = issue_token(boss, strict.club, boss.user, name="mesa", scopes=scopes)

    def report(**body: Any) -> Any:
        return Client().post(
            f"/api/v1/matches/{the_match(strict, 1, 1).pk}/report/",
            json.dumps(body),
            content_type="application/json",
            headers={"authorization": f"Bearer {token}", "idempotency-key": f"k{len(body)}"},
        )

    refused = report(home_hands=3, away_hands=1)
    assert (refused.status_code, refused.json()["code"]) == (422, "points_missing")
    taken = report(home_hands=3, away_hands=1, home_points=360, away_points=210)
    assert taken.status_code == 201, taken.content


# --- Added later ---------------------------------------------------------------------------------


def test_the_club_adds_the_points_that_a_result_lacks() -> None:
    match = the_match(the_liguilla(), 1, 1)
    report_result(SYSTEM, match, score=HANDS)
    added = report_result(SYSTEM, match, score=BOTH)
    assert added.outcome == "accepted"
    result = live(match)
    assert (result.depth, result.version, result.home_points) == ("score", 2, 360)
    assert result.counts
    assert report_result(SYSTEM, match, score=HANDS).outcome == "duplicate"
    assert live(match).version == 2


def test_a_side_alone_adds_no_points_to_what_both_agreed_on() -> None:
    match = the_match(the_liguilla(), 1, 1)
    report_result(by_code(match, "home"), match, score=HANDS)
    confirm_result(by_code(match, "away"), match)
    answer = report_result(by_code(match, "home"), match, score=BOTH)
    assert answer.outcome == "duplicate"
    assert live(match).home_points == 0


def test_the_desk_counts_the_tables_whose_points_are_missing() -> None:
    tournament = the_liguilla()
    for table, score in ((1, HANDS), (2, BOTH), (3, HANDS)):
        report_result(SYSTEM, the_match(tournament, 1, table), score=score)
    forfeit(SYSTEM, the_match(tournament, 1, 4), ["away"], reason="No ha venido.")
    client = Client(headers={"accept-language": "es"})
    user = organiser(tournament.club).user
    assert user is not None
    client.force_login(user)
    address = reverse("control", args=[tournament.slug])
    assert "Faltan los tantos de 2 mesas:" in client.get(address).content.decode()
    line = {"round": "1", "table": "1", "hands": "3-1", "points": "360-210"}
    client.post(reverse("desk-enter", args=[tournament.slug]), line)
    assert "Faltan los tantos de 1 mesa:" in client.get(address).content.decode()

"""A match cut by time is a result like any other, with a mark and at any score."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.conftest import Issue
from tests.support import scenes
from tests.support.caller import problem
from tournaments.cli import main
from tournaments.core.errors import Refusal
from tournaments.core.permissions import Actor
from tournaments.core.views import ENTRY_CODES
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.file.writing import rows_to_bytes
from tournaments.domain.rows import LevelCut
from tournaments.domain.scores import Score
from tournaments.exchange.queries.trails import check_rows
from tournaments.models import Entry, Match, Result
from tournaments.results.queries.what_if import effect_page
from tournaments.results.services.matches import correct_result, preview_correction, rule_on_dispute
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db

LEVEL, AHEAD = Score(2, 2, 250, 240), Score(2, 1, 250, 180)


@pytest.fixture
def scene() -> scenes.Scene:
    """Round 1 published, nothing played; a match goes to three hands."""
    scene = scenes.drawn()
    publish_round(scene.organiser, scene.rounds[0])
    return scene


@pytest.fixture
def match(scene: scenes.Scene) -> Match:
    return scene.matches()[0]


def with_rule(match: Match, rule: LevelCut) -> Match:
    """The match, in a stage that was planned with this rule."""
    stage = match.round.stage
    stage.settings = {**stage.settings, "level_cut": rule.value}
    stage.save()
    return Match.objects.with_names().get(pk=match.pk)


def sides(match: Match) -> tuple[Actor, Actor]:
    assert match.away is not None
    return Actor.for_entry(match.home), Actor.for_entry(match.away)


def phone_of(entry: Entry | None, language: str) -> Client:
    """A phone on which the code of an entry was given."""
    assert entry is not None
    phone = Client(headers={"accept-language": language})
    session = phone.session
    session[ENTRY_CODES] = {entry.tournament.slug: entry.code}
    session.save()
    return phone


def live(match: Match) -> Result:
    return match.results.live().get()


def test_both_sides_report_a_cut_result_and_it_counts_without_an_arbiter(match: Match) -> None:
    home, away = sides(match)
    assert report_result(home, match, score=AHEAD, cut=True).outcome == "reported"
    assert report_result(away, match, score=AHEAD, cut=True).outcome == "confirmed"
    result = live(match)
    assert (result.counts, result.cut, result.winner) == (True, True, "home")
    assert check_rows(match.tournament) == ()


def test_a_side_confirms_the_cut_result_on_its_phone(match: Match) -> None:
    home, _away = sides(match)
    report_result(home, match, score=AHEAD, cut=True)
    phone = phone_of(match.away, "en")
    phone.post(reverse("confirm-result", args=[match.pk]), {"version": "1"})
    assert live(match).counts
    page = phone.get(reverse("match", args=[match.pk])).content.decode()
    assert "Time ended the match." in page


def test_the_phone_reports_it_by_a_tick(match: Match) -> None:
    phone = phone_of(match.home, "es")
    form = {"home_hands": "2", "away_hands": "1"}
    path = reverse("report", args=[match.pk])
    assert phone.post(path, form).status_code == 422
    assert phone.post(path, {**form, "cut": "on"}).status_code == 302
    assert live(match).cut


def test_the_desk_types_a_star(scene: scenes.Scene, match: Match) -> None:
    desk = Client()
    desk.force_login(scene.users["organiser"])
    path = reverse("desk-enter", args=[scene.tournament.slug])
    desk.post(path, {"round": "1", "table": str(match.table), "hands": "21* 250-180"})
    result = live(match)
    assert (result.cut, result.home_hands, result.home_points) == (True, 2, 250)
    page = desk.get(reverse("round", args=[scene.tournament.slug, 1]))
    assert "por tiempo" in page.content.decode()


def test_a_match_that_is_over_is_not_cut(match: Match) -> None:
    report_result(sides(match)[0], match, score=Score(3, 1, 0, 0), cut=True)
    assert not live(match).cut


@pytest.mark.parametrize(
    ("rule", "winner", "decided"),
    [(LevelCut.TIE, "tie", ""), (LevelCut.POINTS, "home", "home")],
)
def test_the_stage_says_what_a_level_one_is_worth(
    scene: scenes.Scene, match: Match, rule: LevelCut, winner: str, decided: str
) -> None:
    match = with_rule(match, rule)
    foreseen = preview_correction(scene.organiser, match, score=LEVEL, reason="Acta.", cut=True)
    effect = effect_page(match.pk, scene.organiser, Score(2, 2, 250, 240, cut=True))
    correct_result(scene.organiser, match, LEVEL, reason="Acta.", cut=True)
    assert (foreseen.winner, foreseen.decided) == (winner, decided)
    assert (live(match).winner, live(match).decided) == (winner, decided)
    after = effect_page(match.pk, scene.organiser, Score(2, 2, 250, 240, cut=True))
    assert [row.points_after for row in effect.rows] == [row.points_before for row in after.rows]


def test_equal_points_stay_level_by_points(scene: scenes.Scene, match: Match) -> None:
    match = with_rule(match, LevelCut.POINTS)
    correct_result(scene.organiser, match, Score(2, 2, 250, 250), reason="Acta.", cut=True)
    assert (live(match).winner, live(match).decided) == ("tie", "")


def test_a_level_one_states_its_points_where_they_decide(match: Match) -> None:
    match = with_rule(match, LevelCut.POINTS)
    home, _away = sides(match)
    with pytest.raises(Refusal, match="points_missing"):
        report_result(home, match, score=Score(2, 2, 0, 0), cut=True)
    report_result(home, match, score=Score(2, 1, 0, 0), cut=True)
    assert (live(match).winner, live(match).cut) == ("home", True)


def test_one_more_hand_is_played_where_the_stage_says_so(match: Match) -> None:
    match = with_rule(match, LevelCut.HAND)
    home, _away = sides(match)
    with pytest.raises(Refusal) as refused:
        report_result(home, match, score=LEVEL, cut=True)
    assert refused.value.code == "level_cut"
    report_result(home, match, score=Score(3, 2, 350, 270), cut=True)
    assert (live(match).winner, live(match).cut) == ("home", False)


def test_hands_can_be_reported_of_a_cut_match(match: Match) -> None:
    home, _away = sides(match)
    hands = [{"home": 90, "away": 40}, {"home": 130, "away": 20}]
    report_result(home, match, hand_scores=hands, cut=True)
    assert (live(match).home_hands, live(match).away_hands, live(match).cut) == (2, 0, True)


def test_the_points_of_the_hand_that_was_not_finished_may_count(match: Match) -> None:
    score = Score(0, 0, 60, 50)
    with pytest.raises(Refusal, match="impossible_score"):
        correct_result(Actor.system(), match, score, reason="Acta.")
    correct_result(Actor.system(), match, score, reason="Acta.", cut=True)
    assert live(match).cut


def test_programs_report_it_and_read_the_mark(
    issue: Issue, scene: scenes.Scene, match: Match
) -> None:
    caller, path = issue("organiser"), f"matches/{match.pk}/report/"
    body: dict[str, Any] = {"home_hands": 2, "away_hands": 1}
    problem(caller.submit(path, json.dumps(body), "one"), 422, "score_unfinished")
    assert caller.submit(path, json.dumps({**body, "cut": True}), "two").status_code == 201
    assert caller.read(f"matches/{match.pk}/")["match"]["score"]["cut"] is True
    with_rule(match, LevelCut.HAND)
    level = {"home_hands": 1, "away_hands": 1, "reason": "Acta.", "cut": True}
    answer = caller.submit(f"matches/{match.pk}/correct/", json.dumps(level), "three")
    problem(answer, 422, "level_cut")


def test_an_arbiter_rules_that_a_match_was_cut(scene: scenes.Scene, match: Match) -> None:
    home, away = sides(match)
    report_result(home, match, score=Score(3, 2, 0, 0))
    report_result(away, match, score=AHEAD, cut=True)
    rule_on_dispute(
        Actor.system(), match.disputes.get(), "amend", score=AHEAD, cut=True, reason="El reloj."
    )
    assert (live(match).cut, live(match).counts) == (True, True)


def test_file_and_proof_hold_the_mark_and_old_files_have_none(
    scene: scenes.Scene, match: Match, tmp_path: Path
) -> None:
    match = with_rule(match, LevelCut.POINTS)
    assert b'"cut"' not in rows_to_bytes(rows_of(scene.tournament))
    correct_result(scene.organiser, match, LEVEL, reason="Acta.", cut=True)
    proof = tmp_path / "proof.json"
    proof.write_bytes(Client().get(f"/t/{scene.tournament.slug}/proof/").content)
    assert b'"cut": true' in rows_to_bytes(rows_of(scene.tournament))
    assert main(["verify-tournament", str(proof)]) == 0

"""A stage has matches of a length of its own: the final to more hands than the rounds before."""

import json

import pytest
from django.test import Client
from django.utils import translation

from tests.clubs import SYSTEM, the_round
from tests.director.test_boards_side_by_side import play
from tests.support.day import the_people
from tests.support.refusals import refusal
from tools.verify_export import Report, check_proof
from tournaments.core.errors import Reason
from tournaments.core.find import find_tournament
from tournaments.director.queries.tournaments import open_tournament
from tournaments.director.services.draws import draw, draw_next
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.posting import post_tournament
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import (
    close_round,
    create_tournament,
    finish,
    publish_round,
)
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.plans import PLANS
from tournaments.domain.scores import Score
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.proofs import proof_file
from tournaments.models import Match, Tournament
from tournaments.printing.queries.announcements import poster_paper
from tournaments.printing.queries.rounds import _round_to_print, _score_sheets
from tournaments.results.queries.matches import match_page, recorder_page
from tournaments.results.services.reports import report_result
from tournaments.sheets.rows import Poster, ScoreSheets

pytestmark = pytest.mark.django_db


def assert_posted(tournament: Tournament, usual: str, final: str) -> None:
    """The poster, on the page and on paper, has the length of the rounds and of the final."""
    post_tournament(SYSTEM, tournament)
    with translation.override("en"):
        paper = poster_paper(tournament.slug, SYSTEM, "en", "https://club.example/t").sheets[0]
    page = Client(headers={"accept-language": "en"}).get(f"/t/{tournament.slug}/poster/")
    assert isinstance(paper, Poster)
    for text in (page.content.decode(), paper.lines[0]):
        assert f", {usual}" in text
        assert f"Knock-out board, {final}" in text


@pytest.mark.parametrize(
    ("length", "other", "usual", "of_final"),
    [
        ("to", "deals", "first to 3 hands", "first to 5 hands"),
        ("deals", "to", "3 deals a match", "5 deals a match"),
    ],
)
def test_the_final_is_played_to_its_own_length_and_the_rounds_before_to_the_usual_one(
    length: str, other: str, usual: str, of_final: str
) -> None:
    club, pairs = the_people(4)
    stages = PLANS["grupos_final"].stages(
        {"groups": 2, "take_of_each": 1, "third_place": False, "final_length": 5}
    )
    tournament = create_tournament(
        SYSTEM, club, "Torneo", NewTournament(GameSettings(options={length: 3}), stages=stages)
    )
    assert_posted(tournament, usual, of_final)
    enter_newcomers(SYSTEM, tournament, pairs)
    draw(SYSTEM, tournament)
    play(publish_round(SYSTEM, the_round(tournament, 1)))
    final = publish_round(SYSTEM, draw_next(SYSTEM, tournament, after=1))
    match = Match.objects.get(round=final)
    assert match.options == {length: 5}
    assert recorder_page(match.pk, SYSTEM).options == {length: 5}
    assert match_page(match.pk, SYSTEM).length.most_of_a_side == 5
    group_match = Match.objects.filter(round__number=1)[0]
    assert (group_match.options, other in match.options) == ({length: 3}, False)
    with refusal(Reason.SCORE_UNFINISHED):
        report_result(SYSTEM, match, score=Score(3, 0, 300, 100))
    access = open_tournament(tournament.slug, SYSTEM)
    sheet = _score_sheets(access.head, *_round_to_print(access, 2, "es"), ())  # type: ignore[arg-type]
    assert isinstance(sheet, ScoreSheets)
    assert sheet.length == 5
    report_result(SYSTEM, match, score=Score(5, 0, 500, 100))
    tournament.refresh_from_db()
    close_round(SYSTEM, final)
    finish(SYSTEM, find_tournament(tournament.slug, SYSTEM))
    proof = proof_file(tournament)
    assert all_hold(verify(bundle_from_bytes(proof)))
    report = Report()
    check_proof(report, json.loads(proof), set())
    assert report.faults == []

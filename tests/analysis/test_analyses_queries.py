"""What analyses say of a hand, a match, a tournament and its people, and what reading it costs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

import engine
from tests.analysing import analyse_all, analyse_hand
from tests.clubs import NOBODY, SYSTEM, arbiter, submitted, the_liguilla, the_match
from tournaments.analysis.queries.analyses import hand_analysis, home_sign, match_analysis
from tournaments.analysis.queries.play import luck_page, player_play, review_page
from tournaments.models import AnalysedSeat, HandAnalysis, Tournament
from tournaments.results.queries.matches import hand_page, match_page
from tournaments.results.services.matches import dispute_result

pytestmark = pytest.mark.django_db

Counted = Callable[[int], AbstractContextManager[Any]]


@pytest.fixture
def liguilla(db: None, monkeypatch: pytest.MonkeyPatch) -> Tournament:
    """Three matches of the club night, analysed."""
    monkeypatch.setattr(engine, "analyse_hand", analyse_hand, raising=False)
    tournament = the_liguilla()
    for index in range(3):
        submitted(tournament, index)
    analyse_all()
    return tournament


@pytest.mark.parametrize(("home", "sign"), [("AC", 1), ("BD", -1), ("A", 1), ("B", -1)])
def test_a_margin_is_reported_from_where_home_sat(home: str, sign: int) -> None:
    assert home_sign(home) == sign


def test_the_margins_of_a_match_are_its_points_and_split_into_deal_and_play(
    liguilla: Tournament,
) -> None:
    match = the_match(liguilla, 1, 1)
    page = match_page(match.pk, NOBODY)
    analysis = match_analysis(page)
    assert analysis is not None
    home, away = analysis.sides
    points = sum(hand.home_points - hand.away_points for hand in page.hands)
    assert home.result == points == -away.result
    assert home.result == pytest.approx(home.scaled.luck + home.scaled.skill)
    assert home.scaled.a_hand.mean == pytest.approx(home.scaled.skill / len(page.hands))
    assert [hand.number for hand in analysis.hands] == [hand.number for hand in page.hands]
    assert (analysis.state, analysis.done) == ("done", len(page.hands))


def test_a_match_names_the_card_that_decided_and_the_one_that_cost_most(
    liguilla: Tournament,
) -> None:
    matches = [the_match(liguilla, number, table) for number in (1, 2, 3) for table in (1, 2)]
    analyses = [match_analysis(match_page(match.pk, NOBODY)) for match in matches]
    deciding = [
        (analysis.deciding, [hand for hand in analysis.hands if hand.turn][-1].turn)
        for analysis in analyses
        if analysis is not None and any(hand.turn for hand in analysis.hands)
    ]
    assert deciding
    for card, turn in deciding:
        assert card is not None
        assert turn is not None
        assert (card.card, card.trick, card.step) == (turn.card, turn.trick, turn.token + 1)
    row = HandAnalysis.objects.filter(hands__hand__record__match=matches[0]).order_by("pk")[0]
    dear = next(play for play in row.answer["plays"] if play.get("hand_deals"))
    dear |= {"judgement": "mistake", "hand_loss": 0.9, "hand_best": "3o"}
    row.save()
    analysis = match_analysis(match_page(matches[0].pk, NOBODY))
    assert analysis is not None
    card = analysis.costliest
    assert card is not None
    assert (card.card, card.loss, card.better) == (dear["card"], 0.9, "3o")
    assert card.name


def test_the_best_line_is_reported_trick_by_trick(liguilla: Tournament) -> None:
    analysis = hand_analysis(hand_page(the_match(liguilla, 1, 1).pk, 1, NOBODY))
    assert {len(trick) for trick in analysis.line} == {4}
    assert len({card for trick in analysis.line for card in trick}) == 40


def test_every_entry_that_played_is_in_the_table_without_luck(liguilla: Tournament) -> None:
    page = luck_page(liguilla.slug, NOBODY)
    assert len(page.rows) == 6
    assert page.analysed == page.total == sum(row.hands for row in page.rows) / 2
    assert sum(row.skill for row in page.rows) == 0
    play = [row.scaled.skill for row in page.rows]
    assert sum(play) == pytest.approx(0)
    assert play == sorted(play, reverse=True)


def test_a_match_that_is_disputed_is_in_every_figure_until_the_ruling(liguilla: Tournament) -> None:
    match = the_match(liguilla, 1, 1)
    assert match.home.pair is not None
    player = match.home.pair.first.pk
    before = luck_page(liguilla.slug, NOBODY).rows, player_play(player).rows
    dispute_result(SYSTEM, match, "Faltaba un siete.")
    assert (luck_page(liguilla.slug, NOBODY).rows, player_play(player).rows) == before


def test_a_players_figures_are_those_of_their_hands(liguilla: Tournament) -> None:
    match = the_match(liguilla, 1, 1)
    assert match.home.pair is not None
    player = match.home.pair.first
    seats = AnalysedSeat.objects.filter(player=player)
    rows = player_play(player.pk).rows
    assert rows[0].hands == seats.count()
    assert rows[0].open.mean == pytest.approx(sum(seat.open_loss for seat in seats) / seats.count())
    assert sum(row.blunders for row in rows[1:]) == rows[0].blunders


def test_the_arbiters_queue_counts_only_players_with_enough_hands(liguilla: Tournament) -> None:
    page = review_page(liguilla.club.slug, arbiter(liguilla.club))
    assert (page.tested, page.rows) == (0, ())


def test_reading_analyses_costs_as_many_queries_as_is_said(
    liguilla: Tournament, django_assert_max_num_queries: Counted
) -> None:
    match = the_match(liguilla, 1, 1)
    page, hand = match_page(match.pk, NOBODY), hand_page(match.pk, 1, NOBODY)
    with django_assert_max_num_queries(4):
        match_analysis(page)
    with django_assert_max_num_queries(2):
        hand_analysis(hand)
    assert match.home.pair is not None
    with django_assert_max_num_queries(2):
        player_play(match.home.pair.first.pk)
    with django_assert_max_num_queries(9):
        luck_page(liguilla.slug, NOBODY)
    with django_assert_max_num_queries(7):
        review_page(liguilla.club.slug, SYSTEM)

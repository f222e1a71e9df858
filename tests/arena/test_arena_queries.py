"""Bots compared: figures worked out by hand, equal to the engine's, kept; and rounds at play."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

import engine
from tests.clubs import NOBODY, SYSTEM, a_bot_liguilla, organiser, the_liguilla, the_match
from tests.support.bot_tables import a_bot_round, house_bot
from tests.support.counting import again, count_queries
from tests.support.refusals import refusal
from tournaments.arena.queries.arena import arena_page, meetings_page
from tournaments.arena.queries.status import arena_status_page, count_leased_matches
from tournaments.arena.services.arena import pause_arena, pause_round
from tournaments.arena.services.playing import play_match
from tournaments.core.errors import Reason
from tournaments.director.queries.rounds import pace, round_page, round_progress
from tournaments.domain.contest import test_of as sequential_test
from tournaments.domain.scores import Score
from tournaments.models import (
    Arena,
    Attempt,
    BotForfeit,
    Match,
    Rating,
    RatingLedger,
    Record,
    Result,
    Round,
    Tournament,
)
from tournaments.models.bots import ARENA_PK
from tournaments.results.services.leases import claim_match
from tournaments.results.services.matches import correct_result

pytestmark = pytest.mark.django_db

HEAD = 4
"""Queries of a tournament's head for a viewer unknown."""


def two_bots(sets: int = 3, **more: Any) -> Tournament:
    """Two bots whose only match is deal sets, drawn and asked for."""
    kinds = house_bot("simple", 1), house_bot("random", 2)
    return a_bot_round(*kinds, deal_sets=sets, **more).stage.tournament


def with_sets(match: Match, *points: tuple[int, ...]) -> Result:
    """Give a match of deal sets a result with these points of home and away (and a third)."""
    names = ("home", "away", "third")[: len(points[0])]
    rows = []
    for pair in points:
        best = [name for name, value in zip(names, pair, strict=True) if value == max(pair)]
        first = {"winner": best[0]} if len(best) == 1 else {}
        rows.append({**dict(zip(names, pair, strict=True)), **first})
    won = [sum(row.get("winner") == name for row in rows) for name in names]
    winner = names[won.index(max(won))] if won.count(max(won)) == 1 else "tie"
    thirds = {"third_hands": won[2], "third_points": 0} if len(names) > 2 else {}
    result = Result.objects.create(
        match=match,
        version=1,
        counts_from=match.tournament.version,
        depth=Result.Depth.HANDS,
        home_hands=won[0],
        away_hands=won[1],
        home_points=sum(point[0] for point in points),
        away_points=sum(point[1] for point in points),
        winner=winner,
        hand_scores=rows,
        made_by="worker",
        **thirds,
    )
    Match.objects.filter(pk=match.pk).update(state=Match.State.ACCEPTED)
    return result


# --- Figures --------------------------------------------------------------------------------------


def test_the_figures_of_two_bots_worked_out_by_hand() -> None:
    tournament = two_bots()
    with_sets(the_match(tournament, 1, 1), (150, 110), (140, 120), (130, 130))
    # Two records a set: home is better by 40, 20, 0 points in both, so by 20, 10, 0 a record.
    # Mean 10, standard deviation 10, standard error 10/sqrt(3); Student's t with 2 degrees of
    # freedom at 97.5 % is 4.303.
    page = arena_page(tournament.slug, NOBODY)
    first, second = page.compared.bots
    assert (first.number, first.matches, first.sets, first.forfeits) == (1, 1, 3, 0)
    assert first.margin is not None
    assert first.margin.mean == pytest.approx(10)
    assert first.margin.margin == pytest.approx(4.3027 * 10 / math.sqrt(3), abs=0.001)
    assert second.margin is not None
    assert second.margin.mean == pytest.approx(-10)
    assert first.won is not None
    assert first.won.mean == pytest.approx(2.5 / 3), "a level set is half won"
    assert (page.compared.matches, page.compared.sets) == (1, 3)


def test_a_pair_is_compared_from_the_side_of_each() -> None:
    tournament = two_bots()
    with_sets(the_match(tournament, 1, 1), (150, 110), (140, 120), (142, 118))
    page = arena_page(tournament.slug, NOBODY)
    (pair,) = page.compared.pairs
    assert (pair.one, pair.other, pair.matches, pair.sets) == (1, 2, 1, 3)
    assert pair.margin.mean == pytest.approx((20 + 10 + 12) / 3)
    (_, (itself, over)), (_, (under, _)) = page.rows
    assert itself is None
    assert over is not None
    assert under is not None
    assert (over.verdict, under.verdict) == ("won", "lost")
    assert under.margin.mean == -over.margin.mean
    assert (under.margin.low, under.margin.high) == (-over.margin.high, -over.margin.low)  # type: ignore[operator]


def test_with_one_set_there_is_no_interval_and_nobody_is_better() -> None:
    tournament = two_bots(1)
    with_sets(the_match(tournament, 1, 1), (200, 60))
    (pair,) = arena_page(tournament.slug, NOBODY).compared.pairs
    assert (pair.margin.mean, pair.margin.low, pair.margin.high) == (70, None, None)
    assert pair.verdict == "tied"


def test_where_there_are_no_deal_sets_a_match_is_one_observation() -> None:
    tournament = a_bot_liguilla(published=2, to=3)
    for number, score in ((1, Score(3, 1, 300, 200)), (2, Score(0, 3, 150, 250))):
        correct_result(SYSTEM, the_match(tournament, number, 1), score, reason="acta")
    page = arena_page(tournament.slug, NOBODY)
    by_pair = {(pair.one, pair.other): pair.margin.mean for pair in page.compared.pairs}
    matches = [the_match(tournament, number, 1) for number in (1, 2)]
    for match, ahead in zip(matches, (100, -100), strict=True):
        assert match.away is not None
        home_number, other = match.home.number, match.away.number
        assert by_pair[min(home_number, other), max(home_number, other)] == (
            ahead if home_number < other else -ahead
        )
    unplayed = [line for line in page.compared.bots if not line.sets]
    assert all((line.margin, line.won) == (None, None) for line in unplayed)


def test_three_at_a_table_are_compared_with_the_mean_of_the_others() -> None:
    round_ = a_bot_round(deal_sets=2, ruleset="arrastrado")
    tournament = round_.stage.tournament
    match = the_match(tournament, 1, 1)
    numbers = [side[0].number for side in match.sides]
    with_sets(match, (180, 120, 90), (150, 150, 90))
    # Three records a set; home above the mean of the others by 180-105 and 150-120, a third each.
    page = arena_page(tournament.slug, NOBODY)
    lines = {line.number: line for line in page.compared.bots}
    home, away = lines[numbers[0]], lines[numbers[1]]
    assert home.margin is not None
    assert home.margin.mean == pytest.approx((75 / 3 + 30 / 3) / 2)
    assert home.won is not None
    assert away.won is not None
    assert (home.won.mean, away.won.mean) == (0.75, 0.25), "who share the lead share the set"
    pairs = {(pair.one, pair.other): pair.margin.mean for pair in page.compared.pairs}
    lower_number, other = sorted(numbers[:2])
    ahead = (60 / 3 + 0) / 2
    assert pairs[lower_number, other] == pytest.approx(
        ahead if lower_number == numbers[0] else -ahead
    )


def test_the_figures_are_those_of_the_engine_for_the_same_matches() -> None:
    tournament = two_bots(4)
    match = the_match(tournament, 1, 1)
    play_match(match.pk)
    tally = engine.Tally(("one", "other"), sides=2, matches_a_set=2)
    records = list(match.records.accepted().order_by("coto"))
    for number in range(4):
        lines = []
        for record in records[2 * number : 2 * number + 2]:
            sides = ("AC", "BD") if record.home_side == "AC" else ("BD", "AC")
            verdict = engine.audit(record.text)
            points = tuple(sum(h.points[s] for h in verdict.hands if h.points) for s in sides)
            lines.append(played_line(points))
        tally.add(engine.PlayedSet(number + 1, (0, 1), tuple(lines)))
    page = arena_page(tournament.slug, NOBODY)
    home = next(line for line in page.compared.bots if line.number == match.home.number)
    assert home.margin == pytest.approx(tally.margin(0))
    (pair,) = page.compared.pairs
    over = pair if pair.one == match.home.number else pair.reversed
    assert over.margin == pytest.approx(tally.margin_between(0, 1))


def played_line(points: tuple[int, ...]) -> engine.MatchSummary:
    """Return a record as the engine's own series hands it over."""
    played = engine.PlayedMatch((0, 1), {}, points, (0.5, 0.5), ({}, {}))
    return engine.MatchSummary("", 1, points, played.shares, played.margins, ({}, {}))


# --- What counts ----------------------------------------------------------------------------------


def test_what_was_not_played_is_no_observation() -> None:
    tournament = a_bot_liguilla(to=3)
    tournament.refresh_from_db()
    correct_result(SYSTEM, the_match(tournament, 1, 1), Score(3, 0, 300, 100), reason="acta")
    Result.objects.update(forfeits=["away"])
    assert arena_page(tournament.slug, NOBODY).compared.sets == 0


def test_a_score_without_points_is_no_observation() -> None:
    tournament = a_bot_liguilla(to=3)
    match = the_match(tournament, 1, 1)
    correct_result(SYSTEM, match, Score(3, 0, 300, 100), reason="acta")
    correct_result(SYSTEM, match, Score(3, 1, 0, 0), reason="cuenta del árbitro")
    page = arena_page(tournament.slug, NOBODY)
    assert (page.compared.sets, page.compared.pairs) == (0, ())


def test_a_result_that_was_replaced_no_longer_counts() -> None:
    tournament = a_bot_liguilla(to=3)
    match = the_match(tournament, 1, 1)
    correct_result(SYSTEM, match, Score(3, 0, 300, 100), reason="acta")
    assert abs(arena_page(tournament.slug, NOBODY).compared.pairs[0].margin.mean) == 200
    correct_result(SYSTEM, match, Score(3, 2, 300, 280), reason="otra acta")
    assert abs(arena_page(tournament.slug, NOBODY).compared.pairs[0].margin.mean) == 20


def test_forfeits_are_counted_for_the_side_that_sat_there() -> None:
    round_ = a_bot_round(house_bot("simple", 1), house_bot("simple", 1), deal_sets=2)
    tournament = round_.stage.tournament
    match = the_match(tournament, 1, 1)
    play_match(match.pk)
    assert [r.home_side for r in match.records.order_by("coto")][:2] == ["AC", "BD"]
    bot = house_bot("simple", 1)
    for part, seat, unplayed in ((1, "A", 0), (2, "A", 2)):  # home's seat, then away's
        BotForfeit.objects.create(
            match=match, bot=bot, part=part, hand=1, seat=seat, code="crash", unplayed=unplayed
        )
    cache.clear()
    lines = {line.number: line for line in arena_page(tournament.slug, NOBODY).compared.bots}
    assert match.away is not None
    assert (lines[match.home.number].forfeits, lines[match.away.number].forfeits) == (1, 3)


def test_a_rating_is_shown_with_its_uncertainty() -> None:
    tournament = two_bots()
    ledger = RatingLedger.objects.create(ruleset=tournament.ruleset)
    bot = house_bot("simple", 1)
    rating = Rating.objects.create(ledger=ledger, bot=bot, mu=25.0, variance=4.0, matches=9)
    page = arena_page(tournament.slug, NOBODY)
    assert page.ratings == {bot.pk: rating.estimate}
    assert page.slugs[bot.pk] == bot.slug


# --- Sequential tests -----------------------------------------------------------------------------

TEST = {"model": "points", "low": -5, "high": 5}


def test_a_test_says_where_it_stands_between_its_bounds() -> None:
    tournament = two_bots(20, stop=TEST)
    points = [(150, 110), (140, 120), (130, 130)] * 4
    with_sets(the_match(tournament, 1, 1), *points)
    (pair,) = arena_page(tournament.slug, NOBODY).tests
    # Mean 10, variance (population) 200/3: 12 * 10 * (20 - 0) / (2 * 200/3) = 18
    assert pair.test is not None
    assert pair.test.llr == pytest.approx(18)
    assert pair.test.lower == pytest.approx(-math.log(19))
    assert pair.test.upper == pytest.approx(math.log(19))
    assert (pair.test.state, pair.test.sets) == ("high", 12)
    assert (pair.test.percent, pair.test.begins, pair.test.width) == (100, 50, 50)


def test_a_test_of_few_sets_goes_on() -> None:
    tournament = two_bots(20, stop=TEST)
    with_sets(the_match(tournament, 1, 1), (150, 110), (110, 152))
    (pair,) = arena_page(tournament.slug, NOBODY).tests
    assert pair.test is not None
    assert pair.test.state == "open"


def test_a_test_of_elo_counts_the_records_won() -> None:
    stop: dict[str, Any] = {"model": "logistic", "low": 0, "high": 50}
    tournament = two_bots(3, stop=stop)
    match = the_match(tournament, 1, 1)
    play_match(match.pk)
    won = []
    for record in match.records.accepted().order_by("coto"):
        score = record.verdict["score"]
        home_score = score[record.home_side]
        away_score = sum(score.values()) - home_score
        won.append(0.5 if home_score == away_score else float(home_score > away_score))
    counts = [0] * 5
    for number in range(3):
        counts[round(2 * (won[2 * number] + won[2 * number + 1]))] += 1
    if match.home.number != 1:
        counts.reverse()
    (pair,) = arena_page(tournament.slug, NOBODY).tests
    assert pair.test is not None
    assert pair.test.llr == pytest.approx(engine.Sprt(**stop).llr([], counts))


def test_a_test_that_accepts_its_lower_bound_is_lost() -> None:
    margins = [-12.0, -8.0, -10.0, -11.0, -9.0] * 3
    decision = sequential_test(TEST, margins, ())
    assert (decision.state, decision.percent, decision.begins, decision.width) == ("low", 0, 0, 50)


# --- Pages ----------------------------------------------------------------------------------------


def test_a_cell_opens_the_matches_behind_it() -> None:
    tournament = two_bots()
    match = the_match(tournament, 1, 1)
    with_sets(match, (150, 110), (140, 120), (130, 130))
    page = meetings_page(tournament.slug, 2, 1, NOBODY)
    (row,) = page.matches
    assert (row.match_pk, row.round, row.table, row.sets) == (match.pk, 1, 1, 3)
    assert (row.margin, row.won) == (-10, 0.5)
    assert page.pair.margin.mean == pytest.approx(-10)
    assert (page.one.number, page.other.number, page.tested.one) == (2, 1, 1)


def test_bots_that_never_met_have_no_matches_to_show() -> None:
    tournament = two_bots()
    for number, other in ((1, 2), (1, 1), (1, 9)):
        with refusal(Reason.NOT_FOUND):
            meetings_page(tournament.slug, number, other, NOBODY)


def test_before_anything_is_played_there_is_nothing_to_compare() -> None:
    tournament = a_bot_liguilla(published=0)
    page = arena_page(tournament.slug, NOBODY)
    assert (page.compared.sets, page.compared.pairs, len(page.compared.bots)) == (0, (), 4)
    assert page.head.bots == 4


def test_the_comparison_takes_as_many_queries_however_much_there_is() -> None:
    tournament = two_bots()
    with_sets(the_match(tournament, 1, 1), (150, 110), (140, 120))
    slug = tournament.slug
    assert count_queries(lambda: arena_page(slug, NOBODY))[1] == HEAD + 5
    assert again(lambda: arena_page(slug, NOBODY)) == HEAD + 2
    assert count_queries(lambda: meetings_page(slug, 1, 2, NOBODY))[1] == HEAD + 4


# --- Rounds at play -------------------------------------------------------------------------------


@pytest.fixture
def at_play() -> Round:
    """Three matches of a round, asked for; the first is played, the second in a worker's hands."""
    round_ = a_bot_round(*(house_bot("random", n) for n in range(6)))
    first, second, _ = round_.matches.order_by("pk").values_list("pk", flat=True)
    play_match(first)
    lease = claim_match(second)
    assert lease is not None
    Attempt.objects.filter(token=lease.token).update(worker="mesa:7")
    return round_


def test_the_progress_shows_who_plays_and_how_many_hands_were_played(at_play: Round) -> None:
    _, progress = round_progress(at_play.stage.tournament.slug, 1, NOBODY)
    assert (progress.total, progress.played, progress.running, progress.waiting) == (3, 1, 1, 1)
    assert (progress.records, progress.hands, progress.workers) == (1, 1, ("mesa:7",))
    assert (progress.rate, progress.estimated_end) == (None, None), "too little to tell by"
    assert not progress.is_paused


def test_the_end_is_estimated_from_the_last_minute_of_play() -> None:
    round_ = a_bot_round(*(house_bot("random", n) for n in range(12)))
    keys = list(round_.matches.order_by("pk").values_list("pk", flat=True))
    now = timezone.now()
    for second, key in enumerate(keys[:5]):
        play_match(key)
        Record.objects.filter(match=key).update(created_at=now - timedelta(seconds=40 - second))
    _, progress = round_progress(round_.stage.tournament.slug, 1, NOBODY)
    # One hand a match: four hands after the first record, in forty seconds. One match is left.
    assert progress.rate == pytest.approx(0.1, rel=0.05)
    assert progress.estimated_end is not None
    assert (progress.estimated_end - now).total_seconds() == pytest.approx(10, abs=3)
    pause_round(SYSTEM, round_)
    _, progress = round_progress(round_.stage.tournament.slug, 1, NOBODY)
    assert (progress.paused, progress.is_paused, progress.estimated_end) == (True, True, None)


def test_hands_a_second_are_counted_from_the_first_record_on() -> None:
    noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    records = [
        (noon + timedelta(seconds=s), hands) for s, hands in ((0, 9), (2, 4), (4, 6), (5, 5))
    ]
    assert pace(records, noon + timedelta(seconds=10)) == 1.5
    assert pace(records[1:], noon + timedelta(seconds=10)) is None, "three records are too few"
    assert pace([(noon, 1)] * 4, noon) is None


def test_the_hands_of_a_match_that_is_half_played_count() -> None:
    round_ = a_bot_round(house_bot("random", 1), house_bot("random", 2), deal_sets=10)
    match = round_.matches.get()
    play_match(match.pk, until=0.0)
    record_count = match.records.accepted().count()
    assert 0 < record_count < 20
    page = round_progress(round_.stage.tournament.slug, 1, NOBODY)[1]
    assert (page.records, page.hands, page.played) == (record_count, record_count, 0)


def test_the_pause_of_the_service_shows_on_the_round(at_play: Round) -> None:
    slug = at_play.stage.tournament.slug
    before = round_progress(slug, 1, NOBODY)[1]
    pause_arena(SYSTEM)
    after = round_progress(slug, 1, NOBODY)[1]
    assert (before.arena_paused, after.arena_paused) == (False, True)
    assert before.version != after.version


def test_who_runs_the_bots_may_pause_and_let_go_on(at_play: Round) -> None:
    slug, boss = at_play.stage.tournament.slug, organiser(at_play.stage.tournament.club)
    may = round_page(slug, 1, boss).may
    assert (may["pause"], may["resume"]) == (True, False)
    pause_round(SYSTEM, at_play)
    may = round_page(slug, 1, boss).may
    assert (may["pause"], may["resume"]) == (False, True)
    may = round_page(slug, 1, NOBODY).may
    assert (may["pause"], may["resume"]) == (False, False)


def test_a_round_of_people_has_no_progress() -> None:
    tournament = the_liguilla(published=1)
    with refusal(Reason.NOT_FOUND):
        round_progress(tournament.slug, 1, NOBODY)


def test_the_progress_takes_as_many_queries_however_much_there_is(at_play: Round) -> None:
    slug = at_play.stage.tournament.slug
    assert count_queries(lambda: round_progress(slug, 1, NOBODY))[1] == 1 + 5
    assert count_queries(lambda: round_page(slug, 1, NOBODY))[1] == HEAD + 4 + 5
    for key in at_play.matches.values_list("pk", flat=True):
        Match.objects.filter(pk=key).update(lease_until=None)
        play_match(key)
    assert count_queries(lambda: round_progress(slug, 1, NOBODY))[1] == 1 + 2


# --- The whole service ----------------------------------------------------------------------------


def test_the_room_lists_rounds_workers_and_what_failed(at_play: Round) -> None:
    failed = at_play.matches.order_by("pk").last()
    assert failed is not None
    Attempt.objects.create(
        match=failed,
        token="f" * 32,
        worker="mesa:8",
        started_at=timezone.now(),
        ended_at=timezone.now(),
        outcome=Attempt.Outcome.INFRASTRUCTURE,
        detail="no memory left",
    )
    room = arena_status_page(NOBODY)
    (round_,) = room.status.rounds
    assert (round_.slug, round_.number) == (at_play.stage.tournament.slug, 1)
    assert (round_.total, round_.played, round_.running, round_.stuck) == (3, 1, 1, 0)
    playing = {worker.name: worker.playing for worker in room.status.workers}
    assert (playing["mesa:7"], playing["mesa:8"]) == (1, 0)
    (failure,) = room.failed
    assert (failure.outcome, failure.worker, failure.detail) == ("infrastructure", "mesa:8", "")
    assert arena_status_page(SYSTEM).failed[0].detail == "no memory left", "the staff is told why"
    assert count_leased_matches() == 1
    assert room.sandbox == engine.capabilities()
    assert (room.may_switch, arena_status_page(SYSTEM).may_switch) == (False, True)


def test_the_room_mentions_the_pause_and_who_sits_on_the_bench(at_play: Round) -> None:
    bot = house_bot("random", 1)
    bot.benched_at = timezone.now()
    bot.save()
    before = arena_status_page(NOBODY)
    Arena.objects.create(pk=ARENA_PK, paused_at=timezone.now(), paused_by="sara")
    after = arena_status_page(NOBODY)
    assert [benched_bot.slug for benched_bot in after.benched] == [bot.slug]
    assert (before.status.paused_at, after.status.paused_by) == (None, "sara")
    assert before.status.version != after.status.version
    assert after.status.held == 1


def test_a_round_that_is_through_is_at_play_no_more(at_play: Round) -> None:
    for key in at_play.matches.values_list("pk", flat=True):
        Match.objects.filter(pk=key).update(lease_until=None)
        play_match(key)
    assert arena_status_page(NOBODY).status.rounds == ()


def test_the_room_takes_six_queries(at_play: Round) -> None:
    assert count_queries(lambda: arena_status_page(NOBODY))[1] == 6


def test_a_page_shows_the_tests_with_most_sets_and_shows_how_many_are_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    round_ = a_bot_round(*(house_bot("random", n) for n in range(4)), deal_sets=20, stop=TEST)
    tournament = round_.stage.tournament
    with_sets(the_match(tournament, 1, 1), (150, 110), (140, 120))
    with_sets(the_match(tournament, 1, 2), (150, 110), (140, 120), (130, 130))
    monkeypatch.setattr("tournaments.arena.queries.arena.MAX_TESTS", 1)
    page = arena_page(tournament.slug, NOBODY)
    assert [pair.sets for pair in page.tests] == [3]
    assert page.tests_left == 1

"""Matches of deal sets: the same deals for everybody, sets won, and the test that ends them."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

import pytest

import engine
from tests.clubs import SYSTEM, arbiter, organiser
from tests.support.bot_tables import a_bot_match, afresh, house_bot, played
from tests.support.refusals import refusal
from tournaments.arena.services import playing, table
from tournaments.arena.services.playing import PlayOutcome, play_match
from tournaments.core.errors import Reason
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.match_parts import DealSet, ends_after, part_of, sets_of, tally
from tournaments.domain.scores import Score
from tournaments.domain.verification import Finding, all_hold, verify
from tournaments.exchange.queries.exports import export_of
from tournaments.exchange.queries.proofs import proof_file
from tournaments.exchange.services.imports import import_tournament
from tournaments.models import Attempt, Match, Record, Result
from tournaments.results.queries.matches import match_page
from tournaments.results.queries.records import replays
from tournaments.results.services.leases import claim_match
from tournaments.results.services.matches import correct_result
from tournaments.results.services.reports import report_result
from tournaments.results.services.submit import submit_record

pytestmark = pytest.mark.django_db

EARLY = {"model": "points", "low": -5, "high": 5}


def records(match: Match) -> list[engine.Record]:
    rows = match.records.accepted().order_by("coto")
    return [engine.parse_record(row.text) for row in rows]


def of_sets(sets: int = 3, **more: Any) -> Match:
    return a_bot_match(deal_sets=sets, options={"deals": 2}, **more)


# --- What is played -------------------------------------------------------------------------------


def test_every_set_is_the_same_deals_with_the_seats_changed() -> None:
    match = played(of_sets())
    texts = records(match)
    assert len(texts) == 6
    assert match.state == "accepted"
    by_deals = defaultdict(list)
    for record in texts:
        by_deals[record.tags["deals"]].append(record)
    assert list(by_deals) == [f"{match.label}/{number}" for number in (1, 2, 3)]
    for first, second in by_deals.values():
        assert [hand.deal for hand in first.hands] == [hand.deal for hand in second.hands]
        assert (first.seats[0], first.seats[1]) == (second.seats[1], second.seats[0])
    assert [row.home_side for row in match.records.order_by("coto")] == ["AC", "BD"] * 3


def test_the_deals_of_a_set_are_drawn_under_its_number() -> None:
    match = played(of_sets(1))
    seed = bytes.fromhex(match.round.seed)
    rules = engine.RULESETS["parejas-online"]
    for record in records(match):
        for number, hand in enumerate(record.hands, 1):
            dealt = engine.deal(rules, seed, f"{match.label}/1", number)
            assert (hand.dealer, hand.trump, hand.deal) == (dealt.dealer, dealt.trump, dealt.hands)


def test_three_players_meet_the_same_deals_at_every_seat() -> None:
    match = played(of_sets(2, ruleset="arrastrado"))
    texts = records(match)
    assert len(texts) == 6
    for start in (0, 3):
        seats = [record.seats for record in texts[start : start + 3]]
        for at in range(3):
            assert len({names[at] for names in seats}) == 3
    live = match.results.get()
    totals = [
        sum((hand.points or {}).values()) for record in texts for hand in engine.audit(record).hands
    ]
    assert live.home_points + live.away_points + (live.third_points or 0) == sum(totals)


@pytest.mark.parametrize("ruleset", ["habanero", "mano-a-mano"])
def test_two_players_play_sets_of_their_games(ruleset: str) -> None:
    match = a_bot_match(deal_sets=2, ruleset=ruleset, options={"to": 1})
    match = played(match)
    assert match.state == "accepted"
    assert len(match.results.get().hand_scores) == 2


# --- What it comes to -----------------------------------------------------------------------------


def test_one_who_makes_more_points_in_a_set_wins_it_and_most_sets_win_the_match() -> None:
    match = played(of_sets(4))
    counts: list[dict[str, int]] = [defaultdict(int) for _ in range(4)]
    home = match.home.seat_names[0]
    for number, record in enumerate(records(match)):
        side, other = ("AC", "BD") if record.seats[0] == home else ("BD", "AC")
        for hand in engine.audit(record).hands:
            counts[number // 2]["home"] += (hand.points or {})[side]
            counts[number // 2]["away"] += (hand.points or {})[other]
    result = match.results.get()
    for row, points in zip(result.hand_scores, counts, strict=True):
        assert (row["home"], row["away"]) == (points["home"], points["away"])
        if points["home"] != points["away"]:
            assert row["winner"] == max(points, key=points.__getitem__)
    won = [
        sum(row.get("winner") == side for row in result.hand_scores) for side in ("home", "away")
    ]
    assert [result.home_hands, result.away_hands] == won
    assert result.home_points == sum(points["home"] for points in counts)


def test_a_level_set_is_nobodys() -> None:
    part = part_of({"AC": 1, "BD": 0}, [{"AC": 70, "BD": 60}], "AC")
    back = part_of({"AC": 1, "BD": 0}, [{"AC": 70, "BD": 60}], "BD")
    (level,) = sets_of([part, back])
    assert (level.winner, level.margin, level.wins) == (None, 0.0, 1.0)
    assert tally([level], 2).winner is None


def test_the_test_ends_a_match_as_soon_as_it_is_decided() -> None:
    bots = (house_bot("simple", 1), house_bot("random", 2))
    match = played(a_bot_match(*bots, deal_sets=60, stop=EARLY, options={"deals": 4}))
    sets = match.results.get().hand_scores
    assert 10 <= len(sets) < 60
    assert match.records.count() == 2 * len(sets)
    assert match.results.get().winner == "home"


def test_a_test_looks_at_the_sets_in_their_order() -> None:
    clear = [DealSet((300, 220 + n % 3), 0, 40.0 - n % 3, 2.0) for n in range(30)]
    assert ends_after(clear, 30, EARLY) == 10, "fewer say too little of the spread"
    assert ends_after(clear[:9], 30, EARLY) is None
    assert ends_after(clear, 30, {}) == 30
    assert ends_after(clear, 5, EARLY) == 5


def test_a_test_of_wins_counts_the_sets_of_two_and_one_of_points_those_of_three() -> None:
    two = [DealSet((300, 220), 0, 40.0, 2.0 if n % 3 else 1.0) for n in range(40)]
    assert ends_after(two, 40, {"model": "logistic", "low": 0, "high": 100}) == 12
    three = [DealSet((300, 220, 100), 0, 40.0 - n % 3, 3.0) for n in range(30)]
    assert ends_after(three, 30, EARLY) == 10, "their wins have no place among those of two"


# --- Attempts -------------------------------------------------------------------------------------


def test_an_attempt_goes_on_where_the_one_before_was_broken_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = of_sets()
    calls = 0

    def breaks(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls in {3, 5}:
            raise ZeroDivisionError
        return table.play_part(*arguments)

    monkeypatch.setattr(playing, "play_part", breaks)
    for accepted in (2, 3):
        with pytest.raises(ZeroDivisionError):
            play_match(match.pk)
        assert match.records.accepted().count() == accepted
    assert play_match(match.pk) is PlayOutcome.ACCEPTED
    labels = [record.tags["deals"] for record in records(match)]
    assert labels == [f"{match.label}/{number}" for number in (1, 1, 2, 2, 3, 3)]


def test_a_long_match_makes_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    match = of_sets()
    outcomes = [play_match(match.pk, until=0.0) for _ in range(6)]
    assert outcomes == [PlayOutcome.PARTLY] * 5 + [PlayOutcome.ACCEPTED]
    assert afresh(match).attempts == 1, "only the last one counts"
    attempts = Attempt.objects.filter(match=match).order_by("pk").values_list("outcome", flat=True)
    assert list(attempts) == ["partly"] * 5 + ["played"]


def test_a_worker_that_lost_its_lease_half_way_adds_nothing() -> None:
    match = of_sets()
    stale = claim_match(match.pk)
    assert stale is not None
    Match.objects.filter(pk=match.pk).update(lease_until=None)
    assert play_match(match.pk) is PlayOutcome.ACCEPTED
    before = match.records.accepted().count()
    assert playing.play_claimed(stale) is PlayOutcome.LATE
    assert match.records.accepted().count() == before == 6


# --- Whose records count --------------------------------------------------------------------------


def test_only_the_bots_own_records_are_taken() -> None:
    match = of_sets()
    play_match(match.pk, until=0.0)
    text = match.records.get().text
    assert submit_record(SYSTEM, match, text).outcome == "duplicate"
    other = json.loads(text)
    other["tags"] = {}
    other["seats"] = other["seats"][1:] + other["seats"][:1]
    refused = submit_record(organiser(match.tournament.club), match, json.dumps(other))
    assert refused.code == "played_by_bots"


def test_a_record_out_of_turn_is_refused() -> None:
    match = of_sets()
    play_match(match.pk, until=0.0)
    claim_match(match.pk)
    part = table.part_of(match, 3)
    later = table.play_part(match, part, lambda: None)
    refused = submit_record(SYSTEM, match, json.dumps(later.record), source=Record.Source.BOT)
    assert refused.code == "other_part"


def test_the_arbiter_gives_a_result_in_sets_won() -> None:
    match = of_sets()
    judge = arbiter(match.tournament.club)
    with refusal(Reason.IMPOSSIBLE_SCORE):
        correct_result(judge, match, Score(4, 0, 100, 0), reason="Prueba.")
    with refusal(Reason.PLAYED_BY_BOTS):
        report_result(judge, match, hand_scores=[{"home": 70, "away": 60}])
    correct_result(judge, match, Score(2, 1, 900, 600), reason="Prueba.")
    assert play_match(match.pk) is PlayOutcome.SKIPPED


# --- What others read -----------------------------------------------------------------------------


def verified(match: Match) -> tuple[Finding, ...]:
    bundle = bundle_from_bytes(proof_file(match.tournament))
    verdicts = {row.digest: engine.audit(row.text) for row in Record.objects.all()}
    return verify(bundle, verdicts)


def test_the_proof_of_a_tournament_of_sets_holds() -> None:
    match = played(of_sets())
    findings = verified(match)
    assert all_hold(findings)
    assert {"code": "records", "count": 6} in [
        {"code": finding.code, **finding.facts} for finding in findings
    ]


def test_a_proof_with_other_points_does_not_hold() -> None:
    match = played(of_sets())
    Result.objects.update(home_points=1)
    assert "marks_differ" in {finding.code for finding in verified(match)}


def test_a_proof_that_lacks_a_record_of_a_set_says_so() -> None:
    match = played(of_sets())
    Record.objects.filter(coto=4).delete()
    assert "sets_differ" in {finding.code for finding in verified(match)}


def test_the_page_of_the_match_shows_its_sets_and_their_records() -> None:
    match = played(of_sets())
    page = match_page(match.pk, SYSTEM)
    assert [line.number for line in page.sets] == [1, 2, 3]
    assert [len(line.records) for line in page.sets] == [2, 2, 2]
    assert page.match.score is not None
    points = [line.points for line in page.sets]
    assert sum(row[0] for row in points) == page.match.score.home_points


def test_every_record_replays_to_what_its_rows_say() -> None:
    match = played(of_sets(2))
    assert [replay.differences for replay in replays()] == [()] * 4
    row = match.results.get()
    row.hand_scores[0]["home"] += 1
    row.save()
    assert any(replay.differences for replay in replays())


def test_a_tournament_of_sets_travels() -> None:
    match = played(of_sets(2))
    tournament = match.tournament
    club = tournament.club
    document = export_of(tournament.slug, organiser(club))
    tournament.slug = "otro"
    tournament.save()
    copy = import_tournament(organiser(club), club, document)
    assert Record.objects.filter(match__round__stage__tournament=copy).count() == 4
    assert Result.objects.get(match__round__stage__tournament=copy).hand_scores == (
        match.results.get().hand_scores
    )


def test_an_export_with_other_sets_is_refused() -> None:
    match = played(of_sets(2))
    tournament = match.tournament
    document = json.loads(export_of(tournament.slug, organiser(tournament.club)))
    document["results"][0]["hand_scores"][0]["home"] += 1
    tournament.slug = "otro"
    tournament.save()
    with refusal(Reason.BAD_EXPORT):
        import_tournament(organiser(tournament.club), tournament.club, json.dumps(document))

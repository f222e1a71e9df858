"""The race to 101 of mano-a-mano (R9): games of one or two deals, claims and capote."""

import json
from pathlib import Path
from typing import Any

import pytest

import engine

SAMPLER = Path("tournaments/management/commands/club_night/sampler.ndjson")
MATCHES = [
    record
    for record in map(json.loads, SAMPLER.read_text(encoding="utf-8").splitlines())
    if record["ruleset"] == "mano-a-mano"
]


def second_deal(**changes: Any) -> engine.State:
    before: dict[str, Any] = {
        "ruleset": "mano-a-mano",
        "trump": "o",
        "dealer": "B",
        "turn": "A",
        "hands": {"A": "1o 3o Ro Co So 7o 6o 5o", "B": "1c 3c Rc Cc Sc 7c 6c 5c"},
        "stock": 0,
        "tricks_won": {"A": 7, "B": 5},
        "last_trick": "A",
        "points": {"A": 40, "B": 30},
        "carried": {"A": 70, "B": 60},
        "deal_of_game": 2,
    }
    return engine.position_from_dict(before | changes)


def refusal(state: engine.State, token: str) -> tuple[str, str]:
    with pytest.raises(engine.IllegalAction) as refused:
        state.apply(token)
    return refused.value.fault.code, refused.value.fault.rule


def test_who_has_101_and_says_so_wins_the_game_r9_3() -> None:
    state = second_deal().apply("A:101")
    assert state.over
    assert state.winner == 0


def test_who_claims_101_without_having_it_loses_the_game_r9_3() -> None:
    assert second_deal(points={"A": 20, "B": 10}).apply("A:101").winner == 1


def test_who_has_not_just_won_a_trick_may_not_claim_r9_3() -> None:
    assert refusal(second_deal(), "B:101") == ("claim.window", "R9.3")


def test_nobody_claims_in_the_first_deal_r9_3() -> None:
    assert refusal(second_deal(deal_of_game=1, carried={}), "A:101") == ("claim.window", "R9.3")


def test_capote_is_announced_after_the_last_draw_and_before_the_next_lead_r9_5() -> None:
    state = second_deal().apply("A:capote")
    assert engine.position_to_dict(state)["capote"] == "A"
    assert refusal(second_deal(stock=4, upcard="4o", hands={}), "A:capote") == (
        "claim.window",
        "R9.5",
    )


def test_capote_is_won_with_all_eight_tricks_r9_5() -> None:
    state = second_deal().apply("A:capote")
    for rank in "13RCS765":
        state = state.apply(f"{rank}o").apply(f"{rank}c")
    assert state.over
    assert state.winner == 0


def test_capote_is_lost_with_the_first_trick_lost_r9_5() -> None:
    hands = {"A": "1c 3c Rc Cc Sc 7c 6c 5c", "B": "1o 3o Ro Co So 7o 6o 5o"}
    state = second_deal(hands=hands).apply("A:capote").apply("1c").apply("5o")
    assert state.over
    assert state.winner == 1


def test_nobody_claims_after_a_capote_r9_3() -> None:
    assert refusal(second_deal().apply("A:capote"), "A:101") == ("claim.window", "R9.3")


def test_declarations_after_a_capote_count_for_nothing_r9_5() -> None:
    state = second_deal().apply("A:capote").apply("A:40")
    assert state.points == (40, 30)


def test_there_is_no_tute_in_mano_a_mano_r3() -> None:
    assert refusal(second_deal(), "A:tuteR") == ("declare.not_admitted", "R6.7")


def test_an_undecided_first_deal_is_followed_by_a_second_r9_2() -> None:
    undecided = [
        (match, n)
        for match in MATCHES
        for n, hand in enumerate(match["hands"])
        if hand["winner"] is None
    ]
    assert len(undecided) >= 5
    for match, n in undecided:
        verdict = engine.audit(match)
        first, second = verdict.hands[n], verdict.hands[n + 1]
        assert first.winner is None
        assert second.winner is not None
        assert match["hands"][n + 1]["dealer"] == first.last_trick


def test_the_second_deal_is_dealt_by_the_winner_of_the_last_ten_r9_2() -> None:
    match = json.loads(json.dumps(next(m for m in MATCHES if m["hands"][0]["winner"] is None)))
    second = match["hands"][1]
    second["dealer"] = "B" if second["dealer"] == "A" else "A"
    fault = engine.audit(match).faults[0]
    assert (fault.code, fault.rule, fault.hand) == ("deal.dealer", "R9.2", 2)


def test_games_alternate_the_dealer_r9_4() -> None:
    match = json.loads(json.dumps(next(m for m in MATCHES if m["hands"][0]["winner"] is not None)))
    match["hands"][1]["dealer"] = match["hands"][0]["dealer"]
    fault = engine.audit(match).faults[0]
    assert (fault.code, fault.rule, fault.hand) == ("deal.dealer", "R9.4", 2)


def test_a_match_of_games_has_no_fixed_number_of_deals_f1() -> None:
    match = MATCHES[0] | {"options": {"deals": 3}}
    assert [fault.code for fault in engine.audit(match).faults] == ["record.option"]


def test_who_gets_there_without_a_claim_wins_with_a_notice_r9_3() -> None:
    noticed = [
        notice
        for match in MATCHES
        for notice in engine.audit(match).notices
        if notice.code == "claim.missing"
    ]
    assert noticed
    assert {notice.rule for notice in noticed} == {"R9.3"}

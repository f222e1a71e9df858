"""What an analysis is stored as, and what it is found by again."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import engine
from engine.analysis import LUCK_SCALE, ROLES, Margins, Terms, scale_luck, sums_by_seat
from engine.analysis.marks import BLUNDER, MISTAKE, SLIP, Rival, find_mark, is_stable
from tests.engine.analysis.table import changed, match_of_hand, played

FEW = Terms(worlds=4)


@pytest.mark.parametrize("ruleset", ["parejas-online", "habanero", "arrastrado"])
def test_an_analysis_goes_to_json_and_back(ruleset: str) -> None:
    hand = engine.analyse_hand(played(ruleset, 20), 0, FEW)
    text = json.dumps(hand.to_dict())
    assert engine.HandAnalysis.from_dict(json.loads(text)) == hand


def test_the_analysis_of_a_match_is_written_whole() -> None:
    analysis = engine.analyse(played("cuatro", 21, deals=2), FEW)
    document = json.loads(json.dumps(analysis.to_dict()))
    assert [hand["number"] for hand in document["hands"]] == [1, 2]
    assert [side["side"] for side in document["adjusted"]] == ["AC", "BD"]
    assert set(document["adjusted"][0]["skill_a_hand"]) == {"mean", "low", "high", "observed"}
    assert [seat["seat"] for seat in document["seats"]] == ["A", "B", "C", "D"]
    assert document["names"]["A"] == "player A"


def test_names_and_statements_do_not_make_another_hand() -> None:
    record = played("cuatro", 22)
    document = match_of_hand(record)
    document["seats"] = ["w", "x", "y", "z"]
    document["hands"][0] |= {"points": None, "winner": None}
    second_record = engine.parse_record(document)
    assert engine.hand_digest(second_record, 0) == engine.hand_digest(record, 0)


def test_cards_play_and_rules_make_another_hand() -> None:
    record = played("cuatro", 22)
    document = match_of_hand(record)
    document["options"]["must_overtrump"] = False
    play = (record.hands[0].play or "").split()
    others = [
        engine.parse_record(document),
        changed(record, play=" ".join(play[:-1])),
        changed(record, play=None),
        played("cuatro", 23),
    ]
    digests = [engine.hand_digest(each, 0) for each in (record, *others)]
    assert len(set(digests)) == len(digests)
    with pytest.raises(IndexError):
        engine.hand_digest(record, 1)


def test_what_is_known_is_not_analysed_again() -> None:
    record = played("cuatro", 24, deals=2)
    first, second = engine.analyse_hands(record, FEW)
    marker = replace(first, par=1000, number=7)
    stored = {first.digest: marker}
    analyses = list(engine.analyse_hands(record, FEW, stored.get))
    assert analyses == [replace(marker, number=1), second]


@pytest.mark.parametrize("stale", [{"version": 0}, {"terms": Terms(worlds=5)}, {"digest": "other"}])
def test_what_was_stored_under_other_terms_is_stale(stale: dict[str, object]) -> None:
    record = played("cuatro", 25)
    hand = engine.analyse_hand(record, 0, FEW)
    old = replace(hand, par=1000, **stale)  # type: ignore[arg-type]
    assert list(engine.analyse_hands(record, FEW, lambda _digest: old)) == [hand]


def test_roles_follow_from_who_deals() -> None:
    record = played("parejas", 26)
    hand = engine.analyse_hand(record, 0, Terms(worlds=0))
    mano = hand.plays[0].seat
    roles = {seat.seat: seat.role for seat in hand.seats}
    assert roles[mano] == "mano"
    assert roles[record.hands[0].dealer] == "dealer"
    assert sorted(roles.values()) == sorted(ROLES)
    sides = {seat.role: seat.side for seat in hand.seats}
    assert sides["mano"] == sides["mano_partner"] != sides["dealer"] == sides["dealer_partner"]


def test_of_two_players_one_is_mano_and_one_deals() -> None:
    hand = engine.analyse_hand(played("habanero", 27), 0, Terms(worlds=0))
    assert sorted(seat.role for seat in hand.seats) == ["dealer", "mano"]


def test_sums_leave_out_what_was_not_analysed() -> None:
    record = played("cuatro", 28, deals=2)
    hands = list(engine.analyse_hands(record, FEW))
    missing = engine.analyse_hand(changed(record, play=None), 0, FEW)
    sums = sums_by_seat([*hands, missing])
    assert sums == sums_by_seat(hands)
    for seat in sums:
        assert seat.hands == 2 == len(seat.fits)
        rows = [row for hand in hands for row in hand.seats if row.seat == seat.seat]
        assert seat.open_loss == sum(row.open_loss for row in rows)


@pytest.mark.parametrize(
    ("open_loss", "fair", "error", "grade", "stable"),
    [
        (10, 12.0, 1.0, BLUNDER, True),
        (10, 10.0, 1.0, MISTAKE, False),
        (9, 30.0, 1.0, MISTAKE, True),
        (30, 8.0, 1.0, MISTAKE, False),
        (30, 7.5, 1.0, MISTAKE, True),
        (3, 3.0, 0.5, SLIP, True),
        (3, 2.9, 0.5, None, False),
        (2, 20.0, 0.5, None, True),
        (20, 0.9, 0.5, None, True),
        (20, 12.0, 6.0, None, False),
    ],
)
def test_a_card_gets_the_mildest_grade_within_two_standard_errors(
    open_loss: int, fair: float, error: float, grade: object, stable: bool
) -> None:
    rivals = [Rival(3, open_loss, fair, error)]
    mark = find_mark(rivals)
    assert (mark[0] if mark else None) == grade
    assert is_stable(rivals) == stable


def test_both_losses_must_speak_of_the_same_card() -> None:
    """One card better openly, another one fairly: that marks nothing."""
    assert find_mark([Rival(1, 20, 0.0, 0.1), Rival(2, 0, 20.0, 0.1)]) is None
    mark = find_mark([Rival(1, 20, 0.0, 0.1), Rival(2, 0, 20.0, 0.1), Rival(3, 6, 6.0, 0.1)])
    assert mark is not None
    assert mark == (MISTAKE, Rival(3, 6, 6.0, 0.1))


def test_luck_is_a_part_of_par_and_all_that_was_declared() -> None:
    hands = [Margins(result=-6, luck=-30, par=-70), Margins(result=20, luck=10, par=10)]
    scaled = scale_luck(hands)
    share = LUCK_SCALE.value
    assert scaled.luck == pytest.approx(40 + share * (-70 + 10))
    assert scaled.luck + scaled.skill == pytest.approx(-6 + 20)
    assert scaled.error == pytest.approx(LUCK_SCALE.margin * 60)
    assert scaled.a_hand.mean == pytest.approx(scaled.skill / 2)

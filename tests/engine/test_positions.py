"""A position (F4) goes in and out without loss; what contradicts itself is refused by name."""

from itertools import pairwise
from typing import Any

import pytest

import engine

ENDING: dict[str, Any] = {
    "ruleset": "parejas-online",
    "trump": "o",
    "dealer": "D",
    "turn": "C",
    "hands": {"A": "1o 2c", "B": "3o 4c", "C": "Ro Co 5c", "D": "7o 6c Rb"},
    "trick": "1c 2o",
    "tricks_won": {"AC": 4, "BD": 3},
    "last_trick": "A",
    "declared": {"A": ["20e"]},
    "forfeited": {"B": ["20b"]},
    "window": [],
    "points": {"AC": 61, "BD": 12},
}


def test_a_position_survives_the_way_there_and_back() -> None:
    state = engine.position_from_dict(ENDING)
    assert engine.position_from_dict(engine.position_to_dict(state)) == state


def test_unknown_hands_may_play_any_card_not_seen_elsewhere() -> None:
    state = engine.position_from_dict(
        {"ruleset": "parejas-online", "trump": "o", "turn": "A", "hands": {"B": "1o 3o"}}
    )
    assert len(state.legal_tokens()) == 38
    with pytest.raises(engine.IllegalAction) as refused:
        state.apply("1o")
    assert refused.value.fault.code == "play.not_held"


def test_a_refused_token_changes_nothing() -> None:
    state = engine.position_from_dict(ENDING)
    before = engine.position_to_dict(state)
    with pytest.raises(engine.IllegalAction):
        state.apply("1b")
    assert engine.position_to_dict(state) == before


def test_seats_and_sides_name_won_tricks_alike() -> None:
    by_seat = engine.position_from_dict(ENDING | {"tricks_won": {"A": 3, "C": 1, "B": 3}})
    assert by_seat.tricks_won == engine.position_from_dict(ENDING).tricks_won


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"ruleset": "mus"}, "/ruleset"),
        ({"trump": "x"}, "/trump"),
        ({"trump": ""}, "/trump"),
        ({"turn": "E"}, "/turn"),
        ({"turn": ["A"]}, "/turn"),
        ({"dealer": {"D": 1}}, "/dealer"),
        ({"hands": {"A": "8o"}}, "/hands/A"),
        ({"hands": {"A": "1o 2c", "B": "1o 4c"}}, "/hands/B"),
        ({"hands": {"A": "1o 2c", "B": "4c"}}, "/hands"),
        ({"hands": {"E": "1o"}}, "/hands/E"),
        ({"trick": "1c 2c 3c 4c"}, "/trick"),
        ({"trick": "1c 1c"}, "/trick"),
        ({"tricks_won": {"AC": -1}}, "/tricks_won/AC"),
        ({"last_trick": "E"}, "/last_trick"),
        ({"declared": {"A": ["30e"]}}, "/declared/A"),
        ({"window": ["A:1o"]}, "/window"),
        ({"speed": 1}, "/speed"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_its_place(
    change: dict[str, Any], path: str
) -> None:
    with pytest.raises(engine.PositionError) as refused:
        engine.position_from_dict(ENDING | change)
    assert refused.value.path == path


def test_every_step_of_a_record_is_a_frame_with_what_was_legal() -> None:
    rules = engine.RULESETS["parejas-online"]
    bots = {seat: engine.Chance(seat.encode()) for seat in rules.seats}
    play_match = engine.play_match(rules, bots, b"seed", "frames", list("wxyz"), {"deals": 1})
    record = engine.parse_record(play_match)
    tokens = play_match["hands"][0]["play"].split()
    frames = engine.frames(record, 0)
    assert [frame.token for frame in frames] == [None, *tokens]
    for before, after in pairwise(frames):
        if after.token is not None and ":" not in after.token:
            assert after.token in before.legal
            assert after.seat == before.turn
    assert frames[-1].turn is None
    assert frames[-1].points == play_match["hands"][0]["points"]

"""What is true of every hand, whatever is dealt and played (Hypothesis).

First of every hand of `parejas-online`, then of every match of the six rulesets.
"""

from __future__ import annotations

import json
from itertools import takewhile
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import engine
from engine.replay import CarryOver
from tests.engine import chance, mutations, naive
from tests.engine.naive_play import PACK, SEATS, SUITS
from tests.engine.naive_rules import NAMES, TANTOS
from tests.quick import examples

seeds = st.integers(min_value=0, max_value=2**32 - 1)
dealers = st.sampled_from(SEATS)
laws = settings(max_examples=examples(60), deadline=None)


@st.composite
def hands(draw: st.DrawFn) -> chance.HandRecord:
    """A hand dealt and played to its end by chance."""
    return chance.hand(Random(draw(seeds)), draw(dealers))[0]


@st.composite
def whole_hands(draw: st.DrawFn) -> chance.HandRecord:
    """A hand of ten tricks."""
    return draw(hands().filter(lambda hand: not ends_with_tute(hand)))


@st.composite
def tutes(draw: st.DrawFn) -> chance.HandRecord:
    """A hand that a tute ends."""
    rng, dealer = Random(draw(seeds)), draw(dealers)
    played = (chance.hand(rng, dealer)[0] for _ in range(1000))
    return next(hand for hand in played if ends_with_tute(hand))


@st.composite
def places(draw: st.DrawFn) -> tuple[chance.HandRecord, int]:
    """A hand and a moment of it: the number of tokens that have happened."""
    hand = draw(hands())
    return hand, draw(st.integers(0, len(hand["play"].split()) - 1))


def record_of(hand: chance.HandRecord, play: str | None = None) -> dict[str, Any]:
    """A match to one hand, nothing stated."""
    if play is not None:
        hand = {**hand, "play": play}
    head = {"format": "baza/1", "ruleset": "parejas-online", "options": {"to": 1}}
    return {**head, "seats": ["Ana", "Bea", "Carlos", "Diego"], "hands": [hand]}


def ends_with_tute(hand: chance.HandRecord) -> bool:
    return "tute" in hand["play"]


def worth(declarations: tuple[str, ...]) -> int:
    return sum(int(declaration[2:4]) for declaration in declarations)


@laws
@given(whole_hands())
def test_points_of_a_whole_hand_are_130_and_the_declarations(hand: chance.HandRecord) -> None:
    """R7.1: 120 in the pack and 10 for the last trick."""
    result = engine.audit(record_of(hand)).hands[0]
    assert result.points is not None
    assert sum(result.points.values()) == 130 + worth(result.declarations)


@laws
@given(tutes())
def test_a_tute_wins_the_hand_and_nothing_is_counted_for_the_last_trick(
    hand: chance.HandRecord,
) -> None:
    """R6.7 and R7.5."""
    result = engine.audit(record_of(hand)).hands[0]
    assert result.winner == ("AC" if hand["play"].split()[-1][0] in "AC" else "BD")
    assert result.points is not None
    assert sum(result.points.values()) <= 120


@laws
@given(whole_hands())
def test_most_points_win_and_at_a_tie_the_last_trick(hand: chance.HandRecord) -> None:
    """R7.2 and R7.3."""
    result = engine.audit(record_of(hand)).hands[0]
    assert result.points is not None
    ac_points, bd_points = result.points["AC"], result.points["BD"]
    winner = "AC" if ac_points > bd_points else "BD" if bd_points > ac_points else result.last_trick
    assert result.winner == winner


@laws
@given(hands())
def test_every_card_is_played_once_and_the_winner_of_a_trick_leads_the_next(
    hand: chance.HandRecord,
) -> None:
    """R2.3: mano leads first."""
    frames = engine.frames(engine.parse_record(record_of(hand)), 0)
    played = [frame.token for frame in frames if frame.token and ":" not in frame.token]
    assert len(set(played)) == len(played)
    assert ends_with_tute(hand) or sorted(played) == sorted(PACK)
    leader = SEATS[(SEATS.index(hand["dealer"]) + 1) % 4]
    for frame in frames[1:]:
        if len(frame.table) == 1:
            assert frame.seat == leader
        leader = frame.won or leader


@laws
@given(places())
def test_a_play_broken_off_is_legal_as_far_as_it_goes(place: tuple[chance.HandRecord, int]) -> None:
    """F3: ``play.incomplete`` points one past the last token and lists the legal cards."""
    hand, length = place
    tokens = hand["play"].split()
    verdict = engine.audit(record_of(hand, " ".join(tokens[:length])))
    assert [(fault.code, fault.token) for fault in verdict.faults] == [("play.incomplete", length)]
    following = [token for token in tokens[length:] if ":" not in token]
    if following:
        assert following[0] in verdict.faults[0].legal


@laws
@given(places(), st.sampled_from(PACK))
def test_a_card_is_accepted_when_it_is_among_the_legal_ones_and_only_then(
    place: tuple[chance.HandRecord, int], card: str
) -> None:
    hand, length = place
    before = hand["play"].split()[:length]
    legal = engine.audit(record_of(hand, " ".join(before))).faults[0].legal
    faults = engine.audit(record_of(hand, " ".join([*before, card]))).faults
    refused = [
        fault for fault in faults if fault.token == length and fault.code != "play.incomplete"
    ]
    assert bool(refused) == (card not in legal)
    for fault in refused:
        assert set(fault.legal) == set(legal)


@laws
@given(hands())
def test_the_fast_lane_counts_what_the_readable_core_counts(hand: chance.HandRecord) -> None:
    """The audit runs over masks; the frames fold the states one by one."""
    record = engine.parse_record(record_of(hand))
    result = engine.audit(record).hands[0]
    frames = engine.frames(record, 0)
    assert len(frames) == len(hand["play"].split()) + 1
    assert frames[-1].turn is None
    assert frames[-1].points == result.points
    assert not any(frame.turn is None for frame in frames[:-1])


@laws
@given(places())
def test_a_state_stays_as_it_was_when_something_happens_after_it(
    place: tuple[chance.HandRecord, int],
) -> None:
    """A state is a value: undo is keeping the old one."""
    hand, length = place
    frames = engine.frames(engine.parse_record(record_of(hand)), 0)
    frame = frames[min(length, len(frames) - 2)]
    assume(len(frame.table) < 4)
    position = {"ruleset": "parejas-online", "trump": hand["trump"][1], "turn": frame.turn}
    position["hands"] = {seat: " ".join(cards) for seat, cards in frame.hands.items()}
    position["trick"] = " ".join(card for _, card in frame.table)
    state = engine.position_from_dict(position)
    before, tokens = engine.position_to_dict(state), state.legal_tokens()
    for token in tokens:
        assert engine.position_to_dict(state.apply(token)) != before
    assert engine.position_to_dict(state) == before
    assert state.legal_tokens() == tokens
    assert engine.position_from_dict(before) == state


@laws
@given(hands(), st.permutations(SUITS))
def test_the_suits_could_have_other_names(hand: chance.HandRecord, suits: list[str]) -> None:
    """No rule distinguishes suits."""
    renamed = str.maketrans("oceb", "".join(suits))

    def other(text: str) -> str:
        words = [word.replace("tute", "@").translate(renamed) for word in text.split()]
        return " ".join(words).replace("@", "tute")

    twin = {"dealer": hand["dealer"], "trump": other(hand["trump"]), "play": other(hand["play"])}
    twin["deal"] = {seat: other(cards) for seat, cards in hand["deal"].items()}
    audit, two = engine.audit(record_of(hand)), engine.audit(record_of(twin))
    assert two.valid
    assert two.hands[0].points == audit.hands[0].points
    assert two.hands[0].winner == audit.hands[0].winner
    assert len(two.notices) == len(audit.notices)


@laws
@given(hands())
def test_everybody_could_sit_one_seat_further(hand: chance.HandRecord) -> None:
    """R2.1: no rule distinguishes seats."""
    moved = str.maketrans("ABCD", "BCDA")

    def other(token: str) -> str:
        return token[0].translate(moved) + token[1:] if ":" in token else token

    twin = {**hand, "dealer": hand["dealer"].translate(moved)}
    twin["deal"] = {seat.translate(moved): cards for seat, cards in hand["deal"].items()}
    twin["play"] = " ".join(other(token) for token in hand["play"].split())
    result = engine.audit(record_of(hand)).hands[0]
    two = engine.audit(record_of(twin)).hands[0]
    assert result.points is not None
    assert two.points == {"AC": result.points["BD"], "BD": result.points["AC"]}


@laws
@given(st.dictionaries(st.text(max_size=8), st.integers() | st.text(max_size=8) | st.none()))
def test_whatever_object_comes_in_a_verdict_comes_out(source: dict[str, Any]) -> None:
    verdict = engine.audit(source)
    assert not verdict.valid
    assert verdict.faults[0].code.startswith("record.")


@laws
@given(hands(), st.text(alphabet="1234567RCSoceb ABCDE:tuexvyps\n-", max_size=60))
def test_whatever_is_written_as_play_a_verdict_comes_out(
    hand: chance.HandRecord, play: str
) -> None:
    verdict = engine.audit(record_of(hand, play))
    assert len(verdict.faults) == 1
    assert verdict.faults[0].code.split(".")[0] in [
        *["play", "declare", "exchange", "claim", "support"]
    ]


@pytest.mark.parametrize("language", ["en", "es"])
@laws
@given(places(), st.sampled_from(PACK))
def test_every_fault_can_be_said_in_words(
    language: str, place: tuple[chance.HandRecord, int], card: str
) -> None:
    hand, length = place
    before = hand["play"].split()[:length]
    verdict = engine.audit(record_of(hand, " ".join([*before, card])))
    for remark in verdict.faults + verdict.notices:
        assert len(engine.explain(remark, language)) > 10


# --------------------------------------------------------------------------- all six rulesets

rulesets = pytest.mark.parametrize("ruleset", NAMES)
fewer = settings(max_examples=examples(40), deadline=None)


def match(seed: int, ruleset: str) -> chance.Record:
    """The match of a seed, every hand of it legal."""
    return chance.match(Random(seed), ruleset)


def declared_before_capote(tokens: list[str]) -> int:
    """What the declarations count: nothing after a capote (R9.5)."""
    before_capote = takewhile(lambda token: not token.endswith(":capote"), tokens)
    return sum(int(token[2:4]) for token in before_capote if token[1:4] in [":40", ":20"])


def points_for_no_side(hand: chance.HandRecord, ruleset: str) -> int:
    """R5.5: the card points of the card that lies on the table of `arrastrado` in the end."""
    if ruleset != "arrastrado" or any(token[2:] in ["x7", "x2"] for token in hand["play"].split()):
        return 0
    return TANTOS[hand["trump"][0]]


@rulesets
@fewer
@given(seed=seeds)
def test_points_of_a_hand_played_out_are_130_and_what_was_declared(seed: int, ruleset: str) -> None:
    """R7.1, less the card set aside (R5.5) and what a capote silenced (R9.5)."""
    record = match(seed, ruleset)
    cards = 39 if ruleset == "arrastrado" else 40
    for hand, result in zip(record["hands"], engine.audit(record).hands, strict=True):
        if hand["play"] is None:
            continue
        tokens = hand["play"].split()
        total = 130 - points_for_no_side(hand, ruleset) + declared_before_capote(tokens)
        assert result.points is not None
        if sum(":" not in token for token in tokens) == cards:
            assert sum(result.points.values()) == total
        else:
            assert sum(result.points.values()) <= total - 10


@rulesets
@fewer
@given(seed=seeds, part=st.floats(0, 1))
def test_a_play_up_to_a_token_is_the_position_written_there(
    seed: int, part: float, ruleset: str
) -> None:
    """F4: what is written of a moment, read back, goes on as the play does."""
    source = match(seed, ruleset)
    record = engine.parse_record(source)
    for hand, start in zip(record.hands, naive.verdict(source).starts, strict=True):
        if start is None:
            continue
        game = CarryOver(tuple(start.carried[side] for side in start.sides), start.deal_of_juego)
        game = game if ruleset == "mano-a-mano" else CarryOver()
        moments = list(engine.states(record.ruleset, hand, game))
        tokens = (hand.play or "").split()
        assert len(moments) == len(tokens) + 1
        index = int(part * (len(tokens) - 1))
        state = moments[index]
        if not can_be_written(tokens[:index], state):
            continue
        read = engine.position_from_dict(engine.position_to_dict(state))
        assert read.legal_tokens() == state.legal_tokens()
        assert (read.points, read.turn) == (state.points, state.turn)
        assert tokens[index] in read.legal_tokens()
        assert engine.position_to_dict(read) == engine.position_to_dict(state)
        assert read.rules == state.rules


def can_be_written(tokens: list[str], state: engine.State) -> bool:
    """F4 cannot say who has yet to support (R8.4), nor when in a window a card was exchanged."""
    since_trick = list(takewhile(lambda token: ":" in token, reversed(tokens)))
    exchanged = any(token[2] == "x" for token in since_trick)
    supporting = any(token[2:] in ["voy", "paso"] for token in state.legal_tokens())
    return not supporting and not (exchanged and state.window)


def one_seat_further(record: chance.Record) -> chance.Record:
    """The same match with everybody moved to the next seat in playing order (R2.1)."""
    count = len(record["seats"])
    moved = dict(zip(SEATS[:count], SEATS[1:count] + SEATS[:1], strict=True))

    def side(name: str | None) -> str | None:
        return name and "".join(sorted(moved[seat] for seat in name))

    def token(text: str) -> str:
        return moved[text[0]] + text[1:] if ":" in text else text

    def by_side(points: dict[str, int] | None) -> dict[str | None, int] | None:
        return {side(name): number for name, number in points.items()} if points else None

    def stated(source: dict[str, Any]) -> dict[str, Any]:
        other = dict(source)
        for name in {"points", "payments", "score"} & set(source):
            other[name] = by_side(source[name])
        if "winner" in source:
            other["winner"] = side(source["winner"])
        return other

    hands = []
    for hand in record["hands"]:
        other = stated(hand) | {"dealer": moved[hand["dealer"]]}
        if hand.get("deal"):
            other["deal"] = {moved[seat]: cards for seat, cards in hand["deal"].items()}
        if hand["play"] is not None:
            other["play"] = " ".join(token(text) for text in hand["play"].split())
        hands.append(other)
    names = [record["seats"][-1], *record["seats"][:-1]]
    return stated(record) | {"seats": names, "hands": hands}


@rulesets
@fewer
@given(seed=seeds)
def test_a_match_is_accepted_with_everybody_one_seat_further(seed: int, ruleset: str) -> None:
    """R2.1: no rule distinguishes seats; as many moves as seats change nothing."""
    record = match(seed, ruleset)
    audit = engine.audit(record)
    twin = one_seat_further(record)
    other = engine.audit(twin)
    assert audit.valid
    assert other.valid
    assert [notice.code for notice in other.notices] == [notice.code for notice in audit.notices]
    moved = one_seat_further({**record, "score": audit.score, "winner": audit.winner})
    assert (other.score, other.winner) == (moved["score"], moved["winner"])
    for result, two in zip(audit.hands, other.hands, strict=True):
        hand = {"dealer": "A", "play": None, "points": result.points, "winner": result.winner}
        hand["payments"] = result.payments
        expected = one_seat_further({**record, "hands": [hand]})["hands"][0]
        assert two.points == expected["points"]
        assert two.winner == expected["winner"]
        assert two.payments == expected["payments"]
        assert two.plate == result.plate
    for _ in record["seats"][1:]:
        twin = one_seat_further(twin)
    assert twin == record


@rulesets
@fewer
@given(seed=seeds)
def test_a_match_written_as_text_and_read_back_has_the_same_digest(seed: int, ruleset: str) -> None:
    """F2: the text says the same."""
    record = match(seed, ruleset)
    document = engine.parse_text(engine.write_text(record)).document
    audit, two = engine.audit(record), engine.audit(document)
    assert two.digest == audit.digest
    assert two.valid
    assert engine.write_text(document) == engine.write_text(record)


@rulesets
@fewer
@given(some=st.lists(st.tuples(seeds, st.booleans()), min_size=1, max_size=6))
def test_many_at_once_are_judged_as_one_by_one(some: list[tuple[int, bool]], ruleset: str) -> None:
    """The kernel and the core, on records in order and out of it."""
    lines = []
    for seed, corrupted in some:
        record = match(seed, ruleset)
        if corrupted:
            mutations.corrupt(Random(seed), record)
        lines.append(json.dumps(record).encode())
    judged = list(engine.audit_many(lines))
    assert len(judged) == len(lines)
    for line, verdict in zip(lines, judged, strict=True):
        alone = engine.audit(line)
        assert (verdict.valid, verdict.winner) == (alone.valid, alone.winner)
        assert [fault.code for fault in verdict.faults] == [fault.code for fault in alone.faults]
        assert verdict.notices == alone.notices
        if verdict.valid:
            assert (verdict.score, verdict.digest) == (alone.score, alone.digest)
            for result, two in zip(verdict.hands, alone.hands, strict=True):
                assert (result.points, result.winner) == (two.points, two.winner)
                assert result.payments == two.payments

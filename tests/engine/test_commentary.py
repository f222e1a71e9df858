"""A hand explained trick by trick: each card with its duty, each silence, each rule."""

import json
from functools import cache
from pathlib import Path

import pytest

import engine
from engine.cards import CARDS, SUIT_MASKS, mask_of
from engine.cli import main
from engine.commentary import explain_hand
from engine.rules import broken_duty
from tournaments.environment import ROOT

WORKED = ROOT / "docs" / "examples" / "worked-hand.tute"
FREE = {"lead", "free", "free_while_stock", "no_higher_trump"}
BROKEN = {
    "head": {("play.must_follow", "R4.2"), ("play.must_head", "R4.2")},
    "follow": {("play.must_follow", "R4.2")},
    "follow_under_trump": {("play.must_follow", "R4.2")},
    "follow_trumps": {("play.must_follow", "R4.6")},
    "trump": {("play.must_trump", "R4.4")},
    "any_trump": {("play.must_trump", "R4.4")},
    "overtrump": {("play.must_trump", "R4.4"), ("play.must_overtrump", "R4.4a")},
}
"""The faults that a card against each duty would be."""


@cache
def played_hands() -> tuple[tuple[engine.Record, int], ...]:
    """Let bots play a match of every ruleset; `random` says little of what it could."""
    parsed = []
    for rules in engine.RULESETS.values():
        names = ["Ana", "Bea", "Carlos", "Diego"][: len(rules.seats)]
        for kind in ("simple", "random"):
            bots = {seat: engine.HOUSE_BOTS[kind](seat.encode()) for seat in rules.seats}
            played = engine.play_match(rules, bots, b"a seed", kind, names)
            parsed.append(engine.parse_record(json.dumps(played)))
    return tuple((record, index) for record in parsed for index in range(len(record.hands)))


def test_every_duty_is_the_one_whose_breach_the_rules_name() -> None:
    """Every card held but not legal would break the duty that the remark names, none otherwise."""
    codes = set()
    for record, index in played_hands():
        hand = record.hands[index]
        tokens = (hand.play or "").split()
        for remark in explain_hand(record, index):
            code = remark.code.removeprefix("remark.")
            if code not in FREE | set(BROKEN) or remark.token is None:
                continue
            state = engine.position_at(record, index, remark.token)
            number = state.hands[state.turn] or 0
            legal = mask_of(CARDS[card] for card in remark.legal)
            assert (remark.card, legal) == (tokens[remark.token], state.legal())
            trumps = SUIT_MASKS[state.trump]
            broken = {
                broken_duty(record.ruleset, number, state.table, trumps, card, state.stock)
                for card in range(40)
                if 1 << card & number & ~legal
            }
            assert broken <= BROKEN.get(code, set()), (record.ruleset.name, index, remark)
            codes.add(code)
    assert codes == FREE | set(BROKEN)


def test_every_declaration_that_was_open_when_a_trick_was_led_is_remarked() -> None:
    unsaid = lost = 0
    for record, index in played_hands():
        remarks = explain_hand(record, index)
        for token, state in enumerate(engine.states(record.ruleset, record.hands[index])):
            if record.ruleset.race_to or state.table or not state.tricks_left or state.over:
                continue
            if ":" in (record.hands[index].play or "").split()[token]:
                continue
            open_now = {
                action.token for seat in state.players for action in state.declarations(seat)
            }
            declarations = {r.declaration for r in remarks if r.token == token and r.declaration}
            assert open_now <= declarations
        unsaid += sum(remark.code == "remark.unsaid" for remark in remarks)
        lost += sum(remark.code == "declare.omitted" for remark in remarks)
    assert unsaid
    assert lost


def test_the_winner_of_the_last_remark_is_that_of_the_verdict() -> None:
    for record, index in played_hands():
        last = explain_hand(record, index)[-1]
        assert last.facts["winner"] == record.hands[index].winner
        if not record.ruleset.race_to:
            assert last.facts["score"] == record.hands[index].points


def test_a_hand_is_reported_in_each_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(WORKED)]) == 0
    english = capsys.readouterr().out.splitlines()
    assert english[0] == "worked-hand.tute#1  parejas-online  hand 1, dealer D, trump card 5b"
    assert "  R6.1   C declares C:40" in english
    assert "  R4.4a  D plays Re: cannot follow 5c nor overtrump Sb, so any card is legal" in english
    assert english[-1] == "  R7.2   AC 82, BD 88: BD wins the hand"
    for language, trick in (("es", "Baza 10"), ("de", "Stich 10")):
        assert main(["explain", str(WORKED), "--lang", language]) == 0
        other = capsys.readouterr().out.splitlines()
        assert trick in other
        assert len(other) == len(english)
        assert [line[:8] for line in other if line[:3] == "  R"] == [
            line[:8] for line in english if line[:3] == "  R"
        ]


def test_a_hand_that_a_fault_stops_ends_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = WORKED.read_text("utf-8").replace("A: 5o So 3o", "A: 5o 2e 3o")
    path = tmp_path / "wrong.tute"
    path.write_text(wrong, encoding="utf-8")
    assert main(["explain", str(path), "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["hand"], answer["dealer"], answer["trump"]) == (1, "D", "5b")
    last = answer["remarks"][-1]
    fault = engine.audit_text(engine.parse_text(wrong.encode())).faults[0]
    for name in ("code", "rule", "trick", "token", "path", "seat", "card"):
        assert last[name] == getattr(fault, name)
    assert {remark["hand"] for remark in answer["remarks"]} == {1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--hand", "2"], "there is no hand 2; the record has 1"),
        (["--hand", "0"], "there is no hand 0; the record has 1"),
        (["--record", "2"], "there is no record 2 in it"),
        (["--record", "0"], "there is no record 0 in it"),
    ],
)
def test_what_is_not_there_is_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", str(WORKED), *arguments]) == 2
    assert capsys.readouterr().err == f"tute: {message}\n"


def test_a_hand_without_its_play_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "result.json"
    hand = {"dealer": "D", "play": None, "points": {"AC": 1, "BD": 129}, "winner": "BD"}
    record = {"format": "baza/1", "ruleset": "parejas", "seats": list("wxyz"), "hands": [hand]}
    path.write_text(json.dumps(record))
    assert main(["explain", str(path)]) == 2
    assert "hand 1 cannot be replayed" in capsys.readouterr().err

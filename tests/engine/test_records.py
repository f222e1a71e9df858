"""Reading records (F1) and the verdict on them (F3): one sentence a promise."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import engine

CLUB_NIGHT = Path("tournaments/management/commands/club_night/records.ndjson")
VALID: dict[str, Any] = json.loads(CLUB_NIGHT.read_text(encoding="utf-8").splitlines()[0])


def changed(**fields: Any) -> dict[str, Any]:
    return deepcopy(VALID) | fields


def with_hand(index: int = 0, **fields: Any) -> dict[str, Any]:
    record = deepcopy(VALID)
    record["hands"][index] |= fields
    return record


def without(field: str) -> dict[str, Any]:
    record = deepcopy(VALID)
    del record[field]
    return record


def faults(source: Any) -> list[tuple[str, str]]:
    return [(fault.code, fault.path) for fault in engine.audit(source).faults]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "malformed_json"),
        ("", "malformed_json"),
        ("{} {}", "malformed_json"),
        ('{"format": "baza/1", "format": "baza/1"}', "duplicate_key"),
        ('{"a": NaN}', "bad_number"),
        ('{"a": -Infinity}', "bad_number"),
        ('{"a": 1e400}', "bad_number"),
        ('{"a": ' + "9" * 5000 + "}", "bad_number"),
        ('{"a": "\\ud800"}', "bad_character"),
        ('{"a": "\\u0000"}', "bad_character"),
        ('{"a\\u0000": 1}', "bad_character"),
        (b'{"a": "\xff"}', "bad_encoding"),
        ("\ufeff{}", "bad_encoding"),
        ("{}".encode("utf-16"), "bad_encoding"),
    ],
)
def test_what_is_not_strict_json_is_record_syntax(text: str | bytes, reason: str) -> None:
    with pytest.raises(engine.RecordError) as error:
        engine.parse_record(text)
    assert (error.value.fault.code, error.value.reason) == ("record.syntax", reason)


def test_a_syntax_error_names_line_and_column() -> None:
    with pytest.raises(engine.RecordError) as error:
        engine.parse_record('{\n "format": baza\n}')
    assert (error.value.line, error.value.column) == (2, 12)


@pytest.mark.parametrize("depth", [17, 5_000, 200_000])
def test_deep_nesting_is_refused_and_breaks_nothing(depth: int) -> None:
    with pytest.raises(engine.RecordError) as error:
        engine.parse_record('{"a":' + "[" * depth + "]" * depth + "}")
    assert (error.value.fault.code, error.value.reason) == ("record.limit", "too_deep")


@pytest.mark.parametrize("text", ["[]", "null", '"x"', "7"])
def test_a_record_is_one_object(text: str) -> None:
    with pytest.raises(engine.RecordError) as error:
        engine.parse_record(text)
    assert (error.value.fault.code, error.value.reason) == ("record.format", "expected_object")


@pytest.mark.parametrize(
    ("record", "code", "path"),
    [
        (changed(format="baza/2"), "record.format", "/format"),
        (without("format"), "record.format", "/format"),
        (changed(ruleset="brisca"), "record.ruleset", "/ruleset"),
        (changed(options={"to": 0}), "record.option", "/options/to"),
        (changed(options={"to": True}), "record.option", "/options/to"),
        (changed(options={"to": 3, "deals": 3}), "record.option", "/options"),
        (changed(options={"speed": 3}), "record.option", "/options/speed"),
        (changed(options={"exchange": "before_play"}), "record.option", "/options/exchange"),
        (changed(seats=["Ana", "Bea"]), "record.seats", "/seats"),
        (changed(seats=["Ana", "Bea", "Carlos", 7]), "record.seats", "/seats"),
        (changed(seats=["Ana\u202e", "Bea", "Carlos", "Dora"]), "record.seats", "/seats/0"),
        (changed(comment="x"), "record.field", "/comment"),
        (changed(tags={"table": 7}), "record.field", "/tags/table"),
        (changed(tags={"table": "\x07"}), "record.field", "/tags/table"),
        (changed(hands={}), "record.field", "/hands"),
        (without("hands"), "record.field", "/hands"),
        (changed(score={"AC": 1}), "record.field", "/score/BD"),
        (changed(score={"AC": 1, "BD": 1.0}), "record.field", "/score/BD"),
        (changed(winner="A"), "record.field", "/winner"),
        (with_hand(dealer="E"), "record.field", "/hands/0/dealer"),
        (with_hand(note="x"), "record.field", "/hands/0/note"),
        (with_hand(stock="1o"), "record.field", "/hands/0/stock"),
        (with_hand(play=7), "record.field", "/hands/0/play"),
        (with_hand(deal=None), "record.field", "/hands/0/deal"),
        (with_hand(play=None, points=None), "record.field", "/hands/0/points"),
        (changed(hands=[{"dealer": "A"}]), "record.field", "/hands/0/play"),
        (changed(hands=VALID["hands"] * 400), "record.limit", "/hands"),
        (with_hand(play="1o " * 201), "record.limit", "/hands/0/play"),
        (changed(tags={"site": "x" * 1001}), "record.limit", "/tags/site"),
    ],
)
def test_what_cannot_be_read_as_a_record_is_reported_with_its_place(
    record: dict[str, Any], code: str, path: str
) -> None:
    assert faults(record) == [(code, path)]
    assert faults(json.dumps(record)) == [(code, path)]


def test_of_several_record_faults_the_earlier_code_wins() -> None:
    record = changed(comment="x", seats=[], options={"to": -1}, ruleset="brisca")
    assert faults(record) == [("record.ruleset", "/ruleset")]
    assert faults(record | {"ruleset": "parejas-online"}) == [("record.option", "/options/to")]


def test_a_record_of_more_than_a_mebibyte_is_not_even_read() -> None:
    assert faults(" " * engine.MAX_BYTES + "{}") == [("record.limit", "")]


def test_a_hand_without_its_play_counts_but_is_marked_unaudited() -> None:
    verdict = engine.audit(with_hand(play=None))
    assert verdict.valid
    assert not verdict.hands[0].audited
    assert [notice.code for notice in verdict.notices][:1] == ["hand.unaudited"]
    assert verdict.score == {"AC": 0, "BD": 3}


@pytest.mark.parametrize(
    ("points", "code"),
    [
        ({"AC": 54, "BD": 96}, None),
        ({"AC": 130, "BD": 0}, None),
        ({"AC": 230, "BD": 0}, None),
        ({"AC": 1, "BD": 129}, "score.impossible"),
        ({"AC": 54, "BD": 95}, "score.impossible"),
        ({"AC": 140, "BD": 110}, "score.impossible"),
        ({"AC": 100, "BD": 30}, "score.winner"),
        ({"AC": 65, "BD": 65}, None),
    ],
)
def test_a_stated_result_must_be_one_that_a_hand_can_give(
    points: dict[str, int], code: str | None
) -> None:
    record = changed(
        hands=[{"dealer": "A", "play": None, "points": points, "winner": "BD"}],
        options={"deals": 1},
        score=None,
        winner=None,
    )
    if points["AC"] > points["BD"] and code is None:
        record["hands"][0]["winner"] = "AC"
    assert [fault.code for fault in engine.audit(record).faults] == ([code] if code else [])


def test_one_verdict_names_a_fault_in_every_hand_that_has_one() -> None:
    record = deepcopy(VALID)
    record["hands"][0]["points"] = {"AC": 0, "BD": 130}
    record["hands"][2] |= {"dealer": "D", "trump": "5e"}
    assert faults(record) == [
        ("score.points", "/hands/0/points"),
        ("deal.dealer", "/hands/2/dealer"),
    ]


def test_after_a_wrong_dealer_the_next_is_expected_to_follow_them() -> None:
    record = deepcopy(VALID)
    record["options"] = {"to": 9}
    record["score"] = record["winner"] = None
    record["hands"][1]["dealer"] = "C"
    assert ("deal.dealer", "/hands/2/dealer") in faults(record)


def test_hands_after_the_end_of_the_match_are_reported_one_by_one() -> None:
    record = changed(options={"to": 1})
    record["score"] = {"AC": 0, "BD": 1}
    assert faults(record) == [("match.over", "/hands/1"), ("match.over", "/hands/2")]


def test_a_match_that_is_not_decided_is_noticed_and_valid() -> None:
    verdict = engine.audit(changed(hands=VALID["hands"][:2], score=None, winner=None))
    assert verdict.valid
    assert verdict.winner is None
    assert "match.unfinished" in [notice.code for notice in verdict.notices]


def test_equal_sides_at_the_end_of_a_fixed_number_of_hands_have_no_winner() -> None:
    tied = {"dealer": "D", "play": None, "points": {"AC": 30, "BD": 100}, "winner": "BD"}
    other = {"dealer": "A", "play": None, "points": {"AC": 100, "BD": 30}, "winner": "AC"}
    record = changed(hands=[tied, other], options={"deals": 2}, score=None, winner=None)
    verdict = engine.audit(record)
    assert verdict.valid
    assert verdict.winner is None
    assert verdict.score == {"AC": 1, "BD": 1}


def test_the_same_game_written_differently_has_the_same_digest() -> None:
    record = deepcopy(VALID)
    record["seats"] = ["w", "x", "y", "z"]
    record["tags"] = {}
    del record["options"]
    for hand in record["hands"]:
        hand["deal"] = {
            seat: "  ".join(reversed(cards.split())) for seat, cards in hand["deal"].items()
        }
        hand["play"] = f" {hand['play']} "
        hand["points"] = None
    assert engine.audit(record).digest == engine.audit(VALID).digest


def test_another_play_has_another_digest() -> None:
    tokens = VALID["hands"][0]["play"].split()
    other = " ".join([tokens[1], tokens[0], *tokens[2:]])
    assert engine.audit(with_hand(play=other)).digest != engine.audit(VALID).digest


def test_a_verdict_is_json_and_speaks_both_languages() -> None:
    verdict = engine.audit(with_hand(play="2e 1o"))
    assert (
        verdict.as_dict("en")["faults"][0]["message"] == "B does not hold 1o; may play Se, 7e or 6e"
    )
    assert verdict.as_dict("es")["faults"][0]["message"] == "B no tiene 1o; puede jugar Se, 7e o 6e"
    assert json.loads(json.dumps(verdict.as_dict())) == verdict.as_dict()


def test_the_tricks_of_a_verdict_name_the_leader_then_the_cards() -> None:
    tricks = engine.audit(VALID).hands[0].tricks
    assert tricks[:2] == (("A", "2e Se 4e 1e"), ("D", "2o 3o 6o 1o"))
    assert len(tricks) == 10


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"hands/0/play": 1}, "/hands~10~1play"),
        ({"a~b": 1}, "/a~0b"),
        ({"tags": {"~1": 1}}, "/tags/~01"),
        ({"options": {"a/b": 1}}, "/options/a~1b"),
        ({"tags": {"a/b": "x" * 1001}}, "/tags/a~1b"),
    ],
)
def test_the_path_of_a_fault_is_a_json_pointer(fields: dict[str, Any], path: str) -> None:
    (fault,) = engine.audit(changed(**fields)).faults
    assert (fault.path, fault.hand) == (path, None)


def test_a_fault_of_a_tag_with_a_slash_is_found_in_its_text() -> None:
    text = engine.write_text(VALID).replace("\n\n", f'\n["a/b" "{"x" * 1001}"]\n\n', 1)
    (fault,) = engine.audit_text(engine.parse_text(text)).faults
    assert text.splitlines()[fault.facts["line"] - 1].startswith('["a/b"')

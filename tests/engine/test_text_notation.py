"""The text notation (F2): what is written in it, read from it, and said about it."""

from __future__ import annotations

import io
import json
import tracemalloc
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.explanations import explain
from engine.text_words import TextError
from tests.engine import chance, mutations
from tests.quick import examples

if TYPE_CHECKING:
    from collections.abc import Iterator

RECORDS = Path("tests/records")
GAMES = sorted(path for path in RECORDS.glob("*.tute") if path.name != "faults.tute")
CLUB_NIGHT = Path("tournaments/management/commands/club_night")
DATA = [
    json.loads(line)
    for path in sorted(CLUB_NIGHT.glob("*.ndjson"))
    if "expected" not in path.name
    for line in path.read_text(encoding="utf-8").splitlines()
]
VALID: dict[str, Any] = next(
    record for record in DATA if record["tags"]["event"] == "Liguilla de otoño"
)

LINES_OF_FAULTS = [
    *["no_format", "open_quote", "bad_tag", "bad_escape", "bad_character", "bad_encoding"],
    *["nothing_to_inherit", "seat_gap", "bad_option", "bad_pairs", "twice", "no_dealer"],
    *["one_word", "unknown_line", "empty_trick", "blank_in_word", "late_tag", "play_and_none"],
    "too_large",
]

seeds = st.integers(min_value=0, max_value=2**32 - 1)
rulesets = st.sampled_from(sorted(engine.RULESETS))
laws = settings(max_examples=examples(60), deadline=None)
odd_texts = st.text(
    st.sampled_from('1oRcA:4;"\\[]{}#-*/ \t\n\u00a0\u2028éñ\x00\x1f\x85\U0001f0a1=')
    | st.characters(codec="utf-8"),
    max_size=12,
)


def hand_of(text: str) -> str:
    """One hand of a record at the table of `parejas-online`, with this text for its play."""
    return text_of(VALID).partition("\ndealer")[0] + "\n" + text


def text_of(record: dict[str, Any]) -> str:
    return engine.write_text(record)


def read(text: str) -> list[engine.TextRecord]:
    return list(engine.iter_text(io.BytesIO(text.encode())))


def in_one_way(record: dict[str, Any]) -> dict[str, Any]:
    """The same record, its cards and tokens a blank apart, and options and tags said."""
    record = {"options": {}, "tags": {}, **deepcopy(record)}
    for hand in record["hands"]:
        for name in ("play", "stock"):
            if hand.get(name) is not None:
                hand[name] = " ".join(hand[name].split())
        if hand.get("deal") is not None:
            hand["deal"] = {seat: " ".join(cards.split()) for seat, cards in hand["deal"].items()}
    return record


def without_places(verdict: engine.Verdict) -> dict[str, Any]:
    """A verdict as it is on JSON, which has no lines."""
    fields = verdict.as_dict()
    for remark in (*fields["faults"], *fields["notices"]):
        for name in ("line", "column"):
            remark.pop(name, None)
            remark.get("facts", {}).pop(name, None)
        if not remark.get("facts"):
            remark.pop("facts", None)
    return fields


def errors_of(text: str | bytes) -> list[tuple[int | None, int | None, str]]:
    """Line, column and reason of everything that is wrong."""
    raw = text.encode() if isinstance(text, str) else text
    reader = engine.TextReader(io.BytesIO(raw))
    pairs: list[tuple[int | None, int | None, str]] = []
    while True:
        try:
            if reader.read() is None:
                return pairs
        except TextError as error:
            errors = [error, *error.also]
            pairs += [(fault.line, fault.column, fault.reason) for fault in errors]


# --- there and back ------------------------------------------------------------------------------


def test_the_club_night_goes_to_text_and_back_byte_for_byte() -> None:
    text = "\n".join(text_of(record) for record in DATA)
    back = read(text)
    assert [json.dumps(record.document) for record in back] == [
        json.dumps(record) for record in DATA
    ]
    assert "\n".join(text_of(record.document) for record in back) == text


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_game_with_comments_goes_to_json_and_back_byte_for_byte(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = engine.parse_text(text)
    assert record.comments
    document = json.loads(json.dumps(engine.document_with_comments(record)))
    assert engine.parse_record(document).tags == document["tags"]
    assert text_of(document) == text
    assert engine.document_with_comments(engine.parse_text(text_of(document))) == document


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_game_is_valid_and_has_the_digest_of_its_json(path: Path) -> None:
    record = engine.parse_text(path.read_bytes())
    verdict = engine.audit_text(record)
    assert verdict.valid
    assert verdict.digest == engine.audit(engine.document_with_comments(record)).digest


def test_there_is_a_game_of_every_ruleset() -> None:
    games = [engine.parse_text(path.read_bytes()).document for path in GAMES]
    assert {game["ruleset"] for game in games} == set(engine.RULESETS)


@laws
@given(seeds, rulesets)
def test_legal_matches_of_every_ruleset_go_there_and_back(seed: int, ruleset: str) -> None:
    record = chance.match(Random(seed), ruleset)
    (back,) = read(text_of(record))
    assert back.document == in_one_way(record)
    assert text_of(back.document) == text_of(record)
    assert without_places(engine.audit_text(back)) == without_places(engine.audit(record))


@laws
@given(seeds, rulesets)
def test_broken_matches_go_there_and_back_and_get_the_same_verdict(seed: int, ruleset: str) -> None:
    rng = Random(seed)
    record = chance.match(rng, ruleset)
    mutations.corrupt(rng, record)
    verdict = engine.audit(record)
    if verdict.digest is None:
        with pytest.raises(engine.RecordError) as error:
            text_of(record)
        assert error.value.fault == verdict.faults[0]
        return
    (back,) = read(text_of(record))
    assert back.document == in_one_way(record)
    assert without_places(engine.audit_text(back)) == without_places(verdict)


@laws
@given(
    seeds,
    st.lists(odd_texts, max_size=8),
    st.dictionaries(odd_texts, odd_texts, max_size=4),
    odd_texts,
)
def test_whatever_a_record_says_is_carried(
    seed: int, tokens: list[str], tags: dict[str, str], odd: str
) -> None:
    record = deepcopy(VALID) | {"tags": tags, "seats": [odd, "#", "-", ""]}
    rng = Random(seed)
    hand = record["hands"][0]
    hand["play"] = " ".join([*hand["play"].split()[: rng.randint(0, 40)], *tokens])
    hand["trump"] = odd
    hand["deal"]["B"] = odd
    try:
        engine.parse_record(record)
    except engine.RecordError:
        return  # an unprintable name or tag
    (back,) = read(text_of(record))
    assert back.document == in_one_way(record)
    assert text_of(back.document) == text_of(record)


@pytest.mark.parametrize("name", ["points", "winner", "payments", "score", "deal", "trump"])
def test_null_and_nothing_stated_stay_apart(name: str) -> None:
    record = deepcopy(next(candidate for candidate in DATA if "stakes" in candidate["options"]))
    hand = record["hands"][0]
    if name in ("deal", "trump"):
        hand["play"] = None
    holder = record if name == "score" else hand
    for value in ({name: None}, {}):
        holder.pop(name, None)
        holder.update(value)
        (back,) = read(text_of(record))
        document = back.document if name == "score" else back.document["hands"][0]
        assert (name in document) == bool(value)
        assert back.document == record


def test_a_tag_may_have_any_name() -> None:
    names = ["event", "Event", "winner", "Winner", "a", "A", "to", "x y", "", "#", '"', "ñ", "e-2"]
    names += ["format", "format-x", "format-", "formats", "a/b", "~"]
    record = deepcopy(VALID) | {"tags": dict.fromkeys(names, "#")}
    (back,) = read(text_of(record))
    assert list(back.document["tags"]) == names
    assert back.document == record


def test_a_ruleset_keeps_its_version() -> None:
    for name in ("parejas-online", "parejas-online@1"):
        record = deepcopy(VALID) | {"ruleset": name}
        (back,) = read(text_of(record))
        assert back.document["ruleset"] == name
        assert text_of(back.document) == text_of(record)


def test_house_rules_keep_their_types() -> None:
    options = {"must_overtrump": False, "tute_ranks": "", "deals": 7, "declarations_per_trick": 0}
    (back,) = read(text_of(deepcopy(VALID) | {"options": options}))
    assert back.document["options"] == options


# --- comments ------------------------------------------------------------------------------------


@laws
@given(seeds, rulesets, st.integers(0, 12))
def test_comments_stay_where_they_are(seed: int, ruleset: str, count: int) -> None:
    rng = Random(seed)
    lines = text_of(chance.match(rng, ruleset)).splitlines()
    for _ in range(count):
        at = rng.randrange(len(lines))
        text = rng.choice(["", "bien", "¿20 o 40?", '"', "; dos", "x" * rng.randint(1, 900)])
        if lines[at] and ";" not in lines[at] and text and rng.random() < 0.5:
            lines[at] += f" ; {text}"
        elif lines[at] and not lines[at].startswith(";"):
            lines.insert(at, f"; {text}".strip())
    if rng.random() < 0.5:
        lines.append("; end")
    text = "\n".join([*lines, ""])
    document = engine.document_with_comments(engine.parse_text(text))
    assert text_of(json.loads(json.dumps(document))) == text


def test_comments_of_another_layout_are_moved_to_the_lines_of_the_export_form_once() -> None:
    tokens = VALID["hands"][0]["play"].split()[:4]
    loose = "".join(f"; over {token}\n  {token}\t; after {token}\n" for token in tokens)
    text = text_of(VALID).replace(f"A: {' '.join(tokens)}\n", loose)
    document = engine.document_with_comments(engine.parse_text(text))
    assert document["hands"] == VALID["hands"]
    assert {name: text for name, text in document["tags"].items() if name.startswith(";")} == {
        "; above /hands/0/play/0": "\n".join(f"over {token}" for token in tokens),
        "; after /hands/0/play/0": "; ".join(f"after {token}" for token in tokens),
    }
    (back,) = read(text_of(document))
    assert engine.document_with_comments(back) == document


def test_a_comment_above_a_record_is_its_own_and_one_below_with_a_blank_line_is_not() -> None:
    first, second = text_of(VALID), text_of(VALID)
    records = read(f"{first}; about the first\n\n; about the second\n{second}")
    assert [[comment.text for comment in record.comments] for record in records] == [
        ["about the first"],
        ["about the second"],
    ]


def test_a_tag_that_only_looks_like_a_comment_stays_a_tag() -> None:
    for name in ["; above /nowhere", "; after /end", "; after /winner", "; above 2 /winner"]:
        record = deepcopy(VALID) | {"tags": {"event": "x", name: "a\nb"}}
        (back,) = read(text_of(record))
        assert engine.document_with_comments(back) == record
        assert not back.comments


# --- as people type it ---------------------------------------------------------------------------


def test_blanks_case_of_tags_line_ends_and_broken_lines_make_no_difference() -> None:
    typed = text_of(VALID).replace("[Event", "  [ event ").replace("Se 4e", "Se\t \n 4e")
    typed = typed.replace("\n\n", "\n").replace("\n", "  \r\n")
    (back,) = read(typed)
    assert back.document == VALID


def test_a_hand_may_say_its_fields_in_any_order_and_leave_the_leaders_out() -> None:
    typed = "dealer D\nwinner BD\npoints AC 54 BD 96\n2e Se 4e 1e\nB:20o 2o 3o\ntrump Rb\n"
    (back,) = read(hand_of(typed))
    assert back.document["hands"] == [
        {
            "dealer": "D",
            "trump": "Rb",
            "play": "2e Se 4e 1e B:20o 2o 3o",
            "points": {"AC": 54, "BD": 96},
            "winner": "BD",
        }
    ]


def test_a_tag_is_inherited_from_the_record_before() -> None:
    head = '[Format "baza/1"]\n[Ruleset "parejas"]\n[Event "Liga"]\n'
    text = f'{head}\n[Format "baza/1"]\n[Ruleset "#"]\n[Event "#"]\n[Round "\\u0023"]\n'
    _first, second = read(text)
    assert second.document["ruleset"] == "parejas"
    assert second.document["tags"] == {"event": "Liga", "round": "#"}
    third = text + '[Format "baza/1"]\n[Event "#"]\n[Site "#"]\n'
    assert errors_of(third) == [(11, 7, "nothing_to_inherit")]


def test_a_hand_without_its_play_is_marked_by_an_asterisk() -> None:
    (back,) = read(hand_of("dealer A\n*\npoints AC 80 BD 50\nwinner AC\n"))
    assert back.document["hands"][0]["play"] is None
    assert engine.audit_text(back).notices[0].code == "hand.unaudited"
    (back,) = read(hand_of("dealer A\n"))
    assert back.document["hands"][0]["play"] == ""


# --- the stream ----------------------------------------------------------------------------------


def test_heads_can_be_read_without_hands_and_records_skipped() -> None:
    text = "\n".join(text_of(record) for record in DATA[:4])
    reader = engine.TextReader(io.BytesIO(text.replace("A: ", "A: ; ").encode()))
    first = reader.read_head()
    assert first is not None
    assert first.document == {k: v for k, v in DATA[0].items() if k != "hands"}
    assert reader.skip()
    with pytest.raises(TextError):
        reader.read()
    last = reader.read_head()
    assert last is not None
    assert (last.number, last.document["tags"]) == (4, DATA[3]["tags"])
    assert not reader.skip()
    heads = engine.iter_text(io.BytesIO(text.encode()), heads_only=True)
    assert [head.document["seats"] for head in heads] == [record["seats"] for record in DATA[:4]]


def test_a_skipped_record_still_hands_down_its_tags() -> None:
    head = '[Format "baza/1"]\n[Event "Liga"]\n\n'
    text = (
        head + '[Format "baza/1"]\n[Event "#"]\n\ndealer A\n"\n\n[Format "baza/1"]\n[Event "#"]\n'
    )
    reader = engine.TextReader(io.BytesIO(text.encode()))
    assert reader.skip()
    assert reader.skip()
    record = reader.read()
    assert record is not None
    assert record.document["tags"] == {"event": "Liga"}


class Endless:
    """A stream of many records that is nowhere in memory as a whole."""

    def __init__(self, text: str, count: int) -> None:
        lines = text.encode().splitlines(keepends=True)
        self.lines: Iterator[bytes] = (line for _ in range(count) for line in lines)

    def readline(self, _limit: int) -> bytes:
        return next(self.lines, b"")


def peak(count: int) -> int:
    tracemalloc.start()
    hands = 0
    for record in engine.iter_text(Endless(text_of(VALID), count)):
        hands += len(record.document["hands"])
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert hands == 3 * count
    return used


@pytest.mark.slow
def test_a_long_stream_takes_no_more_memory_than_a_short_one() -> None:
    peak(10)
    assert peak(400) < 2 * peak(20)


# --- what is wrong -------------------------------------------------------------------------------


def test_line_n_of_the_fixture_holds_fault_n() -> None:
    errors = errors_of((RECORDS / "faults.tute").read_bytes())
    assert [(line, reason) for line, _column, reason in errors] == [
        (number, reason) for number, reason in enumerate(LINES_OF_FAULTS, 1)
    ]


@pytest.mark.parametrize("number", range(1, len(LINES_OF_FAULTS) + 1))
def test_an_error_shows_its_line_with_a_caret_and_speaks_both_languages(number: int) -> None:
    raw = (RECORDS / "faults.tute").read_bytes()
    reader = engine.TextReader(io.BytesIO(raw))
    errors: list[TextError] = []
    for _ in range(2):
        with pytest.raises(TextError) as raised:
            reader.read()
        errors += [raised.value, *raised.value.also]
    error = errors[number - 1]
    assert error.column is not None
    excerpt, caret = error.excerpt.split("\n")
    assert caret.strip() == "^"
    line = raw.splitlines()[number - 1].decode("utf-8", "replace")
    assert excerpt.replace("\ufffd", "\u202e") in line.replace("\ufffd", "\u202e")
    assert len(caret) <= len(excerpt) + 1
    english, spanish, german = (explain(error.fault, language) for language in engine.LANGUAGES)
    assert len({english, spanish, german}) == 3
    assert f"line {number}" in english or error.fault.code == "record.limit"


@pytest.mark.parametrize(
    ("play", "line", "column", "reason"),
    [
        ('A: 1o 2o "3o', 17, 10, "open_quote"),
        ("A: 1o B: C: 2o", 17, 7, "empty_trick"),
        ("points AC 1 BD x", 17, 16, "bad_pairs"),
        ("points AC 1 AC 2", 17, 13, "twice"),
        ("trump 1o 2o", 17, 10, "one_word"),
        ("winner", 17, 1, "one_word"),
        ("deal", 17, 1, "one_word"),
        ("* 1o", 17, 3, "one_word"),
        ("  hola 1o", 17, 3, "unknown_line"),
        ("A: 1o\ttute\x07", 17, 11, "bad_character"),
        ('A: "1o\\q"', 17, 7, "bad_escape"),
        ('A: "\\ud800"', 17, 4, "bad_escape"),
        ('A: ""', 17, 4, "blank_in_word"),
    ],
)
def test_an_error_points_at_the_place(play: str, line: int, column: int, reason: str) -> None:
    assert errors_of(hand_of(f"dealer A\n{play}\n")) == [(line, column, reason)]


def test_after_an_error_the_next_record_is_read() -> None:
    good, bad = text_of(VALID), text_of(VALID).replace("winner", "wins", 1)
    reader = engine.TextReader(io.BytesIO(f"{bad}\n{good}".encode()))
    with pytest.raises(TextError):
        next(reader)
    assert next(reader).document == VALID
    assert list(reader) == []


def test_one_text_holds_one_record() -> None:
    for text, reason in [("; nothing\n", "no_record"), (text_of(VALID) * 2, "many_records")]:
        with pytest.raises(TextError) as error:
            engine.parse_text(text)
        assert error.value.reason == reason


def test_a_byte_order_mark_is_refused_once_and_a_record_after_it_is_not_read() -> None:
    text = b"\xef\xbb\xbf" + text_of(VALID).encode()
    assert errors_of(text) == [(1, 1, "bad_encoding")]


@pytest.mark.slow
def test_a_record_of_more_than_a_mebibyte_is_refused_and_the_next_one_read() -> None:
    long = text_of(VALID) + "A: 1o 2o 3o 4o\n" * 90_000
    reader = engine.TextReader(io.BytesIO(f"{long}\n{text_of(VALID)}".encode()))
    with pytest.raises(TextError) as error:
        reader.read()
    assert error.value.fault.code == "record.limit"
    assert next(reader).document == VALID
    for endless in (b"; ", b"[Format ", b"A: ", b"\xff\xff"):
        assert errors_of(endless * engine.MAX_BYTES) == [(1, 1, "too_large")]
    noise = errors_of(b"; so\n" * engine.MAX_BYTES + b"[Format")
    assert [reason for _line, _column, reason in noise] == ["too_large", "bad_tag"]


# --- the audit -----------------------------------------------------------------------------------


def test_a_fault_names_line_and_column_of_its_token() -> None:
    disputed = [record for record in DATA if "disputa" in record["tags"]["event"]]
    text = "\n".join(text_of(record) for record in disputed)
    lines = text.splitlines()
    checked = 0
    for record in read(text):
        for fault in engine.audit_text(record).as_dict()["faults"]:
            line = lines[fault["line"] - 1][fault["column"] - 1 :]
            tokens = record.document["hands"][(fault["hand"] or 1) - 1]["play"].split()
            if fault["token"] is not None and fault["token"] < len(tokens):
                assert line.split()[0] == tokens[fault["token"]]
                checked += 1
    assert checked >= 16


@pytest.mark.parametrize(
    ("change", "line", "column"),
    [
        (("winner BD", "winner AC"), 28, 8),
        (("[Winner", "[Winner "), None, None),
        (('[Winner "BD"]', '[Winner "AC"]'), 13, 9),
        (('"to=3"', '"to=0"'), 3, 10),
        (("trump Rb", "trump 8b"), 16, 7),
        (("points AC 54", "points AC 55"), 31, 8),
    ],
)
def test_a_fault_beside_the_play_names_its_line(
    change: tuple[str, str], line: int | None, column: int | None
) -> None:
    text = text_of(VALID).replace(*change, 1)
    faults = engine.audit_text(engine.parse_text(text)).as_dict()["faults"]
    places = [(text.splitlines()[f["line"] - 1].split()[0], f["column"]) for f in faults]
    expected = [] if line is None else [(change[1].split()[0].partition('"')[0], column)]
    if change[1].startswith('"to'):
        expected = [("[Options", 10)]
    assert places == expected


def wrong_leader(text: str) -> list[tuple[str, Any, Any, Any]]:
    verdict = engine.audit_text(engine.parse_text(text))
    return [(f.code, f.hand, f.trick, f.token) for f in verdict.faults]


def test_a_wrong_leader_is_a_fault_at_its_trick_and_the_result_stands() -> None:
    text = text_of(VALID).replace("D: 2o 3o", "C: 2o 3o", 1)
    record = engine.parse_text(text)
    verdict = engine.audit_text(record)
    (fault,) = verdict.faults
    assert (fault.code, fault.rule, fault.hand, fault.trick, fault.token) == (
        *("play.leader", "R2.3", 1, 2),
        5,
    )
    first_fault = verdict.as_dict()["faults"][0]
    assert text.splitlines()[first_fault["line"] - 1] == "C: 2o 3o 6o 1o"
    assert first_fault["column"] == 1
    assert first_fault["message"] == "C is written as the leader, but D leads here"
    assert verdict.hands == engine.audit(VALID).hands
    assert not verdict.valid


def test_a_leader_in_the_middle_of_a_trick_or_at_no_seat_is_wrong_too() -> None:
    text = text_of(VALID)
    assert wrong_leader(text.replace("D: 2o 3o", "D: 2o D: 3o", 1)) == [("play.leader", 1, 2, 6)]
    assert wrong_leader(text.replace("D: 2o 3o", "E: 2o 3o", 1)) == [("play.leader", 1, 2, 5)]


def test_a_leader_is_reported_before_what_follows_from_it_and_not_after_the_first_fault() -> None:
    text = text_of(VALID)
    before = text.replace("D: 2o 3o", "B: 7e 3o", 1)
    assert wrong_leader(before) == [("play.leader", 1, 2, 5), ("play.not_held", 1, 2, 5)]
    after = text.replace("D: 2o 3o", "D: 7e 3o", 1).replace("C: 4c", "D: 4c", 1)
    assert wrong_leader(after) == [("play.not_held", 1, 2, 5)]


def test_every_hand_has_its_own_wrong_leader() -> None:
    record = engine.parse_text(text_of(VALID).replace("A: ", "B: "))
    verdict = engine.audit_text(record)
    assert [(fault.code, fault.hand) for fault in verdict.faults] == [
        ("play.leader", 1),
        ("play.leader", 2),
        ("play.leader", 3),
    ]

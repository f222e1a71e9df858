"""The specification says what the engine does: schemas, tables, grammar and test vectors."""

from __future__ import annotations

import hashlib
import json
import re
from io import BytesIO
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

import engine
from engine.rulesets import HOUSE_RULES
from engine.text_lines import READ_LINE
from tests.docs.documents import documents
from tests.engine.codes import CODES
from tests.engine.test_records import changed, with_hand, without
from tournaments.environment import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SPEC = ROOT / "docs/spec"
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in SPEC.glob("*.md")}
SCHEMAS = {
    path.name.removesuffix(".schema.json"): json.loads(path.read_text(encoding="utf-8"))
    for path in (SPEC / "schemas").glob("*.json")
}
REGISTRY: Registry[Any] = Registry().with_resources(
    (schema["$id"], Resource.from_contents(schema)) for schema in SCHEMAS.values()
)
VALIDATORS = {
    name: Draft202012Validator(schema, registry=REGISTRY) for name, schema in SCHEMAS.items()
}
NDJSON = [
    *sorted((ROOT / "tournaments/management/commands/club_night").glob("*.ndjson")),
    *sorted((ROOT / "tests/records").glob("golden-*.ndjson")),
    ROOT / "docs/examples/round.ndjson",
]
TEXTS = [ROOT / "docs/examples/worked-hand.tute", *sorted((ROOT / "tests/records").glob("*.tute"))]
FENCE = re.compile(r"^```(json|tute)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(
    r'"((?:record|deal|play|declare|exchange|claim|support|score|match|hand)\.[a-z_]+)"'
)


def errors(schema: str, document: Any) -> list[str]:
    """Name what a schema refuses in a document."""
    return [
        f"/{'/'.join(map(str, error.path))}: {error.message}"
        for error in VALIDATORS[schema].iter_errors(document)
    ]


def fences(language: str) -> list[tuple[str, str]]:
    """Return the blocks of all documents in a language, with their document."""
    return [
        (str(path.relative_to(ROOT)), occurrence[2])
        for path in documents()
        for occurrence in FENCE.finditer(path.read_text(encoding="utf-8"))
        if occurrence[1] == language
    ]


def json_records() -> Iterator[Any]:
    """Return the records in JSON that documents show."""
    for _document, text in fences("json"):
        try:
            document = json.loads(text)
        except ValueError:
            continue  # cut short
        if isinstance(document, dict) and document.get("format") == "baza/1":
            yield document


def records_of(path: Path) -> list[Any]:
    """Return the records of a file."""
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    records = [line.get("record", line) for line in lines]
    return [record for record in records if record.get("format") == "baza/1"]


def text_records(path: Path) -> list[engine.TextRecord]:
    """Return the records of a text that can be read."""
    records: list[engine.TextRecord] = []
    with path.open("rb") as stream:
        reader = engine.TextReader(stream)
        while True:
            try:
                record = reader.read()
            except engine.TextError:
                continue
            if record is None:
                return records
            records.append(record)


def section(page: str, name: str) -> list[list[str]]:
    """Return the cells of the table between two marks of a page, without its head."""
    text = PAGES[page].partition(f"<!-- {name} -->")[2].partition(f"<!-- /{name} -->")[0]
    rows = [line.strip("|").split("|") for line in text.strip().splitlines()]
    return [[cell.strip() for cell in row] for row in rows[2:]]


# --- schemas -----------------------------------------------------------------------------------


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_schema_is_one_of_2020_12(schema: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[schema])


@pytest.mark.parametrize("path", NDJSON, ids=lambda path: path.name)
def test_the_schemas_accept_our_records_and_their_verdicts(path: Path) -> None:
    for record in records_of(path):
        verdict = engine.audit(record, path.name, hints=True).as_dict()
        refused = any(fault["code"].startswith("record.") for fault in verdict["faults"])
        assert refused or errors("record", record) == []
        assert errors("verdict", json.loads(json.dumps(verdict))) == []


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_the_schemas_accept_our_texts_and_their_verdicts(path: Path) -> None:
    for record in text_records(path):
        verdict = engine.audit_text(record, path.name).as_dict()
        refused = any(fault["code"].startswith("record.") for fault in verdict["faults"])
        assert refused or errors("record", engine.document_with_comments(record)) == []
        assert errors("verdict", json.loads(json.dumps(verdict))) == []


def test_the_schema_accepts_every_record_that_a_document_shows() -> None:
    records = list(json_records())
    assert len(records) >= 10
    for record in records:
        assert errors("record", record) == []
        assert errors("verdict", json.loads(json.dumps(engine.audit(record).as_dict()))) == []


def objects_in(answer: Any) -> Iterator[dict[str, Any]]:
    """Find the objects in an answer of the API."""
    if isinstance(answer, dict):
        yield answer
        answer = list(answer.values())
    for part in answer if isinstance(answer, list) else ():
        yield from objects_in(part)


def test_the_schema_accepts_the_verdicts_in_recorded_answers_of_the_api() -> None:
    judged = 0
    for path in sorted((ROOT / "tests/recording/answers/api").glob("*.txt")):
        if path.stem == "openapi":
            continue  # its examples are shortened
        text = path.read_text(encoding="utf-8")
        for block in re.findall(r"^\{\n.*?^\}$", text, re.MULTILINE | re.DOTALL):
            for node in objects_in(json.loads(block)):
                if {"valid", "faults", "hands"} <= node.keys():
                    judged += 1
                    assert errors("verdict", node) == [], path.name
    assert judged


WRONG_RECORDS = [
    without("seats"),
    changed(format="baza/2"),
    changed(ruleset="brisca"),
    changed(options={"to": 0}),
    changed(options={"to": 3, "deals": 3}),
    changed(options={"speed": 3}),
    changed(options={"stakes": "flat"}),
    changed(options={"tute_ranks": "C"}),
    changed(seats=["Ana", "Bea"]),
    changed(seats=["Ana\u202e", "Bea", "Carlos", "Dora"]),
    changed(comment="x"),
    changed(tags={"table": 7}),
    changed(tags={"site": "x" * 1001}),
    changed(hands={}),
    changed(score={"AC": 1}),
    changed(winner="E"),
    with_hand(dealer="E"),
    with_hand(note="x"),
    with_hand(stock="1o"),
    with_hand(payments={"A": 1, "B": -1}),
    with_hand(play=7),
    with_hand(deal=None),
    with_hand(play=None, points=None),
    changed(ruleset="mano-a-mano", seats=["Ana", "Bea"], options={"deals": 2}, hands=[]),
    changed(ruleset="habanero", seats=["Ana", "Bea"]),
]


@pytest.mark.parametrize("record", WRONG_RECORDS)
def test_what_the_schema_of_records_refuses_is_no_record(record: dict[str, Any]) -> None:
    assert errors("record", record)
    assert [fault.code[:7] for fault in engine.audit(record).faults] == ["record."]


VERDICT: dict[str, Any] = engine.audit(with_hand(play="2e 1o")).as_dict()


@pytest.mark.parametrize(
    "change",
    [
        {"valid": True},
        {"digest": "sha256:1"},
        {"faults": []},
        {"faults": [VERDICT["faults"][0] | {"code": "play.rude"}]},
        {"faults": [VERDICT["faults"][0] | {"code": "hand.unaudited"}]},
        {"faults": [VERDICT["faults"][0] | {"hand": 0}]},
        {"notices": VERDICT["faults"]},
        {"hands": [VERDICT["hands"][1] | {"tricks": [["A", "1o"]]}]},
        {"mood": "good"},
    ],
)
def test_the_schema_of_verdicts_refuses_what_is_none(change: dict[str, Any]) -> None:
    assert errors("verdict", VERDICT) == []
    assert errors("verdict", VERDICT | change)


def test_the_schema_accepts_the_positions_of_every_ruleset_and_of_the_documents() -> None:
    played = set()
    for record in chain.from_iterable(map(text_records, TEXTS)):
        try:
            parsed = engine.parse_record(record.document)
        except engine.RecordError:
            continue
        for hand in parsed.hands[:1]:
            for state in engine.states(parsed.ruleset, hand):
                played.add(parsed.ruleset.name)
                assert errors("position", engine.position_to_dict(state)) == []
    assert played == set(engine.RULESETS)
    example = PAGES["position"].partition("<!-- position -->\n```json\n")[2].partition("```")[0]
    assert errors("position", json.loads(example)) == []
    assert engine.position_from_dict(json.loads(example)).legal_tokens()


@pytest.mark.parametrize(
    "change", [{"trump": "x"}, {"turn": "E"}, {"hands": {"A": "8o"}}, {"speed": 1}, {"stock": -1}]
)
def test_what_the_schema_of_positions_refuses_is_no_position(change: dict[str, Any]) -> None:
    position = {"ruleset": "cuatro", "trump": "o", "turn": "A", "hands": {"A": "1o"}}
    assert errors("position", position) == []
    assert errors("position", position | change)
    with pytest.raises(engine.PositionError):
        engine.position_from_dict(position | change)


def test_the_schemas_accept_score_sheets_and_their_verdicts() -> None:
    ((_document, text),) = [
        fence for fence in fences("json") if fence[0] == "docs/clubs/score-sheets.md"
    ]
    sheet = json.loads(text)
    wrong = sheet | {"hands": [sheet["hands"][0] | {"points": {"AC": 129, "BD": 1}}]}
    for each in (sheet, wrong):
        assert errors("sheet", each) == []
        verdict = engine.audit_sheet(json.dumps(each)).as_dict()
        assert errors("sheet-verdict", verdict) == []
    assert errors("sheet", sheet | {"hands": []})
    assert errors("sheet", sheet | {"hands": [sheet["hands"][0] | {"declared": {"AC": "30"}}]})


# --- pages -------------------------------------------------------------------------------------


def test_the_codes_are_those_of_the_engine_with_their_rules() -> None:
    table = {row[0].strip("`"): set(row[1].split(", ")) for row in section("verdict", "codes")}
    sources = "".join(path.read_text() for path in sorted((ROOT / "engine").glob("*.py")))
    assert set(table) == set(CODE.findall(sources))
    for code, rule in (pair.split() for pairs in CODES.values() for pair in pairs):
        assert rule in table[code], f"{code} {rule}"
    assert set(SCHEMAS["verdict"]["$defs"]["fault"]["properties"]["code"]["enum"]) == set(table)


def test_the_fields_are_those_of_the_rulesets() -> None:
    rows = {row[0].strip("`"): row[1:] for row in section("rules", "fields")}
    assert list(rows) == ["seat_counts", *HOUSE_RULES]
    for name, cells in rows.items():
        values = [json.loads(cell.strip("`")) for cell in cells[:-1]]
        expected = [getattr(rules, name) for rules in engine.RULESETS.values()]
        assert values == json.loads(json.dumps(expected)), name
        limits = HOUSE_RULES.get(name)
        if limits is not None:
            takes = [json.loads(value) for value in re.findall("`(.*?)`", cells[-1])]
            assert takes == list(limits.get("choices") or (limits["least"], limits["most"])), name


def test_the_blanks_are_those_at_which_words_are_split() -> None:
    (line,) = re.findall(r"^- \*blank\*: one of (.*?)\. Words", PAGES["README"], re.MULTILINE)
    fields = set()
    for first, last in re.findall(r"U\+([0-9A-F]{4})(?:–U\+([0-9A-F]{4}))?", line):
        fields |= set(range(int(first, 16), int(last or first, 16) + 1))
    assert fields == {sign for sign in range(0x110000) if not f"a{chr(sign)}".split()[0][1:]}


def test_the_verdict_shown_is_the_one_on_the_record_shown() -> None:
    record, verdict = (
        json.loads(text) for page, text in fences("json") if page == "docs/spec/verdict.md"
    )
    assert engine.audit(json.dumps(record), verdict["source"]).as_dict() == verdict


def test_the_record_shown_is_valid() -> None:
    (record,) = (text for page, text in fences("json") if page == "docs/spec/record.md")
    assert engine.audit(record).valid


VECTORS = re.findall(
    r"^```json\n(.*?)^```\n```text\n(.*?)\n```\n`(.*?)`$",
    PAGES["canonical"],
    re.MULTILINE | re.DOTALL,
)


@pytest.mark.parametrize(("record", "canonical", "digest"), VECTORS)
def test_a_test_vector_has_the_digest_shown(record: str, canonical: str, digest: str) -> None:
    assert engine.audit(record).digest == digest
    assert f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}" == digest


def test_there_are_test_vectors_for_every_ruleset_and_two_of_one_game() -> None:
    rulesets = {
        json.loads(record)["ruleset"].partition("@")[0] for record, _form, _digest in VECTORS
    }
    assert rulesets == set(engine.RULESETS)
    assert len({digest for _record, _form, digest in VECTORS}) == len(VECTORS) - 1


# --- the grammar of the text -------------------------------------------------------------------

TOKEN = re.compile(r'(?P<text>"[^"]*")|(?P<set>\[[^]]*\])|(?P<sign>#x[0-9A-F]+)|(?P<name>\w+)')


def grammar() -> re.Pattern[str]:
    """Return the productions of the page, which are not recursive, as one pattern.

    Repetitions are possessive, so the time is linear in the length of a text.
    """
    (block,) = re.findall(r"^```ebnf\n(.*?)^```$", PAGES["tute"], re.MULTILINE | re.DOTALL)
    rules = dict(re.findall(r"^(\w+) +::= (.*)$", block, re.MULTILINE))

    def sign(match: re.Match[str]) -> str:
        return re.escape(chr(int(match[0].removeprefix("#x"), 16)))

    def pattern(match: re.Match[str]) -> str:
        if match["text"]:
            return re.escape(match["text"][1:-1])
        if match["name"]:
            return f"(?:{rules_text(match['name'])})"
        return re.sub("#x[0-9A-F]+", sign, match[0])

    def between(text: str) -> str:
        return re.sub("[*+?]", r"\g<0>+", text.replace(" ", "")).replace("(", "(?:")

    def rules_text(name: str) -> str:
        parts, end = [], 0
        for match in TOKEN.finditer(rules[name]):
            parts += [between(rules[name][end : match.start()]), pattern(match)]
            end = match.end()
        return "".join([*parts, between(rules[name][end:])])

    return re.compile(rules_text("File"))


GRAMMAR = grammar()


def is_readable(text: str) -> bool:
    """Return whether the engine can read a text."""
    try:
        list(engine.iter_text(BytesIO(text.encode())))
    except engine.TextError:
        return False
    return True


def is_text(text: str) -> bool:
    """Return whether the grammar matches a text."""
    return GRAMMAR.fullmatch(text.rstrip("\n") + "\n") is not None


@pytest.mark.parametrize(
    "path", [path for path in TEXTS if path.stem != "faults"], ids=lambda path: path.name
)
def test_the_grammar_accepts_our_texts(path: Path) -> None:
    assert is_text(path.read_text(encoding="utf-8"))


def test_the_grammar_accepts_what_the_reader_accepts_of_the_blocks_in_documents() -> None:
    heads = 0
    for _document, text in fences("tute"):
        if text.startswith("[Format"):
            heads += 1
            assert is_text(text) is is_readable(text), text
    assert heads >= 4


HEAD = '[Format "baza/1"]\n'


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        (HEAD, True),
        ('; a comment\n\n  [ format"baza/1" ] ; x\n', True),
        (HEAD + '[A "\\u0023 \\"" ]\n', True),
        (HEAD + "dealer A\n1o 8o A: B:40 1c ; x\n*\n", True),
        (HEAD + 'dealer A\n";o" "" x\n', True),
        (HEAD + "dealer A\npoints AC 1 BD -2\nwinner -\ndeal A 1o\nstock\n", True),
        ('[Ruleset "cuatro"]\n', False),
        (HEAD + "trump 1o\n", False),
        (HEAD + "dealer\n", False),
        (HEAD + 'dealer A\nA: 1o\n[Event "x"]\n', False),
        (HEAD + 'dealer A\nA: "1o\n', False),
        (HEAD + '[A "\\x"]\n', False),
        (HEAD + "[A x]\n", False),
        (HEAD + "dealer A\ncards 1o\n", False),
        (HEAD + "dealer A\npoints AC BD\n", False),
        (HEAD + "dealer A\n1o\x07\n", False),
    ],
)
def test_the_grammar_accepts_just_texts(text: str, accepted: bool) -> None:
    assert is_text(text) is accepted


def test_the_grammar_of_editors_knows_every_line_of_a_text() -> None:
    document = json.loads((SPEC / "tute.tmLanguage.json").read_text(encoding="utf-8"))
    parts = document["repository"]
    assert [part["include"][1:] for part in document["patterns"]] == list(parts)
    patterns = {
        name: re.compile(part.get("match") or part["begin"]) for name, part in parts.items()
    }
    for line in TEXTS[0].read_text(encoding="utf-8").splitlines():
        names = {name for name, pattern in patterns.items() if pattern.search(line)}
        first = line.partition(" ")[0]
        assert not line or names, line
        assert ("tag" in names) == line.startswith("[")
        assert ("keyword" in names) == (first in READ_LINE)

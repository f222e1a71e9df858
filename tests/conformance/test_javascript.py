"""The engine in JavaScript: node and a browser pass the whole suite with it."""

from __future__ import annotations

import gzip
import json
import random
import re
import shutil
import subprocess
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest
from django.utils.translation import override

import engine
from engine.cli import main
from engine.conformance import is_expected, read_cases
from engine.messages import LANGUAGES
from engine.rulesets import HOUSE_RULES
from tests.support.hostile import MOVES, hostile_record
from tournaments.core.fault_sentences import SENTENCES, fault_sentence, sentence_parts
from tournaments.core.templatetags import CARDS, suit_name
from tournaments.environment import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

MODULES = ROOT / "tournaments" / "static" / "js" / "tute"
PROGRAM = ROOT / "conformance" / "javascript" / "conformance.js"
MAX_BYTES = 40_000
"""Of the modules, compressed: what a phone loads once."""


@pytest.fixture(scope="module")
def node() -> str:
    path = shutil.which("node")
    if path is None:
        pytest.skip("node is not installed")
    return path


def test_the_modules_are_small_enough_for_a_phone() -> None:
    sizes = {path.name: len(gzip.compress(path.read_bytes())) for path in MODULES.iterdir()}
    assert sum(sizes.values()) <= MAX_BYTES, sizes


def test_the_rulesets_are_those_of_the_engine(node: str) -> None:
    program = f"""
        import {{ HOUSE_RULES, RULESETS }} from "{MODULES.as_uri()}/rulesets.js";
        console.log(JSON.stringify({{ HOUSE_RULES, RULESETS }}));
    """
    command = [node, "--input-type=module", "--eval", program]
    answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    body = json.loads(answer)
    assert list(body["RULESETS"]) == list(engine.RULESETS)
    for name, rules in engine.RULESETS.items():
        fields = {field: getattr(rules, field) for field in (*HOUSE_RULES, "identity")}
        assert {field: body["RULESETS"][name][field] for field in fields} == fields
    for field, takes in HOUSE_RULES.items():
        assert body["HOUSE_RULES"][field] == [*takes["choices"]] if "choices" in takes else takes


@pytest.mark.slow
def test_node_passes_the_whole_suite(node: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["conformance", node, str(PROGRAM)]) == 0, capfd.readouterr().out


@pytest.mark.browser
def test_a_browser_passes_the_whole_suite(page: Page) -> None:
    cases = defaultdict(list)
    for case in read_cases():
        cases[case.kind].append(case)

    def serve(route: Route) -> None:
        path = ROOT / route.request.url.removeprefix("https://suite.test/")
        route.fulfill(path=path, content_type="text/javascript; charset=utf-8")

    page.route("https://suite.test/**", serve)
    page.route(
        "https://suite.test/", lambda route: route.fulfill(body="", content_type="text/html")
    )
    page.goto("https://suite.test/")
    for kind, kind_cases in cases.items():
        answers: list[str] = page.evaluate(
            ANSWER, [json.dumps(case.question) for case in kind_cases]
        )
        for case, line in zip(kind_cases, answers, strict=True):
            assert is_expected(case.expect, json.loads(line)["answer"]), (kind, case.id)


ANSWER = """async (lines) => {
    const { answerLine } = await import("/conformance/javascript/answers.js");
    return lines.map(answerLine);
}"""


# --- Beyond the suite ----------------------------------------------------------------------------

FIELDS = ("code", "rule", "hand", "trick", "token", "path", "seat", "card", "declaration")


def fault_row(fault: dict[str, Any]) -> list[Any]:
    return [*(fault.get(name) for name in FIELDS), sorted(fault.get("legal", []))]


def verdict_of(answer: dict[str, Any]) -> dict[str, Any]:
    names = ("valid", "identity", "digest", "hands", "score", "winner", "balance")
    verdict: dict[str, Any] = {name: answer.get(name) for name in names}
    return verdict | {name: [*map(fault_row, answer[name])] for name in ("faults", "notices")}


def spoilt(record: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Put one wrong word somewhere into the plays and deals of a record."""
    document: dict[str, Any] = json.loads(json.dumps(record))
    hand = chance.choice([hand for hand in document["hands"] if hand.get("play")])
    words = [*engine.CARD_NAMES, "8o", "A:40", "B:20o", "C:tuteR", "A:x7", "B:101", "A:capote"]
    place = chance.choice(["play", "play", "play", "dealer", *hand["deal"]])
    if place == "dealer":
        hand["dealer"] = chance.choice("ABCD"[: len(document["seats"])])
        return document
    text = hand["play"] if place == "play" else hand["deal"][place]
    tokens = text.split() or [""]
    at = chance.randrange(len(tokens))
    tokens[at : at + chance.randrange(2)] = chance.sample(words, chance.randrange(1, 3))
    if place == "play":
        hand["play"] = " ".join(tokens)
    else:
        hand["deal"][place] = " ".join(tokens)
    return document


@pytest.mark.slow
def test_the_engine_and_the_modules_give_one_verdict_on_spoilt_records(node: str) -> None:
    """Also path and digest, which the suite does not compare, on 600 records not in it."""
    chance = random.Random(20)
    plays = [
        case.input["record"]
        for case in read_cases()
        if case.kind == "record"
        and "record" in case.input
        and isinstance(case.input["record"].get("hands"), list)
        and any(
            isinstance(hand, dict) and hand.get("play") for hand in case.input["record"]["hands"]
        )
        and all(
            isinstance(hand, dict) and hand.get("deal") for hand in case.input["record"]["hands"]
        )
    ]
    records = [spoilt(chance.choice(plays), chance) for _ in range(600)]
    lines = [
        json.dumps({"id": "", "kind": "record", "input": {"record": spoilt_record}})
        for spoilt_record in records
    ]
    answers = subprocess.run(
        [node, str(PROGRAM)], input="\n".join(lines), capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for record, line in zip(records, answers, strict=True):
        expected = verdict_of(engine.audit(record).as_dict())
        for hand in expected["hands"]:  # the program leaves out what is null or empty
            for name in [name for name, value in hand.items() if value in (None, [])]:
                if name != "tricks":
                    del hand[name]
        assert verdict_of(json.loads(line)["answer"]) == expected, record


EXPLAIN = """
import { createInterface } from "node:readline";
import { explain } from "MODULES/../faults.js";
import { audit } from "MODULES/verdict.js";
import { auditText } from "MODULES/text.js";
for await (const line of createInterface({ input: process.stdin })) {
    const { input: { record, tute }, messages } = JSON.parse(line);
    const { faults, notices } = record ? audit(record) : auditText(tute);
    console.log(JSON.stringify([...faults, ...notices].map((one) => explain(one, messages))));
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_explain_faults_in_the_words_of_the_engine(node: str, language: str) -> None:
    """The order of missing cards may differ."""
    messages = engine.fault_messages(language)
    expected: dict[str, list[list[str]]] = {}
    lines = []
    for case in read_cases():
        if case.kind != "record" or not {"record", "tute"} & case.input.keys():
            continue
        verdict = (
            engine.audit_text(engine.parse_text(case.input["tute"]))
            if "tute" in case.input
            else engine.audit(case.input["record"])
        )
        texts = [engine.explain(faults, language) for faults in (*verdict.faults, *verdict.notices)]
        expected[case.id] = [sorted(re.findall(r"\w+", text)) for text in texts]
        lines.append(json.dumps({"input": case.input, "messages": messages}))
    program = EXPLAIN.replace("MODULES", MODULES.as_uri())
    answers = subprocess.run(
        [node, "--input-type=module", "--eval", program],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    for (case_id, words), line in zip(expected.items(), answers, strict=True):
        assert [sorted(re.findall(r"\w+", text)) for text in json.loads(line)] == words, case_id


TABLE = """
import { createInterface } from "node:readline";
import { faultSentence } from "MODULES/../faults.js";
import { audit } from "MODULES/verdict.js";
for await (const line of createInterface({ input: process.stdin })) {
    const { record, parts } = JSON.parse(line);
    const { faults } = audit(record);
    console.log(JSON.stringify(faults.map((one) => faultSentence(one, "Ana", parts))));
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_say_faults_against_a_duty_in_the_words_of_a_table(node: str, language: str) -> None:
    records = [
        case.input["record"]
        for case in read_cases()
        if case.kind == "record" and "record" in case.input
    ]
    faults = [engine.audit(record).faults for record in records]
    program = TABLE.replace("MODULES", MODULES.as_uri())
    with override(language):
        parts = sentence_parts(CARDS, suit_name)
        expected = [
            [fault_sentence(fault, "Ana", CARDS, suit_name) for fault in of_record]
            for of_record in faults
        ]
    answers = subprocess.run(
        [node, "--input-type=module", "--eval", program],
        input="\n".join(json.dumps({"record": record, "parts": parts}) for record in records),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert [json.loads(line) for line in answers] == expected
    assert SENTENCES.keys() <= {fault.code for of_record in faults for fault in of_record}


@pytest.mark.slow
def test_pages_explain_faults_without_the_controls_of_a_record(node: str) -> None:
    chance, messages = random.Random(33), engine.fault_messages("en")
    lines = [
        json.dumps({"input": {"record": hostile_record(chance)}, "messages": messages})
        for _ in range(200)
    ]
    program = EXPLAIN.replace("MODULES", MODULES.as_uri())
    answers = subprocess.run(
        [node, "--input-type=module", "--eval", program],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    sentences = [sentence for line in answers for sentence in json.loads(line)]
    assert [sentence for sentence in sentences if MOVES.search(sentence)] == []
    assert any(r"\x1b[31m" in sentence for sentence in sentences)
    assert any(r"\u202e" in sentence for sentence in sentences)

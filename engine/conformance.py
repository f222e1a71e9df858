"""Answers the cases of the conformance suite, and compares answers (`conformance/README.md`)."""

import bz2
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TextIO

from engine.auditor import audit, digest, game_of
from engine.cards import SEATS, names
from engine.errors import Fault, IllegalAction, RecordError
from engine.notation import parse_record
from engine.position import position_from_dict
from engine.replay import states
from engine.sheets import audit_sheet
from engine.state import State
from engine.strict_json import read_json
from engine.text import TextReader, parse_text
from engine.text_audit import audit_text
from engine.text_export import document_with_comments, write_text
from engine.text_words import TextError
from engine.verdict import Verdict

_INSTALLED: Final = Path(__file__).parent / "suite"
SUITE: Final = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).parents[1] / "conformance"
"""The suite of an installed `tute_engine` (its cases compressed), else the repository's."""

NO_CASE: Final = (
    *(AttributeError, LookupError, TypeError, ValueError),
    *(IllegalAction, RecordError, TextError),
)
"""What reading or answering a case raises where fields are missing or hold other values."""

SETS: Final = frozenset({"legal", "calls"})
"""Fields whose lists are compared without regard to order."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One case: an input, the answer expected, and the rules that it proves."""

    id: str
    kind: str
    proves: tuple[str, ...]
    input: Json
    expect: Json

    @property
    def question(self) -> Json:
        """The message that the program under test reads."""
        return {"id": self.id, "kind": self.kind, "input": self.input}


class BadCase(ValueError):  # noqa: N818 - what a line is, not what went wrong
    """A line that is no case of the suite."""


def read_cases(folder: Path = SUITE) -> Iterator[Case]:
    """Reads the cases of a suite, kind by kind in the order of `KINDS`. Raises `BadCase`."""
    for kind in KINDS:
        path = folder / "cases" / f"{kind}.ndjson"
        with _open_cases(path) as lines:
            for number, line in enumerate(lines, 1):
                try:
                    yield _read_case(line)
                except NO_CASE as error:
                    raise BadCase(f"{path}:{number}") from error


def _read_case(line: str) -> Case:
    case = read_json(line, storable=False)  # records of cases hold what may not be stored
    # Packed cases have no digest in their ids: it could not be compressed.
    name = case["id"] + ("" if case["id"][-1] != "/" else input_digest(case["input"]))
    return Case(name, case["kind"], tuple(case["proves"]), case["input"], case["expect"])


def answer_line(line: str) -> str:
    """Answers a case with a line of JSON. Raises `BadCase` for a line that is none."""
    try:
        case = read_json(line, storable=False)
        answer = answer_case(case["kind"], case["input"])
        return json.dumps({"id": case["id"], "answer": answer}, ensure_ascii=False)
    except NO_CASE as error:
        raise BadCase(repr(error)) from error


def compact_json(value: Any) -> str:
    """JSON without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def input_digest(question: Json) -> str:
    """The end of a case's id, so that it keeps it when other cases come and go."""
    return hashlib.sha256(compact_json(question).encode()).hexdigest()[:8]


def _open_cases(path: Path) -> TextIO:
    packed = path.with_name(f"{path.name}.bz2")
    if packed.is_file():
        return bz2.open(packed, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def is_expected(expected: Any, answer: Any, field: str = "") -> bool:
    """Tells whether an answer is the expected one.

    An object may have more fields than expected, and may leave out those that are null.
    """
    if isinstance(expected, dict):
        return isinstance(answer, dict) and all(
            is_expected(value, answer.get(name), name) for name, value in expected.items()
        )
    if isinstance(expected, list):
        if not isinstance(answer, list) or len(answer) != len(expected):
            return False
        if field in SETS:
            return all(isinstance(item, str) for item in answer) and set(answer) == set(expected)
        return all(map(is_expected, expected, answer))
    return type(answer) is type(expected) and bool(answer == expected)


def answer_case(kind: str, question: Mapping[str, Any]) -> Json:
    """Answers a case; raises ``KeyError`` for a kind that does not exist."""
    return KINDS[kind](question)


def _legal(position: Mapping[str, Any]) -> Json:
    return {"legal": list(names(position_from_dict(position).legal()))}


def _calls(position: Mapping[str, Any]) -> Json:
    tokens = position_from_dict(position).legal_tokens()
    return {"calls": [token for token in tokens if ":" in token]}


def _try(question: Mapping[str, Any]) -> Json:
    try:
        state = position_from_dict(question["position"]).apply(question["token"])
    except IllegalAction as error:
        fault = _fault_to_dict(error.fault)
        return {"fault": {name: fault[name] for name in ("code", "rule", "legal") if name in fault}}
    sides = state.rules.sides
    return {
        "fault": None,
        "over": state.over,
        "turn": None if state.over else SEATS[state.turn],
        "points": dict(zip(sides, state.points, strict=True)),
        "winner": None if state.winner is None else sides[state.winner],
    }


def _record(question: Mapping[str, Any]) -> Json:
    if "tute" in question:
        verdict = audit_text(parse_text(question["tute"]))
    else:
        verdict = audit(question["json"] if "json" in question else question["record"])
    return verdict_to_dict(verdict)


def verdict_to_dict(verdict: Verdict) -> Json:
    """The parts of a verdict that the suite compares."""
    hands = []
    for hand in verdict.as_dict()["hands"]:
        fields = ("points", "winner", "last_trick", "declarations", "payments", "plate")
        hands.append({name: hand[name] for name in fields if hand.get(name) not in (None, [])})
    answer: Json = {
        "valid": verdict.valid,
        "faults": [_fault_to_dict(fault) for fault in verdict.faults],
        "notices": [_fault_to_dict(notice) for notice in verdict.notices],
        "hands": hands,
        "score": None if verdict.score is None else dict(verdict.score),
        "winner": verdict.winner,
    }
    if verdict.balance is not None:
        answer["balance"] = dict(verdict.balance)
    return answer


def _fault_to_dict(fault: Fault) -> Json:
    """Code, rule, place, path; the card or declaration and the legal cards where there are any."""
    document: Json = {
        name: getattr(fault, name) for name in ("code", "rule", "hand", "trick", "token", "path")
    }
    for name in ("seat", "card", "declaration"):
        if getattr(fault, name) is not None:
            document[name] = getattr(fault, name)
    if fault.legal:
        document["legal"] = list(fault.legal)
    return document


def _text(question: Mapping[str, Any]) -> Json:
    reader = TextReader(BytesIO(question["tute"].encode()))
    records: list[Json] = []
    while True:
        try:
            record = reader.read()
        except TextError as error:
            error_fields = {"code": error.fault.code, "line": error.line, "column": error.column}
            records.append({"error": error_fields})
            continue
        if record is None:
            return {"records": records}
        try:
            records.append(document_with_comments(record))
        except RecordError as error:
            records.append({"error": {"code": error.fault.code}})


def _write(question: Mapping[str, Any]) -> Json:
    return {"tute": write_text(question["record"])}


def _digest(question: Mapping[str, Any]) -> Json:
    return {"digest": digest(parse_record(question["record"]))}


def _sheet(question: Mapping[str, Any]) -> Json:
    verdict = audit_sheet(question["sheet"], question["ruleset"])
    return {
        "valid": verdict.valid,
        "faults": [
            {
                "code": fault.code,
                "rule": fault.rule,
                "hand": fault.hand,
                "line": fault.facts.get("line"),
            }
            for fault in verdict.faults
        ],
        "winners": [hand.winner for hand in verdict.hands],
        "score": None if verdict.score is None else dict(verdict.score),
        "winner": verdict.winner,
    }


def _perft(question: Mapping[str, Any]) -> Json:
    return {"count": perft(perft_state(question), question["depth"])}


def perft_state(question: Mapping[str, Any]) -> State:
    """Returns the state whose continuations a case of the kind perft counts."""
    if "position" in question:
        return position_from_dict(question["position"])
    record = parse_record(question["record"])
    game = game_of(record, len(record.hands) - 1)
    *_before, state = states(record.ruleset, record.hands[-1], game)
    return state


def perft(state: State, depth: int) -> int:
    """Counts the legal continuations of ``depth`` tokens; one that ends earlier counts as one."""
    if depth == 0 or state.over:
        return 1
    return sum(perft(state.apply(token), depth - 1) for token in state.legal_tokens())


KINDS: Final[Mapping[str, Callable[[Mapping[str, Any]], Json]]] = MappingProxyType(
    {
        "legal": _legal,
        "calls": _calls,
        "try": _try,
        "record": _record,
        "perft": _perft,
        "sheet": _sheet,
        "text": _text,
        "write": _write,
        "digest": _digest,
    }
)
"""What answers each kind of case, in the order in which they are asked."""

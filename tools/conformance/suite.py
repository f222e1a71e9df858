"""The suite put together: each case with its id, the rules that it proves, and its answer."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from engine.conformance import answer_case, compact_json, input_digest
from engine.rulesets import RULESETS
from tools.conformance.corners import corner_cases
from tools.conformance.moments import Found, calls_cases, legal_cases, perft_cases, try_cases
from tools.conformance.notations import digest_cases, text_cases, write_cases
from tools.conformance.records import record_cases
from tools.conformance.sheets import sheet_cases

MAKERS: Final[Mapping[str, Callable[[str], Found]]] = MappingProxyType(
    {
        "legal": legal_cases,
        "calls": calls_cases,
        "try": try_cases,
        "record": record_cases,
        "perft": perft_cases,
        "sheet": sheet_cases,
        "text": text_cases,
        "write": write_cases,
        "digest": digest_cases,
    }
)


def lines_of(kind: str, rulesets: Iterable[str] = RULESETS) -> list[str]:
    """The lines of the cases of a kind, the shortest first."""
    lines = {}
    for ruleset in rulesets:
        for proves, question in (*MAKERS[kind](ruleset), *corner_cases(kind, ruleset)):
            case = {
                "id": f"{kind}/{ruleset}/{input_digest(question)}",
                "kind": kind,
                "proves": proves,
                "input": question,
                "expect": answer_case(kind, question),
            }
            lines[case["id"]] = compact_json(case) + "\n"
    return sorted(lines.values(), key=lambda line: (len(line), line))

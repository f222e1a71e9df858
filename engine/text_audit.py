"""The audit of records that were read from text: the same verdict, with line and column (F2)."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.auditor import audit
from engine.cards import CARDS, SEATS
from engine.errors import Fault, RecordError
from engine.notation import Record, parse_record
from engine.text import TextRecord
from engine.text_export import document_with_comments, trick_leaders
from engine.text_lines import Mark
from engine.verdict import Verdict

LAST: Final = 1 << 30
"""After every hand and every token."""


def audit_text(record: TextRecord, source_name: str = "", hints: bool = False) -> Verdict:
    """The verdict on a record in text; each fault names line and column of what it is about.

    A leader's seat that the replay contradicts is a fault of its own, ``play.leader``. It is the
    first of its hand; the hand keeps its result, as after a wrong winner.
    """
    try:
        parsed = parse_record(record.document)
    except RecordError as error:
        fault = _with_place(record, error.fault)
        return Verdict(None, source_name, None, (), None, None, (fault,), ())
    verdict = audit(parsed, source_name, hints)
    faults = list(verdict.faults)
    for wrong in _wrong_leaders(record, parsed, verdict):
        after = (n for n, fault in enumerate(faults) if (fault.hand or LAST) >= (wrong.hand or 0))
        faults.insert(next(after, len(faults)), wrong)
    return replace(
        verdict,
        faults=tuple(_with_place(record, fault) for fault in faults),
        notices=tuple(_with_place(record, notice) for notice in verdict.notices),
    )


def text_to_json(record: TextRecord) -> str:
    """Return a record that was read from text as JSON on one line, with its comments.

    Raises RecordError for a wrong leader (``play.leader``), which JSON would not show.
    """
    faults = audit_text(record).faults
    if wrong := next((fault for fault in faults if fault.code == "play.leader"), None):
        raise RecordError(wrong, "", wrong.facts["line"], wrong.facts["column"])
    return json.dumps(document_with_comments(record), ensure_ascii=False, separators=(",", ":"))


def unreadable_verdict(error: RecordError, source_name: str = "") -> Verdict:
    """The verdict on what cannot be read as a record: everything that is wrong with it."""
    faults = (error.fault, *(other.fault for other in error.also))
    return Verdict(None, source_name, None, (), None, None, faults, ())


def _wrong_leaders(text_record: TextRecord, record: Record, verdict: Verdict) -> Iterator[Fault]:
    """The first leader's seat of each hand that the replay contradicts (R2.3)."""
    stops = {fault.hand: fault.token for fault in verdict.faults if fault.token is not None}
    for index, hand in enumerate(verdict.hands):
        if hand.audited and text_record.marks[index]:
            stop = stops.get(index + 1, LAST)
            wrong = _wrong_leader(record, index, text_record.marks[index], stop)
            if wrong is not None:
                yield wrong


def _wrong_leader(record: Record, index: int, marks: list[Mark], stop: int) -> Fault | None:
    hand = record.hands[index]
    tokens = (hand.play or "").split()
    leaders = trick_leaders(record.ruleset, hand.dealer, hand.trump, tokens)
    for mark in marks:
        if mark.token > stop or tokens[mark.token] not in CARDS:
            continue
        leader = SEATS[leaders[mark.token]] if mark.token in leaders else None
        if leader != mark.seat:
            location = {"line": mark.line, "column": mark.column}
            return Fault(
                "play.leader",
                "R2.3",
                hand=index + 1,
                trick=sum(lead <= mark.token for lead in leaders),
                token=mark.token,
                path=f"/hands/{index}/play",
                seat=leader,
                facts={"stated": mark.seat, "replayed": leader, **location},
            )
    return None


def _with_place(record: TextRecord, fault: Fault) -> Fault:
    if "line" in fault.facts:
        return fault
    line, column = record.place(fault.path, fault.hand, fault.token)
    return replace(fault, facts={**fault.facts, "line": line, "column": column})

"""Parses and audits submitted records, without the database."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import engine
from tournaments.core.faults import FAULT_STATUS


@dataclass(frozen=True)
class ParsedRecord:
    """A parsed body: ``document`` is its JSON object, ``record`` the record in it, if it is one.

    ``error`` is why it is none; ``verdict`` is never missing.
    """

    body: bytes
    document: Mapping[str, Any] | None
    record: engine.Record | None
    error: engine.RecordError | None
    verdict: engine.Verdict

    @cached_property
    def sha256(self) -> str:
        """The hash of the submitted bytes."""
        return hashlib.sha256(self.body).hexdigest()

    @property
    def text(self) -> str:
        """The submitted text. Only for a body that holds a JSON object, which is UTF-8."""
        return self.body.decode("utf-8")

    @property
    def seats(self) -> tuple[str, ...]:
        """The names at the seats, as far as they can be read, even from a faulty record."""
        seats = self.record.seats if self.record else (self.document or {}).get("seats")
        if not isinstance(seats, list | tuple) or not all(isinstance(s, str) for s in seats):
            return ()
        return tuple(seats)

    @property
    def fault(self) -> engine.Fault | None:
        """The engine's first fault, if any."""
        return self.verdict.faults[0] if self.verdict.faults else None

    @property
    def fault_status(self) -> int:
        """The HTTP status of that fault: 413, 400, or 422 for a record that breaks the rules."""
        if self.error is None:
            return 422
        if self.error.reason == "too_large" and self.document is None:
            return 413
        return FAULT_STATUS.get(self.error.fault.code, 400)

    @property
    def is_finished(self) -> bool:
        """The match was played to its end."""
        return not any(notice.code == "match.unfinished" for notice in self.verdict.notices)

    @property
    def is_audited(self) -> bool:
        """Every hand has its play."""
        return all(hand.audited for hand in self.verdict.hands)

    @cached_property
    def verdict_json(self) -> dict[str, Any]:
        """The verdict as it is stored, in English; pages translate it."""
        return self.verdict.as_dict("en")


def parse_record(body: bytes | str) -> ParsedRecord:
    """Parse and replay a body; never raises for a bad one."""
    raw = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    try:
        document = _object(raw)
    except engine.RecordError as error:
        return ParsedRecord(raw, None, None, error, engine.audit(raw))
    return _parsed(raw, document)


def parse_document(document: dict[str, Any]) -> ParsedRecord:
    """Replay a record that bots played here, as :func:`parse_record` does with its text."""
    return _parsed(json.dumps(document, ensure_ascii=False).encode(), document)


def _parsed(raw: bytes, document: dict[str, Any] | None) -> ParsedRecord:
    record, error = None, None
    try:
        record = engine.parse_record(raw if document is None else document)
    except engine.RecordError as refused:
        error = refused
    return ParsedRecord(raw, document, record, error, engine.audit(record or document or raw))


def _object(raw: bytes) -> dict[str, Any] | None:
    """Return the JSON object that the bytes hold, ``None`` when they hold something else."""
    if len(raw) > engine.MAX_BYTES:
        return None
    value = engine.read_json(raw)
    return value if isinstance(value, dict) else None

"""Auditing records from files: a few by the core, many in lock step, with a word on the way."""

from __future__ import annotations

import sys
import time
from itertools import islice
from typing import TYPE_CHECKING, Final

from engine.auditor import audit
from engine.text import TextRecord
from engine.text_audit import audit_text, unreadable
from engine.text_words import TextError
from engine.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.cli.sources import Written
    from engine.fast.auditing import BulkAudit, ValidVerdict

FEW: Final = 100
"""Records that are audited one by one before the arrays are loaded, which takes time itself."""

SECONDS: Final = 0.5
"""Between two words on the way."""


class ManyAudits:
    """Verdicts on records, one after the other; ``full`` asks for whole ones (F3)."""

    def __init__(self, *, hints: bool, full: bool) -> None:
        self.hints = hints
        self.full = full
        self.bulk: BulkAudit | None = None
        self.progress = Progress()

    def verdicts(self, records: Iterator[tuple[str, Written]]) -> Iterator[Verdict | ValidVerdict]:
        """The verdicts on the records of one file."""
        for verdict in self._verdicts(records):
            if isinstance(verdict, Verdict):
                self.progress.count(len(verdict.hands))
            else:
                self.progress.count(verdict.hand_count)
            yield verdict

    def _verdicts(self, records: Iterator[tuple[str, Written]]) -> Iterator[Verdict | ValidVerdict]:
        one_by_one = records if self.full else islice(records, FEW)
        for source, written in one_by_one:
            yield self._one(source, written)
        for source, written in records:
            if not isinstance(written, bytes) or not self._loaded():
                yield self._one(source, written)
            elif self.bulk is not None:
                yield from self.bulk.audit(_all(source, written, records))

    def _one(self, source: str, written: Written) -> Verdict:
        if isinstance(written, TextError):
            return unreadable(written, source)
        if isinstance(written, TextRecord):
            return audit_text(written, source, self.hints)
        return audit(written, source, self.hints)

    def _loaded(self) -> bool:
        """Whether there is a lock step: it needs numpy, which nothing else here does."""
        if self.bulk is None:
            try:
                from engine.fast.auditing import BulkAudit
            except ImportError:
                return False
            self.bulk = BulkAudit(hints=self.hints)
        return True

    def summary(self, language: str) -> str | None:
        """Reports how many records the lock step judged, if it was used."""
        if self.bulk is None:
            return None
        records, alone = self.bulk.records, self.bulk.fallen_back
        share = f"{100 * (records - alone) / records:.1f}"
        comma = share.replace(".", ",")
        messages = {
            "en": f"{share} % of {records} records in lock step, {alone} one by one",
            "es": f"{comma} % de {records} partidas a la vez, {alone} de una en una",
            "de": f"{comma} % von {records} Protokollen zugleich, {alone} einzeln",
        }
        return messages[language]


def _all(
    source: str, written: bytes, records: Iterable[tuple[str, Written]]
) -> Iterator[tuple[str, bytes]]:
    """A record and those after it; a file of JSON holds nothing else."""
    yield source, written
    for name, line in records:
        if isinstance(line, bytes):
            yield name, line


class Progress:
    """Shows the progress of a long audit in one line of a terminal; elsewhere nothing."""

    def __init__(self) -> None:
        self.shown = sys.stderr.isatty()
        self.began = self.last = time.monotonic()
        self.records = self.hands = 0
        self.written = False

    def count(self, hands: int) -> None:
        """Counts a record and its hands."""
        self.records += 1
        self.hands += hands
        if self.shown and not self.records % FEW:
            self._write()

    def _write(self) -> None:
        now = time.monotonic()
        if now - self.last >= SECONDS:
            self.last = now
            rate = self.hands / (now - self.began)
            line = f"\r\033[K{self.records:,} records, {rate:,.0f} hands/s "
            print(line, end="", file=sys.stderr, flush=True)
            self.written = True

    def end(self) -> None:
        """Leave the terminal as it was."""
        if self.written:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

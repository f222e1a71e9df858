"""Audits many records in several processes, their answers in order, with progress on a terminal."""

from __future__ import annotations

import signal
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final, TypeVar

from engine.auditor import audit
from engine.cli.progress import Progress
from engine.errors import RecordError
from engine.fast import BATCH_RECORDS, batches, is_compiled
from engine.text import TextRecord
from engine.text_audit import audit_text, unreadable_verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from engine.fast.auditing import BulkAudit, ValidVerdict
    from engine.intake import RecordSource
    from engine.verdict import Verdict

MAX_HERE: Final = 200
"""Records that the core judges in less time than it takes to load the kernel."""

_Answer = TypeVar("_Answer")
Batch = list[tuple[str, Any]]


def map_batches(
    work: Callable[[Batch, bool], _Answer], records: Iterable[tuple[str, RecordSource]], jobs: int
) -> Iterator[_Answer]:
    """The answers of ``work`` on batches of records: the first few here, the rest by processes.

    Its second argument says whether there are many records. Memory does not grow with their
    number: a process has at most two batches to do, and what it answered is given on at once.
    """
    records = iter(records)
    for batch in batches(islice(records, MAX_HERE), MAX_HERE):
        yield work(batch, False)
    rest = batches(records, BATCH_RECORDS)
    first = next(rest, None)
    if first is None:
        return
    if is_compiled():
        bulk_audit(hints=False)  # loaded before the processes begin, which then have it
    rest = chain([first], rest)
    if jobs == 1 or not isinstance(first[0][1], bytes):  # what was read from text stays here
        yield from (work(batch, True) for batch in rest)
        return
    with ProcessPoolExecutor(jobs, initializer=_ignore_interrupts) as pool:
        answers = deque(pool.submit(work, batch, True) for batch in islice(rest, 2 * jobs))
        try:
            while answers:
                answer = answers.popleft().result()
                answers.extend(pool.submit(work, batch, True) for batch in islice(rest, 1))
                yield answer
        finally:
            pool.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    """Ctrl-C ends the command, which ends its processes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@cache
def bulk_audit(*, hints: bool) -> BulkAudit:
    """The audit of this process, which remembers the rules that it has read."""
    from engine.fast.auditing import BulkAudit

    return BulkAudit(hints=hints)


def verdicts(batch: Batch, *, hints: bool, many: bool) -> Iterator[Verdict | ValidVerdict]:
    """The verdicts on records: by the kernel if they are many, else by the core."""
    is_json = all(isinstance(content, bytes) for _source, content in batch)
    if many and is_compiled() and is_json:
        yield from bulk_audit(hints=hints).audit(batch)
    else:
        yield from (_audit_one(source, content, hints=hints) for source, content in batch)


def _audit_one(source: str, content: RecordSource, *, hints: bool) -> Verdict:
    if isinstance(content, RecordError):
        return unreadable_verdict(content, source)
    if isinstance(content, TextRecord):
        return audit_text(content, source, hints)
    return audit(content, source, hints)


class RecordProgress(Progress):
    """Counts records and hands, and shows how many there have been."""

    def __init__(self) -> None:
        super().__init__()
        self.records = self.hands = 0

    def count(self, hands: int, records: int = 1) -> None:
        """Count records and their hands."""
        self.records += records
        self.hands += hands
        self.show(lambda seconds: f"{self.records:,} records, {self.hands / seconds:,.0f} hands/s")

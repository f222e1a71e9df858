"""Verifies a hash chain of events from its beginning, names the first wrong event, and reports it.

A :class:`Walk` takes the checkpoints first and then one event after another, so that a history of
any length is checked in little memory.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tournaments.domain.messages import message
from tournaments.domain.trail.chain import (
    FIRST,
    REDACTED,
    Event,
    Link,
    commitment,
    link,
    redactions,
    says,
)
from tournaments.domain.trail.checkpoints import Checkpoint, is_signed

MAX_FAULTS: Final = 100
"""Faults that a walk keeps; when the chain is broken early, all the rest is."""

COUNTER: Final = 0
"""The number of the club's own counter among those of a checkpoint."""


@dataclass(frozen=True, slots=True)
class TrailFault:
    """A fault at an event.

    ``code``: ``edited`` (says another thing than was chained), ``deleted``, ``inserted``,
    ``truncated`` (the end is gone), ``rewritten`` (not what was signed), ``unchained``,
    ``uncovered_redaction``, ``bad_redaction``, ``bad_signature``, ``unknown_key``,
    ``checkpoint_missing``, ``checkpoint_changed``. ``facts`` are in types of JSON.
    """

    code: str
    sequence: int
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChainReport:
    """The result of a walk: the faults by event, the last number, and the ``redacted`` events."""

    faults: tuple[TrailFault, ...]
    last: int
    head: str
    redacted: tuple[int, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def faults_of(
    checkpoints: Iterable[Checkpoint], keys: Collection[str], before: str | None = FIRST
) -> Iterator[TrailFault]:
    """Check checkpoints among themselves, in the order given.

    ``keys`` are the public keys that are trusted. ``before`` is what the first one has to follow;
    ``None``: it may be any.
    """
    previous: Checkpoint | None = None
    for checkpoint in checkpoints:
        facts = {"checkpoint": checkpoint.number}
        if checkpoint.key not in keys:
            yield TrailFault("unknown_key", checkpoint.sequence, facts | {"key": checkpoint.key})
        elif not is_signed(checkpoint):
            yield TrailFault("bad_signature", checkpoint.sequence, facts)
        expected = before if previous is None else previous.own_digest()
        number = 1 if before == FIRST and previous is None else checkpoint.number
        if previous is not None:
            number = previous.number + 1
        if checkpoint.number != number:
            yield TrailFault("checkpoint_missing", checkpoint.sequence, {"checkpoint": number})
        elif expected is not None and checkpoint.before != expected:
            yield TrailFault("checkpoint_changed", checkpoint.sequence, facts)
        previous = checkpoint


class Walk:
    """One chain, walked from an event on.

    ``before`` is the digest before event ``start``. ``heads`` are the digests that are known from
    elsewhere: number of the event, digest, number of the checkpoint (:data:`COUNTER`).
    """

    def __init__(
        self,
        heads: Iterable[tuple[int, str, int]] = (),
        *,
        start: int = 1,
        before: str = FIRST,
    ) -> None:
        self.last = start - 1
        self.head = before
        self._earlier = FIRST
        self._signed = start - 1
        self._faults: list[TrailFault] = []
        self._redacted: dict[int, str] = {}
        self._covered: dict[int, tuple[int, str]] = {}
        self._unlike: list[tuple[int, int, int]] = []
        self._heads: dict[int, list[tuple[str, int]]] = {}
        for sequence, digest, number in heads:
            if sequence >= start:
                self._heads.setdefault(sequence, []).append((digest, number))

    def add_event(self, event: Event | Link) -> None:
        """Go on to the next event."""
        gap = event.sequence != self.last + 1
        if event.sequence <= self.last:
            self._add("inserted", event.sequence)
            return
        if gap:
            self._add("deleted", self.last + 1, until=event.sequence - 1)
            self._heads = {
                sequence: digest
                for sequence, digest in self._heads.items()
                if sequence >= event.sequence
            }
        if isinstance(event, Event):
            self._read_texts(event)
        if not event.digest:
            self._add("unchained", event.sequence)
            self.last = event.sequence
            return
        if not gap:
            self._check_digest(event)
        self._earlier, self.head, self.last = self.head, event.digest, event.sequence
        self._compare(event)

    def finish(self) -> ChainReport:
        """Return the result, after the last event."""
        for sequence, heads in sorted(self._heads.items()):
            for _, number in heads:
                self._add("truncated", self.last + 1, until=sequence, checkpoint=number)
        for after, until, number in self._unlike:
            broken = any(after < fault.sequence <= until for fault in self._faults)
            first = until if broken else after + 1
            self._add("rewritten", first, until=until, checkpoint=number)
        for sequence, texts in self._redacted.items():
            if self._covered.get(sequence, (0, ""))[1] != texts:
                self._add("uncovered_redaction", sequence)
        faults = sorted(self._faults, key=lambda fault: fault.sequence)
        return ChainReport(tuple(faults), self.last, self.head, tuple(self._redacted))

    def _read_texts(self, event: Event) -> None:
        if not event.digest:
            return
        try:
            digest = commitment(event.texts, event.salt)
        except ValueError:
            digest = ""
        if not event.salt:
            self._redacted[event.sequence] = digest
        elif digest != event.texts_digest:
            self._add("edited", event.sequence, part="texts")
            return
        if event.verb == REDACTED:
            self._read_redaction(event)

    def _read_redaction(self, event: Event) -> None:
        try:
            covered = redactions(event.texts.facts) if event.salt else None
        except ValueError:
            covered = None
        if covered is None or any(sequence >= event.sequence for sequence in covered):
            self._add("bad_redaction", event.sequence)
            return
        for sequence, texts in covered.items():
            self._covered[sequence] = (event.sequence, texts)

    def _check_digest(self, event: Event | Link) -> None:
        """Check that the event's digest follows from what it says and the digest before it."""
        content_digest = says(event) if isinstance(event, Event) else event.says
        if link(self.head, content_digest) == event.digest:
            return
        if isinstance(event, Event):
            moved_digest = says(replace(event, sequence=event.sequence - 1))
            if link(self._earlier, moved_digest) == event.digest:
                self._add("inserted", event.sequence - 1)
                return
        self._add("edited", event.sequence, part="event", after=self.last)

    def _compare(self, event: Event | Link) -> None:
        for digest, number in self._heads.pop(event.sequence, ()):
            if digest == event.digest:
                self._signed = max(self._signed, event.sequence)
            else:
                self._unlike.append((self._signed, event.sequence, number))

    def _add(self, code: str, sequence: int, **facts: Any) -> None:
        if len(self._faults) < MAX_FAULTS:
            self._faults.append(TrailFault(code, sequence, facts))


# --- Reports --------------------------------------------------------------------------------------


def describe_fault(fault: TrailFault, language: str) -> str:
    """Return the message of a fault."""
    code = f"trail.{fault.code}"
    if fault.code in {"truncated", "rewritten"}:
        code += ".checkpoint" if fault.facts["checkpoint"] else ".counter"
    return message(language, code, **fault.facts)


def document(report: ChainReport, language: str) -> dict[str, Any]:
    """Return all that was found in types of JSON."""
    return {
        "holds": report.holds,
        "events": report.last,
        "head": report.head,
        "redacted": list(report.redacted),
        "first": report.faults[0].sequence if report.faults else None,
        "faults": [
            {
                "code": fault.code,
                "sequence": fault.sequence,
                "facts": dict(fault.facts),
                "text": describe_fault(fault, language),
            }
            for fault in report.faults
        ],
    }


def format_report(report: ChainReport, club: str, checkpoints: int, language: str) -> list[str]:
    """Return the lines for people: that everything holds, or the first fault and the others."""
    if report.holds:
        facts = {"last": report.last, "checkpoints": checkpoints, "redacted": len(report.redacted)}
        return [message(language, "trail.holds", club=club, **facts)]
    first = message(language, "trail.fails", club=club, sequence=report.faults[0].sequence)
    return [
        first,
        *(f"  {fault.sequence}: {describe_fault(fault, language)}" for fault in report.faults),
    ]

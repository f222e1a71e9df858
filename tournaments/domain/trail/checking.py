"""Verifies a hash chain from its beginning, names the first wrong event; reads a trail file.

A :class:`Walk` takes the checkpoints first and then one event after another, so that a history of
any length is checked in little memory.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tournaments.domain.messages import message
from tournaments.domain.trail.chain import (
    FIRST,
    REDACTED,
    Event,
    Link,
    Texts,
    commitment,
    link,
    redactions,
    says,
)
from tournaments.domain.trail.checkpoints import FIELDS, Checkpoint, is_signed

MOST_FAULTS: Final = 100
"""Faults that a walk keeps; when the chain is broken early, all the rest is."""

COUNTER: Final = 0
"""The number of the club's own counter among those of a checkpoint."""


@dataclass(frozen=True, slots=True)
class Fault:
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
class Found:
    """The result of a walk: the faults by event, the last number, and the ``redacted`` events."""

    faults: tuple[Fault, ...]
    last: int
    head: str
    redacted: tuple[int, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def faults_of(
    checkpoints: Iterable[Checkpoint], keys: Collection[str], before: str | None = FIRST
) -> Iterator[Fault]:
    """Check checkpoints among themselves, in the order given.

    ``keys`` are the public keys that are trusted. ``before`` is what the first one has to follow;
    ``None``: it may be any.
    """
    previous: Checkpoint | None = None
    for one in checkpoints:
        facts = {"checkpoint": one.number}
        if one.key not in keys:
            yield Fault("unknown_key", one.sequence, facts | {"key": one.key})
        elif not is_signed(one):
            yield Fault("bad_signature", one.sequence, facts)
        expected = before if previous is None else previous.own_digest()
        number = 1 if before == FIRST and previous is None else one.number
        if previous is not None:
            number = previous.number + 1
        if one.number != number:
            yield Fault("checkpoint_missing", one.sequence, {"checkpoint": number})
        elif expected is not None and one.before != expected:
            yield Fault("checkpoint_changed", one.sequence, facts)
        previous = one


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
        self._faults: list[Fault] = []
        self._redacted: dict[int, str] = {}
        self._covered: dict[int, tuple[int, str]] = {}
        self._unlike: list[tuple[int, int, int]] = []
        self._heads: dict[int, list[tuple[str, int]]] = {}
        for sequence, digest, number in heads:
            if sequence >= start:
                self._heads.setdefault(sequence, []).append((digest, number))

    def take(self, event: Event | Link) -> None:
        """Go on to the next event."""
        gap = event.sequence != self.last + 1
        if event.sequence <= self.last:
            self._add("inserted", event.sequence)
            return
        if gap:
            self._add("deleted", self.last + 1, until=event.sequence - 1)
            self._heads = {at: digest for at, digest in self._heads.items() if at >= event.sequence}
        if isinstance(event, Event):
            self._read_texts(event)
        if not event.digest:
            self._add("unchained", event.sequence)
            self.last = event.sequence
            return
        if not gap:
            self._follow(event)
        self._earlier, self.head, self.last = self.head, event.digest, event.sequence
        self._compare(event)

    def finish(self) -> Found:
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
        return Found(tuple(faults), self.last, self.head, tuple(self._redacted))

    def _read_texts(self, event: Event) -> None:
        if not event.digest:
            return
        try:
            found = commitment(event.texts, event.salt)
        except ValueError:
            found = ""
        if not event.salt:
            self._redacted[event.sequence] = found
        elif found != event.texts_digest:
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

    def _follow(self, event: Event | Link) -> None:
        """Check that the event's digest follows from what it says and the digest before it."""
        content_digest = says(event) if isinstance(event, Event) else event.says
        if link(self.head, content_digest) == event.digest:
            return
        if isinstance(event, Event):
            moved = says(replace(event, sequence=event.sequence - 1))
            if link(self._earlier, moved) == event.digest:
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
        if len(self._faults) < MOST_FAULTS:
            self._faults.append(Fault(code, sequence, facts))


# --- Reports --------------------------------------------------------------------------------------


def describe_fault(fault: Fault, language: str) -> str:
    """Return the message of a fault."""
    code = f"trail.{fault.code}"
    if fault.code in {"truncated", "rewritten"}:
        code += ".checkpoint" if fault.facts["checkpoint"] else ".counter"
    return message(language, code, **fault.facts)


def document(found: Found, language: str) -> dict[str, Any]:
    """Return all that was found in types of JSON."""
    return {
        "holds": found.holds,
        "events": found.last,
        "head": found.head,
        "redacted": list(found.redacted),
        "first": found.faults[0].sequence if found.faults else None,
        "faults": [
            {
                "code": fault.code,
                "sequence": fault.sequence,
                "facts": dict(fault.facts),
                "text": describe_fault(fault, language),
            }
            for fault in found.faults
        ],
    }


def format_report(found: Found, club: str, checkpoints: int, language: str) -> list[str]:
    """Return the lines for people: that everything holds, or the first fault and the others."""
    if found.holds:
        facts = {"last": found.last, "checkpoints": checkpoints, "redacted": len(found.redacted)}
        return [message(language, "trail.holds", club=club, **facts)]
    first = message(language, "trail.fails", club=club, sequence=found.faults[0].sequence)
    return [
        first,
        *(f"  {fault.sequence}: {describe_fault(fault, language)}" for fault in found.faults),
    ]


# --- Trail files ----------------------------------------------------------------------------------
# Events, links and checkpoints, one JSON value a line (docs/audit.md). The first line names the
# club and the start, checkpoints precede the events, and the last line has the number of the lines
# before it and the hash of their bytes, so that a file cut short is detected.


FORMAT: Final = "baza-trail/1"
LONGEST_LINE: Final = 4 * 1024 * 1024
"""Bytes of a line."""


class TrailError(ValueError):
    """A line that is not of a trail: ``code`` and the ``line``, from 1."""

    def __init__(self, code: str, line: int) -> None:
        super().__init__(f"line {line}: {code}")
        self.code, self.line = code, line


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a trail: its club, its tournament if it is not of all, and its start."""

    club: Mapping[str, Any]
    tournament: Mapping[str, Any] | None
    start: int
    before: str
    key: str

    def document(self) -> dict[str, Any]:
        """Return the first line in types of JSON."""
        return {"format": FORMAT} | {name: getattr(self, name) for name in HEAD}


HEAD: Final = ("club", "tournament", "start", "before", "key")
ROW: Final = ("sequence", "at", "verb", "subject_type", "subject_pk", "club", "tournament")


def event_document(event: Event) -> dict[str, Any]:
    """Return an event in types of JSON."""
    row = {name: getattr(event, name) for name in ROW}
    proof = {"salt": event.salt, "texts": event.texts_digest, "digest": event.digest}
    return row | event.texts.document() | proof


def link_document(link: Link) -> dict[str, Any]:
    """Return a link in types of JSON."""
    return {"sequence": link.sequence, "says": link.says, "digest": link.digest}


def line(value: Mapping[str, Any]) -> bytes:
    """Return a value as one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def check(lines: Iterable[bytes], keys: Iterable[str] = ()) -> tuple[Head, int, Found]:
    """Check a trail by itself; ``keys`` are trusted, or else the one that it names.

    Returns of whom it is, the number of its checkpoints and what was found. Raises TrailError for
    what is no trail, or one that was cut short.
    """
    walk: Walk | None = None
    checkpoints: list[Checkpoint] = []
    values = _values(lines)
    head = _head(next(values, (1, {})))
    for number, value in values:
        match value:
            case {"checkpoint": dict(document)} if walk is None:
                checkpoints.append(read_checkpoint(document, number))
            case {"event": dict(document)}:
                walk = walk or _walk(head, checkpoints)
                walk.take(read_event(document, number))
            case {"link": dict(document)}:
                walk = walk or _walk(head, checkpoints)
                walk.take(_link(document, number))
            case _:
                raise TrailError("unknown_line", number)
    found = (walk or _walk(head, checkpoints)).finish()
    first = checkpoints[0].before if checkpoints and checkpoints[0].number > 1 else None
    trusted = set(keys) or {head.key}
    more = faults_of(checkpoints, trusted, first or "0" * 64)
    faults = tuple(sorted((*found.faults, *more), key=lambda fault: fault.sequence))
    return head, len(checkpoints), Found(faults, found.last, found.head, found.redacted)


def read_checkpoints(source: bytes) -> list[Checkpoint]:
    """Read published checkpoints: a JSON list, a page of the API, or one value a line.

    Raises TrailError.
    """
    try:
        whole = json.loads(source)
        document = whole.get("results", [whole]) if isinstance(whole, dict) else whole
    except ValueError:
        document = [value for _, value in _parsed(source.splitlines(keepends=True))]
    numbered = enumerate(document if isinstance(document, list) else [], start=1)
    return [read_checkpoint(value.get("checkpoint", value), number) for number, value in numbered]


def _walk(head: Head, checkpoints: Iterable[Checkpoint]) -> Walk:
    heads = [(one.sequence, one.digest, one.number) for one in checkpoints]
    return Walk(heads, start=head.start, before=head.before)


def _values(lines: Iterable[bytes]) -> Iterator[tuple[int, Any]]:
    """Yield the values of the lines, the last one checked and left out."""
    whole, count = hashlib.sha256(), 0
    for number, text, value in _lines(lines):
        if isinstance(value, dict) and value.get("end") is True:
            if value != {"end": True, "count": count, "sha256": whole.hexdigest()}:
                raise TrailError("changed_file", number)
            return
        whole.update(text)
        count += 1
        yield number, value
    raise TrailError("cut_short", count + 1)


def _parsed(lines: Iterable[bytes]) -> Iterator[tuple[int, Any]]:
    return ((number, value) for number, _, value in _lines(lines))


def _lines(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes, Any]]:
    for number, text in enumerate(lines, start=1):
        if len(text) > LONGEST_LINE:
            raise TrailError("too_long", number)
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise TrailError("bad_json", number) from error
        yield number, text, value


def _head(first: tuple[int, Any]) -> Head:
    number, document = first
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise TrailError("no_trail", number)
    types = {"club": dict, "tournament": dict | None, "start": int, "before": str, "key": str}
    return Head(**_fields(document, types, number))


def read_event(document: Mapping[str, Any], number: int) -> Event:
    """Read an event as `event_document` writes it; raises TrailError with the line ``number``."""
    types = {
        **dict.fromkeys(("sequence", "subject_pk", "club"), int),
        **dict.fromkeys(("at", "verb", "subject_type", "salt", "texts", "digest"), str),
        "actor": str,
        "subject": str,
        "facts": dict,
        "tournament": int | None,
    }
    found = _fields(document, types, number)
    texts = Texts(found.pop("actor"), found.pop("subject"), found.pop("facts"))
    return Event(texts_digest=found.pop("texts"), texts=texts, **found)


def _link(document: Mapping[str, Any], number: int) -> Link:
    return Link(**_fields(document, {"sequence": int, "says": str, "digest": str}, number))


def read_checkpoint(document: Mapping[str, Any], number: int) -> Checkpoint:
    """Read a checkpoint as it is published; raises TrailError with the line ``number``."""
    numbers = ("club", "number", "sequence")
    return Checkpoint(
        **_fields(document, {name: int if name in numbers else str for name in FIELDS}, number)
    )


def _fields(document: Mapping[str, Any], types: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return the fields that are wanted, each of its type."""
    found = {name: document.get(name) for name in types}
    for name, type_ in types.items():
        if not isinstance(found[name], type_) or isinstance(found[name], bool):
            raise TrailError("bad_field", number)
    return found

"""Reads a trail file: events, links and checkpoints, a JSON value a line (docs/operators/audit.md).

The first line names the club and the start, checkpoints precede the events, and the last line has
the number of the lines before it and the hash of their bytes, so that a file cut short is detected.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tournaments.domain.trail.chain import Event, Link, Texts
from tournaments.domain.trail.checking import ChainReport, Walk, faults_of
from tournaments.domain.trail.checkpoints import FIELDS, Checkpoint

FORMAT: Final = "baza-trail/1"
MAX_LINE_LENGTH: Final = 4 * 1024 * 1024
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


def check(lines: Iterable[bytes], keys: Iterable[str] = ()) -> tuple[Head, int, ChainReport]:
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
                walk.add_event(read_event(document, number))
            case {"link": dict(document)}:
                walk = walk or _walk(head, checkpoints)
                walk.add_event(_link(document, number))
            case _:
                raise TrailError("unknown_line", number)
    report = (walk or _walk(head, checkpoints)).finish()
    first = checkpoints[0].before if checkpoints and checkpoints[0].number > 1 else None
    trusted = set(keys) or {head.key}
    checkpoint_faults = faults_of(checkpoints, trusted, first or "0" * 64)
    faults = tuple(sorted((*report.faults, *checkpoint_faults), key=lambda fault: fault.sequence))
    return head, len(checkpoints), ChainReport(faults, report.last, report.head, report.redacted)


def read_checkpoints(source: bytes) -> list[Checkpoint]:
    """Read published checkpoints: a JSON list, a page of the API, or one value a line.

    Raises TrailError.
    """
    try:
        content = json.loads(source, object_pairs_hook=_unique_fields)
        document = content.get("results", [content]) if isinstance(content, dict) else content
    except (ValueError, RecursionError):
        document = [value for _, _, value in _lines(source.splitlines(keepends=True))]
    if not isinstance(document, list):
        raise TrailError("bad_field", 1)
    found = []
    for number, value in enumerate(document, start=1):
        checkpoint = value.get("checkpoint", value) if isinstance(value, dict) else value
        found.append(read_checkpoint(checkpoint, number))
    return found


def _walk(head: Head, checkpoints: Iterable[Checkpoint]) -> Walk:
    heads = [
        (checkpoint.sequence, checkpoint.digest, checkpoint.number) for checkpoint in checkpoints
    ]
    return Walk(heads, start=head.start, before=head.before)


def _values(lines: Iterable[bytes]) -> Iterator[tuple[int, Any]]:
    """Yield the values of the lines, the last one checked and left out."""
    file_hash, count = hashlib.sha256(), 0
    for number, text, value in _lines(lines):
        if isinstance(value, dict) and value.get("end") is True:
            if value != {"end": True, "count": count, "sha256": file_hash.hexdigest()}:
                raise TrailError("changed_file", number)
            return
        file_hash.update(text)
        count += 1
        yield number, value
    raise TrailError("cut_short", count + 1)


def _lines(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes, Any]]:
    for number, text in enumerate(lines, start=1):
        if len(text) > MAX_LINE_LENGTH:
            raise TrailError("too_long", number)
        try:
            value = json.loads(text, object_pairs_hook=_unique_fields)
        except (ValueError, RecursionError) as error:
            raise TrailError("bad_json", number) from error
        yield number, text, value


def _unique_fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of an object; of two with one name readers take the one or the other."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a field stands twice in one object")
    return fields


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
    fields = _fields(document, types, number)
    texts = Texts(fields.pop("actor"), fields.pop("subject"), fields.pop("facts"))
    return Event(texts_digest=fields.pop("texts"), texts=texts, **fields)


def _link(document: Mapping[str, Any], number: int) -> Link:
    return Link(**_fields(document, {"sequence": int, "says": str, "digest": str}, number))


def read_checkpoint(document: Any, number: int) -> Checkpoint:
    """Read a checkpoint as it is published; raises TrailError with the line ``number``."""
    if not isinstance(document, dict):
        raise TrailError("bad_field", number)
    numbers = ("club", "number", "sequence")
    return Checkpoint(
        **_fields(document, {name: int if name in numbers else str for name in FIELDS}, number)
    )


def _fields(document: Mapping[str, Any], types: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return the fields that are wanted, each of its type."""
    fields = {name: document.get(name) for name in types}
    for name, type_ in types.items():
        if not isinstance(fields[name], type_) or isinstance(fields[name], bool):
            raise TrailError("bad_field", number)
    return fields

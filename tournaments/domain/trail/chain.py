"""The hash chain of events: an event and its rows as bytes, and the digest over the one before.

An event's digest covers its number, place, verb, subject's key, time and a commitment to its texts
(who, about what, the facts). The commitment is salted: when the texts have to go, the salt goes
with them, and nothing that was said can be guessed from what stays. The form is in docs/audit.md.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from operator import attrgetter
from typing import Any, Final

# --- The chain ------------------------------------------------------------------------------------


FIRST: Final = "0" * 64
"""What the first event of a chain has for the digest before it."""

EVENT: Final = b"baza-event/1\n"
TEXTS: Final = b"baza-texts/1\n"
LINK: Final = b"baza-link/1\n"

REDACTED: Final = "audit.redacted"
"""The verb of an event that names the events whose texts were replaced."""

FORM: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)
"""Writes exact values in the one form."""

LARGEST: Final = 1 << 53
"""Numbers beyond it are not exact in every reader of JSON."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of an event: who did it, about what, and the facts (ready for JSON)."""

    actor: str
    subject: str
    facts: Mapping[str, Any]

    def document(self) -> dict[str, Any]:
        """Return the texts in types of JSON."""
        return {"actor": self.actor, "facts": self.facts, "subject": self.subject}


@dataclass(frozen=True, slots=True)
class Event:
    """An event with its place in a chain.

    ``club``, ``tournament`` and ``subject_pk`` are keys, ``at`` is a time as :func:`time_of` writes
    it. ``salt`` is empty once the texts were replaced, ``digest`` while it is not in the chain yet.
    """

    club: int
    tournament: int | None
    sequence: int
    verb: str
    subject_type: str
    subject_pk: int
    at: str
    texts: Texts
    salt: str
    texts_digest: str
    digest: str


@dataclass(frozen=True, slots=True)
class Link:
    """An event whose content is not shown, only its digest."""

    sequence: int
    says: str
    digest: str


def canonical(value: Any) -> bytes:
    r"""Return JSON in the one form that is hashed.

    ASCII alone (all else as ``\uXXXX``), keys sorted by code point, no spaces; whole numbers have
    no point. Raises ValueError for numbers that are not finite or not exact in every reader.
    """
    return FORM.encode(_exact(json.loads(json.dumps(value)))).encode("ascii")


def _exact(value: Any) -> Any:
    """Return a value whose numbers are the same whichever database has kept them."""
    if isinstance(value, dict):
        return {key: _exact(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_exact(inner) for inner in value]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and abs(value) > LARGEST:
        raise ValueError(f"{value} is no number of the history: write it as text")
    return value


def time_of(at: datetime) -> str:
    """Return a time in UTC with microseconds: ``2026-11-21T20:15:00.000000Z``."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def commitment(texts: Texts, salt: str) -> str:
    """Return the hash of the salt (hex digits of 16 bytes, or none) and the texts."""
    return _hash(TEXTS + bytes.fromhex(salt) + canonical(texts.document()))


def says(event: Event) -> str:
    """Return the hash of what an event says; of its texts only the commitment enters."""
    document = {
        "at": event.at,
        "club": event.club,
        "sequence": event.sequence,
        "subject_pk": event.subject_pk,
        "subject_type": event.subject_type,
        "texts": event.texts_digest,
        "tournament": event.tournament,
        "verb": event.verb,
    }
    return _hash(EVENT + canonical(document))


def link(before: str, digest: str) -> str:
    """Return the digest of an event that says so, after an event with the digest ``before``."""
    return _hash(LINK + canonical({"before": before, "says": digest}))


def redactions(facts: Mapping[str, Any]) -> dict[int, str]:
    """Read which events an event replaced the texts of, and the hash of the new ones.

    Raises ValueError for anything else.
    """
    match facts.get("events"):
        case list() as pairs:
            return dict(_redaction(pair) for pair in pairs)
    raise ValueError("no list of events")


def _redaction(pair: object) -> tuple[int, str]:
    match pair:
        case [int(sequence), str(texts)]:
            return sequence, texts
    raise ValueError("no pair of a number and a hash")


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


# --- Rows -----------------------------------------------------------------------------------------
# An event has under ``rows``, by kind, a list of ``[key, content, state, words]`` for each row as
# it was after the event, and ``[key]`` for one that was deleted. ``content`` is the SHA-256 of the
# columns that never change, ``state`` are those that may, ``words`` is the salted SHA-256 of the
# texts. ``state`` is null where only the texts were replaced.


ROWS: Final = "rows"
"""The name of the fact that holds an event's rows."""

BASELINE: Final = "audit.baseline"
"""The verb of an event that states rows which no earlier event states."""

DIGITS: Final = 32
"""Hex digits of a digest in an event: 128 bits."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Which columns of a kind of row are compared, as attributes of the row.

    ``content`` holds no names, so that it stays the same when people are erased; ``words`` are
    compared only while the event has its salt.
    """

    content: tuple[str, ...]
    state: tuple[str, ...]
    words: tuple[str, ...] = ()


SEATED: Final = tuple(
    f"match.{place}_id" for place in ("home", "home_partner", "away", "away_partner", "third")
)
SCORE: Final = tuple(
    f"{side}_{counted}" for side in ("home", "away", "third") for counted in ("hands", "points")
)

KINDS: Final[Mapping[str, Kind]] = {
    "entry": Kind(
        ("tournament_id", "number", "pair_id", "player_id", "bot_id", "seats"),
        ("joined_round",),
        ("name",),
    ),
    "record": Kind(("match_id", "coto", "source", "digest", "home_side"), ("state",)),
    "result": Kind(
        (
            *("match_id", "version", "depth", "record_id", "winner", "forfeits", "decided"),
            *("hand_scores", "reported_for", *SCORE, *SEATED),
        ),
        ("live", "counts_from", "counts_until"),
        ("reason",),
    ),
    "dispute": Kind(("match_id", "record_id", "result_id"), ("state",), ("reason", "ruling")),
    "penalty": Kind(
        ("entry_id", "round_number", "match_points", "hands", "points"),
        ("revoked_at",),
        ("reason", "revocation"),
    ),
}
"""The rows that count, by the names of their models."""


@dataclass(frozen=True, slots=True)
class RowState:
    """A row as an event states it; ``content`` is empty once it was deleted."""

    content: str = ""
    state: Sequence[Any] | None = None
    words: str = ""
    salt: str = ""
    sequence: int = 0


@dataclass(frozen=True, slots=True)
class RowFault:
    """A row that differs from the history.

    ``code``: ``row_changed`` (not as event ``sequence`` left it), ``row_missing`` (that event left
    a row, there is none), ``row_unknown`` (no event states it; ``sequence`` is 0).
    """

    code: str
    kind: str
    key: int
    sequence: int

    def words(self) -> str:
        """Return it as a sentence for the operator."""
        row = f"{self.kind} {self.key}"
        return {
            "row_changed": f"{row} is not as event {self.sequence} left it",
            "row_missing": f"event {self.sequence} left {row}, which is gone",
            "row_unknown": f"no event left {row}, which is there",
        }[self.code]

    def document(self) -> dict[str, Any]:
        """Return it in types of JSON."""
        return {name: getattr(self, name) for name in ("code", "kind", "key", "sequence")}


def content_of(kind: str, row: Any) -> str:
    """Return the digest of the columns of a row that never change."""
    return _digest(b"baza-row/1\n", {"kind": kind, **_columns(row, KINDS[kind].content)})


def state_of(kind: str, row: Any) -> list[Any]:
    """Return the columns of a row that may change."""
    return list(_columns(row, KINDS[kind].state).values())


def words_of(kind: str, row: Any, salt: str) -> str:
    """Return the digest of the texts of a row, which cannot be guessed without the salt."""
    words = _columns(row, KINDS[kind].words)
    return _digest(b"baza-words/1\n" + bytes.fromhex(salt), words) if words else ""


def describe_row(kind: str, row: Any, salt: str) -> list[Any]:
    """Return a row in the form that events state."""
    return [row.pk, content_of(kind, row), state_of(kind, row), words_of(kind, row, salt)]


class RowHistory:
    """The rows of a tournament as its events left them; fed with events in their order."""

    def __init__(self) -> None:
        self._left: dict[tuple[str, int], RowState] = {}
        self._faults: list[RowFault] = []

    def take(self, sequence: int, salt: str, facts: Mapping[str, Any]) -> None:
        """Read the rows that an event states."""
        for kind, lines in facts.get(ROWS, {}).items():
            for line in lines:
                self._take(kind, line, salt, sequence)

    def _take(self, kind: str, line: Sequence[Any], salt: str, sequence: int) -> None:
        place = kind, line[0]
        if len(line) == 1:
            self._left.pop(place, None)
            return
        _, content, state, words = line
        before = self._left.get(place)
        if before is not None and before.content != content:
            self._faults.append(RowFault("row_changed", *place, before.sequence))
        if state is None and before is not None:
            state = before.state
        self._left[place] = RowState(content, state, words, salt, sequence)

    def compare(self, kind: str, rows: Iterable[Any]) -> None:
        """Compare all rows of a kind that there are, and note those that should be there."""
        there = set()
        for row in rows:
            there.add(row.pk)
            left = self._left.get((kind, row.pk))
            if left is None:
                self._faults.append(RowFault("row_unknown", kind, row.pk, 0))
            elif not _agrees(kind, row, left):
                self._faults.append(RowFault("row_changed", kind, row.pk, left.sequence))
        for (one, key), left in self._left.items():
            if one == kind and key not in there:
                self._faults.append(RowFault("row_missing", kind, key, left.sequence))

    @property
    def faults(self) -> Iterator[RowFault]:
        """The faults found: first by the events, then the rows that no event states."""
        found = dict.fromkeys(self._faults)
        return iter(sorted(found, key=lambda one: (not one.sequence, one.sequence)))


def _agrees(kind: str, row: Any, left: RowState) -> bool:
    return (
        content_of(kind, row) == left.content
        and state_of(kind, row) == left.state
        and (not left.salt or words_of(kind, row, left.salt) == left.words)
    )


def _columns(row: Any, names: Iterable[str]) -> dict[str, Any]:
    return {name: _plain(attrgetter(name)(row)) for name in names}


def _plain(value: Any) -> Any:
    """Return a value of a column in types of JSON, the same from every database."""
    if isinstance(value, Decimal):
        return f"{value:.2f}"
    if isinstance(value, datetime):
        return time_of(value)
    return str(value) if isinstance(value, str) else value


def _digest(purpose: bytes, value: Mapping[str, Any]) -> str:
    return hashlib.sha256(purpose + canonical(value)).hexdigest()[:DIGITS]

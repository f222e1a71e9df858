"""The rows that an event states, and their comparison with the database (docs/operators/audit.md).

An event has under ``rows``, by kind, a list of ``[key, content, state, words]`` for each row as it
was after the event, and ``[key]`` for one that was deleted. ``content`` is the SHA-256 of the
columns that never change, ``state`` are those that may, ``words`` is the salted SHA-256 of texts.
``state`` is null where only the texts were replaced.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from operator import attrgetter
from typing import Any, Final

from tournaments.domain.sides import COUNTED, MORE_SIDES, PLACES, SCORES
from tournaments.domain.trail.chain import canonical, time_of

ROWS: Final = "rows"
"""The name of the fact that holds an event's rows."""

BASELINE: Final = "audit.baseline"
"""The verb of an event that states rows which no earlier event states."""

STATED: Final = "audit.stated"
"""The verb of an event of the club alone that states the private rows of a change."""

DIGITS: Final = 32
"""Hex digits of a digest in an event: 128 bits."""


@dataclass(frozen=True, slots=True)
class RowColumns:
    """Which columns of a kind of row are compared, as attributes of the row.

    ``content`` holds no names, so that it stays the same when people are erased; ``words`` are
    compared only while the event has its salt. Kinds and columns are only added: events of earlier
    releases state the others, and an empty digest of ``words`` states none.
    """

    content: tuple[str, ...]
    state: tuple[str, ...]
    words: tuple[str, ...] = ()


SEATED: Final = tuple(f"match.{place}_id" for place in PLACES)

KINDS: Final[Mapping[str, RowColumns]] = {
    "tournament": RowColumns(("club_id",), ("ruleset", "options", "cotos", "deal_sets", "stop")),
    "stage": RowColumns(("tournament_id", "number"), ("format", "settings")),
    "entry": RowColumns(
        ("tournament_id", "number", "pair_id", "player_id", "bot_id", "seats"),
        ("joined_round",),
        ("name",),
    ),
    "record": RowColumns(
        ("match_id", "coto", "source", "digest", "home_side"), ("state",), ("sha256",)
    ),
    "result": RowColumns(
        (
            "match_id",
            "version",
            "depth",
            "record_id",
            "winner",
            "forfeits",
            "decided",
            "cut",
            "hand_scores",
            "reported_for",
            *SCORES,
            *SEATED,
            "places",
        ),
        ("live", "counts_from", "counts_until"),
        ("reason",),
    ),
    "dispute": RowColumns(("match_id", "record_id", "result_id"), ("state",), ("reason", "ruling")),
    "penalty": RowColumns(
        ("entry_id", "round_number", "match_points", "hands", "points"),
        ("revoked_at",),
        ("reason", "revocation"),
    ),
    "prizeline": RowColumns(
        (
            "tournament_id",
            "season_id",
            "stage",
            "first",
            "last",
            "per",
            "cents",
            "percent",
            "times",
            "raffled",
        ),
        ("order",),
        ("text",),
    ),
    "signuprequest": RowColumns(
        (
            *("signup_id", "ticket", "is_ticket", "link_id", "agreed_at"),
            *("source_id", "source_entry", "source_place", "source_digest"),
        ),
        ("due_cents", "members", "joined_id", "left_at"),
        ("pair_name", "reserve", "origin", "left_why", "source_why"),
    ),
    "signupperson": RowColumns(("request_id", "seat"), ("player_id",), ("name",)),
    "cashentry": RowColumns(
        ("tournament_id", "request_id", "prize_id", "kind", "cents", "made_at", "reverses_id"),
        (),
        ("payee", "note"),
    ),
}
"""The rows of a tournament that count, by the names of their models."""

PRIVATE: Final = frozenset(("signuprequest", "signupperson", "cashentry"))
"""Kinds whose amounts and names could be guessed from a digest.

The trail of a tournament is for all its members, with the salts. So events of the club alone state
these rows (`STATED`), of which that trail has only links.
"""

CLUB_KINDS: Final[Mapping[str, RowColumns]] = {
    "season": RowColumns(
        ("club_id", "slug", "ruleset", "by"),
        ("scale", "own_scale", "best", "mean_of", "criteria", "missed_as_zero"),
        ("name",),
    ),
    "seasonevent": RowColumns(("season_id", "tournament_id", "order", "weight"), ()),
    # Those alone that are merged into another.
    "player": RowColumns(("club_id",), ("same_as_id",)),
    "pair": RowColumns(("club_id",), ("same_as_id",)),
    "prizeline": KINDS["prizeline"],
}
"""The rows of a club that count; the prizes are those of its seasons."""

ALL_KINDS: Final = {**KINDS, **CLUB_KINDS}

SET_BY_DRAWS: Final = frozenset(("seeding", "seeded", "beside", "without", "lots"))
"""Settings of a stage that drawing or publishing it, or drawing lots, sets: proofs hold them.

They are not compared, so that no verb but a change of the rules states a stage a second time: a
forged setting would be stated with it.
"""


NOT_STATED: Final[Mapping[str, Mapping[str, object]]] = {
    "result": {
        "cut": False,
        "places": None,
        **dict.fromkeys(f"match.{side}_id" for side in MORE_SIDES),
        **dict.fromkeys(f"{side}_{counted}" for side in MORE_SIDES for counted in COUNTED),
    },
    "season": {"missed_as_zero": False},
    "prizeline": {"times": 0, "raffled": False},
    "signuprequest": {
        "source_id": None,
        "source_entry": None,
        "source_place": None,
        "source_digest": "",
        "source_why": "",
    },
    "signupperson": {"player_id": None},
}
"""Columns added after events stated rows: left out at the value that those rows have."""


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
    """A row that differs from the history, or from another row.

    ``code``: ``row_changed`` (not as event ``sequence`` left it), ``row_missing`` (that event left
    a row, there is none), ``row_unknown`` (no event states it; ``sequence`` is 0);
    ``statement_differs`` (the tournament is not as the signed event ``sequence`` states it, and no
    later event may have changed it), ``draw_changed`` (the draws of a stage are not those that the
    history committed to), ``match_state`` (a match contradicts its results or disputes),
    ``match_open`` (a match waits for its result in a closed round), ``record_text`` (the text of a
    record is not that of its hash, or gives other facts than its digest).
    """

    code: str
    kind: str
    key: int
    sequence: int = 0

    def words(self) -> str:
        """Return it as a sentence for the operator."""
        row = f"{self.kind} {self.key}"
        return {
            "row_changed": f"{row} is not as event {self.sequence} left it",
            "row_missing": f"event {self.sequence} left {row}, which is gone",
            "row_unknown": f"no event left {row}, which is there",
            "statement_differs": f"{row} is not as event {self.sequence} states it",
            "draw_changed": f"{row} has a draw or seed that no event committed to",
            "match_state": f"the state of {row} contradicts its results",
            "match_open": f"{row} waits for a result in a closed round",
            "record_text": f"the text of {row} is not the one that was accepted",
        }[self.code]

    def document(self) -> dict[str, Any]:
        """Return it in types of JSON."""
        return {name: getattr(self, name) for name in ("code", "kind", "key", "sequence")}


def content_digest(kind: str, row: Any) -> str:
    """Return the digest of the columns of a row that never change."""
    return _digest(b"baza-row/1\n", {"kind": kind, **_columns(kind, row, ALL_KINDS[kind].content)})


def row_state(kind: str, row: Any) -> list[Any]:
    """Return the columns of a row that may change."""
    return list(_columns(kind, row, ALL_KINDS[kind].state).values())


def texts_digest(kind: str, row: Any, salt: str) -> str:
    """Return the digest of the texts of a row, which cannot be guessed without the salt."""
    words = _columns(kind, row, ALL_KINDS[kind].words)
    return _digest(b"baza-words/1\n" + bytes.fromhex(salt), words) if words else ""


def describe_row(kind: str, row: Any, salt: str) -> list[Any]:
    """Return a row in the form that events state."""
    return [row.pk, content_digest(kind, row), row_state(kind, row), texts_digest(kind, row, salt)]


class RowHistory:
    """The rows of a tournament or club as its events left them; fed with events in their order."""

    def __init__(self) -> None:
        self._left: dict[tuple[str, int], RowState] = {}
        self._faults: list[RowFault] = []

    def apply_event(self, sequence: int, salt: str, facts: Mapping[str, Any]) -> None:
        """Read the rows that an event states."""
        for kind, lines in facts.get(ROWS, {}).items():
            for line in lines:
                self._take(kind, line, salt, sequence)

    def _take(self, kind: str, line: Sequence[Any], salt: str, sequence: int) -> None:
        row_key = kind, line[0]
        if len(line) == 1:
            self._left.pop(row_key, None)
            return
        _, content, state, words = line
        before = self._left.get(row_key)
        if before is not None and before.content != content:
            self._faults.append(RowFault("row_changed", *row_key, before.sequence))
        if state is None and before is not None:
            state = before.state
        self._left[row_key] = RowState(content, state, words, salt, sequence)

    def compare(self, kind: str, rows: Iterable[Any]) -> None:
        """Compare all rows of a kind that there are, and note those that should be there."""
        keys = set()
        for row in rows:
            keys.add(row.pk)
            state = self._left.get((kind, row.pk))
            if state is None:
                self._faults.append(RowFault("row_unknown", kind, row.pk, 0))
            elif not _agrees(kind, row, state):
                self._faults.append(RowFault("row_changed", kind, row.pk, state.sequence))
        for (row_kind, key), state in self._left.items():
            if row_kind == kind and key not in keys:
                self._faults.append(RowFault("row_missing", kind, key, state.sequence))

    @property
    def faults(self) -> Iterator[RowFault]:
        """The faults found: first by the events, then the rows that no event states."""
        unique_faults = dict.fromkeys(self._faults)
        return iter(sorted(unique_faults, key=lambda fault: (not fault.sequence, fault.sequence)))


def _agrees(kind: str, row: Any, state: RowState) -> bool:
    return (
        content_digest(kind, row) == state.content
        and row_state(kind, row) == state.state
        and (not (state.salt and state.words) or texts_digest(kind, row, state.salt) == state.words)
    )


def _columns(kind: str, row: Any, names: Iterable[str]) -> dict[str, Any]:
    not_stated = NOT_STATED.get(kind, {})
    # A migration reads rows of an earlier table, which lacks such a column.
    there = [name for name in names if name not in not_stated or _has(row, name)]
    values = {name: _plain(attrgetter(name)(row)) for name in there}
    for name, value in not_stated.items():
        if name in values and values[name] == value:
            del values[name]
    if isinstance(settings := values.get("settings"), dict):
        values["settings"] = {name: settings[name] for name in settings.keys() - SET_BY_DRAWS}
    return values


def _has(row: Any, path: str) -> bool:
    *owners, name = path.split(".")
    return hasattr(attrgetter(owners[0])(row) if owners else row, name)


def _plain(value: Any) -> Any:
    """Return a value of a column in types of JSON, the same from every database."""
    if isinstance(value, Decimal):
        return f"{value:.2f}"
    if isinstance(value, datetime):
        return time_of(value)
    return str(value) if isinstance(value, str) else value


def _digest(purpose: bytes, value: Mapping[str, Any]) -> str:
    return hashlib.sha256(purpose + canonical(value)).hexdigest()[:DIGITS]

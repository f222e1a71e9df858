"""Audits many records: valid ones in lock step over arrays, all others by the core.

>>> from engine.fast.auditing import audit_many
>>> [verdict.valid for verdict in audit_many([b"{}"])]
[False]
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from engine.auditor import audit, digest
from engine.errors import Fault
from engine.fast.heads import KNOWN, Head, read_head, sorted_bytes
from engine.fast.heads import loads as fast_loads
from engine.fast.judged import Judged, count_matches, judge
from engine.fast.lockstep import Bytes, Whole
from engine.fast.shapes import NOTHING, PAD, SIDES, UNSTATED, Columns, Shape, learn, read_columns
from engine.notation import MAX_BYTES, MAX_HANDS, parse_record
from engine.verdict import HandVerdict, Verdict

BATCH_BYTES: Final = 1 << 20
BATCH_RECORDS: Final = 4096
MOST_SHAPES: Final = 8
"""Shapes of a written hand that are remembered: each program that writes records has its own."""


@dataclass(slots=True)
class ValidVerdict:
    """The verdict on a valid record, as short as it can be; :meth:`full` is the whole of F3."""

    source: str
    line: bytes
    head: Head
    wins: Sequence[int]
    winner_index: int
    decided: bool
    judged: Judged
    first: int
    end: int

    @property
    def valid(self) -> bool:
        """Only what is valid gets a verdict of this kind."""
        return True

    @property
    def faults(self) -> tuple[Fault, ...]:
        """None."""
        return ()

    @property
    def ruleset(self) -> str:
        """The name of the ruleset it was audited under."""
        return self.head.ruleset

    @property
    def score(self) -> Mapping[str, int]:
        """Hands won by each side."""
        return dict(zip(SIDES, self.wins, strict=True))

    @property
    def winner(self) -> str | None:
        """The side that won the match."""
        return None if self.winner_index == NOTHING else SIDES[self.winner_index]

    @property
    def hand_count(self) -> int:
        """The number of its hands."""
        return self.end - self.first

    @property
    def hands(self) -> tuple[HandVerdict, ...]:
        """Points, winner and side of the last trick of each hand; no declarations, no tricks."""
        points, winner, last = self.judged.points, self.judged.winner, self.judged.last_side
        return tuple(
            HandVerdict(
                number,
                audited=True,
                points=dict(zip(SIDES, points[row].tolist(), strict=True)),
                winner=SIDES[winner[row]],
                last_trick=SIDES[last[row]],
            )
            for number, row in enumerate(range(self.first, self.end), 1)
        )

    @property
    def notices(self) -> tuple[Fault, ...]:
        """Notices (such as forfeited declarations), as in the full verdict."""
        notices = self.judged.notices(self.first, self.end)
        if not self.decided:
            facts = {
                "score": self.score,
                "to": self.head.target or None,
                "deals": self.head.deals or None,
            }
            notices.append(Fault("match.unfinished", "R7.4", path="/hands", facts=facts))
        return tuple(notices)

    @property
    def digest(self) -> str:
        """The digest of its facts, computed when it is asked for."""
        return digest(parse_record(self.line))

    def full(self) -> Verdict:
        """The whole verdict, with digest and tricks, from the core."""
        return audit(self.line, self.source)


@dataclass(slots=True)
class _Entry:
    """A record of a batch, and its verdict if the lock step has one.

    ``text`` is its bytes, ``read`` whether its hands could be read from them; ``learnt`` is true
    when no new shape can be learnt from it.
    """

    source: str
    line: bytes
    text: bytes
    head: Head | None = None
    read: bool = False
    learnt: bool = False
    marked: bool = False
    """Whether the text was rewritten, and what is not stated marked in it."""
    verdict: ValidVerdict | None = None


def audit_many(lines: Iterable[bytes], *, hints: bool = False) -> Iterator[Verdict | ValidVerdict]:
    """A verdict for each record, in their order: equal to those of the core, and sooner."""
    return BulkAudit(hints=hints).audit(("", line) for line in lines)


class BulkAudit:
    """An audit of many records; it counts how many of them the lock step took.

    Memory does not grow with their number: they are taken in batches.
    """

    def __init__(self, *, hints: bool = False) -> None:
        self.hints = hints
        self.records = 0
        self.fallen_back = 0
        """Records that went through the core."""
        self._shapes: dict[bytes, Shape] = {}

    def audit(self, sources: Iterable[tuple[str, bytes]]) -> Iterator[Verdict | ValidVerdict]:
        """A verdict for each record, given as its source and its text."""
        for batch in _batches(sources):
            self._judge(batch)
            for entry in batch:
                self.records += 1
                if entry.verdict is None:
                    self.fallen_back += 1
                    yield audit(entry.line, entry.source, self.hints)
                else:
                    yield entry.verdict

    def _judge(self, batch: list[_Entry]) -> None:
        for entry in batch:
            entry.head = read_head(entry.line)
        self._take(batch)
        left = [entry for entry in batch if not entry.read]
        for entry in left:
            entry.text, entry.learnt, entry.marked = _sort_keys(entry.line), False, True
            entry.head = read_head(entry.text) if entry.text else None
        self._take(left)

    def _take(self, entries: list[_Entry]) -> None:
        """Give a verdict to the entries whose hands have a shape that is known or can be learnt."""
        headed = [(entry, entry.head) for entry in entries if entry.head is not None]
        if not headed:
            return
        page = _Page(headed)
        for shape in list(self._shapes.values()):
            page.take(shape)
        for _turn in range(MOST_SHAPES):
            new = next(filter(None, map(self._learnt, page.left())), None)
            if new is None:
                return
            if len(self._shapes) == MOST_SHAPES:
                del self._shapes[next(iter(self._shapes))]
            self._shapes[new.name] = new
            page.take(new)

    def _learnt(self, entry: _Entry) -> Shape | None:
        """The shape of the first hand of a record, unless it was known."""
        if entry.head is None or entry.learnt:
            return None
        entry.learnt = True
        shape = learn(entry.text, entry.head.first)
        return None if shape is None or shape.name in self._shapes else shape


class _Page:
    """The texts of many records in one buffer, and where the quotes are in it."""

    def __init__(self, headed: list[tuple[_Entry, Head]]) -> None:
        self.entries = [entry for entry, _head in headed]
        self.heads = [head for _entry, head in headed]
        texts = [entry.text for entry in self.entries]
        self.buffer: Bytes = np.frombuffer(b"".join([*texts, bytes(PAD)]), dtype=np.uint8)
        sizes = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        offsets = np.cumsum(sizes) - sizes
        self.starts: Whole = offsets + np.array([head.first for head in self.heads])
        self.ends: Whole = offsets + np.array([head.end for head in self.heads])
        self.quotes: Whole = np.flatnonzero(self.buffer == ord('"'))
        self.at = np.searchsorted(self.quotes, self.starts)
        self.count = np.searchsorted(self.quotes, self.ends) - self.at
        self.marked = self.entries[0].marked
        self.unread = np.ones(len(texts), dtype=np.bool_)

    def left(self) -> Iterator[_Entry]:
        """The entries whose hands were not read yet."""
        return (self.entries[index] for index in np.flatnonzero(self.unread).tolist())

    def take(self, shape: Shape) -> None:
        """Read and judge the records whose hands have this shape."""
        number, odd = np.divmod(self.count, shape.quotes)
        fits = self.unread & (odd == 0) & (number > 0) & (number <= MAX_HANDS)
        chosen = np.flatnonzero(fits)
        if not len(chosen):
            return
        number = number[chosen]
        columns = self._columns(shape, chosen, number)
        read = np.logical_and.reduceat(columns.read, np.cumsum(number) - number)
        self.unread[chosen[read]] = False
        names = np.array([self.heads[index].ruleset for index in chosen.tolist()])
        for name in sorted(set(names[read].tolist())):
            wanted = read & (names == name)
            part = columns if wanted.all() else columns.rows(np.repeat(wanted, number))
            self._judge(name, part, chosen[wanted].tolist(), number[wanted])

    def _columns(self, shape: Shape, chosen: Whole, number: Whole) -> Columns:
        opening = np.cumsum(number) - number
        record = np.repeat(np.arange(len(chosen)), number)
        turn = np.arange(len(record)) - opening[record]
        first = self.at[chosen][record] + turn * shape.quotes
        begins = self.quotes[first] - shape.stretches[0].quote_at
        is_last = turn == number[record] - 1
        ends = np.where(
            is_last, self.ends[chosen][record], np.roll(begins, -1) - len(shape.between)
        )
        columns = read_columns(self.buffer, self.quotes, first, is_last, ends, shape)
        columns.read[opening] &= begins[opening] == self.starts[chosen]
        columns.read &= ~columns.marked | self.marked
        return columns

    def _judge(self, name: str, columns: Columns, chosen: list[int], number: Whole) -> None:
        heads = [self.heads[index] for index in chosen]
        judged = judge(KNOWN[name], self.buffer, columns)
        first = np.cumsum(number) - number
        matches = count_matches(judged, columns.dealer, first, number, heads)
        facts = zip(
            chosen,
            heads,
            matches.good.tolist(),
            matches.score.tolist(),
            matches.winner.tolist(),
            matches.decided.tolist(),
            first.tolist(),
            (first + number).tolist(),
            strict=True,
        )
        for index, head, good, score, winner, decided, start, end in facts:
            entry = self.entries[index]
            entry.read = True
            if good:
                entry.verdict = ValidVerdict(
                    entry.source, entry.line, head, score, winner, decided, judged, start, end
                )


def _batches(sources: Iterable[tuple[str, bytes]]) -> Iterator[list[_Entry]]:
    batch: list[_Entry] = []
    size = 0
    for source, line in sources:
        batch.append(_Entry(source, line, line))
        size += len(line)
        if size >= BATCH_BYTES or len(batch) >= BATCH_RECORDS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _sort_keys(line: bytes) -> bytes:
    """The record with sorted keys and no blanks, empty if that is not certain.

    Of two equal keys the fast reader keeps one, and what it cannot count it may write as null: so
    quotes and nulls must be as many as before.
    """
    if sorted_bytes is None or b"\\" in line or len(line) > MAX_BYTES:
        return b""
    try:
        document = fast_loads(line)
        if type(document) is not dict or document.get("ruleset") not in tuple(KNOWN):
            return b""
        text = sorted_bytes(document)
    except (ValueError, TypeError):  # no JSON, or nested deeper than the writer goes
        return b""
    if any(text.count(part) != line.count(part) for part in (b'"', b"null")):
        return b""
    hands = document.get("hands")
    if type(hands) is not list or not all(type(hand) is dict for hand in hands):
        return b""
    if any(hand.get(name) == mark for hand in hands for name, mark in UNSTATED.items()):
        return b""
    return sorted_bytes(document) if _mark_unstated(hands) else text


def _mark_unstated(hands: list[dict[str, Any]]) -> bool:
    """Mark what some hands of a record state and others do not; whether anything was marked."""
    changed = False
    for name, mark in UNSTATED.items():
        stated = [hand.get(name) is not None for hand in hands]
        if any(stated) and not all(stated):
            changed = True
            for hand in hands:
                hand[name] = mark if hand.get(name) is None else hand[name]
    return changed

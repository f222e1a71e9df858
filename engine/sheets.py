"""Score sheets: the arithmetic of a table that wrote down results only (rules R6, R7, R9).

A sheet gives the points of each hand, what was declared and who won the last trick; no card of it
can be replayed, but many a slip shows all the same: totals that do not add up, declarations that
exclude each other, points that no distribution of the cards can give.
``docs/clubs/score-sheets.md`` describes both ways of writing one, CSV and JSON.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from typing import Any, Final

from engine.cards import LAST_TRICK, RANK_POINTS, RANKS, SUITS
from engine.encodings import decode_text
from engine.errors import Fault, RecordError, member
from engine.notation import MAX_BYTES, MAX_HANDS
from engine.rulesets import RULESETS, Ruleset
from engine.scoring import new_match
from engine.strict_json import read_json
from engine.verdict import fault_to_dict

WORTH: Final = {"40": 40, "20": 20, **{f"20{suit}": 20 for suit in SUITS}}
"""What may be declared for points; a 20 may stand without its suit (R6.1)."""

TUTES: Final = ("tuteR", "tuteC")
CUTS: Final = ("101", "capote")
"""What may end a hand of a race before its last card (R9.3, R9.5)."""

_HAND_FIELDS: Final = frozenset({"hand", "points", "declared", "last", "winner"})
_SHEET_FIELDS: Final = frozenset({"ruleset", "to", "deals", "hands", "score", "winner"})


@dataclass(frozen=True, slots=True)
class SheetHand:
    """One hand as the sheet gives it; ``winner`` is the side that the arithmetic gives it to."""

    number: int
    line: int
    points: Mapping[str, int]
    declared: Mapping[str, tuple[str, ...]]
    last: str | None
    winner: str | None

    def as_dict(self) -> dict[str, Any]:
        """The hand as JSON writes it."""
        return {
            "number": self.number,
            "line": self.line,
            "points": dict(self.points),
            "declared": {side: " ".join(names) for side, names in self.declared.items()},
            "last": self.last,
            "winner": self.winner,
        }


@dataclass(frozen=True, slots=True)
class SheetVerdict:
    """The answer about a sheet: valid when ``faults`` is empty; each names its line."""

    ruleset: str
    source: str
    hands: tuple[SheetHand, ...]
    score: Mapping[str, int] | None
    winner: str | None
    faults: tuple[Fault, ...]

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong with the sheet."""
        return not self.faults

    def as_dict(self, language: str = "en") -> dict[str, Any]:
        """The verdict as JSON writes it, its messages in ``language``."""
        return {
            "valid": self.valid,
            "ruleset": self.ruleset,
            "source": self.source,
            "hands": [hand.as_dict() for hand in self.hands],
            "score": None if self.score is None else dict(self.score),
            "winner": self.winner,
            "faults": [fault_to_dict(fault, language) for fault in self.faults],
        }


def audit_sheet(
    source: str | bytes, ruleset: str = "parejas-online", source_name: str = ""
) -> SheetVerdict:
    """Audits a score sheet, CSV or JSON (recognised by its first character).

    A JSON sheet may name its own ruleset. Raises ``KeyError`` for a ruleset that does not exist.
    """
    rules = RULESETS[ruleset]
    try:
        sheet = _read(source, rules)
    except RecordError as error:
        return SheetVerdict(rules.name, source_name, (), None, None, (error.fault,))
    return _Count(sheet).verdict(source_name)


@dataclass
class _Sheet:
    """A sheet as it was read; ``lines`` are those of its hands."""

    rules: Ruleset
    hands: list[Mapping[str, Any]]
    lines: list[int]
    to: int | None
    deals: int | None = None
    score: Mapping[str, int] | None = None
    winner: str | None = None
    last_line: int = 1


# --- reading ------------------------------------------------------------------------------------


def _read(source: str | bytes, rules: Ruleset) -> _Sheet:
    if len(source) > MAX_BYTES:
        raise _refusal("record.limit", 1, "", "too_large", what="bytes", limit=MAX_BYTES)
    if isinstance(source, bytes):
        try:
            source = decode_text(source)[0]
        except UnicodeDecodeError as error:
            raise _refusal("record.syntax", 1, "", "bad_encoding") from error
    sheet = (
        _read_json_sheet(source, rules)
        if source.lstrip()[:1] == "{"
        else _read_csv_sheet(source, rules)
    )
    if len(sheet.hands) > MAX_HANDS:
        raise _refusal("record.limit", 1, "/hands", "too_large", what="hands", limit=MAX_HANDS)
    if not sheet.hands:
        raise _refusal("record.field", 1, "/hands", "missing")
    return sheet


def _read_json_sheet(source: str, rules: Ruleset) -> _Sheet:
    document = read_json(source)
    _refuse_unknown_fields(document, _SHEET_FIELDS, 1, "")
    name = document.get("ruleset", rules.name)
    if not isinstance(name, str) or name not in RULESETS:
        reason = "missing" if name in (None, "") else "unknown_ruleset"
        rulesets = ", ".join(RULESETS)
        raise _refusal("record.ruleset", 1, "/ruleset", reason, found=name, known=rulesets)
    rules = RULESETS[name]
    hands = document.get("hands")
    if not isinstance(hands, list) or not all(isinstance(hand, dict) for hand in hands):
        raise _refusal("record.field", 1, "/hands", "wrong_type")
    for i, hand in enumerate(hands):
        _refuse_unknown_fields(hand, _HAND_FIELDS, i + 1, f"/hands/{i}")
    target, deals = document.get("to"), document.get("deals")
    for length, value in (("to", target), ("deals", deals)):
        if value is not None and (type(value) is not int or value < 1):
            raise _refusal("record.option", 1, f"/{length}", "wrong_type")
    if target is not None and deals is not None:
        raise _refusal("record.option", 1, "/deals", "contradiction")
    sheet = _Sheet(rules, hands, list(range(1, len(hands) + 1)), target or rules.target, deals)
    if deals is not None:
        sheet.to = None
    sheet.last_line = len(hands)
    if document.get("score") is not None:
        sheet.score = _points(rules, document["score"], 1, "/score")
    sheet.winner = _side(rules, document.get("winner"), 1, "/winner")
    return sheet


def _read_csv_sheet(source: str, rules: Ruleset) -> _Sheet:
    """Columns: hand, a side each for its points, ``SIDE declared``, last, winner."""
    rows = csv.reader(io.StringIO(source), delimiter=";" if ";" in source else ",")
    sheet = _Sheet(rules, [], [], rules.target)
    header: list[str] | None = None
    try:
        for row in rows:
            cells = [cell.strip() for cell in row]
            if not any(cells) or cells[0].startswith("#"):
                continue
            if header is None:
                header = _header(rules, cells, rows.line_num)
                continue
            _row(sheet, dict(zip(header, cells, strict=False)), len(cells), rows.line_num, header)
    except csv.Error as error:
        raise _refusal("record.syntax", rows.line_num, "", "malformed_csv") from error
    return sheet


def _header(rules: Ruleset, cells: list[str], line: int) -> list[str]:
    needed = ["hand", *rules.sides]
    columns = {*needed, *(f"{side} declared" for side in rules.sides), "last", "winner"}
    for cell in cells:
        if cell not in columns or cells.count(cell) > 1:
            raise _refusal("record.field", line, member("", cell), "unknown_column")
    for name in needed:
        if name not in cells:
            raise _refusal("record.field", line, f"/{name}", "missing")
    return cells


def _row(sheet: _Sheet, row: dict[str, str], cells: int, line: int, header: list[str]) -> None:
    rules, path = sheet.rules, f"/hands/{len(sheet.hands)}"
    if cells > len(header):
        raise _refusal("record.field", line, path, "too_many_cells")
    points: dict[str, Any] = {side: _number(row.get(side, "")) for side in rules.sides}
    hand = {
        "hand": row.get("hand"),
        "points": points,
        "declared": {side: row.get(f"{side} declared", "") for side in rules.sides},
        "last": row.get("last") or None,
        "winner": row.get("winner") or None,
    }
    if hand["hand"] == "score":
        sheet.score = _points(rules, points, line, "/score")
        sheet.winner = _side(rules, hand["winner"], line, "/winner")
        sheet.last_line = line
        return
    sheet.hands.append(hand)
    sheet.lines.append(line)
    sheet.last_line = line


def _number(cell: str) -> int | str:
    return int(cell) if cell.isascii() and cell.isdigit() and len(cell) < 6 else cell


def _points(rules: Ruleset, points: Any, line: int, path: str) -> dict[str, int]:
    if not isinstance(points, dict):
        raise _refusal("record.field", line, path, "wrong_type")
    _refuse_unknown_fields(points, frozenset(rules.sides), line, path)
    for side in rules.sides:
        if side not in points or points[side] == "":
            raise _refusal("record.field", line, f"{path}/{side}", "missing")
        if type(points[side]) is not int:
            raise _refusal("record.field", line, f"{path}/{side}", "wrong_type")
    return points


def _declared(rules: Ruleset, declared: Any, line: int, path: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(declared, dict):
        raise _refusal("record.field", line, path, "wrong_type")
    _refuse_unknown_fields(declared, frozenset(rules.sides), line, path)
    declarations = {}
    for side in rules.sides:
        text = declared.get(side, "")
        if not isinstance(text, str):
            raise _refusal("record.field", line, f"{path}/{side}", "wrong_type")
        declarations[side] = tuple(text.split())
        if not set(declarations[side]) <= {*WORTH, *TUTES, *CUTS}:
            raise _refusal("record.field", line, f"{path}/{side}", "unknown_declaration")
    return declarations


def _side(rules: Ruleset, side: Any, line: int, path: str) -> str | None:
    if side is None or side in rules.sides:
        return None if side is None else str(side)
    raise _refusal("record.field", line, path, "wrong_side")


def _refuse_unknown_fields(fields: Any, known_fields: frozenset[str], line: int, path: str) -> None:
    for name in fields:
        if name not in known_fields:
            raise _refusal("record.field", line, member(path, name), "unknown_field")


def _refusal(code: str, line: int, path: str, reason: str, **facts: Any) -> RecordError:
    all_facts = {"reason": reason, "detail": reason, **facts, "line": line, "column": 1}
    return RecordError(Fault(code, "F1", path=path, facts=all_facts), reason, line)


# --- counting -----------------------------------------------------------------------------------


@dataclass
class _Count:
    """A sheet being counted, hand by hand."""

    sheet: _Sheet
    faults: list[Fault] = field(default_factory=list)
    carried: dict[str, int] = field(default_factory=dict)
    """Points of the first deal of a race that it did not decide (R9.2)."""

    def verdict(self, source: str) -> SheetVerdict:
        sheet, rules = self.sheet, self.sheet.rules
        count = new_match(rules.sides, sheet.to, sheet.deals)
        hands = []
        for index, (raw, line) in enumerate(zip(sheet.hands, sheet.lines, strict=True)):
            if count.decided:
                self._add(Fault("match.over", "R7.4"), index, line, "")
                continue
            try:
                hand = self._hand(index, raw, line)
            except RecordError as error:
                self.faults.append(replace(error.fault, hand=index + 1))
                count.count(None)
                continue
            hands.append(hand)
            if hand.winner is not None or not rules.race_to:
                count.count(hand.winner)
        unread = len(hands) < len(sheet.hands)
        if not unread:
            self._match(count.score, count.winner)
        return SheetVerdict(
            rules.name, source, tuple(hands), count.score, count.winner, tuple(self.faults)
        )

    def _hand(self, index: int, raw: Mapping[str, Any], line: int) -> SheetHand:
        rules, path = self.sheet.rules, f"/hands/{index}"
        points = _points(rules, raw.get("points"), line, f"{path}/points")
        declared = _declared(rules, raw.get("declared") or {}, line, f"{path}/declared")
        last = _side(rules, raw.get("last"), line, f"{path}/last")
        stated_winner = _side(rules, raw.get("winner"), line, f"{path}/winner")
        faults = [
            *_wrong_declarations(rules, declared),
            *_wrong_points(rules, points, declared, last),
        ]
        for fault in faults[:1]:
            self._add(fault, index, line, "points" if fault.code[0] == "s" else "declared")
        winners = self._winners(points, declared, last)
        winner = stated_winner if stated_winner in winners else winners[0]
        if stated_winner is not None and stated_winner not in winners:
            winner = winners[0]
            facts = {"stated": stated_winner, "replayed": winner}
            rule = "R9.1" if rules.race_to else "R7.2" if last is None else "R7.3"
            tied = len(set(points.values())) < len(points)
            rule = rule if tied or rules.race_to else "R7.2"
            self._add(Fault("score.winner", rule, facts=facts), index, line, "winner")
        if rules.race_to:
            self.carried = {} if winner is not None or self.carried else points
        return SheetHand(index + 1, line, points, declared, last, winner)

    def _winners(
        self, points: Mapping[str, int], declared: Mapping[str, tuple[str, ...]], last: str | None
    ) -> list[str | None]:
        """The possible winners: one side, or several where the sheet does not decide."""
        sides: list[str | None] = list(self.sheet.rules.sides)
        for side, tokens in declared.items():
            if any(name in TUTES for name in tokens):
                return [side]
        goal = self.sheet.rules.race_to
        if not goal:
            best = max(points.values())
            tied: list[str | None] = [side for side in sides if points[side or ""] == best]
            return [last] if last in tied else tied
        if any(name in CUTS for tokens in declared.values() for name in tokens):
            return sides
        winners: list[str | None] = [
            side for side in points if points[side] + self.carried.get(side, 0) >= goal
        ]
        return winners or (sides if self.carried else [None])

    def _match(self, score: Mapping[str, int], winner: str | None) -> None:
        sheet = self.sheet
        totals: dict[str, Any] = {}
        if sheet.score is not None and dict(sheet.score) != dict(score):
            totals = {"stated": dict(sheet.score), "replayed": dict(score)}
        elif sheet.winner is not None and sheet.winner != winner:
            totals = {"stated": sheet.winner, "replayed": winner}
        if totals:
            facts = {**totals, "line": sheet.last_line}
            self.faults.append(Fault("score.match", "R7.4", path="/score", facts=facts))

    def _add(self, fault: Fault, index: int, line: int, part: str) -> None:
        path = f"/hands/{index}/{part}".rstrip("/")
        facts = {**fault.facts, "line": line}
        self.faults.append(replace(fault, hand=index + 1, path=path, facts=facts))


def _wrong_declarations(rules: Ruleset, declared: Mapping[str, tuple[str, ...]]) -> Iterator[Fault]:
    """Declarations that no hand has together."""
    in_order = [(side, name) for side, names in declared.items() for name in names]
    names = [name for _by, name in in_order]
    for index, (side, name) in enumerate(in_order):
        declaration = f"{side}:{name}"
        if (name in TUTES and name[-1] not in rules.tute_ranks) or (
            name in CUTS and not rules.race_to
        ):
            rule = "R6.7" if name in TUTES else "R3"
            yield Fault("declare.not_admitted", rule, seat=side, declaration=declaration)
        elif name != "20" and name in names[:index]:
            yield Fault("declare.repeated", "R6.3", seat=side, declaration=declaration)
        elif name[-1:] == "R" and any(other != side and call in WORTH for other, call in in_order):
            yield Fault("declare.not_held", "R6.7", seat=side, declaration=declaration)
    twenties = sum(WORTH.get(name) == 20 for name in names)
    if twenties > len(SUITS) - 1:
        facts = {"reason": "four_twenties"}
        yield Fault("declare.not_admitted", "R6.1", facts=facts)


def _wrong_points(
    rules: Ruleset,
    points: Mapping[str, int],
    declared: Mapping[str, tuple[str, ...]],
    last: str | None,
) -> Iterator[Fault]:
    """A sum that is not that of a hand, or parts that no distribution of the cards gives (R7.1)."""
    names = [name for calls in declared.values() for name in calls]
    tutes = [name for name in names if name in TUTES]
    cut = bool(tutes) or any(name in CUTS for name in names)
    bonuses = {side: sum(WORTH.get(name, 0) for name in calls) for side, calls in declared.items()}
    if "capote" in names:
        return  # what is declared later does not count (R9.5), but the sheet has no order
    total = sum(points.values()) - sum(bonuses.values())
    aside_points = {0} if rules.trump_shown != "aside" else set(RANK_POINTS)
    sums = {sum(RANK_POINTS) * len(SUITS) + LAST_TRICK - card for card in aside_points}
    if not cut and total not in sums:
        expected = sorted(card_sum + sum(bonuses.values()) for card_sum in sums)
        facts = {"reason": "sum", "found": sum(points.values()), "sums": expected}
        yield Fault("score.points", "R7.1", facts=facts)
        return
    tute = RANKS.index(tutes[0][-1]) if tutes else None
    shares = _shares(len(points), rules.trump_shown == "aside", cut, tute)
    lasts = [side for side in points if last in (None, side)]
    for side in [None] if cut else lasts:
        cards = tuple(points[s] - bonuses[s] - LAST_TRICK * (s == side) for s in points)
        if cards in shares:
            return
    facts = {"reason": "no_cards", "stated": dict(points)}
    yield Fault("score.impossible", "R7.1", facts=facts)


@cache
def _shares(sides: int, aside: bool, cut: bool, tute: int | None) -> frozenset[tuple[int, ...]]:
    """Every way to share the card points of the pack among a number of sides.

    With ``aside`` one card belongs to no side, with ``cut`` any number; the rank ``tute`` of a tute
    is still in the hand of its declarer.
    """
    shares = {((0,) * sides, not aside)}
    for rank, value in enumerate(RANK_POINTS):
        if not value:
            continue
        ways = [
            copies
            for copies in product(range(len(SUITS) + 1), repeat=sides)
            if sum(copies) <= (0 if rank == tute else len(SUITS))
        ]
        shares = {
            (tuple(a + value * b for a, b in zip(totals, copies, strict=True)), now_placed)
            for totals, is_placed in shares
            for copies in ways
            for now_placed in _aside_options(len(SUITS) - sum(copies), is_placed, cut)
        }
    return frozenset(totals for totals, _was in shares)


def _aside_options(count: int, is_placed: bool, cut: bool) -> tuple[bool, ...]:
    """Whether the one card aside is accounted for, if this many of a rank belong to no side."""
    if cut or not count:
        return (is_placed,)
    return (True,) if count == 1 and not is_placed else ()

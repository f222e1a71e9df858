"""The verdict on a record (record format F3): what the replay found, and how it is written."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.cards import SEATS
from engine.errors import Fault, Hint
from engine.explanations import explain, explain_hint


@dataclass(frozen=True, slots=True)
class HandVerdict:
    """One hand; points, winner and last trick are ``None`` where it scores nothing.

    ``cards`` are the plays in order, ``leaders`` the seat that led each complete trick.
    """

    number: int
    audited: bool
    points: Mapping[str, int] | None
    winner: str | None
    last_trick: str | None
    declarations: tuple[str, ...] = ()
    leaders: tuple[int, ...] = ()
    play: str = ""
    player_count: int = 4
    payments: Mapping[str, int] | None = None
    plate: int | None = None

    @property
    def tricks(self) -> tuple[tuple[str, str], ...]:
        """The complete tricks: leader, then the cards in the order played."""
        cards = [token for token in self.play.split() if ":" not in token]
        size = self.player_count
        return tuple(
            (SEATS[leader], " ".join(cards[size * n : size * (n + 1)]))
            for n, leader in enumerate(self.leaders)
        )

    def as_dict(self) -> dict[str, Any]:
        """The hand as F3 writes it."""
        document: dict[str, Any] = {
            "number": self.number,
            "audited": self.audited,
            "points": None if self.points is None else dict(self.points),
            "winner": self.winner,
            "last_trick": self.last_trick,
            "declarations": list(self.declarations),
            "tricks": [list(trick) for trick in self.tricks],
        }
        if self.payments is not None or self.plate is not None:
            payments = None if self.payments is None else dict(self.payments)
            document |= {"payments": payments, "plate": self.plate}
        return document


@dataclass(frozen=True, slots=True)
class Verdict:
    """The whole answer about a record: valid when ``faults`` is empty."""

    ruleset: str | None
    source: str
    digest: str | None
    hands: tuple[HandVerdict, ...]
    score: Mapping[str, int] | None
    winner: str | None
    faults: tuple[Fault, ...]
    notices: tuple[Fault, ...]
    balance: Mapping[str, int] | None = None
    identity: str | None = None
    """The ruleset with its version: what the record is audited under for ever."""

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong with the record."""
        return not self.faults

    def as_dict(self, language: str = "en") -> dict[str, Any]:
        """The verdict as F3 writes it, its messages in ``language``."""
        document = {
            "valid": self.valid,
            "ruleset": self.ruleset,
            "identity": self.identity,
            "source": self.source,
            "digest": self.digest,
            "hands": [hand.as_dict() for hand in self.hands],
            "score": None if self.score is None else dict(self.score),
            "winner": self.winner,
            "faults": [fault_to_dict(fault, language) for fault in self.faults],
            "notices": [fault_to_dict(notice, language) for notice in self.notices],
        }
        if self.balance is not None:
            document["balance"] = dict(self.balance)
        return document


def fault_to_dict(fault: Fault, language: str = "en") -> dict[str, Any]:
    """A fault or notice as F3 writes it."""
    document: dict[str, Any] = {
        "code": fault.code,
        "rule": fault.rule,
        "hand": fault.hand,
        "trick": fault.trick,
        "token": fault.token,
        "path": fault.path,
        "seat": fault.seat,
        "card": fault.card,
        "legal": list(fault.legal),
        "message": explain(fault, language),
    }
    if fault.declaration is not None:
        document["declaration"] = fault.declaration
    for name in ("line", "column"):
        if fault.facts.get(name) is not None:
            document[name] = fault.facts[name]
    if fault.facts:
        document["facts"] = dict(fault.facts)
    if fault.hints:
        document["hints"] = [hint_to_dict(hint, language) for hint in fault.hints]
    return document


def hint_to_dict(hint: Hint, language: str = "en") -> dict[str, Any]:
    """A hint as F3 writes it: only the fields that say something."""
    document: dict[str, Any] = {"kind": hint.kind, "path": hint.path}
    if hint.tokens:
        document["tokens"] = list(hint.tokens)
    if hint.seats:
        document["seats"] = list(hint.seats)
    if hint.found is not None:
        document["found"] = list(hint.found) if isinstance(hint.found, tuple) else hint.found
    if hint.write is not None:
        document["write"] = hint.write
    if hint.also:
        document["also"] = list(hint.also)
    return {**document, "explains": hint.explains, "message": explain_hint(hint, language)}

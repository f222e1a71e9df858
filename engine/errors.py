"""The faults and exceptions of the engine: codes and facts, never sentences.

The codes are those of the record format (F3), the rule numbers those of ``docs/programs/rules.md``.
:mod:`engine.explanations` turns a fault into Spanish or English.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from engine.printable import escape_controls

if TYPE_CHECKING:
    from engine.notation import HandRecord

NO_FACTS: Mapping[str, Any] = MappingProxyType({})


def member(path: str, name: object) -> str:
    """The JSON pointer (RFC 6901) to the member ``name`` of the object at ``path``."""
    return f"{path}/{str(name).replace('~', '~0').replace('/', '~1')}"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a record, or (as a notice) worth knowing about it.

    ``hand`` and ``trick`` count from 1, ``token`` from 0 within the hand's play; each is ``None``
    where it does not apply. ``legal`` names the legal cards when the fault is about a card.
    ``facts`` holds what a sentence about the fault needs beyond these.
    """

    code: str
    rule: str
    hand: int | None = None
    trick: int | None = None
    token: int | None = None
    path: str = ""
    seat: str | None = None
    card: str | None = None
    declaration: str | None = None
    legal: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=lambda: NO_FACTS)
    hints: tuple["Hint", ...] = ()
    """Repairs that would mend the hand, where they were asked for."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A repair that would make a refused hand legal; ``docs/programs/hints.md`` lists the kinds.

    ``tokens`` are the places in the play that it touches, ``path`` the field of the hand. What is
    ``found`` there would be read as ``write``; ``seats`` are the places of the deal concerned and
    ``also`` the moments or cards that would do as well. ``explains`` names what else comes true.
    ``hand`` is the hand as it would then be written.
    """

    kind: str
    tokens: tuple[int, ...] = ()
    explains: str = "play"
    found: Any = None
    write: Any = None
    path: str = "play"
    seats: tuple[str, ...] = ()
    also: tuple[Any, ...] = ()
    hand: "HandRecord | None" = field(default=None, compare=False, repr=False)


class RecordError(ValueError):
    """The input cannot be read as a record (``record.*``).

    ``fault`` is the fault to report, ``reason`` a finer code of what was found
    (``duplicate_key``, ``too_deep`` …); ``line`` and ``column`` count from 1 where they are known.
    ``also`` holds what else is wrong with the same record.
    """

    also: tuple["RecordError", ...] = ()

    def __init__(
        self, fault: Fault, reason: str, line: int | None = None, column: int | None = None
    ) -> None:
        super().__init__(f"{fault.code} ({reason}) at {escape_controls(fault.path) or '/'}")
        self.fault = fault
        self.reason = reason
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[Any, ...]:
        """Lets another process raise it."""
        return RecordError, (self.fault, self.reason, self.line, self.column)


class PositionError(ValueError):
    """A position (F4) contradicts itself or cannot be read; ``path`` names the place."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{escape_controls(path)}: {reason}")
        self.path = path
        self.reason = reason


class IllegalAction(ValueError):  # noqa: N818 - the game's own word, as in python-chess
    """An action that the rules refuse in this state; ``fault`` says why and what was legal."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(f"{fault.code} ({fault.rule})")
        self.fault = fault

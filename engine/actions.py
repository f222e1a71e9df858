"""Actions at the table, and their tokens in a record's ``play`` (F1)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.cards import CARD_NAMES, SEATS, SUITS


class Kind(StrEnum):
    """The kinds of action."""

    PLAY = "play"
    TWENTY = "twenty"
    FORTY = "forty"
    TUTE = "tute"
    EXCHANGE = "exchange"
    CAPOTE = "capote"
    CLAIM = "claim"
    SUPPORT = "support"


DECLARATIONS: Final = frozenset({Kind.TWENTY, Kind.FORTY, Kind.TUTE})


@dataclass(frozen=True, slots=True)
class Action:
    """One event of a hand.

    ``seat`` is -1 for a card, whose player follows from the rules. ``value`` is the card
    of a play, the suit of a twenty, the rank letter of a tute or an exchange.
    """

    token: str
    kind: Kind
    seat: int = -1
    value: int = -1
    rank: str = ""


def _calls_of_seat(seat: int) -> list[Action]:
    letter = SEATS[seat]
    return [
        Action(f"{letter}:40", Kind.FORTY, seat),
        *(
            Action(f"{letter}:20{suit}", Kind.TWENTY, seat, value)
            for value, suit in enumerate(SUITS)
        ),
        *(Action(f"{letter}:tute{rank}", Kind.TUTE, seat, rank=rank) for rank in "RC"),
        *(Action(f"{letter}:x{rank}", Kind.EXCHANGE, seat, rank=rank) for rank in "72"),
        Action(f"{letter}:capote", Kind.CAPOTE, seat),
        Action(f"{letter}:101", Kind.CLAIM, seat),
        Action(f"{letter}:voy", Kind.SUPPORT, seat, 1),
        Action(f"{letter}:paso", Kind.SUPPORT, seat, 0),
    ]


PLAYS: Final = tuple(Action(name, Kind.PLAY, value=card) for card, name in enumerate(CARD_NAMES))
_ALL: Final = (*PLAYS, *(action for seat in range(len(SEATS)) for action in _calls_of_seat(seat)))
ACTIONS: Final = {action.token: action for action in _ALL}
"""Every token there is, read."""


@dataclass(frozen=True, slots=True)
class Calls:
    """All tokens that one seat can ever say, by what they are about."""

    declarations: tuple[Action, ...]
    exchanges: tuple[Action, ...]
    claims: tuple[Action, ...]
    supports: tuple[Action, ...]


def _calls(seat: int) -> Calls:
    def of(kinds: frozenset[Kind]) -> tuple[Action, ...]:
        return tuple(action for action in _ALL if action.seat == seat and action.kind in kinds)

    return Calls(
        of(DECLARATIONS),
        of(frozenset({Kind.EXCHANGE})),
        of(frozenset({Kind.CAPOTE, Kind.CLAIM})),
        of(frozenset({Kind.SUPPORT})),
    )


CALLS: Final = tuple(_calls(seat) for seat in range(len(SEATS)))


def read_token(token: str, seats: int) -> Action | None:
    """The action that a token writes at a table of ``seats`` seats, ``None`` if it writes none."""
    action = ACTIONS.get(token)
    if action is None or action.seat >= seats:
        return None
    return action

"""``baza legal`` and ``baza try``: questions about one position (F4)."""

import argparse
import json

from engine.cards import SEATS, names
from engine.cli.failure import CommandError
from engine.cli.sources import read_bytes, read_object
from engine.errors import IllegalAction, PositionError
from engine.position import position_from_dict, position_to_dict
from engine.printable import printable_json
from engine.state import State
from engine.verdict import fault_to_dict


def print_legal(options: argparse.Namespace) -> int:
    """Print ``{"legal": [...]}`` for the seat in turn."""
    state = _read(options.position)
    if state.hands[state.turn] is None:
        raise CommandError(f"{options.position}: /hands/{SEATS[state.turn]}: the hand is not known")
    print(json.dumps({"legal": list(names(state.legal()))}))
    return 0


def try_tokens(options: argparse.Namespace) -> int:
    """Apply tokens one by one, a line each; a refused one changes nothing."""
    state = _read(options.position)
    for token in options.tokens:
        fault = None
        try:
            state = state.apply(token)
        except IllegalAction as error:
            fault = fault_to_dict(error.fault, options.lang)
        line = {
            "token": token,
            "accepted": fault is None,
            "fault": fault,
            "over": state.over,
            "turn": None if state.over else SEATS[state.turn],
            "legal": list(names(state.legal())),
            "points": dict(zip(state.rules.sides, state.points, strict=True)),
            "winner": None if state.winner is None else state.rules.sides[state.winner],
            "position": position_to_dict(state),
        }
        print(printable_json(line))
    return 0


def _read(name: str) -> State:
    try:
        return position_from_dict(read_object(read_bytes(name), name, "a position"))
    except PositionError as error:
        raise CommandError(f"{name}: {error}") from error

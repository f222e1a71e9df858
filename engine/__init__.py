"""The card game: rules, records, replay and bots, with nothing but the standard library.

Everything that the rest of the project, or a program of yours, may use is named here.

>>> import engine
>>> engine.position_from_dict(
...     {"ruleset": "parejas-online", "trump": "o", "turn": "B",
...      "hands": {"B": "1c 2o 4e"}, "trick": "3c"}
... ).legal_tokens()
('1c',)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from engine.auditor import audit, digest
from engine.bots.base import SILENCE, Bot
from engine.bots.chance import Chance
from engine.bots.failures import BotFailure
from engine.bots.house import HOUSE_BOTS
from engine.bots.sensible import Sensible
from engine.bots.table import BotError, Forfeit, play_match
from engine.cards import CARD_NAMES, RANKS, SEATS, SUITS
from engine.dealing import Deal, commitment, deal, round_header
from engine.errors import Fault, Hint, IllegalAction, PositionError, RecordError
from engine.notation import MAX_BYTES, HandRecord, Record, parse_record
from engine.position import position_from_dict, position_to_dict
from engine.replay import replay_hand, states
from engine.rulesets import RULESETS, Ruleset
from engine.state import State
from engine.strict_json import read_json
from engine.verdict import HandVerdict, Verdict, fault_to_dict
from engine.view import Frame, View, frames, position_at
from engine.wording import LANGUAGES, explain, explain_hint

if TYPE_CHECKING:
    from engine.bots.limits import Limits
    from engine.bots.process import ProcessBot
    from engine.bots.protocol import Conversation, Player
    from engine.bots.reference import reference_runs
    from engine.bots.sandbox import Capabilities, SandboxError, capabilities
    from engine.bulk.auditing import InOrder, audit_many
    from engine.contest.intervals import Interval, mean_interval, share_interval
    from engine.contest.sequential import Sprt, strength
    from engine.contest.sets import Played, play_deal_set, seatings
    from engine.sheets import SheetVerdict, audit_sheet
    from engine.solver import Solution, SolverError, solve
    from engine.solver import along as margins_along
    from engine.solver import par as par_of_deal
    from engine.solver import values as card_values
    from engine.solver import warm as warm_solver
    from engine.text import TextReader, TextRecord, iter_text, parse_text
    from engine.text_audit import audit_text
    from engine.text_export import document_with_comments, write_text
    from engine.text_words import TextError

_WHEN_ASKED_FOR = {
    "Capabilities": "engine.bots.sandbox",
    "Conversation": "engine.bots.protocol",
    "Limits": "engine.bots.limits",
    "Player": "engine.bots.protocol",
    "ProcessBot": "engine.bots.process",
    "SandboxError": "engine.bots.sandbox",
    "capabilities": "engine.bots.sandbox",
    "reference_runs": "engine.bots.reference",
    "SheetVerdict": "engine.sheets",
    "InOrder": "engine.bulk.auditing",
    "Solution": "engine.solver",
    "SolverError": "engine.solver",
    "TextError": "engine.text_words",
    "TextReader": "engine.text",
    "TextRecord": "engine.text",
    "audit_many": "engine.bulk.auditing",
    "audit_sheet": "engine.sheets",
    "audit_text": "engine.text_audit",
    "card_values": "engine.solver:values",
    "document_with_comments": "engine.text_export",
    "iter_text": "engine.text",
    "margins_along": "engine.solver:along",
    "par_of_deal": "engine.solver:par",
    "parse_text": "engine.text",
    "solve": "engine.solver",
    "warm_solver": "engine.solver:warm",
    "write_text": "engine.text_export",
    "Interval": "engine.contest.intervals",
    "Played": "engine.contest.sets",
    "Sprt": "engine.contest.sequential",
    "mean_interval": "engine.contest.intervals",
    "play_deal_set": "engine.contest.sets",
    "seatings": "engine.contest.sets",
    "share_interval": "engine.contest.intervals",
    "strength": "engine.contest.sequential",
}
"""Names whose rooms are opened when they are first asked for: the game itself starts sooner.

What is called otherwise there stands after a colon."""


def __getattr__(name: str) -> Any:
    if name not in _WHEN_ASKED_FOR:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    room, _colon, called = _WHEN_ASKED_FOR[name].partition(":")
    return getattr(import_module(room), called or name)


__all__ = [
    "CARD_NAMES",
    "HOUSE_BOTS",
    "LANGUAGES",
    "MAX_BYTES",
    "RANKS",
    "RULESETS",
    "SEATS",
    "SILENCE",
    "SUITS",
    "Bot",
    "BotError",
    "BotFailure",
    "Capabilities",
    "Chance",
    "Conversation",
    "Deal",
    "Fault",
    "Forfeit",
    "Frame",
    "HandRecord",
    "HandVerdict",
    "Hint",
    "IllegalAction",
    "InOrder",
    "Interval",
    "Limits",
    "Played",
    "Player",
    "PositionError",
    "ProcessBot",
    "Record",
    "RecordError",
    "Ruleset",
    "SandboxError",
    "Sensible",
    "SheetVerdict",
    "Solution",
    "SolverError",
    "Sprt",
    "State",
    "TextError",
    "TextReader",
    "TextRecord",
    "Verdict",
    "View",
    "audit",
    "audit_many",
    "audit_sheet",
    "audit_text",
    "capabilities",
    "card_values",
    "commitment",
    "deal",
    "digest",
    "document_with_comments",
    "explain",
    "explain_hint",
    "fault_to_dict",
    "frames",
    "iter_text",
    "margins_along",
    "mean_interval",
    "par_of_deal",
    "parse_record",
    "parse_text",
    "play_deal_set",
    "play_match",
    "position_at",
    "position_from_dict",
    "position_to_dict",
    "read_json",
    "reference_runs",
    "replay_hand",
    "round_header",
    "seatings",
    "share_interval",
    "solve",
    "states",
    "strength",
    "warm_solver",
    "write_text",
]

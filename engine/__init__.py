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
from engine.bots.base import SILENCE, Bot, Closing, Listener
from engine.bots.chance import Chance
from engine.bots.failures import BotFailure
from engine.bots.house import HOUSE_BOTS
from engine.bots.house import warm as warm_bots
from engine.bots.sensible import Sensible
from engine.bots.table import BotError, Forfeit, agreed_rules, play_match
from engine.cards import CARD_NAMES, RANKS, SEATS, SUITS
from engine.dealing import Deal, commitment, deal, round_header
from engine.errors import Fault, Hint, IllegalAction, PositionError, RecordError
from engine.explanations import explain, explain_hint
from engine.messages import LANGUAGES, Catalogue
from engine.notation import MAX_BYTES, HandRecord, Record, parse_record
from engine.position import position_from_dict, position_to_dict
from engine.replay import replay_hand, states
from engine.rulesets import RULESETS, Ruleset
from engine.state import State
from engine.strict_json import read_json
from engine.verdict import HandVerdict, Verdict, fault_to_dict
from engine.view import Frame, View, frames, position_at

if TYPE_CHECKING:
    from engine.analysis import (
        ANALYSIS_VERSION,
        NOT_ANALYSED,
        Adjusted,
        Analysis,
        CardAnalysis,
        HandAnalysis,
        Queued,
        SeatAnalysis,
        Terms,
        adjusted,
        analyse,
        analyse_hand,
        analysed_hands,
        best_line,
        fit_of,
        hand_digest,
    )
    from engine.analysis import SIGNS as MARKS
    from engine.analysis import queue as arbiter_queue
    from engine.bots.commands import CommandLineError
    from engine.bots.commands import find as find_command
    from engine.bots.compliance import Check as ProtocolCheck
    from engine.bots.compliance import Outcome as CheckOutcome
    from engine.bots.compliance import Subject as BotOnTrial
    from engine.bots.compliance import checks as protocol_checks
    from engine.bots.limits import Limits, RemoteLimits
    from engine.bots.process import ProcessBot
    from engine.bots.protocol import Conversation, Player, answer_to
    from engine.bots.reference import reference_runs
    from engine.bots.sandbox import Capabilities, SandboxError, capabilities
    from engine.bulk.auditing import InOrder, audit_many
    from engine.contest.intervals import Interval, mean_interval, share_interval
    from engine.contest.sequential import Sprt, strength
    from engine.contest.series import SetPlayed
    from engine.contest.sets import BENCHED_AFTER, Line, Played, Seated, play_deal_set, seatings
    from engine.contest.tally import Tally
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
    from engine.worlds import Knowledge, World, knowledge_at, knowledge_of
    from engine.worlds import sample as sample_worlds

_WHEN_ASKED_FOR = {
    "Adjusted": "engine.analysis",
    "Analysis": "engine.analysis",
    "CardAnalysis": "engine.analysis",
    "SeatAnalysis": "engine.analysis",
    "adjusted": "engine.analysis",
    "analyse": "engine.analysis",
    "analysed_hands": "engine.analysis",
    "arbiter_queue": "engine.analysis:queue",
    "best_line": "engine.analysis",
    "fit_of": "engine.analysis",
    "BotOnTrial": "engine.bots.compliance:Subject",
    "CheckOutcome": "engine.bots.compliance:Outcome",
    "CommandLineError": "engine.bots.commands",
    "ProtocolCheck": "engine.bots.compliance:Check",
    "find_command": "engine.bots.commands:find",
    "protocol_checks": "engine.bots.compliance:checks",
    "ANALYSIS_VERSION": "engine.analysis",
    "HandAnalysis": "engine.analysis",
    "Queued": "engine.analysis",
    "MARKS": "engine.analysis:SIGNS",
    "NOT_ANALYSED": "engine.analysis",
    "Terms": "engine.analysis",
    "analyse_hand": "engine.analysis",
    "hand_digest": "engine.analysis",
    "Capabilities": "engine.bots.sandbox",
    "Conversation": "engine.bots.protocol",
    "Limits": "engine.bots.limits",
    "Player": "engine.bots.protocol",
    "ProcessBot": "engine.bots.process",
    "RemoteLimits": "engine.bots.limits",
    "SandboxError": "engine.bots.sandbox",
    "capabilities": "engine.bots.sandbox",
    "answer_to": "engine.bots.protocol",
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
    "Knowledge": "engine.worlds",
    "World": "engine.worlds",
    "knowledge_at": "engine.worlds",
    "knowledge_of": "engine.worlds",
    "sample_worlds": "engine.worlds:sample",
    "Interval": "engine.contest.intervals",
    "Line": "engine.contest.sets",
    "Played": "engine.contest.sets",
    "SetPlayed": "engine.contest.series",
    "Sprt": "engine.contest.sequential",
    "Tally": "engine.contest.tally",
    "mean_interval": "engine.contest.intervals",
    "BENCHED_AFTER": "engine.contest.sets",
    "Seated": "engine.contest.sets",
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
    "ANALYSIS_VERSION",
    "BENCHED_AFTER",
    "CARD_NAMES",
    "HOUSE_BOTS",
    "LANGUAGES",
    "MARKS",
    "MAX_BYTES",
    "NOT_ANALYSED",
    "RANKS",
    "RULESETS",
    "SEATS",
    "SILENCE",
    "SUITS",
    "Adjusted",
    "Analysis",
    "Bot",
    "BotError",
    "BotFailure",
    "BotOnTrial",
    "Capabilities",
    "CardAnalysis",
    "Catalogue",
    "Chance",
    "CheckOutcome",
    "Closing",
    "CommandLineError",
    "Conversation",
    "Deal",
    "Fault",
    "Forfeit",
    "Frame",
    "HandAnalysis",
    "HandRecord",
    "HandVerdict",
    "Hint",
    "IllegalAction",
    "InOrder",
    "Interval",
    "Knowledge",
    "Limits",
    "Line",
    "Listener",
    "Played",
    "Player",
    "PositionError",
    "ProcessBot",
    "ProtocolCheck",
    "Queued",
    "Record",
    "RecordError",
    "RemoteLimits",
    "Ruleset",
    "SandboxError",
    "SeatAnalysis",
    "Seated",
    "Sensible",
    "SetPlayed",
    "SheetVerdict",
    "Solution",
    "SolverError",
    "Sprt",
    "State",
    "Tally",
    "Terms",
    "TextError",
    "TextReader",
    "TextRecord",
    "Verdict",
    "View",
    "World",
    "adjusted",
    "agreed_rules",
    "analyse",
    "analyse_hand",
    "analysed_hands",
    "answer_to",
    "arbiter_queue",
    "audit",
    "audit_many",
    "audit_sheet",
    "audit_text",
    "best_line",
    "capabilities",
    "card_values",
    "commitment",
    "deal",
    "digest",
    "document_with_comments",
    "explain",
    "explain_hint",
    "fault_to_dict",
    "find_command",
    "fit_of",
    "frames",
    "hand_digest",
    "iter_text",
    "knowledge_at",
    "knowledge_of",
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
    "protocol_checks",
    "read_json",
    "reference_runs",
    "replay_hand",
    "round_header",
    "sample_worlds",
    "seatings",
    "share_interval",
    "solve",
    "states",
    "strength",
    "warm_bots",
    "warm_solver",
    "write_text",
]

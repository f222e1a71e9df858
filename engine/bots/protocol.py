"""The protocol ``baza-bot/1``: the messages of one seat in one match, as JSON values.

:class:`Conversation` is the table's half: views become messages, a line becomes a token.
:class:`Player` is the bot's half, for bots that are Python classes. Neither knows how lines travel:
over pipes (:mod:`engine.bots.process`), over the API, or not at all.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, fields, replace
from typing import Any, Final

from engine.bots.base import Bot, Listener
from engine.bots.failures import (
    CRASH,
    DIED_AT_START,
    ILLEGAL_PLAY,
    MALFORMED_ANSWER,
    PROTOCOL_VERSION,
    WRONG_ID,
    BotFailure,
)
from engine.bots.limits import Limits, RemoteLimits
from engine.errors import RecordError
from engine.rulesets import RULESETS, Ruleset
from engine.strict_json import read_json
from engine.view import MatchScore, View

PROTOCOL: Final = "baza-bot/1"

_READY_FIELDS: Final = {"type", "protocol", "name", "version"}
_ANSWER_FIELDS: Final = {"id", "say"}
_CRASH_FIELDS: Final = {"failure", "ending", "stderr"}
_ENDING: Final = re.compile("code [0-9]{1,10}|signal [A-Z0-9]{1,20}|closed")
_MAX_EVIDENCE: Final = 500
"""Characters of a wrong line that are kept."""

Message = dict[str, Any]


def encode_message(message: Message) -> bytes:
    """One message as the line that carries it."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class Conversation:
    """Builds the messages to one bot and parses its lines.

    Questions are numbered from 1 through the whole conversation. A bot that is started again
    needs a new conversation, which sends it the present hand from its beginning.
    """

    def __init__(
        self,
        rules: Ruleset,
        seat: str,
        options: Mapping[str, Any],
        limits: Limits | RemoteLimits,
    ) -> None:
        self._rules = rules
        self._seat = seat
        self._options = options
        self._limits = limits
        self._asked = 0
        self._deal = 0
        self._sent = 0
        self._legal: tuple[str, ...] = ()

    def hello(self) -> Message:
        """The first message."""
        return {
            "type": "hello",
            "protocol": PROTOCOL,
            "ruleset": self._rules.name,
            "rules": asdict(self._rules),
            "options": dict(self._options),
            "seats": list(self._rules.seats),
            "sides": list(self._rules.sides),
            "seat": self._seat,
            "limits": asdict(self._limits),
        }

    def ready(self, line: bytes) -> Message:
        """The bot's answer to ``hello``; raises :class:`BotFailure` when it is none."""
        return _ready(line)

    def is_new_deal(self, view: View) -> bool:
        """Whether a view is the first that this bot is shown of its hand."""
        return view.standing.hand != self._deal

    def question(self, view: View) -> list[Message]:
        """The messages that ask for an answer: the deal if it is new, then the question."""
        messages = []
        if self.is_new_deal(view):
            messages.append(self._deal_message(view))
        self._asked += 1
        self._legal = view.legal
        messages.append(
            {
                "type": "ask",
                "id": self._asked,
                "hand": list(view.hand),
                "table": [list(pair) for pair in view.table],
                "turn": view.turn,
                "trick": view.trick,
                "points": dict(view.points),
                "tricks_won": dict(view.tricks_won),
                "stock": view.stock,
                "upcard": view.upcard,
                "capote": view.capote,
                "supporter": view.supporter,
                "since": [list(pair) for pair in view.history[self._sent :]],
                "legal": list(view.legal),
            }
        )
        self._sent = len(view.history)
        return messages

    def _deal_message(self, view: View) -> Message:
        self._deal, self._sent = view.standing.hand, 0
        return {
            "type": "deal",
            "number": view.standing.hand,
            "score": dict(view.standing.score),
            "plate": view.standing.plate,
            "dealer": view.dealer,
            "players": list(view.players),
            "trump": view.trump,
            "trump_card": view.trump_card,
            "deal_of_game": view.deal_of_game,
            "carried": dict(view.carried),
        }

    def answer(self, line: bytes) -> str:
        """The token that a line says; raises :class:`BotFailure` when it is not a legal one."""
        return _answer(line, self._asked, self._legal)

    def end(self, points: Mapping[str, int], winner: str | None, since: Iterable[Any]) -> Message:
        """The end of a hand: what happened since the last question, and its result."""
        return {
            "type": "end",
            "number": self._deal,
            "since": [list(pair) for pair in since],
            "points": dict(points),
            "winner": winner,
        }

    def bye(self) -> Message:
        """The last message."""
        return {"type": "bye"}

    def line(self, message: Message) -> bytes:
        """One message as the line that carries it."""
        return encode_message(message)


def answer_to(message: Message, line: bytes) -> str:
    """The token that a line says in answer to an ``ask``; of a ``ready`` to a ``hello``, nothing.

    The same as :meth:`Conversation.answer`, for callers that have only the message. Raises
    :class:`BotFailure` when the line is no answer to it, or reports that the bot has ended.
    """
    _raise_reported_crash(message, line)
    if message["type"] == "hello":
        _ready(line)
        return ""
    return _answer(line, message["id"], tuple(message["legal"]))


def _raise_reported_crash(message: Message, line: bytes) -> None:
    """Raise the failure of a bot whose client posts ``{"failure": "crash", …}`` in its place."""
    with suppress(RecordError):
        report = read_json(line)
        if isinstance(report, dict) and "failure" in report:
            raise _reported_crash(message, line, report)


def _reported_crash(message: Message, line: bytes, report: Message) -> BotFailure:
    _refuse_unknown_fields(line, report, _CRASH_FIELDS)
    ending, stderr = report.get("ending"), report.get("stderr", "")
    if not isinstance(ending, str) or not _ENDING.fullmatch(ending) or not isinstance(stderr, str):
        return _malformed(line, 'not {"failure": "crash", "ending": "code 1", "stderr": text}')
    if report["failure"] != CRASH:
        return _malformed(line, "the failure is not crash")
    code = DIED_AT_START if message["type"] == "hello" else CRASH
    return BotFailure(code, ending=ending, stderr=stderr[-Limits().stderr_chars :])


def _ready(line: bytes) -> Message:
    message = _read(line)
    if message.get("type") != "ready" or "protocol" not in message:
        raise _malformed(line, "not a ready")
    if message["protocol"] != PROTOCOL:
        raise BotFailure(PROTOCOL_VERSION, said=str(message["protocol"])[:80], asked=PROTOCOL)
    _refuse_unknown_fields(line, message, _READY_FIELDS)
    for name in ("name", "version"):
        if not isinstance(message.get(name, ""), str):
            raise _malformed(line, f"{name} is not text")
    return message


def _answer(line: bytes, request_id: int, legal: tuple[str, ...]) -> str:
    message = _read(line)
    _refuse_unknown_fields(line, message, _ANSWER_FIELDS)
    number, token = message.get("id"), message.get("say")
    if type(number) is not int or not isinstance(token, str):
        raise _malformed(line, 'not {"id": number, "say": token}')
    if number != request_id:
        raise BotFailure(WRONG_ID, said=number, asked=request_id, evidence=_excerpt(line))
    if token not in legal:
        raise BotFailure(ILLEGAL_PLAY, said=token[:80], legal=legal, evidence=_excerpt(line))
    return token


def _read(line: bytes) -> Message:
    try:
        message = read_json(line)
    except RecordError as error:
        raise _malformed(line, error.reason or "not JSON") from error
    if not isinstance(message, dict):
        raise _malformed(line, "not an object")
    return message


def _refuse_unknown_fields(line: bytes, message: Message, known_fields: set[str]) -> None:
    unknown = sorted(set(message) - known_fields)
    if unknown:
        raise _malformed(line, f"unknown field {unknown[0][:40]}")


def _malformed(line: bytes, detail: str) -> BotFailure:
    return BotFailure(MALFORMED_ANSWER, detail=detail, evidence=_excerpt(line))


def _excerpt(line: bytes) -> str:
    return line[:_MAX_EVIDENCE].decode(errors="replace").rstrip("\n")


class Player:
    """A Python bot that speaks the protocol: a message comes in, its answer or nothing goes out.

    ``make`` builds the bot when ``hello`` has named its seat.
    """

    def __init__(self, make: Callable[[str], Bot], name: str = "") -> None:
        self._make = make
        self._name = name
        self._bot: Bot | None = None
        self._rules: Ruleset = next(iter(RULESETS.values()))
        self._seat = ""
        self._deal: Message = {}
        self._history: list[tuple[str, str]] = []

    def receive(self, message: Message) -> Message | None:
        """Handles one message; returns the answer if it asks for one. Unknown kinds are skipped."""
        kind, bot = message["type"], self._bot
        if kind == "hello":
            return self._hello(message)
        if kind == "deal":
            self._deal, self._history = message, []
        if bot is None:
            return None
        if kind == "ask":
            self._history += [(seat, token) for seat, token in message["since"]]
            return {"id": message["id"], "say": bot.choose(self._view(message))}
        if kind == "end" and isinstance(bot, Listener):
            since = [(seat, token) for seat, token in message["since"]]
            bot.end(message["points"], message["winner"], since)
        return None

    def _hello(self, message: Message) -> Message:
        field_names = {each.name for each in fields(Ruleset)}
        rules = {name: value for name, value in message["rules"].items() if name in field_names}
        rules["seat_counts"] = tuple(rules["seat_counts"])
        self._rules = replace(RULESETS[message["ruleset"]], **rules)
        self._seat = message["seat"]
        self._bot = self._make(self._seat)
        return {"type": "ready", "protocol": PROTOCOL, "name": self._name}

    def _view(self, request: Message) -> View:
        dealt = self._deal
        return View(
            rules=self._rules,
            seat=self._seat,
            dealer=dealt["dealer"],
            trump=dealt["trump"],
            trump_card=dealt["trump_card"],
            hand=tuple(request["hand"]),
            table=tuple((seat, card) for seat, card in request["table"]),
            history=tuple(self._history),
            points=request["points"],
            trick=request["trick"],
            legal=tuple(request["legal"]),
            players=tuple(dealt["players"]),
            stock=request["stock"],
            upcard=request["upcard"],
            tricks_won=request["tricks_won"],
            carried=dealt["carried"],
            deal_of_game=dealt["deal_of_game"],
            capote=request["capote"],
            supporter=request["supporter"],
            standing=MatchScore(dealt["number"], dealt["score"], dealt["plate"]),
            turn=request["turn"],
        )

"""Checks that a bot keeps the protocol: more than thirty checks, each with a failure code.

The bot plays seeded deals of every ruleset at every seat, and then gets messages as later versions
of the table may send them: with unknown fields, in another order, in pieces. A failed check has the
code that the fault would get in the arena.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from engine.bots.base import Bot
from engine.bots.chance import Chance
from engine.bots.failures import BotFailure
from engine.bots.limits import Limits
from engine.bots.process import ProcessBot
from engine.bots.protocol import Conversation, Message
from engine.bots.table import play_match
from engine.messages import LANGUAGES, message
from engine.rulesets import Ruleset
from engine.view import View

_SEED: Final = b"baza check-bot"
_PADDING: Final = 40_000  # several reads of a bot that reads 4 or 8 KiB at once
_MOMENT: Final = 0.2  # seconds in which a bot could speak unasked
_PATIENCE: Final = 5.0
"""Seconds for the program to end: generous, as the check must not depend on a busy machine."""

Sentence = Mapping[str, str]
"""A sentence by language."""


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """One check: it passed, it failed with a code of the arena, or there is advice to give.

    ``state`` is ``ok``, ``failed`` or ``advice``; ``code`` is empty unless it failed. A check that
    is ``required`` is one of what a table does today; the others are advice, and the manners in
    which a later version of the protocol may ask. ``reply`` and ``stderr``: what the bot last wrote
    where it failed, cut short, and the end of its standard error.
    """

    number: int
    what: Sentence
    state: str
    code: str = ""
    words: Sentence | None = None
    required: bool = True
    reply: str = ""
    stderr: str = ""


@dataclass(frozen=True, slots=True)
class ProtocolCheck:
    """One check of the protocol: the sentence that it proves, and the function that runs it."""

    number: int
    what: Sentence
    required: bool
    run: Callable[[], None]

    def outcome(self) -> CheckOutcome:
        """Make it; takes as long as the bot does, and raises nothing for what the bot does."""
        passed = CheckOutcome(self.number, self.what, "ok", required=self.required)
        try:
            self.run()
        except BotFailure as failure:
            return replace(
                passed,
                state="failed",
                code=failure.code,
                words={language: failure.words(language) for language in LANGUAGES},
                reply=failure.evidence,
                stderr=failure.stderr,
            )
        except NotKept as broken:
            return replace(passed, state="failed", code=broken.code, words=broken.words)
        except Advice as advice:
            return replace(passed, state="advice", words=advice.words)
        return passed


@dataclass(frozen=True, slots=True)
class BotUnderTest:
    """The bot under test and how to start it; ``reference`` as for `ProcessBot`."""

    words: Sequence[str]
    folder: Path | None
    limits: Limits
    trusted: bool
    deals: int
    reference: Callable[[], bool] | None = None

    def bot(
        self, rules: Ruleset, seat: str, speaks: type[Conversation] = Conversation
    ) -> ProcessBot:
        """A fresh one at a seat."""
        return ProcessBot(
            self.words,
            rules,
            seat,
            folder=self.folder,
            limits=self.limits,
            trusted=self.trusted,
            reference=self.reference,
            conversation=speaks,
        )


class Advice(Exception):  # noqa: N818 - it is none
    """Advice to the author (``check_outcome``): nothing is wrong, but they may want to know."""

    def __init__(self, outcome: str, **facts: Any) -> None:
        self.words = _sentence(f"check_outcome.{outcome}", **facts)
        super().__init__(self.words["en"])


class NotKept(Exception):  # noqa: N818 - the bot's, not ours
    """A check failed in a way (``check_outcome``) for which the arena has this code."""

    def __init__(self, code: str, outcome: str, **facts: Any) -> None:
        self.words = _sentence(f"check_outcome.{outcome}", **facts)
        self.code = code
        super().__init__(self.words["en"])


def _sentence(message_id: str, **facts: Any) -> Sentence:
    return {language: message(language, message_id, **facts) for language in LANGUAGES}


def run_checks(subject: BotUnderTest, rulesets: Sequence[Ruleset]) -> Iterator[CheckOutcome]:
    """Run all checks, one after the other; a bot that does not start gets no further than that."""
    for one in protocol_checks(subject, rulesets):
        outcome = one.outcome()
        yield outcome
        if one.number == 1 and outcome.state == "failed":
            return


def protocol_checks(subject: BotUnderTest, rulesets: Sequence[Ruleset]) -> list[ProtocolCheck]:
    """Lists all checks for these rulesets, in order; none depends on another."""
    kinds = (
        (True, _of_playing(subject, rulesets)),
        (False, _of_manners(subject, rulesets[0])),
        (True, _of_the_table(subject, rulesets[0])),
        (False, _of_style(subject, rulesets[0])),
    )
    every = [(required, what, run) for required, made in kinds for what, run in made]
    return [
        ProtocolCheck(number, what, must, run) for number, (must, what, run) in enumerate(every, 1)
    ]


Checks = list[tuple[Sentence, Callable[[], None]]]


def _of_playing(subject: BotUnderTest, rulesets: Sequence[Ruleset]) -> Checks:
    """Checks that the bot starts, and plays every ruleset at every seat."""
    return [
        (_sentence("check.starts"), lambda: _starts(subject, rulesets[0])),
        *[
            (
                _sentence("check.plays", ruleset=rules.name, seat=seat),
                _playing(subject, rules, seat),
            )
            for rules in rulesets
            for seat in rules.seats
        ],
    ]


def _of_manners(subject: BotUnderTest, first: Ruleset) -> Checks:
    """Checks that the bot answers in every manner in which the protocol lets a table ask."""
    return [
        (_sentence(f"check.{code}"), _asked(subject, first, speaks))
        for code, speaks in MANNERS.items()
    ]


def _of_the_table(subject: BotUnderTest, first: Ruleset) -> Checks:
    """Checks that the bot behaves as tables expect today, from one match to the next."""
    checks: dict[str, Callable[[], None]] = {
        "no_choice": _asked(subject, first, _Settled),
        "silent_when_ready": lambda: _is_silent(subject, first, False),
        "silent_after_answer": lambda: _is_silent(subject, first, True),
        "takes_end": lambda: _takes_an_end(subject, first),
        "joins_late": lambda: _joins_late(subject, first),
        "asked_twice": lambda: _asked_twice(subject, first),
        "restarts": lambda: _restarts(subject, first),
        "two_at_once": lambda: _two_at_once(subject, first),
        "ends_on_bye": lambda: _ends_by_itself(subject, first, Conversation),
        "ends_with_input": lambda: _ends_by_itself(subject, first, _Curt),
    }
    return [(_sentence(f"check.{code}"), run) for code, run in checks.items()]


def _of_style(subject: BotUnderTest, first: Ruleset) -> Checks:
    """Checks that produce advice for an author."""
    checks = {
        "name": _tells_its_name,
        "exit_code": _ends_with_zero,
        "quiet": _is_quiet,
        "cpu": _is_quick,
        "memory": _is_small,
        "repeatable": _is_repeatable,
    }
    return [
        (_sentence(f"check.{code}"), partial(run, subject, first)) for code, run in checks.items()
    ]


# --- playing --------------------------------------------------------------------------------------


def _table(rules: Ruleset, bots: Mapping[str, Bot], label: str, deals: int) -> dict[str, Any]:
    length = {"to": max(1, deals // 2)} if rules.race_to else {"deals": deals}
    others = {seat: Chance(_SEED + seat.encode()) for seat in rules.seats}
    names = [f"check {seat}" for seat in rules.seats]
    return play_match(rules, {**others, **bots}, _SEED, label, names, length)


def _playing(subject: BotUnderTest, rules: Ruleset, seat: str) -> Callable[[], None]:
    def run() -> None:
        with subject.bot(rules, seat) as bot:
            _table(rules, {seat: bot}, f"play {rules.name} {seat}", subject.deals)

    return run


def _asked(subject: BotUnderTest, rules: Ruleset, speaks: type[Conversation]) -> Callable[[], None]:
    def run() -> None:
        with subject.bot(rules, "A", speaks) as bot:
            _table(rules, {"A": bot}, speaks.__name__, 1)

    return run


def _views(rules: Ruleset) -> list[View]:
    """The views of seat A in one seeded hand."""
    seen: list[View] = []

    class _Watched(Chance):
        def choose(self, view: View) -> str:
            seen.append(view)
            return super().choose(view)

    _table(rules, {"A": _Watched(_SEED)}, "views", 1)
    return seen


# --- manners of asking ----------------------------------------------------------------------------


class _StrangeHello(Conversation):
    def hello(self) -> Message:
        return {**super().hello(), "weather": {"rain": [1, 2, None]}, "later": True}


class _StrangeLimits(Conversation):
    def hello(self) -> Message:
        message = super().hello()
        return {**message, "limits": {**message["limits"], "patience": 3}}


class _StrangeRules(Conversation):
    def hello(self) -> Message:
        message = super().hello()
        return {**message, "rules": {**message["rules"], "jokers": 0}}


class _StrangeDeal(Conversation):
    def question(self, view: View) -> list[Message]:
        return [
            {**message, "weather": "ñublado"} if message["type"] == "deal" else message
            for message in super().question(view)
        ]


class _StrangeAsk(Conversation):
    def question(self, view: View) -> list[Message]:
        return [
            {**message, "mood": [None, 1.5, {}]} if message["type"] == "ask" else message
            for message in super().question(view)
        ]


class _StrangeKinds(Conversation):
    def question(self, view: View) -> list[Message]:
        return [{"type": "chat", "from": "B", "text": "¡Buena!"}, *super().question(view)]


class _HighNumbers(Conversation):
    def hello(self) -> Message:
        self._asked = 2**31
        return super().hello()


class _OtherOrder(Conversation):
    def line(self, message: Message) -> bytes:
        return super().line(dict(reversed(message.items())))


class _Spaced(Conversation):
    def line(self, message: Message) -> bytes:
        return json.dumps(message, separators=(" ,\t", " : ")).encode() + b" \r\n"


class _Escaped(Conversation):
    def line(self, message: Message) -> bytes:
        plain = json.dumps({**message, "note": 'ñ "\\" \U0001f0a1'})
        return plain.replace('"type"', '"\\u0074ype"').encode() + b"\n"


class _LongLines(Conversation):
    def line(self, message: Message) -> bytes:
        return super().line({**message, "padding": "x" * _PADDING})


class _Settled(Conversation):
    """Asks only where there is one answer."""

    def question(self, view: View) -> list[Message]:
        return super().question(replace(view, legal=view.legal[:1]))


class _Repeating(Conversation):
    """Sends the deal again before every question."""

    def question(self, view: View) -> list[Message]:
        self._deal = 0
        return super().question(view)


class _Curt(Conversation):
    def line(self, message: Message) -> bytes:
        return b"" if message["type"] == "bye" else super().line(message)


MANNERS: Final[Mapping[str, type[Conversation]]] = {
    "unknown_hello": _StrangeHello,
    "unknown_limits": _StrangeLimits,
    "unknown_rules": _StrangeRules,
    "unknown_deal": _StrangeDeal,
    "unknown_ask": _StrangeAsk,
    "unknown_types": _StrangeKinds,
    "high_numbers": _HighNumbers,
    "any_order": _OtherOrder,
    "blanks": _Spaced,
    "escapes": _Escaped,
    "long_lines": _LongLines,
    "same_deal": _Repeating,
}
"""How a table may ask, by the messages ``check``."""


# --- behaviour ------------------------------------------------------------------------------------


def _starts(subject: BotUnderTest, rules: Ruleset) -> None:
    with subject.bot(rules, "A"):
        pass


def _tells_its_name(subject: BotUnderTest, rules: Ruleset) -> None:
    with subject.bot(rules, "A") as bot:
        if not bot.name:
            raise Advice("no_name")


def _is_silent(subject: BotUnderTest, rules: Ruleset, answered: bool) -> None:
    with subject.bot(rules, "A") as bot:
        if answered:
            bot.choose(_views(rules)[0])
        output = bot.said_unasked(_MOMENT)
        if output:
            raise NotKept("malformed_answer", "unasked", output=output[:60])


def _takes_an_end(subject: BotUnderTest, rules: Ruleset) -> None:
    views = _views(rules)
    with subject.bot(rules, "A") as bot:
        bot.choose(views[0])
        bot.end(dict.fromkeys(rules.sides, 10), rules.sides[0], views[-1].history[-2:])
        bot.choose(_in_next_hand(views[0]))


def _in_next_hand(view: View) -> View:
    return replace(view, standing=replace(view.standing, hand=view.standing.hand + 1))


def _joins_late(subject: BotUnderTest, rules: Ruleset) -> None:
    with subject.bot(rules, "A") as bot:
        for view in _views(rules)[-3:]:
            bot.choose(view)


def _asked_twice(subject: BotUnderTest, rules: Ruleset) -> None:
    view = _views(rules)[0]
    with subject.bot(rules, "A") as bot:
        bot.choose(view)
        bot.choose(view)


def _restarts(subject: BotUnderTest, rules: Ruleset) -> None:
    view = _views(rules)[0]
    with subject.bot(rules, "A") as bot:
        for _ in range(3):
            bot.choose(view)
            bot.restart()


def _two_at_once(subject: BotUnderTest, rules: Ruleset) -> None:
    one, other = rules.seats[:2]
    with subject.bot(rules, one) as bot, subject.bot(rules, other) as rival:
        _table(rules, {one: bot, other: rival}, "two", 1)


def _ends_by_itself(subject: BotUnderTest, rules: Ruleset, speaks: type[Conversation]) -> None:
    patient = replace(subject.limits, end_wall=_PATIENCE)
    bot = replace(subject, limits=patient).bot(rules, "A", speaks)
    bot.start()
    bot.close()
    if bot.ending is None or bot.ending.code is None:
        raise NotKept("hang", "stayed", seconds=_PATIENCE)


def _ends_with_zero(subject: BotUnderTest, rules: Ruleset) -> None:
    patient = replace(subject.limits, end_wall=_PATIENCE)
    bot = replace(subject, limits=patient).bot(rules, "A")
    bot.start()
    bot.choose(_views(rules)[0])
    bot.close()
    if bot.ending is None or bot.ending.code != 0:
        raise Advice("exit_code")


def _is_quiet(subject: BotUnderTest, rules: Ruleset) -> None:
    with subject.bot(rules, "A") as bot:
        _table(rules, {"A": bot}, "quiet", 1)
        if bot.stderr:
            raise Advice("stderr", count=len(bot.stderr))


def _is_quick(subject: BotUnderTest, rules: Ruleset) -> None:
    with subject.bot(rules, "A") as bot:
        _table(rules, {"A": bot}, "quick", 2)
    if bot.dearest > subject.limits.move_cpu / 2:
        raise Advice("cpu", seconds=bot.dearest)


def _is_small(subject: BotUnderTest, rules: Ruleset) -> None:
    with subject.bot(rules, "A") as bot:
        _table(rules, {"A": bot}, "small", 2)
    used = bot.ending.memory if bot.ending else 0
    if used > subject.limits.memory / 2:
        raise Advice("memory", mebibytes=used >> 20)


def _is_repeatable(subject: BotUnderTest, rules: Ruleset) -> None:
    plays = []
    for _ in range(2):
        with subject.bot(rules, "A") as bot:
            plays.append(_table(rules, {"A": bot}, "repeat", 2)["hands"])
    if plays[0] != plays[1]:
        raise Advice("repeatable")

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
_SILENCE_SECONDS: Final = 0.2  # seconds in which a bot could speak unasked
_END_TIMEOUT: Final = 5.0
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

    def perform(self) -> CheckOutcome:
        """Run the check; takes as long as the bot does, and never raises for what the bot does."""
        passed = CheckOutcome(self.number, self.what, "ok", required=self.required)
        try:
            self.run()
        except BotFailure as failure:
            return replace(
                passed,
                state="failed",
                code=failure.code,
                words={language: failure.message_in(language) for language in LANGUAGES},
                reply=failure.evidence,
                stderr=failure.stderr,
            )
        except CheckFailed as broken:
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
        """Return a new bot for a seat."""
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


class CheckFailed(Exception):  # noqa: N818 - the bot's, not ours
    """A failed check: the arena's code for it, and the message ``check_outcome``."""

    def __init__(self, code: str, outcome: str, **facts: Any) -> None:
        self.words = _sentence(f"check_outcome.{outcome}", **facts)
        self.code = code
        super().__init__(self.words["en"])


def _sentence(message_id: str, **facts: Any) -> Sentence:
    return {language: message(language, message_id, **facts) for language in LANGUAGES}


def run_checks(subject: BotUnderTest, rulesets: Sequence[Ruleset]) -> Iterator[CheckOutcome]:
    """Run all checks, one after the other; a bot that does not start gets no further than that."""
    for check in protocol_checks(subject, rulesets):
        outcome = check.perform()
        yield outcome
        if check.number == 1 and outcome.state == "failed":
            return


def protocol_checks(subject: BotUnderTest, rulesets: Sequence[Ruleset]) -> list[ProtocolCheck]:
    """Lists all checks for these rulesets, in order; none depends on another."""
    kinds = (
        (True, _playing_checks(subject, rulesets)),
        (False, _variant_checks(subject, rulesets[0])),
        (True, _table_checks(subject, rulesets[0])),
        (False, _style_checks(subject, rulesets[0])),
    )
    every = [(required, text, run) for required, checks in kinds for text, run in checks]
    return [
        ProtocolCheck(number, text, must, run) for number, (must, text, run) in enumerate(every, 1)
    ]


Checks = list[tuple[Sentence, Callable[[], None]]]


def _playing_checks(subject: BotUnderTest, rulesets: Sequence[Ruleset]) -> Checks:
    """Checks that the bot starts, and plays every ruleset at every seat."""
    return [
        (_sentence("check.starts"), lambda: _check_start(subject, rulesets[0])),
        *[
            (
                _sentence("check.plays", ruleset=rules.name, seat=seat),
                _play_check(subject, rules, seat),
            )
            for rules in rulesets
            for seat in rules.seats
        ],
    ]


def _variant_checks(subject: BotUnderTest, first: Ruleset) -> Checks:
    """Checks that the bot answers in every manner in which the protocol lets a table ask."""
    return [
        (_sentence(f"check.{code}"), _variant_check(subject, first, speaks))
        for code, speaks in ASKING_VARIANTS.items()
    ]


def _table_checks(subject: BotUnderTest, first: Ruleset) -> Checks:
    """Checks that the bot behaves as tables expect today, from one match to the next."""
    checks: dict[str, Callable[[], None]] = {
        "no_choice": _variant_check(subject, first, _SingleChoice),
        "silent_when_ready": lambda: _check_silence(subject, first, False),
        "silent_after_answer": lambda: _check_silence(subject, first, True),
        "takes_end": lambda: _check_hand_end(subject, first),
        "joins_late": lambda: _check_late_join(subject, first),
        "asked_twice": lambda: _check_repeated_question(subject, first),
        "restarts": lambda: _check_restart(subject, first),
        "two_at_once": lambda: _check_two_instances(subject, first),
        "ends_on_bye": lambda: _check_exit(subject, first, Conversation),
        "ends_with_input": lambda: _check_exit(subject, first, _WithoutBye),
    }
    return [(_sentence(f"check.{code}"), run) for code, run in checks.items()]


def _style_checks(subject: BotUnderTest, first: Ruleset) -> Checks:
    """Checks that produce advice for an author."""
    checks = {
        "name": _check_name,
        "exit_code": _check_exit_code,
        "quiet": _check_stderr,
        "cpu": _check_cpu_time,
        "memory": _check_memory,
        "repeatable": _check_determinism,
    }
    return [
        (_sentence(f"check.{code}"), partial(run, subject, first)) for code, run in checks.items()
    ]


# --- playing --------------------------------------------------------------------------------------


def _play_table(rules: Ruleset, bots: Mapping[str, Bot], label: str, deals: int) -> dict[str, Any]:
    length = {"to": max(1, deals // 2)} if rules.race_to else {"deals": deals}
    others = {seat: Chance(_SEED + seat.encode()) for seat in rules.seats}
    names = [f"check {seat}" for seat in rules.seats]
    return play_match(rules, {**others, **bots}, _SEED, label, names, length)


def _play_check(subject: BotUnderTest, rules: Ruleset, seat: str) -> Callable[[], None]:
    def run() -> None:
        with subject.bot(rules, seat) as bot:
            _play_table(rules, {seat: bot}, f"play {rules.name} {seat}", subject.deals)

    return run


def _variant_check(
    subject: BotUnderTest, rules: Ruleset, speaks: type[Conversation]
) -> Callable[[], None]:
    def run() -> None:
        with subject.bot(rules, "A", speaks) as bot:
            _play_table(rules, {"A": bot}, speaks.__name__, 1)

    return run


def _sample_views(rules: Ruleset) -> list[View]:
    """The views of seat A in one seeded hand."""
    views: list[View] = []

    class _Watched(Chance):
        def choose(self, view: View) -> str:
            views.append(view)
            return super().choose(view)

    _play_table(rules, {"A": _Watched(_SEED)}, "views", 1)
    return views


# --- manners of asking ----------------------------------------------------------------------------


class _UnknownHelloFields(Conversation):
    def hello(self) -> Message:
        return {**super().hello(), "weather": {"rain": [1, 2, None]}, "later": True}


class _UnknownLimits(Conversation):
    def hello(self) -> Message:
        message = super().hello()
        return {**message, "limits": {**message["limits"], "patience": 3}}


class _UnknownRules(Conversation):
    def hello(self) -> Message:
        message = super().hello()
        return {**message, "rules": {**message["rules"], "jokers": 0}}


class _UnknownDealFields(Conversation):
    def question(self, view: View) -> list[Message]:
        return [
            {**message, "weather": "ñublado"} if message["type"] == "deal" else message
            for message in super().question(view)
        ]


class _UnknownAskFields(Conversation):
    def question(self, view: View) -> list[Message]:
        return [
            {**message, "mood": [None, 1.5, {}]} if message["type"] == "ask" else message
            for message in super().question(view)
        ]


class _UnknownMessageTypes(Conversation):
    def question(self, view: View) -> list[Message]:
        return [{"type": "chat", "from": "B", "text": "¡Buena!"}, *super().question(view)]


class _LargeQuestionNumbers(Conversation):
    def hello(self) -> Message:
        self._asked = 2**31
        return super().hello()


class _ReversedFields(Conversation):
    def line(self, message: Message) -> bytes:
        return super().line(dict(reversed(message.items())))


class _ExtraBlanks(Conversation):
    def line(self, message: Message) -> bytes:
        return json.dumps(message, separators=(" ,\t", " : ")).encode() + b" \r\n"


class _EscapedStrings(Conversation):
    def line(self, message: Message) -> bytes:
        plain = json.dumps({**message, "note": 'ñ "\\" \U0001f0a1'})
        return plain.replace('"type"', '"\\u0074ype"').encode() + b"\n"


class _LongLines(Conversation):
    def line(self, message: Message) -> bytes:
        return super().line({**message, "padding": "x" * _PADDING})


class _SingleChoice(Conversation):
    """Asks only where there is one answer."""

    def question(self, view: View) -> list[Message]:
        return super().question(replace(view, legal=view.legal[:1]))


class _RepeatedDeals(Conversation):
    """Sends the deal again before every question."""

    def question(self, view: View) -> list[Message]:
        self._deal = 0
        return super().question(view)


class _WithoutBye(Conversation):
    def line(self, message: Message) -> bytes:
        return b"" if message["type"] == "bye" else super().line(message)


ASKING_VARIANTS: Final[Mapping[str, type[Conversation]]] = {
    "unknown_hello": _UnknownHelloFields,
    "unknown_limits": _UnknownLimits,
    "unknown_rules": _UnknownRules,
    "unknown_deal": _UnknownDealFields,
    "unknown_ask": _UnknownAskFields,
    "unknown_types": _UnknownMessageTypes,
    "high_numbers": _LargeQuestionNumbers,
    "any_order": _ReversedFields,
    "blanks": _ExtraBlanks,
    "escapes": _EscapedStrings,
    "long_lines": _LongLines,
    "same_deal": _RepeatedDeals,
}
"""How a table may ask, by the messages ``check``."""


# --- behaviour ------------------------------------------------------------------------------------


def _check_start(subject: BotUnderTest, rules: Ruleset) -> None:
    with subject.bot(rules, "A"):
        pass


def _check_name(subject: BotUnderTest, rules: Ruleset) -> None:
    with subject.bot(rules, "A") as bot:
        if not bot.name:
            raise Advice("no_name")


def _check_silence(subject: BotUnderTest, rules: Ruleset, answered: bool) -> None:
    with subject.bot(rules, "A") as bot:
        if answered:
            bot.choose(_sample_views(rules)[0])
        output = bot.read_unsolicited_output(_SILENCE_SECONDS)
        if output:
            raise CheckFailed("malformed_answer", "unasked", output=output[:60])


def _check_hand_end(subject: BotUnderTest, rules: Ruleset) -> None:
    views = _sample_views(rules)
    with subject.bot(rules, "A") as bot:
        bot.choose(views[0])
        bot.end(dict.fromkeys(rules.sides, 10), rules.sides[0], views[-1].history[-2:])
        bot.choose(_next_hand_view(views[0]))


def _next_hand_view(view: View) -> View:
    return replace(view, standing=replace(view.standing, hand=view.standing.hand + 1))


def _check_late_join(subject: BotUnderTest, rules: Ruleset) -> None:
    with subject.bot(rules, "A") as bot:
        for view in _sample_views(rules)[-3:]:
            bot.choose(view)


def _check_repeated_question(subject: BotUnderTest, rules: Ruleset) -> None:
    view = _sample_views(rules)[0]
    with subject.bot(rules, "A") as bot:
        bot.choose(view)
        bot.choose(view)


def _check_restart(subject: BotUnderTest, rules: Ruleset) -> None:
    view = _sample_views(rules)[0]
    with subject.bot(rules, "A") as bot:
        for _ in range(3):
            bot.choose(view)
            bot.restart()


def _check_two_instances(subject: BotUnderTest, rules: Ruleset) -> None:
    first, other = rules.seats[:2]
    with subject.bot(rules, first) as bot, subject.bot(rules, other) as rival:
        _play_table(rules, {first: bot, other: rival}, "two", 1)


def _check_exit(subject: BotUnderTest, rules: Ruleset, speaks: type[Conversation]) -> None:
    patient = replace(subject.limits, end_wall=_END_TIMEOUT)
    bot = replace(subject, limits=patient).bot(rules, "A", speaks)
    bot.start()
    bot.close()
    if bot.ending is None or bot.ending.code is None:
        raise CheckFailed("hang", "stayed", seconds=_END_TIMEOUT)


def _check_exit_code(subject: BotUnderTest, rules: Ruleset) -> None:
    patient = replace(subject.limits, end_wall=_END_TIMEOUT)
    bot = replace(subject, limits=patient).bot(rules, "A")
    bot.start()
    bot.choose(_sample_views(rules)[0])
    bot.close()
    if bot.ending is None or bot.ending.code != 0:
        raise Advice("exit_code")


def _check_stderr(subject: BotUnderTest, rules: Ruleset) -> None:
    with subject.bot(rules, "A") as bot:
        _play_table(rules, {"A": bot}, "quiet", 1)
        if bot.stderr:
            raise Advice("stderr", count=len(bot.stderr))


def _check_cpu_time(subject: BotUnderTest, rules: Ruleset) -> None:
    with subject.bot(rules, "A") as bot:
        _play_table(rules, {"A": bot}, "quick", 2)
    if bot.dearest > subject.limits.move_cpu / 2:
        raise Advice("cpu", seconds=bot.dearest)


def _check_memory(subject: BotUnderTest, rules: Ruleset) -> None:
    with subject.bot(rules, "A") as bot:
        _play_table(rules, {"A": bot}, "small", 2)
    used = bot.ending.memory if bot.ending else 0
    if used > subject.limits.memory / 2:
        raise Advice("memory", mebibytes=used >> 20)


def _check_determinism(subject: BotUnderTest, rules: Ruleset) -> None:
    plays = []
    for _ in range(2):
        with subject.bot(rules, "A") as bot:
            plays.append(_play_table(rules, {"A": bot}, "repeat", 2)["hands"])
    if plays[0] != plays[1]:
        raise Advice("repeatable")

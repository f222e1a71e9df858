"""Checks that a bot keeps the protocol: more than thirty checks, each with a failure code.

The bot plays seeded deals of every ruleset at every seat, and then gets messages as later versions
of the table may send them: with unknown fields, in another order, in pieces. A failed check has the
code that the fault would get in the arena.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from engine.bots.base import Bot
from engine.bots.chance import Chance
from engine.bots.failures import BotFailure
from engine.bots.limits import Limits
from engine.bots.process import ProcessBot
from engine.bots.protocol import Conversation, Message
from engine.bots.table import play_match
from engine.rulesets import Ruleset
from engine.view import View

_SEED: Final = b"baza check-bot"
_PADDING: Final = 40_000  # several reads of a bot that reads 4 or 8 KiB at once
_MOMENT: Final = 0.2  # seconds in which a bot could speak unasked
_PATIENCE: Final = 5.0
"""Seconds for the program to end: generous, as the check must not depend on a busy machine."""

Sentence = tuple[str, str]
"""A sentence in English and in Spanish."""


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """One check: it held, it failed with a code of the arena, or there is advice to give.

    ``state`` is ``ok``, ``failed`` or ``advice``; ``code`` is empty unless it failed. A check that
    is ``required`` is one of what a table does today; the others are advice, and the manners in
    which a later version of the protocol may ask.
    """

    number: int
    what: Sentence
    state: str
    code: str = ""
    words: Sentence | None = None
    required: bool = True


@dataclass(frozen=True, slots=True)
class ProtocolCheck:
    """One check of the protocol: the sentence that it proves, and the function that runs it."""

    number: int
    what: Sentence
    required: bool
    run: Callable[[], None]

    def outcome(self) -> CheckOutcome:
        """Make it; takes as long as the bot does, and raises nothing for what the bot does."""
        state, code, words = _run_check(self.run)
        return CheckOutcome(self.number, self.what, state, code, words, self.required)


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
    """Advice to the author: nothing is wrong, but they may want to know."""

    def __init__(self, english: str, spanish: str) -> None:
        super().__init__(english)
        self.words: Sentence = (english, spanish)


class NotKept(Exception):  # noqa: N818 - the bot's, not ours
    """A check failed in a way for which the arena has this code."""

    def __init__(self, code: str, english: str, spanish: str) -> None:
        super().__init__(english)
        self.code = code
        self.words: Sentence = (english, spanish)


def run_checks(subject: BotUnderTest, rulesets: Sequence[Ruleset]) -> Iterator[CheckOutcome]:
    """Run all checks, one after the other; a bot that does not start gets no further than that."""
    for one in protocol_checks(subject, rulesets):
        outcome = one.outcome()
        yield outcome
        if one.number == 1 and outcome.state == "failed":
            return


def _run_check(run: Callable[[], None]) -> tuple[str, str, Sentence | None]:
    """The state, the code and the words of a check."""
    try:
        run()
    except BotFailure as failure:
        return "failed", failure.code, (failure.words("en"), failure.words("es"))
    except NotKept as broken:
        return "failed", broken.code, broken.words
    except Advice as advice:
        return "advice", "", advice.words
    return "ok", "", None


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


Made = list[tuple[Sentence, Callable[[], None]]]


def _of_playing(subject: BotUnderTest, rulesets: Sequence[Ruleset]) -> Made:
    """Checks that the bot starts, and plays every ruleset at every seat."""
    first = rulesets[0]
    return [
        (
            ("it starts and says that it is ready", "arranca y dice que está listo"),
            lambda: _starts(subject, first),
        ),
        *[
            (
                (
                    f"it plays {rules.name} at seat {seat}",
                    f"juega {rules.name} en el asiento {seat}",
                ),
                _playing(subject, rules, seat),
            )
            for rules in rulesets
            for seat in rules.seats
        ],
    ]


def _of_manners(subject: BotUnderTest, first: Ruleset) -> Made:
    """Checks that the bot answers in every manner in which the protocol lets a table ask."""
    return [(what, _asked(subject, first, speaks)) for what, speaks in MANNERS]


def _of_the_table(subject: BotUnderTest, first: Ruleset) -> Made:
    """Checks that the bot behaves as tables expect today, from one match to the next."""
    return [
        (
            ("it answers where there is no choice", "responde cuando no hay elección"),
            _asked(subject, first, _Settled),
        ),
        (
            (
                "it says nothing unasked after it is ready",
                "no dice nada sin que se le pregunte tras estar listo",
            ),
            lambda: _is_silent(subject, first, False),
        ),
        (
            (
                "it says nothing unasked after an answer",
                "no dice nada sin que se le pregunte tras responder",
            ),
            lambda: _is_silent(subject, first, True),
        ),
        (
            (
                "it takes the end of a hand without a word",
                "recibe el final de una mano sin decir nada",
            ),
            lambda: _takes_an_end(subject, first),
        ),
        (
            ("it starts in the middle of a hand", "empieza en mitad de una mano"),
            lambda: _joins_late(subject, first),
        ),
        (
            (
                "it answers a question that it was asked before",
                "responde a una pregunta que ya se le hizo",
            ),
            lambda: _asked_twice(subject, first),
        ),
        (
            ("it is there again after a restart", "vuelve tras arrancar de nuevo"),
            lambda: _restarts(subject, first),
        ),
        (
            ("two of it play at one table", "juegan dos iguales en una mesa"),
            lambda: _two_at_once(subject, first),
        ),
        (
            ("it ends when it is told bye", "termina cuando se le despide"),
            lambda: _ends_by_itself(subject, first, Conversation),
        ),
        (
            ("it ends when its input ends", "termina cuando se acaba su entrada"),
            lambda: _ends_by_itself(subject, first, _Curt),
        ),
    ]


def _of_style(subject: BotUnderTest, first: Ruleset) -> Made:
    """Checks that produce advice for an author."""
    return [
        (("it tells its name", "dice su nombre"), lambda: _tells_its_name(subject, first)),
        (("it ends with code 0", "termina con código 0"), lambda: _ends_with_zero(subject, first)),
        (
            ("it writes nothing to standard error", "no escribe nada en la salida de errores"),
            lambda: _is_quiet(subject, first),
        ),
        (
            (
                "it stays below half of its CPU time",
                "no pasa de la mitad de su tiempo de procesador",
            ),
            lambda: _is_quick(subject, first),
        ),
        (
            ("it stays below half of its memory", "no pasa de la mitad de su memoria"),
            lambda: _is_small(subject, first),
        ),
        (
            ("it plays the same when asked the same", "juega lo mismo si se le pregunta lo mismo"),
            lambda: _is_repeatable(subject, first),
        ),
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


MANNERS: Final[tuple[tuple[Sentence, type[Conversation]], ...]] = (
    (
        ("it ignores unknown fields of hello", "pasa por alto campos desconocidos del saludo"),
        _StrangeHello,
    ),
    (("it ignores unknown limits", "pasa por alto límites desconocidos"), _StrangeLimits),
    (("it ignores unknown rules", "pasa por alto reglas desconocidas"), _StrangeRules),
    (
        ("it ignores unknown fields of a deal", "pasa por alto campos desconocidos de un reparto"),
        _StrangeDeal,
    ),
    (
        (
            "it ignores unknown fields of a question",
            "pasa por alto campos desconocidos de una pregunta",
        ),
        _StrangeAsk,
    ),
    (
        ("it ignores messages of an unknown type", "pasa por alto mensajes de tipo desconocido"),
        _StrangeKinds,
    ),
    (
        (
            "it answers with the number that it was asked under",
            "responde con el número con que se le preguntó",
        ),
        _HighNumbers,
    ),
    (("it reads fields in any order", "lee los campos en cualquier orden"), _OtherOrder),
    (
        (
            "it reads blanks, tabs and carriage returns between fields",
            "lee blancos, tabuladores y retornos entre campos",
        ),
        _Spaced,
    ),
    (("it reads escaped letters", "lee letras con escape"), _Escaped),
    (("it reads long lines", "lee líneas largas"), _LongLines),
    (
        ("it takes the same deal told twice", "admite que se le diga dos veces el mismo reparto"),
        _Repeating,
    ),
)


# --- behaviour ------------------------------------------------------------------------------------


def _starts(subject: BotUnderTest, rules: Ruleset) -> None:
    with subject.bot(rules, "A"):
        pass


def _tells_its_name(subject: BotUnderTest, rules: Ruleset) -> None:
    with subject.bot(rules, "A") as bot:
        if not bot.name:
            raise Advice("it has no name in its ready", "no dice su nombre al empezar")


def _is_silent(subject: BotUnderTest, rules: Ruleset, answered: bool) -> None:
    with subject.bot(rules, "A") as bot:
        if answered:
            bot.choose(_views(rules)[0])
        output = bot.said_unasked(_MOMENT)
        if output:
            raise NotKept(
                "malformed_answer",
                f"it said {output[:60]!r} without being asked",
                f"dijo {output[:60]!r} sin que se le preguntara",
            )


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
        within = f"{_PATIENCE:g} s"
        raise NotKept(
            "hang",
            f"it was still there {within} later and had to be killed",
            f"seguía ahí {within} después y hubo que matarlo",
        )


def _ends_with_zero(subject: BotUnderTest, rules: Ruleset) -> None:
    patient = replace(subject.limits, end_wall=_PATIENCE)
    bot = replace(subject, limits=patient).bot(rules, "A")
    bot.start()
    bot.choose(_views(rules)[0])
    bot.close()
    if bot.ending is None or bot.ending.code != 0:
        raise Advice(
            "it ends with a code other than 0 after bye",
            "termina con un código distinto de 0 tras la despedida",
        )


def _is_quiet(subject: BotUnderTest, rules: Ruleset) -> None:
    with subject.bot(rules, "A") as bot:
        _table(rules, {"A": bot}, "quiet", 1)
        if bot.stderr:
            raise Advice(
                f"it wrote {len(bot.stderr)} characters to standard error",
                f"escribió {len(bot.stderr)} caracteres en la salida de errores",
            )


def _is_quick(subject: BotUnderTest, rules: Ruleset) -> None:
    with subject.bot(rules, "A") as bot:
        _table(rules, {"A": bot}, "quick", 2)
    if bot.dearest > subject.limits.move_cpu / 2:
        raise Advice(
            f"its dearest answer took {bot.dearest:.2f} s of CPU time",
            f"su respuesta más cara gastó {bot.dearest:.2f} s de procesador",
        )


def _is_small(subject: BotUnderTest, rules: Ruleset) -> None:
    with subject.bot(rules, "A") as bot:
        _table(rules, {"A": bot}, "small", 2)
    used = bot.ending.memory if bot.ending else 0
    if used > subject.limits.memory / 2:
        raise Advice(f"it used {used >> 20} MiB of memory", f"ocupó {used >> 20} MiB de memoria")


def _is_repeatable(subject: BotUnderTest, rules: Ruleset) -> None:
    plays = []
    for _ in range(2):
        with subject.bot(rules, "A") as bot:
            plays.append(_table(rules, {"A": bot}, "repeat", 2)["hands"])
    if plays[0] != plays[1]:
        raise Advice(
            "it plays the same deal in different ways: its matches cannot be repeated",
            "juega el mismo reparto de maneras distintas: sus partidas no se pueden repetir",
        )

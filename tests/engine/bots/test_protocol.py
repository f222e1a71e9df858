"""The protocol as it is written down, over pipes and between Python classes (F6)."""

import itertools
import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.bots import failures
from engine.bots.failures import BotFailure
from engine.bots.limits import Limits
from engine.bots.process import ProcessBot
from engine.bots.protocol import PROTOCOL, Conversation, Player
from engine.view import View
from tests.engine.bots.census import living
from tests.engine.bots.tables import RULES, play, views
from tournaments.environment import ROOT

pytestmark = pytest.mark.slow

PATIENT = Limits(start_wall=60.0, hang_wall=60.0, end_wall=30.0)
EXAMPLES = [
    ["python3", str(ROOT / "examples/bots/first_steps.py")],
    ["perl", str(ROOT / "examples/bots/lowest.pl")],
]
TABLES = list(engine.RULESETS.values())


class ByMessages:
    """A Python bot reached by messages alone, each through its bytes and back."""

    def __init__(self, bot: engine.Bot, rules: engine.Ruleset, seat: str) -> None:
        self.player = Player(lambda _seat: bot, "house")
        self.talk = Conversation(rules, seat, {}, Limits())
        reply = self.player.receive(self.over_json(self.talk.hello()))
        assert reply
        self.talk.ready(json.dumps(reply).encode())

    def over_json(self, message: dict[str, Any]) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.talk.line(message))
        return value

    def choose(self, view: View) -> str:
        answers = [self.player.receive(self.over_json(each)) for each in self.talk.question(view)]
        (response,) = filter(None, answers)
        return self.talk.answer(json.dumps(response).encode())


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: rules.name)
def test_a_python_bot_plays_the_same_by_messages_as_without(rules: engine.Ruleset) -> None:
    def house() -> dict[str, engine.Bot]:
        return {
            seat: engine.HOUSE_BOTS[name](seat.encode())
            for seat, name in zip(rules.seats, itertools.cycle(("random", "simple")), strict=False)
        }

    spoken = {seat: ByMessages(bot, rules, seat) for seat, bot in house().items()}
    record = play(spoken, deals=3, rules=rules)
    assert record == play(house(), deals=3, rules=rules)
    assert engine.audit(record).valid


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: rules.name)
def test_a_view_survives_the_messages(rules: engine.Ruleset) -> None:
    expected_views: list[View] = []

    class Watcher(engine.Chance):
        def choose(self, view: View) -> str:
            expected_views.append(view)
            return view.legal[0]

    bot = ByMessages(Watcher(b""), rules, "A")
    view_list = views(rules)
    for view in view_list:
        bot.choose(view)
    assert expected_views == view_list


@pytest.mark.parametrize("words", EXAMPLES, ids=lambda words: Path(words[1]).name)
@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: rules.name)
def test_the_example_bots_play_every_ruleset(
    rules: engine.Ruleset, words: list[str], is_confined: bool
) -> None:
    bots = {
        seat: ProcessBot(words, rules, seat, limits=PATIENT, trusted=not is_confined)
        for seat in rules.seats[:2]
    }
    record = play(bots, rules=rules)
    verdict = engine.audit(record)
    for bot in bots.values():
        bot.close()
        assert bot.ending
        assert bot.ending.code == 0
    assert verdict.valid, verdict.faults


def test_the_examples_are_short() -> None:
    for _interpreter, path in EXAMPLES:
        assert len(Path(path).read_text(encoding="utf-8").splitlines()) < 150


def test_a_python_bot_that_listens_is_sent_the_end_by_messages() -> None:
    messages: list[Any] = []

    class Listening(engine.Chance):
        def end(self, *arguments: Any) -> None:
            messages.append(arguments)

    spoken = ByMessages(Listening(b""), RULES, "A")
    spoken.choose(views()[0])
    spoken.player.receive(spoken.over_json(spoken.talk.end({"AC": 3}, "AC", [("A", "1o")])))
    assert messages == [({"AC": 3}, "AC", [("A", "1o")])]


def test_a_bot_is_sent_no_seed_and_no_hand_but_its_own() -> None:
    talk = Conversation(RULES, "A", {"to": 3}, Limits())
    view_list = views()
    messages = [talk.hello(), *(message for view in view_list for message in talk.question(view))]
    text = json.dumps(messages)
    assert "seed" not in text
    record = play({"A": engine.Chance(b"watch")})
    others = [card for seat in "BCD" for card in record["hands"][0]["deal"][seat].split()]
    first = next(message for message in messages if message["type"] == "ask")
    cards = {card for _seat, card in first["table"]} | {messages[1]["trump_card"]}
    assert not set(others) & ({*first["hand"], *first["legal"]} - cards)


def test_what_happened_is_reported_once_and_whole() -> None:
    talk = Conversation(RULES, "A", {}, Limits())
    view_list = views()
    histories: list[list[str]] = []
    for view in view_list:
        histories += talk.question(view)[-1]["since"]
    assert [tuple(pair) for pair in histories] == list(view_list[-1].history)


def test_a_bot_that_joins_late_is_sent_the_hand_from_its_beginning() -> None:
    view = views()[-1]
    dealt, question = Conversation(RULES, "A", {}, Limits()).question(view)
    assert dealt["type"] == "deal"
    assert [tuple(pair) for pair in question["since"]] == list(view.history)


GOOD = '{"id": 1, "say": "%s"}'


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", failures.MALFORMED_ANSWER),
        ("1o", failures.MALFORMED_ANSWER),
        ('"1o"', failures.MALFORMED_ANSWER),
        ("[]", failures.MALFORMED_ANSWER),
        ("null", failures.MALFORMED_ANSWER),
        ("{}", failures.MALFORMED_ANSWER),
        ('{"id": 1}', failures.MALFORMED_ANSWER),
        ('{"id": "1", "say": "LEGAL"}', failures.MALFORMED_ANSWER),
        ('{"id": 1.0, "say": "LEGAL"}', failures.MALFORMED_ANSWER),
        ('{"id": true, "say": "LEGAL"}', failures.MALFORMED_ANSWER),
        ('{"id": 1, "say": null}', failures.MALFORMED_ANSWER),
        ('{"id": 1, "say": ["LEGAL"]}', failures.MALFORMED_ANSWER),
        ('{"id": 1, "say": "LEGAL", "type": "answer"}', failures.MALFORMED_ANSWER),
        ('{"id": 1, "say": "LEGAL"} {}', failures.MALFORMED_ANSWER),
        ('{"id": 1, "say": "LEGAL", "say": "LEGAL"}', failures.MALFORMED_ANSWER),
        ('{"id": NaN, "say": "LEGAL"}', failures.MALFORMED_ANSWER),
        ('{"id": 2, "say": "LEGAL"}', failures.WRONG_ID),
        ('{"id": 0, "say": "LEGAL"}', failures.WRONG_ID),
        ('{"id": 1, "say": " LEGAL"}', failures.ILLEGAL_PLAY),
        ('{"id": 1, "say": "A:40"}', failures.ILLEGAL_PLAY),
        ('{"id": 1, "say": ""}', failures.ILLEGAL_PLAY),
    ],
)
def test_an_answer_that_is_none_is_named(line: str, code: str) -> None:
    talk = Conversation(RULES, "A", {}, Limits())
    view = views()[0]
    talk.question(view)
    with pytest.raises(BotFailure) as failure:
        talk.answer(line.replace("LEGAL", view.legal[0]).encode())
    assert failure.value.code == code
    assert talk.answer((GOOD % view.legal[0]).encode()) == view.legal[0]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('{"type": "ready"}', failures.MALFORMED_ANSWER),
        ('{"protocol": "baza-bot/1"}', failures.MALFORMED_ANSWER),
        ('{"type": "ready", "protocol": "baza-bot/1", "name": 1}', failures.MALFORMED_ANSWER),
        ('{"type": "ready", "protocol": "baza-bot/1", "elo": 1}', failures.MALFORMED_ANSWER),
        ('{"type": "ready", "protocol": "baza-bot/2"}', failures.PROTOCOL_VERSION),
        ('{"type": "ready", "protocol": null}', failures.PROTOCOL_VERSION),
    ],
)
def test_a_ready_that_is_none_is_named(line: str, code: str) -> None:
    with pytest.raises(BotFailure) as failure:
        Conversation(RULES, "A", {}, Limits()).ready(line.encode())
    assert failure.value.code == code


# --- the document --------------------------------------------------------------------------------

DOCUMENT = (ROOT / "docs" / "bots" / "bot-protocol.md").read_text(encoding="utf-8")


TRANSCRIPT = "transcript 222"
"""The deal that is printed: one with a declaration and an exchange early on."""


class First:
    """Says the first legal token, as the reference bot does."""

    def choose(self, view: View) -> str:
        return view.legal[0]


def transcript() -> list[tuple[str, dict[str, Any]]]:
    """The lines of the document's transcript: who speaks, and what."""
    (block,) = re.findall(r"```text\n(table > .*?)```", DOCUMENT, re.DOTALL)
    block = block.replace(", …}", "}")
    lines = [line.split(" > ", 1) for line in block.splitlines()]
    return [(speaker.strip(), json.loads(text)) for speaker, text in lines]


def spoken() -> list[tuple[str, dict[str, Any]]]:
    """The same conversation again: one seeded hand of habanero, as far as it is printed."""
    rules = engine.RULESETS["habanero"]
    talk = Conversation(rules, "A", {"to": 1}, Limits())
    player = Player(lambda _seat: First(), "first")
    lines: list[tuple[str, dict[str, Any]]] = []

    def say(message: dict[str, Any]) -> dict[str, Any] | None:
        lines.append(("table", message))
        answer = player.receive(message)
        if answer is not None:
            lines.append(("bot", answer))
        return answer

    class Printed:
        def choose(self, view: View) -> str:
            answers = [say(message) for message in talk.question(view)]
            return talk.answer(json.dumps(answers[-1]).encode())

        def end(self, points: Any, winner: Any, since: Any) -> None:
            lines.append(("table", talk.end(points, winner, since)))

    say(talk.hello())
    bots: dict[str, engine.Bot] = {"A": Printed(), "B": First()}
    engine.play_match(rules, bots, b"seed", TRANSCRIPT, ["first", "first"], {"to": 1})
    hello: dict[str, Any] = lines[0][1]
    for name, first in (("rules", "name"), ("limits", "start_wall")):
        hello[name] = {first: hello[name][first]}  # the document omits the other fields
    return json.loads(json.dumps(lines))  # type: ignore[no-any-return]


def test_the_transcript_is_what_is_said() -> None:
    printed = [list(pair) for pair in transcript()]
    pairs = [list(pair) for pair in spoken()]
    total = len(printed) - 2  # then the end of the hand and the match
    assert printed[:total] == pairs[:total]
    end, bye = printed[total:]
    assert end == pairs[-1]
    assert bye == ["table", {"type": "bye"}]


def test_the_document_names_every_code_message_and_limit() -> None:
    for code in failures.CODES:
        assert f"`{code}`" in DOCUMENT
    for name in asdict(Limits()):
        assert f"`{name}`" in DOCUMENT
    for _who, message in transcript():
        for field in message:
            assert f"`{field}`" in DOCUMENT
    assert PROTOCOL in DOCUMENT


def test_a_match_leaves_no_process(is_confined: bool) -> None:
    if not is_confined:
        return
    with ProcessBot(EXAMPLES[0], RULES, "A", limits=PATIENT) as bot:
        play({"A": bot})
    assert living(str(ROOT / "examples/bots")) == []

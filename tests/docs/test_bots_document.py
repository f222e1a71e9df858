"""The figures in docs/bots/bots.md are what the command that measures writes."""

from __future__ import annotations

import re

import pytest

import engine
from benchmarks import bots, flat
from engine.bots.strong import setting
from engine.cards import CARD_NAMES, CARDS, mask_of, points_in
from engine.contest.intervals import Interval
from engine.fast.masks import HANDS, Suits


def block_of(document: str) -> str:
    return bots.BEGIN + document.partition(bots.BEGIN)[2].partition(bots.END)[0] + bots.END


def meetings_in(document: str) -> list[bots.Meeting]:
    """The rows of the tables, read back."""
    row = re.compile(
        r"\| (\S+) \| (\S+) \| ([^|]+) \| (\d+) \| ([+-][\d.]+) ± ([\d.]+) \| ([\d.]+) \|"
    )
    return [
        bots.Meeting(
            ruleset,
            bot,
            other,
            int(sets),
            Interval(float(mean), float(mean) - float(half), float(mean) + float(half), int(sets)),
            float(minutes),
        )
        for ruleset, bot, other, sets, mean, half, minutes in row.findall(document)
    ]


def in_tables(meetings: list[bots.Meeting]) -> bots.Tables:
    """The rows of the three tables: of pairs, of the other games, against flat Monte Carlo."""
    flat = [each for each in meetings if each.other in (bots.CHANCE, bots.RULE)]
    house = [each for each in meetings if each not in flat]
    pairs = [each for each in house if each.ruleset == bots.PAIRS]
    return pairs, [each for each in house if each not in pairs], flat


def test_the_figures_are_written_by_the_command() -> None:
    document = bots.DOCUMENT.read_text(encoding="utf-8")
    meetings = meetings_in(document)
    block = bots.block(in_tables(meetings), "")
    number = re.compile(r"[\d.]+ ± [\d.]+")
    lines = block_of(document).splitlines()
    new_lines = block.splitlines()
    assert len(lines) == len(new_lines)
    for line, other in zip(lines, new_lines, strict=True):
        if line.startswith("|"):
            assert number.sub("#", line) == number.sub("#", other)


def test_everybody_that_is_to_meet_has_met() -> None:
    meetings = meetings_in(bots.DOCUMENT.read_text(encoding="utf-8"))
    rows = [(each.ruleset, each.one, each.other) for each in meetings]
    pairs = [(bots.PAIRS, bot, other) for bot, other, _times in bots.PAIRINGS]
    assert rows[: len(pairs)] == pairs
    assert rows[-len(bots.FLAT) :] == [pairing[:3] for pairing in bots.FLAT]
    others = {ruleset for ruleset, _times in bots.OTHERS}
    assert {ruleset for ruleset, _one, _other in rows} == {bots.PAIRS, *others}


def least(interval: Interval) -> float:
    """The lower bound."""
    assert interval.low is not None
    return interval.low


def test_strong_beats_simple_and_simple_random_beyond_chance() -> None:
    margins = {
        (each.ruleset, each.one, each.other): each.margin
        for each in meetings_in(bots.DOCUMENT.read_text(encoding="utf-8"))
    }
    assert least(margins[bots.PAIRS, "simple", "random"]) > 0
    assert least(margins[bots.PAIRS, "quick", "simple"]) > 0
    assert least(margins[bots.PAIRS, "strong", "simple"]) > 0
    assert least(margins["arrastrado", "strong", "simple"]) > 0


def test_the_command_plays_and_fills_the_document() -> None:
    meetings = [
        bots.meet(bots.PAIRS, bot, other, 2)
        for bot, other in (("simple", "random"), (bots.SEEING, "random"))
    ]
    assert meetings[0] == bots.Meeting(
        bots.PAIRS, "simple", "random", 2, meetings[0].margin, meetings[0].milliseconds
    )
    assert bots.meet(bots.PAIRS, "simple", "random", 2).margin == meetings[0].margin
    text = bots.with_block(f"before\n{bots.BEGIN}\nold\n{bots.END}\nafter\n", "new")
    assert text == "before\nnew\nafter\n"


class Beside(engine.Chance):
    """Plays by chance; notes what the rules of thumb say here and there where trumps are oros."""

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.noted: list[tuple[str, str]] = []

    def choose(self, view: engine.View) -> str:
        if (
            view.trump == "o"
            and view.capote is None
            and not any(":" in token for token in view.legal)
        ):
            knowledge = engine.knowledge_of(view)
            suits = Suits(knowledge.trump, knowledge.players)
            game = setting.current_game(view, knowledge, suits)
            game[HANDS + suits.seat(knowledge.seat)] = mask_of(CARDS[card] for card in view.hand)
            card_name = CARD_NAMES[flat.rule_of_thumb(game, 1)]
            self.noted.append((card_name, engine.Sensible().choose(view)))
        return super().choose(view)


def trump_and_points(card: str) -> tuple[bool, int]:
    """What the rules go by; which of those that are level is played is nobody's concern."""
    return card[-1] == "o", points_in(1 << CARDS[card])


@pytest.mark.parametrize("ruleset", ["parejas-online", "arrastrado", "mano-a-mano"])
def test_hands_are_played_out_by_the_rules_of_thumb_of_simple(ruleset: str) -> None:
    rules = engine.RULESETS[ruleset]
    bot = Beside(b"thumb")
    seats = rules.seats[: rules.seat_counts[0]]
    for match in range(20):
        bots_there = dict.fromkeys(seats, bot)
        engine.play_match(rules, bots_there, b"rules", f"{match}", seats, {})
    assert len(bot.noted) > 100
    for card, other in bot.noted:
        assert trump_and_points(card) == trump_and_points(other)


@pytest.mark.slow
def test_flat_monte_carlo_beats_who_plays_at_random() -> None:
    for kind in (bots.CHANCE, bots.RULE):
        assert least(bots.meet(bots.PAIRS, kind, "random", 12).margin) > 0

#!/usr/bin/env python3
"""A small Tute bot that speaks baza-bot/1, with nothing but Python.

It declares all it can, leads aces, throws points to its partner's tricks and takes others' tricks
with the cheapest card that does. Try it: baza check-bot "python3 examples/bots/first_steps.py"
"""

import json
import sys

RANKS = "24567SCR31"  # low to high
POINTS = {"1": 11, "3": 10, "R": 4, "C": 3, "S": 2}


def rank(card):
    """The strength of a card within its suit, from 0."""
    return RANKS.index(card[0])


def points(card):
    """What a card counts."""
    return POINTS.get(card[0], 0)


def beats(card, other, trump):
    """Whether a card takes a trick that `other` is winning."""
    if card[1] == other[1]:
        return rank(card) > rank(other)
    return card[1] == trump


class Bot:
    """One seat in one match."""

    def __init__(self):
        self.side = ""
        self.trump = ""

    def hello(self, message):
        """Remember the side; say that all is ready."""
        self.side = next(side for side in message["sides"] if message["seat"] in side)
        return {"type": "ready", "protocol": message["protocol"], "name": "first steps"}

    def deal(self, message):
        """A new hand begins."""
        self.trump = message["trump"]

    def ask(self, message):
        """Answer with one of the legal tokens."""
        legal = message["legal"]
        spoken = [token for token in legal if ":" in token]
        if spoken:
            saying = self.speak(spoken, silent="" in legal)
        else:
            saying = self.play(legal, message["table"])
        return {"id": message["id"], "say": saying}

    def speak(self, spoken, silent):
        """Declare and exchange; never announce capote, claim or support a plate."""
        modest = [t for t in spoken if t.split(":")[1] not in ("capote", "101", "voy")]
        if silent and not modest:
            return ""
        return max(modest or spoken, key=lambda t: ("tute" in t, ":40" in t, t))

    def price(self, card):
        """What giving a card away costs: its points, and a trump's power."""
        return points(card) + 8 * (card[1] == self.trump), rank(card)

    def play(self, legal, table):
        """Lead an ace, feed the partner, take cheaply, or let it go."""
        if not table:
            aces = [card for card in legal if card[0] == "1" and card[1] != self.trump]
            return aces[0] if aces else min(legal, key=self.price)
        seat, best = table[0]
        for other, card in table[1:]:
            if beats(card, best, self.trump):
                seat, best = other, card
        if seat in self.side:
            return max(legal, key=lambda card: (card[1] != self.trump, points(card)))
        taking = [card for card in legal if beats(card, best, self.trump)]
        return min(taking or legal, key=self.price)


def main():
    """Read messages until the last; a type that is not known is skipped."""
    bot = Bot()
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "bye":
            break
        act = {"hello": bot.hello, "deal": bot.deal, "ask": bot.ask}.get(kind)
        answer = act(message) if act else None
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()

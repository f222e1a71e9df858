"""A table for one bot that is a program, and house bots around it."""

from collections.abc import Mapping
from typing import Any

import engine
from engine.bots.base import Bot
from engine.bots.table import play_match
from engine.view import View

RULES = engine.RULESETS["parejas-online"]


def play(bots: Mapping[str, Bot], deals: int = 1, rules: engine.Ruleset = RULES) -> dict[str, Any]:
    """A seeded match; the seats not named are taken by the random bot."""
    seated: dict[str, Bot] = {seat: engine.Chance(seat.encode()) for seat in rules.seats}
    seated.update(bots)
    length = {"to": 1} if rules.race_to else {"deals": deals}
    return play_match(rules, seated, b"seed", "zoo", list("wxyz")[: rules.seat_count], length)


def views(rules: engine.Ruleset = RULES, seat: str = "A") -> list[View]:
    """All that a seat is shown in a seeded match of one hand."""
    view_list: list[View] = []

    class Watcher(engine.Chance):
        def choose(self, view: View) -> str:
            view_list.append(view)
            return super().choose(view)

    play({seat: Watcher(b"watch")}, rules=rules)
    return view_list

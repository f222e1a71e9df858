"""The bots of the house by name: one file and one row each."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Final

from engine.bots.base import Bot
from engine.bots.chance import Chance
from engine.bots.sensible import Sensible


def _strong(level: str, seed: bytes) -> Bot:
    """The strong bot, whose compiled part is loaded when it first sits down."""
    strong = import_module("engine.bots.strong")
    bot: Bot = strong.Strong(strong.LEVELS[level], seed)
    return bot


HOUSE_BOTS: Final[dict[str, Callable[[bytes], Bot]]] = {
    "random": Chance,
    "simple": Sensible,
    "quick": partial(_strong, "quick"),
    "strong": partial(_strong, "strong"),
    "deep": partial(_strong, "deep"),
}
"""Each is made from the bytes of its seed, from the weakest to the strongest."""


def warm_bots() -> None:
    """Compile what quick, strong and deep play with, or load what was compiled.

    A worker calls it before it holds anything that others wait for: it takes seconds the first time
    that a user's account does so, about one in each process after that. Without numba there is
    nothing to wait for.
    """
    import_module("engine.bots.strong")
    solver = import_module("engine.solver")
    solver.warm_solver()

"""The bots of the house by name: one file and one row each."""

from collections.abc import Callable
from typing import Final

from engine.bots.base import Bot
from engine.bots.chance import Chance
from engine.bots.sensible import Sensible

HOUSE_BOTS: Final[dict[str, Callable[[bytes], Bot]]] = {"random": Chance, "simple": Sensible}
"""Each is made from the bytes of its seed."""

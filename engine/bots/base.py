"""What a bot is: something that answers a view with one of its legal tokens."""

from typing import Final, Protocol

from engine.view import View

SILENCE: Final = ""
"""The answer of a bot that could declare and does not."""


class Bot(Protocol):
    """A player. It is told what its seat may know and never the seed of the deal."""

    def choose(self, view: View) -> str:
        """One of ``view.legal``: a card when in turn, a declaration or silence when asked."""
        ...

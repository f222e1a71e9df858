"""The interface of a bot: it answers a view with one of its legal tokens."""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol, runtime_checkable

from engine.view import View

SILENCE: Final = ""
"""The answer of a bot that could declare and does not."""


class Bot(Protocol):
    """A player of one seat: it receives what the seat may know, never the seed of the deal."""

    def choose(self, view: View) -> str:
        """One of ``view.legal``: a card when in turn, a declaration or silence when asked."""
        ...


@runtime_checkable
class Listener(Protocol):
    """A bot that also receives the result of each hand in which it was asked anything."""

    def end(
        self, points: Mapping[str, int], winner: str | None, since: Sequence[tuple[str, str]]
    ) -> None:
        """Receives the result; ``since`` are the events after its last question."""
        ...


@runtime_checkable
class Closeable(Protocol):
    """A bot that holds something which has to be let go after its match, such as a program."""

    def close(self) -> None:
        """Let it go; calling it twice does no harm."""
        ...

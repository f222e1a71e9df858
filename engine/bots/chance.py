"""The random bot: any legal card, and every second declaration."""

import random
from typing import Final

from engine.view import View

BOLD: Final = frozenset({"capote", "101", "voy"})
"""What stakes the whole hand on itself."""

BOLDNESS: Final = 10
"""One in this number of questions that admit a bold answer gets one: more would end most hands."""


class Chance:
    """Plays evenly at random from its own seed: the floor that every other bot is measured from."""

    def __init__(self, seed: bytes) -> None:
        self._random = random.Random(seed)  # noqa: S311 - a card game's whim, not a secret

    def choose(self, view: View) -> str:
        """Any legal token, each as likely but for the bold ones."""
        meek = [token for token in view.legal if token.partition(":")[2] not in BOLD]
        if len(meek) < len(view.legal) and self._random.randrange(BOLDNESS):
            return self._random.choice(meek)
        return self._random.choice(view.legal)

"""The random bot: any legal card, and every second declaration."""

import random

from engine.view import View


class Chance:
    """Plays evenly at random from its own seed: the floor that every other bot is measured from."""

    def __init__(self, seed: bytes) -> None:
        self._random = random.Random(seed)  # noqa: S311 - a card game's whim, not a secret

    def choose(self, view: View) -> str:
        """Any legal token, each as likely."""
        return self._random.choice(view.legal)

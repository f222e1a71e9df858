"""The strong bot: it deals the cards it cannot see as they may lie, and plays these hands out.

``docs/bots.md`` tells how it plays. :mod:`~engine.bots.strong.player` sits at the table,
:mod:`~engine.bots.strong.setting` writes down what it knows, :mod:`~engine.bots.strong.thinking`
takes the time; the rest of that is :mod:`~engine.bots.strong.playing`, the rules, and
:mod:`~engine.bots.strong.judging`, how cards are judged, with learnt weights.
"""

from engine.bots.strong.player import DEEP, LEVELS, QUICK, STRONG, Level, Strong, Thought

__all__ = ["DEEP", "LEVELS", "QUICK", "STRONG", "Level", "Strong", "Thought"]

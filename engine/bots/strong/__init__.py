"""The strong bot: it samples the hidden cards and plays each sampled deal out.

``docs/bots/bots.md`` explains how it plays. :mod:`~engine.bots.strong.player` is the bot,
:mod:`~engine.bots.strong.setting` converts what it knows to arrays,
:mod:`~engine.bots.strong.thinking` is the compiled search, with the rules in
:mod:`~engine.bots.strong.playing` and the evaluation of cards in
:mod:`~engine.bots.strong.judging`; :mod:`~engine.bots.strong.beliefs` weighs sampled deals by the
learnt :mod:`~engine.bots.strong.policy`.
"""

from engine.bots.strong.player import DEEP, LEVELS, QUICK, STRONG, Level, Search, Strong

__all__ = ["DEEP", "LEVELS", "QUICK", "STRONG", "Level", "Search", "Strong"]

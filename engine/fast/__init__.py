"""The fast lane: the rules of :mod:`engine.state` once more, over masks and without values.

Private to the engine. It says only whether a hand is in order and what it came to; whatever it
does not accept goes through the readable core, which explains. Tests hold the two equal.

:mod:`~engine.fast.fast_replay` takes one hand and needs nothing. :mod:`~engine.fast.auditing` takes
many records: read by their shape (``shapes``, ``heads``, ``plays``), judged in lock step over
arrays (``lockstep``), counted (``judged``). It alone needs numpy, so nothing imports it unasked.
"""

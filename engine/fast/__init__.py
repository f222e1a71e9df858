"""Fast replay: the rules of :mod:`engine.state` again, over bit masks and arrays.

Private to the engine. It answers only whether a hand is valid and its result; a hand that it does
not accept is replayed by the core, which explains the fault. Tests hold the two equal.

:mod:`~engine.fast.fast_replay` takes one hand and needs nothing. :mod:`~engine.fast.auditing` takes
many records: read by their shape (``shapes``, ``heads``, ``plays``), judged in lock step over
arrays (``lockstep``), counted (``judged``). It needs numpy, so it is imported only when used.
"""

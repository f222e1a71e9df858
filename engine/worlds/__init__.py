"""Computes what a seat knows of the hidden cards, and samples deals that agree with it.

:func:`knowledge_of` reads a view, :func:`knowledge_at` a moment of a record; neither looks at a
card that the seat has not seen. :func:`sample_worlds` draws worlds: what the other hands, and the
stock, may be.
"""

from engine.worlds.knowledge import (
    HoldingPeriod,
    Knowledge,
    PlayedCard,
    gather_knowledge,
    knowledge_at,
    knowledge_of,
)
from engine.worlds.sampling import NoWorldError, World, every_world, sample_worlds

__all__ = [
    "HoldingPeriod",
    "Knowledge",
    "NoWorldError",
    "PlayedCard",
    "World",
    "every_world",
    "gather_knowledge",
    "knowledge_at",
    "knowledge_of",
    "sample_worlds",
]

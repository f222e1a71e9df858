"""Matches between bots: deal sets, series of deal sets, and the statistics of their results."""

from typing import Final

ORDERS: Final = ("rotations", "permutations")
"""How the seats change within a deal set."""

MODELS: Final = ("points", "logistic", "normalized")
"""What the bounds of a sequential test are: points a match, Elo, normalized Elo."""

"""What matches between bots come to: deal sets, series of them, and how sure their results are."""

from typing import Final

ORDERS: Final = ("rotations", "permutations")
"""How the seats change within a deal set."""

MODELS: Final = ("points", "logistic", "normalized")
"""What the bounds of a sequential test are: points a match, Elo, normalized Elo."""

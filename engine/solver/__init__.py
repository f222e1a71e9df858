"""The exact solver: what open cards are worth with best play on both sides.

Games of two sides, all cards known, nothing left to draw. Values are differences of points for the
side in turn, from here on: card points and the last ten, no declarations to come. The search is
compiled where numba is installed (:mod:`engine.solver.fast`), which is loaded on first use; a
service calls :func:`warm` before anybody waits. :mod:`engine.solver.plain` does the same slowly.
"""

from engine.solver.answers import (
    Solution,
    along,
    is_compiled,
    par,
    solve,
    values,
    values_along,
    values_in,
    warm,
)
from engine.solver.moments import Moment, SolverError, deal_from_dict, moment_of

__all__ = [
    "Moment",
    "Solution",
    "SolverError",
    "along",
    "deal_from_dict",
    "is_compiled",
    "moment_of",
    "par",
    "solve",
    "values",
    "values_along",
    "values_in",
    "warm",
]

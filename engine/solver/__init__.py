"""The exact solver: what open cards are worth with best play on both sides.

Games of two sides, all cards known, nothing left to draw. Values are differences of points for the
side in turn, from here on: card points and the last ten, no declarations to come. The search is
compiled where numba is installed (:mod:`engine.solver.fast`), which is loaded on first use; a
worker calls :func:`warm_solver` when it starts. :mod:`engine.solver.plain` is the same search in
plain Python.
"""

from engine.solver.answers import (
    Solution,
    card_values,
    lines_along,
    margins_along,
    par_of_deal,
    reached_in,
    solve,
    values_along,
    values_in,
    warm_solver,
)
from engine.solver.moments import Moment, SolverError, deal_from_dict, moment_of

__all__ = [
    "Moment",
    "Solution",
    "SolverError",
    "card_values",
    "deal_from_dict",
    "lines_along",
    "margins_along",
    "moment_of",
    "par_of_deal",
    "reached_in",
    "solve",
    "values_along",
    "values_in",
    "warm_solver",
]

"""Compiled where numba is installed, interpreted where it is not: the same source, the same choice.

What is compiled is kept where the solver keeps its own (:mod:`engine.solver.compiling`). Without
numba a choice takes some hundred times as long.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from engine.solver.answers import is_compiled

_Function = TypeVar("_Function", bound=Callable[..., Any])

__all__ = ["COMPILED", "compiled", "fractions", "part", "whole_numbers"]

COMPILED: Final = is_compiled()

if COMPILED:
    import numpy as np

    from engine.solver.compiling import compiled, part

    def whole_numbers(numbers: list[int]) -> Any:
        """A row of whole numbers that compiled code reads and writes."""
        return np.array(numbers, np.int64)

    def fractions(numbers: list[float]) -> Any:
        """A row of fractions."""
        return np.array(numbers, np.float64)

else:

    def compiled(signature: str) -> Callable[[_Function], _Function]:
        """Leave a function as it is."""
        del signature
        return part()

    def part(*, inline: bool = False) -> Callable[[_Function], _Function]:
        """Leave a function as it is."""
        del inline
        return lambda function: function

    def whole_numbers(numbers: list[int]) -> Any:
        """A row of whole numbers."""
        return list(numbers)

    def fractions(numbers: list[float]) -> Any:
        """A row of fractions."""
        return list(numbers)

"""Why two meet, or one rests, where one is out at the third cero."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "ceros_equal": (
            "{0} y {1} tienen los mismos ceros ({ceros}) y puntos parecidos.",
            "{0} and {1} have as many ceros ({ceros}) and nearly the same points.",
        ),
        "ceros_near": (
            "{0} ({ceros} ceros) y {1} ({other}): los más parecidos que aún no se han enfrentado.",
            "{0} ({ceros} ceros) and {1} ({other}): the most equal who have not met yet.",
        ),
        "ceros_again": (
            "{0} y {1} repiten (van {before}): ya no se puede evitar.",
            "{0} and {1} meet again (after {before}): it can no longer be avoided.",
        ),
        "ceros_rest": (
            "{0} descansa: son impares; lleva {byes} descansos y {ceros} ceros.",
            "{0} rests, the field being odd: {byes} byes and {ceros} ceros so far.",
        ),
    }
)

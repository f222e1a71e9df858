"""Why two meet, or one rests, in a ladder."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "ladder_first": (
            "{0} y {1} no se han enfrentado todavía.",
            "{0} and {1} have not met yet.",
        ),
        "ladder_again": (
            "Encuentros de {0} y {1} hasta ahora: {met}. Así los de todos quedan muy parejos.",
            "Meetings of {0} and {1} so far: {met}. So those of all stay as equal as can be.",
        ),
        "ladder_rest": (
            "{0} descansa, porque son impares. Descansos hasta ahora: {rests}.",
            "{0} rests, the field being odd. Rests so far: {rests}.",
        ),
    }
)

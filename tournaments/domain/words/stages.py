"""Why somebody rests who asked to."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "asked_bye": (
            "{0} descansa porque lo ha pedido.",
            "{0} rests, as asked for.",
        ),
    }
)

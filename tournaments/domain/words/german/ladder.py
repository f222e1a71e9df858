"""German: the ladder."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "ladder_first": "{0} und {1} sind sich noch nicht begegnet.",
        "ladder_again": "Begegnungen von {0} und {1} bisher: {met}. So bleiben die aller so gleich wie möglich.",  # noqa: E501
        "ladder_rest": "{0} ist spielfrei, weil das Feld ungerade ist. Bisher spielfrei: {rests}.",
    }
)

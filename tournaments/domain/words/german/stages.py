"""German: what holds in every format."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "pinned": "Die Turnierleitung hat diesen Tisch festgelegt: {all}.",
        "late_entry": "{0} kam spät und spielt gegen {1}, sonst spielfrei.",
        "asked_bye": "{0} ist wie gewünscht spielfrei.",
    }
)

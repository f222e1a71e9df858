"""German: what holds in every format."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "pinned": "Die Turnierleitung hat diesen Tisch festgelegt: {all}.",
        "late_entry": "{0} kam spät und spielt gegen {1}, sonst spielfrei.",
        "seeding_lot": "Die Reihenfolge wurde ausgelost; ohne Los gesetzt: {seeded}.",
        "seeding_rating": "Nach Wertungszahl oder voriger Phase; Gleiche durch das Los.",
        "seeding_manual": "In der Reihenfolge, die die Turnierleitung eingegeben hat.",
        "same_origin": "{0} und {1} haben eine Herkunft ({origin}), es ging nicht anders.",
        "asked_bye": "{0} ist wie gewünscht spielfrei.",
    }
)

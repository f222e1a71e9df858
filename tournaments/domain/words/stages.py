"""What is not for the format to say: tables that were fixed, byes that were asked for."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "pinned": (
            "La organización ha fijado esta mesa: {all}.",
            "The director has fixed this table: {all}.",
        ),
        "late_entry": (
            "{0} ha llegado tarde y juega con {1}, que iba a descansar.",
            "{0} came late and plays against {1}, who would have rested.",
        ),
        "asked_bye": (
            "{0} descansa porque lo ha pedido.",
            "{0} rests, as asked for.",
        ),
    }
)

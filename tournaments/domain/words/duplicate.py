"""Why two pairs meet over some deals, or a pair rests, in a duplicate movement."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

TEXTS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "duplicate_howell": (
            "Ronda {round} del movimiento Howell: {0} y {1} juegan los repartos {deals}.",
            "Round {round} of the Howell movement: {0} and {1} play deals {deals}.",
        ),
        "duplicate_mitchell": (
            "Ronda {round} del movimiento Mitchell: {0} y {1} juegan los repartos {deals}.",
            "Round {round} of the Mitchell movement: {0} and {1} play deals {deals}.",
        ),
        "duplicate_filled": (
            (
                "Una de las dos parejas, {0} o {1}, ocupa por esta ronda un sitio vacío del"
                " movimiento; ninguna conocía los repartos {deals}."
            ),
            (
                "One of {0} and {1} fills in for this round on an empty seat of the movement;"
                " neither knew deals {deals}."
            ),
        ),
        "duplicate_late": (
            (
                "{0} y {1} llegaron con el movimiento completo y juegan en una mesa aparte los"
                " repartos {deals}, que ninguna conoce."
            ),
            (
                "{0} and {1} came when the movement was full and play deals {deals}, which neither"
                " knows, at a table of their own."
            ),
        ),
        "duplicate_rest": (
            "{0} descansa: en esta ronda no tiene enfrente a nadie con quien le toque jugar.",
            "{0} sits out: nobody whom they are due to play is opposite in this round.",
        ),
    }
)

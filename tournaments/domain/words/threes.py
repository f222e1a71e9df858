"""Why three sit together, or somebody rests, at tables of three."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

TEXTS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "threes_new": (
            "{0}, {1} y {2} no habían coincidido en una mesa.",
            "{0}, {1} and {2} have not shared a table before.",
        ),
        "threes_again": (
            (
                "{0} y {1} ya habían coincidido (hasta ahora, {times}): no se ha hallado un reparto"
                " mejor para las rondas que quedan."
            ),
            (
                "{0} and {1} have shared a table before (so far: {times}): no better arrangement of"
                " the remaining rounds was found."
            ),
        ),
        "threes_apart": (
            "{0} y {1} no debían coincidir en una mesa, y no se ha podido evitar.",
            "{0} and {1} should not share a table, and it could not be avoided.",
        ),
        "threes_rest": (
            "{0} descansa: las mesas son de tres y sobran {spare} (hasta ahora, {times}).",
            "{0} sits out: tables are of three and {spare} are left over (so far: {times}).",
        ),
        "threes_replanned": (
            (
                "Han cambiado los presentes y se han replanteado las rondas que quedan: encuentros"
                " repetidos al final, {repeats} (con el plan anterior, {repeats_before});"
                " diferencia de descansos, {sit_outs} (antes, {sit_outs_before})."
            ),
            (
                "Players have come or gone, and the remaining rounds were planned anew: repeated"
                " meetings by the end, {repeats} (under the plan before, {repeats_before});"
                " difference in sit-outs, {sit_outs} (before, {sit_outs_before})."
            ),
        ),
    }
)

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
        "seeding_lot": (
            "Orden sorteado; cabezas de serie sin sortear: {seeded}.",
            "The order was drawn by lot; seeded without a lot: {seeded}.",
        ),
        "seeding_rating": (
            "Orden por puntuación o por la fase anterior; los iguales, por sorteo.",
            "In order of rating or of the stage before; equals by lot.",
        ),
        "seeding_manual": (
            "Orden apuntado por la organización.",
            "In the order that the organiser entered.",
        ),
        "same_origin": (
            "{0} y {1} tienen el mismo origen ({origin}) y no se ha podido evitar.",
            "{0} and {1} have one origin ({origin}), which could not be avoided.",
        ),
        "asked_bye": (
            "{0} descansa porque lo ha pedido.",
            "{0} rests, as asked for.",
        ),
    }
)

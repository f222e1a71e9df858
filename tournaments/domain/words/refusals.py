"""Why no round can be drawn."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "cannot_draw.too_few": (
            "Faltan participantes: hacen falta al menos {least}.",
            "Too few take part: at least {least} are needed.",
        ),
        "cannot_draw.too_many": (
            "Son demasiados: caben {most}.",
            "Too many take part: {most} at most.",
        ),
        "cannot_draw.stage_over": (
            "No queda nada por sortear.",
            "There is nothing left to draw.",
        ),
        "cannot_draw.waiting": (
            "Faltan resultados; (ronda, mesa): {tables}.",
            "Results are missing; (round, table): {tables}.",
        ),
        "cannot_draw.bad_size": (
            "Con este número de participantes no se puede.",
            "It cannot be done with so many entrants.",
        ),
        "cannot_draw.shared_place": (
            "Comparten el último puesto que pasa: {entrants}.",
            "They share the last place that goes on: {entrants}.",
        ),
        "cannot_draw.too_many_rounds": (
            "Son demasiadas rondas: una fase tiene {most} como mucho.",
            "There are too many rounds: a stage has {most} at most.",
        ),
        "cannot_draw.order_missing": (
            "Falta apuntar el orden del sorteo.",
            "The order of the draw has not been entered.",
        ),
    }
)

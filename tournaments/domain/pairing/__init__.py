"""The formats a stage can have, by name. A new one is a file and a row here."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tournaments.domain.pairing import (
    double,
    duplicate,
    groups,
    individual,
    knockout,
    ladder,
    liguilla,
    lives,
    repesca,
    swiss,
    tables,
    threes,
)
from tournaments.domain.pairing.base import (
    CannotDraw,
    Draw,
    Field,
    Format,
    Meetings,
    Pairing,
    PairingReason,
)
from tournaments.domain.pairing.berger import berger

FORMATS: Final[Mapping[str, Format]] = MappingProxyType(
    {
        format_.name: format_
        for format_ in (
            liguilla.FORMAT,
            groups.FORMAT,
            knockout.FORMAT,
            double.FORMAT,
            repesca.FORMAT,
            lives.FORMAT,
            swiss.FORMAT,
            individual.FORMAT,
            threes.FORMAT,
            tables.FORMAT,
            duplicate.FORMAT,
            ladder.FORMAT,
        )
    }
)

__all__ = [
    "FORMATS",
    "CannotDraw",
    "Draw",
    "Field",
    "Format",
    "Meetings",
    "Pairing",
    "PairingReason",
    "berger",
]

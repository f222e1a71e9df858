"""The formats a stage can have, by name. A new one is a file and a row here."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tournaments.domain.pairing.base import Format, Pairing, Round
from tournaments.domain.pairing.berger import berger

FORMATS: Final[Mapping[str, Format]] = MappingProxyType({"liguilla": berger})

__all__ = ["FORMATS", "Format", "Pairing", "Round", "berger"]

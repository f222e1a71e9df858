"""The criteria that can stand in an order, by code. A new one is a row in one of three files."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tournaments.domain.tiebreaks import among, opponents, own
from tournaments.domain.tiebreaks.base import Criterion, Family, Tally, Term, Terms, TiedPart, total
from tournaments.domain.tiebreaks.own import MATCH_POINTS

CRITERIA: Final[Mapping[str, Criterion]] = MappingProxyType(
    {
        criterion.code: criterion
        for criterion in (*own.CRITERIA, *opponents.CRITERIA, *among.CRITERIA)
    }
)

__all__ = [
    "CRITERIA",
    "MATCH_POINTS",
    "Criterion",
    "Family",
    "Tally",
    "Term",
    "Terms",
    "TiedPart",
    "total",
]

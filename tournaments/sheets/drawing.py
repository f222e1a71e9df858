"""The drawing function for each kind of paper."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from tournaments.sheets import rows
from tournaments.sheets.brackets import bracket
from tournaments.sheets.codes import codes
from tournaments.sheets.crosstables import crosstable
from tournaments.sheets.diplomas import diplomas
from tournaments.sheets.guides import guide_cards
from tournaments.sheets.pairings import pairings_by_name, pairings_by_table
from tournaments.sheets.paper import Paper
from tournaments.sheets.score_sheets import score_sheets
from tournaments.sheets.standings import standings
from tournaments.sheets.table_cards import table_cards

DRAWN: Final[Mapping[type, Callable[[Paper, Any], None]]] = MappingProxyType(
    {
        rows.PairingsByTable: pairings_by_table,
        rows.PairingsByName: pairings_by_name,
        rows.TableCards: table_cards,
        rows.ScoreSheets: score_sheets,
        rows.Standings: standings,
        rows.Crosstable: crosstable,
        rows.Bracket: bracket,
        rows.GuideCards: guide_cards,
        rows.Diplomas: diplomas,
        rows.Codes: codes,
    }
)

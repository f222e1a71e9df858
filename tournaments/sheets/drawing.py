"""The drawing function for each kind of paper."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from tournaments.sheets import rows
from tournaments.sheets.accounts import draw_account
from tournaments.sheets.brackets import draw_bracket
from tournaments.sheets.codes import draw_codes
from tournaments.sheets.crosstables import draw_crosstable
from tournaments.sheets.deals import draw_deal_record, draw_seat_slips, draw_travelling_slips
from tournaments.sheets.diplomas import draw_diplomas
from tournaments.sheets.guides import draw_guide_cards
from tournaments.sheets.pairings import draw_pairings_by_name, draw_pairings_by_table
from tournaments.sheets.paper import Paper
from tournaments.sheets.personal import draw_personal_sheets
from tournaments.sheets.posters import draw_poster
from tournaments.sheets.score_sheets import draw_score_sheets
from tournaments.sheets.standings import draw_standings
from tournaments.sheets.table_cards import draw_table_cards
from tournaments.sheets.week import draw_week

DRAW_FUNCTIONS: Final[Mapping[type, Callable[[Paper, Any], None]]] = MappingProxyType(
    {
        rows.PairingsByTable: draw_pairings_by_table,
        rows.PairingsByName: draw_pairings_by_name,
        rows.TableCards: draw_table_cards,
        rows.ScoreSheets: draw_score_sheets,
        rows.Standings: draw_standings,
        rows.Crosstable: draw_crosstable,
        rows.Bracket: draw_bracket,
        rows.GuideCards: draw_guide_cards,
        rows.Diplomas: draw_diplomas,
        rows.Codes: draw_codes,
        rows.Poster: draw_poster,
        rows.Account: draw_account,
        rows.TravellingSlips: draw_travelling_slips,
        rows.DealRecord: draw_deal_record,
        rows.SeatSlips: draw_seat_slips,
        rows.PersonalSheets: draw_personal_sheets,
        rows.WeekSheet: draw_week,
    }
)

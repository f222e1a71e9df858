"""Named sets of rules for a table: what a club picks instead of listing criteria.

The messages ``profile.<code>`` and ``profile.<code>.for`` are the name of a profile and what it
consists of; `docs/clubs/standings.md` says where each comes from.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from tournaments.domain.rows import Edition, Points, Scale, Scoring, StageRules

CHESS: Final = Scale(
    win=Points(1),
    tie=Points(1, 2),
    bye=Points(1),
    full=Points(1),
    half=Points(1, 2),
    forfeit_win=Points(1),
)
"""One point a win, a half a draw; a pairing bye is a win."""

ALL_PLAY_ALL: Final = Scale(bye=Points(0))
"""Two a win, one a tie; a free round gives nothing."""

NO_BYES: Final = replace(ALL_PLAY_ALL, full=Points(0), half=Points(0))
"""Two a win, one a tie; no round without a match gives anything."""

THREE_ONE: Final = Scale(
    win=Points(3),
    tie=Points(1),
    bye=Points(3),
    full=Points(3),
    half=Points(1),
    forfeit_win=Points(3),
)
"""Three a win, one a draw."""


@dataclass(frozen=True, slots=True)
class Profile:
    """An order of criteria after the match points, with the scale and edition that go with it.

    ``formats`` are those it is meant for; empty: for any.
    """

    code: str
    order: tuple[str, ...]
    scale: Scale = Scale()
    formats: tuple[str, ...] = ()
    scoring: Scoring = Scoring.MATCH
    edition: Edition = Edition.E2026
    lots: bool = False

    def applied_to(self, rules: StageRules) -> StageRules:
        """Return the rules of a stage with this profile's order, scale, edition and lots."""
        return replace(
            rules,
            order=self.order,
            scale=self.scale,
            scoring=self.scoring,
            edition=self.edition,
            lots=self.lots,
        )


FIDE_SWISS: Final = (
    "buchholz_cut1",
    "buchholz",
    "sonneborn_berger",
    "direct_encounter",
    "wins",
)

SWISS: Final = ("swiss",)
LIGUILLA: Final = ("liguilla", "groups")

PROFILES: Final[Mapping[str, Profile]] = MappingProxyType(
    {
        profile.code: profile
        for profile in (
            Profile(
                "tute_swiss",
                (
                    "buchholz_cut1",
                    "direct_encounter",
                    "hand_difference",
                    "point_difference",
                    "won",
                ),
                formats=SWISS,
            ),
            Profile(
                "tute_league",
                ("direct_encounter", "hand_difference", "point_difference", "sonneborn_berger"),
                ALL_PLAY_ALL,
                LIGUILLA,
                lots=True,
            ),
            Profile("fide_swiss_2026", FIDE_SWISS, CHESS, SWISS),
            Profile("fide_swiss_2024", FIDE_SWISS, CHESS, SWISS, edition=Edition.E2024),
            Profile(
                "fide_round_robin",
                ("direct_encounter", "wins", "sonneborn_berger", "koya"),
                replace(CHESS, bye=Points(0)),
                LIGUILLA,
            ),
            Profile(
                "mus_league",
                ("hands_for", "direct_encounter"),
                ALL_PLAY_ALL,
                LIGUILLA,
                lots=True,
            ),
            Profile(
                "padel",
                (
                    "direct_of_two",
                    "mini_hand_difference",
                    "direct_of_two",
                    "mini_point_difference",
                    "direct_of_two",
                ),
                ALL_PLAY_ALL,
                LIGUILLA,
                lots=True,
            ),
            Profile(
                "carrom_swiss",
                ("opponents_points", "point_difference", "points_for"),
                formats=SWISS,
            ),
            Profile("carrom_league", ("point_difference", "points_for"), ALL_PLAY_ALL, LIGUILLA),
            Profile(
                "bridge_swiss",
                (
                    "direct_encounter",
                    "mini_point_difference",
                    "opponents_points",
                    "point_difference",
                ),
                formats=SWISS,
                scoring=Scoring.VICTORY,
            ),
            Profile(
                "bridge_individual",
                ("opponents_partners", "point_difference", "won"),
                scoring=Scoring.POINTS,
            ),
            Profile(
                "three_players",
                ("points_for", "tables_won", "mean_table_points_of_opponents"),
                scoring=Scoring.TABLE,
            ),
            Profile(
                "best_round", ("best_round", "point_difference", "hand_difference"), formats=SWISS
            ),
            Profile("card_shop", ("opponent_match_wins",), THREE_ONE, SWISS),
            Profile(
                "ladder",
                ("mean_match_points", "direct_encounter", "point_difference"),
                NO_BYES,
                ("ladder",),
            ),
            Profile("knockout", ()),
        )
    }
)

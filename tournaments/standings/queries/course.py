"""How entries came to their places: the last results of each, and the places before a round."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tournaments.domain.ledger import Game, RoundKind
from tournaments.domain.pairing import FORMATS
from tournaments.domain.ranking import tables
from tournaments.domain.rows import Stage, TournamentRows
from tournaments.domain.tiebreaks import Tally

LAST_RESULTS: Final = 5
"""Results of an entry that its line of the standings shows, the latest last."""


def outcome_of(game: Game) -> str:
    """Return ``won``, ``tied`` or ``lost``; if both sides were absent, both have lost.

    Empty for a bye that is no win.
    """
    if game.won:
        return "won"
    return "lost" if game.lost else "tied" if game.kind is RoundKind.PLAYED else ""


@dataclass(frozen=True, slots=True)
class Course:
    """The sums of a stage, and the places before its last round by entrant; neither before it."""

    tally: Tally | None = None
    places: Mapping[int, int] = field(default_factory=dict)

    def climbed(self, entrant: int, place: int) -> int | None:
        """Return the places that an entrant has won since the last round."""
        before = self.places.get(entrant)
        return None if before is None else before - place

    def outcomes(self, entrant: int) -> tuple[str, ...]:
        """Return the outcomes of an entrant's last matches, the latest last."""
        games = () if self.tally is None else self.tally.games(entrant)
        outcomes = [outcome for game in games if (outcome := outcome_of(game))]
        return tuple(outcomes[-LAST_RESULTS:])


def course_of(rows: TournamentRows, stage: Stage, tally: Tally) -> Course:
    """Return the course of a stage.

    It has no places before its second round with a result, and none in a knock-out, where those who
    are still in share a place.
    """
    played = {
        game.round
        for entrant in stage.entrants
        for game in tally.games(entrant)
        if game.kind is RoundKind.PLAYED
    }
    if len(played) < 2 or FORMATS[stage.format].ranking is not None:
        return Course(tally)
    before = tables(rows, stage, max(played) - 1)
    return Course(tally, {line.entrant: line.rank for table in before for line in table.lines})

"""The table of a match, of which the recorder makes its record."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import find_match
from tournaments.core.permissions import Actor
from tournaments.director.queries.state import refuse_unless_open
from tournaments.models import Match
from tournaments.results.queries.matches import MatchPage, match_page

PAIRS: Final = 4  # players at a table of two pairs
LENGTHS: Final = ("to", "deals")  # options that the deals of a duplicate table replace


@dataclass(frozen=True, slots=True)
class RecorderPage:
    """The start of the recorder: ``orders`` are the ways to sit, names in playing order.

    ``ruleset``, ``options`` and ``tags`` are those of the record.
    """

    match: MatchPage
    ruleset: str
    options: Mapping[str, Any]
    tags: Mapping[str, str]
    orders: tuple[tuple[str, ...], ...]


def recorder_page(pk: int, viewer: Actor) -> RecorderPage:
    """Return the page to record the hands of a match: a match page's queries and one.

    Refuses NOT_FOUND, NOTHING_TO_PLAY, and SIGN_IN or FORBIDDEN to people who may not submit a
    record.
    """
    page = match_page(pk, viewer)
    refuse_unless_open(page.may, "submit", viewer)
    match = find_match(pk, viewer)
    if match.away is None:
        raise Refusal(Reason.NOTHING_TO_PLAY)
    tournament = match.tournament
    options = dict(tournament.options)
    if match.boards:
        options = {name: value for name, value in options.items() if name not in LENGTHS}
        options["deals"] = len(match.boards)
    tags = {
        "event": tournament.name,
        "round": str(match.round.number),
        "table": str(match.table),
    }
    return RecorderPage(page, tournament.ruleset, options, tags, orders_of(match))


def orders_of(match: Match) -> tuple[tuple[str, ...], ...]:
    """Return the ways to sit at a table in playing order, home first: two, or one for two players.

    The dealer is recorded separately, so rotations count as one way.
    """
    sides = match.names
    if sum(map(len, sides)) == PAIRS:
        (first, third), (second, fourth) = sides
        return (first, second, third, fourth), (first, fourth, third, second)
    names = tuple(name for side in sides for name in side)
    return (names,) if len(names) < PAIRS - 1 else (names, (names[0], names[2], names[1]))

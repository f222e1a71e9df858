"""Matches of deal sets: records that bots have played, one after another, until all is decided.

The records are numbered over sets and ways of sitting; each says by its tags which deals it was
played with (``deals``, the label that they were drawn under) and which ``seating`` it is. What was
taken stays, so that an attempt that is repeated goes on with the next one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import engine
from tournaments.domain.seating import sides_of
from tournaments.domain.sets import DealSet, ends_after, sets_of, tally
from tournaments.errors import Reason, Refusal
from tournaments.models import Match, Record, Result
from tournaments.models.matches import SIDES
from tournaments.permissions import Actor
from tournaments.queries.sets import parts_of
from tournaments.services.answers import Submitted
from tournaments.services.results import end_lease, replace_result, score_facts
from tournaments.services.sent import Sent

DEALS: Final = "deals"
SEATING: Final = "seating"
"""The tags of a record that say which it is: the label of its deals, and the seating from 1."""


class Place(NamedTuple):
    """Which record of a match of deal sets: the set and the seating, both from 1.

    ``order`` says which side of the match plays each side of the table.
    """

    number: int
    set: int
    seating: int
    order: tuple[int, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        """At which side of the table each side of the match sits."""
        return tuple(self.order.index(side) for side in range(len(self.order)))

    @property
    def facts(self) -> dict[str, int]:
        """What the event of a record that decides nothing tells."""
        return {"set": self.set, "seating": self.seating}

    def label(self, match: Match) -> str:
        """Return what its deals are drawn under."""
        return f"{match.label}/{self.set}"

    def tags(self, match: Match) -> dict[str, str]:
        """Return what its record says of itself."""
        return {DEALS: self.label(match), SEATING: str(self.seating)}


def place_of(match: Match, number: int) -> Place:
    """Return which set and seating a record of a match is by its number, from 1."""
    orders = engine.seatings(len(match.sides))
    before, seating = divmod(number - 1, len(orders))
    return Place(number, before + 1, seating + 1, orders[seating])


def taken(match: Match) -> int:
    """Return how many records of the match have been taken."""
    return match.records.accepted().count()


def judge_set_record(sent: Sent, closed: Refusal | None) -> Submitted:
    """Decide about a valid record of a locked match; ``closed`` is why it takes none now, if so.

    Refuses PLAYED_BY_BOTS for whoever is no worker, SETTLED where there is a result, OTHER_PART for
    a record that is not the next one.
    """
    match = sent.match
    there = list(match.records.accepted().only("digest", "home_side", "said_by"))
    if known := next(filter(sent.says_the_same_as, there), None):
        return sent.known(known)
    place = place_of(match, len(there) + 1)
    if refusal := closed or _unwanted(sent, place):
        return sent.refused(refusal)
    row = sent.kept(place.number, is_first=True)
    sets = _sets_if_over(match, place)
    if sets is None:
        return sent.taken(row, place.facts, counts=True)
    end_lease(match)
    result = settle_sets(sent.actor, match, row, sets)
    return sent.taken(row, score_facts(result), counts=True)


def settle_sets(actor: Actor, match: Match, last: Record, sets: Iterable[DealSet]) -> Result:
    """Give a match the result that its sets come to."""
    sets = tuple(sets)
    return replace_result(
        actor,
        match,
        tally(sets, len(match.sides)),
        depth=Result.Depth.RECORD,
        counts=True,
        record=last,
        hand_scores=set_rows(sets),
    )


def set_rows(sets: Iterable[DealSet]) -> tuple[dict[str, Any], ...]:
    """Return sets as a result keeps them: the points of each side, and who won it (or nobody)."""
    return tuple(
        {
            **dict(zip(SIDES, one.points, strict=False)),
            **({} if one.winner is None else {"winner": SIDES[one.winner]}),
        }
        for one in sets
    )


def _sets_if_over(match: Match, place: Place) -> tuple[DealSet, ...] | None:
    """Return the sets of a match that is over with a record, else nothing."""
    tournament = match.tournament
    is_last = place.seating == len(match.sides)
    if not is_last or not (tournament.stop or place.set == tournament.deal_sets):
        return None
    sets = sets_of(parts_of(match))
    over = ends_after(sets, tournament.deal_sets, tournament.stop)
    return None if over is None else sets[:over]


def _unwanted(sent: Sent, place: Place) -> Refusal | None:
    """Return why a record is not taken as the next one, if it is not."""
    match, record = sent.match, sent.reading.record
    if sent.source != Record.Source.BOT or record is None:
        return Refusal(Reason.PLAYED_BY_BOTS)
    if match.results.live().exists():
        return Refusal(Reason.SETTLED)
    if is_at(match, place, record, sent.side):
        return None
    said = " ".join(str(value) for value in _told(record).values() if value)[:100]
    return Refusal(Reason.OTHER_PART, expected=place.number, found=said)


def is_at(match: Match, place: Place, record: engine.Record, side: str) -> bool:
    """Tell whether a record says that it is this set and seating, and the sides sat like that."""
    sides = engine.RULESETS[match.tournament.ruleset].sides
    is_seated_so = sides_of(side) == tuple(sides[at] for at in place.seats)
    return is_seated_so and _told(record) == place.tags(match)


def _told(record: engine.Record) -> dict[str, str | None]:
    return {name: record.tags.get(name) for name in (DEALS, SEATING)}

"""Matches of several records: cotos, and deal sets of bots."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import engine
from tournaments.core.permissions import Actor
from tournaments.domain.cotos import Coto, coto_of, decided_by, tally
from tournaments.domain.scores import Score, sides_of
from tournaments.domain.sets import DealSet
from tournaments.models import Match, Record, Result, Round
from tournaments.models.matches import SIDES
from tournaments.results.services.results import replace_result, withdraw_result

# --- Cotos ----------------------------------------------------------------------------------------
# One record for each, in order, until a side has won enough. Until then the match has no result and
# stays open; the deciding coto gives it one, as the record of a match of one record does. The tag
# ``coto`` of a record is its number; without the tag it is the next coto.


TAG: Final = "coto"
"""The tag of a record with the number of its coto, from 1."""


def cotos_of(records: Iterable[Record]) -> tuple[Coto, ...]:
    """Return how the cotos of accepted records ended."""
    return tuple(coto_of(record.verdict, record.home_side) for record in records)


def standing(match: Match) -> Score | None:
    """Return the score so far of a match of several cotos; ``None`` without records."""
    if match.tournament.cotos == 1:
        return None
    records = list(match.records.accepted().order_by("coto"))
    return tally(cotos_of(records), len(match.sides)) if records else None


def coto_rows(cotos: Iterable[Coto]) -> tuple[dict[str, Any], ...]:
    """Return cotos in the form of `Result.hand_scores`: the points of each side, and the winner."""
    return tuple(
        {**dict(zip(SIDES, coto.points, strict=False)), "winner": SIDES[coto.winner]}
        for coto in cotos
    )


def settle(actor: Actor, match: Match, reason: str) -> None:
    """Give a match the result of its cotos; without enough of them the match goes on.

    Records after the deciding coto are superseded.
    """
    records = list(match.records.accepted().order_by("coto"))
    end = decided_by(cotos_of(records), match.tournament.cotos)
    if end is None:
        play_on(match)
        return
    surplus = [record.pk for record in records[end:]]
    match.records.filter(pk__in=surplus).update(state=Record.State.SUPERSEDED)
    cotos = cotos_of(records[:end])
    replace_result(
        actor,
        match,
        tally(cotos, len(match.sides)),
        depth=Result.Depth.RECORD,
        record=records[end - 1],
        reason=reason,
        hand_scores=coto_rows(cotos),
    )


def play_on(match: Match) -> None:
    """Withdraw the result of a match, if any, and let it wait for its next coto."""
    withdraw_result(match)
    is_late = match.round.state == Round.State.CLOSED and match.postponed_to is not None
    match.state = Match.State.POSTPONED if is_late else Match.State.PENDING
    match.save(update_fields=["state"])


def standing_facts(match: Match, cotos: Sequence[Coto]) -> dict[str, Any]:
    """Return the score so far, for the event of a coto that does not decide the match."""
    score = tally(cotos, len(match.sides))
    names = SIDES[: len(score.hands)]
    return {f"{name}_hands": n for name, n in zip(names, score.hands, strict=True)}


# --- Deal sets ------------------------------------------------------------------------------------
# The records are numbered over sets and seatings. Their tags name their deals (``deals``, the label
# under which they were drawn) and their ``seating``. Accepted records stay, so that a repeated
# attempt goes on with the next one.


DEALS: Final = "deals"
SEATING: Final = "seating"
"""The tags of a record with the label of its deals, and the seating from 1."""


class Place(NamedTuple):
    """A record's place in a match of deal sets: the set and the seating, both from 1.

    ``order`` gives the side of the match at each side of the table.
    """

    number: int
    set: int
    seating: int
    order: tuple[int, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        """The side of the table of each side of the match."""
        return tuple(self.order.index(side) for side in range(len(self.order)))

    @property
    def facts(self) -> dict[str, int]:
        """The facts of the event of a record that does not decide the match."""
        return {"set": self.set, "seating": self.seating}

    def label(self, match: Match) -> str:
        """Return the label under which its deals are drawn."""
        return f"{match.label}/{self.set}"

    def tags(self, match: Match) -> dict[str, str]:
        """Return the tags of its record."""
        return {DEALS: self.label(match), SEATING: str(self.seating)}


def place_of(match: Match, number: int) -> Place:
    """Return the set and seating of a match's record by its number, from 1."""
    orders = engine.seatings(len(match.sides))
    before, seating = divmod(number - 1, len(orders))
    return Place(number, before + 1, seating + 1, orders[seating])


def set_rows(sets: Iterable[DealSet]) -> tuple[dict[str, Any], ...]:
    """Return sets in the form of `Result.hand_scores`: points of each side, and any winner."""
    return tuple(
        {
            **dict(zip(SIDES, one.points, strict=False)),
            **({} if one.winner is None else {"winner": SIDES[one.winner]}),
        }
        for one in sets
    )


def is_at(match: Match, place: Place, record: engine.Record, side: str) -> bool:
    """Return whether a record has the tags of this set and seating, and its seats."""
    sides = engine.RULESETS[match.tournament.ruleset].sides
    is_seated_so = sides_of(side) == tuple(sides[at] for at in place.seats)
    return is_seated_so and identify_part(record) == place.tags(match)


def identify_part(record: engine.Record) -> dict[str, str | None]:
    """Return the tags that identify a record within its match."""
    return {name: record.tags.get(name) for name in (DEALS, SEATING)}

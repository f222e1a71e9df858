"""Positions to try again: what a player saw before a card, and what each card came to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import engine
from tournaments.analysis.queries.analyses import PlayRow, hand_analysis
from tournaments.core.find import or_404
from tournaments.models import Record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tournaments.results.queries.matches import HandPage


@dataclass(frozen=True, slots=True)
class TriedCard:
    """A legal card: deals of ``deals`` that it wins, its cost in points; ``None`` if not known.

    ``is_good``: it is the best, or so near to it that it would have no verdict. With all cards seen
    it loses ``open_loss`` points, and ``line`` may follow: the rest of this trick and the later
    ones, by tricks; empty until the hand is judged.
    """

    card: str
    wins: int | None
    cost: float | None
    deals: int | None
    is_played: bool
    is_good: bool
    open_loss: int | None = None
    line: tuple[tuple[str, ...], ...] = ()

    @property
    def is_judged(self) -> bool:
        """Whether what it costs by what could be known was asked for."""
        return self.wins is not None or self.cost is not None


@dataclass(frozen=True, slots=True)
class Position:
    """A choice of a hand before it is made.

    ``cards`` are those of the hand in order, ``table`` those of the trick by name of their player.
    ``voids`` are what the player could know: a name and a suit of which that hand has none.
    """

    play: PlayRow
    name: str
    by_hand: bool
    cards: tuple[str, ...]
    legal: tuple[str, ...]
    table: tuple[tuple[str, str], ...]
    points: tuple[tuple[str, int], ...]
    declared: tuple[tuple[str, str], ...]
    voids: tuple[tuple[str, str], ...]
    tried: tuple[TriedCard, ...]

    @property
    def best(self) -> TriedCard:
        """The best of the cards, the first of them."""
        return self.tried[0]

    @property
    def is_explored(self) -> bool:
        """Whether it is known what the cards come to with all cards seen."""
        return self.best.open_loss is not None

    @property
    def by_points(self) -> bool:
        """Whether the costs in points are known; in the first tricks they are not asked for."""
        return any(each.cost is not None for each in self.tried)


def tried_position(page: HandPage, token: int) -> Position:
    """Return the position before a token: three queries at most.

    Refuses NOT_FOUND where there was nothing to choose or no figures are stored.
    """
    analysis = hand_analysis(page)
    tried = (play for play in analysis.plays if play.token == token and play.figures)
    play = or_404(next(tried, None))
    frame = page.frames[token]
    return Position(
        play=play,
        name=page.seats[play.seat],
        by_hand=play.figure_deals is not None,
        cards=frame.hands[play.seat],
        legal=frame.legal,
        table=() if frame.won else tuple((page.seats[seat], card) for seat, card in frame.table),
        points=tuple((page.sides[side], points) for side, points in frame.points.items()),
        declared=tuple(
            (page.seats[call[0]], call) for calls in frame.declared.values() for call in calls
        ),
        voids=tuple(_voids(page, token)),
        tried=_tried(play, () if frame.won else tuple(card for _seat, card in frame.table), page),
    )


def _tried(play: PlayRow, table: tuple[str, ...], page: HandPage) -> tuple[TriedCard, ...]:
    """Return the legal cards, the best ones first and the one played before its equals.

    ``table`` are the cards of the trick before.
    """
    rows = [
        TriedCard(
            each.card,
            each.wins,
            each.cost,
            play.figure_deals,
            each.card == play.card,
            is_good=False,
            open_loss=each.open_loss,
            line=_by_tricks((*table, each.card, *each.line.split()), len(page.seats)),
        )
        for each in play.figures
    ]
    rows.sort(
        key=lambda row: (-(row.wins or 0), row.cost or 0, row.open_loss or 0, not row.is_played)
    )
    return tuple(replace(row, is_good=_is_good(row, rows[0], play)) for row in rows)


def _by_tricks(cards: tuple[str, ...], seats: int) -> tuple[tuple[str, ...], ...]:
    return tuple(cards[start : start + seats] for start in range(0, len(cards), seats))


def _is_good(row: TriedCard, best: TriedCard, play: PlayRow) -> bool:
    if row.is_played and row is not best and play.verdict:  # judged in other deals
        return play.verdict == "bad_luck"
    if row.wins is None or best.wins is None or row.deals is None:
        return (row.cost or 0) < engine.GRADES[0].fair_loss
    return best.wins - row.wins <= engine.NEARLY_BEST * row.deals


def _voids(page: HandPage, token: int) -> Iterator[tuple[str, str]]:
    """Yield the other players who by what was seen have none of a suit that others may have."""
    record = engine.parse_record(
        Record.objects.values_list("text", flat=True).get(pk=page.record_pk)
    )
    knowledge = engine.knowledge_at(record, page.verdict["number"] - 1, token)
    letters = record.ruleset.seats
    for seat in knowledge.others:
        held = knowledge.possible[seat] | knowledge.certain[seat]
        for suit in engine.SUITS:
            if suit in _suits(knowledge.unseen) and suit not in _suits(held):
                yield page.seats[letters[seat]], suit


def _suits(cards: int) -> set[str]:
    """Return the suits of a set of cards, which is a number of bits."""
    return {name[-1] for bit, name in enumerate(engine.CARD_NAMES) if cards >> bit & 1}

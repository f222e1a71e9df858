"""The deals of duplicate tables: where they come from, and whether a record has them."""

from __future__ import annotations

from collections.abc import Sequence

import engine
from tournaments.domain.boards import Cards, as_dealt, cards_of, deal_of, other_hand
from tournaments.errors import Reason, Refusal
from tournaments.models import Match
from tournaments.queries.boards import TABLE, boards_dealt


def deals_of(match: Match) -> tuple[engine.Deal, ...]:
    """Return the deals that a duplicate table plays, in their order; none for other matches.

    Those of the stage's seed; where tables deal, what another table was the first to deal.
    """
    stage = match.round.stage
    if not match.boards or not stage.deal_seed:
        return ()
    rules = engine.RULESETS[match.tournament.ruleset]
    dealt = boards_dealt(stage, but=match) if stage.rules.dealt_by == TABLE else {}
    return tuple(
        as_dealt(rules, dealt[board])
        if board in dealt
        else deal_of(rules, stage.deal_seed, stage.label, board)
        for board in match.boards
    )


def other_deal(
    match: Match, cards: Sequence[Cards | None], record: engine.Record, side: str
) -> Refusal | None:
    """Return why a record was not played with the deals of its table, if it was not; no query.

    ``cards`` are those of :func:`cards_at`. OTHER_DEAL; CARDS_DIFFER where it was for the tables to
    deal, and another was the first.
    """
    index = other_hand(_cards_in(record), cards, side) if cards else None
    if index is None:
        return None
    if is_dealt_here(match):
        return Refusal(Reason.CARDS_DIFFER)
    return Refusal(Reason.OTHER_DEAL, hand=index + 1, board=match.boards[index])


def is_dealt_here(match: Match) -> bool:
    """Tell whether the deals of a duplicate table are dealt by whoever plays them first."""
    return bool(match.boards) and match.round.stage.rules.dealt_by == TABLE


def cards_at(match: Match) -> Sequence[Cards | None]:
    """Return the cards of a duplicate table's deals, as far as they are settled; else none."""
    stage = match.round.stage
    if not match.boards or not stage.kind.same_deals:
        return ()
    if is_dealt_here(match):
        dealt = boards_dealt(stage, but=match)
        return [dealt.get(board) for board in match.boards]
    if not stage.deal_seed:
        return ()
    return [cards_of(deal.dealer, deal.trump, deal.hands, deal.stock) for deal in deals_of(match)]


def _cards_in(record: engine.Record) -> list[Cards | None]:
    return [
        None if hand.deal is None else cards_of(hand.dealer, hand.trump, hand.deal, hand.stock)
        for hand in record.hands
    ]

"""The state of a match that is being entered hand by hand, and the input that is due next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import engine
from tournaments.domain.hand_entry import (
    PLACES,
    Moment,
    NotPossible,
    Table,
    Why,
    Written,
    after,
    entered_hands,
    first_moment,
)


class Phase(StrEnum):
    """The input that a hand needs next."""

    DEALER = "dealer"
    TRUMP = "trump"
    DEAL = "deal"
    """All the cards and the stock: nobody can tell them from the play alone."""
    PLAY = "play"
    REST = "rest"
    """The cards that were left when the hand ended early."""
    OVER = "over"


@dataclass(frozen=True, slots=True)
class TracedHand:
    """One hand as far as it goes: ``good`` tokens are legal, the next one is refused by ``why``.

    ``moment`` is the one looked at; ``document`` is the hand as a record has it, when it is whole.
    ``fits`` is false for cards entered beforehand that cannot be a deal.
    """

    phase: Phase
    good: int = 0
    why: Why | None = None
    moment: Moment | None = None
    end: Moment | None = None
    document: Mapping[str, Any] | None = None
    fits: bool = True


@dataclass(frozen=True, slots=True)
class Followed:
    """A match as far as it is written down; ``index`` is the hand that is to go on, from 0.

    ``dealers`` may deal that hand, or when it is over the one after it; ``fault`` is the engine's
    objection to the hand as a whole.
    """

    index: int
    hand: TracedHand
    verdict: engine.Verdict
    documents: tuple[Mapping[str, Any], ...]
    dealers: tuple[str, ...]
    fault: engine.Fault | None = None

    @property
    def is_decided(self) -> bool:
        """The match has come to its end, with every hand in order."""
        unfinished = any(notice.code == "match.unfinished" for notice in self.verdict.notices)
        return bool(self.documents) and not unfinished and not self.verdict.faults


def follow(table: Table, hands: Sequence[Written], at: int | None = None) -> Followed:
    """Follow a match through its hands, to the first that is not whole and in order.

    ``at`` is the token before which the last hand is looked at; its end without it.
    """
    documents: list[Mapping[str, Any]] = []
    verdict = _audit(table, documents)
    for index, hand in enumerate(hands):
        dealers = dealers_after(table, documents)
        is_last = index == len(hands) - 1
        traced = trace(table, hand, dealers, _carried(table, verdict), at if is_last else None)
        if traced.document is None:
            return Followed(index, traced, verdict, tuple(documents), dealers)
        verdict = _audit(table, [*documents, traced.document])
        if verdict.faults:
            return _at_fault(table, hand, index, traced, verdict, documents, at)
        documents.append(traced.document)
        if is_last:
            dealers = dealers_after(table, documents)
            return Followed(index, traced, verdict, tuple(documents), dealers)
    return Followed(0, TracedHand(Phase.DEALER), verdict, (), dealers_after(table, documents))


def _at_fault(
    table: Table,
    hand: Written,
    index: int,
    traced: TracedHand,
    verdict: engine.Verdict,
    documents: Sequence[Mapping[str, Any]],
    at: int | None,
) -> Followed:
    """Return the state of a whole hand that the engine refuses, before the token that is wrong."""
    fault = verdict.faults[0]
    if fault.token is not None:
        cursor = fault.token if at is None else at
        dealers = dealers_after(table, documents)
        before = trace(table, hand, dealers, _carried(table, _audit(table, documents)), cursor)
        traced = replace(before, phase=Phase.PLAY, good=fault.token)
    verdict = _audit(table, documents)
    return Followed(
        index,
        replace(traced, document=None),
        verdict,
        tuple(documents),
        dealers_after(table, documents),
        fault,
    )


def trace(
    table: Table,
    hand: Written,
    dealers: Sequence[str],
    carried: Mapping[str, int] | None,
    at: int | None,
) -> TracedHand:
    """Play a hand through as far as its tokens go."""
    if hand.dealer not in dealers:
        return TracedHand(Phase.DEALER)
    if hand.trump not in PLACES:
        return TracedHand(Phase.TRUMP)
    try:
        known = entered_hands(table, hand)
        moment = first_moment(table, hand, carried)
    except ValueError:
        return TracedHand(Phase.DEAL, fits=False)
    if table.rules.stock_size and not _is_deal_complete(table, hand, known):
        return TracedHand(Phase.DEAL, moment=moment)
    seen, end, why, good = _played(moment, hand.tokens, at)
    traced = TracedHand(Phase.PLAY, good, why, seen, end)
    if why is not None or not end.state.over:
        return traced
    deal = whole_deal(table, hand, end)
    if deal is None:
        return replace(traced, phase=Phase.REST)
    return replace(traced, phase=Phase.OVER, document=document(table, hand, deal))


def _played(
    moment: Moment, tokens: Sequence[str], at: int | None
) -> tuple[Moment, Moment, Why | None, int]:
    """Return the moment looked at, the last one, why it is the last, and how many tokens stand."""
    moments, why = [moment], None
    for token in tokens:
        try:
            moments.append(after(moments[-1], token))
        except NotPossible as refused:
            why = refused.why
            break
    good = len(moments) - 1
    return moments[good if at is None else min(at, good)], moments[-1], why, good


def _is_deal_complete(table: Table, hand: Written, known: Mapping[str, str]) -> bool:
    stock = hand.stock.split()
    is_whole = len(stock) == table.rules.stock_size and stock[-1] == hand.trump
    return is_whole and len(known) == len(table.rules.seats)


def lacking(table: Table, moment: Moment) -> dict[str, int]:
    """Return the number of unseen cards of each seat that still lacks some of its deal."""
    lack = {
        moment.seats[seat]: table.rules.cards_each - len(moment.dealt[seat])
        for seat in moment.state.players
    }
    return {seat: count for seat, count in lack.items() if count}


def whole_deal(table: Table, hand: Written, moment: Moment) -> dict[str, str] | None:
    """Return the cards dealt to every seat, or nothing while some are not known.

    The cards of the last seat follow from those of the others.
    """
    deal = {seat: set(moment.dealt[n]) for n, seat in enumerate(moment.seats)}
    lack = lacking(table, moment)
    lying = set().union(*deal.values(), hand.stock.split())
    if table.rules.trump_shown == "aside":
        lying.add(hand.trump)
    open_ = [card for card in PLACES if card not in lying]
    for seat, count in lack.items():
        given = set(hand.rest.get(seat, "").split())
        if len(given) != count or not given <= set(open_):
            continue
        deal[seat] |= given
        open_ = [card for card in open_ if card not in given]
        lack = {other: left for other, left in lack.items() if other != seat}
    if len(lack) == 1 and len(open_) == next(iter(lack.values())):
        deal[next(iter(lack))] |= set(open_)
        lack = {}
    if lack:
        return None
    return {
        seat: " ".join(card for card in PLACES if card in cards) for seat, cards in deal.items()
    }


def document(table: Table, hand: Written, deal: Mapping[str, str]) -> dict[str, Any]:
    """Return a whole hand as a record has it (F1)."""
    written: dict[str, Any] = {"dealer": hand.dealer, "trump": hand.trump, "deal": dict(deal)}
    if table.rules.stock_size:
        written["stock"] = hand.stock
    return written | {"play": " ".join(hand.tokens)}


def dealers_after(table: Table, documents: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the seats that may deal the next hand: any at the start, then the engine says."""
    fair = []
    for seat in table.rules.seats:
        sides = [s for s in table.rules.sides if not table.rules.dealer_sits_out or s != seat]
        probe = {
            "dealer": seat,
            "play": None,
            "points": dict.fromkeys(sides, 0),
            "winner": None if table.rules.race_to else sides[0],
        }
        verdict = _audit(table, [*documents, probe])
        if not any(fault.code == "deal.dealer" for fault in verdict.faults):
            fair.append(seat)
    return tuple(fair)


def _audit(table: Table, documents: Sequence[Mapping[str, Any]]) -> engine.Verdict:
    return engine.audit(table.record(documents))


def _carried(table: Table, verdict: engine.Verdict) -> Mapping[str, int] | None:
    """Return the points of the first deal of a race, when the next hand is its second (R9.2)."""
    is_second = False
    for hand in verdict.hands:
        is_second = not is_second and hand.winner is None
    return verdict.hands[-1].points if table.rules.race_to and is_second else None

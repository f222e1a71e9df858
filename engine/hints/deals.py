"""Slips in what was dealt: another card, another trump, another dealer (rules R2, R3)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.cards import CARDS, SUITS
from engine.deals import STOCK
from engine.errors import Hint
from engine.hints.repairs import Hand, Repair, try_repair, visual_distance
from engine.notation import HandRecord

_Places = dict[str, list[str]]
"""The cards of a deal by where they lie, the stock among the seats."""

MAX_MISSING: Final = 3
"""More cards than these are not missing by one slip."""


def wrong_dealers(hand: Hand) -> Iterator[Repair]:
    """Another card showed trumps (R3), or another seat dealt and led (R2.3)."""
    trump = hand.record.trump
    if trump is not None:
        trump_cards = _may_show_trumps(hand)
        for suit in sorted({card[1] for card in trump_cards if card != trump}):
            if suit != trump[-1:] or hand.fault.code == "deal.trump":
                yield from _trump(hand, trump, [card for card in trump_cards if card[1] == suit])
    dealer = hand.record.dealer
    for seat in hand.rules.seats if hand.expected is None else (hand.expected,):
        if seat != dealer:
            hint = Hint("dealer", found=dealer, write=seat, path="dealer")
            yield from try_repair(hand, 3, hint, replace(hand.record, dealer=seat))


def misread_cards(hand: Hand) -> Iterator[Repair]:
    """A missing card replaces one that is there twice, or is no card, or was left out (R1)."""
    places = _cards_by_place(hand)
    texts = [card for cards in places.values() for card in cards]
    if hand.rules.trump_shown == "aside":
        texts.append(hand.record.trump or "")
    missing = [card for card in CARDS if card not in texts]
    if len(missing) > MAX_MISSING:
        return
    wrong = [
        (place, index, text)
        for place, cards in places.items()
        for index, text in enumerate(cards)
        if text not in CARDS or texts.count(text) > 1
    ]
    for card in missing:
        for place, index, text in wrong:
            changed = [*places[place][:index], card, *places[place][index + 1 :]]
            hint = Hint("deal", found=text, write=card, path=_path(place), seats=(place,))
            mended = _with_deal(hand, {**places, place: changed})
            yield from try_repair(hand, 1 + visual_distance(text, card), hint, mended)
        for place, cards in places.items():
            if len(cards) == _size(hand, place) - 1:
                hint = Hint("deal_missing", write=card, path=_path(place), seats=(place,))
                yield from _insert_card(hand, hint, places, place)


def moved_cards(hand: Hand) -> Iterator[Repair]:
    """A card noted in the wrong hand: one is too long, another too short (R3)."""
    places = _cards_by_place(hand)
    long = [place for place, cards in places.items() if len(cards) == _size(hand, place) + 1]
    short = [place for place, cards in places.items() if len(cards) == _size(hand, place) - 1]
    if len(long) == 1 and len(short) <= 1:
        giver = long[0]
        for index, card in enumerate(places[giver]):
            rest = {**places, giver: [*places[giver][:index], *places[giver][index + 1 :]]}
            if not short:
                hint = Hint("deal_superfluous", found=card, path=_path(giver), seats=(giver,))
                yield from try_repair(hand, 1, hint, _with_deal(hand, rest))
                continue
            hint = Hint("deal_moved", found=card, write=card, path="deal", seats=(giver, short[0]))
            yield from _insert_card(hand, hint, rest, short[0])


def exchanged_cards(hand: Hand) -> Iterator[Repair]:
    """Two cards of the deal stand in each other's place."""
    places = _cards_by_place(hand)
    where = {card: place for place, cards in places.items() for card in cards}
    for first, other in _exchanges(hand, places):
        if first in where and other in where and where[first] != where[other]:
            turned = {first: other, other: first}
            changed = {
                place: [turned.get(card, card) for card in cards] for place, cards in places.items()
            }
            seats = (where[first], where[other])
            hint = Hint("deal_swap", found=first, write=other, path="deal", seats=seats)
            yield from try_repair(hand, 6, hint, _with_deal(hand, changed))


def _exchanges(hand: Hand, places: _Places) -> list[tuple[str, str]]:
    """The pairs of cards that may have been exchanged.

    One of the two is a card that the player at fault does not hold and should, or the only one
    that they were bound to play: the cards of others do not bind them.
    """
    fault, missing_card = hand.fault, ""
    seat = fault.seat or ""
    if fault.code == "deal.trump" and hand.rules.trump_shown == "dealer":
        seat, missing_card = hand.record.dealer, hand.record.trump or ""
    elif fault.code == "play.not_held":
        missing_card = fault.card or ""
    elif fault.code in ("declare.not_held", "exchange.not_held"):
        lacking = [card for card in _declared_cards(hand) if card not in places[seat]]
        missing_card = lacking[0] if len(lacking) == 1 else ""
    elif fault.code.startswith("play.must") and len(fault.legal) == 1:
        return [(other, fault.legal[0]) for cards in places.values() for other in cards]
    return [(missing_card, hand_card) for hand_card in places.get(seat, ())] if missing_card else []


def _declared_cards(hand: Hand) -> list[str]:
    """The cards of the declaration or the exchange at fault (R5.2, R6.1, R6.7)."""
    declared = (hand.fault.declaration or "").partition(":")[2]
    if declared.startswith("x"):
        return [declared[1:] + (hand.record.trump or " ")[-1]]
    if declared.startswith("tute"):
        return [declared[-1] + suit for suit in SUITS]
    suit = (hand.record.trump or " ")[-1] if declared == "40" else declared[-1:]
    return ["R" + suit, "C" + suit]


def _trump(hand: Hand, trump: str, trump_cards: list[str]) -> Iterator[Repair]:
    """One card of a suit speaks for the others: the suit is what counts in the play."""
    difference, card = min((visual_distance(trump, card), card) for card in trump_cards)
    also = tuple(other for other in trump_cards if other != card)
    hint = Hint("trump", found=trump, write=card, path="trump", also=also)
    yield from try_repair(hand, 3 + difference, hint, replace(hand.record, trump=card))


def _may_show_trumps(hand: Hand) -> list[str]:
    record, places = hand.record, _cards_by_place(hand)
    if hand.rules.trump_shown == "dealer":
        return [card for card in places[record.dealer] if card in CARDS]
    if hand.rules.trump_shown == "stock":
        return [card for card in places[STOCK][-1:] if card in CARDS]
    dealt = {card for cards in places.values() for card in cards}
    return [card for card in CARDS if card not in dealt]


def _cards_by_place(hand: Hand) -> _Places:
    deal = hand.record.deal or {}
    places = {seat: deal.get(seat, "").split() for seat in hand.rules.seats}
    if hand.rules.stock_size:
        places[STOCK] = (hand.record.stock or "").split()
    return places


def _path(place: str) -> str:
    return STOCK if place == STOCK else f"deal/{place}"


def _size(hand: Hand, place: str) -> int:
    if place == STOCK:
        return hand.rules.stock_size
    idle = hand.rules.dealer_sits_out and place == hand.record.dealer
    return 0 if idle else hand.rules.cards_each


def _insert_card(hand: Hand, hint: Hint, places: _Places, place: str) -> Iterator[Repair]:
    """Puts the card of a hint where one is missing; in a stock, at the place where it lay."""
    cards = places[place]
    for index in range(len(cards) + 1) if place == STOCK else (len(cards),):
        laid = [*cards[:index], hint.write, *cards[index:]]
        yield from try_repair(hand, 1, hint, _with_deal(hand, {**places, place: laid}))


def _with_deal(hand: Hand, places: _Places) -> HandRecord:
    deal = {seat: " ".join(places[seat]) for seat in hand.rules.seats}
    stock = " ".join(places[STOCK]) if STOCK in places else hand.record.stock
    return replace(hand.record, deal=deal, stock=stock)

"""Whether a deal is possible (R1, R2, R3): every hand its number, the pack whole, trumps shown."""

from collections import Counter
from collections.abc import Iterator, Mapping

from engine.cards import BITS, CARD_NAMES, CARDS, PACK, SEATS, cards_in
from engine.errors import Fault
from engine.notation import HandRecord
from engine.rulesets import Ruleset

STOCK = "stock"
"""Where the cards lie that are in no hand."""


def complete_deal(rules: Ruleset, hand: HandRecord) -> tuple[int, ...] | None:
    """The hands as card sets, ``None`` unless the deal is in order.

    Forty powers of two add up to the full pack only when no two are equal; and likewise thirty-nine
    of them have thirty-nine bits only when no two are equal.
    """
    if hand.deal is None:
        return None
    dealt = []
    idle = SEATS.index(hand.dealer) if rules.dealer_sits_out else -1
    for seat, letter in enumerate(rules.seats):
        texts = hand.deal[letter].split()
        if len(texts) != (0 if seat == idle else rules.cards_each):
            return None
        try:
            dealt.append(sum(map(BITS.__getitem__, texts)))
        except KeyError:
            return None
    pack, trump = sum(dealt), BITS.get(hand.trump or "", 0)
    if rules.trump_shown == "stock":
        stock = (hand.stock or "").split()
        if len(stock) != rules.stock_size or not BITS.keys() >= set(stock):
            return None
        pack += sum(map(BITS.__getitem__, stock))
        in_place = hand.trump is None or hand.trump == stock[-1]
    elif rules.trump_shown == "aside":
        distinct = pack.bit_count() == rules.dealt
        in_place = distinct and (hand.trump is None or trump == PACK & ~pack)
        pack = PACK
    else:
        in_place = hand.trump is None or bool(trump & dealt[SEATS.index(hand.dealer)])
    return tuple(dealt) if in_place and pack == PACK else None


def deal_faults(rules: Ruleset, hand: HandRecord, deal: Mapping[str, str]) -> Iterator[Fault]:
    """Finds the faults that make a deal impossible, in the order of F3; one fault a kind.

    Consequences of a fault are not reported again: a card missing because another is in its
    place, a short hand because a card is missing, a long one because of a card too many.
    """
    hands = {seat: deal[seat].split() for seat in rules.seats}
    sizes = _expected_sizes(rules, hand)
    if rules.trump_shown == "stock":
        hands[STOCK] = (hand.stock or "").split()
    texts = [(seat, text) for seat, cards in hands.items() for text in cards]
    unknown = [(seat, text) for seat, text in texts if text not in CARDS]
    valid_cards = [text for _seat, text in texts if text in CARDS]
    twice = sorted(text for text, times in Counter(valid_cards).items() if times > 1)
    surplus = len(unknown) + len(valid_cards) - len(set(valid_cards))
    dealt = sum(BITS[text] for text in set(valid_cards))
    if rules.trump_shown == "aside":
        aside = BITS.get(hand.trump or "", 0) & ~dealt
        dealt |= aside
        surplus += not aside  # whatever stands there, a card lies in its place
    missing = [CARD_NAMES[card] for card in cards_in(PACK & ~dealt)]
    if unknown:
        facts = {
            "cards": [text for _seat, text in unknown],
            "seats": [seat for seat, _text in unknown],
            "missing": missing,
        }
        yield Fault("deal.card", "R1", path="deal", facts=facts)
    if twice:
        seats = [seat for seat, text in texts if text in twice]
        facts = {"cards": twice, "seats": seats, "missing": missing}
        yield Fault("deal.duplicate", "R1", path="deal", facts=facts)
    if len(missing) > surplus:
        yield Fault("deal.missing", "R1", path="deal", facts={"cards": missing})
    wrong = {seat: len(hands[seat]) for seat, size in sizes.items() if len(hands[seat]) != size}
    too_long = any(len(hands[seat]) > size for seat, size in sizes.items())
    too_short = any(len(hands[seat]) < size for seat, size in sizes.items())
    idle_holds = rules.dealer_sits_out and bool(hands[hand.dealer])
    if (too_long and too_short) or idle_holds:
        expected = {seat: sizes[seat] for seat in wrong}
        yield Fault("deal.size", "R3", path="deal", facts={"sizes": wrong, "expected": expected})
    if hand.trump is not None and not _is_trump_in_place(rules, hand, hands):
        trump_facts = {"dealer": hand.dealer, "card": hand.trump, "shown": rules.trump_shown}
        yield Fault("deal.trump", "R3", path="trump", facts=trump_facts)


def _expected_sizes(rules: Ruleset, hand: HandRecord) -> dict[str, int]:
    sizes = dict.fromkeys(rules.seats, rules.cards_each)
    if rules.dealer_sits_out:
        sizes[hand.dealer] = 0
    if rules.trump_shown == "stock":
        sizes[STOCK] = rules.stock_size
    return sizes


def _is_trump_in_place(rules: Ruleset, hand: HandRecord, hands: Mapping[str, list[str]]) -> bool:
    if rules.trump_shown == "stock":
        return hands[STOCK][-1:] == [hand.trump]
    if rules.trump_shown == "aside":
        return hand.trump in CARDS and not any(hand.trump in cards for cards in hands.values())
    return hand.trump in CARDS and hand.trump in hands[hand.dealer]

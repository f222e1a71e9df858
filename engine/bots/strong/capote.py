"""Capote (R9.5): once all cards are drawn, two players know each other's hands; can all be won?"""

from engine.cards import CARDS, PACK, SUIT_MASKS, SUITS, cards_in, mask_of
from engine.rules import legal_cards, winning_card
from engine.rulesets import Ruleset
from engine.view import View


def can_announce_capote(view: View) -> bool:
    """Whether the seat of a view wins all tricks whatever the other one does."""
    race = _OpenHands.of_view(view)
    if view.turn == view.seat:
        return race.winning_lead(race.mine, race.theirs) >= 0
    return all(
        race.winning_reply(race.mine, race.theirs & ~(1 << lead), lead) >= 0
        for lead in cards_in(race.theirs)
    )


def capote_card(view: View) -> int:
    """The card that wins all tricks, or takes one from who announced; -1 if none is sure to."""
    race = _OpenHands.of_view(view)
    table = [CARDS[card] for _seat, card in view.table]
    if view.capote == view.seat:
        if table:
            return race.winning_reply(race.mine, race.theirs, table[0])
        return race.winning_lead(race.mine, race.theirs)
    turned = _OpenHands(race.rules, race.trumps, race.theirs, race.mine, {})
    for card in (CARDS[token] for token in view.legal):
        rest = race.mine & ~(1 << card)
        if table and winning_card((table[0], card), race.trumps) == card:
            return card
        stopped = (
            turned.winning_lead(race.theirs, rest)
            if table
            else turned.winning_reply(race.theirs, rest, card)
        )
        if stopped < 0:
            return card
    return -1


class _OpenHands:
    """Two open hands, and whether the first can win every trick."""

    def __init__(
        self, rules: Ruleset, trumps: int, hand: int, rival: int, cache: dict[tuple[int, int], int]
    ) -> None:
        self.rules, self.trumps, self.mine, self.theirs = rules, trumps, hand, rival
        self._known = cache

    @classmethod
    def of_view(cls, view: View) -> "_OpenHands":
        """The hands of a view: what was neither played nor is held is the other one's."""
        hand = mask_of(CARDS[card] for card in view.hand)
        played_cards = mask_of(CARDS[token] for _seat, token in view.history if token in CARDS)
        trumps = SUIT_MASKS[SUITS.index(view.trump)]
        return cls(view.rules, trumps, hand, PACK & ~hand & ~played_cards, {})

    def winning_reply(self, hand: int, rival: int, lead: int) -> int:
        """The card with which a lead is taken and all that follows is won; -1 for none."""
        for card in cards_in(legal_cards(self.rules, hand, (lead,), self.trumps)):
            wins = winning_card((lead, card), self.trumps) == card
            if wins and self._wins_rest(hand & ~(1 << card), rival):
                return card
        return -1

    def winning_lead(self, hand: int, rival: int) -> int:
        """The lead that wins its trick and all that follow; -1 for none."""
        if (hand, rival) not in self._known:
            order = sorted(cards_in(hand), key=lambda card: (1 << card & self.trumps, card % 10))
            leads = (card for card in reversed(order) if self._lead_wins(hand, rival, card))
            self._known[hand, rival] = next(leads, -1)
        return self._known[hand, rival]

    def _lead_wins(self, hand: int, rival: int, card: int) -> bool:
        return all(
            winning_card((card, reply), self.trumps) == card
            and self._wins_rest(hand & ~(1 << card), rival & ~(1 << reply))
            for reply in cards_in(legal_cards(self.rules, rival, (card,), self.trumps))
        )

    def _wins_rest(self, hand: int, rival: int) -> bool:
        return not hand or self.winning_lead(hand, rival) >= 0

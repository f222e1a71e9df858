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
        mine = race.mine & ~(1 << card)
        if table and winning_card((table[0], card), race.trumps) == card:
            return card
        stopped = (
            turned.winning_lead(race.theirs, mine)
            if table
            else turned.winning_reply(race.theirs, mine, card)
        )
        if stopped < 0:
            return card
    return -1


class _OpenHands:
    """Two open hands, and whether the first can win every trick."""

    def __init__(
        self, rules: Ruleset, trumps: int, mine: int, theirs: int, known: dict[tuple[int, int], int]
    ) -> None:
        self.rules, self.trumps, self.mine, self.theirs = rules, trumps, mine, theirs
        self._known = known

    @classmethod
    def of_view(cls, view: View) -> "_OpenHands":
        """The hands of a view: what was neither played nor is held is the other one's."""
        mine = mask_of(CARDS[card] for card in view.hand)
        gone = mask_of(CARDS[token] for _seat, token in view.history if token in CARDS)
        trumps = SUIT_MASKS[SUITS.index(view.trump)]
        return cls(view.rules, trumps, mine, PACK & ~mine & ~gone, {})

    def winning_reply(self, mine: int, theirs: int, lead: int) -> int:
        """The card with which a lead is taken and all that follows is won; -1 for none."""
        for card in cards_in(legal_cards(self.rules, mine, (lead,), self.trumps)):
            won = winning_card((lead, card), self.trumps) == card
            if won and self._wins_rest(mine & ~(1 << card), theirs):
                return card
        return -1

    def winning_lead(self, mine: int, theirs: int) -> int:
        """The lead that wins its trick and all that follow; -1 for none."""
        if (mine, theirs) not in self._known:
            order = sorted(cards_in(mine), key=lambda card: (1 << card & self.trumps, card % 10))
            leads = (card for card in reversed(order) if self._lead_wins(mine, theirs, card))
            self._known[mine, theirs] = next(leads, -1)
        return self._known[mine, theirs]

    def _lead_wins(self, mine: int, theirs: int, card: int) -> bool:
        return all(
            winning_card((card, reply), self.trumps) == card
            and self._wins_rest(mine & ~(1 << card), theirs & ~(1 << reply))
            for reply in cards_in(legal_cards(self.rules, theirs, (card,), self.trumps))
        )

    def _wins_rest(self, mine: int, theirs: int) -> bool:
        return not mine or self.winning_lead(mine, theirs) >= 0

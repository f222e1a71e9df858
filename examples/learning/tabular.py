"""Learn Tute by a table: which kind of answer has won most often so far, against chance.

`PYTHONPATH=. python3 examples/learning/tabular.py mano-a-mano 500` prints the share of hands won.
"""

import random
import sys
from collections import defaultdict

from engine import CARD_NAMES, RULESETS, Game, View, games


def kind(view: View, token: str) -> tuple:
    """Return what the table tells apart: the trick so far; suit and rank of the card."""
    if token not in CARD_NAMES:
        return ("said", bool(token))
    cards = [card for _seat, card in view.table]
    follows, is_dear = token[-1] == (cards or " ")[0][-1], any(card[0] in "13" for card in cards)
    return len(cards), is_dear, follows, token[-1] == view.trump, token[0]


def play(game: Game, table: dict, chance: random.Random, explore: float) -> tuple[list, float]:
    """Play a hand, A's side by the table, others by chance; return what it answered; the result."""
    kinds, own = [], game.state.rules.side_of(0)
    while not game.over:
        view, token = game.observation(game.player), chance.choice(game.legal)
        if game.state.rules.side_of(game.player) == own:
            if chance.random() >= explore:
                token = max(game.legal, key=lambda answer: table[kind(view, answer)])
            kinds.append(kind(view, token))
        game = game.apply(token)
    return kinds, game.returns[0]


def learn(ruleset: str, hands: int, seed: int = 1) -> tuple[dict, float]:
    """Return the table after so many hands, and the share of as many others won with it."""
    table, chance, deals = defaultdict(float), random.Random(seed), games(RULESETS[ruleset], b"1")
    for _hand in range(hands):
        kinds, result = play(next(deals), table, chance, explore=0.3)
        for each in kinds:
            table[each] += 0.02 * (result - table[each])
    won = sum(play(next(deals), table, chance, explore=0)[1] > 0 for _hand in range(hands))
    return table, won / hands


if __name__ == "__main__":
    print(f"{learn(sys.argv[1], int(sys.argv[2]))[1]:.1%}")

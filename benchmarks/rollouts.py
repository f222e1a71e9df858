"""Rollouts of OpenSpiel's trick games in C++: ``python rollouts.py NAME COUNT`` in its environment.

An MCTS bot of one simulation plays a hand out ``COUNT`` times from its first card. Prints hands a
second of processor time, and the cards of a hand.
"""

from __future__ import annotations

import json
import random
import sys
import time
from importlib import import_module


def main() -> None:
    """Measure one game, the best of three searches."""
    name, count = sys.argv[1], int(sys.argv[2])
    spiel, chance = import_module("pyspiel"), random.Random(1)
    game = spiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(chance.choice(state.legal_actions()))
    moves, end = 0, state.clone()
    while not end.is_terminal():
        end.apply_action(chance.choice(end.legal_actions()))
        moves += 1
    seconds = []
    for seed in range(3):
        rollouts = spiel.RandomRolloutEvaluator(count, seed)
        bot = spiel.MCTSBot(game, rollouts, 2.0, 1, 64, False, 3, False)
        start = time.process_time()
        bot.mcts_search(state)
        seconds.append(time.process_time() - start)
    print(json.dumps({"hands": count / min(seconds), "moves": moves}))


if __name__ == "__main__":
    main()

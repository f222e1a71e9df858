"""One peer, measured inside a virtual environment of its own: ``python peer.py NAME SECONDS``.

What is measured is what comes nearest to an audit there: a recorded game is played again, every
move of it judged. Prints games and moves a second, as JSON. Processor time, best of three.
"""

from __future__ import annotations

import io
import json
import random
import sys
import time
from collections.abc import Callable
from importlib import import_module, metadata

GAMES = 20
PLIES = 80
Work = Callable[[], int]
"""Plays all games once; the number of moves."""


def open_spiel(name: str) -> Work:
    """Hearts and spades: the deal given, every card asked whether it is legal."""
    game = import_module("pyspiel").load_game(name)
    records = []
    for _ in range(GAMES):
        state, actions = game.new_initial_state(), []
        while not state.is_terminal():
            actions.append(random.choice(state.legal_actions()))
            state.apply_action(actions[-1])
        records.append(actions)

    def work() -> int:
        moves = 0
        for actions in records:
            state = game.new_initial_state()
            for action in actions:
                dealing = state.is_chance_node()
                assert dealing or action in state.legal_actions()
                state.apply_action(action)
                moves += not dealing
        return moves

    return work


def pokerkit() -> Work:
    """No-limit hold'em: a hand history in the PHH format, read and played through."""
    kit = import_module("pokerkit")
    automatic = kit.Automation
    steps = (
        *(automatic.ANTE_POSTING, automatic.BET_COLLECTION, automatic.BLIND_OR_STRADDLE_POSTING),
        *(automatic.HOLE_CARDS_SHOWING_OR_MUCKING, automatic.HAND_KILLING),
        *(automatic.CHIPS_PUSHING, automatic.CHIPS_PULLING, automatic.CARD_BURNING),
    )
    game = kit.NoLimitTexasHoldem(steps, True, 0, (1, 2), 2)
    texts = []
    for _ in range(GAMES):
        state = game((200,) * 6, 6)
        while state.status:
            if state.can_deal_hole():
                state.deal_hole()
            elif state.can_deal_board():
                state.deal_board()
            elif state.can_complete_bet_or_raise_to() and random.random() < 0.2:
                state.complete_bet_or_raise_to()
            else:
                state.check_or_call()
        texts.append(kit.HandHistory.from_game_state(game, state).dumps())

    def work() -> int:
        return sum(sum(1 for _state in kit.HandHistory.loads(text)) for text in texts)

    return work


def chess() -> Work:
    """Random games of eighty plies in PGN, read with every move checked."""
    board_module, pgn = import_module("chess"), import_module("chess.pgn")
    texts = []
    for _ in range(GAMES):
        board = board_module.Board()
        for _ply in range(PLIES):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(random.choice(moves))
        texts.append(str(pgn.Game.from_board(board)))

    def work() -> int:
        games = [pgn.read_game(io.StringIO(text)) for text in texts]
        assert not any(game.errors for game in games)
        return sum(sum(1 for _move in game.mainline_moves()) for game in games)

    return work


def rlcard() -> Work:
    """Bridge: hands played out at random through its environment, which has no replay."""
    environment = import_module("rlcard").make("bridge")

    def work() -> int:
        moves = 0
        for _ in range(GAMES):
            state, _player = environment.reset()
            while not environment.is_over():
                state, _player = environment.step(random.choice(list(state["legal_actions"])))
                moves += 1
        return moves

    return work


PEERS: dict[str, tuple[str, Callable[[], Work]]] = {
    "OpenSpiel, hearts": ("open_spiel", lambda: open_spiel("hearts")),
    "OpenSpiel, spades": ("open_spiel", lambda: open_spiel("spades")),
    "PokerKit, hold'em from PHH": ("pokerkit", pokerkit),
    "python-chess, PGN": ("chess", chess),
    "RLCard, bridge": ("rlcard", rlcard),
}
"""What is measured: the package it needs, and its work."""


def rate(work: Work, seconds: float) -> tuple[float, float]:
    """Games and moves a second; the processor's clock is coarse, so a pass is long."""
    games = moves = 0
    start = time.process_time()
    while (elapsed := time.process_time() - start) < seconds:
        moves += work()
        games += GAMES
    return games / elapsed, moves / elapsed


def main() -> None:
    """Measure one."""
    package, prepared = PEERS[sys.argv[1]]
    random.seed(1)
    work = prepared()
    games, moves = max(rate(work, float(sys.argv[2])) for _ in range(3))
    print(json.dumps({"games": games, "moves": moves, "version": metadata.version(package)}))


if __name__ == "__main__":
    main()

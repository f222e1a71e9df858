"""Tute as an environment of PettingZoo: `pip install pettingzoo`, then `TuteEnv("parejas")`."""

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from engine import ACTIONS, CARD_NAMES, RULESETS, SUITS, View, games


def encode(view: View) -> np.ndarray:
    """Hand, table, cards of each seat, open card; the trump suit, whose turn it is, points."""
    planes, number = np.zeros((7, 40), np.float32), CARD_NAMES.index
    planes[0, [number(card) for card in view.hand]] = 1
    planes[1, [number(card) for _seat, card in view.table]] = 1
    for seat, token in view.history:
        if token in CARD_NAMES:
            planes[2 + "ABCD".index(seat), number(token)] = 1
    planes[6, [number(card) for card in (view.upcard, view.trump_card) if card in CARD_NAMES]] = 1
    points = [min(number / 230, 1) for number in (*view.points.values(), 0, 0, 0)[:4]]
    rest = [view.trump == suit for suit in SUITS] + [view.turn == seat for seat in "ABCD"] + points
    return np.concatenate([planes.ravel(), np.array(rest, np.float32)])


class TuteEnv(AECEnv):
    """A hand of Tute, its agents the seats; an answer that is not legal is a `ValueError`."""

    metadata = {"name": "tute_v0", "render_modes": []}

    def __init__(self, ruleset: str = "cuatro") -> None:
        self.rules, self.games, answers = RULESETS[ruleset], None, Discrete(len(ACTIONS))
        self.possible_agents, mask = list(self.rules.seats), Box(0, 1, (len(ACTIONS),), np.int8)
        seen = Dict({"observation": Box(0, 1, (292,), np.float32), "action_mask": mask})
        self.observation_space, self.action_space = lambda _agent: seen, lambda _agent: answers

    def reset(self, seed=None, options=None):
        if seed is not None or self.games is None:
            self.games = games(self.rules, str(seed or 0).encode())
        self.game, self.agents = next(self.games), self.possible_agents[:]
        self.rewards, self._cumulative_rewards = (dict.fromkeys(self.agents, 0.0) for _ in "ab")
        self.terminations, self.truncations = (dict.fromkeys(self.agents, False) for _ in "ab")
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.game.player]

    def observe(self, agent):
        seat, mask = self.possible_agents.index(agent), np.zeros(len(ACTIONS), np.int8)
        mask[list(self.game.legal_actions if seat == self.game.player else ())] = 1
        return {"observation": encode(self.game.observation(seat)), "action_mask": mask}

    def step(self, action):
        if self.terminations[self.agent_selection]:
            return self._was_dead_step(action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.game = self.game.step(int(action))
        if self.game.over:
            self.rewards = dict(zip(self.agents, self.game.returns, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[self.game.player]
        self._accumulate_rewards()

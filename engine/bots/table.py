"""The table at which bots play a match; what comes out is an ordinary record (F1)."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.bots.base import SILENCE, Bot
from engine.cards import CARDS, SEATS, mask_of, names
from engine.dealing import Deal, deal
from engine.errors import IllegalAction
from engine.notation import FORMAT
from engine.rulesets import Ruleset, with_house_rule
from engine.scoring import new_match
from engine.state import State, first_state
from engine.view import view


class BotError(Exception):
    """A bot answered something that it was not offered; ``seat`` and ``token`` say what."""

    def __init__(self, seat: str, token: str, legal: tuple[str, ...]) -> None:
        super().__init__(f"the bot at {seat} answered {token!r}, legal was {' '.join(legal)}")
        self.seat = seat
        self.token = token
        self.legal = legal


def play_match(
    rules: Ruleset,
    bots: Mapping[str, Bot],
    seed: bytes,
    label: str,
    seats: Sequence[str],
    options: Mapping[str, Any] | None = None,
    tags: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Play one match and return its record.

    ``bots`` are by seat letter, ``seats`` the names to write; the deals follow from ``seed`` and
    ``label`` (:mod:`engine.dealing`). Raises :class:`BotError` when a bot answers a token that
    was not legal.
    """
    options = dict(options or {})
    for name, value in options.items():
        if name not in ("to", "deals"):
            rules = with_house_rule(rules, name, value)
    target = None if "deals" in options else options.get("to", rules.target)
    count = new_match(rules.sides, target, options.get("deals"))
    hands = []
    while not count.decided:
        dealt = deal(rules, seed, label, count.played + 1)
        hand = _play_hand(rules, bots, dealt)
        count.count(hand["winner"])
        hands.append(hand)
    return {
        "format": FORMAT,
        "ruleset": rules.name,
        "options": options,
        "seats": list(seats),
        "tags": dict(tags or {}),
        "hands": hands,
        "score": dict(count.score),
        "winner": count.winner,
    }


def _play_hand(rules: Ruleset, bots: Mapping[str, Bot], dealt: Deal) -> dict[str, Any]:
    held = tuple(mask_of(CARDS[card] for card in dealt.hands[seat].split()) for seat in rules.seats)
    state = first_state(rules, SEATS.index(dealt.dealer), held, CARDS[dealt.trump] // 10)
    history: list[tuple[str, str]] = []
    while not state.over:
        if not state.table and state.last_winner is not None:
            state = _declarations(state, bots, dealt.trump, history)
            if state.over:
                break
        seat = state.turn
        state = _answer(state, bots, seat, dealt.trump, history, names(state.legal()))
    return {
        "dealer": dealt.dealer,
        "trump": dealt.trump,
        "deal": dict(dealt.hands),
        "play": " ".join(token for _seat, token in history),
        "points": dict(zip(rules.sides, state.points, strict=True)),
        "winner": None if state.winner is None else rules.sides[state.winner],
    }


def _declarations(
    state: State, bots: Mapping[str, Bot], trump: str, history: list[tuple[str, str]]
) -> State:
    """Ask whoever may declare after a won trick, the winner first (R6.2)."""
    for turn in range(state.rules.seat_count):
        seat = (state.turn + turn) % state.rules.seat_count
        while not state.over and (may := state.declarations(seat)):
            legal = (*(action.token for action in may), SILENCE)
            after = _answer(state, bots, seat, trump, history, legal)
            if after is state:
                break
            state = after
    return state


def _answer(
    state: State,
    bots: Mapping[str, Bot],
    seat: int,
    trump: str,
    history: list[tuple[str, str]],
    legal: tuple[str, ...],
) -> State:
    letter = SEATS[seat]
    token = bots[letter].choose(view(state, seat, trump, tuple(history), legal))
    if token not in legal:
        raise BotError(letter, token, legal)
    if token == SILENCE:
        return state
    try:
        after = state.apply(token)
    except IllegalAction as error:
        raise BotError(letter, token, legal) from error
    history.append((letter, token))
    return after

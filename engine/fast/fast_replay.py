"""Replays one hand of a game without stock over bit masks (rules R4, R6, R7.1)."""

from typing import Final

from engine.actions import ACTIONS, DECLARATIONS, Action, Kind
from engine.cards import (
    ABOVE,
    LAST_TRICK,
    RANK_MASKS,
    REY,
    SUIT_MASKS,
    SUIT_OF,
    cards_in,
    points_in,
)
from engine.rules import (
    Talk,
    declared_suit,
    omitted,
    open_couples,
    passes_over_forty,
    refused_declaration,
)
from engine.rulesets import Ruleset

_REYES: Final = RANK_MASKS[REY]
"""A couple in a hand shows as ``hand & hand << 1`` at its rey: the caballo is one bit lower."""

UNREADABLE: Final = 1 << 12
"""Code of a token that is no card and no declaration; no hand holds such a card."""

_SPOKEN: Final = tuple(action for action in ACTIONS.values() if action.kind in DECLARATIONS)
_FIRST_SPOKEN: Final = 64  # above every card, below UNREADABLE


class _Codes(dict[str, int]):
    """Tokens as integers: cards 0 to 39, declarations from 64, anything else unreadable."""

    def __missing__(self, token: str) -> int:
        return UNREADABLE


_CODES: Final = _Codes(
    {token: action.value for token, action in ACTIONS.items() if action.kind is Kind.PLAY}
    | {action.token: _FIRST_SPOKEN + n for n, action in enumerate(_SPOKEN)}
)

_BITS: Final = tuple(1 << card for card in range(40)) + (0,) * (_FIRST_SPOKEN - 40 + len(_SPOKEN))
_FOLLOWERS: Final = ((1, 2, 3), (2, 3, 0), (3, 0, 1), (0, 1, 2))


class FastReplay:
    """The result of a valid hand.

    ``points`` and ``taken`` are by side; ``spoken`` holds the declarations in order, ``leaders``
    the seat that led each trick, ``omitted`` what was forfeited as (trick, token, seat, suit).
    """

    __slots__ = ("last_side", "leaders", "omitted", "points", "spoken", "tute_by")

    def __init__(
        self,
        points: tuple[int, int],
        last_side: int,
        leaders: list[int],
        spoken: list[Action],
        omitted: list[tuple[int, int, int, int]],
        tute_by: int | None,
    ) -> None:
        self.points = points
        self.last_side = last_side
        self.leaders = leaders
        self.spoken = spoken
        self.omitted = omitted
        self.tute_by = tute_by


def play_through(  # noqa: C901 - the one hot loop of the engine
    rules: Ruleset, leader: int, dealt: tuple[int, ...], trump: int, play: str
) -> FastReplay | None:
    """The outcome of a hand that breaks no rule, or ``None`` when anything at all is irregular.

    ``leader`` is mano, ``dealt`` the four hands as card sets.
    """
    hands = list(dealt)
    codes = list(map(_CODES.__getitem__, play.split()))
    end = len(codes)
    bits, above_of, suit_of = _BITS, ABOVE, SUIT_OF
    trumps, overtrump = SUIT_MASKS[trump], rules.must_overtrump
    piles = [0, 0]
    leaders = []
    words = _Words(rules, dealt, trump)
    pending, side_tricks, followers = words.pending, words.side_tricks, _FOLLOWERS
    at = 0
    try:
        for trick in range(1, rules.cards_each + 1):
            if trick > 1 and (codes[at] >= _FIRST_SPOKEN or pending[leader & 1]):
                at = words.window(hands, leader & 1, codes, at, trick)
                if at < 0:
                    return None
                if words.tute_by is not None:
                    break
            card = codes[at]
            bit = bits[card]
            if not hands[leader] & bit:
                return None
            leaders.append(leader)
            hands[leader] ^= bit
            pile, winner, above, follow = bit, leader, above_of[card], suit_of[card]
            if follow == trumps:
                for seat in followers[leader]:
                    at += 1
                    card = codes[at]
                    bit = bits[card]
                    hand = hands[seat]
                    if not bit & (hand & above or hand & follow or hand):
                        return None
                    hands[seat] = hand ^ bit
                    pile |= bit
                    if bit & above:
                        winner, above = seat, above_of[card]
            else:
                ruffed = False
                for seat in followers[leader]:
                    at += 1
                    card = codes[at]
                    bit = bits[card]
                    hand = hands[seat]
                    if ruffed:
                        over = hand & (above if overtrump else trumps)
                        if not bit & (hand & follow or over or hand):
                            return None
                        if bit & above:
                            winner, above = seat, above_of[card]
                    else:
                        if not bit & (hand & above or hand & follow or hand & trumps or hand):
                            return None
                        if bit & above:
                            winner, above = seat, above_of[card]
                        elif bit & trumps:
                            winner, above, ruffed = seat, above_of[card], True
                    hands[seat] = hand ^ bit
                    pile |= bit
            at += 1
            piles[winner & 1] |= pile
            side_tricks[winner & 1] += 1
            leader = winner
    except IndexError:
        return None
    if at != end:
        return None
    points = [points_in(pile) + words.points[side] for side, pile in enumerate(piles)]
    if words.tute_by is None:
        points[leader & 1] += LAST_TRICK
    return FastReplay(
        (points[0], points[1]), leader & 1, leaders, words.spoken, words.omitted, words.tute_by
    )


class _Words:
    """The declarations and forfeits of one hand, with the rules of :mod:`engine.rules`.

    ``pending`` says for each side whether a seat may hold a couple that is neither declared
    nor forfeited: only then can silence cost anything.
    """

    __slots__ = (
        "omitted",
        "pending",
        "points",
        "rules",
        "side_tricks",
        "spoken",
        "talk",
        "trump",
        "tute_by",
    )

    def __init__(self, rules: Ruleset, dealt: tuple[int, ...], trump: int) -> None:
        self.rules = rules
        self.trump = trump
        a, b, c, d = dealt
        self.pending = [
            rules.omitted_is_lost and bool((a & a << 1 | c & c << 1) & _REYES),
            rules.omitted_is_lost and bool((b & b << 1 | d & d << 1) & _REYES),
        ]
        self.talk = Talk(0, 0, (0, 0, 0, 0), (False, False))
        self.side_tricks = [0, 0]
        self.points = [0, 0]
        self.spoken: list[Action] = []
        self.omitted: list[tuple[int, int, int, int]] = []
        self.tute_by: int | None = None

    def window(self, hands: list[int], side: int, codes: list[int], at: int, trick: int) -> int:
        """Reads declarations from ``at`` on; returns the lead's index, -1 if one is refused."""
        talk, spoken = self.talk, [0, 0, 0, 0]
        while (code := codes[at] if at < len(codes) else -1) >= _FIRST_SPOKEN:
            if code == UNREADABLE:
                return -1
            action = _SPOKEN[code - _FIRST_SPOKEN]
            seat = action.seat
            talk.spoken = tuple(spoken)
            tricks = self.side_tricks[side] if seat & 1 == side else 0
            if refused_declaration(self.rules, action, hands[seat], self.trump, talk, tricks):
                return -1
            at += 1
            spoken[seat] += 1
            self.spoken.append(action)
            if action.kind is Kind.TUTE:
                self.tute_by = seat
                return at
            if passes_over_forty(action, hands[seat], self.trump, talk):
                talk.passed_over |= 1 << seat
            talk.declared |= 1 << declared_suit(action, self.trump)
            talk.side_spoke = tuple(spoke or n == side for n, spoke in enumerate(talk.side_spoke))
            self.points[side] += 40 if action.kind is Kind.FORTY else 20
        if self.pending[side]:
            talk.spoken = tuple(spoken)
            self._forfeit(hands, side, at, trick)
        if self.rules.declaring_order != "forty_in_deal":
            talk.passed_over = 0
        return at

    def _forfeit(self, hands: list[int], side: int, at: int, trick: int) -> None:
        talk, lost = self.talk, 0
        for seat in (side, side + 2):
            suits = omitted(self.rules, hands[seat], self.trump, talk, seat)
            lost |= suits
            self.omitted += [(trick, at, seat, suit) for suit in cards_in(suits)]
        talk.forfeited |= lost
        self.pending[side] = any(open_couples(hands[seat], talk) for seat in (side, side + 2))

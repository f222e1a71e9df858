"""One hand of a game without stock, straight through (rules R4, R6, R7.1)."""

from typing import Final

from engine.actions import ACTIONS, DECLARATIONS, Action, Kind
from engine.cards import (
    ABOVE,
    BITS,
    COUPLES,
    LAST_TRICK,
    RANK_MASKS,
    RANK_POINTS,
    REY,
    SUIT_MASKS,
    SUIT_OF,
)
from engine.rules import (
    Ruleset,
    Talk,
    declared_suit,
    may_still_declare,
    refused_declaration,
)

_REYES: Final = RANK_MASKS[REY]
"""A couple in a hand shows as ``hand & hand << 1`` at its rey: the caballo is one bit lower."""

_SPOKEN: Final = {
    action.token: action for action in ACTIONS.values() if action.kind in DECLARATIONS
}
_ABOVE: Final = {1 << card: above for card, above in enumerate(ABOVE)}
_SUIT: Final = {1 << card: suit for card, suit in enumerate(SUIT_OF)}
_FOLLOWERS: Final = ((1, 2, 3), (2, 3, 0), (3, 0, 1), (0, 1, 2))


class Straight:
    """What a hand came to.

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
) -> Straight | None:
    """The outcome of a hand that breaks no rule, or ``None`` when anything at all is irregular.

    ``leader`` is mano, ``dealt`` the four hands as card sets.
    """
    tokens = play.split()
    plays, said = _sorted_out(tokens)
    if plays is None:
        return None
    hands = list(dealt)
    trumps, overtrump = SUIT_MASKS[trump], rules.must_overtrump
    above_of, suit_of = _ABOVE, _SUIT
    piles = [0, 0]
    leaders: list[int] = []
    words = _Words(rules, dealt, trump, said)
    pending, side_tricks = words.pending, words.side_tricks
    four = iter(plays)
    for lead, second, third, fourth in zip(four, four, four, four, strict=False):
        done = len(leaders)
        if done and (pending[leader & 1] or done in said):
            if not words.window(hands, leader & 1, done):
                return None
            if words.tute_by is not None:
                return None  # cards after a tute
        hand = hands[leader]
        if not hand & lead:
            return None
        leaders.append(leader)
        hands[leader] = hand ^ lead
        winner, above, follow = leader, above_of[lead], suit_of[lead]
        if follow == trumps:
            for seat, card in zip(_FOLLOWERS[leader], (second, third, fourth), strict=True):
                hand = hands[seat]
                if not card & (hand & above or hand & follow or hand):
                    return None
                hands[seat] = hand ^ card
                if card & above:
                    winner, above = seat, above_of[card]
        else:
            ruffed = False
            for seat, card in zip(_FOLLOWERS[leader], (second, third, fourth), strict=True):
                hand = hands[seat]
                if ruffed:
                    over = hand & (above if overtrump else trumps)
                    if not card & (hand & follow or over or hand):
                        return None
                    if card & above:
                        winner, above = seat, above_of[card]
                else:
                    if not card & (hand & above or hand & follow or hand & trumps or hand):
                        return None
                    if card & above:
                        winner, above = seat, above_of[card]
                    elif card & trumps:
                        winner, above, ruffed = seat, above_of[card], True
                hands[seat] = hand ^ card
        side = winner & 1
        piles[side] |= lead | second | third | fourth
        side_tricks[side] += 1
        leader = winner
    done = len(leaders)
    if done < rules.cards_each and not (
        done in said and words.window(hands, leader & 1, done) and words.tute_by is not None
    ):
        return None
    if done * 4 != len(plays) or words.heard != len(said):
        return None
    points = [_worth(pile) + words.points[side] for side, pile in enumerate(piles)]
    if words.tute_by is None:
        points[leader & 1] += LAST_TRICK
    return Straight(
        (points[0], points[1]), leader & 1, leaders, words.spoken, words.omitted, words.tute_by
    )


def _sorted_out(tokens: list[str]) -> tuple[list[int] | None, dict[int, list[Action]]]:
    """The cards as sets of one, and what was said before which trick; no cards if irregular."""
    try:
        return list(map(BITS.__getitem__, tokens)), {}
    except KeyError:
        pass
    plays: list[int] = []
    said: dict[int, list[Action]] = {}
    for token in tokens:
        if token in BITS:
            plays.append(BITS[token])
        elif token in _SPOKEN and not len(plays) % 4:
            said.setdefault(len(plays) // 4, []).append(_SPOKEN[token])
        else:
            return None, {}
    return plays, said


def _worth(pile: int) -> int:
    s, c, r, three, ace = RANK_MASKS[5:]
    return (
        RANK_POINTS[5] * (pile & s).bit_count()
        + RANK_POINTS[6] * (pile & c).bit_count()
        + RANK_POINTS[7] * (pile & r).bit_count()
        + RANK_POINTS[8] * (pile & three).bit_count()
        + RANK_POINTS[9] * (pile & ace).bit_count()
    )


class _Words:
    """What is declared and forfeited in one hand, with the rules of :mod:`engine.rules`.

    ``said`` holds the declarations by the number of tricks played before them, ``heard`` counts
    the windows of it that were gone through. ``pending`` tells for each side whether somebody may
    hold a couple that is neither declared nor forfeited: only then can silence cost anything.
    """

    __slots__ = (
        "heard",
        "omitted",
        "pending",
        "points",
        "rules",
        "said",
        "side_tricks",
        "spoken",
        "talk",
        "trump",
        "tute_by",
    )

    def __init__(
        self, rules: Ruleset, dealt: tuple[int, ...], trump: int, said: dict[int, list[Action]]
    ) -> None:
        a, b, c, d = dealt
        self.pending = [
            bool((a & a << 1 | c & c << 1) & _REYES),
            bool((b & b << 1 | d & d << 1) & _REYES),
        ]
        self.rules = rules
        self.trump = trump
        self.said = said
        self.heard = 0
        self.talk = Talk(0, 0, (0, 0, 0, 0), (False, False))
        self.side_tricks = [0, 0]
        self.points = [0, 0]
        self.spoken: list[Action] = []
        self.omitted: list[tuple[int, int, int, int]] = []
        self.tute_by: int | None = None

    def window(self, hands: list[int], side: int, done: int) -> bool:
        """Take the declarations after ``done`` tricks, the last one won by ``side``."""
        talk, spoken = self.talk, [0, 0, 0, 0]
        for action in self.said.get(done, ()):
            seat = action.seat
            talk.spoken = tuple(spoken)
            tricks = self.side_tricks[side] if seat & 1 == side and self.tute_by is None else 0
            if refused_declaration(self.rules, action, hands[seat], self.trump, talk, tricks):
                return False
            spoken[seat] += 1
            self.spoken.append(action)
            if action.kind is Kind.TUTE:
                self.tute_by = seat
                continue
            talk.declared |= 1 << declared_suit(action, self.trump)
            talk.side_spoke = tuple(said or n == side for n, said in enumerate(talk.side_spoke))
            self.points[side] += 40 if action.kind is Kind.FORTY else 20
        self.heard += done in self.said
        if self.pending[side] and self.rules.omitted_is_lost and self.tute_by is None:
            self._forfeit(hands, side, spoken, done)
        return True

    def _forfeit(self, hands: list[int], side: int, spoken: list[int], done: int) -> None:
        talk, lost = self.talk, 0
        at = 4 * done + len(self.spoken)
        for seat in (side, side + 2):
            if not spoken[seat]:
                suits = may_still_declare(self.rules, hands[seat], self.trump, talk)
                lost |= suits
                self.omitted += [
                    (done + 1, at, seat, suit) for suit in range(4) if suits >> suit & 1
                ]
        talk.forfeited |= lost
        gone = talk.declared | talk.forfeited
        self.pending[side] = any(
            hands[seat] & couple == couple and not gone >> suit & 1
            for seat in (side, side + 2)
            for suit, couple in enumerate(COUPLES)
        )

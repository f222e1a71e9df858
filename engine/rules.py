"""The rules of play, each said once, and the rulesets as values (rules R2 to R7).

Everything here is a pure function of card sets. :mod:`engine.state` asks these questions one
action at a time; :mod:`engine.bulk` asks them in lock step and is held equal by tests.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Final

from engine.actions import Action, Kind
from engine.cards import ABOVE, COUPLES, RANK_MASKS, RANKS, SEATS, SUIT_OF


@dataclass(frozen=True)
class Ruleset:
    """One way to play Tute; every cell of the table of R3 is a field.

    ``name`` and ``version`` identify it for ever: a changed rule is a new version.
    """

    name: str
    version: int
    seat_count: int
    pairs: bool
    cards_each: int
    must_overtrump: bool
    """R4.4a when true: over a trump, a higher trump or anything. R4.4b when false."""
    forty_first: bool
    """R6.5c: whoever could declare a forty may declare nothing but it in that window."""
    declarations_per_trick: int
    """How many a player may make after one won trick (R6.4)."""
    omitted_is_lost: bool
    """R6.6: what a silent player could have declared is forfeited."""
    tute_ranks: str
    """Ranks of which four make a tute (R6.7)."""
    tute_at_first_trick_only: bool
    """R6.8: only at the side's first won trick, before any twenty or forty of the side."""
    target: int
    """Hands that win the match where a record names no other length (R7.4)."""

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """Seat letters in playing order (R2.1)."""
        return tuple(SEATS[: self.seat_count])

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The sides, named by their seats (R2.2)."""
        return ("AC", "BD") if self.pairs else self.seats

    @cached_property
    def identity(self) -> str:
        """Name and version, as written into digests: ``parejas-online@1``."""
        return f"{self.name}@{self.version}"

    def side_of(self, seat: int) -> int:
        """Index of the side that a seat belongs to."""
        return seat & 1 if self.pairs else seat

    def after(self, seat: int) -> int:
        """The seat that follows in playing order."""
        return (seat + 1) % self.seat_count


RULESETS: Final[Mapping[str, Ruleset]] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            Ruleset(
                name="parejas-online",
                version=1,
                seat_count=4,
                pairs=True,
                cards_each=10,
                must_overtrump=True,
                forty_first=True,
                declarations_per_trick=1,
                omitted_is_lost=True,
                tute_ranks="RC",
                tute_at_first_trick_only=True,
                target=3,
            ),
        )
    }
)


def best_on(table: tuple[int, ...], trumps: int) -> int:
    """The card that is winning the trick (R4.7); ``table`` is not empty, lead first."""
    best = table[0]
    for card in table[1:]:
        beats_it = 1 << card & ABOVE[best]
        ruffs_it = 1 << card & trumps and not 1 << best & trumps
        if beats_it or ruffs_it:
            best = card
    return best


def legal_cards(rules: Ruleset, hand: int, table: tuple[int, ...], trumps: int) -> int:
    """The cards of ``hand`` that may be played on ``table`` (R4.1 to R4.5)."""
    if not table:
        return hand
    best = best_on(table, trumps)
    follow = hand & SUIT_OF[table[0]]
    above = hand & ABOVE[best]
    ruffed = 1 << best & trumps and not 1 << table[0] & trumps
    if not ruffed:
        return above or follow or hand & trumps or hand
    return follow or (above if rules.must_overtrump else hand & trumps) or hand


def broken_duty(hand: int, table: tuple[int, ...], trumps: int, card: int) -> tuple[str, str]:
    """Code and rule of the duty that playing ``card``, held but not legal, breaks (F3)."""
    led = SUIT_OF[table[0]]
    if hand & led:
        return ("play.must_head" if 1 << card & led else "play.must_follow"), "R4.2"
    if not 1 << card & trumps:
        return "play.must_trump", "R4.4"
    return "play.must_overtrump", "R4.4a"


@dataclass(slots=True)
class Talk:
    """What has been declared in a hand so far: all that decides about the next declaration.

    ``declared`` and ``forfeited`` are bit sets of suits; ``spoken`` counts each seat's
    declarations in the present window; ``side_spoke`` tells which sides declared a 20 or a 40.
    """

    declared: int
    forfeited: int
    spoken: tuple[int, ...]
    side_spoke: tuple[bool, ...]


def may_still_declare(rules: Ruleset, hand: int, trump: int, talk: Talk) -> int:
    """Suits (as bits) that a player silent so far in this window could declare (R6.1, R6.5)."""
    gone = talk.declared | talk.forfeited
    open_suits = 0
    for suit in range(4):
        if hand & COUPLES[suit] == COUPLES[suit] and not gone >> suit & 1:
            open_suits |= 1 << suit
    if rules.forty_first and open_suits >> trump & 1:
        return 1 << trump
    return open_suits


def refused_declaration(
    rules: Ruleset, action: Action, hand: int | None, trump: int, talk: Talk, side_tricks: int
) -> tuple[str, str] | None:
    """Why a declaration may not be made, as code and rule, or ``None`` when it may (R6).

    ``hand`` is the declarer's, ``None`` when unknown; ``side_tricks`` how many tricks his side
    has won if it has just won one, else 0. The order of the checks is that of F3.
    """
    if action.kind is Kind.TUTE:
        return _refused_tute(rules, action, hand, talk, side_tricks)
    suit = declared_suit(action, trump)
    if action.kind is Kind.TWENTY and suit == trump:
        return "declare.not_admitted", "R6.1"
    if not side_tricks:
        return "declare.window", "R6.2"
    if hand is not None and hand & COUPLES[suit] != COUPLES[suit]:
        return "declare.not_held", "R6.1"
    if talk.declared >> suit & 1:
        return "declare.repeated", "R6.3"
    if talk.forfeited >> suit & 1:
        return "declare.forfeited", "R6.6"
    if hand is not None and not may_still_declare(rules, hand, trump, talk) >> suit & 1:
        return "declare.order", "R6.5c"
    if talk.spoken[action.seat] >= rules.declarations_per_trick:
        return "declare.limit", "R6.4"
    return None


def _refused_tute(
    rules: Ruleset, action: Action, hand: int | None, talk: Talk, side_tricks: int
) -> tuple[str, str] | None:
    """The same for a tute (R6.7, R6.8)."""
    if action.rank not in rules.tute_ranks:
        return "declare.not_admitted", "R6.7"
    if not side_tricks:
        return "declare.window", "R6.2"
    if rules.tute_at_first_trick_only and side_tricks > 1:
        return "declare.window", "R6.8"
    four = RANK_MASKS[RANKS.index(action.rank)]
    if hand is not None and hand & four != four:
        return "declare.not_held", "R6.7"
    if rules.tute_at_first_trick_only and talk.side_spoke[rules.side_of(action.seat)]:
        return "declare.order", "R6.8"
    return None


def declared_suit(action: Action, trump: int) -> int:
    """The suit of a twenty or a forty."""
    return trump if action.kind is Kind.FORTY else action.value


NOT_ADMITTED: Final = MappingProxyType(
    {
        Kind.EXCHANGE: "exchange.not_admitted",
        Kind.CAPOTE: "claim.not_admitted",
        Kind.CLAIM: "claim.not_admitted",
        Kind.SUPPORT: "support.not_admitted",
    }
)
"""Refusals of what a ruleset does not know at all (R3)."""

"""The rules of play, each said once (rules R4 to R6).

Everything here is a pure function of card sets. :mod:`engine.state` asks these questions one
action at a time; :mod:`engine.fast.masks` states them once more, compiled, held equal by tests.
"""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.actions import Action, Kind
from engine.cards import ABOVE, COUPLES, RANK_MASKS, RANKS, SUIT_OF
from engine.rulesets import Ruleset


def winning_card(table: tuple[int, ...], trumps: int) -> int:
    """The card that is winning the trick (R4.7); ``table`` is not empty, lead first."""
    best = table[0]
    for card in table[1:]:
        beats_it = 1 << card & ABOVE[best]
        ruffs_it = 1 << card & trumps and not 1 << best & trumps
        if beats_it or ruffs_it:
            best = card
    return best


def legal_cards(
    rules: Ruleset, hand: int, table: tuple[int, ...], trumps: int, stock: int = 0
) -> int:
    """The cards of ``hand`` that may be played on ``table``, with ``stock`` cards to draw (R4)."""
    if not table:
        return hand
    follow = hand & SUIT_OF[table[0]]
    if stock and rules.duties_while_stock == "trumps":
        return (follow if 1 << table[0] & trumps else 0) or hand
    best = winning_card(table, trumps)
    higher = hand & ABOVE[best]
    ruffed = 1 << best & trumps and not 1 << table[0] & trumps
    if not ruffed:
        return higher or follow or hand & trumps or hand
    return follow or (higher if rules.must_overtrump else hand & trumps) or hand


def broken_duty(
    rules: Ruleset, hand: int, table: tuple[int, ...], trumps: int, card: int, stock: int = 0
) -> tuple[str, str]:
    """Code and rule of the duty that playing ``card``, held but not legal, breaks (F3)."""
    led = SUIT_OF[table[0]]
    if stock and rules.duties_while_stock == "trumps":
        return "play.must_follow", "R4.6"
    if hand & led:
        return ("play.must_head" if 1 << card & led else "play.must_follow"), "R4.2"
    if not 1 << card & trumps:
        return "play.must_trump", "R4.4"
    return "play.must_overtrump", "R4.4a"


@dataclass(slots=True)
class Declarations:
    """The declarations of a hand so far: all that decides about the next declaration.

    ``declared`` and ``forfeited`` are bit sets of suits; ``spoken`` counts each seat's
    declarations in the present window; ``side_spoke`` marks the sides that declared a 20 or a 40;
    ``passed_over`` is the bit set of the seats that declared a 20 while they held an undeclared
    40, in this window or (R6.5b) this deal.
    """

    declared: int
    forfeited: int
    spoken: tuple[int, ...]
    side_spoke: tuple[bool, ...]
    passed_over: int = 0


def open_couples(hand: int, talk: Declarations) -> int:
    """Suits (as bits) whose couple is in the hand, neither declared nor forfeited (R6.1, R6.3)."""
    closed_suits = talk.declared | talk.forfeited
    suits = 0
    for suit, couple in enumerate(COUPLES):
        if hand & couple == couple and not closed_suits >> suit & 1:
            suits |= 1 << suit
    return suits


def passes_over_forty(action: Action, hand: int, trump: int, talk: Declarations) -> bool:
    """Whether a declaration is a 20 by a seat that holds an undeclared 40 (R6.5)."""
    return action.kind is Kind.TWENTY and bool(open_couples(hand, talk) >> trump & 1)


def forfeited_by_lead(rules: Ruleset, hand: int, trump: int, talk: Declarations, seat: int) -> int:
    """Suits (as bits) that a player of the side that won the trick forfeits by a lead (R6.6)."""
    if rules.declare_at == "every" and talk.spoken[seat]:
        return 0
    suits = open_couples(hand, talk)
    if rules.declaring_order == "forty_alone" and suits >> trump & 1:
        return 1 << trump
    return suits


def refused_declaration(
    rules: Ruleset,
    action: Action,
    hand: int | None,
    trump: int,
    talk: Declarations,
    side_tricks: int,
) -> tuple[str, str] | None:
    """Why a declaration may not be made, as code and rule, or ``None`` when it may (R6).

    ``hand`` is the declarer's, ``None`` when unknown; ``side_tricks`` how many tricks their side
    has won if its window is open, else 0. The order of the checks is that of F3.
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
    if talk.forfeited >> suit & 1 or (rules.declare_at == "first" and side_tricks > 1):
        return "declare.forfeited", "R6.6"
    if hand is not None and (rule := _broken_order_rule(rules, action, hand, trump, talk)):
        return "declare.order", rule
    if rules.declarations_per_trick and talk.spoken[action.seat] >= rules.declarations_per_trick:
        return "declare.limit", "R6.4"
    return None


def _broken_order_rule(
    rules: Ruleset, action: Action, hand: int, trump: int, talk: Declarations
) -> str:
    """The part of R6.5 that a declaration breaks, empty if none."""
    order = rules.declaring_order
    if order in ("forty_in_window", "forty_in_deal"):
        is_late = action.kind is Kind.FORTY and talk.passed_over >> action.seat & 1
        return {"forty_in_window": "R6.5a", "forty_in_deal": "R6.5b"}[order] if is_late else ""
    if order in ("forty_alone", "forty_first") and passes_over_forty(action, hand, trump, talk):
        return {"forty_alone": "R6.5c", "forty_first": "R6.5d"}[order]
    return ""


def _refused_tute(
    rules: Ruleset, action: Action, hand: int | None, talk: Declarations, side_tricks: int
) -> tuple[str, str] | None:
    """Why a tute may not be declared, as code and rule, or ``None`` (R6.7, R6.8)."""
    if action.rank not in rules.tute_ranks:
        return "declare.not_admitted", "R6.7"
    if not side_tricks:
        return "declare.window", "R6.2"
    if side_tricks > 1 and rules.tute_at_first_trick_only:
        return "declare.window", "R6.8"
    if side_tricks > 1 and rules.declare_at == "first":
        return "declare.window", "R6.2"
    four = RANK_MASKS[RANKS.index(action.rank)]
    if hand is not None and hand & four != four:
        return "declare.not_held", "R6.7"
    if rules.tute_at_first_trick_only and talk.side_spoke[rules.side_of(action.seat)]:
        return "declare.order", "R6.8"
    return None


def declared_suit(action: Action, trump: int) -> int:
    """The suit of a twenty or a forty."""
    return trump if action.kind is Kind.FORTY else action.value


EXCHANGED_FOR: Final = MappingProxyType({"7": "13RCS", "2": "7654"})
"""Ranks of the upcard that the seven and the two of trumps may be exchanged for (R5.2)."""

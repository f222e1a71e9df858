"""R5, R6, R8.4 and R9 said a second time: everything that is said at the table, not played.

Each ``wrong_…`` answers the code and the rule against a saying, in F3's order, or None.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from tests.engine.naive_rules import (
    CARDS_EACH,
    EXCHANGE,
    FIRST_WON_TRICK_ONLY,
    MAX_DECLARATIONS,
    OMITTED_IS_LOST,
    ORDER,
    RACE_TO_101,
    SUITS,
    TUTES,
    rank_of,
)

if TYPE_CHECKING:
    from tests.engine.naive_play import Play

Wrong = tuple[str, str] | None

# --------------------------------------------------------------------------- the tokens of F1

DECLARATIONS = ["40", *("20" + suit for suit in SUITS), "tuteR", "tuteC"]
EXCHANGES = ["x7", "x2"]
CLAIMS = ["capote", "101"]
SUPPORTS = ["voy", "paso"]
SAYINGS = DECLARATIONS + EXCHANGES + CLAIMS + SUPPORTS
TOKEN = re.compile(f"(?P<card>[1234567RCS][oceb])|(?P<seat>[ABCD]):(?P<saying>{'|'.join(SAYINGS)})")


class Token(NamedTuple):
    """A card, or who says what."""

    card: str
    seat: str
    saying: str


@cache
def read_token(token: str) -> Token | None:
    read = TOKEN.fullmatch(token)
    return Token(read["card"] or "", read["seat"] or "", read["saying"] or "") if read else None


def thinkable(play: Play) -> list[str]:
    """All that a player might think of saying now; whether it is allowed is another question."""
    sayings = DECLARATIONS if play.window_side is not None else []
    sayings = sayings + (EXCHANGES if EXCHANGE[play.ruleset] else [])
    sayings = sayings + (CLAIMS if RACE_TO_101[play.ruleset] else [])
    sayings = sayings + (SUPPORTS if play.yet_to_speak else [])
    return [f"{seat}:{saying}" for seat in play.active for saying in sayings]


# --------------------------------------------------------------------------- any saying


def wrong_saying(play: Play, seat: str, saying: str) -> Wrong:
    if saying.startswith("tute"):
        return wrong_tute(play, seat, rank_of(saying[-1]))
    if saying in DECLARATIONS:
        return wrong_declaration(play, seat, saying)
    if saying in EXCHANGES:
        return wrong_exchange(play, seat, saying)
    if saying in CLAIMS:
        return wrong_claim(play, seat, saying)
    return wrong_support(play, seat)


def apply_saying(play: Play, seat: str, saying: str) -> None:
    """Lets a legal saying happen."""
    if saying.startswith("tute"):
        play.declared.append((seat, saying))
        play.tute_side = play.side_of(seat)  # R6.7
    elif saying in DECLARATIONS:
        declare(play, seat, saying)
    elif saying in EXCHANGES:
        exchange(play, seat, saying)
    elif saying == "capote":
        play.capote = seat
    elif saying == "101":
        play.claimed_by = seat
    else:
        play.yet_to_speak.remove(seat)
        if saying == "voy" and play.supporter is None:  # R8.4: the first to do so
            play.supporter = seat


# --------------------------------------------------------------------------- R6: declarations


def name_of(play: Play, suit: str) -> str:
    """R6.1: 40 in trumps, 20 otherwise."""
    return "40" if suit == play.trump else "20" + suit


def held_combinations(play: Play, seat: str) -> list[str]:
    """R6.1: suits in which the seat holds both R and C at this moment."""
    hand = play.hands[seat]
    return [name_of(play, suit) for suit in SUITS if "R" + suit in hand and "C" + suit in hand]


def open_combinations(play: Play, seat: str) -> list[str]:
    """Those held and neither declared (R6.3) nor forfeited (R6.6)."""
    used_combinations = play.declared + play.forfeited
    return [name for name in held_combinations(play, seat) if (seat, name) not in used_combinations]


def wrong_declaration(play: Play, seat: str, name: str) -> Wrong:
    if name == "20" + play.trump:
        return "declare.not_admitted", "R6.1"
    if play.window_side != play.side_of(seat):
        return "declare.window", "R6.2"
    if name not in held_combinations(play, seat):
        return "declare.not_held", "R6.1"
    if (seat, name) in play.declared:
        return "declare.repeated", "R6.3"
    if (seat, name) in play.forfeited:
        return "declare.forfeited", "R6.6"
    if is_out_of_order(play, seat, name):
        return "declare.order", ORDER[play.ruleset]
    if play.said_in_window.count(seat) >= MAX_DECLARATIONS[play.ruleset]:
        return "declare.limit", "R6.4"
    return None


def is_out_of_order(play: Play, seat: str, name: str) -> bool:
    """R6.5: in a and b the forty comes too late, in c and d the twenty too early."""
    if ORDER[play.ruleset] in ["R6.5a", "R6.5b"]:
        return name == "40" and seat in play.forty_refused
    if ORDER[play.ruleset] in ["R6.5c", "R6.5d"]:
        return name != "40" and "40" in open_combinations(play, seat)
    return False


def forty_refused_in_window_only(play: Play) -> bool:
    """R6.5a, where R6.5b has the rest of the deal."""
    return ORDER[play.ruleset] == "R6.5a"


def declare(play: Play, seat: str, name: str) -> None:
    if name != "40" and "40" in open_combinations(play, seat):
        play.forty_refused.append(seat)
    play.declared.append((seat, name))
    play.said_in_window.append(seat)
    if play.capote is None:  # R9.5: after it they have no effect
        play.score(play.side_of(seat), int(name[:2]))


def wrong_tute(play: Play, seat: str, rank: str) -> Wrong:
    """R6.7, R6.8; in `parejas` too only the side's first won trick is one for declaring (R3)."""
    online = play.ruleset == "parejas-online"
    side = play.side_of(seat)
    if rank not in TUTES[play.ruleset]:
        return "declare.not_admitted", "R6.7"
    if play.window_side != side:
        return "declare.window", "R6.2"
    if online and play.tricks_won[side] > 1:
        return "declare.window", "R6.8"
    if FIRST_WON_TRICK_ONLY[play.ruleset] and play.tricks_won[side] > 1:
        return "declare.window", "R6.2"
    if any(rank + suit not in play.hands[seat] for suit in SUITS):
        return "declare.not_held", "R6.7"
    if online and any(play.side_of(other) == side for other, _ in play.declared):
        return "declare.order", "R6.8"
    return None


def combinations_lost(play: Play, seat: str) -> list[str]:
    """R6.6: what this seat forfeits if the window ends now."""
    if not OMITTED_IS_LOST[play.ruleset] or play.window_side != play.side_of(seat):
        return []
    could = open_combinations(play, seat)
    if FIRST_WON_TRICK_ONLY[play.ruleset]:
        return could  # every combination not declared at the side's first won trick
    if seat in play.said_in_window:
        return []
    return ["40"] if "40" in could else could


# --------------------------------------------------------------------------- R5: exchange


def wrong_exchange(play: Play, seat: str, which: str) -> Wrong:
    """R5.2 to R5.5."""
    rule = EXCHANGE[play.ruleset]
    if not rule:
        return "exchange.not_admitted", "R3"
    if rule == "R5.5":
        if play.table or play.tricks:
            return "exchange.window", "R5.5"
    elif len(play.stock) <= 2:
        return "exchange.window", "R5.3"
    if rule == "R5.4" and play.tricks_won[seat] == 0:
        return "exchange.no_trick", "R5.4"
    if which[1] + play.trump not in play.hands[seat]:
        return "exchange.not_held", "R5.2"
    assert play.upcard is not None
    if rank_of(play.upcard) not in {"x7": "13RCS", "x2": "7654"}[which]:
        return "exchange.upcard", "R5.2"
    return None


def exchange(play: Play, seat: str, which: str) -> None:
    """R5.2: the card given becomes the upcard; the trump suit does not change."""
    low_trump = which[1] + play.trump
    upcard = play.upcard
    assert upcard is not None
    play.hands[seat].remove(low_trump)
    play.hands[seat].append(upcard)
    if play.stock:
        play.stock[-1] = low_trump
    else:
        play.set_aside = low_trump


# --------------------------------------------------------------------------- R9: claims


def wrong_claim(play: Play, seat: str, claim: str) -> Wrong:
    """R9.3 and R9.5."""
    if not RACE_TO_101[play.ruleset]:
        return "claim.not_admitted", "R3"
    if claim == "101":
        after_winning = play.last_winner == seat and not play.table
        if play.deal_of_juego == 2 and after_winning and play.capote is None:
            return None
        return "claim.window", "R9.3"
    full = all(len(hand) == CARDS_EACH[play.ruleset] for hand in play.hands.values())
    if full and not play.stock and not play.table and play.capote is None:
        return None  # after the last draw and before the lead of the next trick
    return "claim.window", "R9.5"


# --------------------------------------------------------------------------- R8.4: support


def wrong_support(play: Play, seat: str) -> Wrong:
    """R8.4: from mano on, each once, before the first lead."""
    if play.ruleset != "arrastrado":
        return "support.not_admitted", "R3"
    if not play.plate:
        return "support.not_admitted", "R8.4"
    if not play.yet_to_speak or play.yet_to_speak[0] != seat:
        return "support.window", "R8.4"
    return None

"""Faults against the duties of play, in the words of a table: who, which card, what was held."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

import engine

RANKS: Final = {
    "1": gettext_lazy("the ace"),
    "2": gettext_lazy("the two"),
    "3": gettext_lazy("the three"),
    "4": gettext_lazy("the four"),
    "5": gettext_lazy("the five"),
    "6": gettext_lazy("the six"),
    "7": gettext_lazy("the seven"),
    "S": gettext_lazy("the jack"),
    "C": gettext_lazy("the knight"),
    "R": gettext_lazy("the king"),
}
SENTENCES: Final[dict[str, Promise]] = {
    "play.must_follow": gettext_lazy(
        "%(name)s played %(card)s; %(suit)s were led, and at hand there was %(held)s."
    ),
    "play.must_head": gettext_lazy(
        "%(name)s played %(card)s; %(best)s had to be beaten, and at hand there was %(held)s."
    ),
    "play.must_trump": gettext_lazy(
        "%(name)s played %(card)s; without the suit led one must trump, and at hand there was "
        "%(held)s."
    ),
    "play.must_overtrump": gettext_lazy(
        "%(name)s played %(card)s; %(best)s had to be overtrumped, and at hand there was %(held)s."
    ),
    "play.not_held": gettext_lazy(
        "%(name)s played %(card)s without having it; allowed was %(held)s."
    ),
}
"""By the code of the fault."""


def fault_sentence(
    fault: engine.Fault,
    name: str,
    cards: Mapping[str, object],
    suit_name: Callable[[str], str],
) -> str:
    """Return what ``name`` did, with cards by their names; empty for a fault of another kind.

    ``cards`` has the text of a card by its suit, with a gap for the rank.
    """
    sentence = SENTENCES.get(fault.code)
    if sentence is None or not name or fault.card is None or not fault.legal:
        return ""

    led, best = str(fault.facts.get("led", "")), str(fault.facts.get("best", ""))
    same_suit = {card[1] for card in fault.legal} == {led[-1:]}
    held = [
        str(RANKS[card[0]]) if same_suit else _card_in_text(card, cards) for card in fault.legal
    ]
    return str(sentence) % {
        "name": name,
        "card": _card_in_text(fault.card, cards),
        "suit": suit_name(led) if led else "",
        "best": _card_in_text(best, cards) if best else "",
        "held": _list(held),
    }


def sentence_parts(
    cards: Mapping[str, object], suit_name: Callable[[str], str]
) -> dict[str, object]:
    """Return the parts of :func:`fault_sentence` for `js/faults.js`, in the current language."""
    return {
        "sentences": {code: str(sentence) for code, sentence in SENTENCES.items()},
        "cards": {card: _card_in_text(card, cards) for card in engine.CARD_NAMES},
        "ranks": {rank: str(text) for rank, text in RANKS.items()},
        "suits": {suit: suit_name(suit) for suit in engine.SUITS},
        "list": str(LAST),
    }


LAST: Final = pgettext_lazy("list of cards", "%(first)s and %(last)s")


def _card_in_text(card: str, cards: Mapping[str, object]) -> str:
    return str(cards[card[1]]) % {"rank": RANKS[card[0]]}


def _list(parts: Sequence[str]) -> str:
    *first, last = parts
    return str(LAST) % {"first": ", ".join(first), "last": last} if first else last

"""``{% load recorder %}``: texts for the recorder's script."""

from typing import Any, Final

from django import template
from django.utils.translation import gettext_lazy as _

import engine
from tournaments.core.languages import active_language
from tournaments.core.templatetags.ui import CALLS, RANKS, SUITS, card_name

register = template.Library()

SAYINGS: Final = {
    **CALLS,
    "x7": _("exchanges the seven"),
    "x2": _("exchanges the two"),
    "capote": _("announces capote"),
    "101": _("claims 101"),
    "voy": _("supports the plate"),
    "paso": _("passes"),
}
"""Names of the calls, to follow the name of the player."""

WORDS: Final = {
    "kept": _("Kept on this device."),
    "offline": _("No network: everything is kept on this device, and sent when it is back."),
    "unkept": _("This device keeps nothing for pages: do not close this one before sending."),
    "hand": _("Hand {number}"),
    "seats": _("Who sits where"),
    "order": _("In playing order: {names}"),
    "begin": _("Begin"),
    "dealer": _("Who deals?"),
    "deals": _("{name} deals"),
    "trump_dealer": _("Which card did {name} show for trumps?"),
    "trump_stock": _("Which card was turned up?"),
    "trump_aside": _("Which card was set aside for trumps?"),
    "trump": _("Trumps: {card}"),
    "turn": _("{name} plays"),
    "leads": _("{name} leads"),
    "speaks": _("{name} says whether he supports the plate"),
    "trick": _("Trick {number}"),
    "last": _("Last trick: taken by {name}"),
    "points": _("Points"),
    "calls": _("Declare or say something ({count})"),
    "say": _("{name}: {call}"),
    "undo": _("Undo"),
    "undone": _("Undone: {token}"),
    "played": _("{name}: {card}"),
    "change": _("Change this card: {token}"),
    "changing": _("Trick {trick}: choose what was really played instead of {token}."),
    "keep": _("Leave it as it was"),
    "drop": _("Take only this away"),
    "cut": _("Take away everything from here"),
    "go_back": _("Go back to trick {trick}"),
    "not_now": _("{card} cannot be played by {name} now."),
    "why_duty": _("In trick {trick} {name} played another card. {words}"),
    "why_declared": _("{name} declared with this card in trick {trick}."),
    "why_shown": _("It is the card that {name} showed for trumps."),
    "why_taken": _("{name} exchanged for this card."),
    "refused": _("Here the hand stops fitting: {token}."),
    "legal": _("Could be played: {cards}"),
    "later": _("after it, {count} more are waiting"),
    "log": _("What is written down"),
    "nothing": _("Nothing yet"),
    "cards": _("Cards"),
    "typed": _("Key {key}: now the suit (o, c, e, b)"),
    "deal_all": _(
        "Here cards are drawn unseen, so the record needs the whole deal and the order of the "
        "stock. Enter them first; if nobody knows them, report only the points."
    ),
    "points_only": _("Report only the points"),
    "deal_unfit": _("These cards cannot be a deal: some card stands twice."),
    "deal_some": _("Enter a hand beforehand"),
    "deal_rest": _("The hand ended early: who still held which cards?"),
    "slot": _("{name}: {count} of {total}"),
    "stock": _("Stock, in drawing order"),
    "done": _("That is all"),
    "over": _("Hand {number} is over: {points}"),
    "wins": _("{name} won it"),
    "no_winner": _("Nobody has won it yet: a second deal follows."),
    "next": _("Next hand"),
    "decided": _("The match is over: {score}"),
    "send": _("Send the record"),
    "sending": _("Sending. It is sent once, however often the network fails."),
    "sent": _("Sent."),
    "see": _("See the match"),
    "again": _("Write down another record"),
    "discard": _("Throw it away"),
    "discard_sure": _("Throw away all that is written down here? Press again to do it."),
    "sign_in": _("You are no longer known here: sign in or give your code, then come back."),
    "trouble": _("The service does not answer as it should; it is asked again."),
}
"""Texts of the page; the script fills in ``{…}``."""


JUDGED: Final = {
    "valid": _("The record is valid"),
    "invalid": _("The record is not valid"),
    "score": _("Score: {score}"),
    "here": _("Judged on this device, before it is sent. It can be handed in all the same."),
    "legal": _("Could be played: {cards}"),
    "rule": _("rule {rule}"),
    "hand": _("hand {hand}"),
    "trick": _("trick {trick}"),
    "token": _("token {token}"),
    "line": _("line {line}, column {column}"),
}
"""Texts of the verdict that a page gives on a record before it is sent."""


@register.simple_tag
def recorder_words() -> dict[str, Any]:
    """Return the names of cards, suits, ranks and calls for the script, and its texts."""
    return {
        "cards": {card: card_name(card) for card in engine.CARD_NAMES},
        "suits": {suit: str(SUITS[suit]) for suit in engine.SUITS},
        "ranks": {rank: str(RANKS[rank]) for rank in engine.RANKS},
        "sayings": {call: str(words) for call, words in SAYINGS.items()},
        "words": {name: str(words) for name, words in WORDS.items()},
        "faults": engine.fault_messages(active_language()),
    }


@register.simple_tag
def judging_words() -> dict[str, Any]:
    """Return the texts with which a page judges a record before it is sent."""
    return {
        "words": {name: str(words) for name, words in JUDGED.items()},
        "cards": {card: card_name(card) for card in engine.CARD_NAMES},
        "faults": engine.fault_messages(active_language()),
    }

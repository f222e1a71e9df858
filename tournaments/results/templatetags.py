"""``{% load hands %}``, ``{% load recorder %}``: a hand step by step; texts of the recorder."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from django import template
from django.urls import reverse
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

import engine
from engine import Fault, Frame
from tournaments.analysis.templatetags import call_text, tricks
from tournaments.core.fault_sentences import sentence_parts
from tournaments.core.templatetags import (
    CALLS,
    CARDS,
    RANKS,
    SUITS,
    call_name,
    card_name,
    seat_label,
    sprite,
    suit_name,
)
from tournaments.domain.scores import SEATS

# --- Hands ----------------------------------------------------------------------------------------


register = template.Library()


BUTTONS = (
    ("first", _("To the deal")),
    ("back", _("One step back")),
    ("play", _("Play by itself")),
    ("forward", _("One step forward")),
    ("last", _("To the end")),
)


ACTS: Final = {
    "x7": _("exchanges the seven"),
    "x2": _("exchanges the two"),
    "capote": _("announces capote"),
    "101": _("claims 101"),
    "voy": _("supports the plate"),
    "paso": _("passes"),
}
"""What a player says besides declarations, to follow the name."""

# Where each seat is on the board, by how many sit there: a below, then b, c, d counter-clockwise
PLACES: Final = {2: "ac", 3: "abd", 4: "abcd"}


@register.inclusion_tag("ui/hand_stepper.html")
def hand_stepper(
    frames: Sequence[Frame],
    names: Mapping[str, str],
    trump: str,
    dealer: str,
    fault: Fault | None = None,
    words: str = "",
    judged: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Render the stepper of one hand.

    ``frames``: what ``engine.frames`` gives, at least one. ``names``: a player's name per seat.
    ``trump``: the card that showed trumps. ``dealer``: a seat. ``fault`` and its ``words``: what
    stopped the play, if anything; it becomes the last step. ``judged``: marks by card.
    """
    steps = frames_as_json(frames, names, trump, dealer)
    if fault is not None and fault.token is not None:
        steps.append(_stopped_step(steps[-1], fault, words))
    calls = sorted({call for step in steps for side in step["declared"].values() for call in side})
    dealt = frames[0].hands
    return {
        "seats": [
            (seat, place, names[seat], cards)
            for (seat, cards), place in zip(dealt.items(), PLACES[len(dealt)], strict=True)
        ],
        "sides": [_side(side, frames[-1], names) for side in frames[0].points],
        "turn": frames[0].turn,
        "trump": trump,
        "dealer": dealer,
        "tricks": tricks(frames),
        "judged": judged or {},
        "names": names,
        "fault": fault,
        "words": words,
        "opening": steps[0]["says"],
        "buttons": [(name, str(words)) for name, words in BUTTONS],
        "last_step": len(steps) - 1,
        "book": {
            "sprite": sprite(),
            "cards": {card: card_name(card) for card in (*_all_cards(frames), "back")},
            "calls": {call: call_text(call) for call in calls},
            "marks": {"bad": gettext("against the rules"), "legal": gettext("may be played")},
            "steps": steps,
        },
    }


def _side(side: str, last: Frame, names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "side": side,
        "names": [names[seat] for seat in side],
        "points": last.points[side],
        "tricks": last.tricks_won[side],
        "calls": [call_text(token) for token in last.declared[side]],
    }


def side_name(side: str, names: Mapping[str, str]) -> str:
    """``"AC"`` → "Ana / Carlos"."""
    return " / ".join(names[seat] for seat in side)


def frames_as_json(
    frames: Sequence[Frame], names: Mapping[str, str], trump: str, dealer: str
) -> list[dict[str, Any]]:
    """Return the frames as JSON values, each with a sentence about what happened."""
    steps = []
    for number, frame in enumerate(frames):
        before = frames[number - 1] if number else None
        says = [
            _opening_text(frame, names, trump, dealer)
            if before is None
            else _action_text(frame, names)
        ]
        if before is not None and frame.won is not None:
            says.append(_describe_trick(frame, before, names))
        if frame.turn is None:
            says.append(_result(frame, names))
        steps.append({**asdict(frame), "says": " ".join(says)})
    return steps


def _stopped_step(last: dict[str, Any], fault: Fault, words: str) -> dict[str, Any]:
    """Return the step at which the play stopped, with the card marked in its hand."""
    return {
        **last,
        "token": fault.card or fault.declaration,
        "seat": fault.seat,
        "turn": fault.seat,
        "legal": list(fault.legal),
        "won": None,
        "table": [] if last["won"] else last["table"],
        "bad": fault.card or "",
        "stopped": True,
        "says": words,
    }


def _all_cards(frames: Sequence[Frame]) -> dict[str, None]:
    """Return every card that is ever held, those of the stock after the dealt ones."""
    return dict.fromkeys(
        card for frame in frames for cards in frame.hands.values() for card in cards
    )


def _opening_text(frame: Frame, names: Mapping[str, str], trump: str, dealer: str) -> str:
    return gettext("%(dealer)s deals, trumps are %(suit)s, %(leader)s leads.") % {
        "dealer": names[dealer],
        "suit": suit_name(trump),
        "leader": names[frame.turn or dealer],
    }


def _action_text(frame: Frame, names: Mapping[str, str]) -> str:
    token, name = frame.token or "", names[frame.seat or "A"]
    call = token.rpartition(":")[2]
    if call in ACTS:
        return f"{name} {ACTS[call]}."
    if ":" in token:
        return gettext("%(name)s declares %(call)s.") % {"name": name, "call": call_name(token)}
    card = card_name(token)
    return gettext("%(name)s plays the %(card)s.") % {
        "name": name,
        "card": card[0].lower() + card[1:],
    }


def _describe_trick(frame: Frame, before: Frame, names: Mapping[str, str]) -> str:
    gained = sum(frame.points.values()) - sum(before.points.values())
    sentence = ngettext(
        "%(name)s takes trick %(trick)s: %(count)s point.",
        "%(name)s takes trick %(trick)s: %(count)s points.",
        gained,
    )
    return sentence % {"name": names[frame.won or "A"], "trick": frame.trick, "count": gained}


def _result(frame: Frame, names: Mapping[str, str]) -> str:
    points = [f"{side_name(side, names)} {count}" for side, count in frame.points.items()]
    return gettext("End of the hand: %(points)s.") % {"points": ", ".join(points)}


# --- Recorder -------------------------------------------------------------------------------------


CALL_NAMES: Final = {**CALLS, **ACTS}
"""Names of the calls, to follow the name of the player."""

STATE_TEXTS: Final = {
    "kept": _("Kept on this device."),
    "offline": _("No network: everything is kept on this device, and sent when it is back."),
    "unkept": _("This device keeps nothing for pages: do not close this one before sending."),
    "hand": _("Hand {number}"),
    "hand_of_coto": _("Coto {coto}, hand {number}"),
    "coto": _("Which coto is it?"),
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
    "speaks": _("{name} says whether they support the plate"),
    "trick": _("Trick {number}"),
    "last": _("Last trick: taken by {name}"),
    "points": _("Points"),
    "sits_out": _("sits out"),
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
    "why_certain": _("{name} is left with other cards, which no other player can hold."),
    "refused": _("Here the hand stops fitting: {token}."),
    "legal": _("Could be played: {cards}"),
    "rule": _("rule {rule}"),
    "later": _("after it, {count} more are waiting"),
    "log": _("What is written down"),
    "nothing": _("Nothing yet"),
    "cards": _("Cards"),
    "typed": _("Key {key}: now the suit (o, c, e, b)"),
    "deal_all": _(
        "Here cards are drawn unseen, so the record needs the whole deal and the order of the "
        "stock. Enter them first; if they are not known, report only the points."
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
    "coto_decided": _("Coto {coto} is over: {score}"),
    "send": _("Send the record"),
    "sending": _("Sending. It is sent once, however often the network fails."),
    "sent": _("Sent."),
    "see": _("See the match"),
    "again": _("Write down another record"),
    "discard": _("Discard it"),
    "discard_sure": _("Throw away all that is written down here? Press again to do it."),
    "sign_in": _("You are no longer known here: sign in or give your code, then come back."),
    "trouble": _("The service does not answer as it should; it is asked again."),
}
"""Texts of the page; the script fills in ``{…}``."""


JUDGING_TEXTS: Final = {
    "valid": _("The record is valid"),
    "invalid": _("The record is not valid"),
    "score": _("Score: {score}"),
    "here": _("Judged on this device, before it is sent. It can be handed in all the same."),
    "later": _("Several records, or another encoding: they are judged when they are handed in."),
    "bad": _("played against the rules"),
    "legal": _("could be played"),
    "detail": _("Rule and code"),
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
        "sayings": {call: str(words) for call, words in CALL_NAMES.items()},
        "words": {name: str(words) for name, words in STATE_TEXTS.items()},
        "faults": engine.fault_messages(get_language()),
    }


@register.simple_tag
def judging_words() -> dict[str, Any]:
    """Return the texts with which a page judges a record before it is sent."""
    return {
        "words": {name: str(words) for name, words in JUDGING_TEXTS.items()},
        "cards": {card: card_name(card) for card in engine.CARD_NAMES},
        "seats": {seat: seat_label(seat) for seat in SEATS},
        "table": sentence_parts(CARDS, suit_name),
        "faults": engine.fault_messages(get_language()),
        "deck": sprite(),
        "rules": reverse("rules"),
    }

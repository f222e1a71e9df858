"""``{% load hands %}``: the stepper through a hand, for readers with and without scripts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine import Fault, Frame
from tournaments.core.templatetags.ui import (
    SEATS,
    call_name,
    call_short,
    card_name,
    sprite,
    suit_name,
)

register = template.Library()


BUTTONS = (
    ("first", gettext_lazy("To the deal")),
    ("back", gettext_lazy("One step back")),
    ("play", gettext_lazy("Play by itself")),
    ("forward", gettext_lazy("One step forward")),
    ("last", gettext_lazy("To the end")),
)


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick in the list: its cards in playing order, its winner, the points after it."""

    number: int
    step: int
    cards: tuple[tuple[str, str], ...]
    won: str
    points: Mapping[str, int]
    calls: tuple[str, ...]


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
        steps.append(_stopped(steps[-1], fault, words))
    calls = sorted({call for step in steps for side in step["declared"].values() for call in side})
    return {
        "first": frames[0],
        "seats": [(seat, names[seat], frames[0].hands[seat]) for seat in SEATS],
        "sides": [_side(side, frames[-1], names) for side in frames[0].points],
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
            "cards": {card: card_name(card) for card in (*_dealt(frames[0]), "back")},
            "calls": {call: _called(call) for call in calls},
            "marks": {"bad": _("against the rules"), "legal": _("may be played")},
            "steps": steps,
        },
    }


def _side(side: str, last: Frame, names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "side": side,
        "names": [names[seat] for seat in side],
        "points": last.points[side],
        "tricks": last.tricks_won[side],
        "calls": [_called(token) for token in last.declared[side]],
    }


def _called(token: str) -> str:
    return f"{token[0]}: {call_short(token)}"


def side_name(side: str, names: Mapping[str, str]) -> str:
    """``"AC"`` → "Ana / Carlos"."""
    return " / ".join(names[seat] for seat in side)


def tricks(frames: Sequence[Frame]) -> list[Trick]:
    """Return the complete tricks, each with the declarations after it."""
    found: list[Trick] = []
    ends = [step for step, frame in enumerate(frames) if frame.won is not None]
    for step, following in zip(ends, [*ends, len(frames)][1:], strict=True):
        frame = frames[step]
        calls = [
            later.token
            for later in frames[step + 1 : following]
            if later.token is not None and ":" in later.token
        ]
        last = frames[step + len(calls)]
        found.append(
            Trick(
                number=frame.trick,
                step=step,
                cards=frame.table,
                won=frame.won or "",
                points=last.points,
                calls=tuple(_called(call) for call in calls),
            )
        )
    return found


def frames_as_json(
    frames: Sequence[Frame], names: Mapping[str, str], trump: str, dealer: str
) -> list[dict[str, Any]]:
    """Return the frames as JSON values, each with a sentence about what happened."""
    steps = []
    for number, frame in enumerate(frames):
        before = frames[number - 1] if number else None
        says = [_opening(frame, names, trump, dealer) if before is None else _act(frame, names)]
        if before is not None and frame.won is not None:
            says.append(_describe_trick(frame, before, names))
        if frame.turn is None:
            says.append(_result(frame, names))
        steps.append({**_plain(frame), "says": " ".join(says)})
    return steps


def _plain(frame: Frame) -> dict[str, Any]:
    return {
        "token": frame.token,
        "seat": frame.seat,
        "turn": frame.turn,
        "hands": {seat: list(cards) for seat, cards in frame.hands.items()},
        "table": [list(play) for play in frame.table],
        "trick": frame.trick,
        "points": dict(frame.points),
        "legal": list(frame.legal),
        "won": frame.won,
        "tricks_won": dict(frame.tricks_won),
        "declared": {side: list(calls) for side, calls in frame.declared.items()},
    }


def _stopped(last: dict[str, Any], fault: Fault, words: str) -> dict[str, Any]:
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


def _dealt(frame: Frame) -> list[str]:
    return [card for seat in SEATS for card in frame.hands[seat]]


def _opening(frame: Frame, names: Mapping[str, str], trump: str, dealer: str) -> str:
    return _("%(dealer)s deals, trumps are %(suit)s, %(leader)s leads.") % {
        "dealer": names[dealer],
        "suit": suit_name(trump),
        "leader": names[frame.turn or dealer],
    }


def _act(frame: Frame, names: Mapping[str, str]) -> str:
    token, name = frame.token or "", names[frame.seat or "A"]
    if ":" in token:
        return _("%(name)s declares %(call)s.") % {"name": name, "call": call_name(token)}
    card = card_name(token)
    return _("%(name)s plays the %(card)s.") % {"name": name, "card": card[0].lower() + card[1:]}


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
    return _("End of the hand: %(points)s.") % {"points": ", ".join(points)}

"""``{% load analyses %}``: marks, losses and roles in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from engine import Frame, Interval
from tournaments.analysis.queries.analyses import PlayRow, TurnRow
from tournaments.analysis.queries.positions import TriedCard
from tournaments.core.templatetags import (
    call_short,
    card_name,
)

register = template.Library()

MARKS = {
    "slip": gettext_lazy("Inaccuracy"),
    "mistake": gettext_lazy("Mistake"),
    "blunder": gettext_lazy("Blunder"),
    "inaccuracy": gettext_lazy("Inaccuracy"),
    "decisive": gettext_lazy("Decisive mistake"),
    "bad_luck": gettext_lazy("Bad luck"),
    "lucky": gettext_lazy("Lucky card"),
}
ROLES = {
    "": gettext_lazy("All hands"),
    "mano": gettext_lazy("As mano, who leads first"),
    "dealer_partner": gettext_lazy("As the dealer's partner"),
    "mano_partner": gettext_lazy("As mano's partner"),
    "dealer": gettext_lazy("As the dealer"),
}
JUDGEMENTS = {
    "bad_luck": gettext_lazy("bad luck"),
    "unclear": gettext_lazy("perhaps bad luck"),
    "mistake": gettext_lazy("a better card could be known"),
}
PART_OUTCOMES = {
    "overtaken": gettext_lazy(
        "In most of these deals, after this card, the other side beats it with"
        " a higher one of the suit."
    ),
    "ruffed": gettext_lazy("In most of these deals, after this card, the other side ruffs it."),
    "loaded": gettext_lazy(
        "In most of these deals, after this card, it goes with a trick of the other side."
    ),
    "wins": gettext_lazy("In most of these deals, after the best card, it wins its trick."),
    "their_overtaken": gettext_lazy(
        "In most of these deals, after the best card, the player's side beats it with a higher one."
    ),
    "their_ruffed": gettext_lazy(
        "In most of these deals, after the best card, the player's side ruffs it."
    ),
    "their_loaded": gettext_lazy(
        "In most of these deals, after the best card, the other side plays it"
        " to a trick that it loses."
    ),
    "their_wins": gettext_lazy(
        "In most of these deals, after this card, the other side wins a trick with it."
    ),
    "lost": gettext_lazy(
        "In most of these deals it goes to the other side after this card, to"
        " the player's after the best."
    ),
}
REASONS = {
    "no_play": gettext_lazy("only its result was written down."),
    "fault": gettext_lazy("a rule is broken in it."),
    "not_two_sides": gettext_lazy("only games of two sides can be."),
    "stock": gettext_lazy("it ended before the stock was gone."),
    "capote": gettext_lazy("it was played for a capote."),
    "no_compiler": gettext_lazy("the service runs without a compiler (numba)."),
    "given_up": gettext_lazy("the service broke off too often."),
}


def mark_name(mark: str) -> str:
    """``"blunder"`` → "Blunder"."""
    return str(MARKS[mark])


@register.filter
def role_name(role: str) -> str:
    """``"mano"`` → "As mano, who leads first": a player's role in the hand."""
    return str(ROLES[role])


@register.filter
def reason_text(code: str) -> str:
    """``"capote"`` → "it was played for a capote.": why there is no analysis."""
    return str(REASONS[code])


@register.filter
def points(loss: float | None) -> str:
    """``4.15`` → "4.2", with the language's decimal sign; a dash for None."""
    return "–" if loss is None else str(number_format(loss, 1))


@register.filter
def signed_points(margin: float) -> str:
    """``-1.24`` → "−1.2"."""
    sign = "+" if margin > 0 else "−" if margin < 0 else ""
    return f"{sign}{number_format(abs(margin), 1)}"


@register.filter
def half_width(interval: Interval) -> str:
    """``"± 3.1"``: half the width of an interval; empty if it is unknown."""
    return "" if interval.margin is None else f"± {number_format(interval.margin, 1)}"


@register.filter
def of_hundred(interval: Interval) -> Interval:
    """Return the interval of a share as one of a hundred."""
    bounds = (interval.low, interval.high)
    low, high = (None if bound is None else 100 * bound for bound in bounds)
    return interval._replace(mean=100 * interval.mean, low=low, high=high)


@register.filter
def percent(chance: float) -> str:
    """``0.0042`` → "0.42 %"."""
    return f"{number_format(100 * chance, 2)} %"


@register.filter
def judged(plays: Iterable[PlayRow]) -> dict[str, dict[str, Any]]:
    """Return the cards with a sign by code: it, the step that shows the card, and a sentence."""
    return {play.card: _mark(play) for play in plays if play.verdict_sign}


def _mark(play: PlayRow) -> dict[str, Any]:
    sign, kind = play.verdict_sign, play.verdict
    return {"sign": sign, "kind": kind, "step": play.step, "says": mark_sentence(play)}


@register.filter
def mark_sentence(play: PlayRow) -> str:
    """Return the sentence of a verdict: which card was better, and by how much."""
    mark = mark_name(play.verdict)
    if play.hand_deals is not None:
        luck = {
            "bad_luck": _("In the real deal the hand was lost by it."),
            "lucky": _("In the real deal it cost nothing."),
        }
        sentences = f"{mark}.", won_sentence(play), part_sentence(play), luck.get(play.verdict, "")
        return " ".join(filter(None, sentences))
    return _("%(mark)s: better the %(card)s. By what could be known it cost %(cost)s.") % {
        "mark": mark if play.stable else _("%(mark)s or worse") % {"mark": mark},
        "card": within_sentence(play.better),
        "cost": cost_text(play.cost, play.cost_error, play.deals),
    }


@register.filter
def tried_sentence(tried: TriedCard, best: TriedCard) -> str:
    """Return what a card comes to that is tried again, beside the best one."""
    if not tried.is_judged:
        text = _("With all cards seen it costs %(open_loss)s points.")
    elif tried.is_good:
        return _("Well chosen: by what could be known no other card was clearly better.")
    elif tried.wins is None:
        text = _("Better the %(card)s: this one costs %(cost)s points on average.")
    else:
        text = _(
            "Better the %(card)s: with best play by all it wins the hand in %(best)s of %(deals)s,"
            " this one in %(wins)s."
        )
    return text % {
        "card": within_sentence(best.card),
        "best": best.wins,
        "wins": tried.wins,
        "deals": _deals_text(tried.deals or 0, every=False),
        "open_loss": tried.open_loss,
        "cost": points(tried.cost),
    }


def won_sentence(play: PlayRow) -> str:
    """Return in how many deals the card wins the hand, and in how many the best one does."""
    if play.hand_every and play.hand_deals == 1 and play.hand_loss == 1:
        text = _(
            "Only one deal was possible: with best play by all this card loses the hand; the best,"
            " the %(card)s, wins it."
        )
    elif play.hand_best == play.card:
        text = _(
            "With best play by all this card wins the hand in %(wins)s of %(deals)s, and no other"
            " in more."
        )
    elif (play.hand_best_wins or 0) <= (play.hand_wins or 0):
        text = _(
            "With best play by all this card wins the hand in %(wins)s of %(deals)s; the %(card)s,"
            " the best in a first sample, in %(best)s."
        )
    else:
        text = _(
            "With best play by all this card wins the hand in %(wins)s of %(deals)s; the best, the"
            " %(card)s, in %(best)s."
        )
    return text % {
        "wins": play.hand_wins,
        "best": play.hand_best_wins,
        "card": within_sentence(play.hand_best),
        "deals": _deals_text(play.hand_deals or 0, every=bool(play.hand_every)),
    }


def part_sentence(play: PlayRow) -> str:
    """Return the part of the play that makes most of the difference; empty where none does."""
    if not play.hand_part or (
        play.hand_part_outcome is None and play.hand_part not in {"trick", "last"}
    ):
        return ""  # before outcomes were stored a card was named even where its side won it anyway
    texts = {
        "trick": _(
            "In the deals in which the card decides who wins the hand, this trick makes a"
            " difference of %(points)s points on average; in all the two cards differ by %(gain)s."
        ),
        "last": _(
            "In the deals in which the card decides who wins the hand, the last ten make a"
            " difference of %(points)s points on average; in all the two cards differ by %(gain)s."
        ),
        play.card: _(
            "In the deals in which the card decides who wins the hand, it makes a difference of"
            " %(points)s points on average by going to one side or to the other itself; in all the"
            " two cards differ by %(gain)s."
        ),
    }
    text = texts.get(play.hand_part) or _(
        "In the deals in which the card decides who wins the hand, the %(card)s makes a difference"
        " of %(points)s points on average by going to one side or to the other; in all the two"
        " cards differ by %(gain)s."
    )
    sentence = text % {
        "points": points(play.hand_part_points),
        "gain": points(play.hand_gain),
        "card": "" if play.hand_part in texts else within_sentence(play.hand_part),
    }
    if not play.hand_part_outcome:
        return sentence
    return f"{sentence} {PART_OUTCOMES[play.hand_part_outcome]}"


def _deals_text(count: int, *, every: bool) -> str:
    """``"40 deals"``, or ``"30 possible deals"`` where these are all."""
    if every:
        text = ngettext("%(count)s possible deal", "%(count)s possible deals", count)
    else:
        text = ngettext("%(count)s deal", "%(count)s deals", count)
    return text % {"count": count}


@register.filter
def within_sentence(card: str) -> str:
    """``"1o"`` → "ace of coins"."""
    name = card_name(card)
    return name if get_language() == "de" else name[0].lower() + name[1:]  # German nouns


def cost_text(cost: float | None, error: float | None, deals: int | None) -> str:
    """``"4.2 ± 0.7 points (640 deals)"``."""
    return _("%(cost)s ± %(error)s points (%(deals)s deals)") % {
        "cost": points(cost),
        "error": points(error),
        "deals": deals,
    }


@register.filter
def turn_sentence(turn: TurnRow) -> str:
    """Return who would have won the hand with best play before the deciding card, and after it."""
    if turn.before <= 0:
        text = _(
            "Until then the hand was level with best play by all; from then on %(winner)s would"
            " have won it by %(after)s."
        )
    elif turn.after < 0:
        text = _(
            "Until then %(loser)s would have won the hand by %(before)s with best play by all;"
            " from then on %(winner)s, by %(after)s."
        )
    else:
        text = _(
            "Until then %(loser)s would have won the hand by %(before)s with best play by all;"
            " from then on it was level, and %(winner)s took the last trick."
        )
    return text % {
        "loser": turn.loser,
        "winner": turn.winner,
        "before": turn.before,
        "after": -turn.after,
    }


@register.filter
def judgement_sentence(turn: TurnRow) -> str:
    """Return whether the player could know better; empty where that was not asked for."""
    texts = {
        "bad_luck": _("By what could be known it was bad luck."),
        "unclear": _("By what could be known it may have been bad luck."),
        "mistake": _("By what could be known it was a mistake."),
    }
    if not turn.judgement:
        return ""
    sentences = won_sentence(turn.play), part_sentence(turn.play), texts[turn.judgement]
    return " ".join(filter(None, sentences))


@register.filter
def judgement_name(judgement: str) -> str:
    """``"bad_luck"`` → "bad luck"."""
    return str(JUDGEMENTS[judgement])


@register.inclusion_tag("ui/tricks.html")
def trick_list(
    frames: Sequence[Frame], marks: dict[str, dict[str, Any]] | None = None, oob: bool = False
) -> dict[str, Any]:
    """Return the tricks of a hand, with the marks beside their cards.

    ``oob`` marks the list for an out-of-band swap by htmx.
    """
    return {"tricks": tricks(frames), "judged": marks or {}, "oob": oob}


@register.filter
def fit(value: float) -> str:
    """``0.1234`` → "0.12"."""
    return str(number_format(value, 2))


@register.filter
def signed_fit(value: float) -> str:
    """``0.1234`` → "+0.12"."""
    return f"{'−' if value < 0 else '+'}{fit(abs(value))}"


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick in the list: its cards in playing order, its winner, the points after it."""

    number: int
    step: int
    cards: tuple[tuple[str, str], ...]
    won: str
    points: Mapping[str, int]
    calls: tuple[str, ...]


def call_text(token: str) -> str:
    """``"B:20o"`` → "B: 20 coins", a declaration after the seat that made it."""
    return f"{token[0]}: {call_short(token)}"


def tricks(frames: Sequence[Frame]) -> list[Trick]:
    """Return the complete tricks, each with the declarations after it."""
    complete_tricks: list[Trick] = []
    ends = [step for step, frame in enumerate(frames) if frame.won is not None]
    for step, following in zip(ends, [*ends, len(frames)][1:], strict=True):
        frame = frames[step]
        calls = [
            later.token
            for later in frames[step + 1 : following]
            if later.token is not None and ":" in later.token
        ]
        last = frames[step + len(calls)]
        complete_tricks.append(
            Trick(
                number=frame.trick,
                step=step,
                cards=frame.table,
                won=frame.won or "",
                points=last.points,
                calls=tuple(call_text(call) for call in calls),
            )
        )
    return complete_tricks

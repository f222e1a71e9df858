"""Pages of the rules, and of the legal actions in one position."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

import engine
from tournaments.core.languages import active_language
from tournaments.director.forms.plan import words
from tournaments.domain.rulebook import CHAPTERS, ROWS, RULES
from tournaments.results.forms.rules import PositionForm

CALLS: Final = ("tuteR", "tuteC", "40", "20o", "20c", "20e", "20b", "x7", "x2")
"""Calls that a seat can make while a hand is played."""
NOT_THERE: Final = ("declare.not_admitted", "exchange.not_admitted")
"""Refusals of calls that do not exist under the rules."""
EXAMPLES: Final = (
    (
        _("Follow and beat"),
        "ruleset=parejas-online&trump=o&turn=B&B=1c+2c+4e&trick=3c",
    ),
    (
        _("Overtrump or anything"),
        "ruleset=cuatro&trump=o&turn=C&C=So+5e+2b&trick=Rc+Co",
    ),
    (
        _("The forty or the twenty"),
        "ruleset=parejas-online&trump=o&turn=A&A=Ro+Co+Rc+Cc+2b&last=A",
    ),
)
"""Example positions: a name and a query string."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A card or a call that the rules refuse: the fault, its text, and the text of the rule."""

    token: str
    fault: engine.Fault
    words: str
    rule_words: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The legal and the refused cards and calls in a position."""

    seat: str
    hand: tuple[str, ...]
    table: tuple[tuple[str, str], ...]
    legal: tuple[str, ...]
    refused: tuple[Refused, ...]
    may_say: tuple[str, ...]
    may_not_say: tuple[Refused, ...]


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show the rules by number, and the six rulesets side by side."""
    chapters = [
        (number, words(f"rule.{number}"), [(rule, words(f"rule.{rule}")) for rule in rules_])
        for number, rules_ in CHAPTERS.items()
    ]
    context = {"chapters": chapters, "rulesets": list(engine.RULESETS), "rows": list(_rows())}
    return render(request, "results/rules/page.html", context)


@require_safe
def try_position(request: HttpRequest) -> HttpResponse:
    """Set up a position and show what may be played, and why nothing else."""
    form = PositionForm(request.GET if "ruleset" in request.GET else None)
    context = {
        "form": form,
        "answer": _answer(form) if form.is_bound and form.is_valid() else None,
        "examples": EXAMPLES,
        "deck": [(suit, [card for card in _deck() if card[1] == suit]) for suit in engine.SUITS],
        "seats": {name: len(rules.seats) for name, rules in engine.RULESETS.items()},
    }
    return render(request, "results/rules/try.html", context)


def _rows() -> Iterator[tuple[str, list[str]]]:
    """Yield the rows of the table of rulesets."""
    for row in ROWS:
        yield (
            words(f"rules.{row}"),
            [_cell(row, ruleset) for ruleset in engine.RULESETS.values()],
        )


def _cell(row: str, rules: engine.Ruleset) -> str:
    """Return the cell of a row for a ruleset."""
    if row == "players":
        count = "three" if rules.seat_count > 2 else "two"
        return words("rules.players.pairs" if rules.pairs else f"rules.players.{count}")
    if row == "cards":
        left = rules.stock_size or int(rules.trump_shown == "aside")
        return words("rules.cards.some", each=rules.cards_each, left=left)
    value = str(getattr(rules, row))
    if row == "duties_while_stock" and not rules.stock_size:
        value = "none"
    if row == "exchange" and rules.exchange_needs_trick:
        value = "trick"
    return words(f"rules.{row}.{value}")


def _answer(form: PositionForm) -> Answer:
    """Ask the engine about all cards of the seat whose turn it is, and about all possible calls."""
    state, given = form.state, form.cleaned_data
    seat = engine.SEATS[state.turn]
    hand = tuple(card for card in _deck() if card in given[seat])
    tokens = state.legal_tokens()
    legal = tuple(card for card in hand if card in tokens)
    known = [other for other in state.rules.seats if given[other]]
    said = [
        f"{other}:{call}"
        for other in known
        for call in CALLS
        if _cards_of(call, given["trump"]) <= set(given[other])
    ]
    refused = _refusals(state, said)
    return Answer(
        seat=seat,
        hand=hand,
        table=_who_played(state, given["trick"]),
        legal=legal,
        refused=tuple(_refusals(state, [card for card in hand if card not in legal])),
        may_say=tuple(token for token in said if token in tokens),
        may_not_say=tuple(one for one in refused if one.fault.code not in NOT_THERE),
    )


def _cards_of(call: str, trump: str) -> set[str]:
    """Return the cards that a call needs in the hand (R5.2, R6.1, R6.7)."""
    if call.startswith("tute"):
        return {call[-1] + suit for suit in engine.SUITS}
    if call.startswith("x"):
        return {call[-1] + trump}
    suit = trump if call == "40" else call[-1]
    return {"R" + suit, "C" + suit}


def _deck() -> tuple[str, ...]:
    """Return the forty cards, suit by suit, the strongest first."""
    return tuple(rank + suit for suit in engine.SUITS for rank in reversed(engine.RANKS))


def _who_played(state: engine.State, cards: list[str]) -> tuple[tuple[str, str], ...]:
    """Return the cards on the table with their seats; the seat whose turn it is plays next."""
    at = state.players.index(state.turn) - len(cards)
    seats = [engine.SEATS[state.players[at + place]] for place in range(len(cards))]
    return tuple(zip(seats, cards, strict=True))


def _refusals(state: engine.State, tokens: list[str]) -> Iterator[Refused]:
    """Yield the refused ones of ``tokens``, each with its rule."""
    language = active_language()
    for token in tokens:
        try:
            state.apply(token)
        except engine.IllegalAction as illegal:
            fault = illegal.fault
            rule = words(f"rule.{fault.rule}") if fault.rule in {*RULES, *CHAPTERS} else ""
            yield Refused(token, fault, engine.explain(fault, language), rule)

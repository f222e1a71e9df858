"""Pages of the rules, and of the legal actions in a position that is set up in a form."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

import engine
from tournaments.core.forms import Form
from tournaments.director.forms.plan import domain_text
from tournaments.domain.names import ruleset_name
from tournaments.domain.rulebook import CHAPTERS, ROWS, RULES

# --- The form -------------------------------------------------------------------------------------


MAX_CARDS_LENGTH: Final = 200  # characters of a field of cards
SUITS = [
    ("o", _("Coins")),
    ("c", _("Cups")),
    ("e", _("Swords")),
    ("b", pgettext_lazy("suit", "Clubs")),
]


class CardsField(forms.CharField):
    """Cards as text, ``1o 3c Rb``, separated by blanks or commas, in either case."""

    widget = forms.TextInput(
        attrs={
            "autocapitalize": "off",
            "autocomplete": "off",
            "spellcheck": "false",
            "placeholder": "1o 3o Rc",
            "data-cards": "",
        }
    )

    def __init__(self, label: Any, **kwargs: Any) -> None:
        """Accept any number of cards, or none."""
        super().__init__(label=label, max_length=MAX_CARDS_LENGTH, required=False, **kwargs)

    def clean(self, value: Any) -> list[str]:
        """Return the codes of the cards; refuses unknown cards and duplicates."""
        texts = super().clean(value).replace(",", " ").split()
        cards = [text[:-1].upper() + text[-1:].lower() for text in texts]
        for text, card in zip(texts, cards, strict=True):
            if card not in engine.CARD_NAMES:
                raise forms.ValidationError(
                    _("“%(text)s” is no card: write 1o, 7c, Sb, Ce, Ro."), params={"text": text}
                )
        if len(set(cards)) < len(cards):
            raise forms.ValidationError(_("A card stands twice."))
        return cards


class PositionForm(Form):
    """A position at a table."""

    ruleset = forms.ChoiceField(
        label=_("Rules"),
        choices=lambda: [(name, ruleset_name(name)) for name in engine.RULESETS],
        initial="parejas",
    )
    trump = forms.ChoiceField(label=_("Trumps"), choices=SUITS)
    turn = forms.ChoiceField(label=_("Whose turn"), choices=[(seat, seat) for seat in engine.SEATS])
    trick = CardsField(
        _("On the table, the lead first"), help_text=_("Left empty: whose turn it is leads.")
    )
    A = CardsField(_("Hand of A"))
    B = CardsField(_("Hand of B"))
    C = CardsField(_("Hand of C"))
    D = CardsField(_("Hand of D"))
    last = forms.ChoiceField(
        label=_("Who took the last trick"),
        choices=[("", "–"), *((seat, seat) for seat in engine.SEATS)],
        required=False,
    )
    tricks = forms.IntegerField(
        label=_("Tricks of that side so far"), min_value=1, max_value=20, required=False
    )
    declared = forms.CharField(
        label=_("Declared before"),
        max_length=MAX_CARDS_LENGTH,
        required=False,
        help_text=_("For example A:40 C:20e."),
    )
    said = forms.CharField(
        label=_("Declared after the last trick"), max_length=MAX_CARDS_LENGTH, required=False
    )
    stock = forms.IntegerField(
        label=_("Cards left in the stock"), min_value=0, max_value=24, required=False
    )
    upcard = CardsField(_("The upcard"))

    OF_GAME = ("ruleset", "trump", "turn")
    OF_TALK = ("last", "tricks", "declared", "said", "stock", "upcard")

    def clean(self) -> dict[str, Any]:
        """Build the position; contradictions become errors of their fields."""
        data = dict(super().clean() or {})
        if self.errors:
            return data
        used: set[str] = set()
        for name in ("trick", "upcard", *engine.SEATS):
            twice = used & set(data[name])
            if twice:
                self.add_error(
                    name,
                    forms.ValidationError(
                        _("%(card)s stands elsewhere too."),
                        params={"card": " ".join(sorted(twice))},
                    ),
                )
            used |= set(data[name])
        if not data.get(data["turn"]):
            self.add_error(data["turn"], _("The cards of whose turn it is are needed."))
        if not self.errors:
            self._read(data)
        return data

    def _read(self, data: dict[str, Any]) -> None:
        """Make the state, or add an error to the field that contradicts another."""
        try:
            self.state = engine.position_from_dict(_position(data))
        except engine.PositionError as error:
            field, text = _fault_text(error)
            self.add_error(field, text)

    state: engine.State
    """The position, once the form is valid."""

    @property
    def game(self) -> Iterator[forms.BoundField]:
        """The fields about the game, and whose turn it is."""
        return (self[name] for name in self.OF_GAME)

    @property
    def cards(self) -> Iterator[forms.BoundField]:
        """The fields of typed cards."""
        return (self[n] for n in self.fields if n not in (*self.OF_GAME, *self.OF_TALK))

    @property
    def has_card_errors(self) -> bool:
        """Some of the card fields have errors."""
        return any(name in self.errors for name in ("trick", *engine.SEATS))

    @property
    def more_fields(self) -> Iterator[forms.BoundField]:
        """The fields about tricks taken, declarations and the stock."""
        return (self[name] for name in self.OF_TALK)

    @property
    def uses_more_fields(self) -> bool:
        """Some of these fields are filled in or have errors."""
        return any(self.errors.get(name) or self[name].value() for name in self.OF_TALK)


def _position(data: dict[str, Any]) -> dict[str, Any]:
    """Return the position of a form as the engine reads it."""
    position: dict[str, Any] = {
        "ruleset": data["ruleset"],
        "trump": data["trump"],
        "turn": data["turn"],
        "trick": " ".join(data["trick"]),
        "hands": {seat: " ".join(data[seat]) for seat in engine.SEATS if data[seat]},
        "declared": {},
        "window": data["said"].split(),
    }
    if data["last"]:
        position["last_trick"] = data["last"]
        position["tricks_won"] = {data["last"]: data["tricks"] or 1}
    for text in data["declared"].split():
        seat, _colon, call = text.partition(":")
        position["declared"].setdefault(seat, []).append(call)
    if data["stock"] is not None:
        position["stock"] = data["stock"]
    if data["upcard"]:
        position["upcard"] = " ".join(data["upcard"])
    return position


# Fields of the form, by the paths of the engine's faults where the names differ.
FIELDS: Final = {"tricks_won": "tricks", "last_trick": "last", "window": "said"}
POSITION_FAULTS: Final = {
    "trick": _("The trick is complete already: whose turn it is has played."),
    "turn": _("Nobody sits there under these rules."),
    "last": _("Nobody sits there under these rules."),
    "declared": _("Write who declared what: A:40, B:20c, C:tuteR."),
    "said": _("Write who declared what: A:40, B:20c, C:tuteR."),
    "upcard": _("One card."),
}


def _fault_text(error: engine.PositionError) -> tuple[str | None, Any]:
    """Return the field and the text for a fault of a position."""
    first, _slash, seat = error.path.lstrip("/").partition("/")
    if first == "hands":
        return (
            (seat, _("Nobody sits there under these rules."))
            if seat
            else (None, _("The hands do not fit together: they have different numbers of cards."))
        )
    field = FIELDS.get(first, first)
    return (field, POSITION_FAULTS[field]) if field in POSITION_FAULTS else (None, str(error))


# --- The pages ------------------------------------------------------------------------------------


CALLS: Final = ("tuteR", "tuteC", "40", "20o", "20c", "20e", "20b", "x7", "x2")
"""Calls that a seat can make while a hand is played."""
NOT_IN_RULESET: Final = ("declare.not_admitted", "exchange.not_admitted")
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
class RefusedMove:
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
    refused: tuple[RefusedMove, ...]
    may_say: tuple[str, ...]
    may_not_say: tuple[RefusedMove, ...]


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show the rules by number, and the six rulesets side by side."""
    chapters = [
        (
            number,
            domain_text(f"rule.{number}"),
            [(rule, domain_text(f"rule.{rule}")) for rule in rules_],
        )
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
            domain_text(f"rules.{row}"),
            [_cell(row, ruleset) for ruleset in engine.RULESETS.values()],
        )


def _cell(row: str, rules: engine.Ruleset) -> str:
    """Return the cell of a row for a ruleset."""
    if row == "players":
        count = "three" if rules.seat_count > 2 else "two"
        return domain_text("rules.players.pairs" if rules.pairs else f"rules.players.{count}")
    if row == "cards":
        cards_left = rules.stock_size or int(rules.trump_shown == "aside")
        return domain_text("rules.cards.some", each=rules.cards_each, left=cards_left)
    value = str(getattr(rules, row))
    if row == "duties_while_stock" and not rules.stock_size:
        value = "none"
    if row == "exchange" and rules.exchange_needs_trick:
        value = "trick"
    return domain_text(f"rules.{row}.{value}")


def _answer(form: PositionForm) -> Answer:
    """Ask the engine about all cards of the seat whose turn it is, and about all possible calls."""
    state, data = form.state, form.cleaned_data
    seat = engine.SEATS[state.turn]
    hand = tuple(card for card in _deck() if card in data[seat])
    tokens = state.legal_tokens()
    legal = tuple(card for card in hand if card in tokens)
    known_seats = [other for other in state.rules.seats if data[other]]
    calls = [
        f"{other}:{call}"
        for other in known_seats
        for call in CALLS
        if _cards_of(call, data["trump"]) <= set(data[other])
    ]
    refusals = _refusals(state, calls)
    return Answer(
        seat=seat,
        hand=hand,
        table=_cards_with_seats(state, data["trick"]),
        legal=legal,
        refused=tuple(_refusals(state, [card for card in hand if card not in legal])),
        may_say=tuple(token for token in calls if token in tokens),
        may_not_say=tuple(
            refusal for refusal in refusals if refusal.fault.code not in NOT_IN_RULESET
        ),
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


def _cards_with_seats(state: engine.State, cards: list[str]) -> tuple[tuple[str, str], ...]:
    """Return the cards on the table with their seats; the seat whose turn it is plays next."""
    start = state.players.index(state.turn) - len(cards)
    seats = [engine.SEATS[state.players[start + offset]] for offset in range(len(cards))]
    return tuple(zip(seats, cards, strict=True))


def _refusals(state: engine.State, tokens: list[str]) -> Iterator[RefusedMove]:
    """Yield the refused ones of ``tokens``, each with its rule."""
    language = get_language()
    for token in tokens:
        try:
            state.apply(token)
        except engine.IllegalAction as illegal:
            fault = illegal.fault
            rule = domain_text(f"rule.{fault.rule}") if fault.rule in {*RULES, *CHAPTERS} else ""
            yield RefusedMove(token, fault, engine.explain(fault, language), rule)

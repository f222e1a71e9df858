"""The form for a position: hands, the trick, declarations, whose turn it is."""

from collections.abc import Iterator
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

import engine
from tournaments.core.forms import Form
from tournaments.domain.names import ruleset_name

LONG: Final = 200  # characters of a field of cards
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

    def __init__(self, label: Any, **more: Any) -> None:
        """Accept any number of cards, or none."""
        super().__init__(label=label, max_length=LONG, required=False, **more)

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


def ruleset_choices() -> list[tuple[str, str]]:
    """Return the rulesets with their names in the language of the request."""
    return [(name, ruleset_name(name)) for name in engine.RULESETS]


class PositionForm(Form):
    """A position at a table."""

    ruleset = forms.ChoiceField(label=_("Rules"), choices=ruleset_choices, initial="parejas")
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
        max_length=LONG,
        required=False,
        help_text=_("For example A:40 C:20e."),
    )
    said = forms.CharField(
        label=_("Declared after the last trick"), max_length=LONG, required=False
    )
    stock = forms.IntegerField(
        label=_("Cards left in the stock"), min_value=0, max_value=24, required=False
    )
    upcard = CardsField(_("The upcard"))

    OF_GAME = ("ruleset", "trump", "turn")
    OF_TALK = ("last", "tricks", "declared", "said", "stock", "upcard")

    def clean(self) -> dict[str, Any]:
        """Build the position; contradictions become errors of their fields."""
        given = dict(super().clean() or {})
        if self.errors:
            return given
        used: set[str] = set()
        for name in ("trick", "upcard", *engine.SEATS):
            twice = used & set(given[name])
            if twice:
                self.add_error(
                    name,
                    forms.ValidationError(
                        _("%(card)s stands elsewhere too."),
                        params={"card": " ".join(sorted(twice))},
                    ),
                )
            used |= set(given[name])
        if not given.get(given["turn"]):
            self.add_error(given["turn"], _("The cards of whose turn it is are needed."))
        if not self.errors:
            self._read(given)
        return given

    def _read(self, given: dict[str, Any]) -> None:
        """Make the state, or add an error to the field that contradicts another."""
        try:
            self.state = engine.position_from_dict(_position(given))
        except engine.PositionError as error:
            field, text = _worded(error)
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
    def cards_are_wrong(self) -> bool:
        """Some of the card fields have errors."""
        return any(name in self.errors for name in ("trick", *engine.SEATS))

    @property
    def talk(self) -> Iterator[forms.BoundField]:
        """The fields about tricks taken, declarations and the stock."""
        return (self[name] for name in self.OF_TALK)

    @property
    def talk_is_used(self) -> bool:
        """Some of these fields are filled in or have errors."""
        return any(self.errors.get(name) or self[name].value() for name in self.OF_TALK)


def _position(given: dict[str, Any]) -> dict[str, Any]:
    """Return the position of a form as the engine reads it."""
    position: dict[str, Any] = {
        "ruleset": given["ruleset"],
        "trump": given["trump"],
        "turn": given["turn"],
        "trick": " ".join(given["trick"]),
        "hands": {seat: " ".join(given[seat]) for seat in engine.SEATS if given[seat]},
        "declared": {},
        "window": given["said"].split(),
    }
    if given["last"]:
        position["last_trick"] = given["last"]
        position["tricks_won"] = {given["last"]: given["tricks"] or 1}
    for text in given["declared"].split():
        seat, _colon, call = text.partition(":")
        position["declared"].setdefault(seat, []).append(call)
    if given["stock"] is not None:
        position["stock"] = given["stock"]
    if given["upcard"]:
        position["upcard"] = " ".join(given["upcard"])
    return position


# Fields of the form, by the paths of the engine's faults where the names differ.
FIELDS: Final = {"tricks_won": "tricks", "last_trick": "last", "window": "said"}
WRONG: Final = {
    "trick": _("The trick is complete already: whose turn it is has played."),
    "turn": _("Nobody sits there under these rules."),
    "last": _("Nobody sits there under these rules."),
    "declared": _("Write who declared what: A:40, B:20c, C:tuteR."),
    "said": _("Write who declared what: A:40, B:20c, C:tuteR."),
    "upcard": _("One card."),
}


def _worded(error: engine.PositionError) -> tuple[str | None, Any]:
    """Return the field and the text for a fault of a position."""
    first, _slash, more = error.path.lstrip("/").partition("/")
    if first == "hands":
        return (
            (more, _("Nobody sits there under these rules."))
            if more
            else (None, _("The hands do not fit together: they have different numbers of cards."))
        )
    field = FIELDS.get(first, first)
    return (field, WRONG[field]) if field in WRONG else (None, str(error))

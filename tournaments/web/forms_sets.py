"""What is asked where bots alone play: matches of deal sets, and the test that ends them early."""

from collections.abc import Iterator
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from tournaments.domain.deal_sets import MOST_SETS
from tournaments.web.forms import Form

OF_THE_SETS: Final = (
    *("deal_sets", "stop_model", "stop_low", "stop_high"),
    *("stop_alpha", "stop_beta"),
)
OF_THE_TEST: Final = OF_THE_SETS[1:]
ERROR_RATE: Final = 0.05


class SetsForm(Form):
    """Deal sets, and a sequential test of the first side against the second."""

    deal_sets = forms.IntegerField(
        label=_("Deal sets of a match"),
        min_value=0,
        max_value=MOST_SETS,
        required=False,
        help_text=_(
            "The same deals once for every way of sitting, so that nobody has the better cards. "
            "Left empty: one match as people play it. With sets, only bots can enter."
        ),
    )
    stop_model = forms.ChoiceField(
        label=_("A match ends early by a sequential test"),
        choices=[
            ("", _("no: all sets are played")),
            ("points", _("on the points of a set")),
            ("logistic", _("in Elo")),
            ("normalized", _("in normalized Elo")),
        ],
        required=False,
    )
    stop_low = forms.FloatField(label=_("The test's lower bound"), required=False)
    stop_high = forms.FloatField(
        label=_("The test's upper bound"),
        required=False,
        help_text=_("As soon as one of the two is decided on, the match is over: e.g. −5 and 5."),
    )
    stop_alpha = forms.FloatField(
        label=_("How often the upper may be accepted wrongly"),
        initial=ERROR_RATE,
        required=False,
    )
    stop_beta = forms.FloatField(
        label=_("How often the lower may be accepted wrongly"),
        initial=ERROR_RATE,
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        """Ask for both bounds where a test is chosen."""
        given = super().clean() or {}
        if given.get("stop_model"):
            for name in ("stop_low", "stop_high"):
                if name not in self.errors and given.get(name) is None:
                    self.add_error(name, _("A test needs its two bounds."))
        return given

    def without(self, *names: str) -> None:
        """Take fields out that cannot be asked for here."""
        for name in names:
            del self.fields[name]

    @property
    def sets(self) -> Iterator[BoundField]:
        """The fields about deal sets."""
        return (self[name] for name in OF_THE_SETS if name in self.fields)

    @property
    def sets_are_wrong(self) -> bool:
        """Something is wrong among them."""
        return any(name in self.errors for name in OF_THE_SETS)

    @property
    def of_sets(self) -> dict[str, Any]:
        """The sets and their test as the service takes them."""
        given = self.cleaned_data
        stop: dict[str, Any] = {}
        if given.get("stop_model"):
            stop = {
                "model": given["stop_model"],
                "low": given["stop_low"],
                "high": given["stop_high"],
                "alpha": ERROR_RATE if given["stop_alpha"] is None else given["stop_alpha"],
                "beta": ERROR_RATE if given["stop_beta"] is None else given["stop_beta"],
            }
        return {"deal_sets": given.get("deal_sets") or 0, "stop": stop}

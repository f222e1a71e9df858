"""Fields for the house rules of a tournament: the rules of the engine that a club can switch."""

from collections.abc import Iterator
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

import engine
from tournaments.core.forms import Form
from tournaments.domain.messages import has_message, message

RULE: Final = "rule_"
"""Before the name of a house rule in the name of its field."""

AS_RULED: Final = "-"
"""The choice that leaves a house rule to the ruleset."""


def rule_switches() -> dict[str, tuple[Any, ...]]:
    """Return the house rules that a club can switch, each with its values.

    They are those of the engine that have words; who shows the trump makes another game.
    """
    return {
        name: limits["choices"]
        for name, limits in engine.HOUSE_RULES.items()
        if name != "trump_shown"
        and "choices" in limits
        and all(has_message(f"rules.{name}.{value}") for value in limits["choices"])
    }


def code_of(value: object) -> str:
    """Return a value of a house rule as its field has it; an empty one is no answer."""
    return str(value) or "none"


class HouseRulesForm(Form):
    """The house rules of a tournament, each as its ruleset says or as the club plays."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Add a field for each switch."""
        super().__init__(*args, **kwargs)
        for name, values in rule_switches().items():
            choices = [
                (code_of(value), message(get_language(), f"rules.{name}.{value}"))
                for value in values
            ]
            self.fields[RULE + name] = forms.ChoiceField(
                label=message(get_language(), f"rules.{name}"),
                choices=[(AS_RULED, _("As the rules say")), *choices],
                initial=AS_RULED,
                required=False,
            )

    @property
    def switches(self) -> Iterator[BoundField]:
        """The fields of the house rules."""
        return (self[RULE + name] for name in rule_switches() if RULE + name in self.fields)

    @property
    def house_rules(self) -> dict[str, Any]:
        """The house rules that differ from the ruleset's, as options of a record."""
        chosen = {name: self.cleaned_data.get(RULE + name) for name in rule_switches()}
        return {
            name: value
            for name, values in rule_switches().items()
            for value in values
            if chosen[name] == code_of(value)
        }

"""The form of an existing tournament's settings."""

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

import engine
from tournaments.core.errors import Reason, Refusal
from tournaments.director.forms.house_rules import RULE, HouseRulesForm, rule_switches
from tournaments.director.forms.plan import (
    REFUSAL_FIELDS,
    TERM_FIELDS,
    WARNING,
    AnnouncedFieldsForm,
    TermsForm,
    domain_text,
    minutes_field,
)
from tournaments.director.queries.tournaments import StageHead
from tournaments.director.services.settings import ANNOUNCED, STAGE_TIMES
from tournaments.domain.names import ruleset_name

STAGE: Final = "stage_"
"""Names of the fields of a stage begin with it, and its number."""


class SettingsForm(AnnouncedFieldsForm, TermsForm, HouseRulesForm):
    """Settings of an existing tournament: name, what announces it, and in a draft its terms."""

    name = forms.CharField(label=_("Name"), max_length=100)
    ruleset = forms.ChoiceField(
        label=_("Rules"),
        choices=lambda: [(name, ruleset_name(name)) for name in engine.RULESETS],
        required=False,
        help_text=_("Until the draw. Those that do not fit the seats or the format are refused."),
    )
    despite_requests = forms.BooleanField(
        label=_("Change the rules all the same; these tickets stay on the list"), required=False
    )
    field_order = ("name", *ANNOUNCED, "ruleset", "despite_requests", *TERM_FIELDS)

    def __init__(
        self, *args: Any, is_draft: bool, stages: Sequence[StageHead] = (), **kwargs: Any
    ) -> None:
        """Include the rules and the terms as long as they can change, and the stages' times."""
        super().__init__(*args, **kwargs)
        self.stages = tuple(stages)
        for stage in self.stages:
            self._add_times(stage, named=len(self.stages) > 1)
        if "despite_requests" not in self.data:  # asked once requests do not fit
            del self.fields["despite_requests"]
        if not is_draft:
            for name in ("ruleset", *TERM_FIELDS, *(RULE + name for name in rule_switches())):
                del self.fields[name]

    def _add_times(self, stage: StageHead, *, named: bool) -> None:
        """Add the fields for a stage's times; of one stage among several they say which."""
        name = stage.name or domain_text(f"format.{stage.format}")
        labels: dict[str, Any] = {"round_minutes": _("Minutes of a round"), "warn_minutes": WARNING}
        for field in STAGE_TIMES:
            label = f"{stage.number}. {name}: {labels[field]}" if named else labels[field]
            self.fields[f"{STAGE}{stage.number}_{field}"] = minutes_field(
                label=label, initial=getattr(stage, field)
            )
        if not named:  # a single stage has the minutes of the tournament
            del self.fields[f"{STAGE}{stage.number}_round_minutes"]

    @property
    def times(self) -> list[dict[str, Any]]:
        """The times of the stages as `change_tournament` takes them."""
        data = self.cleaned_data
        return [
            {"number": stage.number}
            | {
                field: data[name]
                for field in STAGE_TIMES
                if (name := f"{STAGE}{stage.number}_{field}") in data
            }
            for stage in self.stages
        ]

    @property
    def changes(self) -> dict[str, Any]:
        """The fields as `change_tournament` takes them; no ruleset where none is chosen."""
        data = self.cleaned_data
        names = [name for name in data if not name.startswith((RULE, STAGE))]
        changes = {name: data[name] for name in names if name != "ruleset" or data[name]}
        changes["stages"] = self.times
        return {**changes, "house_rules": self.house_rules} if "ruleset" in self.fields else changes

    def field_of(self, refusal: Refusal) -> str | None:
        """Return the name of the field that a refusal is about."""
        if refusal.reason is Reason.REQUESTS_DO_NOT_FIT:
            self.fields["despite_requests"] = self.base_fields["despite_requests"]
            self.order_fields(self.field_order)
        field = REFUSAL_FIELDS.get(refusal.reason)
        return field if field in self.fields else None

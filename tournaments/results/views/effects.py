"""Pages of the effect that another result would have."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from django import forms
from django.forms.renderers import BaseRenderer
from django.forms.utils import flatatt
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from tournaments.core.forms import Form, set_choices
from tournaments.core.permissions import Actor, refuse_unless
from tournaments.core.views import actor_from
from tournaments.director.queries.tournaments import tournament_head
from tournaments.domain.scores import Score, are_places
from tournaments.domain.sides import SIDES
from tournaments.results.forms import MAX_HANDS, MAX_POINTS, NOT_PLACES, read_hands, typed_score
from tournaments.results.queries import what_if

# The effect of another result of a match: the table before and after. Nothing is written.


Matches = list[tuple[str, list[tuple[str, str]]]]
"""Choices by round."""

TWO_SIDES = 2
HANDS = (
    _("Hands of the first side"),
    _("Hands of the second side"),
    _("Hands of the third side"),
    _("Hands of the fourth side"),
    _("Hands of the fifth side"),
)
POINTS = (
    _("Points of the first side"),
    _("Points of the second side"),
    _("Points of the third side"),
    _("Points of the fourth side"),
    _("Points of the fifth side"),
)
PLACES_PATTERN = r"^\s*[1-5](?:\s*[-–—:/ ]?\s*[1-5]){1,4}\s*$"


class LongSelect(forms.Select):
    """A select with a thousand choices in groups, built from strings.

    Rendering a template for each choice, as Django does, costs far more.
    """

    def render(
        self,
        name: str,
        value: Any,
        attrs: Any = None,
        renderer: BaseRenderer | None = None,  # noqa: ARG002 - as Django calls it
    ) -> SafeString:
        """Render the select."""
        groups = self.optgroups(name, self.format_value(value), attrs)
        optgroups = format_html_join(
            "",
            '<optgroup label="{}">{}</optgroup>',
            ((group, _options(options)) for group, options, _index in groups if group),
        )
        loose = (_options(options) for group, options, _index in groups if not group)
        attributes = self.build_attrs(self.attrs, attrs)
        return format_html(
            '<select name="{}"{}>{}{}</select>',
            name,
            flatatt(attributes),
            format_html_join("", "{}", ((options,) for options in loose)),
            optgroups,
        )


def _options(options: Iterable[dict[str, Any]]) -> SafeString:
    return format_html_join(
        "",
        '<option value="{}"{}>{}</option>',
        ((o["value"], flatatt(o["attrs"]), o["label"]) for o in options),
    )


class EffectForm(Form):
    """A match of the tournament, and a possible result."""

    match = forms.TypedChoiceField(label=_("Match"), coerce=int, widget=LongSelect)
    places = forms.RegexField(
        PLACES_PATTERN,
        label=_("Places in the order of the seats, such as 2-1-4-3"),
        required=False,
        error_messages={"invalid": NOT_PLACES},
    )

    def __init__(
        self,
        matches: Matches,
        *args: Any,
        counts: Mapping[int, int],
        typed_only: bool,
        **kwargs: Any,
    ) -> None:
        """Add fields for the sides of all; where results are typed only, for places and points.

        ``counts`` are the sides of each match by its key.
        """
        super().__init__(*args, **kwargs)
        set_choices(self, "match", matches)
        self.counts = counts
        self.sides = SIDES[: max(counts.values(), default=TWO_SIDES)]
        for number, side in enumerate(self.sides):
            self.fields[f"{side}_hands"] = forms.IntegerField(
                label=HANDS[number], min_value=0, max_value=MAX_HANDS, required=number < TWO_SIDES
            )
        for number, side in enumerate(self.sides):
            self.fields[f"{side}_points"] = forms.IntegerField(
                label=POINTS[number], min_value=0, max_value=MAX_POINTS, required=False
            )
        for name in [f"{side}_hands" for side in self.sides] if typed_only else ["places"]:
            del self.fields[name]

    def clean(self) -> dict[str, Any]:
        """Require places, or the points of all, where results are typed only."""
        data = super().clean() or {}
        if "places" in self.fields and not self.errors:
            places = read_hands(data["places"])
            is_wrong = places and not are_places(places, len(self._sides_of_match))
            if is_wrong or not (places or any(self._points)):
                self.add_error("places", NOT_PLACES)
        return data

    @property
    def _sides_of_match(self) -> tuple[str, ...]:
        return SIDES[: self.counts[self.cleaned_data["match"]]]

    @property
    def _points(self) -> tuple[int, ...]:
        return tuple(self.cleaned_data.get(f"{side}_points") or 0 for side in self._sides_of_match)

    @property
    def score(self) -> Score:
        """The possible result of the sides of the match; missing hands and points are 0."""
        data = self.cleaned_data
        if "places" in self.fields:
            return typed_score(read_hands(data["places"]), self._points)
        hands = tuple(data.get(f"{side}_hands") or 0 for side in self._sides_of_match)
        return Score.of(hands, self._points)


@require_safe
def effect(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table of a match's stage with another result; for the club's members.

    The choices hold the matches of this tournament alone.
    """
    actor = actor_from(request)
    head = tournament_head(slug, actor)
    refuse_unless(head.may.history, actor)
    matches, counts = match_choices(slug, actor)
    typed_only = any(stage.typed_only for stage in head.stages)
    form = EffectForm(matches, request.GET or None, counts=counts, typed_only=typed_only)
    if not form.is_valid():
        context = {"head": head, "form": form}
        return render(request, "standings/what_if.html", context, status=form.status)
    page = what_if.effect_page(form.cleaned_data["match"], actor, form.score)
    context = {"head": page.head, "stage": page.stage, "effect": page, "match": page.match}
    return render(request, "standings/what_if.html", context)


def match_choices(slug: str, actor: Actor) -> tuple[Matches, dict[int, int]]:
    """Return the matches by round, and how many sides each has."""
    open_matches = what_if.choices(slug, actor)
    matches = [
        (
            gettext("Round %(number)s") % {"number": number},
            [
                (str(match.pk), f"{match.table}: {' – '.join(match.sides)}")
                for match in round_matches
            ],
        )
        for number, round_matches in groupby(open_matches, key=lambda match: match.round)
    ]
    return matches, {match.pk: len(match.sides) for match in open_matches}

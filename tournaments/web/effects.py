"""What another result of a match would change: a table before and after, nothing written."""

from __future__ import annotations

from collections.abc import Iterable
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

from tournaments.domain.scores import Score
from tournaments.permissions import Actor, refuse_unless
from tournaments.queries import what_if
from tournaments.queries.heads import tournament_head
from tournaments.web.answers import asker
from tournaments.web.forms import Form
from tournaments.web.forms_day import choose
from tournaments.web.forms_results import ScoreFields

Matches = list[tuple[str, list[tuple[str, str]]]]
"""Choices by round."""

MOST_HANDS = 1000
MOST_POINTS = 250_000
TWO_SIDES = 2


class LongSelect(forms.Select):
    """A list of a thousand choices in groups, written at once: a template each costs far more."""

    def render(
        self,
        name: str,
        value: Any,
        attrs: Any = None,
        renderer: BaseRenderer | None = None,  # noqa: ARG002 - as Django calls it
    ) -> SafeString:
        """Write the list; the chosen one is marked."""
        groups = self.optgroups(name, self.format_value(value), attrs)
        named = format_html_join(
            "",
            '<optgroup label="{}">{}</optgroup>',
            ((group, _options(options)) for group, options, _index in groups if group),
        )
        loose = (_options(options) for group, options, _index in groups if not group)
        given = self.build_attrs(self.attrs, attrs)
        return format_html(
            '<select name="{}"{}>{}{}</select>',
            name,
            flatatt(given),
            format_html_join("", "{}", ((one,) for one in loose)),
            named,
        )


def _options(options: Iterable[dict[str, Any]]) -> SafeString:
    return format_html_join(
        "",
        '<option value="{}"{}>{}</option>',
        ((o["value"], flatatt(o["attrs"]), o["label"]) for o in options),
    )


class EffectForm(Form):
    """A match of the tournament, and the result that it might have."""

    match = forms.TypedChoiceField(label=_("Match"), coerce=int, widget=LongSelect)
    home_hands = forms.IntegerField(
        label=_("Hands of the first side"), min_value=0, max_value=MOST_HANDS
    )
    away_hands = forms.IntegerField(
        label=_("Hands of the second side"), min_value=0, max_value=MOST_HANDS
    )
    third_hands = forms.IntegerField(
        label=_("Hands of the third side"), min_value=0, max_value=MOST_HANDS, required=False
    )
    home_points = forms.IntegerField(
        label=_("Points of the first side"), min_value=0, max_value=MOST_POINTS, required=False
    )
    away_points = forms.IntegerField(
        label=_("Points of the second side"), min_value=0, max_value=MOST_POINTS, required=False
    )
    third_points = forms.IntegerField(
        label=_("Points of the third side"), min_value=0, max_value=MOST_POINTS, required=False
    )

    def __init__(self, matches: Matches, *args: Any, thirds: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choose(self, "match", matches)
        if not thirds:
            del self.fields["third_hands"], self.fields["third_points"]

    @property
    def score(self) -> Score:
        """The result as it might be; points that are not said are none."""
        given = self.cleaned_data
        return Score(
            given["home_hands"],
            given["away_hands"],
            given["home_points"] or 0,
            given["away_points"] or 0,
            given.get("third_hands"),
            given.get("third_points"),
        )


@require_safe
def effect(request: HttpRequest, slug: str) -> HttpResponse:
    """The table of a match's stage with another result; for the club's people.

    A match of another tournament is none of the choices. Refuses a score of the wrong number of
    sides.
    """
    who = asker(request)
    head = tournament_head(slug, who)
    refuse_unless(head.may.history, who)
    matches, thirds = choices(slug, who)
    form = EffectForm(matches, request.GET or None, thirds=thirds)
    if not form.is_valid():
        context = {"head": head, "form": form}
        return render(request, "standings/what_if.html", context, status=form.status)
    page = what_if.effect_page(form.cleaned_data["match"], who, form.score)
    context = {"head": page.head, "stage": page.stage, "effect": page, "match": page.match}
    return render(request, "standings/what_if.html", context)


def choices(slug: str, who: Actor) -> tuple[Matches, bool]:
    """Return the matches that have sides, by round, and whether three sides meet in any."""
    there = what_if.choices(slug, who)
    matches = [
        (
            gettext("Round %(number)s") % {"number": number},
            [(str(one.pk), f"{one.table}: {' – '.join(one.sides)}") for one in played],
        )
        for number, played in groupby(there, key=lambda one: one.round)
    ]
    return matches, any(len(one.sides) > TWO_SIDES for one in there)


def unseen_effect(
    request: HttpRequest, form: ScoreFields, pk: int, who: Actor
) -> what_if.EffectPage | None:
    """Return what the result that is filled in would change, unless that was shown already."""
    if not form.is_bound or not form.is_valid():
        return None
    page = what_if.effect_page(pk, who, form.score)
    return None if request.POST.get("seen") == page.word else page

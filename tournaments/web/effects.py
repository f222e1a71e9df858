"""What another result of a match would change: a table before and after, nothing written."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from tournaments.domain.scores import Score
from tournaments.errors import Reason, Refusal
from tournaments.permissions import Actor, refuse_unless
from tournaments.queries import what_if
from tournaments.queries.heads import tournament_head
from tournaments.web.answers import asker
from tournaments.web.forms import Form
from tournaments.web.forms_results import ScoreFields

MOST_HANDS = 1000
MOST_POINTS = 250_000


class EffectForm(Form):
    """A match by its key, and the result that it might have."""

    match = forms.IntegerField(label=_("Match"), min_value=1, max_value=2**31)
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

    @property
    def score(self) -> Score:
        """The result as it might be; points that are not said are none."""
        given = self.cleaned_data
        return Score(
            given["home_hands"],
            given["away_hands"],
            given["home_points"] or 0,
            given["away_points"] or 0,
            given["third_hands"],
            given["third_points"],
        )


@require_safe
def effect(request: HttpRequest, slug: str) -> HttpResponse:
    """The table of a match's stage with another result; for the club's people.

    Refuses NOT_FOUND a match of another tournament, and a score of the wrong number of sides.
    """
    who = asker(request)
    head = tournament_head(slug, who)
    refuse_unless(head.may.history, who)
    form = EffectForm(request.GET or None)
    if not form.is_valid():
        context = {"head": head, "form": form}
        return render(request, "standings/what_if.html", context, status=form.status)
    page = what_if.effect_page(form.cleaned_data["match"], who, form.score)
    if page.head.slug != slug:
        raise Refusal(Reason.NOT_FOUND)
    context = {"head": page.head, "stage": page.stage, "effect": page, "match": page.match}
    return render(request, "standings/what_if.html", context)


def unseen_effect(
    request: HttpRequest, form: ScoreFields, pk: int, who: Actor
) -> what_if.EffectPage | None:
    """Return what the result that is filled in would change, unless that was shown already."""
    if not form.is_bound or not form.is_valid():
        return None
    page = what_if.effect_page(pk, who, form.score)
    return None if request.POST.get("seen") == page.word else page

"""The wizard: so many come, there is so much time; which formats suit."""

from datetime import time
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

import engine
from tournaments.domain.pairing import CannotDraw
from tournaments.domain.proposals import (
    MINUTES_BETWEEN,
    THREE,
    Aim,
    Proposal,
    Wish,
    propose,
)
from tournaments.faults import DRAW_FAULTS
from tournaments.permissions import refuse_unless
from tournaments.queries import people
from tournaments.queries.paces import Pace, paces
from tournaments.web.answers import asker
from tournaments.web.forms import Form
from tournaments.web.forms_plan import DEALS, MOST_EXPECTED, TO, WHICH_RULES, words

HOUR = 60  # minutes
MOST_HOURS = 24
SIDES, SINGLE = "sides", "single"


class WishForm(Form):
    """Who comes, how long there is, and what matters."""

    entrants = forms.IntegerField(
        label=_("How many enter?"), min_value=2, max_value=MOST_EXPECTED, initial=8
    )
    who = forms.ChoiceField(
        label=_("Who enters"),
        choices=[
            (SIDES, _("pairs that stay together, or players where each plays for himself")),
            (SINGLE, _("players one by one, with a new partner every round")),
        ],
        widget=forms.RadioSelect,
        initial=SIDES,
    )
    ruleset = forms.ChoiceField(
        label=_("Rules"),
        choices=[(name, name) for name in engine.RULESETS],
        initial="parejas-online",
        help_text=WHICH_RULES,
    )
    hours = forms.DecimalField(
        label=_("Hours there are"),
        min_value=1,
        max_value=MOST_HOURS,
        decimal_places=2,
        initial=4,
        localize=True,
    )
    starts = forms.TimeField(
        label=_("It begins at"),
        initial="17:00",
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    aim = forms.ChoiceField(
        label=_("What matters most"),
        choices=[
            (Aim.PLAY_ON.value, _("everybody plays to the end")),
            (Aim.WINNER.value, _("a final, and a winner at the end of it")),
            (Aim.EVERYBODY.value, _("everybody meets everybody")),
        ],
        widget=forms.RadioSelect,
        initial=Aim.PLAY_ON.value,
    )
    pace = forms.IntegerField(
        label=_("Minutes a hand takes"),
        min_value=1,
        max_value=HOUR,
        required=False,
        help_text=_("Left empty: what was measured at your club, or else what is usual."),
    )
    target = forms.IntegerField(
        label=_("Hands that win a match"),
        min_value=1,
        max_value=10,
        required=False,
        help_text=_("Left empty: three, or two where time is short. Tables of three: deals."),
    )

    def wish(self, measured: dict[str, Pace]) -> Wish:
        """Return what was asked for, with the club's own pace where none is named."""
        given = self.cleaned_data
        known = measured.get(given["ruleset"])
        return Wish(
            entrants=given["entrants"],
            minutes=int(given["hours"] * HOUR),
            ruleset=given["ruleset"],
            aim=Aim(given["aim"]),
            single=given["who"] == SINGLE and engine.RULESETS[given["ruleset"]].pairs,
            pace=given["pace"] or (known.minutes if known else None),
            target=given["target"],
        )

    def proposals(self, wish: Wish) -> tuple[Proposal, ...]:
        """Return what suits; a wish that nothing can be made of is said beside its field."""
        try:
            return propose(wish)
        except CannotDraw as refused:
            self.add_error("entrants", str(DRAW_FAULTS[refused.code]) % refused.facts)
            return ()


@require_safe
def propose_formats(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for numbers and hours; answer plans that suit, each with the form it leads to."""
    who = asker(request)
    page = people.club_page(slug, who)
    refuse_unless(page.may.manage, who)
    form = WishForm(request.GET if "entrants" in request.GET else None)
    context: dict[str, Any] = {"page": page, "form": form}
    if form.is_bound and form.is_valid():
        measured = dict(paces(slug))
        wish = form.wish(measured)
        context |= {
            "wish": wish,
            "between": MINUTES_BETWEEN,
            "measured": None if form.cleaned_data["pace"] else measured.get(wish.ruleset),
            "is_usual": wish.pace is None,
            "proposals": [
                _shown(slug, wish, one, form.cleaned_data["starts"]) for one in form.proposals(wish)
            ],
        }
    return render(request, "propose/page.html", context, status=form.status)


def _shown(slug: str, wish: Wish, one: Proposal, starts: time) -> dict[str, Any]:
    """Return a proposal as the page shows it."""
    days, minute = divmod(starts.hour * HOUR + starts.minute + one.minutes, 24 * HOUR)
    length = DEALS if wish.seats == THREE else TO
    told = {
        "plan": one.plan,
        **one.numbers,
        "ruleset": wish.ruleset,
        "length": length,
        "hands": one.target,
        "expected": wish.entrants,
    }
    return {
        "one": one,
        "name": words(f"plan.{one.plan}"),
        "why": words(one.why, rounds=one.stages[0].rounds or 0),
        "stages": [
            (words(f"format.{stage.format}"), stage.entrants, stage.rounds) for stage in one.stages
        ],
        "ends": time(minute // HOUR, minute % HOUR),
        "is_next_day": days > 0,
        "deals": length == DEALS,
        "url": f"{reverse('new-tournament', args=[slug])}?{urlencode(told)}",
    }

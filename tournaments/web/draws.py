"""How stages are drawn: chosen, by hand, drawn again, shown in the hall and to be repeated."""

import re
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.errors import Reason, Refusal
from tournaments.models import Round, Stage
from tournaments.permissions import Actor, may_manage, refuse_unless
from tournaments.queries import draws as queries
from tournaments.queries import find
from tournaments.services import draws
from tournaments.services.draws import LONGEST_REASON
from tournaments.services.seeding import set_seeding
from tournaments.web.answers import ABOUT_THE_ASKER, asker
from tournaments.web.files import JSON, attached
from tournaments.web.forms import Form, area
from tournaments.web.forms_plan import MOST_EXPECTED, SEEDINGS

NUMBER = re.compile(r"[0-9]{1,6}", re.ASCII)


class SeedingForm(Form):
    """How a stage is seeded."""

    seeding = forms.ChoiceField(label=gettext_lazy("How the draw is made"), choices=SEEDINGS)
    seeded = forms.IntegerField(
        label=gettext_lazy("Seeded before the lots are drawn"),
        min_value=0,
        max_value=MOST_EXPECTED,
        required=False,
    )


class DrawForm(Form):
    """A draw by hand, or another draw and its reason."""

    reason = forms.CharField(label=gettext_lazy("Why it is drawn again"), max_length=LONGEST_REASON)
    order = forms.CharField(
        label=gettext_lazy("Order drawn by hand"),
        required=False,
        max_length=40_000,
        widget=area(8, inputmode="numeric"),
        help_text=gettext_lazy(
            "The numbers of the entries as the balls came out, with spaces or one a line."
        ),
    )

    def __init__(self, *args: Any, is_again: bool, **kwargs: Any) -> None:
        """Ask for a reason where the stage has been drawn, for the order where it has not."""
        super().__init__(*args, **kwargs)
        self.fields["order"].required = not is_again
        if is_again:
            self.fields["order"].label = _("Order drawn by hand; empty: Baza draws")
        else:
            del self.fields["reason"]

    @property
    def numbers(self) -> list[int]:
        """The numbers of the order, in order."""
        return [int(number) for number in NUMBER.findall(self.cleaned_data["order"])]

    def field_of(self, refusal: Refusal) -> str | None:
        """Name the field that a refusal is about."""
        field = "order" if refusal.reason is Reason.BAD_ORDER else "reason"
        is_ours = refusal.reason in {Reason.BAD_ORDER, Reason.BAD_REASON, Reason.REASON_MISSING}
        return field if is_ours and field in self.fields else None


@require_safe
def draws_of(request: HttpRequest, slug: str) -> HttpResponse:
    """How every stage is and was drawn."""
    page = queries.draws_page(slug, asker(request))
    shown = [
        (stage, SeedingForm(initial={"seeding": stage.seeding, "seeded": stage.seeded}))
        for stage in page.stages
    ]
    context = {"page": page, "head": page.head, "stages": shown, "tab": "draws"}
    return render(request, "draws/page.html", context)


@require_POST
def choose_seeding(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Choose how a stage is seeded; a refusal is told on the page of the draws."""
    who = asker(request)
    stage = _stage(slug, who, number)
    refuse_unless(may_manage(who, stage.tournament.club), who)
    form = SeedingForm(request.POST)
    if form.is_valid():
        seeded = form.cleaned_data["seeded"] or 0
        try:
            set_seeding(who, stage, form.cleaned_data["seeding"], seeded)
        except Refusal as refusal:
            if refusal.reason in ABOUT_THE_ASKER:
                raise
            messages.error(request, refusal.message)
        else:
            messages.success(request, _("Saved: the stage is drawn like that."))
    else:
        messages.error(request, _("Choose how the stage is drawn, and how many are seeded."))
    return redirect("draws", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def draw_stage(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Enter the order that was drawn by hand, or draw a stage again and say why."""
    who = asker(request)
    page = queries.draws_page(slug, who)
    refuse_unless(page.head.may.manage, who)
    stage = find.found(next((one for one in page.stages if one.head.number == number), None))
    is_again = stage.may_draw_again
    form = DrawForm(request.POST or None, is_again=is_again)
    if form.ask(lambda: _drawn(who, slug, number, form, is_again=is_again)):
        messages.success(request, _("The stage is drawn. Publish its first round, and all see it."))
        return redirect("draws", slug)
    context = {
        "head": page.head,
        "stage": stage,
        "form": form,
        "is_again": is_again,
        "candidates": queries.candidates(slug, who, number),
    }
    return render(request, "draws/stage.html", context, status=form.status)


def _drawn(who: Actor, slug: str, number: int, form: DrawForm, *, is_again: bool) -> object:
    stage, order = _stage(slug, who, number), form.numbers
    if is_again:
        reason = form.cleaned_data["reason"]
        return draws.draw_stage_again(who, stage, reason=reason, order=order)
    if number == 1:
        return draws.draw(who, stage.tournament, order=order)
    rounds = Round.objects.filter(stage__tournament=stage.tournament)
    after = rounds.aggregate(last=Max("number"))["last"] or 0
    return draws.draw_next(who, stage.tournament, after=after, order=order)


@require_safe
def hall(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The draw on a projector, one name at a time."""
    who = asker(request)
    shown = NUMBER.fullmatch(request.GET.get("shown", "0"))
    page = queries.hall_page(slug, who, number, int(shown.group()) if shown else 0)
    refuse_unless(page.head.may.manage or page.stage.is_told, who)
    scheme = "light" if request.GET.get("scheme") == "light" else "dark"
    context = {"page": page, "head": page.head, "scheme": scheme}
    return render(request, "draws/hall.html", context)


@require_safe
def draw_file(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The tournament as it was before the draw, with the seed, for `baza pair`."""
    body = queries.draw_file(slug, asker(request), number)
    return attached(body, f"{slug}.draw-{number}.json", JSON)


def _stage(slug: str, who: Actor, number: int) -> Stage:
    stages = find.find_tournament(slug, who).stages.select_related("tournament__club")
    return find.found(stages.filter(number=number).first())

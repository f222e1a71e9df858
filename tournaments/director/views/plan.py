"""The page that changes the plan of a draft."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.core import find
from tournaments.core.errors import Refusal
from tournaments.core.views import actor_from
from tournaments.director.forms.plan import PlanForm, domain_text
from tournaments.director.queries.desk import paces
from tournaments.director.queries.plan import PlanLosses, expected_entries, plan_losses
from tournaments.director.queries.state import refuse_unless_open
from tournaments.director.queries.tournaments import tournament_head
from tournaments.director.services import plan as plans
from tournaments.director.services.settings import checked_plan
from tournaments.director.views.tournaments import (
    SIDES,
    SINGLE,
    ProposalForm,
    outline_of,
    proposal_context,
    requested_plan,
)
from tournaments.domain.pairing import FORMATS
from tournaments.domain.plans import PLANS
from tournaments.models import Tournament


@require_http_methods(["GET", "HEAD", "POST"])
def set_plan(request: HttpRequest, slug: str) -> HttpResponse:
    """Propose plans for those who have signed up; show what goes with the chosen one, and set it.

    What goes is identified by ``shown``: the plan is set once the page has listed it.
    """
    actor = actor_from(request)
    head = tournament_head(slug, actor)
    refuse_unless_open(head.may.verbs, "set_plan", actor)
    tournament = find.find_tournament(slug, actor)
    if request.method != "POST" and "plan" not in request.GET:
        return _propose(request, tournament, {"head": head})
    expected = expected_entries(tournament)
    asked = {"expected": expected if expected > 1 else "", **request.GET.dict()}
    form = PlanForm(tournament, requested_plan(request), request.POST or None, initial=asked)
    losses = _losses(form, tournament) if form.is_bound and form.is_valid() else None
    done = None
    if losses is not None and losses.key == request.POST.get("shown", ""):
        done = form.submit(
            lambda: plans.set_plan(
                actor, tournament, form.planned, prize_stages=form.prize_stages, leave_out=True
            )
        )
    if done is not None:
        messages.success(request, _("The plan is changed."))
        return redirect("tournament", slug)
    context = {
        "head": head,
        "form": form,
        "name": domain_text(f"plan.{form.plan.name}"),
        "formats": [stage["format"] for stage in form.plan.stages({})],
        "losses": losses,
        "stages": range(1, len(form.stages) + 1) if losses else (),
        "outline": outline_of(form),
    }
    return render(request, "director/tournaments/plan.html", context, status=form.status)


def _losses(form: PlanForm, tournament: Tournament) -> PlanLosses | None:
    """Return what goes with the plan of a form; a refusal becomes an error of its field."""
    try:
        stages, _columns = checked_plan(form.planned)
        return plan_losses(tournament, stages, form.prize_stages, get_language() or "")
    except Refusal as refusal:
        form.add_error(form.field_of(refusal), refusal.message)
        return None


def _propose(request: HttpRequest, tournament: Tournament, context: dict[str, Any]) -> HttpResponse:
    """Render the plans that suit those who have signed up, and the names of all."""
    expected = expected_entries(tournament)
    first = tournament.stages.order_by("number")[0]
    asked = {
        "who": SINGLE if FORMATS[first.format].seats == 4 else SIDES,
        "ruleset": tournament.ruleset,
        **({"entrants": str(expected)} if expected > 1 else {}),
        **request.GET.dict(),
    }
    form = ProposalForm(asked)
    proposals = []
    if form.is_valid():
        wish = form.wish(dict(paces(tournament.club.slug)))
        address = reverse("set-plan", args=[tournament.slug])
        proposals = [proposal_context(address, wish, one, form) for one in form.proposals(wish)]
    context |= {
        "choosing": form,
        "expected": expected,
        "proposals": proposals,
        "plans": [
            (name, domain_text(f"plan.{name}"), [stage["format"] for stage in plan.stages({})])
            for name, plan in PLANS.items()
        ],
    }
    return render(request, "director/tournaments/plan.html", context, status=form.status)

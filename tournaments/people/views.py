"""Pages of a club: its players and tournaments, and the forms that create clubs and tournaments."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.core import find
from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import may_act_as_staff, refuse_unless
from tournaments.core.views import actor_from
from tournaments.director.forms.plan import TournamentForm, domain_text
from tournaments.director.queries import cards
from tournaments.director.services.tournaments import create_tournament
from tournaments.domain.plans import PLANS, Plan
from tournaments.people.forms import ClubForm
from tournaments.people.services.clubs import create_club


@require_http_methods(["GET", "HEAD", "POST"])
def new_club(request: HttpRequest) -> HttpResponse:
    """Create a club."""
    actor = actor_from(request)
    refuse_unless(may_act_as_staff(actor), actor)
    form = ClubForm(request.POST or None)
    club = form.submit(lambda: create_club(actor, **form.cleaned_data))
    if club:
        messages.success(request, _("%(name)s has a page now.") % {"name": club.name})
        return redirect("club", club.slug)
    return render(request, "people/clubs/new.html", {"form": form}, status=form.status)


@require_http_methods(["GET", "HEAD", "POST"])
def new_tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a tournament of the club from a plan; its entries come next.

    With ``look`` only the outline of the plan is shown. The query string may fill in fields, as the
    links of the wizard do.
    """
    actor = actor_from(request)
    page = cards.club_page(slug, actor)
    refuse_unless(page.may.manage, actor)
    plan = requested_plan(request)
    form = TournamentForm(plan, request.POST or None, initial=request.GET.dict())
    tournament = None
    if "look" not in request.POST or not form.is_valid():
        tournament = form.submit(
            lambda: create_tournament(actor, find.find_club(slug), **form.tournament)
        )
    if tournament:
        messages.success(request, _("The tournament is there. Who plays in it?"))
        return redirect("entries", tournament.slug)
    context = {
        "form": form,
        "page": page,
        "plan": plan.name,
        "suits": domain_text(f"plan.{plan.name}.for"),
        "plans": [(name, domain_text(f"plan.{name}")) for name in PLANS],
        "outline": [
            (domain_text(f"format.{stage.format}"), stage.entrants, stage.rounds, stage.is_endless)
            for stage in form.outlined
        ],
    }
    return render(request, "director/tournaments/new.html", context, status=form.status)


def requested_plan(request: HttpRequest) -> Plan:
    """Return the plan that the query string or the form names, else the first.

    Refuses UNKNOWN_FORMAT.
    """
    name = request.POST.get("plan") or request.GET.get("plan") or next(iter(PLANS))
    if name not in PLANS:
        raise Refusal(Reason.UNKNOWN_FORMAT, text=name[:60])
    return PLANS[name]

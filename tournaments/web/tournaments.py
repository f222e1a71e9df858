"""A tournament: its history, and how it starts and ends."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.permissions import refuse_unless
from tournaments.queries import find
from tournaments.queries import history as events
from tournaments.queries.heads import tournament_head
from tournaments.queries.standings import standings_page
from tournaments.queries.state import closed_to
from tournaments.services.draws import draw as draw_rounds
from tournaments.services.tournaments import finish as finish_tournament
from tournaments.web.answers import Step, asker, confirmed


@require_safe
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """Every change: who, when, why."""
    who = asker(request)
    head = tournament_head(slug, who)
    refuse_unless(head.may.history, who)
    context = {"head": head, "history": events.told(slug, who)}
    return render(request, "tournaments/history.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin the tournament: its first rounds are drawn."""
    who = asker(request)
    head = tournament_head(slug, who)
    refuse_unless(head.may.manage, who)
    step = Step(
        act=lambda: draw_rounds(who, find.find_tournament(slug, who)),
        done=_("The rounds are drawn. Publish the first one, and everybody sees his table."),
        back=reverse("rounds", args=[slug]),
        closed=closed_to(head.may.verbs, "draw"),
    )
    return confirmed(request, "tournaments/draw.html", {"head": head}, step)


@require_http_methods(["GET", "HEAD", "POST"])
def finish(request: HttpRequest, slug: str) -> HttpResponse:
    """End the tournament, with ``early`` before all its rounds were drawn."""
    who = asker(request)
    page = standings_page(slug, who)
    refuse_unless(page.head.may.manage, who)
    early = request.GET.get("early") == "1"
    step = Step(
        act=lambda: finish_tournament(who, find.find_tournament(slug, who), early=early),
        done=_("The tournament is over. The standings are final."),
        back=reverse("tournament", args=[slug]),
        closed=closed_to(page.head.may.verbs, "finish_early" if early else "finish"),
    )
    context = {"page": page, "head": page.head, "early": early}
    return confirmed(request, "tournaments/finish.html", context, step)

"""Going back: the points that a tournament can be taken back to."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.permissions import refuse_unless
from tournaments.queries import find, heads, restoring
from tournaments.services.restoring import go_back
from tournaments.web.answers import Step, asker, confirmed


@require_safe
def points(request: HttpRequest, slug: str) -> HttpResponse:
    """What was done that can be undone, the latest first."""
    who = asker(request)
    head = heads.tournament_head(slug, who)
    refuse_unless(head.may.manage, who)
    known = restoring.restore_points(find.find_tournament(slug, who))
    return render(request, "restoring/list.html", {"head": head, "points": known})


@require_http_methods(["GET", "HEAD", "POST"])
def undo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take the tournament back to a point, after showing what follows from it."""
    who = asker(request)
    head = heads.tournament_head(slug, who)
    refuse_unless(head.may.manage, who)
    point = find.find_restore_point(slug, pk, who)
    follows = restoring.effects(find.find_tournament(slug, who), point)
    step = Step(
        act=lambda: go_back(who, point),
        done=_("The tournament is as it was. That, too, can be taken back."),
        back=reverse("undo-points", args=[slug]),
        possible=follows.is_safe,
    )
    context = {"head": head, "point": point, "follows": follows}
    return confirmed(request, "restoring/undo.html", context, step)

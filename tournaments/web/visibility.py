"""Who sees a tournament: asked, and said."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.permissions import refuse_unless
from tournaments.queries import find
from tournaments.queries.heads import tournament_head
from tournaments.services.visibility import set_visibility
from tournaments.web.answers import asker
from tournaments.web.forms_plan import VisibilityForm


@require_http_methods(["GET", "HEAD", "POST"])
def visibility(request: HttpRequest, slug: str) -> HttpResponse:
    """Everybody, or the club and those who play."""
    who = asker(request)
    head = tournament_head(slug, who)
    refuse_unless(head.may.manage, who)
    form = VisibilityForm(request.POST or None, initial={"visibility": head.visibility})
    said = form.ask(
        lambda: set_visibility(
            who, find.find_tournament(slug, who), form.cleaned_data["visibility"]
        )
    )
    if said:
        messages.success(request, _("That is who sees the tournament now."))
        return redirect("tournament", slug)
    context = {"head": head, "form": form}
    return render(request, "tournaments/visibility.html", context, status=form.status)

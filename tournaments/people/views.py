"""Pages of a club: its players and tournaments, and the forms that create clubs and tournaments."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.core.permissions import may_act_as_staff, refuse_unless
from tournaments.core.views import actor_from
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
        return redirect("propose", club.slug)
    return render(request, "people/clubs/new.html", {"form": form}, status=form.status)

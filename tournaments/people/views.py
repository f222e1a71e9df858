"""Pages of a club: its players and tournaments, and the forms that create clubs and tournaments."""

from dataclasses import asdict

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.core.find import find_club
from tournaments.core.permissions import may_act_as_staff, may_manage, refuse_unless
from tournaments.core.views import actor_from
from tournaments.models import Club
from tournaments.people.forms import ClubForm, ClubSettingsForm
from tournaments.people.queries import profile_of
from tournaments.people.services.clubs import create_club, describe_club, set_people_in_search


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


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the settings of a club."""
    actor, club = actor_from(request), find_club(slug)
    refuse_unless(may_manage(actor, club), actor)
    initial = {**asdict(profile_of(club)), "people_in_search": club.people_in_search}
    form = ClubSettingsForm(request.POST or None, initial=initial)

    @transaction.atomic
    def save() -> Club:
        describe_club(actor, club, form.cleaned_data)
        in_search = form.cleaned_data["people_in_search"]
        return set_people_in_search(actor, club, people_in_search=in_search)

    if form.submit(save):
        messages.success(request, _("The settings are saved."))
        return redirect("club", slug)
    context = {"page": club, "form": form}
    return render(request, "people/clubs/settings.html", context, status=form.status)

"""Pages of a club: its players and tournaments, and the forms that create clubs and tournaments."""

from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import find_club, or_404
from tournaments.core.permissions import may_act_as_staff, may_manage, refuse_unless
from tournaments.core.views import actor_from
from tournaments.models import Club, ClubPicture
from tournaments.people.forms import ClubForm, ClubSettingsForm
from tournaments.people.queries import pictures_of, profile_of
from tournaments.people.services import pictures
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
    form = ClubSettingsForm(request.POST or None, initial=settings_of(club))

    @transaction.atomic
    def save() -> Club:
        describe_club(actor, club, form.cleaned_data)
        in_search = form.cleaned_data["people_in_search"]
        return set_people_in_search(actor, club, people_in_search=in_search)

    if form.submit(save):
        messages.success(request, _("The settings are saved."))
        return redirect("club", slug)
    return render_settings(request, club, form)


@require_POST
def set_picture(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Set a picture of a club, or remove it where no file is sent."""
    actor, club = actor_from(request), find_club(slug)
    refuse_unless(may_manage(actor, club), actor)
    form, file = ClubSettingsForm(initial=settings_of(club)), request.FILES.get("file")
    try:
        if file is None:
            pictures.remove_picture(actor, club, kind)
        else:
            pictures.set_picture(actor, club, kind, file.read(pictures.MAX_FILE + 1))
    except Refusal as refusal:
        if refusal.reason is not Reason.BAD_PICTURE:
            raise
        messages.error(request, refusal.message)
        return render_settings(request, club, form, status=refusal.status)
    messages.success(request, _("The settings are saved."))
    return redirect("club-settings", slug)


def settings_of(club: Club) -> dict[str, Any]:
    """Return the settings of a club as its form shows them."""
    return {**asdict(profile_of(club)), "people_in_search": club.people_in_search}


def render_settings(
    request: HttpRequest, club: Club, form: ClubSettingsForm, status: int | None = None
) -> HttpResponse:
    """Show the settings of a club, with its pictures."""
    shown = pictures_of(club.slug)
    kinds = [(kind, kind.label, shown.get(kind, "")) for kind in ClubPicture.Kind]
    context = {"page": club, "form": form, "pictures": kinds}
    return render(request, "people/clubs/settings.html", context, status=status or form.status)


@require_safe
def colour(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a club's colour as a style sheet: pages allow no style within them."""
    del request
    own = profile_of(find_club(slug)).colour
    answer = HttpResponse(f":root {{ --club: {own}; }}\n" if own else "", content_type="text/css")
    answer["Cache-Control"] = "public, max-age=86400"
    return answer


@require_safe
def picture(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Return a picture of a club; its address names its content. Refuses NOT_FOUND."""
    del request
    row = or_404(ClubPicture.objects.filter(club__slug=slug, kind=kind).first())
    answer = HttpResponse(bytes(row.content), content_type="image/webp")
    answer["Cache-Control"] = "public, max-age=86400"
    return answer

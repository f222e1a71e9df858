"""Personal data: taking one's own along, and being forgotten."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.queries import erasing as queries
from tournaments.queries import person
from tournaments.services import erasing
from tournaments.services.accounts import check_password, in_person
from tournaments.web.accounts import guarded
from tournaments.web.answers import asker
from tournaments.web.forms_accounts import PasswordForm
from tournaments.web.forms_privacy import EraseAccountForm, ErasePlayerForm


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_data(request: HttpRequest) -> HttpResponse:
    """All that is held about oneself, as a file, for one's password."""
    who = asker(request)
    user = in_person(who)
    form = PasswordForm(request.POST or None)
    if guarded(request, form, lambda: check_password(who, form.cleaned_data["password"])):
        return as_file(person.account_document(user), "baza-account.json")
    return render(request, "privacy/own.html", {"form": form}, status=form.status)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def erase_account(request: HttpRequest) -> HttpResponse:
    """What goes with one's account and what stays; and its end."""
    who = asker(request)
    page = queries.account_to_erase(in_person(who))
    form = EraseAccountForm(page.username, request.POST or None)

    def erase() -> bool:
        held = form.cleaned_data
        erasing.erase_account(
            who, held["password"], players=held["players"], also=held["also"].splitlines()
        )
        return True

    if guarded(request, form, erase):
        logout(request)
        messages.success(request, _("Your account is erased."))
        return redirect("home")
    context = {"page": page, "form": form}
    return render(request, "privacy/account.html", context, status=form.status)


@require_safe
def people(request: HttpRequest, slug: str) -> HttpResponse:
    """The players of a club, each with what can be done about his data."""
    page = queries.people_to_erase(slug, asker(request))
    return render(request, "privacy/people.html", {"page": page})


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def player_data(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """All that is held about a player, as a file, for whoever administers his club."""
    who = asker(request)
    player = queries.player_of_club(slug, pk, who)
    form = PasswordForm(request.POST or None)
    if guarded(request, form, lambda: check_password(who, form.cleaned_data["password"])):
        return as_file(person.player_document(player), f"baza-player-{player.pk}.json")
    context = {"form": form, "player": player, "page": player.club}
    return render(request, "privacy/data.html", context, status=form.status)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def erase_player(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What goes with a player's name and what stays; and doing it."""
    who = asker(request)
    player = queries.player_of_club(slug, pk, who)
    page = queries.player_to_erase(slug, pk, who)
    form = ErasePlayerForm(page.name, request.POST or None)

    def erase() -> str:
        held = form.cleaned_data
        check_password(who, held["password"])
        return erasing.erase_player(who, player, held["also"].splitlines()).name

    if name := guarded(request, form, erase):
        messages.success(request, _("Erased: the results stay under “%(name)s”.") % {"name": name})
        return redirect("people-data", slug)
    context = {"player": page, "form": form, "page": player.club}
    return render(request, "privacy/player.html", context, status=form.status)


def as_file(document: bytes, name: str) -> HttpResponse:
    """Answer a document to be kept."""
    answer = HttpResponse(document, content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer

"""Signing in, in two steps where there is a second factor, and setting one up."""

import time
from typing import Any, Final

import segno
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournaments.domain.totp import address_of, spelled
from tournaments.permissions import Actor, is_held_back
from tournaments.queries.accounts import active_user
from tournaments.services import second_factors as services
from tournaments.services.accounts import in_person
from tournaments.web.accounts import guarded
from tournaments.web.answers import RefusalPage, asker
from tournaments.web.attempts import PASSWORDS, count_one, refuse_too_many
from tournaments.web.forms_accounts import CodeForm, PasswordForm, SecondStepForm
from tournaments.web.session_tracking import sign_in

HALF_WAY: Final = "half_way"
"""Where a session keeps who has given his password and not yet his code."""

PATIENCE: Final = 600  # seconds between password and code


class SignIn(RefusalPage, LoginView):
    """Name and password; then the code, where there is a second factor."""

    template_name = "accounts/login.html"
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Check a password, so many wrong ones a minute whichever accounts they are for."""
        refuse_too_many(request, PASSWORDS)
        return super().post(request, *args, **kwargs)

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """Count a wrong password."""
        count_one(self.request, PASSWORDS)
        return super().form_invalid(form)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Sign in, or ask for the code."""
        user = form.get_user()
        if services.has_second_factor(user):
            half_way = {"user": user.pk, "at": int(time.time()), "next": self.get_redirect_url()}
            self.request.session[HALF_WAY] = half_way
            return redirect("second-step")
        sign_in(self.request, user)
        return redirect(where_to(user, self.get_success_url()))


def where_to(user: User, wanted: str) -> str:
    """Return where somebody comes who has signed in: first to what an organiser must set up."""
    if is_held_back(Actor.of(user)):
        return f"{reverse('set-up-factor')}?{urlencode({'next': wanted})}"
    return wanted


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def second_step(request: HttpRequest) -> HttpResponse:
    """Take the code of somebody who has given his password."""
    half_way: dict[str, Any] = request.session.get(HALF_WAY) or {}
    user = active_user(half_way.get("user"))
    if user is None or time.time() - half_way["at"] > PATIENCE:
        request.session.pop(HALF_WAY, None)
        return redirect("login")
    form = SecondStepForm(request.POST or None)

    def check() -> bool:
        services.check_second_factor(user, form.cleaned_data["code"])
        return True

    if form.ask(check):
        request.session.pop(HALF_WAY, None)
        sign_in(request, user)
        return redirect(half_way["next"] or settings.LOGIN_REDIRECT_URL)
    return render(request, "accounts/second_step.html", {"form": form}, status=form.status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def set_up(request: HttpRequest) -> HttpResponse:
    """Set an authenticator app up: a QR code, its first code, the recovery codes."""
    who = asker(request)
    user = in_person(who)
    wanted = next_of(request)
    if services.has_second_factor(user):
        return redirect(wanted or "account")
    form = CodeForm(request.POST or None)
    kept = request.session.session_key
    codes = form.ask(
        lambda: services.confirm_second_factor(who, form.cleaned_data["code"], keep=kept)
    )
    if codes:
        messages.success(request, _("Your second factor is set up."))
        return shown_once(request, codes, wanted)
    secret = services.begin_second_factor(who).secret
    address = address_of(secret, issuer(request), user.get_username())
    context = {
        "form": form,
        "picture": picture(address),
        "address": address,
        "secret": spelled(secret),
        "must": is_held_back(who),
        "next": wanted,
    }
    return render(request, "accounts/set_up.html", context, status=form.status)


def issuer(request: HttpRequest) -> str:
    """Name the service as the app is to list it."""
    return f"Baza {request.get_host()}"


def picture(text: str) -> str:
    """Return a QR code as an address that an image shows."""
    return segno.make(text, error="m").svg_data_uri(scale=5, border=3, light="#fff")


def next_of(request: HttpRequest) -> str:
    """Return the page that was wanted, if it is one of ours."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    ours = url_has_allowed_host_and_scheme(
        wanted, {request.get_host()}, require_https=request.is_secure()
    )
    return wanted if ours else ""


def shown_once(request: HttpRequest, codes: tuple[str, ...], wanted: str = "") -> HttpResponse:
    """Show recovery codes, which cannot be had again."""
    return render(request, "accounts/codes.html", {"codes": codes, "next": wanted})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def renew_codes(request: HttpRequest) -> HttpResponse:
    """Give out new recovery codes for the old ones."""
    who = asker(request)
    in_person(who)
    form = PasswordForm(request.POST or None)
    codes = guarded(
        request, form, lambda: services.renew_recovery_codes(who, form.cleaned_data["password"])
    )
    if codes:
        return shown_once(request, codes)
    return render(request, "accounts/renew.html", {"form": form}, status=form.status)


@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: HttpRequest) -> HttpResponse:
    """Do without a second factor."""
    who = asker(request)
    in_person(who)
    form = PasswordForm(request.POST or None)

    def act() -> bool:
        services.remove_second_factor(who, form.cleaned_data["password"])
        return True

    if guarded(request, form, act):
        messages.success(request, _("Your second factor is removed."))
        return redirect("account")
    context = {"form": form, "required": settings.SECOND_FACTOR_REQUIRED}
    return render(request, "accounts/remove.html", context, status=form.status)

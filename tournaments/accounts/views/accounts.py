"""Pages of an account: password, e-mail address, sign-in in two steps, the admin's sign-in."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

import segno
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth import forms as auth_forms
from django.contrib.auth import update_session_auth_hash, views
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, LogoutView, redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.accounts.forms import (
    AddressForm,
    BothFactorsForm,
    ChangePasswordForm,
    CodeForm,
    PasswordForm,
    SecondStepForm,
)
from tournaments.accounts.queries import account_page, active_user
from tournaments.accounts.services import accounts
from tournaments.accounts.services.accounts import require_user
from tournaments.accounts.services.mails import queue_mail
from tournaments.accounts.session_tracking import record_sign_in, sign_in
from tournaments.core.errors import Reason, Refusal
from tournaments.core.limits import LINKS, PASSWORDS, count_one, refuse_too_many
from tournaments.core.permissions import Actor, is_blocked_without_second_factor
from tournaments.core.push import end_noted
from tournaments.core.views import RefusalMixin, actor_from, origin_of
from tournaments.domain.totp import format_secret, otpauth_address
from tournaments.models import Mail

# --- Accounts -------------------------------------------------------------------------------------
# The viewer's own account: password, e-mail address, sessions.


T = TypeVar("T")


@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Show the viewer's account."""
    page = account_page(actor_from(request), request.session.session_key)
    return render(request, "accounts/page.html", {"page": page, "mail": settings.MAIL_GOES_OUT})


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def change_password(request: HttpRequest) -> HttpResponse:
    """Change the viewer's password; all their other sessions end."""
    actor = actor_from(request)
    accounts.require_user(actor)
    form = ChangePasswordForm(request.POST or None)
    session_key = request.session.session_key
    user = submit_with_password_limit(
        request,
        form,
        lambda: accounts.change_password(
            actor, form.cleaned_data["password"], form.cleaned_data["new"], keep=session_key
        ),
    )
    if user:
        update_session_auth_hash(request, user)
        record_sign_in(request, user)
        messages.success(request, _("Your password is changed. Elsewhere you are signed out."))
        return redirect("account")
    return render(request, "accounts/password.html", {"form": form}, status=form.status)


def submit_with_password_limit(
    request: HttpRequest, form: PasswordForm, action: Callable[[], T]
) -> T | None:
    """Run a form's action, and throttle wrong passwords.

    Refuses TOO_MANY_TRIES.
    """
    if request.method == "POST":
        refuse_too_many(request, PASSWORDS)
    result = form.submit(action)
    if form.refused and form.refused.reason is Reason.WRONG_PASSWORD:
        count_one(request, PASSWORDS)
    return result


@require_http_methods(["GET", "HEAD", "POST"])
def change_address(request: HttpRequest) -> HttpResponse:
    """Change the viewer's e-mail address, effective once the link sent to it is confirmed."""
    actor = actor_from(request)
    user = accounts.require_user(actor)
    form = AddressForm(request.POST or None)

    def ask() -> str:
        email = form.cleaned_data["email"]
        with transaction.atomic():
            proof = accounts.request_address_change(actor, form.cleaned_data["password"], email)
            queue_mail(user, Mail.Kind.ADDRESS, origin_of(request))
        return proof

    if submit_with_password_limit(request, form, ask):
        add_link_message(request, form.cleaned_data["email"])
        return redirect("account")
    context = {"form": form, "mail": settings.MAIL_GOES_OUT}
    return render(request, "accounts/address.html", context, status=form.status)


def add_link_message(request: HttpRequest, email: str) -> None:
    """Say where the link is: in a mail, or available from the operator of the service."""
    if settings.MAIL_GOES_OUT:
        text = _("A link is on its way to %(email)s. Follow it to confirm the address.")
        messages.success(request, text % {"email": email})
    else:
        text = _("This service sends no mail: its operator can give you the link.")
        messages.warning(request, text)


@require_http_methods(["GET", "HEAD", "POST"])
def confirm_address(request: HttpRequest, proof: str) -> HttpResponse:
    """Confirm an address by its link; GET only asks, since mail scanners follow links."""
    refusal = None
    try:
        new_address = accounts.address_of_link(proof)
    except Refusal:
        return render(request, "accounts/dead_link.html", status=404)
    if request.method == "POST":
        try:
            accounts.confirm_address(proof)
        except Refusal as raised:
            refusal = raised
        else:
            messages.success(request, _("Your e-mail address is confirmed."))
            return redirect("account")
    context = {"email": new_address.email, "refusal": refusal}
    status = refusal.status if refusal else 200
    return render(request, "accounts/confirm.html", context, status=status)


@require_POST
def end_sign_in(request: HttpRequest, pk: int) -> HttpResponse:
    """End one of the viewer's sessions."""
    actor = actor_from(request)
    accounts.require_user(actor)
    accounts.end_sign_in(actor, pk)
    messages.success(request, _("That session is signed out."))
    return redirect("account")


@require_POST
def end_other_sign_ins(request: HttpRequest) -> HttpResponse:
    """End all the viewer's sessions but the current one."""
    user = accounts.require_user(actor_from(request))
    accounts.end_sign_ins(user, keep=request.session.session_key)
    messages.success(request, _("You are signed in here and nowhere else."))
    return redirect("account")


class PasswordResetRequestForm(auth_forms.PasswordResetForm):
    """Asks for a password link by e-mail address."""

    def save(self, *_words: Any, request: HttpRequest, **_more: Any) -> None:  # type: ignore[override]
        """Queue the mails; as quick for an unknown address, so timing does not reveal accounts."""
        for user in self.get_users(self.cleaned_data["email"]):
            queue_mail(user, Mail.Kind.PASSWORD, origin_of(request))


class PasswordResetRequest(RefusalMixin, views.PasswordResetView):
    """Asks for a link by e-mail; the answer does not reveal whether there is such an account."""

    template_name = "accounts/forgotten.html"
    form_class = PasswordResetRequestForm
    success_url = reverse_lazy("reset-sent")
    extra_context = {"mail": settings.MAIL_GOES_OUT}

    def form_valid(self, form: auth_forms.PasswordResetForm) -> HttpResponse:
        """Queue the mail; requests are throttled."""
        refuse_too_many(self.request, LINKS)
        count_one(self.request, LINKS)
        return super().form_valid(form)


class PasswordResetConfirm(RefusalMixin, views.PasswordResetConfirmView):
    """Sets a password by a link. It does not sign in: a second factor is still asked for."""

    template_name = "accounts/new_password.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: auth_forms.SetPasswordForm[User]) -> HttpResponse:
        """Set the password, and end all the user's sessions."""
        token = self.request.session.pop(views.INTERNAL_RESET_SESSION_TOKEN)
        try:
            accounts.reset_password(form.user, token, form.cleaned_data["new_password1"])
        except Refusal:  # another request has used the link meanwhile
            self.validlink = False
            return self.render_to_response(self.get_context_data())
        messages.success(self.request, _("Your password is set. Sign in with it."))
        return redirect(self.get_success_url())


@require_safe
def reset_sent(request: HttpRequest) -> HttpResponse:
    """Say what happens next."""
    return render(request, "accounts/reset_sent.html", {"mail": settings.MAIL_GOES_OUT})


# --- Second factors -------------------------------------------------------------------------------
# Sign-in in two steps for users with a second factor, and setting one up.


PENDING_SIGN_IN: Final = "half_way"
"""Session key of a user who has given the password and not yet the code."""

MAX_SECONDS_BETWEEN_STEPS: Final = 600  # from password to code


class SignOut(LogoutView):
    """Sign-out, which ends the messages of the account and of codes to this browser."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """End the subscriptions while the session still has them."""
        end_noted(request.session)
        return super().post(request, *args, **kwargs)


class SignIn(RefusalMixin, LoginView):
    """Sign-in by name and password; then by code, for users with a second factor."""

    template_name = "accounts/login.html"
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Check the password; wrong ones are throttled by network address, not by account."""
        refuse_too_many(request, PASSWORDS)
        return super().post(request, *args, **kwargs)

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """Count a wrong password."""
        count_one(self.request, PASSWORDS)
        return super().form_invalid(form)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Sign in, or ask for the code."""
        user = form.get_user()
        if accounts.has_second_factor(user):
            self.request.session[PENDING_SIGN_IN] = {
                "user": user.pk,
                "password": user.get_session_auth_hash(),
                "at": int(time.time()),
                "next": self.get_redirect_url(),
            }
            return redirect("second-step")
        sign_in(self.request, user)
        # Not `redirect`, here and below: it takes an address of one word for the name of a view.
        return HttpResponseRedirect(page_after_sign_in(user, self.get_success_url()))

    def get_success_url(self) -> str:
        """Return the wanted page, unless it is this one: Django would raise for signed-in users."""
        page = super().get_success_url()
        return self.get_default_redirect_url() if page == self.request.path else page


def page_after_sign_in(user: User, next_page: str) -> str:
    """Return the page after sign-in: the wanted one, or setting up a required second factor."""
    if is_blocked_without_second_factor(Actor.for_user(user)):
        return f"{reverse('set-up-factor')}?{urlencode({'next': next_page})}"
    return next_page


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def second_step(request: HttpRequest) -> HttpResponse:
    """Check the code of a user who has given the password."""
    pending: dict[str, Any] = request.session.get(PENDING_SIGN_IN) or {}
    user = active_user(pending.get("user"))
    is_over = time.time() - pending.get("at", 0) > MAX_SECONDS_BETWEEN_STEPS
    # A new password ends what was begun with the old one.
    if user is None or is_over or pending.get("password") != user.get_session_auth_hash():
        request.session.pop(PENDING_SIGN_IN, None)
        return redirect("login")
    form = SecondStepForm(request.POST or None)

    def check() -> bool:
        accounts.check_second_factor(user, form.cleaned_data["code"])
        return True

    if form.submit(check):
        request.session.pop(PENDING_SIGN_IN, None)
        sign_in(request, user)
        return HttpResponseRedirect(pending["next"] or settings.LOGIN_REDIRECT_URL)
    return render(request, "accounts/second_step.html", {"form": form}, status=form.status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def set_up_second_factor(request: HttpRequest) -> HttpResponse:
    """Set up an authenticator app: a QR code, its first code, the recovery codes."""
    actor = actor_from(request)
    user = require_user(actor)
    next_page = read_next_page(request)
    if accounts.has_second_factor(user):
        return HttpResponseRedirect(next_page or reverse("account"))
    form = CodeForm(request.POST or None)
    session_key = request.session.session_key
    codes = form.submit(
        lambda: accounts.confirm_second_factor(actor, form.cleaned_data["code"], keep=session_key)
    )
    if codes:
        messages.success(request, _("Your second factor is set up."))
        return render_recovery_codes(request, codes, next_page)
    secret = accounts.begin_second_factor(actor).secret
    issuer = f"Baza {request.get_host()}"  # as the authenticator app lists the service
    address = otpauth_address(secret, issuer, user.get_username())
    context = {
        "form": form,
        "picture": qr_code_uri(address),
        "address": address,
        "secret": format_secret(secret),
        "must": is_blocked_without_second_factor(actor),
        "next": next_page,
    }
    return render(request, "accounts/set_up.html", context, status=form.status)


def qr_code_uri(text: str) -> str:
    """Return a QR code as a data URI."""
    return segno.make(text, error="m").svg_data_uri(scale=5, border=3, light="#fff")


def read_next_page(request: HttpRequest) -> str:
    """Return the wanted page, if it belongs to this service; else ""."""
    next_page = request.POST.get("next") or request.GET.get("next") or ""
    is_safe = url_has_allowed_host_and_scheme(
        next_page, {request.get_host()}, require_https=request.is_secure()
    )
    return next_page if is_safe else ""


def render_recovery_codes(
    request: HttpRequest, codes: tuple[str, ...], next_page: str = ""
) -> HttpResponse:
    """Show recovery codes, which cannot be shown again."""
    return render(request, "accounts/codes.html", {"codes": codes, "next": next_page})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def renew_recovery_codes(request: HttpRequest) -> HttpResponse:
    """Replace the recovery codes."""
    actor = actor_from(request)
    require_user(actor)
    form = BothFactorsForm(request.POST or None)
    codes = submit_with_password_limit(
        request,
        form,
        lambda: accounts.renew_recovery_codes(
            actor, form.cleaned_data["password"], form.cleaned_data["code"]
        ),
    )
    if codes:
        return render_recovery_codes(request, codes)
    return render(request, "accounts/renew.html", {"form": form}, status=form.status)


@require_http_methods(["GET", "HEAD", "POST"])
def remove_second_factor(request: HttpRequest) -> HttpResponse:
    """Remove the second factor."""
    actor = actor_from(request)
    require_user(actor)
    form = BothFactorsForm(request.POST or None)

    def act() -> bool:
        accounts.remove_second_factor(
            actor, form.cleaned_data["password"], form.cleaned_data["code"]
        )
        return True

    if submit_with_password_limit(request, form, act):
        messages.success(request, _("Your second factor is removed."))
        return redirect("account")
    context = {"form": form, "required": settings.SECOND_FACTOR_REQUIRED}
    return render(request, "accounts/remove.html", context, status=form.status)


# --- Admin ----------------------------------------------------------------------------------------
# Django's admin behind the pages' own sign-in.


class PageSignInAdminSite(admin.AdminSite):
    """The admin site with the sign-in of the pages: password, throttle, second factor."""

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether the user is staff and has a second factor, if one is required."""
        return super().has_permission(request) and not is_blocked_without_second_factor(
            Actor.for_user(request.user)
        )

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Redirect to the pages' own sign-in."""
        del extra_context
        if is_blocked_without_second_factor(Actor.for_user(request.user)):
            return redirect("set-up-factor")
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next", request.path))

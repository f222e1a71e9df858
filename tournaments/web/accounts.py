"""Somebody's own account: password, e-mail address, where he is signed in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import forms as auth_forms
from django.contrib.auth import update_session_auth_hash, views
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.errors import Reason, Refusal
from tournaments.models import Mail, NewAddress
from tournaments.queries.accounts import account_page
from tournaments.services import accounts as services
from tournaments.services import sign_ins
from tournaments.services.mails import want_mail
from tournaments.web.answers import RefusalPage, asker
from tournaments.web.attempts import LINKS, PASSWORDS, count_one, refuse_too_many
from tournaments.web.forms_accounts import AddressForm, ChangePasswordForm, PasswordForm
from tournaments.web.session_tracking import remember

T = TypeVar("T")


@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Everything about oneself on one page."""
    page = account_page(asker(request), request.session.session_key)
    return render(request, "accounts/page.html", {"page": page, "mail": settings.MAIL_GOES_OUT})


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def change_password(request: HttpRequest) -> HttpResponse:
    """Change one's password; all one's other sessions end."""
    who = asker(request)
    services.in_person(who)
    form = ChangePasswordForm(request.POST or None)
    kept = request.session.session_key
    user = guarded(
        request,
        form,
        lambda: services.change_password(
            who, form.cleaned_data["password"], form.cleaned_data["new"], keep=kept
        ),
    )
    if user:
        update_session_auth_hash(request, user)
        remember(request, user)
        messages.success(request, _("Your password is changed. Elsewhere you are signed out."))
        return redirect("account")
    return render(request, "accounts/password.html", {"form": form}, status=form.status)


def guarded(request: HttpRequest, form: PasswordForm, act: Callable[[], T]) -> T | None:
    """Do what a form asks for, and count the wrong passwords typed into it.

    Refuses TOO_MANY_TRIES.
    """
    if request.method == "POST":
        refuse_too_many(request, PASSWORDS)
    done = form.ask(act)
    if form.refused and form.refused.reason is Reason.WRONG_PASSWORD:
        count_one(request, PASSWORDS)
    return done


@require_http_methods(["GET", "HEAD", "POST"])
def change_address(request: HttpRequest) -> HttpResponse:
    """Give an e-mail address; it counts once the link sent to it was followed."""
    who = asker(request)
    user = services.in_person(who)
    form = AddressForm(request.POST or None)

    def ask() -> str:
        email = form.cleaned_data["email"]
        with transaction.atomic():
            proof = services.ask_for_address(who, form.cleaned_data["password"], email)
            want_mail(user, Mail.Kind.ADDRESS, origin_of(request))
        return proof

    if guarded(request, form, ask):
        tell_of_link(request, form.cleaned_data["email"])
        return redirect("account")
    context = {"form": form, "mail": settings.MAIL_GOES_OUT}
    return render(request, "accounts/address.html", context, status=form.status)


def origin_of(request: HttpRequest) -> str:
    """Return where the service was asked, for links in mails: scheme and host."""
    return f"{request.scheme}://{request.get_host()}"


def tell_of_link(request: HttpRequest, email: str) -> None:
    """Say where the link is: in a mail, or with whoever runs the service."""
    if settings.MAIL_GOES_OUT:
        told = _("A link is on its way to %(email)s. Follow it to confirm the address.")
        messages.success(request, told % {"email": email})
    else:
        told = _("This service sends no mail: whoever runs it can give you the link.")
        messages.warning(request, told)


@require_http_methods(["GET", "HEAD", "POST"])
def confirm_address(request: HttpRequest, proof: str) -> HttpResponse:
    """Confirm an address by its link: asked on GET, so that nothing follows it by itself."""
    refusal, wanted = None, wanted_by(proof)
    if wanted is None:
        return render(request, "accounts/dead_link.html", status=404)
    if request.method == "POST":
        try:
            services.confirm_address(proof)
        except Refusal as raised:
            refusal = raised
        else:
            messages.success(request, _("Your e-mail address is confirmed."))
            return redirect("account")
    context = {"email": wanted.email, "refusal": refusal}
    status = refusal.status if refusal else 200
    return render(request, "accounts/confirm.html", context, status=status)


def wanted_by(proof: str) -> NewAddress | None:
    """Return the address that a link confirms; none, when the link is dead."""
    try:
        return services.address_wanted(proof)
    except Refusal:
        return None


@require_POST
def end_sign_in(request: HttpRequest, pk: int) -> HttpResponse:
    """End one of one's sessions."""
    who = asker(request)
    services.in_person(who)
    sign_ins.end_sign_in(who, pk)
    messages.success(request, _("There you are signed out."))
    return redirect("account")


@require_POST
def end_other_sign_ins(request: HttpRequest) -> HttpResponse:
    """End all one's sessions but this one."""
    user = services.in_person(asker(request))
    sign_ins.end_sign_ins(user, keep=request.session.session_key)
    messages.success(request, _("You are signed in here and nowhere else."))
    return redirect("account")


class ForgottenForm(auth_forms.PasswordResetForm):
    """Ask for a link by one's address."""

    def save(self, *_words: Any, request: HttpRequest, **_more: Any) -> None:  # type: ignore[override]
        """Have the mails sent by a worker, which is as quick for an address that nobody has."""
        for user in self.get_users(self.cleaned_data["email"]):
            want_mail(user, Mail.Kind.PASSWORD, origin_of(request))


class ForgottenPassword(RefusalPage, views.PasswordResetView):
    """Ask for a link by e-mail; the answer does not tell whether there is such an account."""

    template_name = "accounts/forgotten.html"
    form_class = ForgottenForm
    success_url = reverse_lazy("reset-sent")
    extra_context = {"mail": settings.MAIL_GOES_OUT}

    def form_valid(self, form: auth_forms.PasswordResetForm) -> HttpResponse:
        """Send it, a few times a minute from one address at most."""
        refuse_too_many(self.request, LINKS)
        count_one(self.request, LINKS)
        return super().form_valid(form)


class NewPassword(RefusalPage, views.PasswordResetConfirmView):
    """Set a password by a link. Nobody is signed in by it: a second factor is still asked for."""

    template_name = "accounts/new_password.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: auth_forms.SetPasswordForm[User]) -> HttpResponse:
        """Set it, and end all sessions there are."""
        answer = super().form_valid(form)
        services.note_password_reset(form.user)
        messages.success(self.request, _("Your password is set. Sign in with it."))
        return answer


@require_safe
def reset_sent(request: HttpRequest) -> HttpResponse:
    """Say what comes next."""
    return render(request, "accounts/reset_sent.html", {"mail": settings.MAIL_GOES_OUT})

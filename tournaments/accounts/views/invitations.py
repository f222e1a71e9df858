"""Pages of a club's members: roles, invitations, the tokens of programs."""

from __future__ import annotations

from typing import Any

import segno
from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.accounts import queries
from tournaments.accounts.forms import (
    InvitationForm,
    JoinForm,
    NewAccountForm,
    RoleForm,
    TokenForm,
)
from tournaments.accounts.queries import bot_tokens
from tournaments.accounts.services import invitations
from tournaments.accounts.services.accounts import (
    create_first_account,
    find_first_account,
    require_user,
    store_unconfirmed_address,
)
from tournaments.accounts.services.invitations import issue_bot_token
from tournaments.accounts.services.mails import queue_mail
from tournaments.accounts.session_tracking import sign_in
from tournaments.accounts.views.accounts import add_link_message, page_after_sign_in
from tournaments.arena.queries import bots as bots_queries
from tournaments.arena.queries.bots import find_bot
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import find_club, find_player
from tournaments.core.permissions import (
    may_administer,
    may_connect_bot,
    refuse_unless,
)
from tournaments.core.views import (
    ConfirmedAction,
    actor_from,
    confirm_page,
    is_localhost,
    origin_of,
)
from tournaments.models import Bot, Invitation, Mail
from tournaments.people.services import clubs

ROLES = Invitation.Role


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def members(request: HttpRequest, slug: str) -> HttpResponse:
    """List members and open invitations, and create one; its link is shown only in the answer."""
    actor = actor_from(request)
    page = queries.people_page(slug, actor)
    form = InvitationForm(page.players, request.POST or None)

    def act() -> tuple[Invitation, str]:
        data = dict(form.cleaned_data)
        key = data.pop("player", "")
        is_for_player = data["role"] == ROLES.PLAYER
        player = find_player(int(key)) if is_for_player else None
        return invitations.invite(actor, find_club(slug), player=player, **data)

    result = form.submit(act)
    if result:
        return render_link(request, page, *result)
    context = {"page": page, "form": form}
    return render(request, "accounts/invitations/people.html", context, status=form.status)


def render_link(
    request: HttpRequest, page: queries.PeoplePage, invitation: Invitation, text: str
) -> HttpResponse:
    """Show the link of an invitation, which cannot be shown again."""
    link = request.build_absolute_uri(reverse("invitation", args=[text]))
    picture = segno.make(link, error="m").svg_data_uri(scale=5, border=3, light="#fff")
    context = {
        "page": page,
        "invitation": invitation,
        "link": link,
        "picture": picture,
        "is_localhost": is_localhost(request),
    }
    return render(request, "accounts/invitations/made.html", context, status=201)


@require_POST
def revoke_invitation(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Revoke an invitation."""
    actor = actor_from(request)
    invitations.revoke_invitation(actor, queries.find_invitation(slug, key, actor))
    messages.success(request, _("The link no longer works."))
    return redirect("members", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def change_role(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Change the role of a member."""
    actor = actor_from(request)
    member = queries.find_member(slug, pk, actor)
    form = RoleForm(request.POST or None, initial={"role": member.role})
    changed = form.submit(
        lambda: clubs.add_member(actor, member.club, member.user, form.cleaned_data["role"])
    )
    if changed:
        text = _("%(name)s: %(role)s.")
        names = {"name": member.user.get_username(), "role": changed.get_role_display()}
        messages.success(request, text % names)
        return redirect("members" if actor.user != member.user else "club", slug)
    context = {"member": member, "page": member.club, "form": form}
    return render(request, "accounts/invitations/role.html", context, status=form.status)


@require_http_methods(["GET", "HEAD", "POST"])
def remove_member(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Remove a member's role, after a confirmation."""
    actor = actor_from(request)
    member = queries.find_member(slug, pk, actor)
    leaves = actor.user == member.user
    step = ConfirmedAction(
        act=lambda: clubs.remove_member(actor, member.club, member.user),
        done=_("%(name)s has no role in the club any more.") % {"name": member.user.get_username()},
        back=reverse("club" if leaves else "members", args=[slug]),
    )
    context = {"member": member, "page": member.club}
    return confirm_page(request, "accounts/invitations/remove.html", context, step)


@sensitive_post_parameters("chosen", "again")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, text: str) -> HttpResponse:
    """Show what an invitation gives, and accept it with an existing or a new account."""
    try:
        invite = invitations.find_invitation(text)
    except Refusal as refusal:
        dead = "accounts/invitations/dead.html"
        return render(request, dead, {"refusal": refusal}, status=refusal.status)
    actor = actor_from(request)
    context: dict[str, Any] = {"invitation": invite}
    status = 200
    if actor.is_anonymous:
        form = context["form"] = JoinForm(request.POST or None)
        if user := form.submit(lambda: create_invited_account(request, text, form)):
            return finish_acceptance(request, invite, user)
        status = form.status
    elif request.method == "POST":
        try:
            invitations.accept_invitation(actor, text)
        except Refusal as refusal:
            context["refusal"], status = refusal, refusal.status
        else:
            return finish_acceptance(request, invite, require_user(actor))
    return render(request, "accounts/invitations/page.html", context, status=status)


@sensitive_post_parameters("chosen", "again")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def first_account(request: HttpRequest, proof: str) -> HttpResponse:
    """Make the first account of the installation by the link that its start prints, and sign in."""
    try:
        find_first_account(proof)
    except Refusal as refusal:
        return render(request, "accounts/first_account_over.html", status=refusal.status)
    form = NewAccountForm(request.POST or None)
    user = form.submit(
        lambda: create_first_account(
            proof, form.cleaned_data["username"], form.cleaned_data["chosen"]
        )
    )
    if user:
        sign_in(request, user)
        return redirect(page_after_sign_in(user, reverse("new-club")))
    return render(request, "accounts/first_account.html", {"form": form}, status=form.status)


def create_invited_account(request: HttpRequest, text: str, form: JoinForm) -> User:
    """Create the account and sign it in."""
    data = form.cleaned_data
    with transaction.atomic():  # an address that is refused uses up no invitation
        user = invitations.join_by_invitation(text, data["username"], data["chosen"])
        if data["email"]:
            store_unconfirmed_address(user, data["email"])
            queue_mail(user, Mail.Kind.ADDRESS, origin_of(request))
    sign_in(request, user)
    if data["email"]:
        add_link_message(request, data["email"])
    return user


def finish_acceptance(request: HttpRequest, invite: Invitation, user: User) -> HttpResponse:
    """Confirm the acceptance, and redirect; an organiser may have to set up a second factor."""
    if invite.player is not None:
        text = _("You are %(player)s now, in %(club)s.")
        names = {"player": invite.player.name, "club": invite.club.name}
    else:
        text = _("You have a role in %(club)s now: %(role)s.")
        names = {"role": invite.get_role_display(), "club": invite.club.name}
    messages.success(request, text % names)
    return redirect(page_after_sign_in(user, reverse("club", args=[invite.club.slug])))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def club_tokens(request: HttpRequest, slug: str) -> HttpResponse:
    """List the tokens of a club, and create one of the viewer's own, whose text is shown once."""
    actor = actor_from(request)
    page = queries.tokens_page(slug, actor)
    form = TokenForm(request.POST or None)
    result = form.submit(
        lambda: invitations.issue_token(
            actor, find_club(slug), require_user(actor), **form.cleaned_data
        )
    )
    if result:
        context = {"page": page, "token": result[0], "text": result[1]}
        return render(request, "accounts/invitations/token.html", context, status=201)
    context = {"page": page, "form": form}
    return render(request, "accounts/invitations/tokens.html", context, status=form.status)


@require_http_methods(["GET", "HEAD", "POST"])
def revoke_token(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Revoke a token, after a confirmation; ``?bot=`` names the bot on whose page it was listed."""
    actor = actor_from(request)
    token = queries.find_token(slug, pk, actor)
    administers = may_administer(actor, token.club)
    back = reverse("tokens" if administers else "club", args=[slug])
    if bot := request.GET.get("bot"):
        back = reverse("connect-bot", args=[find_bot(bot).slug])
    step = ConfirmedAction(
        act=lambda: invitations.revoke_token(actor, token),
        done=_("The token no longer works."),
        back=back,
        closed="" if token.revoked_at is None else _("The token was taken back already."),
    )
    context = {"token": token, "page": token.club, "administers": administers}
    return confirm_page(request, "accounts/invitations/take_back.html", context, step)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def connect_bot(request: HttpRequest, slug: str) -> HttpResponse:
    """Explain how a remote bot fetches its turns, and issue a token, which is shown once."""
    actor, row = actor_from(request), bots_queries.find_bot(slug)
    refuse_unless(may_connect_bot(actor, row), actor)
    if row.kind != Bot.Kind.REMOTE:
        raise Refusal(Reason.NOT_FOUND)
    text = issue_bot_token(actor, row)[1] if request.method == "POST" else ""
    turns = request.build_absolute_uri(reverse("api:bot-turns", args=[slug]))
    context = {"bot": row, "tokens": bot_tokens(row, actor), "text": text, "turns": turns}
    return render(request, "accounts/connect_bot.html", context, status=201 if text else 200)

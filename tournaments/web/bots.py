"""Bots: all of them, one of them, and what its author does with it."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from tournaments.errors import Reason, Refusal
from tournaments.models import Bot
from tournaments.permissions import may_bring_bots, may_change_bot, may_connect_bot, refuse_unless
from tournaments.queries import bots as queries
from tournaments.queries.find import find_club
from tournaments.queries.invitations import bot_tokens
from tournaments.services import bots as services
from tournaments.services.compliance import check_again
from tournaments.services.tokens import issue_bot_token
from tournaments.web.answers import Step, asker, confirmed
from tournaments.web.forms_bots import BringForm, VersionForm
from tournaments.web.live import UNCHANGED


@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    """All bots, or those of a group or a club."""
    wanted = request.GET
    page = queries.bots_page(asker(request), wanted.get("group", ""), wanted.get("club", ""))
    return render(request, "bots/list.html", {"page": page, "groups": queries.GROUPS})


@require_safe
def bot(request: HttpRequest, slug: str) -> HttpResponse:
    """One bot: its author, its versions, what it did wrong, its matches."""
    page = queries.bot_page(slug, asker(request))
    return render(request, "bots/page.html", {"page": page, "state": state_of(page)})


@require_safe
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """The versions, while one is checked; nothing when all is as the browser has ``seen`` it.

    Once no check is left the browser is told to fetch the whole page: the bot may play now.
    """
    page = queries.bot_page(slug, asker(request))
    state = state_of(page)
    if request.GET.get("seen") == state:
        return HttpResponse(status=UNCHANGED)
    if not page.is_moving:
        return HttpResponseClientRefresh()
    return render(request, "bots/_versions.html", {"page": page, "state": state})


def state_of(page: queries.BotPage) -> str:
    """Return one word that changes whenever the versions of a bot do."""
    return "-".join(f"{one.state}{one.done}{'!' if one.stuck else ''}" for one in page.versions)


@require_http_methods(["GET", "HEAD", "POST"])
def bring(request: HttpRequest, slug: str) -> HttpResponse:
    """Bring a bot to a club: a program, or one that runs elsewhere."""
    who, club = asker(request), find_club(slug, asker(request))
    refuse_unless(may_bring_bots(who, club), who)
    form = BringForm(*filled_in(request))

    def act() -> Bot:
        name, about = form.cleaned_data["name"], form.cleaned_data["about"]
        if form.cleaned_data["kind"] == Bot.Kind.REMOTE:
            kind = Bot.Kind.REMOTE
            return services.register_bot(who, club, name=name, kind=kind, about=about)
        return services.bring_bot(who, club, name=name, about=about, **form.program).bot

    made = form.ask(act)
    if made:
        messages.success(request, _("“%(name)s” is there.") % {"name": made.name})
        return redirect("bot", made.slug)
    return render(request, "bots/bring.html", {"form": form, "club": club}, status=form.status)


@require_http_methods(["GET", "HEAD", "POST"])
def bring_version(request: HttpRequest, slug: str) -> HttpResponse:
    """Bring another version of a program."""
    who, row = asker(request), queries.find_bot(slug, asker(request))
    refuse_unless(may_change_bot(who, row), who)
    newest = row.versions.first()
    first = {"language": newest.language} if newest else None
    form = VersionForm(*filled_in(request), initial=first)
    version = form.ask(lambda: services.bring_version(who, row, **form.program))
    if version:
        messages.success(request, _("Version %(number)s is there.") % {"number": version.number})
        return redirect("bot", slug)
    return render(request, "bots/version.html", {"form": form, "bot": row}, status=form.status)


def filled_in(request: HttpRequest) -> tuple[Any, Any]:
    """Return the fields and the files of a form that was sent; nothing of one that is asked for."""
    return (request.POST, request.FILES) if request.method == "POST" else (None, None)


@require_POST
def put_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a bot from the bench."""
    who = asker(request)
    made = services.put_back(who, queries.find_bot(slug, who))
    messages.success(request, _("“%(name)s” plays again.") % {"name": made.name})
    return redirect("bot", slug)


@require_POST
def check(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Check a version again."""
    who = asker(request)
    check_again(who, queries.find_version(slug, number, who))
    messages.success(request, _("It will be checked again."))
    return redirect("bot", slug)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def connect(request: HttpRequest, slug: str) -> HttpResponse:
    """How a bot of one's own fetches its turns, and a token for it, which is shown once."""
    who, row = asker(request), queries.find_bot(slug, asker(request))
    refuse_unless(may_connect_bot(who, row), who)
    if row.kind != Bot.Kind.REMOTE:
        raise Refusal(Reason.NOT_FOUND)
    text = issue_bot_token(who, row)[1] if request.method == "POST" else ""
    turns = request.build_absolute_uri(reverse("api:bot-turns", args=[slug]))
    context = {"bot": row, "tokens": bot_tokens(row, who), "text": text, "turns": turns}
    return render(request, "bots/connect.html", context, status=201 if text else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def retire(request: HttpRequest, slug: str) -> HttpResponse:
    """Let a bot be entered no more."""
    who, row = asker(request), queries.find_bot(slug, asker(request))
    refuse_unless(may_change_bot(who, row), who)
    step = Step(
        act=lambda: services.retire(who, row),
        done=_("“%(name)s” has retired.") % {"name": row.name},
        back=reverse("bot", args=[slug]),
        possible=row.retired_at is None,
    )
    return confirmed(request, "bots/retire.html", {"bot": row}, step)

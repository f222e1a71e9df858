"""A draft arranged by hand: places swapped, tables pinned, parted, made, drawn again."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.errors import Reason, Refusal
from tournaments.models import Entry, Match, Round
from tournaments.permissions import Actor, refuse_unless
from tournaments.queries import drafts as queries
from tournaments.queries import find
from tournaments.services import drafts, draws
from tournaments.web.answers import Step, asker, confirmed

Verb = Callable[[Actor, Round, HttpRequest], object]


@require_safe
def draft(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A draft with what it breaks, and all that can be done to it."""
    who = asker(request)
    page = queries.draft_page(slug, number, who, language())
    refuse_unless(page.head.may.manage, who)
    return render(request, "drafts/page.html", {"page": page, "head": page.head})


@require_POST
def arrange(request: HttpRequest, slug: str, number: int, verb: str) -> HttpResponse:
    """Change a draft; a refusal is told on its page."""
    who = asker(request)
    round_ = find.find_round(slug, number, who)
    act = found_verb(verb)
    try:
        act(who, round_, request)
    except Refusal as refusal:
        if refusal.reason in {Reason.SIGN_IN, Reason.FORBIDDEN, Reason.NOT_FOUND}:
            raise
        messages.error(request, refusal.message)
    return redirect("draft", slug, number)


@require_http_methods(["GET", "HEAD", "POST"])
def throw_away(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Throw a draft away; it can be taken back."""
    who = asker(request)
    page = queries.draft_page(slug, number, who, language())
    refuse_unless(page.head.may.manage, who)
    step = Step(
        act=lambda: drafts.throw_away(who, find.find_round(slug, number, who)),
        done=_("The draft of round %(number)s is gone. It can be taken back under “Undo”.")
        % {"number": number},
        back=reverse("rounds", args=[slug]),
    )
    context = {"page": page, "head": page.head}
    return confirmed(request, "drafts/throw_away.html", context, step)


@require_POST
def draw_next(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw the round after the last; its draft is shown."""
    who = asker(request)
    tournament = find.find_tournament(slug, who)
    after = request.POST.get("after", "")
    if not after.isdecimal():
        raise Refusal(Reason.UNKNOWN_CHOICE, text=after[:60])
    try:
        round_ = draws.draw_next(who, tournament, after=int(after[:6]))
    except Refusal as refusal:
        if refusal.reason in {Reason.SIGN_IN, Reason.FORBIDDEN}:
            raise
        messages.error(request, refusal.message)
        return redirect("rounds", slug)
    where = "draft" if round_.state == Round.State.DRAFT else "round"
    return redirect(where, slug, round_.number)


def language() -> str:
    """Return the language in use, for the sentences of the domain."""
    return (get_language() or "es")[:2]


def found_verb(verb: str) -> Verb:
    """Return what a button does; refuses NOT_FOUND."""
    if verb not in VERBS:
        raise Refusal(Reason.NOT_FOUND)
    return VERBS[verb]


def entry_asked_for(round_: Round, request: HttpRequest, name: str) -> Entry:
    """Return the entry that a field of the form names by its number; refuses UNKNOWN_CHOICE."""
    number = request.POST.get(name, "")
    entries = round_.stage.tournament.entries.with_players()
    entry = entries.filter(number=int(number[:6])).first() if number.isdecimal() else None
    if entry is None:
        raise Refusal(Reason.UNKNOWN_CHOICE, text=number[:60])
    return entry


def match_asked_for(round_: Round, request: HttpRequest) -> Match:
    """Return the table that a button belongs to; refuses UNKNOWN_CHOICE."""
    table = request.POST.get("table", "")
    matches = Match.objects.with_names().filter(round=round_)
    match = matches.filter(table=int(table[:6])).first() if table.isdecimal() else None
    if match is None:
        raise Refusal(Reason.UNKNOWN_CHOICE, text=table[:60])
    return match


def _swap(who: Actor, round_: Round, request: HttpRequest) -> object:
    one, other = (entry_asked_for(round_, request, name) for name in ("one", "other"))
    return drafts.swap(who, round_, one, other)


def _pair(who: Actor, round_: Round, request: HttpRequest) -> object:
    one, other = (entry_asked_for(round_, request, name) for name in ("one", "other"))
    return drafts.pair(who, round_, one, other)


VERBS: dict[str, Verb] = {
    "swap": _swap,
    "pair": _pair,
    "rest": lambda who, round_, request: drafts.rest(
        who, round_, entry_asked_for(round_, request, "one")
    ),
    "pin": lambda who, round_, request: drafts.pin(who, match_asked_for(round_, request)),
    "unpin": lambda who, round_, request: drafts.pin(
        who, match_asked_for(round_, request), pinned=False
    ),
    "part": lambda who, round_, request: drafts.part(who, match_asked_for(round_, request)),
    "again": lambda who, round_, _request: drafts.draw_again(who, round_),
    "fill": lambda who, round_, _request: drafts.draw_again(who, round_, keep_all=True),
}

"""Who plays in a tournament: lists imported, pairs chosen, bots added."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tournaments.errors import Reason, Refusal
from tournaments.permissions import Actor, refuse_unless
from tournaments.queries import entries as queries
from tournaments.queries import find, heads, people
from tournaments.services import entries as services
from tournaments.web.answers import asker
from tournaments.web.forms import BotsForm, ImportForm, PairsForm


@require_safe
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is entered; until the draw, organisers add more here."""
    return shown(request, slug)


@require_POST
def import_entries(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter the pairs of two lists; with one bad line nothing is imported."""
    who = enterer(request, slug)
    form = ImportForm(request.POST, request.FILES)
    new = form.ask(
        lambda: services.import_entries(
            who, find.find_tournament(slug, who), form.source("players"), form.source("pairs")
        )
    )
    return shown(request, slug, lists=form) if new is None else entered(request, slug, len(new))


@require_POST
def add_pairs(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter pairs that the club already knows."""
    who = enterer(request, slug)
    left = pairs_left(request, queries.entries_page(slug, who))
    form = PairsForm(left, request.POST)
    new = form.ask(
        lambda: services.enter_pairs(
            who,
            find.find_tournament(slug, who),
            find.find_pairs(slug, form.cleaned_data["pairs"], who),
        )
    )
    return shown(request, slug, pairs=form) if new is None else entered(request, slug, len(new))


@require_POST
def add_bots(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter bots, each as often as wanted."""
    who = enterer(request, slug)
    form = BotsForm(queries.entries_page(slug, who).bots, request.POST)
    new = form.ask(
        lambda: services.enter_bots(
            who, find.find_tournament(slug, who), find.find_bots(slug, form.chosen, who)
        )
    )
    return shown(request, slug, bots=form) if new is None else entered(request, slug, len(new))


def enterer(request: HttpRequest, slug: str) -> Actor:
    """Return who asks, if he may add entries now; refuses SIGN_IN, FORBIDDEN, NOT_A_DRAFT."""
    who = asker(request)
    head = heads.tournament_head(slug, who)
    refuse_unless(head.may.manage, who)
    if not head.may.enter:
        raise Refusal(Reason.NOT_A_DRAFT)
    return who


def entered(request: HttpRequest, slug: str, count: int) -> HttpResponse:
    """Say how many are new, on the page of all."""
    text = ngettext("%(count)s new entry.", "%(count)s new entries.", count)
    messages.success(request, text % {"count": count})
    return redirect("entries", slug)


def shown(
    request: HttpRequest,
    slug: str,
    *,
    lists: ImportForm | None = None,
    pairs: PairsForm | None = None,
    bots: BotsForm | None = None,
) -> HttpResponse:
    """Show the page with the forms as they were filled in, the others empty."""
    page = queries.entries_page(slug, asker(request))
    context: dict[str, Any] = {"page": page, "head": page.head}
    if page.head.may.enter:
        context |= {
            "lists": lists or ImportForm(),
            "pairs": pairs or PairsForm(pairs_left(request, page)),
            "bots": bots or BotsForm(page.bots),
        }
    status = (
        max(form.status for form in (lists, pairs, bots) if form)
        if any((lists, pairs, bots))
        else 200
    )
    return render(request, "tournaments/entries.html", context, status=status)


def pairs_left(request: HttpRequest, page: queries.EntriesPage) -> list[tuple[str, str]]:
    """Return code and name of the club's pairs that are not entered yet."""
    names = {entry.name for entry in page.entries if not entry.is_bot}
    club = people.club_page(page.head.club_slug, asker(request))
    return [(pair.code, pair.name) for pair in club.pairs if pair.name not in names]

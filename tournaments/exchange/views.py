"""Pages that download the files of a tournament, and import a tournament."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.arena.queries.turns import round_file
from tournaments.core import find
from tournaments.core.errors import Reason, Refusal
from tournaments.core.forms import Form
from tournaments.core.permissions import refuse_unless
from tournaments.core.views import JSON, NDJSON, TEXT, actor_from, download_response
from tournaments.director.queries import cards
from tournaments.exchange.queries import exports
from tournaments.exchange.services.imports import import_tournament


@require_safe
def files(request: HttpRequest, slug: str) -> HttpResponse:
    """List the files of a tournament with their purposes."""
    page = exports.files_page(slug, actor_from(request), get_language())
    return render(request, "exchange/files/page.html", {"page": page, "head": page.head})


@require_safe
def tournament_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the tournament file."""
    return download_response(
        exports.tournament_file(slug, actor_from(request)), f"{slug}.json", JSON
    )


@require_safe
def proof(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the proof bundle, up to a round if the query names one."""
    after = read_number(request, "round")
    name = f"{slug}.proof.json" if after is None else f"{slug}.{after}.proof.json"
    return download_response(exports.proof(slug, actor_from(request), after), name, JSON)


@require_safe
def round_deals(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Download the records of a closed round of bots with its seed, for `baza verify-round`."""
    body = round_file(slug, number, actor_from(request))
    return download_response(body, f"{slug}.{number}.ndjson", NDJSON)


@require_safe
def report(request: HttpRequest, slug: str) -> HttpResponse:
    """Download a stage's FIDE report."""
    stage = read_number(request, "stage")
    name = f"{slug}.trf" if stage is None else f"{slug}.{stage}.trf"
    return download_response(exports.report(slug, actor_from(request), stage), name, TEXT)


@require_safe
def export(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the whole export, for organisers."""
    return download_response(
        exports.export_of(slug, actor_from(request)), f"{slug}.export.json", JSON
    )


class ExportForm(Form):
    """The export of a tournament, as a file."""

    file = forms.FileField(
        label=gettext_lazy("The tournament's export"),
        help_text=gettext_lazy(
            "A JSON file, made under “Files” of the tournament where it was played."
        ),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def import_export(request: HttpRequest, slug: str) -> HttpResponse:
    """Import a tournament into the club from its export."""
    actor = actor_from(request)
    page = cards.club_page(slug, actor)
    refuse_unless(page.may.manage, actor)
    form = ExportForm(request.POST or None, request.FILES or None)
    tournament = form.submit(
        lambda: import_tournament(actor, find.find_club(slug), form.cleaned_data["file"].read())
    )
    if tournament:
        messages.success(request, _("“%(name)s” is here as it was.") % {"name": tournament.name})
        return redirect("tournament", tournament.slug)
    return render(
        request, "exchange/files/bring.html", {"page": page, "form": form}, status=form.status
    )


def read_number(request: HttpRequest, name: str) -> int | None:
    """Return the number in the query, if any; refuses UNKNOWN_CHOICE."""
    text = request.GET.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal()):
        raise Refusal(Reason.UNKNOWN_CHOICE, text=text[:60])
    return int(text[:6])

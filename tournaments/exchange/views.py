"""Pages of the files of a tournament, its import, and the history of clubs and tournaments."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.core import find
from tournaments.core.errors import Reason, Refusal
from tournaments.core.forms import Form
from tournaments.core.permissions import refuse_unless
from tournaments.core.views import (
    JSON,
    NDJSON,
    TEXT,
    actor_from,
    download_response,
    say_encoding,
)
from tournaments.director.queries import cards
from tournaments.director.queries.tournaments import tournament_head
from tournaments.exchange.queries import exports, tables, trails
from tournaments.exchange.services.imports import import_tournament
from tournaments.results.queries import matches
from tournaments.results.queries.records import records_file
from tournaments.results.views.matches import context_of
from tournaments.sheets.spreadsheets import MEDIA_TYPES


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
def report(request: HttpRequest, slug: str) -> HttpResponse:
    """Download a stage's FIDE report."""
    stage = read_number(request, "stage")
    name = f"{slug}.trf" if stage is None else f"{slug}.{stage}.trf"
    return download_response(exports.report(slug, actor_from(request), stage), name, TEXT)


@require_safe
def table(request: HttpRequest, slug: str, table: str, kind: str) -> HttpResponse:
    """Download the standings, the results or the entries as CSV or XLSX."""
    content = tables.table_file(
        slug, table, kind, actor_from(request), get_language(), read_number(request, "stage")
    )
    return download_response(content, f"{slug}.{table}.{kind}", MEDIA_TYPES[kind])


@require_safe
def records(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the records that count, one a line."""
    found = records_file(slug, actor_from(request))
    with found.file as file:
        return download_response(file.read(), f"{slug}.ndjson", NDJSON)


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
    source = form.cleaned_data["file"].read() if form.is_valid() else b""
    tournament = form.submit(lambda: import_tournament(actor, find.find_club(slug), source))
    if tournament:
        say_encoding(request, source)
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


@require_safe
def checkpoints(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the signatures of a club's history, the latest first."""
    context = {
        "page": find.find_club(slug),
        "checkpoints": trails.latest_checkpoints(slug),
        "key": trails.installation_key(),
    }
    return render(request, "exchange/checkpoints.html", context)


@require_safe
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the audit log: every change with person, time and reason."""
    actor = actor_from(request)
    head = tournament_head(slug, actor)
    refuse_unless(head.may.history, actor)
    context = {"head": head, "history": trails.tournament_history(slug, actor)}
    return render(request, "exchange/history.html", context)


@require_safe
def match_history(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the events of a match."""
    actor = actor_from(request)
    page = matches.match_page(pk, actor)
    refuse_unless(page.head.may.history, actor)
    context = context_of(page, history=trails.match_history(pk, actor))
    return render(request, "exchange/match_history.html", context)

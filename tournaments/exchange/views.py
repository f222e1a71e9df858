"""Pages of the files of a tournament, its import, and the history of clubs and tournaments."""

from collections.abc import Collection
from functools import partial
from typing import cast

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

import engine
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
from tournaments.director.forms.who import WhoForm, who_answers
from tournaments.director.queries import cards
from tournaments.director.queries.tournaments import tournament_head
from tournaments.domain.file.reading import MAX_BYTES as MAX_FILE_BYTES
from tournaments.domain.names import ruleset_name
from tournaments.domain.roster import Reading
from tournaments.exchange.queries import exports, tables, trails
from tournaments.exchange.services.imports import MAX_BYTES as MAX_EXPORT_BYTES
from tournaments.exchange.services.imports import import_tournament
from tournaments.exchange.services.outlines import create_draft, fitting_rulesets, read_outline
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


MAX_OUTLINE = 4_000_000  # characters: 5,000 entries with their labels


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
    source = form.cleaned_data["file"].read(MAX_EXPORT_BYTES + 1) if form.is_valid() else b""
    tournament = form.submit(lambda: import_tournament(actor, find.find_club(slug), source))
    if tournament:
        say_encoding(request, source)
        messages.success(request, _("“%(name)s” is here as it was.") % {"name": tournament.name})
        return redirect("tournament", tournament.slug)
    return render(
        request, "exchange/files/bring.html", {"page": page, "form": form}, status=form.status
    )


class OutlineFile(Form):
    """A tournament file or a FIDE report."""

    file = forms.FileField(
        label=gettext_lazy("Tournament file or FIDE report"),
        help_text=gettext_lazy("JSON of the format baza-tournament/1, or TRF."),
    )


class OutlineForm(WhoForm):
    """The outline that was read of a file, and the rules that it is to be played under."""

    ruleset = forms.ChoiceField(
        label=gettext_lazy("Rules"),
        choices=lambda: [(name, ruleset_name(name)) for name in engine.RULESETS],
    )
    outline = forms.CharField(max_length=MAX_OUTLINE, strip=False, widget=forms.HiddenInput)

    def offer(self, rulesets: Collection[str]) -> None:
        """Offer those rulesets alone, if any fits."""
        if rulesets:
            choice = cast(forms.ChoiceField, self.fields["ruleset"])
            choice.choices = [(name, ruleset_name(name)) for name in rulesets]


@require_http_methods(["GET", "HEAD", "POST"])
def import_outline(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what a tournament file or a FIDE report holds, then make a draft of it."""
    actor = actor_from(request)
    page = cards.club_page(slug, actor)
    refuse_unless(page.may.manage, actor)
    fitting: tuple[str, ...] | None = None
    if "outline" in request.POST:
        form: Form = OutlineForm(request.POST)
        reading = Reading(who=who_answers(request.POST))
        outline = form.submit(lambda: read_outline(form.cleaned_data["outline"]))
        if outline:
            club, ruleset = find.find_club(slug), form.cleaned_data["ruleset"]
            make = partial(create_draft, actor, club, outline, ruleset, reading)
            tournament = form.submit(make)
            if tournament:
                return redirect("tournament", tournament.slug)
        status = form.status
    else:
        form = OutlineFile(request.POST or None, request.FILES or None)
        source = form.cleaned_data["file"].read(MAX_FILE_BYTES + 1) if form.is_valid() else b""
        outline = form.submit(lambda: read_outline(source))
        status = form.status
        if outline:
            say_encoding(request, source)
            fitting = fitting_rulesets(outline.rows)
            form = OutlineForm(initial={"outline": outline.file, "ruleset": outline.rows.ruleset})
            form.offer(fitting)
    context = {"page": page, "form": form, "outline": outline, "fits_none": fitting == ()}
    return render(request, "exchange/files/outline.html", context, status=status)


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

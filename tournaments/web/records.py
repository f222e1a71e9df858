"""Records: handed in, judged, shown with what is wrong with them."""

from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.models import Record
from tournaments.permissions import Actor, refuse_unless
from tournaments.queries import find, heads, matches
from tournaments.queries.records import record_page
from tournaments.queries.state import refuse_unless_open
from tournaments.services.records import (
    Outcome,
    SubmissionOutcome,
    submit_record,
    submit_to_tournament,
)
from tournaments.web.answers import asker, speaker_at
from tournaments.web.forms import RecordForm

TAKEN: Final = {
    Outcome.ACCEPTED: gettext_lazy("Accepted: the result counts."),
    Outcome.REPORTED: gettext_lazy("Accepted: it counts once the other side has confirmed it."),
    Outcome.CONFIRMED: gettext_lazy("Both sides say the same: the result counts."),
    Outcome.DUPLICATE: gettext_lazy("This record was here already."),
}
"""What a visitor is told of a record that was taken."""


@require_safe
def record(request: HttpRequest, pk: int) -> HttpResponse:
    """The verdict: each fault, and the moment it happened."""
    page = record_page(pk, asker(request))
    context = {"page": page, "head": page.head, "match": page.match}
    return render(request, "records/page.html", context)


@require_safe
def download(request: HttpRequest, pk: int) -> HttpResponse:
    """The record as it was handed in, as a file."""
    page = record_page(pk, asker(request))
    answer = HttpResponse(page.text, content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="record-{pk}.json"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
def submit(request: HttpRequest, pk: int) -> HttpResponse:
    """Hand in the record of one match and read the verdict."""
    who = speaker_at(request, pk)
    page = matches.match_page(pk, who)
    refuse_unless_open(page.may, "submit", who)
    form = RecordForm(request.POST or None, request.FILES or None)
    answer = form.ask(
        lambda: submit_record(who, find.find_match(pk, who), form.body, source=Record.Source.WEB)
    )
    context = {"page": page, "head": page.head, "match": page.match, "tab": "record"}
    return judged(request, who, form, answer, "matches/submit.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def submit_any(request: HttpRequest, slug: str) -> HttpResponse:
    """Hand in the record of some match of the tournament: the names in it tell which."""
    who = asker(request)
    head = heads.tournament_head(slug, who)
    refuse_unless(head.may.arbitrate, who)
    form = RecordForm(request.POST or None, request.FILES or None)
    answer = form.ask(
        lambda: submit_to_tournament(
            who, find.find_tournament(slug, who), form.body, source=Record.Source.WEB
        )
    )
    return judged(request, who, form, answer, "tournaments/submit.html", {"head": head})


def judged(
    request: HttpRequest,
    who: Actor,
    form: RecordForm,
    answer: SubmissionOutcome | None,
    template: str,
    context: dict[str, Any],
) -> HttpResponse:
    """Go to the match when its record was accepted; else show the form again, with the verdict."""
    if answer and answer.match and answer.outcome in TAKEN:
        messages.success(request, TAKEN[answer.outcome])
        return redirect("match", answer.match.pk)
    verdict = record_page(answer.record.pk, who) if answer and answer.record else None
    shown = {**context, "form": form.again(), "answer": answer, "verdict": verdict}
    return render(request, template, shown, status=answer.status if answer else form.status)

"""Pages that submit records: form, verdict, recorder."""

import hashlib
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import engine
from tournaments.core import find
from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor, may_submit, refuse_unless
from tournaments.core.views import IDEMPOTENCY_KEY, actor_at_match, actor_from, refusals_as_json
from tournaments.director.queries import tournaments
from tournaments.director.queries.rows import MatchRow
from tournaments.director.queries.state import refuse_unless_open
from tournaments.environment import ROOT
from tournaments.models import Record
from tournaments.results.forms import RecordForm
from tournaments.results.queries import matches
from tournaments.results.queries.matches import RecorderPage, match_rows, recorder_page
from tournaments.results.queries.records import record_page
from tournaments.results.services.intake import RecordFile, submit_file
from tournaments.results.services.submission import OutcomeKind, SubmissionOutcome
from tournaments.results.services.submit import submit_record

# --- Records --------------------------------------------------------------------------------------


OUTCOME_TEXTS: Final = {
    OutcomeKind.ACCEPTED: gettext_lazy("Accepted: the result counts."),
    OutcomeKind.REPORTED: gettext_lazy("Accepted: it counts once the other side has confirmed it."),
    OutcomeKind.CONFIRMED: gettext_lazy("Both sides say the same: the result counts."),
    OutcomeKind.DUPLICATE: gettext_lazy("This record was here already."),
}
"""Messages for submissions that were neither refused nor contested."""


@require_safe
def record(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the verdict on a record: each fault, and the moment it happened."""
    page = record_page(pk, actor_from(request))
    context = {"page": page, "head": page.head, "match": page.match}
    return render(request, "results/records/page.html", context)


@require_safe
def download(request: HttpRequest, pk: int) -> HttpResponse:
    """Download the record as it was submitted."""
    page = record_page(pk, actor_from(request))
    answer = HttpResponse(page.text, content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="record-{pk}.json"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
def submit(request: HttpRequest, pk: int) -> HttpResponse:
    """Submit the record of one match and show the verdict."""
    actor = actor_at_match(request, pk)
    page = matches.match_page(pk, actor)
    refuse_unless_open(page.may, "submit", actor)
    form = RecordForm(request.POST or None, request.FILES or None, limit=1)
    answer = form.submit(
        lambda: submit_record(
            actor, find.find_match(pk, actor), form.records.parse()[0], source=Record.Source.WEB
        )
    )
    context = {"page": page, "head": page.head, "match": page.match, "tab": "record"}
    return render_judged(request, actor, form, answer, "results/matches/submit.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def submit_to_tournament_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Submit records of matches of the tournament, found by the names in them.

    Of several, such as those of an evening, each counts or is refused for itself.
    """
    actor = actor_from(request)
    head = tournaments.tournament_head(slug, actor)
    refuse_unless(head.may.arbitrate, actor)
    form = RecordForm(request.POST or None, request.FILES or None)
    outcomes = form.submit(
        lambda: submit_file(actor, find.find_tournament(slug, actor), form.records)
    )
    template = "director/tournaments/submit.html"
    if outcomes is None or len(outcomes) == 1:
        answer = outcomes[0] if outcomes else None
        return render_judged(request, actor, form, answer, template, {"head": head})
    answers = file_answers(form.records, outcomes)
    refused = sum(answer.is_refused for answer in answers)
    accepted = len(answers) - refused
    context = {"head": head, "form": RecordForm(), "file": form.records, "answers": answers}
    context |= {"accepted": accepted, "refused": refused}
    status = 200 if accepted else 422
    return render(request, template, context, status=status)


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """The answer to a record of a file; ``number`` is its line or place in the file.

    ``record`` is the key of the record with its verdict, if it was kept.
    """

    number: int
    is_refused: bool
    text: str
    code: str
    match: MatchRow | None
    record: int | None


def file_answers(file: RecordFile, outcomes: Sequence[SubmissionOutcome]) -> list[FileAnswer]:
    """Return what became of the records of a file, in their order."""
    matches_by_pk = match_rows({outcome.match.pk for outcome in outcomes if outcome.match})
    return [
        FileAnswer(
            number,
            outcome.outcome not in OUTCOME_TEXTS,
            str(OUTCOME_TEXTS.get(outcome.outcome) or outcome.message),
            outcome.code,
            matches_by_pk[outcome.match.pk] if outcome.match else None,
            outcome.record.pk if outcome.record else None,
        )
        for (number, _content), outcome in zip(file.records, outcomes, strict=True)
    ]


def render_judged(
    request: HttpRequest,
    actor: Actor,
    form: RecordForm,
    answer: SubmissionOutcome | None,
    template: str,
    context: dict[str, Any],
) -> HttpResponse:
    """Redirect to the match when its record was accepted; else show the form with the verdict."""
    if answer and answer.match and answer.outcome in OUTCOME_TEXTS:
        messages.success(request, OUTCOME_TEXTS[answer.outcome])
        return redirect("match", answer.match.pk)
    verdict = record_page(answer.record.pk, actor) if answer and answer.record else None
    page_context = {**context, "form": form.as_text(), "answer": answer, "verdict": verdict}
    return render(request, template, page_context, status=answer.status if answer else form.status)


# --- Recorder -------------------------------------------------------------------------------------
# The recorder takes a hand card by card on a phone. Its script knows the rules, and submits the
# record once.

logger = logging.getLogger(__name__)

FRAME_FILES: Final = (
    *(
        f"css/{name}.css"
        for name in (
            *("tokens", "dark", "base", "components", "cards"),
            *("pages", "results", "watch", "print"),
        )
    ),
    *(f"fonts/{name}.woff2" for name in ("fira-sans-400", "fira-sans-600", "spectral-600")),
    "js/answers.js",
    "js/scheme.js",
    "js/sending.js",
    "django_htmx/htmx-2.min.js",
    "favicon.svg",
    "icons/app-192.png",
    "icons.svg",
)
"""The static files of every page, and of those that send what they kept on the device."""
STATIC: Final = ROOT / "tournaments" / "static"
RECORDER_FILES: Final = (
    *FRAME_FILES,
    "css/recorder.css",
    "js/faults.js",
    "js/recorder.js",
    *(
        str(path.relative_to(STATIC))
        for folder in ("js/recorder", "js/tute")
        for path in sorted((STATIC / folder).glob("*.js"))
    ),
    "cards/deck.svg",
)
"""The static files of the page, which the service worker caches for use without a network."""


@require_safe
def recorder(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the recorder, which keeps its draft on the device; without scripts, the other ways.

    Where the match takes no record (its round is closed, say), the page says why and shows how the
    match stands, with the draft if the device has one.
    """
    actor = actor_at_match(request, pk)
    try:
        page = recorder_page(pk, actor)
    except Refusal as refusal:
        if refusal.status != HTTPStatus.CONFLICT or refusal.reason is Reason.NOTHING_TO_PLAY:
            raise
        return closed_recorder(request, pk, actor, refusal)
    context = {
        "page": page.match,
        "head": page.match.head,
        "match": page.match.match,
        "start": recorder_data(page),
        "tab": "recorder",
    }
    return render(request, "results/recorder/page.html", context)


def closed_recorder(request: HttpRequest, pk: int, actor: Actor, refusal: Refusal) -> HttpResponse:
    """Show the page of a recorder whose match takes no record."""
    page = matches.match_page(pk, actor)
    position = {"round": page.match.round, "table": page.match.table}
    start = {
        "place": f"baza-record-{pk}",
        "orders": matches.seating_orders(find.find_match(pk, actor)),
        "title": f"{page.head.name}, {_('Round %(round)s, table %(table)s') % position}",
        "words": {
            "hand": _("Hand {number}: {dealer} deals, trump {trump}"),
            "stock": _("Stock: {cards}"),
            "coto": _("Coto {number}"),
        },
    }
    context = {"page": page, "head": page.head, "match": page.match, "start": start}
    page_context = {**context, "refusal": refusal}
    return render(request, "results/recorder/closed.html", page_context, status=refusal.status)


@require_safe
def worker(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the service worker that keeps the recorder of a match for use offline."""
    return offline_worker(
        request, reverse("recorder", args=[pk]), RECORDER_FILES, f"baza-recorder-{pk}-"
    )


def offline_worker(
    request: HttpRequest, page: str, names: Sequence[str], family: str
) -> HttpResponse:
    """Return the service worker that caches a page and its static files for use offline.

    Its scope is the page's address. The cache has a name of its own for each state of the files,
    which begins with ``family``.
    """
    files = [static(name) for name in names]
    text = render_to_string("results/recorder/worker.js", {"kept": "{}"})
    version = hashlib.sha256(repr((text, files)).encode()).hexdigest()[:12]
    cache_settings = {"page": page, "files": files, "name": family + version, "family": family}
    json_text = mark_safe(json.dumps(cache_settings))  # noqa: S308 - addresses of our own  # nosec B308 B703
    answer = render(
        request,
        "results/recorder/worker.js",
        {"kept": json_text},
        content_type="text/javascript; charset=utf-8",
    )
    answer["Cache-Control"] = "no-cache"
    return answer


@require_POST
@refusals_as_json
def send(request: HttpRequest, pk: int) -> HttpResponse:
    """Submit a record written down card by card, once for the idempotency key of its draft."""
    actor = actor_at_match(request, pk)
    match = find.find_match(pk, actor)
    refuse_unless(may_submit(actor, match), actor)
    record, verdict = read_record_and_verdict(json_body(request))
    key = request.headers.get(IDEMPOTENCY_KEY, "")
    text = json.dumps(record, ensure_ascii=False)
    submitted = submit_record(actor, match, text, source=Record.Source.WEB, idempotency_key=key)
    log_difference(pk, verdict, submitted.verdict)
    return JsonResponse(recorder_answer(submitted, pk), status=submitted.status)


def read_record_and_verdict(body: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read a record with the verdict of the page; refuses BAD_DRAFT."""
    try:
        document = engine.read_json(body)
    except engine.RecordError as error:
        raise Refusal(Reason.BAD_DRAFT, text=error.reason) from error
    parts = document if isinstance(document, dict) else {}
    for name in ("record", "verdict"):
        if not isinstance(parts.get(name), dict):
            raise Refusal(Reason.BAD_DRAFT, text=name)
    return parts["record"], parts["verdict"]


def log_difference(match: int, browser: dict[str, Any], service: engine.Verdict) -> None:
    """Log a defect where a record was judged otherwise by the page than by the engine."""
    code = service.faults[0].code if service.faults else ""
    score = None if service.score is None else dict(service.score)
    judged = {"code": code, "digest": service.digest, "score": score}
    if judged != {name: browser.get(name) for name in judged}:
        browser_values = {name: browser.get(name) for name in judged}
        logger.error(
            "recorder.difference match=%s browser=%.300s service=%s", match, browser_values, judged
        )


def json_body(request: HttpRequest) -> bytes:
    """Return the JSON body; empty for a form, whose body the CSRF check has read."""
    return request.body if request.content_type == "application/json" else b""


def recorder_answer(submitted: SubmissionOutcome, pk: int) -> dict[str, Any]:
    """Return the answer for the recorder; ``taken``: nothing is left to do."""
    outcome = submitted.outcome
    return {
        "outcome": outcome,
        "taken": outcome is not OutcomeKind.REFUSED,
        "message": str(OUTCOME_TEXTS.get(outcome, submitted.message)),
        "code": submitted.code,
        "url": reverse("match", args=[pk]),
    }


def recorder_data(page: RecorderPage) -> dict[str, Any]:
    """Return the data for the script."""
    pk = page.match.match.pk
    return {
        "match": pk,
        "urls": {
            "send": reverse("recorder-send", args=[pk]),
            "worker": reverse("recorder-worker", args=[pk]),
            "points": reverse("report-hands", args=[pk]),
            "deck": static("cards/deck.svg"),
        },
        "ruleset": page.ruleset,
        "options": page.options,
        "tags": page.tags,
        "orders": page.orders,
        "coto": page.coto,
        "most_cotos": page.most_cotos,
    }

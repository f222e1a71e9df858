"""The recorder: a hand card by card on a phone, which asks as it goes and sends the record once."""

import hashlib
import json
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_POST, require_safe

import engine
from tournaments.domain.hand_entry import beaten_by
from tournaments.errors import Reason, Refusal
from tournaments.models import Record
from tournaments.permissions import may_submit, refuse_unless
from tournaments.queries import find
from tournaments.queries.recorder import RecorderPage, answer, read_draft, record_of, recorder_page
from tournaments.services.records import Outcome, SubmissionOutcome, submit_record
from tournaments.web.answers import IDEMPOTENCY_KEY, in_json, speaker_at
from tournaments.web.records import TAKEN

STYLES: Final = (
    "tokens",
    "base",
    "components",
    "cards",
    "pages",
    "results",
    "print",
    "recorder",
)
MODULES: Final = (
    "acts",
    "asking",
    "copy",
    "deal",
    "elements",
    "keys",
    "names",
    "picker",
    "pieces",
    "scenes",
    "start",
    "state",
    "view",
)
FILES: Final = (
    *(f"css/{name}.css" for name in STYLES),
    "js/answers.js",
    "js/recorder.js",
    "js/sending.js",
    *(f"js/recorder/{name}.js" for name in MODULES),
    "django_htmx/htmx-2.min.js",
    "cards/deck.svg",
    "favicon.svg",
    "icons.svg",
)
"""The files that the page is made of, which are kept for when there is no network."""


@require_safe
def recorder(request: HttpRequest, pk: int) -> HttpResponse:
    """The page that keeps the draft on its device; without scripts it shows the other ways."""
    page = recorder_page(pk, speaker_at(request, pk))
    context = {
        "page": page.match,
        "head": page.match.head,
        "match": page.match.match,
        "start": start_of(page),
        "tab": "recorder",
    }
    return render(request, "recorder/page.html", context)


@require_safe
def worker(request: HttpRequest, pk: int) -> HttpResponse:
    """The service worker that keeps the page and its files; its scope is the page's address.

    What it keeps has a name of its own for each match and for each state of the files.
    """
    page, files = reverse("recorder", args=[pk]), [static(name) for name in FILES]
    family = f"baza-recorder-{pk}-"
    text = render_to_string("recorder/worker.js", {"kept": "{}"})
    version = hashlib.sha256(repr((text, files)).encode()).hexdigest()[:12]
    kept = {"page": page, "files": files, "name": family + version, "family": family}
    told = mark_safe(json.dumps(kept))  # noqa: S308 - addresses of our own  # nosec B308 B703
    answer = render(
        request, "recorder/worker.js", {"kept": told}, content_type="text/javascript; charset=utf-8"
    )
    answer["Cache-Control"] = "no-cache"
    return answer


@require_POST
@in_json
def what_next(request: HttpRequest, pk: int) -> HttpResponse:
    """How a draft stands, and what may come next in it."""
    who = speaker_at(request, pk)
    match = find.find_match(pk, who)
    refuse_unless(may_submit(who, match), who)
    return JsonResponse(answer(match, read_draft(body_of(request))))


@require_POST
@in_json
def send(request: HttpRequest, pk: int) -> HttpResponse:
    """Submit the record that a draft comes to, once for the key that it was begun with."""
    who = speaker_at(request, pk)
    match = find.find_match(pk, who)
    refuse_unless(may_submit(who, match), who)
    record = record_of(match, read_draft(body_of(request)))
    if record is None:
        raise Refusal(Reason.INCOMPLETE)
    key = request.headers.get(IDEMPOTENCY_KEY, "")
    submitted = submit_record(who, match, record, source=Record.Source.WEB, idempotency_key=key)
    return JsonResponse(told(submitted, pk), status=submitted.status)


def body_of(request: HttpRequest) -> bytes:
    """Return the JSON that a script sent; nothing of a form, which the CSRF check has read."""
    return request.body if request.content_type == "application/json" else b""


def told(submitted: SubmissionOutcome, pk: int) -> dict[str, Any]:
    """Return what a device is told of its record; ``taken`` that nothing is left to do."""
    outcome = submitted.outcome
    return {
        "outcome": outcome,
        "taken": outcome is not Outcome.REFUSED,
        "message": str(TAKEN.get(outcome, submitted.message)),
        "code": submitted.code,
        "url": reverse("match", args=[pk]),
    }


def start_of(page: RecorderPage) -> dict[str, Any]:
    """Return what the script starts from; with ``beats`` it knows offline who took a trick."""
    rules, pk = page.rules, page.match.match.pk
    return {
        "match": pk,
        "urls": {
            "next": reverse("recorder-next", args=[pk]),
            "send": reverse("recorder-send", args=[pk]),
            "worker": reverse("recorder-worker", args=[pk]),
            "match": reverse("match", args=[pk]),
            "points": reverse("report-hands", args=[pk]),
            "deck": static("cards/deck.svg"),
        },
        "rules": {
            "seats": rules.seats,
            "sides": rules.sides,
            "shown": rules.trump_shown,
            "each": rules.cards_each,
            "stock": rules.stock_size,
            "tricks": rules.trick_count,
            "sitsOut": rules.dealer_sits_out,
        },
        "orders": page.orders,
        "beats": {suit: beaten_by(suit) for suit in engine.SUITS},
    }

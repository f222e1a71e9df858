"""The results desk: tables by how far they are, results in one line, all that wait confirmed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from tournaments.errors import Refusal
from tournaments.permissions import Actor
from tournaments.queries import desk as queries
from tournaments.queries import find
from tournaments.services.repeats import Answer, once
from tournaments.services.reports import Outcome, Reported, confirm_result, report_result
from tournaments.web.answers import IDEMPOTENCY_KEY, asker, in_json
from tournaments.web.forms_results import QuickForm, said
from tournaments.web.live import UNCHANGED

TOLD: Final = {
    Outcome.ACCEPTED: gettext_lazy("Table %(table)s: %(score)s counts."),
    Outcome.CONFIRMED: gettext_lazy("Table %(table)s: %(score)s, as was reported; it counts."),
    Outcome.DUPLICATE: gettext_lazy("Table %(table)s: %(score)s was there already."),
    Outcome.REPORTED: gettext_lazy("Table %(table)s: %(score)s waits for the other side."),
    Outcome.CONTESTED: gettext_lazy(
        "Table %(table)s: %(score)s is not what was reported; a dispute is open."
    ),
}


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one line of the desk; ``kind`` is that of its notice.

    Of a ``bad`` one nothing was noted: it stays to be put right.
    """

    kind: str
    text: str
    match_pk: int | None = None


@require_safe
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """The tables of the running round by state, a line to enter results, the disputes."""
    page = page_of(request, slug, request.GET)
    form = QuickForm(initial={"table": request.GET.get("table")})
    return render(request, "desk/page.html", context_of(page, form))


@require_safe
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """The moving part of the desk; nothing when it is as the browser has ``seen`` it.

    Without a round being played there is no such part: the browser is told to fetch the page.
    """
    page = page_of(request, slug, request.GET)
    if page.round is None:
        return HttpResponseClientRefresh()
    if request.GET.get("seen") == page.seen:
        return HttpResponse(status=UNCHANGED)
    return render(request, "desk/_board.html", context_of(page, None))


@require_POST
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    """Note the result of one table; the line is then empty for the next one, or else kept.

    With an idempotency key the answer is for the desk's script, see `enter_once`.
    """
    if IDEMPOTENCY_KEY in request.headers:
        return enter_once(request, slug)
    who, form = asker(request), QuickForm(request.POST)
    line = form.ask(lambda: entered(who, slug, request, form))
    is_noted = line is not None and line.kind != "bad"
    done = form.cleaned_data["table"] if is_noted else 0
    page = page_of(request, slug, request.POST)
    context = context_of(page, QuickForm() if is_noted else form, done)
    status = 200 if line else form.status
    return render(request, "desk/page.html", {**context, "line": line}, status=status)


@in_json
def enter_once(request: HttpRequest, slug: str) -> HttpResponse:
    """Note the result of one table, once for its key, and answer in JSON what became of it.

    A refused line is kept under its key, too: a copy of the request that was delayed in the network
    must not be accepted later, after the result was entered another way.
    """
    who, form = asker(request), QuickForm(request.POST)

    def act() -> Answer:
        line = form.ask(lambda: entered(who, slug, request, form))
        if line is None:
            errors = (str(error) for several in form.errors.values() for error in several)
            line = Line("bad", " ".join(errors))
        url = "" if line.match_pk is None else reverse("match", args=[line.match_pk])
        return Answer(
            422 if line.kind == "bad" else 200, {"kind": line.kind, "text": line.text, "url": url}
        )

    key, body = request.headers[IDEMPOTENCY_KEY], request.POST.urlencode().encode()
    answer = once(who, key, f"desk {slug}", body, act)
    return JsonResponse(dict(answer.told), status=answer.status)


def entered(who: Actor, slug: str, request: HttpRequest, form: QuickForm) -> Line | None:
    """Report the result of a line for the club; one that counts already is not contradicted."""
    number, match = form.cleaned_data["table"], form.cleaned_data["match"]
    row = queries.desk_table(slug, who, number_in(request.POST.get("round")) or 0, number)
    if match and (row is None or row.match.pk != match):  # closed or drawn again meanwhile
        text = _("The match that was at table %(table)s is not being played any more.")
        return Line("bad", text % {"table": number})
    if row is None:
        text = _("There is no match at table %(table)s.")
        form.add_error("table", text % {"table": number})
        return None
    score = form.score
    if row.group == "done" and row.match.score and not said(row.match.score).agrees_with(score):
        text = _("Table %(table)s has its result: %(score)s. Correct it, with a reason.")
        shown = {"table": number, "score": row.match.score.text}
        return Line("bad", text % shown, row.match.pk)
    answer = report_result(who, find.find_match(row.match.pk, who), score=score)
    return line_of(answer, number, score.hands)


def line_of(answer: Reported, table: int, hands: tuple[int, ...]) -> Line:
    """Say what became of a report."""
    shown = {"table": table, "score": "–".join(map(str, hands))}
    kind = "warn" if answer.outcome is Outcome.CONTESTED else "good"
    return Line(kind, str(TOLD[answer.outcome]) % shown, answer.match.pk)


@require_http_methods(["GET", "HEAD", "POST"])
def confirm_all(request: HttpRequest, slug: str) -> HttpResponse:
    """Confirm the results that wait: those that were on the page that was confirmed."""
    who = asker(request)
    given = request.POST if request.method == "POST" else request.GET
    number = number_in(given.get("round"))
    page = queries.desk_page(slug, who, number=number, group="reported")
    if request.method != "POST":
        return render(request, "desk/confirm.html", context_of(page, None))
    seen = set(request.POST.getlist("seen"))
    wanted = [row for row in page.rows if f"{row.match.pk}:{row.version}" in seen]
    refused = [text for row in wanted if (text := confirmed(who, row))]
    count = len(wanted) - len(refused)
    text = ngettext("%(count)s result confirmed.", "%(count)s results confirmed.", count)
    messages.success(request, text % {"count": count})
    for objection in refused:
        messages.warning(request, objection)
    return redirect(f"{reverse('desk', args=[slug])}?round={page.round}")


def confirmed(who: Actor, row: queries.DeskRow) -> str:
    """Confirm the result of a table; return what stands against it, if something does."""
    try:
        confirm_result(who, find.find_match(row.match.pk, who), version=row.version)
    except Refusal as refusal:
        return _("Table %(table)s: %(why)s") % {"table": row.match.table, "why": refusal.message}
    return ""


def page_of(request: HttpRequest, slug: str, given: QueryDict) -> queries.DeskPage:
    """Return the desk of the round and the group that are asked for."""
    return queries.desk_page(
        slug,
        asker(request),
        number=number_in(given.get("round")),
        group=given.get("state", ""),
    )


def context_of(page: queries.DeskPage, form: QuickForm | None, done: int = 0) -> dict[str, Any]:
    """Return what every page of the desk starts from; ``done`` is the table just noted."""
    return {
        "page": page,
        "head": page.head,
        "form": form,
        "next": page.after(done),
        "tables": [asdict(one) for one in page.tables],
    }


def number_in(text: str | None) -> int | None:
    """Return the number of a round that an address names, if it is one."""
    word = text or ""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 6 else None

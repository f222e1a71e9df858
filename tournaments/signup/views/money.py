"""Pages of the money: who owes, the cash book, one payer, and *Paid* at the check-in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import find_tournament, or_404
from tournaments.core.forms import read_number
from tournaments.core.permissions import Actor, refuse_unless
from tournaments.core.views import actor_from, run_action
from tournaments.director.queries.state import refusal_of
from tournaments.director.queries.tickets import waiting_tickets
from tournaments.director.queries.tournaments import open_tournament
from tournaments.director.views.check_in import MAX_SEARCH_LENGTH, page_for_staff
from tournaments.domain.state import MoneyFacts
from tournaments.models import CashEntry, Tournament
from tournaments.signup.forms import AmountForm, WaiverForm
from tournaments.signup.queries.money import find_payer, money_page, owed_by_entry
from tournaments.signup.services import money as services
from tournaments.signup.services.money import Payer


@require_safe
def money(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who owes what, what is to be returned, what was taken by day, and the cash book."""
    page = money_page(slug, actor_from(request))
    return render(request, "signup/money/page.html", {"page": page, "head": page.head})


@require_safe
def payer_page(request: HttpRequest, slug: str, payer: str, number: int) -> HttpResponse:
    """Show what one request or entry owes and paid, with the forms for another amount."""
    return _render_payer(request, slug, payer, number, {})


@dataclass(frozen=True, slots=True)
class Act:
    """A form of a payer's page: ``service`` notes what it says."""

    form: type[AmountForm]
    service: Callable[[Actor, Payer, dict[str, Any]], CashEntry]
    done: Promise


ACTS: Final = {
    "pay": Act(
        AmountForm,
        lambda actor, payer, data: services.pay(actor, payer, **data),
        _("The payment is noted."),
    ),
    "refund": Act(
        AmountForm,
        lambda actor, payer, data: services.refund(actor, payer, **data),
        _("It is noted that the money was returned."),
    ),
    "waive": Act(
        WaiverForm,
        lambda actor, payer, data: services.waive(
            actor, payer, data["note"], data["cents"], shown=data["shown"]
        ),
        _("It is noted that this need not be paid."),
    ),
}
"""What is done with the money of a payer, by the last part of the address."""


def _render_payer(
    request: HttpRequest, slug: str, payer: str, number: int, bound: dict[str, AmountForm]
) -> HttpResponse:
    page = money_page(slug, actor_from(request))
    field = "entry" if payer == "entry" else "ticket"
    row = or_404(next((row for row in page.payers if getattr(row, field) == number), None))
    balance = row.balance
    amounts = {
        "pay": balance.payable or None,
        "refund": balance.to_return or balance.taken,
        "waive": balance.payable,
    }
    shown = {"pay": balance.payable, "refund": balance.taken, "waive": balance.payable}
    for verb, form in bound.items():
        form.show(shown[verb])
    facts = MoneyFacts(owed=balance.payable, taken=balance.taken)
    forms = {
        verb: bound.get(verb)
        or act.form(initial={"cents": amounts[verb], "shown": shown[verb]}, prefix=verb)
        for verb, act in ACTS.items()
        if verb in bound or refusal_of(verb, facts) is None
    }
    context = {
        "head": page.head,
        "row": row,
        "payer": payer,
        "key": number,
        "forms": forms,
        "lines": [line for line in page.lines if row.ticket and line.ticket == row.ticket],
    }
    status = max((form.status for form in bound.values()), default=200)
    return render(request, "signup/money/payer.html", context, status=status)


@require_POST
def act(request: HttpRequest, slug: str, payer: str, number: int, verb: str) -> HttpResponse:
    """Note an amount for a payer."""
    actor, tournament = _open(request, slug)
    row = find_payer(tournament, payer, number)
    if verb not in ACTS:
        raise Refusal(Reason.NOT_FOUND)
    step = ACTS[verb]
    form = step.form(request.POST, prefix=verb)
    if form.submit(lambda: step.service(actor, row, form.cleaned_data)) is None:
        return _render_payer(request, slug, payer, number, {verb: form})
    messages.success(request, str(step.done))
    return redirect("money", slug)


@require_POST
def pay_all(request: HttpRequest, slug: str, payer: str, number: int) -> HttpResponse:
    """Note with one press that all was paid that was ``shown`` as owed."""
    actor, tournament = _open(request, slug)
    row = find_payer(tournament, payer, number)
    amount = read_number(request.POST.get("shown", ""))
    at_check_in = request.POST.get("at") == "check-in"
    text = "" if at_check_in else _("The payment is noted.")
    run_action(request, lambda: services.pay(actor, row, shown=amount), text)
    if not at_check_in:
        return redirect("money", slug)
    search = request.POST.get("name", "")[:MAX_SEARCH_LENGTH]
    query = {"name": search} if search else {}
    return redirect(f"{reverse('check-in', args=[slug], query=query)}#entry-{number}")


@require_POST
def reverse_line(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Reverse a line of the cash book."""
    actor, tournament = _open(request, slug)
    lines = CashEntry.objects.select_related("tournament__club")
    line = or_404(lines.filter(tournament=tournament, pk=pk).first())
    run_action(request, lambda: services.reverse(actor, line), _("The line is reversed."))
    return redirect("money", slug)


@require_safe
def check_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the check-in list: one button for each entry, and one for what it owes."""
    wanted = request.GET.get("name", "")
    page = page_for_staff(request, slug, wanted[:MAX_SEARCH_LENGTH])
    tournament = find_tournament(slug, actor_from(request))
    context = {
        "page": page,
        "head": page.head,
        "wanted": wanted,
        "owed": owed_by_entry(tournament),
        "waiting_tickets": waiting_tickets(page.head),
    }
    return render(request, "director/day/check_in.html", context)


def _open(request: HttpRequest, slug: str) -> tuple[Actor, Tournament]:
    """Return the tournament; refuses those who may not arbitrate in it."""
    actor = actor_from(request)
    access = open_tournament(slug, actor)
    refuse_unless(access.powers.arbitrate, actor)
    return actor, access.tournament

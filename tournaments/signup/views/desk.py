"""Pages of the organiser: the list of sign-ups, its settings, links, closing and entering."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import or_404
from tournaments.core.forms import ReasonForm, read_number, read_numbers
from tournaments.core.permissions import Actor, refuse_unless
from tournaments.core.views import actor_from, run_action
from tournaments.director.forms.who import who_answers
from tournaments.director.queries.state import refusal_of, role_of
from tournaments.director.queries.tournaments import TournamentHead, open_tournament
from tournaments.domain.roster import Reading
from tournaments.domain.state import Role, verbs
from tournaments.models import Entry, SignUp, SignUpLink, SignUpRequest, Tournament
from tournaments.signup.forms import ApplicationForm, LinkForm, SeveralForm, SignUpForm
from tournaments.signup.queries.list import sign_up_list
from tournaments.signup.queries.places import (
    RequestRow,
    find_sign_up,
    link_rows,
    request_facts,
    seats_of,
    sign_up_facts,
    ticket_rows,
)
from tournaments.signup.services import requests
from tournaments.signup.services.closing import (
    close_sign_up,
    entering_plan,
    keep_contacts,
    reopen_sign_up,
)
from tournaments.signup.services.links import make_link, revoke_link


@dataclass(frozen=True, slots=True)
class Desk:
    """An organiser at the list of a tournament; ``signup`` is not stored before it is set."""

    actor: Actor
    tournament: Tournament
    head: TournamentHead
    signup: SignUp
    role: Role


def open_desk(request: HttpRequest, slug: str) -> Desk:
    """Return the tournament with its sign-up; refuses those who do not manage it."""
    actor = actor_from(request)
    access = open_tournament(slug, actor)
    refuse_unless(access.powers.manage, actor)
    signup = find_sign_up(access.tournament) or SignUp(tournament=access.tournament)
    role = role_of(actor, access.powers)
    return Desk(actor, access.tournament, access.head, signup, role)


@require_http_methods(["GET", "HEAD", "POST"])
def sign_ups(request: HttpRequest, slug: str) -> HttpResponse:
    """List the requests by ticket with a line at the places; add one by hand."""
    desk = open_desk(request, slug)
    actor, tournament, head, signup = desk.actor, desk.tournament, desk.head, desk.signup
    form = ApplicationForm(signup, seats_of(tournament), request.POST or None, by_staff=True)
    noted = form.submit(lambda: requests.sign_up(actor, tournament, form.application()))
    if noted is not None:
        text = _("Noted with ticket %(ticket)s.") % {"ticket": noted.ticket}
        messages.success(request, text)
        return redirect("sign-ups", slug)
    page = sign_up_list(signup)
    context = {
        "head": head,
        "signup": signup,
        "page": page,
        "form": form,
        "may": verbs(sign_up_facts(tournament, signup), desk.role),
        "texts": _news_texts(request, head, page.news),
        "off": SeveralForm(auto_id="off_%s"),
    }
    return render(request, "signup/list.html", context, status=form.status)


@require_POST
def take_off(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the tickets that are ticked off the list, with one reason."""
    desk = open_desk(request, slug)
    form = SeveralForm(request.POST)
    tickets = form.tickets

    def act() -> object:
        reason = request.POST.get("reason", "")
        return requests.take_off_several(desk.actor, desk.tournament, tickets, reason)

    text = ngettext(
        "%(count)s ticket is off the list.", "%(count)s tickets are off the list.", len(tickets)
    )
    run_action(request, act, text % {"count": len(tickets)})
    return redirect("sign-ups", slug)


@require_POST
def keep(request: HttpRequest, slug: str) -> HttpResponse:
    """Put off the deletion of telephones and e-mails, once."""
    desk = open_desk(request, slug)
    text = _("Telephones and e-mails are kept 30 days longer.")
    run_action(request, lambda: keep_contacts(desk.actor, desk.tournament), text)
    return redirect("sign-ups", slug)


def _news_texts(
    request: HttpRequest, head: TournamentHead, rows: Sequence[RequestRow]
) -> dict[int, str]:
    """Return the message for each request with news, by ticket."""
    address = request.build_absolute_uri(reverse("come", args=[head.slug]))
    texts = {}
    for row in rows:
        facts = {
            "name": row.name,
            "tournament": head.name,
            "address": f"{address}?code={row.code}",
        }
        text = (
            _("%(name)s: you are in at “%(tournament)s”. %(address)s")
            if row.is_in
            else _("%(name)s: you are on the waiting list of “%(tournament)s”. %(address)s")
        )
        texts[row.ticket] = text % facts
    return texts


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Set how people sign up: opening, places, fee, what is asked."""
    desk = open_desk(request, slug)
    actor, tournament, head, signup = desk.actor, desk.tournament, desk.head, desk.signup
    form = SignUpForm(signup, request.POST or None)
    done = form.submit(
        lambda: requests.set_sign_up(
            actor, tournament, form.changes, moves_due=form.cleaned_data["moves_due"]
        )
    )
    if done is not None:
        messages.success(request, _("The sign-up is set."))
        return redirect("sign-ups", slug)
    context = {"head": head, "form": form}
    return render(request, "signup/settings.html", context, status=form.status)


@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who enters, who waits and who cannot; on POST close the list and enter."""
    desk = open_desk(request, slug)
    actor, tournament, head, signup = desk.actor, desk.tournament, desk.head, desk.signup
    if signup.pk is None:
        raise Refusal(Reason.NOT_FOUND)
    left_out: set[int] = set()
    right = set(read_numbers(request.POST.getlist("right")))
    reading, status = Reading(who=who_answers(request.POST)), 200
    if request.method == "POST":
        shown, ticked = map(read_numbers, map(request.POST.getlist, ("shown", "ticket")))
        left_out = set(shown).difference(ticked)
        try:
            entered = close_sign_up(actor, tournament, left_out, reading, right)
            return _entered(request, slug, entered)
        except Refusal as refused:
            if refused.reason is not Reason.WHO_IS_THIS:
                raise
            status = refused.status
    refusal = refusal_of("close_sign_up", sign_up_facts(tournament, signup))
    plan = entering_plan(signup, left_out, reading, right) if refusal is None else None
    context = {
        "head": head,
        "plan": plan,
        "refusal": refusal,
        "left_out": sorted(left_out),
        "right": sorted(right),
        "is_open": status != 200,
    }
    return render(request, "signup/enter.html", context, status=status)


def _entered(request: HttpRequest, slug: str, entered: Sequence[Entry]) -> HttpResponse:
    """Redirect to the list of entries with a message of how many are new."""
    text = ngettext(
        "The list is closed: %(count)s enters.",
        "The list is closed: %(count)s enter.",
        len(entered),
    )
    messages.success(request, text % {"count": len(entered)})
    return redirect("entries", slug)


@require_POST
def reopen(request: HttpRequest, slug: str) -> HttpResponse:
    """Take requests again."""
    desk = open_desk(request, slug)
    run_action(
        request,
        lambda: reopen_sign_up(desk.actor, desk.tournament),
        _("The sign-up is open again."),
    )
    return redirect("sign-ups", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def links(request: HttpRequest, slug: str) -> HttpResponse:
    """List the links of bars and centres; make one, whose address is shown once."""
    desk = open_desk(request, slug)
    actor, tournament, head = desk.actor, desk.tournament, desk.head
    form = LinkForm(request.POST or None)
    made = form.submit(lambda: make_link(actor, tournament, **form.cleaned_data))
    address = ""
    if made is not None:
        _link, secret = made
        form = LinkForm()
        address = request.build_absolute_uri(reverse("sign-up-link", args=[slug, secret]))
    rows = list(link_rows(tournament))
    context = {"head": head, "form": form, "rows": rows, "address": address}
    return render(request, "signup/links.html", context, status=form.status)


@require_POST
def revoke(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Revoke a link."""
    desk = open_desk(request, slug)
    link = or_404(SignUpLink.objects.filter(signup__tournament=desk.tournament, pk=pk).first())
    run_action(request, lambda: revoke_link(desk.actor, link), _("The link is revoked."))
    return redirect("sign-up-links", slug)


# --- One request ----------------------------------------------------------------------------------


def _request_of(signup: SignUp, ticket: int) -> SignUpRequest:
    rows = SignUpRequest.objects.select_related("joined", "signup__tournament__club")
    return or_404(rows.filter(signup=signup.pk, ticket=ticket, is_ticket=True).first())


@require_safe
def ticket(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show one request: correct it, join it, take it off the list, renew its code."""
    return _render_ticket(request, open_desk(request, slug), number, {})


def _render_ticket(
    request: HttpRequest, desk: Desk, number: int, bound: dict[str, Any]
) -> HttpResponse:
    tournament, head, signup = desk.tournament, desk.head, desk.signup
    stored = _request_of(signup, number)
    rows = ticket_rows(signup)
    row = or_404(next((row for row in rows if row.ticket == number), None))
    names = dict(zip(("first", "second"), row.names, strict=False))
    initial = {**names, **{name: getattr(row, name) for name in requests.CHANGEABLE}}
    form = bound.get("change") or ApplicationForm(signup, seats_of(tournament), None, by_staff=True)
    form.initial = initial
    context = {
        "head": head,
        "row": row,
        "form": form,
        "reason": bound.get("off") or ReasonForm(),
        "singles": [one for one in rows if one.is_single and one.ticket != number],
        "may": verbs(request_facts(stored, tournament), desk.role),
        "address": request.build_absolute_uri(reverse("come", args=[head.slug])),
    }
    status = max((one.status for one in bound.values()), default=200)
    return render(request, "signup/ticket.html", context, status=status)


@require_POST
def act(request: HttpRequest, slug: str, number: int, verb: str) -> HttpResponse:
    """Do what a button of the page of a request says."""
    desk = open_desk(request, slug)
    actor, tournament, signup = desk.actor, desk.tournament, desk.signup
    row = _request_of(signup, number)
    if verb == "change":
        form = ApplicationForm(signup, seats_of(tournament), request.POST, by_staff=True)
        moves_due = "moves_due" in request.POST
        if form.submit(lambda: _change(actor, row, form, moves_due=moves_due)) is None:
            return _render_ticket(request, desk, number, {"change": form})
        messages.success(request, _("The ticket is corrected."))
        return redirect("sign-ups", slug)
    if verb == "off":
        reason = ReasonForm(request.POST)
        if reason.submit(lambda: requests.take_off(actor, row, reason.cleaned_data["reason"])):
            messages.success(request, _("The ticket is off the list."))
            return redirect("sign-ups", slug)
        return _render_ticket(request, desk, number, {"off": reason})
    if verb == "join":
        other = _request_of(signup, read_number(request.POST.get("other", "")) or 0)
        run_action(request, lambda: requests.join(actor, row, other), _("They are a pair now."))
    elif verb in SIMPLE:
        service, text = SIMPLE[verb]
        run_action(request, lambda: service(actor, row), str(text))
    else:
        raise Refusal(Reason.NOT_FOUND)
    return redirect("sign-ups", slug)


def _change(
    actor: Actor, row: SignUpRequest, form: ApplicationForm, *, moves_due: bool
) -> SignUpRequest:
    new = form.application()
    changes = {name: getattr(new, name) for name in ("names", "pair_name", "reserve", "contact")}
    if "members" in form.fields:
        changes["members"] = new.members
    return requests.change_request(
        actor, row, changes, moves_due=moves_due, as_written=form.as_written
    )


SIMPLE = {
    "told": (requests.note_told, ""),
    "part": (requests.part, ""),
    "code": (requests.renew_code, ""),
}
"""Verbs of a request without a form."""

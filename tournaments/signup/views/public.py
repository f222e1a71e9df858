"""Pages for those who sign up: the form, the page of their own request, a bar's link."""

from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.core.cache import get_or_compute
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import not_found_unless, or_404
from tournaments.core.limits import Limit, count_one, network_of, refuse_too_many
from tournaments.core.live_version import live_versions
from tournaments.core.page_cache import POLL_SECONDS
from tournaments.core.permissions import Actor, ClubRights, may_see, may_see_poster
from tournaments.core.views import actor_from, origin_of, remember_code, run_action, stored_code
from tournaments.director.queries.days import days_of
from tournaments.director.queries.entries import tournament_for_codes
from tournaments.director.queries.state import refusal_of, role_of
from tournaments.director.queries.tickets import name_of, names_of
from tournaments.domain.state import verbs
from tournaments.models import SignUp, SignUpLink, SignUpRequest, Tournament
from tournaments.signup.forms import ApplicationForm, NameForm, key_of_token, new_token
from tournaments.signup.queries.connections import remember_connection
from tournaments.signup.queries.places import (
    balance_of,
    entry_of_request,
    find_sign_up,
    places_of,
    request_facts,
    request_rows,
    request_with_code,
    seats_of,
    sign_up_facts,
    standing_of,
)
from tournaments.signup.services.links import find_link
from tournaments.signup.services.news import ask_for_news, end_news, find_news
from tournaments.signup.services.requests import change_name, leave, sign_up

SIGN_UPS: Final = Limit("sign_ups", known=60, address=60)
"""Forms of the sign-up: a bar, where many sign up at once, is one address."""

OWN_CHANGES: Final = Limit("own_changes", known=5, address=5)
"""Changes on the page of one's own request."""


@require_http_methods(["GET", "HEAD", "POST"])
def sign_up_form(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for the names, and note them with a ticket."""
    actor = actor_from(request)
    tournament = or_404(tournament_for_codes(slug))
    not_found_unless(may_see_poster(actor, tournament))
    return _answer_form(request, tournament, None)


@require_http_methods(["GET", "HEAD", "POST"])
def link_form(request: HttpRequest, slug: str, secret: str) -> HttpResponse:
    """Let a bar or centre sign up its own, and show the tickets that it has."""
    link = find_link(slug, secret)
    return _answer_form(request, link.signup.tournament, link)


def _answer_form(
    request: HttpRequest, tournament: Tournament, link: SignUpLink | None
) -> HttpResponse:
    signup = find_sign_up(tournament)
    if signup is None:
        raise Refusal(Reason.SIGN_UP_CLOSED)
    seats = seats_of(tournament)
    with_news = settings.MAIL_GOES_OUT and link is None
    form = ApplicationForm(signup, seats, request.POST or None, with_news=with_news)
    noted = None
    if request.method == "POST":
        refuse_too_many(request, SIGN_UPS)
        count_one(request, SIGN_UPS)
        noted = _note(form, tournament, request.POST.get("website", ""), link)
    if noted is not None:
        if link is not None:
            text = _("%(name)s: ticket %(ticket)s. Their code is %(code)s.")
            name = name_of(noted.pair_name, tuple(person.name for person in noted.people.all()))
            said = {"name": name, "ticket": noted.ticket, "code": noted.code}
            messages.success(request, text % said)
            return redirect(request.path)
        remember_connection(request, noted)
        if email := form.cleaned_data.get("news"):
            origin = origin_of(request)
            ask_for_news(noted, email, origin, network_of(request))
        remember_code(request, tournament, noted.code)
        return redirect("own-request", tournament.slug)
    closed, free = _places(tournament, signup, is_public=link is None)
    context: dict[str, Any] = {
        "tournament": tournament,
        "signup": signup,
        "form": form,
        "token": new_token(),  # one for each request: with a shared one two would get one ticket
        "closed": closed,
        "free": free,
        "link": link,
    }
    if link is not None:
        own = set(link.requests.values_list("ticket", flat=True))
        context["rows"] = [row for row in request_rows(signup) if row.ticket in own]
    return render(request, "signup/form.html", context, status=form.status)


def _places(tournament: Tournament, signup: SignUp, *, is_public: bool) -> tuple[str, int | None]:
    """Return why the form is closed, if it is, and how many places are left (None: no limit).

    Both are cached for a few seconds of a version: the form opens and closes by the clock.
    """

    def read() -> tuple[str, int | None]:
        places = places_of(tournament, signup)
        facts = sign_up_facts(tournament, signup, places if is_public else None)
        closed = refusal_of("sign_up", facts)
        return "" if closed is None else closed.message, places.free

    version = live_versions([tournament.slug])[tournament.slug]
    key = f"sign-up:{tournament.slug}:{version}:{get_language()}:{is_public}"
    return get_or_compute(key, read, seconds=POLL_SECONDS)


def _note(
    form: ApplicationForm, tournament: Tournament, website: str, link: SignUpLink | None
) -> SignUpRequest | None:
    """Note the request of a form; None where something is missing, which the form then shows."""
    if not form.is_valid():
        return None
    try:
        key = key_of_token(form.cleaned_data["token"])
    except ValueError:
        form.add_error(None, _("Please press once more: the page was open too short or too long."))
        return None
    if website:  # a field that people do not see
        form.add_error(None, _("Leave the hidden field empty."))
        return None
    return form.submit(lambda: sign_up(Actor.anonymous(), tournament, form.application(key), link))


# --- The page of one's own request ----------------------------------------------------------------


def _own(request: HttpRequest, slug: str) -> SignUpRequest | None:
    """Return the request whose code is in the session."""
    tournament = tournament_for_codes(slug)
    code = None if tournament is None else stored_code(request, tournament)
    if tournament is None or code is None:
        return None
    try:
        return request_with_code(tournament, code)
    except Refusal:
        return None


@require_safe
def own_request(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the own place: in, or how many wait before; change a name, leave."""
    row = _own(request, slug)
    if row is None:
        return redirect("come", slug)
    if (entry := entry_of_request(row)) is not None:
        remember_code(request, entry.tournament, entry.code)
        return redirect("own-table", slug)
    return _render_own(request, row, None)


def _render_own(request: HttpRequest, row: SignUpRequest, form: NameForm | None) -> HttpResponse:
    tournament = row.signup.tournament
    names = tuple(row.people.order_by("seat").values_list("name", flat=True))
    standing = None if row.left_at else standing_of(row, row.signup)
    facts = request_facts(row, tournament)
    own = Actor(codes=((tournament.slug, row.code),))
    context = {
        "tournament": tournament,
        "signup": row.signup,
        "request_row": row,
        "names": names_of(row),
        "balance": balance_of(row),
        "standing": standing,
        "waits": standing.rank - (standing.places or 0) if standing else 0,
        "may": verbs(facts, role_of(own, ClubRights(), own=True)),
        "form": form or NameForm(names),
        "address": request.build_absolute_uri(reverse("come", args=[tournament.slug])),
        "days": days_of(tournament),
        "sees_poster": may_see_poster(actor_from(request), tournament),
        "sees_tournament": may_see(actor_from(request), tournament),
    }
    return render(request, "signup/mine.html", context, status=form.status if form else 200)


@require_POST
def act_on_own(request: HttpRequest, slug: str, verb: str) -> HttpResponse:
    """Change one of the names, or leave."""
    row = _own(request, slug)
    if row is None:
        return redirect("come", slug)
    refuse_too_many(request, OWN_CHANGES)
    count_one(request, OWN_CHANGES)
    actor = Actor(codes=((slug, row.code),))
    if verb == "leave":
        run_action(request, lambda: leave(actor, row), _("Your place is free again."))
        return redirect("own-request", slug)
    if verb != "name":
        raise Refusal(Reason.NOT_FOUND)
    names = tuple(row.people.order_by("seat").values_list("name", flat=True))
    form = NameForm(names, request.POST)
    done = form.submit(
        lambda: change_name(
            actor,
            row,
            form.cleaned_data["seat"],
            form.cleaned_data["name"],
            as_written=form.as_written,
        )
    )
    if done is None:
        return _render_own(request, row, form)
    messages.success(request, _("The name is changed."))
    return redirect("own-request", slug)


# --- Letters --------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def news_off(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Ask whether an address is to be removed, and remove it: programs follow links of mails."""
    if request.method == "POST":
        end_news(slug, token)
        return redirect(request.path)
    address = find_news(slug, token)
    name = "" if address is None else address.request.signup.tournament.name
    return render(request, "signup/news_off.html", {"tournament_name": name})

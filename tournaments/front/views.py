"""Pages that compose several features: the front page, a club, a tournament, its end."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.analysis.queries.play import has_luck
from tournaments.arena.queries.ladders import ladder_bots
from tournaments.arena.queries.status import next_round
from tournaments.core import find
from tournaments.core.cache import get_or_compute
from tournaments.core.errors import Reason, Refusal
from tournaments.core.limits import SEARCHES, count_one, refuse_too_many
from tournaments.core.live_version import club_version, live_version
from tournaments.core.page_cache import cached_club_page, cached_page
from tournaments.core.permissions import may_act_as_staff, may_manage, refuse_unless
from tournaments.core.views import (
    ConfirmedAction,
    actor_from,
    confirm_page,
    origin_of,
    read_stage,
    unchanged_response,
)
from tournaments.director.queries.days import days_of, next_day, postponed_matches
from tournaments.director.queries.desk import round_clock
from tournaments.director.queries.state import closed_text
from tournaments.director.queries.tournaments import has_editions
from tournaments.director.services.tournaments import finish as finish_tournament
from tournaments.domain.names import MAX_NAME_LENGTH
from tournaments.domain.state.facts import DRAFT
from tournaments.front.queries.club import club_front
from tournaments.front.queries.find import find_page
from tournaments.front.queries.home import front_page
from tournaments.front.queries.honours import WonTournament, club_honours, editions_of
from tournaments.front.queries.previews import describe, sports_event
from tournaments.front.queries.search import search_page
from tournaments.front.queries.week import hand_of_the_week
from tournaments.live.queries.broadcast import broadcast
from tournaments.people.queries import pictures_of, profile_of
from tournaments.profiles.views import Chart, chart
from tournaments.ratings.queries.pages import ratings_page
from tournaments.signup.queries.poster import find_poster, poster_of
from tournaments.signup.queries.sources import finals_of
from tournaments.signup.queries.texts import euros
from tournaments.standings.queries import standings as standings_queries
from tournaments.standings.queries.prizes import prize_list, prizes_on_poster
from tournaments.standings.queries.standings import standings_page
from tournaments.standings.views.standings import render_cached, table_context

MAX_WORDS: Final = 80  # characters of a search
MAX_RATED: Final = 5  # people, the best
MAX_ATTENDANCE: Final = 12
"""Tournaments of which a club's page shows how many came, the latest."""


@require_safe
@partial(cached_club_page, read=club_version)
def home(request: HttpRequest) -> HttpResponse:
    """Show the front page: tournaments, winners, the hand of the week; all with `?clubs=all`."""
    actor = actor_from(request)
    page = front_page(actor, all_clubs=request.GET.get("clubs") == "all")
    context = {"page": page, "may_create_club": may_act_as_staff(actor), "week": ""}
    if page.only_club and page.is_empty:
        only_club = find.find_club(page.only_club.slug)
        context["may_create_tournament"] = may_manage(actor, only_club)
    if choice := page.week:
        key = f"week:{choice.match}:{choice.number}:{choice.version}"
        context["week"] = render_cached(
            "front/_week.html", key, lambda: {"hand": hand_of_the_week(choice)}
        )
    return render(request, "front/home.html", context)


@never_cache
@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Show what is found for ``q``: clubs, tournaments, people of public tournaments."""
    words = request.GET.get("q", "").strip()[:MAX_WORDS]
    if words:
        refuse_too_many(request, SEARCHES)
        count_one(request, SEARCHES)
    context = {"page": search_page(words, actor_from(request))}
    return render(request, "front/search.html", context)


@require_safe
@partial(cached_club_page, read=lambda slug: club_version(club__slug=slug))
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club: what is played, who leads and who won, then tournaments, pairs and players."""
    actor = actor_from(request)
    page = club_front(slug, actor, request.GET.dict())
    ended = page.ended
    edition = request.GET.get("editions", "")
    all_won = request.GET.get("won") == "all"
    honours = editions_of(slug, edition) if edition else club_honours(slug, all_won=all_won)
    context = {
        "page": page,
        "podium": () if ended is None else standings_page(ended.slug, actor).people_podium,
        "ratings": ratings_page(slug, size=MAX_RATED),
        "honours": honours,
        "of_editions": bool(edition),
        "attendance": attendance(honours.won[:MAX_ATTENDANCE]),
        "pictures": pictures_of(slug),
    }
    return render(request, "front/club.html", context)


def attendance(won: Sequence[WonTournament]) -> Chart:
    """Return how many entered the tournaments, as a chart."""
    rows = [(row.name, row.entries, str(row.entries)) for row in won]
    return chart("attendance", _("Attendance"), (_("Tournament"), _("Entries")), rows)


@require_http_methods(["GET", "HEAD", "POST"])
def finish(request: HttpRequest, slug: str) -> HttpResponse:
    """Finish the tournament; ``early`` finishes it before all its rounds were drawn."""
    actor = actor_from(request)
    page = standings_page(slug, actor)
    refuse_unless(page.head.may.manage, actor)
    early = request.GET.get("early") == "1"
    step = ConfirmedAction(
        act=lambda: finish_tournament(actor, find.find_tournament(slug, actor), early=early),
        done=_("The tournament is over. The standings are final."),
        back=reverse("tournament", args=[slug]),
        closed=closed_text(page.head.may.verbs, "finish_early" if early else "finish"),
    )
    context = {"page": page, "head": page.head, "early": early}
    return confirm_page(request, "front/finish.html", context, step)


@require_safe
def poster(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the poster of a tournament: day, place, rules, fee, places, and the way to sign up."""
    page = find_poster(slug, actor_from(request))
    head = page.head
    cancelled = f" · {_('cancelled')}" if head.cancelled_at else ""
    fee = f". {euros(page.fee.cents)}" if page.fee else ""
    context = {
        "poster": page,
        "head": head,
        "prizes": prizes_on_poster(head.pk),
        "title": head.name + cancelled,
        "description": describe(head) + fee,
        "event": sports_event(head, origin_of(request), request.path),
        "days": days_of(head),
        "pictures": pictures_of(head.club_slug),
        "colour": profile_of(find.find_club(head.club_slug)).colour,
    }
    return render(request, "front/poster.html", context)


@require_safe
@never_cache
def find_person(request: HttpRequest, slug: str) -> HttpResponse:
    """Show where the people whose names begin with ``who`` play now. Refuses TOO_MANY_TRIES."""
    refuse_too_many(request, SEARCHES)
    count_one(request, SEARCHES)
    page = find_page(slug, request.GET.get("who", "")[:MAX_NAME_LENGTH], actor_from(request))
    return render(request, "front/find.html", {"page": page, "head": page.head})


@require_safe
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tournament; the address of a draft leads those who may not see it to its poster."""
    try:
        return standings(request, slug=slug)
    except Refusal as refusal:
        if refusal.reason is not Reason.NOT_FOUND:
            raise
        if find_poster(slug, actor_from(request)).head.state != DRAFT:
            raise
        return redirect("poster", slug)


@cached_page
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings of a stage; UNCHANGED when the browser has ``seen`` this version."""
    version = live_version(slug, actor_from(request))
    if response := unchanged_response(request, version):
        return response
    frame = standings_queries.standings_frame(slug, actor_from(request), read_stage(request))
    context: dict[str, Any] = {"head": frame.head, "stage": frame.stage, "version": version}
    if frame.head.is_of_bots:
        context["scheduled"] = next_round(frame.head)
    if frame.head.open_to_bots:
        context["ladders"] = ladder_bots(frame.head, actor_from(request))
    context["prizes"] = prize_list(frame.access.tournament)
    context["description"] = describe(frame.head)
    context["event"] = sports_event(frame.head, origin_of(request), request.path)
    context["finals"] = finals_of(frame.access.tournament)
    days = days_of(frame.head)
    if frame.head.state == DRAFT:
        context["poster"] = poster_of(frame.access.tournament, actor_from(request))
        context["entrants"] = standings_queries.standings_of(frame).rows if frame.has_rows else ()
        context["days"] = days
        return render(request, "front/tournament.html", context)
    # Neither an analysis nor another edition is a change of this tournament: kept for minutes
    context["more"] = get_or_compute(
        f"more:{slug}:{version}",
        lambda: {
            "luck": has_luck(frame.access.tournament),
            "editions": has_editions(frame.access.tournament),
        },
    )
    context["day"] = next_day(days)
    context["postponed"] = postponed_matches(frame.access)
    if read_stage(request) is None and frame.head.rounds:
        actor, head = actor_from(request), frame.head
        key = f"broadcast:{slug}:{version}"
        context["broadcast"] = render_cached(
            "live/broadcast/_part.html",
            key,
            lambda: {"cast": get_or_compute(key, lambda: broadcast(slug, actor)), "head": head},
        )
        if head.current_round is not None:
            context["clock"] = round_clock(head, head.current_round)
    if frame.has_rows:
        query = f"?stage={frame.stage.number}" if len(frame.head.stages) > 1 else ""
        context["query"] = query
        context["tables"] = render_cached(
            "standings/_tables.html",
            f"{frame.key}:{bool(days)}",
            lambda: table_context(frame, query, over_weeks=bool(days)),
        )
    return render(request, "front/tournament.html", context)

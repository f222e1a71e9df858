"""Pages of the arena, of bots and of schedules."""

import csv
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from engine import Interval
from tournaments.arena.forms import CompareForm, NewBotForm, ScheduleForm, VersionForm
from tournaments.arena.queries import arena, status
from tournaments.arena.queries import bots as bots_queries
from tournaments.arena.queries import comparisons as comparisons_queries
from tournaments.arena.queries.status import arena_status, arena_status_page
from tournaments.arena.queries.turns import round_file
from tournaments.arena.services import arena as arena_services
from tournaments.arena.services import comparisons, ladders
from tournaments.arena.services.dispatch import play_round
from tournaments.core import find
from tournaments.core.buttons import Button, find_button
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import find_club
from tournaments.core.page_cache import BOT_PAGES, cached_club_page
from tournaments.core.permissions import (
    Actor,
    may_change_bot,
    may_enter_bot,
    may_submit_bots,
    refuse_unless,
)
from tournaments.core.views import (
    NDJSON,
    NO_CONTENT,
    ConfirmedAction,
    actor_from,
    confirm_page,
    download_response,
    run_action,
    show_on_next_page,
)
from tournaments.models import Bot, Round, VersionComparison
from tournaments.people.services import bots as bots_services
from tournaments.people.services.programs import check_again
from tournaments.standings.views.standings import render_cached

# --- Arena ----------------------------------------------------------------------------------------
# The comparison of a tournament's bots, and the status of the whole service.


@require_safe
def comparison(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the comparison of a tournament's bots, overall and pair by pair."""
    page = arena.arena_page(slug, actor_from(request))
    context = {"page": page, "head": page.head}
    tables = {**context, "names": page.names}
    context["tables"] = render_cached("arena/_pairs.html", page.key, lambda: tables)
    return render(request, "arena/comparison.html", context)


@require_safe
def pair(request: HttpRequest, slug: str, one: int, other: int) -> HttpResponse:
    """Show the matches of two bots."""
    page = arena.meetings_page(slug, one, other, actor_from(request))
    return render(
        request, "arena/pair.html", {"page": page, "head": page.head, "names": page.names}
    )


@require_safe
def comparison_csv(request: HttpRequest, slug: str, part: str) -> HttpResponse:
    """Download the comparison as CSV: ``bots`` or ``pairs``."""
    if part not in TABLES:
        raise Refusal(Reason.NOT_FOUND)
    page = arena.arena_page(slug, actor_from(request))
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{slug}-{part}.csv"'
    csv.writer(answer).writerows(TABLES[part](page))
    return answer


def _bots(page: arena.ArenaPage) -> Iterator[tuple[object, ...]]:
    yield (
        "number",
        "name",
        "matches",
        "sets",
        "margin",
        "margin_low",
        "margin_high",
        "won",
        "won_low",
        "won_high",
        "forfeits",
        "rating",
        "rating_margin",
    )
    for line in page.compared.bots:
        rating = page.ratings.get(line.bot)
        yield (
            *(line.number, _escape_formula(line.name), line.matches, line.sets),
            *_figure(line.margin),
            *_figure(line.won),
            line.forfeits,
            *((rating.shown, rating.margin) if rating else ("", "")),
        )


def _pairs(page: arena.ArenaPage) -> Iterator[tuple[object, ...]]:
    yield (
        "one",
        "one_name",
        "other",
        "other_name",
        "matches",
        "sets",
        "margin",
        "margin_low",
        "margin_high",
        "llr",
        "llr_lower",
        "llr_upper",
        "test",
    )
    for pair in page.compared.pairs:
        test = pair.test
        yield (
            *(
                pair.one,
                _escape_formula(page.names[pair.one]),
                pair.other,
                _escape_formula(page.names[pair.other]),
            ),
            *(pair.matches, pair.sets),
            *_figure(pair.margin),
            *((test.llr, test.lower, test.upper, test.state) if test else ("",) * 4),
        )


def _figure(figure: Interval | None) -> tuple[object, ...]:
    """Return mean and bounds, empty strings if there are none."""
    if figure is None:
        return ("",) * 3
    return tuple("" if number is None else number for number in figure[:3])


def _escape_formula(name: str) -> str:
    """Return a name that no spreadsheet interprets as a formula."""
    return f"'{name}" if name.startswith(tuple("=+-@\t\r")) else name


TABLES: Final[dict[str, Callable[[arena.ArenaPage], Iterator[tuple[object, ...]]]]] = {
    "bots": _bots,
    "pairs": _pairs,
}


@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Show the status of all bot rounds; staff can pause the service."""
    page = arena_status_page(actor_from(request))
    return render(request, "arena/page.html", {"page": page, "status": page.status})


@require_safe
def overview_part(request: HttpRequest) -> HttpResponse:
    """Return the changing part of that page; 204 if the browser has ``seen`` this version."""
    state = arena_status()
    if request.GET.get("seen") == state.version:
        return HttpResponse(status=NO_CONTENT)
    return render(request, "arena/_at_play.html", {"status": state})


@require_POST
def pause_or_resume(request: HttpRequest, verb: str) -> HttpResponse:
    """Pause or resume all bots of the service; a refusal is shown as a message."""
    button = find_button(ARENA_BUTTONS, verb)[1]
    run_action(request, lambda: button.act(actor_from(request)), button.done)
    return redirect("arena")


ARENA_BUTTONS: Final[Mapping[str, Button[[Actor]]]] = {
    "pause": Button(
        arena_services.pause_arena,
        gettext_lazy("All bots finish the matches that they are at, and begin no other."),
    ),
    "resume": Button(arena_services.resume_arena, gettext_lazy("All bots play on.")),
}


# --- Bots -----------------------------------------------------------------------------------------
# The list of bots, one bot, and its author's actions.


@require_safe
@partial(cached_club_page, read=lambda: "", every=BOT_PAGES)
def bots(request: HttpRequest) -> HttpResponse:
    """List all bots, or those of a group or a club."""
    query = request.GET
    page = bots_queries.bots_page(
        actor_from(request), query.get("group", ""), query.get("club", "")
    )
    return render(request, "arena/bots/list.html", {"page": page, "groups": bots_queries.GROUPS})


@require_safe
def bot(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one bot: its author, versions, forfeits and matches."""
    page = bots_queries.bot_page(slug, actor_from(request))
    return render_bot(request, page, CompareForm(page.ready_versions, page.rulesets))


def render_bot(request: HttpRequest, page: bots_queries.BotPage, form: CompareForm) -> HttpResponse:
    """Render the page of a bot with the form that compares two of its versions."""
    context = {"page": page, "state": versions_state(page), "form": form}
    return render(request, "arena/bots/page.html", context, status=form.status)


@require_safe
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the versions while one is checked; nothing if the browser has ``seen`` this state.

    Once no check is left, the browser is made to reload the page: the bot may play now.
    """
    page = bots_queries.bot_page(slug, actor_from(request))
    state = versions_state(page)
    if request.GET.get("seen") == state:
        return HttpResponse(status=NO_CONTENT)
    if not page.is_moving:
        return HttpResponseClientRefresh()
    return render(request, "arena/bots/_versions.html", {"page": page, "state": state})


def versions_state(page: bots_queries.BotPage) -> str:
    """Return a text that changes with the state of the versions."""
    return "-".join(
        f"{version.state}{version.done}{'!' if version.stuck else ''}" for version in page.versions
    )


@require_http_methods(["GET", "HEAD", "POST"])
def submit_bot(request: HttpRequest, slug: str) -> HttpResponse:
    """Bring a bot to a club: a program, or a remote bot."""
    actor, club = actor_from(request), find_club(slug)
    refuse_unless(may_submit_bots(actor, club), actor)
    form = NewBotForm(*bound_data(request))

    def act() -> Bot:
        facts = {name: form.cleaned_data[name] for name in ("name", "about", "rulesets")}
        if form.cleaned_data["kind"] == Bot.Kind.REMOTE:
            kind = Bot.Kind.REMOTE
            return bots_services.register_bot(actor, club, kind=kind, **facts)
        return bots_services.submit_bot(actor, club, **facts, **form.program).bot

    new_bot = form.submit(act)
    if new_bot:
        messages.success(request, _("“%(name)s” is there.") % {"name": new_bot.name})
        return redirect("bot", new_bot.slug)
    return render(
        request, "arena/bots/bring.html", {"form": form, "club": club}, status=form.status
    )


@require_http_methods(["GET", "HEAD", "POST"])
def submit_version(request: HttpRequest, slug: str) -> HttpResponse:
    """Bring another version of a program."""
    actor, row = actor_from(request), bots_queries.find_bot(slug)
    refuse_unless(may_change_bot(actor, row), actor)
    newest = row.versions.first()
    first = {"language": newest.language} if newest else None
    form = VersionForm(*bound_data(request), initial=first)
    version = form.submit(lambda: bots_services.submit_version(actor, row, **form.program))
    if version:
        messages.success(request, _("Version %(number)s is stored.") % {"number": version.number})
        return redirect("bot", slug)
    return render(
        request, "arena/bots/version.html", {"form": form, "bot": row}, status=form.status
    )


def bound_data(request: HttpRequest) -> tuple[Any, Any]:
    """Return POST data and files for a bound form; None for an unbound one."""
    return (request.POST, request.FILES) if request.method == "POST" else (None, None)


@require_POST
def unbench(request: HttpRequest, slug: str) -> HttpResponse:
    """Put a benched bot back."""
    actor = actor_from(request)
    active_bot = bots_services.unbench(actor, bots_queries.find_bot(slug))
    messages.success(request, _("“%(name)s” plays again.") % {"name": active_bot.name})
    return redirect("bot", slug)


@require_POST
def check(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Check a version again."""
    actor = actor_from(request)
    check_again(actor, bots_queries.find_version(slug, number))
    messages.success(request, _("It will be checked again."))
    return redirect("bot", slug)


@require_POST
def ladder(request: HttpRequest, slug: str, ruleset: str, verb: str) -> HttpResponse:
    """Enter a bot on the ladder of a ruleset, or withdraw it; a refusal is shown as a message."""
    actor, row = actor_from(request), bots_queries.find_bot(slug)
    refuse_unless(may_enter_bot(actor, row), actor)
    button = find_button(LADDER_BUTTONS, verb)[1]
    run_action(
        request, lambda: button.act(actor, row, ruleset), str(button.done) % {"name": row.name}
    )
    return redirect("bot", slug)


LADDER_BUTTONS: Final[Mapping[str, Button[[Actor, Bot, str]]]] = {
    "enter": Button(ladders.enter_bot, gettext_lazy("“%(name)s” is on the ladder.")),
    "withdraw": Button(
        ladders.withdraw_bot, gettext_lazy("“%(name)s” is withdrawn from the next round on.")
    ),
}


@require_http_methods(["GET", "HEAD", "POST"])
def retire(request: HttpRequest, slug: str) -> HttpResponse:
    """Retire a bot, after a confirmation."""
    actor, row = actor_from(request), bots_queries.find_bot(slug)
    refuse_unless(may_change_bot(actor, row), actor)
    step = ConfirmedAction(
        act=lambda: bots_services.retire(actor, row),
        done=_("“%(name)s” has retired.") % {"name": row.name},
        back=reverse("bot", args=[slug]),
        closed="" if row.retired_at is None else Refusal(Reason.BOT_RETIRED, text=row.name).message,
    )
    return confirm_page(request, "arena/bots/retire.html", {"bot": row}, step)


# --- Comparisons ----------------------------------------------------------------------------------
# Two versions of a bot against one another.


@require_POST
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """Let two versions of a bot play one another."""
    actor = actor_from(request)
    page = bots_queries.bot_page(slug, actor)
    refuse_unless(page.may_compare, actor)
    form = CompareForm(page.ready_versions, page.rulesets, request.POST)

    def act() -> VersionComparison:
        numbers = [form.cleaned_data.pop(name) for name in ("version", "base")]
        versions = [bots_queries.find_version(slug, number) for number in numbers]
        bot = bots_queries.find_bot(slug)
        return comparisons.compare_versions(actor, bot, *versions, **form.cleaned_data)

    comparison = form.submit(act)
    if comparison is None:
        return render_bot(request, page, form)
    return redirect("bot-comparison", slug, comparison.pk)


@require_safe
def versions_compared(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show a comparison of two versions; its changing part if the browser has ``seen`` a state.

    Then nothing if it is that state still, and the whole page again once it has ended.
    """
    page = comparisons_queries.comparison_page(slug, pk, actor_from(request))
    context = {"page": page, "row": page.row}
    if (seen := request.GET.get("seen")) is None:
        return render(request, "arena/bots/comparison.html", context)
    if page.row.outcome:
        return HttpResponseClientRefresh()
    if seen == str(page.row.played):
        return HttpResponse(status=NO_CONTENT)
    return render(request, "arena/bots/_comparison.html", context)


@require_POST
def change_comparison(request: HttpRequest, slug: str, pk: int, verb: str) -> HttpResponse:
    """Stop a comparison, keep it or let it be deleted; a refusal is shown on its page."""
    actor = actor_from(request)
    button = find_button(COMPARISON_BUTTONS, verb)[1]
    comparison = comparisons_queries.find_comparison(slug, pk, actor)
    run_action(request, lambda: button.act(actor, comparison), button.done)
    return redirect("bot-comparison", slug, pk)


COMPARISON_BUTTONS: Final[Mapping[str, Button[[Actor, VersionComparison]]]] = {
    "stop": Button(comparisons.stop_comparison, gettext_lazy("The comparison has ended.")),
    "keep": Button(comparisons.keep_comparison, gettext_lazy("The comparison is kept.")),
    "keep-no-longer": Button(
        lambda actor, comparison: comparisons.keep_comparison(actor, comparison, kept=False),
        gettext_lazy("The comparison is deleted in its time."),
    ),
}


@require_safe
def comparison_records(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Download the records of a comparison as JSON lines."""
    lines = comparisons_queries.comparison_records(slug, pk, actor_from(request))
    with lines.file as file:
        return download_response(file.read(), f"{slug}-{pk}.ndjson", NDJSON)


# --- Schedules ------------------------------------------------------------------------------------
# The schedule of a tournament of bots: set, switch, run at once.


@require_http_methods(["GET", "HEAD", "POST"])
def schedule(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the schedule and the outcome of its last run; change it."""
    actor = actor_from(request)
    page = managed_schedule_page(slug, actor)
    data = request.POST if request.method == "POST" else None
    form = ScheduleForm(page.zones, page.schedule, data)
    result = None
    if form.is_bound:
        result = form.submit(
            lambda: arena_services.set_schedule(
                actor, find.find_tournament(slug, actor), **form.cleaned_data
            )
        )
    if result:
        messages.success(request, _("The schedule is set."))
        return redirect("schedule", slug)
    context = {"page": page, "head": page.head, "form": form}
    return render(request, "arena/schedules/page.html", context, status=form.status)


@require_POST
def run(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin the next round at once; a refusal is shown as a message."""
    actor = actor_from(request)
    managed_schedule_page(slug, actor)
    try:
        round_ = arena_services.run_now(actor, find.find_tournament(slug, actor))
    except Refusal as refusal:
        show_on_next_page(request, refusal)
        return redirect("schedule", slug)
    messages.success(request, _("Round %(round)s has begun.") % {"round": round_.number})
    return redirect("round", slug, round_.number)


def managed_schedule_page(slug: str, actor: Actor) -> status.SchedulePage:
    """Return the schedule's page, for those who manage the tournament. Refuses FORBIDDEN."""
    page = status.schedule_page(slug, actor)
    refuse_unless(page.head.may.manage, actor)
    return page


@require_safe
def round_deals(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Download the records of a closed round of bots with its seed, for `baza verify-round`."""
    body = round_file(slug, number, actor_from(request))
    return download_response(body, f"{slug}.{number}.ndjson", NDJSON)


@require_POST
def play(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Request that the bots' matches be played."""
    actor = actor_from(request)
    play_round(actor, find.find_round(slug, number, actor))
    messages.success(request, _("The bots are sitting down to play."))
    return redirect("round", slug, number)


@require_POST
def pause_or_resume_round(request: HttpRequest, slug: str, number: int, verb: str) -> HttpResponse:
    """Pause or resume the bots of the round; a refusal is shown on the round's page."""
    actor = actor_from(request)
    button, round_ = find_button(ROUND_BUTTONS, verb)[1], find.find_round(slug, number, actor)
    run_action(request, lambda: button.act(actor, round_), button.done)
    return redirect("round", slug, number)


ROUND_BUTTONS: Final[Mapping[str, Button[[Actor, Round]]]] = {
    "pause": Button(
        arena_services.pause_round,
        gettext_lazy("The bots finish the matches that they are at, and begin no other."),
    ),
    "resume": Button(arena_services.resume_round, gettext_lazy("The bots play on.")),
}

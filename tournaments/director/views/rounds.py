"""Pages of rounds: tables, draws, drafts edited by hand, deals of duplicate stages."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeVar

from django import forms
from django.contrib import messages
from django.db.models import Max, Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.core import find
from tournaments.core.buttons import Button, find_button
from tournaments.core.errors import Reason, Refusal
from tournaments.core.forms import Form, text_area
from tournaments.core.live_version import live_version
from tournaments.core.page_cache import cached_page
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.core.views import (
    JSON,
    NO_CONTENT,
    ConfirmedAction,
    actor_from,
    confirm_page,
    download_response,
    page_after,
    read_stage,
    run_action,
    show_on_next_page,
    unchanged_response,
)
from tournaments.director.forms.plan import SEEDINGS
from tournaments.director.queries import boards as boards_queries
from tournaments.director.queries import drafts
from tournaments.director.queries import draws as draws_queries
from tournaments.director.queries import rounds as rounds_queries
from tournaments.director.queries.boards import boards_page
from tournaments.director.queries.desk import round_clock
from tournaments.director.queries.forfeits import forfeits_of_round
from tournaments.director.queries.lists import MAX_ENTRIES
from tournaments.director.queries.replanning import replan_offer
from tournaments.director.queries.rounds import Progress, round_progress
from tournaments.director.queries.state import closed_text, closed_to
from tournaments.director.queries.tournaments import lots_due
from tournaments.director.services import draws, replanning, tournaments
from tournaments.director.services import rounds as rounds_services
from tournaments.director.services.draws import MAX_DRAW_REASON_LENGTH
from tournaments.domain.state import Verbs
from tournaments.models import Entry, Match, Round

# --- Rounds ---------------------------------------------------------------------------------------
# The rounds of a tournament: their matches, publishing and closing them.


PEOPLE_STATE = re.compile(r"[a-z]+-[0-9]+")
"""Form of the ``seen`` parameter for rounds of people; that of bots has more parts."""

CLOCK_CACHE_SECONDS: Final = 15
"""How long the page of a round with a clock may be cached; its script counts the time left."""


@require_safe
@cached_page
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all rounds with their matches."""
    version = live_version(slug, actor_from(request))
    if response := unchanged_response(request, version):
        return response
    page = rounds_queries.rounds_page(slug, actor_from(request))
    context = {
        "version": version,
        "page": page,
        "head": page.head,
        "next": drafts.next_to_draw(page.head),
        "lots": lots_due(page.head),
        "offer": replan_offer(page.head),
    }
    return render(request, "director/rounds/list.html", context)


@require_safe
def round_(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show one round: the pairings by table."""
    if rounds_queries.is_for_bots(slug, number):
        return render_round(request, slug=slug, number=number)
    return cached_page(render_round, every=CLOCK_CACHE_SECONDS)(request, slug=slug, number=number)


def render_round(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a round of people or bots."""
    return render(request, "director/rounds/page.html", round_context(request, slug, number))


@require_safe
def board(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return the list of a round's matches, with its clock; UNCHANGED if it was ``seen``."""
    if not PEOPLE_STATE.fullmatch(request.GET.get("seen", "")) and rounds_queries.is_for_bots(
        slug, number
    ):
        return render_board(request, slug=slug, number=number)
    return cached_page(render_board)(request, slug=slug, number=number)


def render_board(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return the list of the matches of a round of people or bots, and its clock.

    The clock has only its end; the page's script counts the time left.
    """
    context = round_context(request, slug, number)
    if request.GET.get("seen") == context["state"]:
        return HttpResponse(status=NO_CONTENT)
    return render(request, "director/rounds/_moved.html", context)


def round_context(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    """Return the context of a round's page, with its state and version."""
    version = live_version(slug, actor_from(request))
    page = rounds_queries.round_page(slug, number, actor_from(request))
    state = board_version(page.round.state, page.progress)
    if page.progress is None:
        state = f"{state}-{version}"
    forfeits = forfeits_of_round(slug, number) if page.progress else {}
    context = {"page": page, "head": page.head, "round": page.round, "slug": slug, "state": state}
    return {
        **context,
        "forfeits": forfeits,
        "clock": round_clock(page.head, number),
        **(publish_notice(page.may, slug) if page.may["arrange"] else {}),
    }


def publish_notice(may: Verbs, slug: str) -> dict[str, str]:
    """Return why a draft cannot be published, with the address where something is to be done."""
    refusal = closed_to(may, "publish")
    if refusal is None:
        return {}
    pages = {Reason.EARLIER_DRAFT: "round", Reason.DRAFT_OUTDATED: "draft"}
    page = pages.get(refusal.reason)
    address = reverse(page, args=[slug, refusal.params["round"]]) if page else ""
    return {"closed": refusal.message, "closed_address": address}


def board_version(state: str, progress: Progress | None) -> str:
    """Return the version of the list of matches: it changes whenever the list does."""
    return f"{state}-{progress.board}" if progress else state


@require_safe
def progress(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return the progress of the bots; UNCHANGED if it was ``seen``.

    ``board`` is the version of the list of matches that the browser has; if it is old, an
    HX-Trigger header makes the browser fetch the list.
    """
    round_row, progress = round_progress(slug, number, actor_from(request))
    if request.GET.get("seen") == progress.version:
        return HttpResponse(status=NO_CONTENT)
    state = board_version(round_row.state, progress)
    context = {"progress": progress, "round": round_row, "slug": slug, "state": state}
    answer = render(request, "director/rounds/_progress.html", context)
    if request.GET.get("board") != state:
        answer["HX-Trigger"] = "board"
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Publish the round; with ``as_is``, from the draft's page, also one that is outdated.

    With ``together`` also the next rounds of the stages that are played beside it.
    """
    message, as_is = _("Round %(number)s is published."), "as_is" in request.POST
    action = partial(tournaments.publish_round, as_is=as_is, together="together" in request.POST)
    return confirm_step(request, slug, number, "publish", action, message, only_service=as_is)


@require_http_methods(["GET", "HEAD", "POST"])
def replan(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Plan the round and the later ones again, from those who are there now."""
    actor = actor_from(request)
    page = rounds_queries.round_page(slug, number, actor)
    refuse_unless(page.head.may.manage, actor)
    step = ConfirmedAction(
        act=lambda: replanning.replan(actor, find.find_round(slug, number, actor)),
        done=_("The rounds from %(number)s on are planned again.") % {"number": number},
        back=reverse("rounds", args=[slug]),
        closed=closed_text(page.may, "replan"),
    )
    context = {"page": page, "head": page.head, "round": page.round}
    context["offer"] = replan_offer(page.head)
    return confirm_page(request, "director/rounds/replan.html", context, step)


@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Close the round; its seed is revealed."""
    message = _("Round %(number)s is closed.")
    return confirm_step(request, slug, number, "close", tournaments.close_round, message)


def confirm_step(
    request: HttpRequest,
    slug: str,
    number: int,
    verb: str,
    action: Callable[[Actor, Round], object],
    message: str,
    *,
    only_service: bool = False,
) -> HttpResponse:
    """Ask for confirmation of what is done with a round, and do it.

    ``only_service``: the service alone says whether the verb is closed.
    """
    actor = actor_from(request)
    page = rounds_queries.round_page(slug, number, actor)
    refuse_unless(page.head.may.manage, actor)
    step = ConfirmedAction(
        act=lambda: action(actor, find.find_round(slug, number, actor)),
        done=message % {"number": number},
        back=page_after(request, slug, reverse("round", args=[slug, number])),
        closed="" if only_service else closed_text(page.may, verb),
    )
    context = {"page": page, "head": page.head, "round": page.round}
    return confirm_page(request, f"director/rounds/{verb}.html", context, step)


# --- Drafts ---------------------------------------------------------------------------------------
# Editing a draft by hand: swap, pin, remove, pair, draw again.


MAX_ROUND_DIGITS = 3
"""Digits of the number of a round in a form, as over the API; above the 500 rounds of a stage."""

Row = TypeVar("Row", bound=Model)


@require_safe
def draft(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a draft with the rules it breaks and the buttons to change it."""
    actor = actor_from(request)
    page = drafts.draft_page(slug, number, actor, get_language())
    refuse_unless(page.head.may.manage, actor)
    context = {"page": page, "head": page.head, **publish_notice(page.may, slug)}
    return render(request, "director/drafts/page.html", context)


@require_POST
def change_draft(request: HttpRequest, slug: str, number: int, verb: str) -> HttpResponse:
    """Change a draft; a refusal is shown on its page."""
    actor = actor_from(request)
    round_ = find.find_round(slug, number, actor)
    button = find_button(DRAFT_BUTTONS, verb)[1]
    run_action(
        request,
        lambda: rounds_services.change_as_seen(
            actor,
            round_,
            request.POST.get("arrangement", ""),
            lambda: button.act(actor, round_, request),
        ),
    )
    return redirect("draft", slug, number)


@require_http_methods(["GET", "HEAD", "POST"])
def discard_round(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Delete a draft; this can be undone."""
    actor = actor_from(request)
    page = drafts.draft_page(slug, number, actor, get_language())
    refuse_unless(page.head.may.manage, actor)
    step = ConfirmedAction(
        act=lambda: rounds_services.discard_round(actor, find.find_round(slug, number, actor)),
        done=_("The draft of round %(number)s is gone. It can be taken back under “Undo”.")
        % {"number": number},
        back=reverse("rounds", args=[slug]),
    )
    context = {"page": page, "head": page.head}
    return confirm_page(request, "director/drafts/discard.html", context, step)


@require_POST
def draw_next(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw the round after the last one, of the stage that is asked for, and show its draft."""
    actor = actor_from(request)
    tournament = find.find_tournament(slug, actor)
    after = request.POST.get("after", "")
    stage = request.POST.get("stage", "")
    for number in (after, stage or "0"):
        if not number.isdecimal() or len(number) > MAX_ROUND_DIGITS:
            raise Refusal(Reason.UNKNOWN_CHOICE, text=number[:60])
    try:
        round_ = draws.draw_next(actor, tournament, after=int(after), stage=int(stage or 0) or None)
    except Refusal as refusal:
        show_on_next_page(request, refusal)
        return redirect(page_after(request, slug, reverse("rounds", args=[slug])))
    where = "draft" if round_.state == Round.State.DRAFT else "round"
    return redirect(page_after(request, slug, reverse(where, args=[slug, round_.number])))


def row_in_form(rows: QuerySet[Row], field: str, number: str) -> Row:
    """Return the row whose ``field`` is the number in a form; refuses UNKNOWN_CHOICE."""
    # Six digits: a longer number would overflow the database column.
    row = rows.filter(**{field: int(number[:6])}).first() if number.isdecimal() else None
    if row is None:
        raise Refusal(Reason.UNKNOWN_CHOICE, text=number[:60])
    return row


def entries_in_form(round_: Round, request: HttpRequest, *names: str) -> list[Entry]:
    """Return the entries that these fields of the form name by their numbers."""
    entries = round_.stage.tournament.entries.with_players()
    return [row_in_form(entries, "number", request.POST.get(name, "")) for name in names]


def match_in_form(round_: Round, request: HttpRequest) -> Match:
    """Return the table that a button belongs to."""
    matches = Match.objects.with_names().filter(round=round_)
    return row_in_form(matches, "table", request.POST.get("table", ""))


DRAFT_BUTTONS: Final[Mapping[str, Button[[Actor, Round, HttpRequest]]]] = {
    "swap": Button(
        lambda actor, round_, request: rounds_services.swap(
            actor, round_, *entries_in_form(round_, request, "one", "other")
        )
    ),
    "pair": Button(
        lambda actor, round_, request: rounds_services.pair(
            actor, round_, *entries_in_form(round_, request, "one", "other")
        )
    ),
    "give-bye": Button(
        lambda actor, round_, request: rounds_services.give_bye(
            actor, round_, entries_in_form(round_, request, "one")[0]
        ),
        earlier=("rest",),
    ),
    "pin": Button(
        lambda actor, round_, request: rounds_services.pin(actor, match_in_form(round_, request))
    ),
    "unpin": Button(
        lambda actor, round_, request: rounds_services.pin(
            actor, match_in_form(round_, request), pinned=False
        )
    ),
    "unpair": Button(
        lambda actor, round_, request: rounds_services.unpair(
            actor, match_in_form(round_, request)
        ),
        earlier=("part",),
    ),
    "undo": Button(lambda actor, round_, _request: rounds_services.undo_move(actor, round_)),
    "draw-again": Button(
        lambda actor, round_, _request: rounds_services.draw_again(actor, round_),
        earlier=("again",),
    ),
    "fill": Button(
        lambda actor, round_, _request: rounds_services.draw_again(actor, round_, keep_all=True)
    ),
}


# --- Boards ---------------------------------------------------------------------------------------
# The deals of a duplicate stage: printed before it is played, compared when it is over.


@require_safe
def boards(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one card for each deal, with the results of the tables."""
    page = boards_page(slug, actor_from(request), read_stage(request))
    return render(
        request, "director/boards/page.html", {"page": page, "head": page.head, "tab": "boards"}
    )


@require_safe
def own_deals(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the deals of an entry beside the results of the other tables."""
    page = boards_page(slug, actor_from(request), read_stage(request))
    find.not_found_unless(number in page.entries)
    context = {"page": page, "head": page.head, "own": boards_queries.own_deals(page, number)}
    return render(request, "director/boards/own.html", context)


# --- Draws ----------------------------------------------------------------------------------------
# Draws of stages: choice of the seeding, draws by hand, second draws, projector, file.


# At most six digits: no entry has a longer number, and int() refuses thousands of digits.
NUMBER = re.compile(r"[0-9]{1,6}", re.ASCII)


class SeedingForm(Form):
    """How a stage is seeded."""

    seeding = forms.ChoiceField(label=gettext_lazy("How the draw is made"), choices=SEEDINGS)
    seeded = forms.IntegerField(
        label=gettext_lazy("Seeded before the lots are drawn"),
        min_value=0,
        max_value=MAX_ENTRIES,
        required=False,
    )


class DrawForm(Form):
    """An order drawn by hand, or the reason of another draw."""

    reason = forms.CharField(
        label=gettext_lazy("Why it is drawn again"), max_length=MAX_DRAW_REASON_LENGTH
    )
    order = forms.CharField(
        label=gettext_lazy("Order drawn by hand"),
        required=False,
        max_length=40_000,
        widget=text_area(8, inputmode="numeric"),
        help_text=gettext_lazy(
            "The numbers of the entries as the balls came out, with spaces or one a line."
        ),
    )

    def __init__(self, *args: Any, is_again: bool, **kwargs: Any) -> None:
        """Ask for a reason if the stage has been drawn, else for the order."""
        super().__init__(*args, **kwargs)
        self.fields["order"].required = not is_again
        if is_again:
            self.fields["order"].label = _("Order drawn by hand; empty: Baza draws")
        else:
            del self.fields["reason"]

    @property
    def numbers(self) -> list[int]:
        """The entry numbers of the order, in order."""
        return [int(number) for number in NUMBER.findall(self.cleaned_data["order"])]

    def field_of(self, refusal: Refusal) -> str | None:
        """Return the name of the field that a refusal is about."""
        field = "order" if refusal.reason is Reason.BAD_ORDER else "reason"
        is_ours = refusal.reason in {Reason.BAD_ORDER, Reason.BAD_REASON, Reason.REASON_MISSING}
        return field if is_ours and field in self.fields else None


@require_safe
def draws_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how every stage is and was drawn."""
    page = draws_queries.draws_page(slug, actor_from(request))
    stages = [
        (stage, SeedingForm(initial={"seeding": stage.seeding, "seeded": stage.seeded}))
        for stage in page.stages
    ]
    context = {"page": page, "head": page.head, "stages": stages, "tab": "draws"}
    return render(request, "director/draws/page.html", context)


@require_POST
def set_seeding(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Choose how a stage is seeded; a refusal is shown on the page of the draws."""
    actor = actor_from(request)
    stage = find.find_stage(slug, number, actor)
    refuse_unless(may_manage(actor, stage.tournament.club), actor)
    form = SeedingForm(request.POST)
    if form.is_valid():
        data = form.cleaned_data
        run_action(
            request,
            lambda: draws.set_seeding(actor, stage, data["seeding"], data["seeded"] or 0),
            _("Saved: the stage is drawn like that."),
        )
    else:
        messages.error(request, _("Choose how the stage is drawn, and how many are seeded."))
    return redirect("draws", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def draw_stage(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Enter an order drawn by hand, or draw a stage again with a reason."""
    actor = actor_from(request)
    page = draws_queries.draws_page(slug, actor)
    refuse_unless(page.head.may.manage, actor)
    stage = page.stage(number)
    is_again = stage.may_draw_again
    form = DrawForm(request.POST or None, is_again=is_again)
    if form.submit(lambda: _draw(actor, slug, number, form, is_again=is_again)):
        messages.success(request, _("The stage is drawn. Publish its first round, and all see it."))
        return redirect("draws", slug)
    context = {
        "head": page.head,
        "stage": stage,
        "form": form,
        "is_again": is_again,
        "candidates": draws_queries.candidates(slug, actor, number),
    }
    return render(request, "director/draws/stage.html", context, status=form.status)


def _draw(actor: Actor, slug: str, number: int, form: DrawForm, *, is_again: bool) -> object:
    stage, order = find.find_stage(slug, number, actor), form.numbers
    if is_again:
        reason = form.cleaned_data["reason"]
        return draws.draw_again(actor, stage, reason=reason, order=order)
    if number == 1:
        return draws.draw(actor, stage.tournament, order=order)
    rounds = Round.objects.filter(stage__tournament=stage.tournament)
    after = rounds.aggregate(last=Max("number"))["last"] or 0
    return draws.draw_next(actor, stage.tournament, after=after, stage=number, order=order)


@require_safe
def projector(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the draw on a projector, one name at a time."""
    actor = actor_from(request)
    number_given = NUMBER.fullmatch(request.GET.get("shown", "0"))
    page = draws_queries.draw_step_page(
        slug, actor, number, int(number_given.group()) if number_given else 0
    )
    refuse_unless(page.head.may.manage or page.stage.is_public, actor)
    scheme = "light" if request.GET.get("scheme") == "light" else "dark"
    context = {"page": page, "head": page.head, "scheme": scheme}
    return render(request, "director/draws/hall.html", context)


@require_safe
def draw_file(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return the tournament file from before the draw, with the seed, for `baza pair`."""
    body = draws_queries.draw_file(slug, actor_from(request), number)
    return download_response(body, f"{slug}.draw-{number}.json", JSON)

"""Pages of prizes: the list of a tournament or season, and the ceremony."""

from collections.abc import Callable, Sequence
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.core import find
from tournaments.core.forms import Form
from tournaments.core.permissions import refuse_unless
from tournaments.core.views import actor_from
from tournaments.director.queries.state import refuse_unless_open
from tournaments.director.queries.tournaments import TournamentHead, open_tournament
from tournaments.models import CashEntry
from tournaments.standings.forms import (
    EMPTY_LINES,
    HandOutForm,
    PrizeLineForm,
    PrizeSettingsForm,
    SeasonPrizeLineForm,
    count_lines,
    line_initial,
)
from tournaments.standings.queries import prizes as queries
from tournaments.standings.queries.seasons import find_season, season_page
from tournaments.standings.services import prizes as services
from tournaments.standings.services.prizes import NewPrize

# --- The list -------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def set_prizes(request: HttpRequest, slug: str) -> HttpResponse:
    """Edit the list of prizes of a tournament."""
    actor = actor_from(request)
    access = open_tournament(slug, actor)
    refuse_unless_open(access.head.may.verbs, "set_prizes", actor)
    prizes = queries.prize_list(access.tournament)
    stages = _stage_choices(access.head)
    lines = _line_forms(request, prizes.lines, partial(PrizeLineForm, stages))
    form = (
        PrizeSettingsForm(request.POST)
        if request.method == "POST"
        else PrizeSettingsForm.of(prizes)
    )
    if (wanted := _wanted(request, lines)) is not None:
        done = form.submit(
            lambda: services.set_prizes(actor, access.tournament, wanted, **form.cleaned_data)
        )
        if done:
            messages.success(request, gettext("The list of prizes is saved."))
            return redirect("set-prizes", slug)
    context = {"head": access.head, "prizes": prizes, "form": form, "lines": lines}
    return render(request, "standings/prizes/edit.html", context, status=_status(form, lines))


def _stage_choices(head: TournamentHead) -> list[tuple[str, str]]:
    """Return the stages whose places can have prizes, where there are several."""
    stages = head.stages if len(head.stages) > 1 else ()
    names = gettext("stage %(number)d")
    return [
        (str(one.number), " ".join(filter(None, (names % {"number": one.number}, one.name))))
        for one in stages
    ]


def _line_forms(
    request: HttpRequest, lines: Sequence[queries.PrizeLineRow], make: Callable[..., PrizeLineForm]
) -> list[PrizeLineForm]:
    """Return the forms of the lines, as they were sent or as they are with some empty ones."""
    if request.method == "POST":
        return [make(request.POST, prefix=str(n)) for n in range(count_lines(request.POST))]
    initial = [line_initial(line) for line in lines] + [{}] * EMPTY_LINES
    return [make(initial=values, prefix=str(n)) for n, values in enumerate(initial)]


def _wanted(request: HttpRequest, lines: Sequence[PrizeLineForm]) -> list[NewPrize] | None:
    """Return the lines that were sent; None where there are none or one is wrong."""
    if request.method != "POST" or not all(line.is_valid() for line in lines):
        return None
    return [line.prize for line in lines if line.prize is not None]


def _status(form: Form, lines: Sequence[PrizeLineForm]) -> int:
    return 422 if any(line.errors for line in lines) else form.status


@require_http_methods(["GET", "HEAD", "POST"])
def set_season_prizes(request: HttpRequest, slug: str, season: str) -> HttpResponse:
    """Edit the list of prizes of a season."""
    actor = actor_from(request)
    page = season_page(slug, season, actor)
    refuse_unless_open(page.verbs, "set_prizes", actor)
    row = find_season(slug, season)
    prizes = queries.season_prizes(row, page.lines)
    lines = _line_forms(request, prizes.lines, SeasonPrizeLineForm)
    form = Form(request.POST if request.method == "POST" else None)
    wanted = _wanted(request, lines)
    change = partial(services.set_season_prizes, actor, row, wanted or [])
    done = None if wanted is None else form.submit(change)
    if done:
        messages.success(request, gettext("The list of prizes is saved."))
        return redirect("season", slug, season)
    context = {"page": page, "prizes": prizes, "form": form, "lines": lines}
    return render(
        request, "standings/prizes/edit_season.html", context, status=_status(form, lines)
    )


# --- The ceremony ---------------------------------------------------------------------------------


@require_safe
def ceremony(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who is called and gets what, the last first, and what was handed out."""
    return _ceremony(request, slug)


def _ceremony(request: HttpRequest, slug: str, form: HandOutForm | None = None) -> HttpResponse:
    page = queries.ceremony_page(slug, actor_from(request))
    context = {"page": page, "head": page.head, "prizes": page.prizes, "form": form}
    status = form.status if form else 200
    return render(request, "standings/prizes/ceremony.html", context, status=status)


@require_POST
def hand_out(request: HttpRequest, slug: str) -> HttpResponse:
    """Note that a prize was handed out, and to whom."""
    actor = actor_from(request)
    head = open_tournament(slug, actor).head
    refuse_unless(head.may.arbitrate, actor)
    form = HandOutForm(request.POST)
    given = form.submit(
        lambda: services.hand_out(
            actor,
            find.find_entry(slug, form.cleaned_data["number"], actor),
            cents=form.cleaned_data["cents"],
            stage=form.cleaned_data["stage"],
            payee=form.cleaned_data["payee"],
        )
    )
    if given is None:
        return _ceremony(request, slug, form)
    messages.success(request, gettext("Noted: handed out to %(name)s.") % {"name": given[0].payee})
    return redirect("ceremony", slug)


@require_POST
def take_back(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Reverse the note that a prize was handed out."""
    actor = actor_from(request)
    head = open_tournament(slug, actor).head
    refuse_unless(head.may.arbitrate, actor)
    notes = CashEntry.objects.select_related("tournament__club", "request", "prize")
    note = find.or_404(notes.filter(pk=pk, tournament__slug=slug).first())
    services.take_back(actor, note)
    messages.success(request, gettext("Taken back: the prize is still to be handed out."))
    return redirect("ceremony", slug)

"""Pages of players, pairs and bots, head to head, privacy, statistics."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth import logout
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.accounts.forms import PasswordForm
from tournaments.accounts.services.accounts import check_password, require_user
from tournaments.accounts.views.accounts import submit_with_password_limit
from tournaments.analysis.queries.play import figures
from tournaments.core import find
from tournaments.core.find import find_pair, find_player
from tournaments.core.live_version import club_version
from tournaments.core.page_cache import BOT_PAGES, cached_club_page
from tournaments.core.permissions import may_manage, refuse_unless
from tournaments.core.views import (
    ConfirmedAction,
    actor_from,
    confirm_page,
    leave_out_of_search,
)
from tournaments.director.queries.tournaments import tournament_head
from tournaments.domain.curve import Drawing, draw_curve
from tournaments.domain.names import ruleset_name
from tournaments.domain.ratings import NEWCOMER
from tournaments.models import Pair, Player
from tournaments.models.people import is_one_with
from tournaments.people.forms import ClubForm
from tournaments.profiles.forms import (
    EraseAccountForm,
    ErasePlayerForm,
    MergeForm,
    NameForm,
    SplitForm,
)
from tournaments.profiles.queries import person, players
from tournaments.profiles.queries.meetings import head_to_head
from tournaments.profiles.queries.merging import (
    Mergeable,
    candidates,
    merge_preview,
    split_events,
)
from tournaments.profiles.queries.players import PlayerPage
from tournaments.profiles.queries.statistics import Bar, statistics_page
from tournaments.profiles.services import erasing, merging, renaming, splitting
from tournaments.ratings.queries import pages
from tournaments.ratings.queries.pages import RatingPage

# --- Players --------------------------------------------------------------------------------------
# The results of players, pairs and bots.


@require_safe
@partial(cached_club_page, read=lambda pk: club_version(club__players=pk))
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a player: results, partners, opponents, declarations, rating."""
    page = players.player_page(pk, actor_from(request), _ruleset(request))
    return _render_person(request, page) if page.who.pk == pk else redirect("player", page.who.pk)


@require_safe
@partial(cached_club_page, read=lambda pk: club_version(club__pairs=pk))
def pair(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a pair."""
    page = players.pair_page(pk, actor_from(request))
    return _render_person(request, page) if page.who.pk == pk else redirect("pair", page.who.pk)


@require_safe
@partial(cached_club_page, read=lambda **_: "", every=BOT_PAGES)
def bot(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the results of a bot."""
    return _render_player(request, players.bot_page(slug, actor_from(request), _ruleset(request)))


@require_http_methods(["GET", "HEAD", "POST"])
def rename_player(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct a player's name."""
    actor = actor_from(request)
    row = find_player(pk)
    as_written = "as_written" in request.POST

    def rename(name: str) -> Player:
        return renaming.rename_player(actor, row, name, as_written=as_written)

    return _renamed(request, row, rename)


@require_http_methods(["GET", "HEAD", "POST"])
def rename_pair(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct a pair's name."""
    actor = actor_from(request)
    row = find_pair(pk)
    return _renamed(request, row, lambda name: renaming.rename_pair(actor, row, name))


def _renamed(
    request: HttpRequest, row: Player | Pair, rename: Callable[[str], Player | Pair]
) -> HttpResponse:
    """Show the form for a corrected name, or save it."""
    actor = actor_from(request)
    refuse_unless(may_manage(actor, row.club), actor)
    back = reverse("player" if isinstance(row, Player) else "pair", args=[row.pk])
    form = NameForm(request.POST or None, initial={"name": row.name})
    if form.submit(lambda: rename(form.cleaned_data["name"])):
        messages.success(request, _("The name is right now, everywhere."))
        return redirect(back)
    context = {"page": row.club, "row": row, "form": form, "back": back}
    return render(request, "profiles/name.html", context, status=form.status)


@require_http_methods(["GET", "HEAD", "POST"])
def merge_player(request: HttpRequest, pk: int) -> HttpResponse:
    """Search the other name of a player, show what a merge changes, and merge."""
    actor, player = actor_from(request), find_player(pk)
    return _merge(request, player, find_player, partial(merging.merge_player, actor, player))


@require_http_methods(["GET", "HEAD", "POST"])
def merge_pair(request: HttpRequest, pk: int) -> HttpResponse:
    """Search the other name of a pair, show what a merge changes, and merge."""
    actor, pair = actor_from(request), find_pair(pk)
    return _merge(request, pair, find_pair, partial(merging.merge_pair, actor, pair))


def _merge(
    request: HttpRequest,
    row: Mergeable,
    find_other: Callable[[int], Mergeable],
    merge: Callable[[Any], Mergeable],
) -> HttpResponse:
    """Show the people that a player or pair may be the same as, or what merging it changes."""
    actor = actor_from(request)
    refuse_unless(may_manage(actor, row.club), actor)
    kind = "player" if isinstance(row, Player) else "pair"
    form = MergeForm(request.GET)
    fields = form.cleaned_data if form.is_valid() else {}
    context: dict[str, Any] = {"page": row.club, "row": row, "kind": kind, "form": form}
    if not fields.get("other"):
        found = candidates(row, fields.get("q", ""))
        return render(request, "profiles/merging/search.html", context | {"found": found})
    main = find_other(fields["other"])
    find.not_found_unless(main.club_id == row.club_id)
    step = ConfirmedAction(
        act=lambda: merge(main),
        done=_("“%(name)s” and “%(other)s” are the same now.")
        % {"name": row.name, "other": main.name},
        back=reverse(kind, args=[main.pk]),
    )
    preview = merge_preview(row, main)
    context |= {"preview": preview, "other": main}
    return confirm_page(request, "profiles/merging/preview.html", context, step)


@require_http_methods(["GET", "HEAD", "POST"])
def split_player(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose the tournaments of a player that another person of the name played, and split."""
    actor, player = actor_from(request), find_player(pk)
    refuse_unless(may_manage(actor, player.club), actor)
    form = SplitForm(split_events(player), request.POST or None)

    def split() -> Player:
        slugs = form.cleaned_data["tournaments"]
        tournaments = [find.find_tournament(slug, actor) for slug in slugs]
        return splitting.split_player(actor, player, tournaments, form.cleaned_data["mark"])

    if new := form.submit(split):
        messages.success(request, _("“%(name)s” has these tournaments now.") % {"name": new.name})
        return redirect("player", new.pk)
    context = {"page": player.club, "row": player, "form": form}
    return render(request, "profiles/merging/split.html", context, status=form.status)


@require_http_methods(["GET", "HEAD", "POST"])
def separate_player(request: HttpRequest, pk: int) -> HttpResponse:
    """Undo the merge of a player."""
    actor, player = actor_from(request), find_player(pk)
    return _separate(request, player, lambda: merging.separate_player(actor, player))


@require_http_methods(["GET", "HEAD", "POST"])
def separate_pair(request: HttpRequest, pk: int) -> HttpResponse:
    """Undo the merge of a pair."""
    actor, pair = actor_from(request), find_pair(pk)
    return _separate(request, pair, lambda: merging.separate_pair(actor, pair))


def _separate(
    request: HttpRequest, row: Mergeable, separate: Callable[[], Mergeable]
) -> HttpResponse:
    actor = actor_from(request)
    refuse_unless(may_manage(actor, row.club), actor)
    kind = "player" if isinstance(row, Player) else "pair"
    step = ConfirmedAction(
        act=separate,
        done=_("“%(name)s” has a page of its own again.") % {"name": row.name},
        back=reverse(kind, args=[row.pk]),
    )
    context = {"page": row.club, "row": row, "kind": kind, "main": row.main}
    return confirm_page(request, "profiles/merging/separate.html", context, step)


def _ruleset(request: HttpRequest) -> str:
    return request.GET.get("ruleset", "")


def _render_person(request: HttpRequest, page: PlayerPage) -> HttpResponse:
    """Render the page of a player or pair, out of search engines unless they may list it."""
    response = _render_player(request, page)
    return response if page.in_search else leave_out_of_search(response)


def _render_player(request: HttpRequest, page: PlayerPage) -> HttpResponse:
    context = {
        "page": page,
        "curve": _curve(page.rating) if page.rating is not None else None,
        "tab": request.GET.get("tab", ""),
    }
    return render(request, "profiles/players/page.html", context)


def _curve(page: RatingPage) -> Drawing | None:
    """Draw a rating by the days of the matches, which may have been typed in another order."""
    by_day = sorted(page.curve, key=lambda point: (point.day, point.number))
    numbers = [point.number for point in page.curve]
    return draw_curve(
        [
            (number, point.rating, point.margin)
            for number, point in zip(numbers, by_day, strict=True)
        ]
    )


# --- Head to head ---------------------------------------------------------------------------------


@require_safe
def meetings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all meetings of the two chosen, and the lists to choose from."""
    parameter = request.GET.get
    page = head_to_head(slug, parameter("one", ""), parameter("other", ""))
    return render(request, "profiles/players/head_to_head.html", {"page": page})


# --- Privacy --------------------------------------------------------------------------------------
# Export and erasure of personal data.


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def download_own_data(request: HttpRequest) -> HttpResponse:
    """Download the viewer's own personal data, after the password."""
    actor = actor_from(request)
    user = require_user(actor)
    form = PasswordForm(request.POST or None)
    if submit_with_password_limit(
        request, form, lambda: check_password(actor, form.cleaned_data["password"])
    ):
        return json_download(person.account_document(user), "baza-account.json")
    return render(request, "profiles/privacy/own.html", {"form": form}, status=form.status)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def erase_account(request: HttpRequest) -> HttpResponse:
    """Show what erasing the viewer's account removes and what stays; erase it."""
    actor = actor_from(request)
    page = person.account_to_erase(require_user(actor))
    form = EraseAccountForm(page.username, request.POST or None)

    def erase() -> bool:
        data = form.cleaned_data
        erasing.erase_account(
            actor, data["password"], players=data["players"], also=data["also"].splitlines()
        )
        return True

    if submit_with_password_limit(request, form, erase):
        logout(request)
        messages.success(request, _("Your account is erased."))
        return redirect("home")
    context = {"page": page, "form": form}
    return render(request, "profiles/privacy/account.html", context, status=form.status)


@require_safe
def people(request: HttpRequest, slug: str) -> HttpResponse:
    """List the players of a club with links to export and erasure."""
    page = person.people_to_erase(slug, actor_from(request))
    return render(request, "profiles/privacy/people.html", {"page": page})


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def player_data(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Download a player's personal data, for the club's organisers, after the password."""
    actor = actor_from(request)
    player = person.player_of_club(slug, pk, actor)
    form = PasswordForm(request.POST or None)
    if submit_with_password_limit(
        request, form, lambda: check_password(actor, form.cleaned_data["password"])
    ):
        return json_download(person.player_document(player), f"baza-player-{player.pk}.json")
    context = {"form": form, "player": player, "page": player.club}
    return render(request, "profiles/privacy/data.html", context, status=form.status)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up_data(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Download or erase the data of a request for a place, after the password."""
    actor = actor_from(request)
    head = tournament_head(slug, actor)
    row = person.sign_up_of_club(slug, number, actor)
    form = PasswordForm(request.POST or None)
    if submit_with_password_limit(
        request, form, lambda: check_password(actor, form.cleaned_data["password"])
    ):
        if request.POST.get("verb") != "erase":
            return json_download(person.sign_up_document(row), f"baza-sign-up-{number}.json")
        erased = form.submit(lambda: erasing.erase_sign_up(actor, row))
        if erased is not None:
            messages.success(request, _("The data are erased."))
            return redirect("sign-ups", slug)
    context = {"head": head, "row": row, "form": form}
    return render(request, "profiles/privacy/sign_up.html", context, status=form.status)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def erase_player(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show what erasing a player removes and what stays; erase it."""
    actor = actor_from(request)
    player = person.player_of_club(slug, pk, actor)
    erasure = person.player_to_erase(slug, pk, actor)
    form = ErasePlayerForm(erasure.name, request.POST or None)

    def erase() -> str:
        data = form.cleaned_data
        check_password(actor, data["password"])
        return erasing.erase_player(actor, player, data["also"].splitlines()).name

    if name := submit_with_password_limit(request, form, erase):
        messages.success(request, _("Erased: the results stay under “%(name)s”.") % {"name": name})
        return redirect("people-data", slug)
    context = {"erasure": erasure, "form": form, "club": player.club}
    return render(request, "profiles/privacy/player.html", context, status=form.status)


def json_download(document: bytes, name: str) -> HttpResponse:
    """Return a JSON document as a download."""
    answer = HttpResponse(document, content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


# --- Statistics -----------------------------------------------------------------------------------
# The statistics of a club as tables with bars.


CALLS: Final = {
    "40": gettext_lazy("the forty"),
    "20": gettext_lazy("a twenty"),
    "tute": gettext_lazy("a tute"),
}


@dataclass(frozen=True, slots=True)
class DrawnBar:
    """A row of a chart: its texts, and the length of its bar in per cent of the longest."""

    label: str
    value: str
    percent: float


@dataclass(frozen=True, slots=True)
class Chart:
    """A table with bars; ``what`` names its columns of labels and numbers."""

    key: str
    title: str
    what: tuple[str, str]
    bars: tuple[DrawnBar, ...]


@require_safe
def statistics(request: HttpRequest, slug: str) -> HttpResponse:
    """Show months, rulesets, margins, declarations and the busiest, as charts and tables."""
    page = statistics_page(slug)
    statistics = page.statistics
    match, hand = _("Matches"), _("Hands")
    rulesets = [Bar(ruleset_name(bar.label), bar.count) for bar in statistics.rulesets]
    charts = [
        _bar_chart(
            "months", _("Matches by month"), (_("Month"), match), _format_months(statistics.months)
        ),
        _bar_chart("rulesets", _("Hands by ruleset"), (_("Ruleset"), hand), rulesets),
        _bar_chart(
            "margins", _("Winning margins in hands"), (_("Margin"), match), statistics.margins
        ),
        chart(
            "calls",
            _("Declarations in a hundred hands"),
            (_("Declaration"), _("In a hundred hands")),
            [
                (str(CALLS[call]), share, number_format(share, 1))
                for call, share in statistics.calls
            ],
        ),
        _bar_chart("busiest", _("Who plays most"), (_("Name"), match), statistics.busiest),
    ]
    visible_charts = [item for item in charts if item.bars]
    return render(
        request,
        "profiles/statistics/page.html",
        {"page": page, "statistics": statistics, "charts": visible_charts},
    )


def _bar_chart(key: str, title: str, headings: tuple[str, str], bars: Sequence[Bar]) -> Chart:
    return chart(key, title, headings, [(bar.label, bar.count, str(bar.count)) for bar in bars])


def chart(
    key: str, title: str, headings: tuple[str, str], rows: Sequence[tuple[str, float, str]]
) -> Chart:
    """Lay out rows of label, number and its text; the largest number fills the width."""
    maximum = max((number for _, number, _ in rows), default=0) or 1
    bars = (DrawnBar(label, text, round(100 * number / maximum, 1)) for label, number, text in rows)
    return Chart(key, title, headings, tuple(bars))


def _format_months(months: Sequence[Bar]) -> list[Bar]:
    """Format the months in the active language."""
    return [
        Bar(date_format(date.fromisoformat(f"{bar.label}-01"), "M Y"), bar.count) for bar in months
    ]


@require_http_methods(["GET", "HEAD", "POST"])
def rename_club(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the name and the town of a club."""
    actor = actor_from(request)
    club = find.find_club(slug)
    refuse_unless(may_manage(actor, club), actor)
    form = ClubForm(request.POST or None, initial={"name": club.name, "city": club.city})
    if form.submit(lambda: renaming.rename_club(actor, club, **form.cleaned_data)):
        messages.success(request, _("The name is right now, everywhere."))
        return redirect("club", slug)
    context = {
        "page": club,
        "form": form,
        "back": reverse("club", args=[slug]),
        "refused": person.refused_names(club),
    }
    return render(request, "profiles/name.html", context, status=form.status)


@require_safe
def player_rating(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a player's rating, match by match."""
    page = pages.player_rating(pk, request.GET.get("ruleset", ""))
    if page.player != pk:
        return redirect("player-rating", page.player)
    return _rating_page(request, page)


@require_safe
def bot_rating(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a bot's rating, match by match."""
    ruleset = request.GET.get("ruleset", "")
    return _rating_page(request, pages.bot_rating(slug, ruleset))


def _rating_page(request: HttpRequest, page: RatingPage) -> HttpResponse:
    is_bot = Q(bot__slug=page.bot)
    whose = is_bot if page.player is None else is_one_with("player", page.player)
    context = {
        "page": page,
        "curve": _curve(page),
        "newcomer": NEWCOMER,
        "play": figures(page.ruleset, whose),
    }
    return render(request, "profiles/rating.html", context)

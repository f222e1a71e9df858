"""What search engines, messengers and phones read: robots, sitemap, manifest, oEmbed, JSON-LD."""

from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import sitemap as sitemap_of
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import or_404
from tournaments.core.permissions import NOBODY, public_condition
from tournaments.core.views import origin_of
from tournaments.director.queries.cards import posted
from tournaments.models import Club, Pair, Player, Tournament
from tournaments.people.queries import pairs_in_search, players_in_search
from tournaments.results.queries.matches import hand_page
from tournaments.standings.queries.standings import standings_page

DAY: Final = 24 * 3600  # seconds

MAX_WIDTH: Final = 1200
SIZES: Final = {"embed-standings": (720, 480), "embed-hand": (720, 720)}
"""Width and height of what is embedded, where its reader has room."""

EMBEDDED: Final = {
    "tournament": "embed-standings",
    "embed-standings": "embed-standings",
    "hand": "embed-hand",
    "embed-hand": "embed-hand",
}
"""Pages that oEmbed answers for, each with the page that is framed."""


# --- Search engines -------------------------------------------------------------------------------


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Say which pages search engines leave alone, and where the list of pages is."""
    closed = ("/api/", "/admin/", "/i18n/", "/search/", "/embed/", "/oembed/")
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in closed)]
    lines.append(f"Sitemap: {origin_of(request)}{reverse('sitemap')}")
    response = HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")
    response["Cache-Control"] = f"public, max-age={DAY}"
    return response


class ClubPages(Sitemap):  # type: ignore[type-arg]  # no generics when run
    """The pages of clubs."""

    def items(self) -> QuerySet[Club]:
        """Return the clubs."""
        return Club.objects.order_by("pk")

    def location(self, item: Club) -> str:
        """Return the address of a club."""
        return reverse("club", args=[item.slug])


class TournamentPages(Sitemap):  # type: ignore[type-arg]
    """The pages of public tournaments, and the posters of those that are coming."""

    def items(self) -> QuerySet[Tournament]:
        """Return the public tournaments and the posted ones."""
        coming = posted(Tournament.objects.all()).order_by().values("pk")
        return Tournament.objects.filter(public_condition() | Q(pk__in=coming)).order_by("pk")

    def location(self, item: Tournament) -> str:
        """Return the address of a tournament."""
        name = "poster" if item.state == Tournament.State.DRAFT else "tournament"
        return reverse(name, args=[item.slug])


class PlayerPages(Sitemap):  # type: ignore[type-arg]
    """The pages of players, of clubs that agree."""

    def items(self) -> QuerySet[Player]:
        """Return the players whose pages search engines may list."""
        return players_in_search().order_by("pk")

    def location(self, item: Player) -> str:
        """Return the address of a player."""
        return reverse("player", args=[item.pk])


class PairPages(Sitemap):  # type: ignore[type-arg]
    """The pages of pairs, of clubs that agree."""

    def items(self) -> QuerySet[Pair]:
        """Return the pairs whose pages search engines may list."""
        return pairs_in_search().order_by("pk")

    def location(self, item: Pair) -> str:
        """Return the address of a pair."""
        return reverse("pair", args=[item.pk])


SITEMAPS: Final[dict[str, Any]] = {
    "clubs": ClubPages,
    "tournaments": TournamentPages,
    "players": PlayerPages,
    "pairs": PairPages,
}


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """List the pages of clubs and tournaments, and of people where their club agrees."""
    return sitemap_of(request, SITEMAPS)


# --- Phones ---------------------------------------------------------------------------------------


@require_safe
def manifest(_request: HttpRequest) -> HttpResponse:
    """Describe the service as an app that a phone can install."""
    icons = [
        {"src": static(f"icons/app-{size}.png"), "sizes": f"{size}x{size}", "purpose": purpose}
        for size, purpose in ((192, "any"), (512, "any"), (512, "maskable"))
    ]
    body = {
        "name": "Baza",
        "short_name": "Baza",
        "description": _(
            "Tute tournaments: rounds, standings and every hand, replayed and checked."
        ),
        "start_url": reverse("home"),
        "scope": "/",
        "display": "standalone",
        "background_color": "#f6efe0",
        "theme_color": "#123f2c",
        "icons": [{**icon, "type": "image/png"} for icon in icons],
    }
    return JsonResponse(body, content_type="application/manifest+json")


@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    """Redirect programs that look for an icon where it used to be."""
    return redirect(static("icons/app-192.png"), permanent=True)


# --- Pages of others ------------------------------------------------------------------------------


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """Answer how a table or a hand of this service, by its ``url``, is shown in another page.

    404 for every other address and for what is not public, 501 for a format that is not JSON.
    """
    if request.GET.get("format", "json") != "json":
        return HttpResponse(status=HTTPStatus.NOT_IMPLEMENTED)
    try:
        name, arguments, title = _embedded_page(request)
    except Refusal:  # its reader is a program: no page about a code or an account
        return HttpResponse(status=HTTPStatus.NOT_FOUND)
    width, height = (
        min(size, _limit(request, limit))
        for size, limit in zip(SIZES[name], ("maxwidth", "maxheight"), strict=True)
    )
    origin = origin_of(request)
    address = origin + reverse(name, kwargs=arguments)
    frame = {"address": address, "title": title, "width": width, "height": height}
    return JsonResponse(
        {
            "version": "1.0",
            "type": "rich",
            "title": title,
            "provider_name": "Baza",
            "provider_url": f"{origin}/",
            "width": width,
            "height": height,
            "cache_age": DAY,
            "html": render_to_string("front/_frame.html", frame).strip(),
        }
    )


def _embedded_page(request: HttpRequest) -> tuple[str, dict[str, Any], str]:
    """Return the page to be framed for the ``url``, its arguments and title. Refuses NOT_FOUND."""
    try:
        url = urlsplit(request.GET.get("url", ""))
        match = resolve(url.path)
    except (ValueError, Resolver404):
        raise Refusal(Reason.NOT_FOUND) from None
    is_own = f"{url.scheme}://{url.netloc}" == origin_of(request)
    name = or_404(EMBEDDED.get(match.url_name or "") if is_own else None)
    if name == "embed-standings":
        title = standings_page(match.kwargs["slug"], NOBODY).head.name
    else:
        page = hand_page(match.kwargs["pk"], match.kwargs["number"], NOBODY)
        title = f"{page.match.names}, {page.head.name}"
    return name, match.kwargs, title


def _limit(request: HttpRequest, name: str) -> int:
    """Return a limit of the reader's, in pixels."""
    text = request.GET.get(name, "")
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 6 else MAX_WIDTH

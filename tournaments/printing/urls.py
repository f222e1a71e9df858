"""URLs of the papers."""

from collections.abc import Callable

from django.urls import URLPattern, URLResolver

from tournaments.core.views import page
from tournaments.printing import views as printing_views
from tournaments.printing.queries import share_cards
from tournaments.sheets.rows import ShareCard


def _picture(route: str, card_of: Callable[..., ShareCard], name: str) -> URLPattern:
    """Return the path of the picture of a page."""
    return page(f"{route}card.png", printing_views.share_card(card_of), name)


urlpatterns: list[URLPattern | URLResolver] = [
    page("t/<slug:slug>/print/", printing_views.print_page, "print"),
    page(
        "t/<slug:slug>/print/rounds/<int:number>/<slug:what>.pdf",
        printing_views.round_papers,
        "print-round",
    ),
    page("address.svg", printing_views.address_code, "address-code"),
    _picture("t/<slug:slug>/", share_cards.share_card, "share-card"),
    _picture("t/<slug:slug>/poster/", share_cards.poster_card, "poster-card"),
    _picture("t/<slug:slug>/rounds/<int:number>/", share_cards.round_card, "round-card"),
    _picture("t/<slug:slug>/crosstable/", share_cards.bracket_card, "bracket-card"),
    _picture("matches/<int:pk>/", share_cards.match_card, "match-card"),
    _picture("matches/<int:pk>/hands/<int:number>/", share_cards.hand_card, "hand-card"),
    _picture("clubs/<slug:slug>/seasons/<slug:season>/", share_cards.season_card, "season-card"),
    page("t/<slug:slug>/print/poster.pdf", printing_views.poster, "print-poster"),
    page("t/<slug:slug>/print/week.pdf", printing_views.week, "print-week"),
    page("t/<slug:slug>/print/money.pdf", printing_views.money, "print-money"),
    page("t/<slug:slug>/print/standings.pdf", printing_views.standings, "print-standings"),
    page("t/<slug:slug>/print/crosstable.pdf", printing_views.crosstable, "print-crosstable"),
    page("t/<slug:slug>/print/guides.pdf", printing_views.guides, "print-guides"),
    page("t/<slug:slug>/print/slips.pdf", printing_views.travelling_slips, "print-slips"),
    page("t/<slug:slug>/print/deals.pdf", printing_views.deal_record, "print-deals"),
    page("t/<slug:slug>/print/seats.pdf", printing_views.seat_slips, "print-seats"),
    page("t/<slug:slug>/print/personal.pdf", printing_views.personal_sheets, "print-personal"),
    page("t/<slug:slug>/print/diplomas.pdf", printing_views.diplomas, "print-diplomas"),
    page("t/<slug:slug>/print/codes.pdf", printing_views.codes, "print-codes"),
]

"""URLs of standings, crosstables and seasons."""

from django.urls import URLPattern, URLResolver

from tournaments.core.views import page
from tournaments.standings import views as standings_views

urlpatterns: list[URLPattern | URLResolver] = [
    page("t/<slug:slug>/", standings_views.standings, "tournament"),
    page("t/<slug:slug>/standings/<int:number>/", standings_views.sums, "sums"),
    page("t/<slug:slug>/crosstable/", standings_views.crosstable, "crosstable"),
    page("t/<slug:slug>/what-if/", standings_views.effect, "what-if"),
    page("clubs/<slug:slug>/new-season/", standings_views.new_season, "new-season"),
    page("clubs/<slug:slug>/seasons/", standings_views.seasons, "seasons"),
    page("clubs/<slug:slug>/seasons/<slug:season>/", standings_views.season, "season"),
    page("clubs/<slug:slug>/seasons/<slug:season>/add/", standings_views.add, "season-add"),
    page(
        "clubs/<slug:slug>/seasons/<slug:season>/remove/", standings_views.remove, "season-remove"
    ),
    page("clubs/<slug:slug>/seasons/<slug:season>/close/", standings_views.close, "close-season"),
]

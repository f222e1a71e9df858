"""URLs of standings, crosstables and seasons."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.core.api.views import alias
from tournaments.core.views import page
from tournaments.standings import api as standings_api
from tournaments.standings.views import prizes as prizes_views
from tournaments.standings.views import seasons as seasons_views
from tournaments.standings.views import standings as standings_views

urlpatterns: list[URLPattern | URLResolver] = [
    page("t/<slug:slug>/standings/<int:number>/", standings_views.sums, "sums"),
    page("t/<slug:slug>/crosstable/", standings_views.crosstable, "crosstable"),
    page("t/<slug:slug>/prizes/", prizes_views.set_prizes, "set-prizes"),
    page("t/<slug:slug>/prizes/ceremony/", prizes_views.ceremony, "ceremony"),
    page("t/<slug:slug>/prizes/hand-out/", prizes_views.hand_out, "hand-out"),
    page("t/<slug:slug>/prizes/take-back/<int:pk>/", prizes_views.take_back, "take-back"),
    page("clubs/<slug:slug>/new-season/", seasons_views.new_season, "new-season"),
    page("clubs/<slug:slug>/seasons/", seasons_views.seasons, "seasons"),
    page("clubs/<slug:slug>/seasons/<slug:season>/", seasons_views.season, "season"),
    page("clubs/<slug:slug>/seasons/<slug:season>/add/", seasons_views.add, "add-to-season"),
    page(
        "clubs/<slug:slug>/seasons/<slug:season>/remove/",
        seasons_views.remove,
        "remove-from-season",
    ),
    page("clubs/<slug:slug>/seasons/<slug:season>/close/", seasons_views.close, "close-season"),
    page(
        "clubs/<slug:slug>/seasons/<slug:season>/rules/",
        seasons_views.set_season_rules,
        "set-season-rules",
    ),
    page(
        "clubs/<slug:slug>/seasons/<slug:season>/prizes/",
        prizes_views.set_season_prizes,
        "set-season-prizes",
    ),
]

# Under `/api/v1/`.
_season = [
    path("", standings_api.season, name="season"),
    path("add/", standings_api.add_to_season, name="add-to-season"),
    path("remove/", standings_api.remove_from_season, name="remove-from-season"),
    path(
        "take-out/",
        alias(standings_api.remove_from_season, "take_out_of_season", "remove"),
        name="take-out-of-season",
    ),
    path("set-rules/", standings_api.set_season_rules, name="set-season-rules"),
    path("prizes/", standings_api.season_prizes, name="season-prizes"),
    path("set-prizes/", standings_api.set_season_prizes, name="set-season-prizes"),
    path("close/", standings_api.close_season, name="close-season"),
]

api_urlpatterns: list[URLPattern | URLResolver] = [
    path("tournaments/<slug:slug>/stages/", standings_api.stages, name="stages"),
    path("tournaments/<slug:slug>/standings/", standings_api.table, name="standings"),
    path("tournaments/<slug:slug>/standings/<int:number>/", standings_api.entry_sums, name="sums"),
    path("tournaments/<slug:slug>/prizes/", standings_api.prizes, name="prizes"),
    path("tournaments/<slug:slug>/prizes/hand-out/", standings_api.hand_out, name="hand-out-prize"),
    path(
        "tournaments/<slug:slug>/prizes/<int:line>/take-back/",
        standings_api.take_back,
        name="take-back-prize",
    ),
    path("tournaments/<slug:slug>/crosstable/", standings_api.crosstable, name="crosstable"),
    path("clubs/<slug:slug>/seasons/", standings_api.club, name="seasons"),
    path("clubs/<slug:slug>/open-season/", standings_api.open_season, name="open-season"),
    path("clubs/<slug:slug>/seasons/<slug:season>/", include(_season)),
]

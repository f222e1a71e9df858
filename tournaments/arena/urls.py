"""URLs of the pages of the arena and of bots."""

from django.urls import URLPattern, URLResolver, path

from tournaments.arena import api as arena_api
from tournaments.arena import views as arena_views
from tournaments.core.api.views import alias, combine
from tournaments.core.views import page

urlpatterns: list[URLPattern | URLResolver] = [
    page("bots/", arena_views.bots, "bots"),
    page("bots/<slug:slug>/", arena_views.bot, "bot"),
    page("bots/<slug:slug>/board/", arena_views.board, "bot-board"),
    page("bots/<slug:slug>/versions/new/", arena_views.submit_version, "submit-version"),
    page("bots/<slug:slug>/versions/<int:number>/check/", arena_views.check, "bot-check"),
    page("bots/<slug:slug>/unbench/", arena_views.unbench, "unbench"),
    page("bots/<slug:slug>/put-back/", arena_views.unbench),  # the address of earlier releases
    page("bots/<slug:slug>/retire/", arena_views.retire, "bot-retire"),
    page("bots/<slug:slug>/comparisons/new/", arena_views.compare, "bot-compare"),
    page("bots/<slug:slug>/comparisons/<int:pk>/", arena_views.versions_compared, "bot-comparison"),
    page(
        "bots/<slug:slug>/comparisons/<int:pk>/<slug:verb>/",
        arena_views.change_comparison,
        "change-comparison",
    ),
    page(
        "bots/<slug:slug>/comparisons/<int:pk>/records.ndjson",
        arena_views.comparison_records,
        "comparison-records",
    ),
    page("bots/<slug:slug>/ladders/<slug:ruleset>/<slug:verb>/", arena_views.ladder, "bot-ladder"),
    page("clubs/<slug:slug>/bots/new/", arena_views.submit_bot, "submit-bot"),
    page("t/<slug:slug>/arena/", arena_views.comparison, "comparison"),
    page("t/<slug:slug>/arena/<slug:part>.csv", arena_views.comparison_csv, "arena-csv"),
    page("t/<slug:slug>/arena/<int:one>/<int:other>/", arena_views.pair, "arena-pair"),
    page("arena/", arena_views.overview, "arena"),
    page("arena/board/", arena_views.overview_part, "arena-board"),
    page("arena/switch/<slug:verb>/", arena_views.pause_or_resume, "arena-switch"),
    page("t/<slug:slug>/schedule/", arena_views.schedule, "schedule"),
    page("t/<slug:slug>/schedule/run/", arena_views.run, "run-schedule"),
    page(
        "t/<slug:slug>/rounds/<int:number>/bots/<slug:verb>/",
        arena_views.pause_or_resume_round,
        "round-bots",
    ),
    page("t/<slug:slug>/rounds/<int:number>/play/", arena_views.play, "play-round"),
    page("t/<slug:slug>/rounds/<int:number>/deals/", arena_views.round_deals, "round-deals"),
]

# Under `/api/v1/`.
api_urlpatterns = [
    path("clubs/<slug:slug>/bots/", arena_api.submit_bot, name="submit-bot"),
    path("bots/", arena_api.bots, name="bots"),
    path("bots/<slug:slug>/", arena_api.bot, name="bot"),
    path("bots/<slug:slug>/versions/", arena_api.submit_version, name="submit-version"),
    path("bots/<slug:slug>/versions/<int:number>/", arena_api.version, name="bot-version"),
    path(
        "bots/<slug:slug>/versions/<int:number>/check/",
        arena_api.check_version,
        name="check-version",
    ),
    path("bots/<slug:slug>/unbench/", arena_api.unbench, name="unbench"),
    path(
        "bots/<slug:slug>/put-back/",
        alias(arena_api.unbench, "put_bot_back", "unbench"),
        name="put-bot-back",
    ),
    path("bots/<slug:slug>/retire/", arena_api.retire, name="retire-bot"),
    path("bots/<slug:slug>/enter/", arena_api.enter, name="enter-bot"),
    path("bots/<slug:slug>/withdraw/", arena_api.withdraw, name="withdraw-bot"),
    path("bots/<slug:slug>/matches/", arena_api.matches, name="bot-matches"),
    path("bots/<slug:slug>/records/export/", arena_api.records, name="export-bot-records"),
    path("bots/<slug:slug>/forfeits/", arena_api.forfeits, name="bot-forfeits"),
    path(
        "bots/<slug:slug>/comparisons/",
        combine(arena_api.list_comparisons, arena_api.compare_versions),
        name="bot-comparisons",
    ),
    path(
        "bots/<slug:slug>/comparisons/<int:pk>/", arena_api.read_comparison, name="bot-comparison"
    ),
    path(
        "bots/<slug:slug>/comparisons/<int:pk>/stop/",
        arena_api.stop_comparison,
        name="stop-comparison",
    ),
    path(
        "bots/<slug:slug>/comparisons/<int:pk>/keep/",
        arena_api.keep_comparison,
        name="keep-comparison",
    ),
    path(
        "bots/<slug:slug>/comparisons/<int:pk>/records/export/",
        arena_api.comparison_records,
        name="export-comparison-records",
    ),
    path("bots/<slug:slug>/turns/", arena_api.turns, name="bot-turns"),
    path("bots/<slug:slug>/turns/<int:pk>/", arena_api.answer, name="bot-turn"),
    path("tournaments/<slug:slug>/rounds/<int:number>/play/", arena_api.play, name="play-round"),
    path("tournaments/<slug:slug>/rounds/<int:number>/pause/", arena_api.pause, name="pause-round"),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/resume/", arena_api.resume, name="resume-round"
    ),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/deals/",
        arena_api.round_deals,
        name="round-deals",
    ),
    path("tournaments/<slug:slug>/schedule/run/", arena_api.run, name="run-schedule"),
    path("tournaments/<slug:slug>/arena/", arena_api.comparison, name="arena"),
    path("tournaments/<slug:slug>/schedule/", arena_api.schedule, name="schedule"),
]

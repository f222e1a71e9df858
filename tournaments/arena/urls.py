"""URLs of the pages of the arena and of bots."""

from django.urls import URLPattern, URLResolver

from tournaments.arena import views as arena_views
from tournaments.core.views import page

urlpatterns: list[URLPattern | URLResolver] = [
    page("bots/", arena_views.bots, "bots"),
    page("bots/<slug:slug>/", arena_views.bot, "bot"),
    page("bots/<slug:slug>/board/", arena_views.board, "bot-board"),
    page("bots/<slug:slug>/versions/new/", arena_views.bring_version, "bring-version"),
    page("bots/<slug:slug>/versions/<int:number>/check/", arena_views.check, "bot-check"),
    page("bots/<slug:slug>/connect/", arena_views.connect, "connect-bot"),
    page("bots/<slug:slug>/put-back/", arena_views.put_back, "bot-put-back"),
    page("bots/<slug:slug>/retire/", arena_views.retire, "bot-retire"),
    page("clubs/<slug:slug>/bots/new/", arena_views.bring, "bring-bot"),
    page("t/<slug:slug>/arena/", arena_views.comparison, "comparison"),
    page("t/<slug:slug>/arena/<slug:part>.csv", arena_views.comparison_csv, "arena-csv"),
    page("t/<slug:slug>/arena/<int:one>/<int:other>/", arena_views.pair, "arena-pair"),
    page("arena/", arena_views.room, "arena"),
    page("arena/board/", arena_views.room_board, "arena-board"),
    page("arena/switch/<slug:verb>/", arena_views.switch, "arena-switch"),
    page("t/<slug:slug>/schedule/", arena_views.schedule, "schedule"),
    page("t/<slug:slug>/schedule/run/", arena_views.run, "run-schedule"),
]

"""URLs of the API of the arena, under `/api/v1/`."""

from django.urls import path

from tournaments.arena.api import arena, bots

urlpatterns = [
    path("clubs/<slug:slug>/bots/", bots.bring, name="bring-bot"),
    path("bots/", bots.bots, name="bots"),
    path("bots/<slug:slug>/", bots.bot, name="bot"),
    path("bots/<slug:slug>/versions/", bots.bring_version, name="bring-version"),
    path("bots/<slug:slug>/versions/<int:number>/", bots.version, name="bot-version"),
    path("bots/<slug:slug>/versions/<int:number>/check/", bots.check_version, name="check-version"),
    path("bots/<slug:slug>/put-back/", bots.put_back, name="put-bot-back"),
    path("bots/<slug:slug>/retire/", bots.retire, name="retire-bot"),
    path("bots/<slug:slug>/forfeits/", bots.forfeits, name="bot-forfeits"),
    path("bots/<slug:slug>/turns/", bots.turns, name="bot-turns"),
    path("bots/<slug:slug>/turns/<int:pk>/", bots.answer, name="bot-turn"),
    path("tournaments/<slug:slug>/rounds/<int:number>/play/", arena.play, name="play-round"),
    path("tournaments/<slug:slug>/rounds/<int:number>/pause/", arena.pause, name="pause-round"),
    path("tournaments/<slug:slug>/rounds/<int:number>/resume/", arena.resume, name="resume-round"),
    path("tournaments/<slug:slug>/schedule/run/", arena.run, name="run-schedule"),
    path("tournaments/<slug:slug>/arena/", arena.comparison, name="arena"),
    path("tournaments/<slug:slug>/schedule/", arena.schedule, name="schedule"),
]

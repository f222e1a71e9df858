"""URLs of the API of analysis, under `/api/v1/`."""

from django.urls import path

from tournaments.analysis import api as analysis_api

urlpatterns = [
    path("players/<int:pk>/play/", analysis_api.player, name="player-play"),
    path("bots/<slug:slug>/play/", analysis_api.bot, name="bot-play"),
    path("tournaments/<slug:slug>/luck/", analysis_api.tournament, name="luck"),
    path("matches/<int:pk>/hands/<int:number>/analysis/", analysis_api.hand, name="hand-analysis"),
]

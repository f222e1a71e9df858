"""URLs of the pages of analysis."""

from django.urls import URLPattern, URLResolver, path

from tournaments.analysis import api as analysis_api
from tournaments.analysis import views as analysis_views
from tournaments.core.views import page

urlpatterns: list[URLPattern | URLResolver] = [
    page("plays/", analysis_views.own_plays, "own-plays"),
    page("clubs/<slug:slug>/plays/", analysis_views.club_plays, "club-plays"),
    page("clubs/<slug:slug>/review/", analysis_views.review, "review"),
    page("clubs/<slug:slug>/review/<int:pk>/", analysis_views.note, "note-review"),
    page("t/<slug:slug>/luck/", analysis_views.luck, "luck"),
    page("matches/<int:pk>/analyse/", analysis_views.analyse, "analyse-match"),
]

# Under `/api/v1/`.
api_urlpatterns = [
    path("players/<int:pk>/play/", analysis_api.player, name="player-play"),
    path("bots/<slug:slug>/play/", analysis_api.bot, name="bot-play"),
    path("tournaments/<slug:slug>/luck/", analysis_api.tournament, name="luck"),
]

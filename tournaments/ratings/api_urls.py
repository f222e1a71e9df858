"""URLs of the API of ratings, under `/api/v1/`."""

from django.urls import path

from tournaments.ratings import api as ratings_api

urlpatterns = [
    path("clubs/<slug:slug>/ratings/", ratings_api.club, name="ratings"),
    path("players/<int:pk>/rating/", ratings_api.player, name="player-rating"),
    path("bots/<slug:slug>/rating/", ratings_api.bot, name="bot-rating"),
]

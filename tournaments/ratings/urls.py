"""URLs of the pages of ratings."""

from django.urls import URLPattern, URLResolver, path

from tournaments.core.views import page
from tournaments.ratings import api as ratings_api
from tournaments.ratings import views as ratings_views

urlpatterns: list[URLPattern | URLResolver] = [
    page("clubs/<slug:slug>/ratings/", ratings_views.club, "ratings"),
]

# Under `/api/v1/`.
api_urlpatterns = [
    path("clubs/<slug:slug>/ratings/", ratings_api.club, name="ratings"),
    path("players/<int:pk>/rating/", ratings_api.player, name="player-rating"),
    path("bots/<slug:slug>/rating/", ratings_api.bot, name="bot-rating"),
]

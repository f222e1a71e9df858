"""URLs of the pages of ratings."""

from django.urls import URLPattern, URLResolver

from tournaments.core.views import page
from tournaments.ratings import views as ratings_views

urlpatterns: list[URLPattern | URLResolver] = [
    page("clubs/<slug:slug>/ratings/", ratings_views.club, "ratings"),
    page("players/<int:pk>/rating/", ratings_views.player, "player-rating"),
    page("bots/<slug:slug>/rating/", ratings_views.bot, "bot-rating"),
]

"""URLs of the pages of people."""

from django.urls import URLPattern, URLResolver, path

from tournaments.core.views import page
from tournaments.people import api as people_api
from tournaments.people import views as people_views

urlpatterns: list[URLPattern | URLResolver] = [
    page("new-club/", people_views.new_club, "new-club"),
    page("clubs/<slug:slug>/settings/", people_views.settings, "club-settings"),
    page("clubs/<slug:slug>/colour.css", people_views.colour, "club-colour"),
    page("clubs/<slug:slug>/<slug:kind>.webp", people_views.picture, "club-picture"),
    page("clubs/<slug:slug>/settings/<slug:kind>/", people_views.set_picture, "set-picture"),
]

# Under `/api/v1/`.
api_urlpatterns = [
    path("token/", people_api.token, name="token"),
    path("clubs/", people_api.clubs, name="clubs"),
    path("clubs/<slug:slug>/players/", people_api.players, name="players"),
    path("clubs/<slug:slug>/players/import/", people_api.import_players, name="import-players"),
    path("clubs/<slug:slug>/pairs/", people_api.pairs, name="pairs"),
    path("clubs/<slug:slug>/pairs/import/", people_api.import_pairs, name="import-pairs"),
]

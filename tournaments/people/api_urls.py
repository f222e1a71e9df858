"""URLs of the API of people, under `/api/v1/`."""

from django.urls import path

from tournaments.people import api as people_api

urlpatterns = [
    path("clubs/", people_api.clubs, name="clubs"),
    path("clubs/<slug:slug>/", people_api.club, name="club"),
    path("clubs/<slug:slug>/players/", people_api.players, name="players"),
    path("clubs/<slug:slug>/players/import/", people_api.import_players, name="import-players"),
    path("clubs/<slug:slug>/players/<str:code>/", people_api.player, name="player"),
    path("clubs/<slug:slug>/pairs/", people_api.pairs, name="pairs"),
    path("clubs/<slug:slug>/pairs/import/", people_api.import_pairs, name="import-pairs"),
    path("clubs/<slug:slug>/pairs/<str:code>/", people_api.pair, name="pair-of-club"),
]

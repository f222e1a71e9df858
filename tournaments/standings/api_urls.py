"""Addresses of the API of standings, under `/api/v1/`."""

from django.urls import path

from tournaments.standings import api as standings_api

urlpatterns = [
    path("clubs/<slug:slug>/seasons/", standings_api.club, name="seasons"),
    path("clubs/<slug:slug>/seasons/<slug:season>/", standings_api.season, name="season"),
    path("clubs/<slug:slug>/open-season/", standings_api.open_season, name="open-season"),
    path(
        "clubs/<slug:slug>/seasons/<slug:season>/add/",
        standings_api.add_to_season,
        name="add-to-season",
    ),
    path(
        "clubs/<slug:slug>/seasons/<slug:season>/take-out/",
        standings_api.take_out_of_season,
        name="take-out-of-season",
    ),
    path(
        "clubs/<slug:slug>/seasons/<slug:season>/close/",
        standings_api.close_season,
        name="close-season",
    ),
]

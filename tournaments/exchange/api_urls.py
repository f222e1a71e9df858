"""Addresses of the API of exchange, under `/api/v1/`."""

from django.urls import path

from tournaments.exchange import api as exchange_api

urlpatterns = [
    path("clubs/<slug:slug>/checkpoints/", exchange_api.checkpoints, name="checkpoints"),
    path("clubs/<slug:slug>/trail/", exchange_api.club_trail, name="club-trail"),
    path("tournaments/<slug:slug>/file/", exchange_api.tournament_file, name="file"),
    path("tournaments/<slug:slug>/proof/", exchange_api.proof, name="proof"),
    path("tournaments/<slug:slug>/trf/", exchange_api.report, name="fide-report"),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/deals/",
        exchange_api.round_deals,
        name="round-deals",
    ),
    path("tournaments/<slug:slug>/trail/", exchange_api.tournament_trail, name="tournament-trail"),
    path("tournaments/<slug:slug>/records/export/", exchange_api.export, name="export-records"),
]

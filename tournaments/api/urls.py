"""The API's addresses, under `/api/v1/`."""

from django.urls import path, re_path

from tournaments.api import (
    documentation,
    files,
    matches,
    people,
    ratings,
    records,
    reports,
    seasons,
    tournaments,
)
from tournaments.api.doors import with_etag

app_name = "api"

urlpatterns = [
    path("clubs/", people.clubs, name="clubs"),
    path("clubs/<slug:slug>/", people.club, name="club"),
    path("clubs/<slug:slug>/ratings/", ratings.club, name="ratings"),
    path("clubs/<slug:slug>/seasons/", seasons.club, name="seasons"),
    path("clubs/<slug:slug>/seasons/<slug:season>/", seasons.season, name="season"),
    path("players/<int:pk>/rating/", ratings.player, name="player-rating"),
    path("bots/<slug:slug>/rating/", ratings.bot, name="bot-rating"),
    path("tournaments/", tournaments.all_tournaments, name="tournaments"),
    path("tournaments/<slug:slug>/", tournaments.tournament, name="tournament"),
    path("tournaments/<slug:slug>/entries/", tournaments.entries, name="entries"),
    path("tournaments/<slug:slug>/stages/", tournaments.stages, name="stages"),
    path("tournaments/<slug:slug>/standings/", tournaments.table, name="standings"),
    path("tournaments/<slug:slug>/standings/<int:number>/", tournaments.entry_sums, name="sums"),
    path("tournaments/<slug:slug>/crosstable/", tournaments.crosstable, name="crosstable"),
    path("tournaments/<slug:slug>/file/", files.tournament_file, name="file"),
    path("tournaments/<slug:slug>/proof/", files.proof, name="proof"),
    path("tournaments/<slug:slug>/trf/", files.report, name="fide-report"),
    path("tournaments/<slug:slug>/rounds/", tournaments.rounds, name="rounds"),
    path("tournaments/<slug:slug>/rounds/<int:number>/", tournaments.round_, name="round"),
    path("tournaments/<slug:slug>/history/", tournaments.history, name="history"),
    path("tournaments/<slug:slug>/records/", records.submit_anywhere, name="submit-anywhere"),
    path("matches/<int:pk>/", matches.match, name="match"),
    path("matches/<int:pk>/hands/<int:number>/", matches.hand, name="hand"),
    path("matches/<int:pk>/report/", reports.report, name="report"),
    path("matches/<int:pk>/confirm/", reports.confirm, name="confirm"),
    path("matches/<int:pk>/dispute/", reports.dispute, name="dispute"),
    path("matches/<int:pk>/records/", records.submit, name="submit"),
    path("records/<int:pk>/", records.record, name="record"),
    path("problems/", documentation.problems, name="problems"),
    path("openapi.json", with_etag(documentation.OpenApi.as_view()), name="openapi"),
    path("docs/", documentation.Docs.as_view(), name="docs"),
    re_path("", documentation.Nothing.as_view(), name="nothing"),
]

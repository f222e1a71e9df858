"""URLs of the files of a tournament, the import, and the history."""

from django.urls import URLPattern, URLResolver, path

from tournaments.core.views import page
from tournaments.exchange import api as exchange_api
from tournaments.exchange import views as exchange_views

urlpatterns: list[URLPattern | URLResolver] = [
    page("t/<slug:slug>/files/", exchange_views.files, "files"),
    page("t/<slug:slug>/file/", exchange_views.tournament_file, "tournament-file"),
    page("t/<slug:slug>/proof/", exchange_views.proof, "proof"),
    page("t/<slug:slug>/records/", exchange_views.records, "tournament-records"),
    page("t/<slug:slug>/trf/", exchange_views.report, "fide-report"),
    page("t/<slug:slug>/tables/<slug:table>.<slug:kind>", exchange_views.table, "table"),
    page("t/<slug:slug>/export/", exchange_views.export, "export"),
    page("clubs/<slug:slug>/tournaments/import/", exchange_views.import_export, "bring-tournament"),
    page("clubs/<slug:slug>/tournaments/from-file/", exchange_views.import_outline, "from-file"),
    page("t/<slug:slug>/history/", exchange_views.history, "history"),
    page("matches/<int:pk>/history/", exchange_views.match_history, "match-history"),
    page("clubs/<slug:slug>/checkpoints/", exchange_views.checkpoints, "checkpoints"),
]

# Under `/api/v1/`.
api_urlpatterns = [
    path("clubs/<slug:slug>/checkpoints/", exchange_api.checkpoints, name="checkpoints"),
    path("clubs/<slug:slug>/trail/", exchange_api.club_trail, name="club-trail"),
    path(
        "clubs/<slug:slug>/tournaments/from-file/",
        exchange_api.create_from_file,
        name="create-from-file",
    ),
    path("tournaments/<slug:slug>/file/", exchange_api.tournament_file, name="file"),
    path("tournaments/<slug:slug>/proof/", exchange_api.proof, name="proof"),
    path("tournaments/<slug:slug>/trf/", exchange_api.report, name="fide-report"),
    path("tournaments/<slug:slug>/tables/<slug:table>/", exchange_api.table, name="table"),
    path("tournaments/<slug:slug>/history/", exchange_api.history, name="history"),
    path("tournaments/<slug:slug>/trail/", exchange_api.tournament_trail, name="tournament-trail"),
    path("tournaments/<slug:slug>/records/export/", exchange_api.export, name="export-records"),
]

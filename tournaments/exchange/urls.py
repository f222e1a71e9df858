"""URLs of the files of a tournament and of the import."""

from django.urls import URLPattern, URLResolver

from tournaments.core.views import page
from tournaments.exchange import views as exchange_views

urlpatterns: list[URLPattern | URLResolver] = [
    page("t/<slug:slug>/files/", exchange_views.files, "files"),
    page("t/<slug:slug>/file/", exchange_views.tournament_file, "tournament-file"),
    page("t/<slug:slug>/proof/", exchange_views.proof, "proof"),
    page("t/<slug:slug>/trf/", exchange_views.report, "fide-report"),
    page("t/<slug:slug>/export/", exchange_views.export, "export"),
    page("clubs/<slug:slug>/tournaments/import/", exchange_views.bring, "bring-tournament"),
    page("t/<slug:slug>/rounds/<int:number>/deals/", exchange_views.round_deals, "round-deals"),
]

"""Addresses of the API, under `/api/v1/`: those of the features, and its documentation."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from tournaments.api import documentation
from tournaments.core.api.views import with_etag

app_name = "api"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("tournaments.people.api_urls")),
    path("", include("tournaments.director.api_urls")),
    path("", include("tournaments.ratings.api_urls")),
    path("", include("tournaments.analysis.api_urls")),
    path("", include("tournaments.results.api_urls")),
    path("", include("tournaments.standings.api_urls")),
    path("", include("tournaments.exchange.api_urls")),
    path("", include("tournaments.arena.api_urls")),
    path("", include("tournaments.live.api_urls")),
    path("", include("tournaments.webhooks.api_urls")),
    path("problems/", documentation.problems, name="problems"),
    path("openapi.json", with_etag(documentation.OpenApi.as_view()), name="openapi"),
    path("docs/", documentation.Docs.as_view(), name="docs"),
    re_path("", documentation.Nothing.as_view(), name="nothing"),
]

"""Addresses of the API, under `/api/v1/`: those of the features, and its documentation."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from tournaments.analysis import urls as analysis
from tournaments.api import documentation
from tournaments.arena import urls as arena
from tournaments.core.api.views import with_etag
from tournaments.director import urls as director
from tournaments.exchange import urls as exchange
from tournaments.front import urls as front
from tournaments.live import urls as live
from tournaments.people import urls as people
from tournaments.profiles import urls as profiles
from tournaments.ratings import urls as ratings
from tournaments.results import urls as results
from tournaments.signup import urls as signup
from tournaments.standings import urls as standings
from tournaments.webhooks import urls as webhooks

app_name = "api"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include(people.api_urlpatterns)),
    path("", include(director.api_urlpatterns)),
    path("", include(signup.api_urlpatterns)),
    path("", include(ratings.api_urlpatterns)),
    path("", include(analysis.api_urlpatterns)),
    path("", include(results.api_urlpatterns)),
    path("", include(standings.api_urlpatterns)),
    path("", include(exchange.api_urlpatterns)),
    path("", include(arena.api_urlpatterns)),
    path("", include(live.api_urlpatterns)),
    path("", include(webhooks.api_urlpatterns)),
    path("", include(front.api_urlpatterns)),
    path("", include(profiles.api_urlpatterns)),
    path("", documentation.root, name="root"),
    path("problems/", documentation.problems, name="problems"),
    path("openapi.json", with_etag(documentation.OpenApiView.as_view()), name="openapi"),
    path("docs/", documentation.DocumentationView.as_view(), name="docs"),
    re_path("", documentation.NotFoundView.as_view(), name="nothing"),
]

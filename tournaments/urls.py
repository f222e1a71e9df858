"""All addresses of the service: pages, the API under `/api/v1/`, the admin."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path

from tournaments.api.documentation import NotFoundView
from tournaments.core.views import set_language

handler400 = "tournaments.core.api.error_handlers.bad_request"
handler404 = "tournaments.core.api.error_handlers.not_found"
handler500 = "tournaments.core.api.error_handlers.server_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("admin/", admin.site.urls),
    path("i18n/setlang/", set_language, name="set_language"),
    path("api/v1/", include("tournaments.api.urls")),
    re_path(r"^api/", NotFoundView.as_view()),
    path("", include("tournaments.people.urls")),
    path("", include("tournaments.director.urls")),
    path("", include("tournaments.signup.urls")),
    path("", include("tournaments.ratings.urls")),
    path("", include("tournaments.analysis.urls")),
    path("", include("tournaments.results.urls")),
    path("", include("tournaments.standings.urls")),
    path("", include("tournaments.exchange.urls")),
    path("", include("tournaments.printing.urls")),
    path("", include("tournaments.arena.urls")),
    path("", include("tournaments.accounts.urls")),
    path("", include("tournaments.profiles.urls")),
    path("", include("tournaments.live.urls")),
    path("", include("tournaments.webhooks.urls")),
    path("", include("tournaments.push.urls")),
    path("", include("tournaments.front.urls")),
]

"""Every address of the service: pages, the API under `/api/v1/`, the admin."""

from django.contrib import admin
from django.urls import include, path

from tournaments.web.languages import set_language

handler400 = "tournaments.api.elsewhere.bad_request"
handler404 = "tournaments.api.elsewhere.not_found"
handler500 = "tournaments.api.elsewhere.server_error"

urlpatterns = [
    path("admin/", admin.site.urls),
    path("i18n/setlang/", set_language, name="set_language"),
    path("api/v1/", include("tournaments.api.urls")),
    path("api/", include("tournaments.api.elsewhere")),
    path("", include("tournaments.web.urls")),
]

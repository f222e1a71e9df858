"""Every address of the service: pages, the API under `/api/v1/`, the admin."""

from django.contrib import admin
from django.urls import include, path, re_path

from tournaments.api.documentation import Nothing
from tournaments.web.languages import set_language

handler400 = "tournaments.api.error_handlers.bad_request"
handler404 = "tournaments.api.error_handlers.not_found"
handler500 = "tournaments.api.error_handlers.server_error"

urlpatterns = [
    path("admin/", admin.site.urls),
    path("i18n/setlang/", set_language, name="set_language"),
    path("api/v1/", include("tournaments.api.urls")),
    re_path(r"^api/", Nothing.as_view()),
    path("", include("tournaments.web.urls")),
]

"""URLs of the messages to browsers."""

from django.urls import URLPattern, URLResolver

from tournaments.core.views import page
from tournaments.push import views

urlpatterns: list[URLPattern | URLResolver] = [
    page("t/<slug:slug>/push/", views.push, "push"),
    page("t/<slug:slug>/end-push/", views.end, "end-push"),
    page("t/<slug:slug>/push/worker.js", views.worker, "push-worker"),
]

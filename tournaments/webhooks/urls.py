"""URLs of the pages of webhooks."""

from django.urls import URLPattern, URLResolver

from tournaments.core.views import page
from tournaments.webhooks import views as webhooks_views

urlpatterns: list[URLPattern | URLResolver] = [
    page("clubs/<slug:slug>/webhooks/", webhooks_views.webhooks, "webhooks"),
    page("clubs/<slug:slug>/webhooks/<int:pk>/", webhooks_views.webhook, "webhook"),
    page(
        "clubs/<slug:slug>/webhooks/<int:pk>/secret/",
        webhooks_views.change_secret,
        "webhook-secret",
    ),
    page("clubs/<slug:slug>/webhooks/<int:pk>/remove/", webhooks_views.remove, "webhook-remove"),
    page("clubs/<slug:slug>/webhooks/<int:pk>/<slug:verb>/", webhooks_views.act, "webhook-act"),
    page(
        "clubs/<slug:slug>/webhooks/<int:pk>/messages/<int:delivery>/send/",
        webhooks_views.redeliver,
        "webhook-redeliver",
    ),
]

"""URLs of the pages of webhooks."""

from django.urls import URLPattern, URLResolver, path

from tournaments.core.views import page
from tournaments.webhooks import api as webhooks_api
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

# Under `/api/v1/`.
api_urlpatterns = [
    path("clubs/<slug:slug>/webhooks/", webhooks_api.webhooks, name="webhooks"),
    path("clubs/<slug:slug>/webhooks/<int:pk>/", webhooks_api.webhook, name="webhook"),
    path(
        "clubs/<slug:slug>/webhooks/<int:pk>/deliveries/",
        webhooks_api.deliveries,
        name="deliveries",
    ),
    path(
        "clubs/<slug:slug>/webhooks/<int:pk>/deliveries/<int:delivery>/redeliver/",
        webhooks_api.redeliver,
        name="redeliver",
    ),
    path(
        "clubs/<slug:slug>/webhooks/<int:pk>/<slug:verb>/", webhooks_api.act, name="act-on-webhook"
    ),
]

"""URLs of the API of webhooks, under `/api/v1/`."""

from django.urls import path

from tournaments.webhooks import api as webhooks_api

urlpatterns = [
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

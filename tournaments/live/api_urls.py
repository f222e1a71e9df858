"""Addresses of the API of live, under `/api/v1/`."""

from django.urls import path

from tournaments.live.api import events

urlpatterns = [
    path("tournaments/<slug:slug>/events/", events.events, name="events"),
    path("tournaments/<slug:slug>/events/stream/", events.stream, name="events-stream"),
]

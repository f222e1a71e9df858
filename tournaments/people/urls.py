"""URLs of the pages of people."""

from django.urls import URLPattern, URLResolver

from tournaments.core.views import page
from tournaments.people import views as people_views

urlpatterns: list[URLPattern | URLResolver] = [
    page("new-club/", people_views.new_club, "new-club"),
    page("clubs/<slug:slug>/", people_views.club, "club"),
    page("clubs/<slug:slug>/name/", people_views.rename, "rename-club"),
    page("clubs/<slug:slug>/checkpoints/", people_views.checkpoints, "checkpoints"),
    page("clubs/<slug:slug>/tournaments/new/", people_views.new_tournament, "new-tournament"),
]

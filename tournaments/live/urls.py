"""URLs of help, feeds, calendars, embedded pages and screens."""

from django.urls import URLPattern, URLResolver, path

from tournaments.core.views import page
from tournaments.live import api
from tournaments.live import views as live_views

urlpatterns: list[URLPattern | URLResolver] = [
    page("clubs/<slug:slug>/feed/", live_views.club, "club-feed"),
    page("clubs/<slug:slug>/calendar.ics", live_views.club_calendar, "club-calendar"),
    page(
        "clubs/<slug:slug>/seasons/<slug:season>/calendar.ics",
        live_views.season_calendar,
        "season-calendar",
    ),
    page("t/<slug:slug>/events/stream/", live_views.stream, "tournament-stream"),
    page("t/<slug:slug>/feed/", live_views.tournament, "tournament-feed"),
    page("t/<slug:slug>/calendar.ics", live_views.tournament_calendar, "tournament-calendar"),
    page("embed/t/<slug:slug>/standings/", live_views.standings, "embed-standings"),
    page("embed/matches/<int:pk>/hands/<int:number>/", live_views.hand, "embed-hand"),
    page("t/<slug:slug>/screen/", live_views.screen, "screen"),
    page("t/<slug:slug>/screens/", live_views.screen_form, "screens"),
    page("help/", live_views.index, "help"),
    page("help/organisers/", live_views.organisers, "help-organisers"),
    page("help/players/", live_views.players, "help-players"),
    page("help/evening/", live_views.evening, "help-evening"),
]

# Under `/api/v1/`.
api_urlpatterns = [
    path("tournaments/<slug:slug>/events/", api.events, name="events"),
    path("tournaments/<slug:slug>/events/stream/", api.stream, name="events-stream"),
]

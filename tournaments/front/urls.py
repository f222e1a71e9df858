"""URLs of pages and endpoints that compose several features."""

from django.urls import URLPattern, URLResolver, path

from tournaments.core.views import out_of_search, page
from tournaments.front import api, links, views

urlpatterns: list[URLPattern | URLResolver] = [
    page("", views.home, "home"),
    page("search/", out_of_search(views.search), "search"),
    page("robots.txt", links.robots, "robots"),
    page("sitemap.xml", links.sitemap, "sitemap"),
    page("manifest.webmanifest", links.manifest, "manifest"),
    page("favicon.ico", links.favicon, "favicon"),
    page("oembed/", links.oembed, "oembed"),
    page("clubs/<slug:slug>/", views.club, "club"),
    page("t/<slug:slug>/", views.tournament, "tournament"),
    page("t/<slug:slug>/poster/", views.poster, "poster"),
    page("t/<slug:slug>/find/", views.find_person, "find"),
    page("t/<slug:slug>/finish/", views.finish, "finish"),
]

# Under `/api/v1/`.
api_urlpatterns = [
    path("clubs/<slug:slug>/", api.club, name="club"),
    path("clubs/<slug:slug>/players/<str:code>/", api.player, name="player"),
    path("clubs/<slug:slug>/pairs/<str:code>/", api.pair, name="pair-of-club"),
]

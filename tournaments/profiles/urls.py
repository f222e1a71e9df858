"""URLs of the pages of players and of personal data, and of merges."""

from django.urls import URLPattern, URLResolver, path

from tournaments.core.views import out_of_search, page
from tournaments.profiles import api as profiles_api
from tournaments.profiles import views as profiles_views

urlpatterns: list[URLPattern | URLResolver] = [
    page("accounts/data/", profiles_views.download_own_data, "own-data"),
    page("accounts/erase/", profiles_views.erase_account, "erase-account"),
    page("clubs/<slug:slug>/people/data/", profiles_views.people, "people-data"),
    page("clubs/<slug:slug>/players/<int:pk>/data/", profiles_views.player_data, "player-data"),
    page("clubs/<slug:slug>/players/<int:pk>/erase/", profiles_views.erase_player, "erase-player"),
    page("t/<slug:slug>/personal-data/<int:number>/", profiles_views.sign_up_data, "sign-up-data"),
    page("clubs/<slug:slug>/name/", profiles_views.rename_club, "rename-club"),
    page("clubs/<slug:slug>/head-to-head/", out_of_search(profiles_views.meetings), "head-to-head"),
    page("clubs/<slug:slug>/statistics/", profiles_views.statistics, "statistics"),
    page("players/<int:pk>/", profiles_views.player, "player"),
    page("pairs/<int:pk>/", profiles_views.pair, "pair"),
    page("players/<int:pk>/name/", profiles_views.rename_player, "rename-player"),
    page("pairs/<int:pk>/name/", profiles_views.rename_pair, "rename-pair"),
    page("players/<int:pk>/same-as/", profiles_views.merge_player, "merge-player"),
    page("players/<int:pk>/separate/", profiles_views.separate_player, "separate-player"),
    page("players/<int:pk>/split/", profiles_views.split_player, "split-player"),
    page("pairs/<int:pk>/same-as/", profiles_views.merge_pair, "merge-pair"),
    page("pairs/<int:pk>/separate/", profiles_views.separate_pair, "separate-pair"),
    page("players/<int:pk>/rating/", profiles_views.player_rating, "player-rating"),
    page("bots/<slug:slug>/rating/", profiles_views.bot_rating, "bot-rating"),
    page("bots/<slug:slug>/results/", profiles_views.bot, "bot-results"),
]

# Under `/api/v1/`.
api_urlpatterns = [
    path("clubs/<slug:slug>/head-to-head/", profiles_api.meetings, name="head-to-head"),
    path("clubs/<slug:slug>/statistics/", profiles_api.statistics, name="statistics"),
    path(
        "clubs/<slug:slug>/players/<str:code>/merge/",
        profiles_api.merge_player,
        name="merge-player",
    ),
    path(
        "clubs/<slug:slug>/players/<str:code>/separate/",
        profiles_api.separate_player,
        name="separate-player",
    ),
    path(
        "clubs/<slug:slug>/players/<str:code>/split/",
        profiles_api.split_player,
        name="split-player",
    ),
    path("clubs/<slug:slug>/pairs/<str:code>/merge/", profiles_api.merge_pair, name="merge-pair"),
    path(
        "clubs/<slug:slug>/pairs/<str:code>/separate/",
        profiles_api.separate_pair,
        name="separate-pair",
    ),
]

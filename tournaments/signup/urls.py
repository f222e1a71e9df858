"""URLs of the sign-up."""

from django.urls import URLPattern, URLResolver, path

from tournaments.core.views import page
from tournaments.signup import api, money_api, sources_api
from tournaments.signup.views import desk, money, public, sources

urlpatterns: list[URLPattern | URLResolver] = [
    page("t/<slug:slug>/sign-up/", public.sign_up_form, "sign-up"),
    page("t/<slug:slug>/sign-up/mine/", public.own_request, "own-request"),
    page("t/<slug:slug>/sign-up/mine/<slug:verb>/", public.act_on_own, "own-request-act"),
    page("t/<slug:slug>/sign-up/news/<str:token>/", public.news_off, "end-news"),
    page("t/<slug:slug>/sign-up/link/<slug:secret>/", public.link_form, "sign-up-link"),
    page("t/<slug:slug>/sign-ups/", desk.sign_ups, "sign-ups"),
    page("t/<slug:slug>/sign-ups/settings/", desk.settings, "sign-up-settings"),
    page("t/<slug:slug>/sign-ups/enter/", desk.enter, "close-sign-up"),
    page("t/<slug:slug>/sign-ups/reopen/", desk.reopen, "reopen-sign-up"),
    page("t/<slug:slug>/sign-ups/off/", desk.take_off, "take-off-sign-ups"),
    page("t/<slug:slug>/sign-ups/keep-contacts/", desk.keep, "keep-contacts"),
    page("t/<slug:slug>/sign-ups/links/", desk.links, "sign-up-links"),
    page("t/<slug:slug>/sign-ups/links/<int:pk>/revoke/", desk.revoke, "revoke-sign-up-link"),
    page("t/<slug:slug>/sign-ups/sources/", sources.sources, "sign-up-sources"),
    page("t/<slug:slug>/sign-ups/sources/note/", sources.note, "note-through"),
    page("t/<slug:slug>/sign-ups/sources/list/", sources.note_places, "note-places"),
    page("t/<slug:slug>/sign-ups/sources/<int:pk>/<slug:verb>/", sources.act, "source-act"),
    page("t/<slug:slug>/check-in/", money.check_in, "check-in"),
    page("t/<slug:slug>/money/", money.money, "money"),
    page("t/<slug:slug>/money/<int:pk>/reverse/", money.reverse_line, "reverse-cash"),
    page("t/<slug:slug>/money/<slug:payer>/<int:number>/", money.payer_page, "payer"),
    page("t/<slug:slug>/money/<slug:payer>/<int:number>/pay-all/", money.pay_all, "pay-all"),
    page("t/<slug:slug>/money/<slug:payer>/<int:number>/<slug:verb>/", money.act, "payer-act"),
    page("t/<slug:slug>/sign-ups/<int:number>/", desk.ticket, "sign-up-ticket"),
    page("t/<slug:slug>/sign-ups/<int:number>/<slug:verb>/", desk.act, "sign-up-act"),
]

# Under `/api/v1/`.
api_urlpatterns = [
    path("tournaments/<slug:slug>/sign-ups/", api.sign_ups, name="sign-ups"),
    path("tournaments/<slug:slug>/sign-ups/settings/", api.set_sign_up, name="set-sign-up"),
    path("tournaments/<slug:slug>/sign-ups/close/", api.close_sign_up, name="close-sign-up"),
    path("tournaments/<slug:slug>/sign-ups/reopen/", api.reopen_sign_up, name="reopen-sign-up"),
    path(
        "tournaments/<slug:slug>/sign-ups/take-off/", api.take_off_several, name="take-off-several"
    ),
    path(
        "tournaments/<slug:slug>/sign-ups/keep-contacts/", api.keep_contacts, name="keep-contacts"
    ),
    path("tournaments/<slug:slug>/sign-ups/links/", api.links, name="sign-up-links"),
    path(
        "tournaments/<slug:slug>/sign-ups/links/<int:pk>/revoke/",
        api.revoke_link,
        name="revoke-sign-up-link",
    ),
    path("tournaments/<slug:slug>/sign-ups/sources/", sources_api.sources, name="set-sources"),
    path(
        "tournaments/<slug:slug>/sign-ups/sources/note/",
        sources_api.note_through,
        name="note-through",
    ),
    path(
        "tournaments/<slug:slug>/sign-ups/sources/list/",
        sources_api.note_places,
        name="note-places",
    ),
    path("tournaments/<slug:slug>/sign-ups/sources/invite/", sources_api.invite, name="invite"),
    path(
        "tournaments/<slug:slug>/sign-ups/sources/pass-over/",
        sources_api.pass_over,
        name="pass-over",
    ),
    path(
        "tournaments/<slug:slug>/sign-ups/sources/remove/",
        sources_api.remove_source,
        name="remove-source",
    ),
    path("tournaments/<slug:slug>/money/", money_api.read_money, name="money"),
    path("tournaments/<slug:slug>/money/pay/", money_api.pay, name="pay"),
    path("tournaments/<slug:slug>/money/refund/", money_api.refund, name="refund"),
    path("tournaments/<slug:slug>/money/waive/", money_api.waive, name="waive"),
    path("tournaments/<slug:slug>/money/<int:line>/reverse/", money_api.reverse, name="reverse"),
    path(
        "tournaments/<slug:slug>/sign-ups/<int:ticket>/take-off/",
        api.take_off,
        name="take-off-sign-up",
    ),
    path("tournaments/<slug:slug>/sign-ups/<int:ticket>/join/", api.join, name="join-sign-ups"),
    path("tournaments/<slug:slug>/sign-ups/<int:ticket>/part/", api.part, name="part-sign-ups"),
    path(
        "tournaments/<slug:slug>/sign-ups/<int:ticket>/change/", api.change, name="change-sign-up"
    ),
]

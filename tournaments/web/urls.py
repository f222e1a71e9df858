"""The pages' addresses."""

from collections.abc import Callable

from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpResponse
from django.urls import URLPattern, URLResolver, path

from tournaments.web import (
    clubs,
    come,
    day,
    desk,
    drafts,
    effects,
    entries,
    entry,
    files,
    hands,
    home,
    matches,
    ratings,
    records,
    reports,
    restoring,
    rounds,
    standings,
    tournaments,
)
from tournaments.web.answers import readable


def page(route: str, view: Callable[..., HttpResponse], name: str) -> URLPattern:
    """Return a route to a page that words refusals."""
    return path(route, readable(view), name=name)


SIGN_IN = LoginView.as_view(template_name="accounts/login.html", redirect_authenticated_user=True)

urlpatterns: list[URLPattern | URLResolver] = [
    page("", home.home, "home"),
    path("accounts/login/", SIGN_IN, name="login"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    page("new-club/", clubs.new_club, "new-club"),
    page("clubs/<slug:slug>/", clubs.club, "club"),
    page("clubs/<slug:slug>/ratings/", ratings.club, "ratings"),
    page("players/<int:pk>/rating/", ratings.player, "player-rating"),
    page("bots/<slug:slug>/rating/", ratings.bot, "bot-rating"),
    page("clubs/<slug:slug>/tournaments/new/", clubs.new_tournament, "new-tournament"),
    page("t/<slug:slug>/", standings.standings, "tournament"),
    page("t/<slug:slug>/standings/<int:number>/", standings.sums, "sums"),
    page("t/<slug:slug>/crosstable/", standings.crosstable, "crosstable"),
    page("t/<slug:slug>/what-if/", effects.effect, "what-if"),
    page("t/<slug:slug>/history/", tournaments.history, "history"),
    page("t/<slug:slug>/entries/", entries.entries, "entries"),
    page("t/<slug:slug>/entries/import/", entries.import_entries, "import-entries"),
    page("t/<slug:slug>/entries/pairs/", entries.add_pairs, "add-pairs"),
    page("t/<slug:slug>/entries/players/", entries.add_players, "add-players"),
    page("t/<slug:slug>/entries/bots/", entries.add_bots, "add-bots"),
    page("t/<slug:slug>/entries/late/", entries.add_late, "add-late"),
    page("t/<slug:slug>/entries/<int:number>/", entry.entry, "entry"),
    page("t/<slug:slug>/entries/<int:number>/<slug:verb>/", entry.act, "entry-act"),
    page("t/<slug:slug>/check-in/", day.check_in, "check-in"),
    page("t/<slug:slug>/check-in/close/", day.close_check_in, "close-check-in"),
    page("t/<slug:slug>/check-in/open/", day.open_check_in, "open-check-in"),
    page("t/<slug:slug>/check-in/<int:number>/", day.arrive, "arrive"),
    page("t/<slug:slug>/come/", come.come, "come"),
    page("t/<slug:slug>/come/<slug:verb>/", come.act, "come-act"),
    page("t/<slug:slug>/stages/<int:number>/lots/", day.draw_lots, "draw-lots"),
    page("t/<slug:slug>/rounds/<int:number>/clock/<slug:verb>/", day.set_clock, "clock"),
    page("t/<slug:slug>/files/", files.files, "files"),
    page("t/<slug:slug>/file/", files.tournament_file, "tournament-file"),
    page("t/<slug:slug>/proof/", files.proof, "proof"),
    page("t/<slug:slug>/trf/", files.report, "fide-report"),
    page("t/<slug:slug>/export/", files.export, "export"),
    page("clubs/<slug:slug>/tournaments/import/", files.bring, "bring-tournament"),
    page("t/<slug:slug>/draw/", tournaments.draw, "draw"),
    page("t/<slug:slug>/finish/", tournaments.finish, "finish"),
    page("t/<slug:slug>/submit/", records.submit_any, "submit-any"),
    page("t/<slug:slug>/rounds/", rounds.rounds, "rounds"),
    page("t/<slug:slug>/rounds/<int:number>/", rounds.round_, "round"),
    page("t/<slug:slug>/rounds/<int:number>/board/", rounds.board, "round-board"),
    page("t/<slug:slug>/draw-next/", drafts.draw_next, "draw-next"),
    page("t/<slug:slug>/undo/", restoring.points, "undo-points"),
    page("t/<slug:slug>/undo/<int:pk>/", restoring.undo, "undo"),
    page("t/<slug:slug>/rounds/<int:number>/draft/", drafts.draft, "draft"),
    page("t/<slug:slug>/rounds/<int:number>/throw-away/", drafts.throw_away, "throw-away"),
    page("t/<slug:slug>/rounds/<int:number>/draft/<slug:verb>/", drafts.arrange, "arrange"),
    page("t/<slug:slug>/rounds/<int:number>/publish/", rounds.publish, "publish-round"),
    page("t/<slug:slug>/rounds/<int:number>/play/", rounds.play, "play-round"),
    page("t/<slug:slug>/rounds/<int:number>/close/", rounds.close, "close-round"),
    page("t/<slug:slug>/table/", reports.own_table, "own-table"),
    page("t/<slug:slug>/desk/", desk.desk, "desk"),
    page("t/<slug:slug>/desk/board/", desk.board, "desk-board"),
    page("t/<slug:slug>/desk/enter/", desk.enter, "desk-enter"),
    page("t/<slug:slug>/desk/confirm/", desk.confirm_all, "desk-confirm"),
    page("matches/<int:pk>/", matches.match, "match"),
    page("matches/<int:pk>/hands/<int:number>/", hands.hand, "hand"),
    page("matches/<int:pk>/submit/", records.submit, "submit-record"),
    page("matches/<int:pk>/report/", reports.report, "report"),
    page("matches/<int:pk>/report/hands/", reports.report_hands, "report-hands"),
    page("matches/<int:pk>/confirm/", reports.confirm, "confirm-result"),
    page("matches/<int:pk>/correct/", matches.correct, "correct-result"),
    page("matches/<int:pk>/dispute/", matches.dispute, "open-dispute"),
    page("matches/<int:pk>/take-up/", matches.take_up, "take-up"),
    page("matches/<int:pk>/rule/", matches.rule, "rule-dispute"),
    page("matches/<int:pk>/forfeit/", matches.forfeit, "forfeit"),
    page("matches/<int:pk>/decide/", matches.decide, "decide"),
    page("matches/<int:pk>/postpone/", matches.postpone, "postpone"),
    page("matches/<int:pk>/resume/", matches.resume, "resume"),
    page("records/<int:pk>/", records.record, "record"),
    page("records/<int:pk>/download/", records.download, "download-record"),
]

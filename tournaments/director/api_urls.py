"""URLs of the director's API, under `/api/v1/`."""

from django.urls import path

from tournaments.director.api import directing, entries, tournaments

urlpatterns = [
    path("clubs/<slug:slug>/tournaments/", directing.create, name="create-tournament"),
    path("tournaments/<slug:slug>/entries/import/", entries.import_csv, name="import-entries"),
    path("tournaments/<slug:slug>/draw/", directing.draw, name="draw"),
    path("tournaments/<slug:slug>/rounds/<int:number>/publish/", directing.publish, name="publish"),
    path("tournaments/<slug:slug>/rounds/<int:number>/close/", directing.close, name="close"),
    path("tournaments/<slug:slug>/entries/bots/", entries.enter_bots, name="enter-bots"),
    path("tournaments/<slug:slug>/finish/", directing.finish, name="finish"),
    path("tournaments/<slug:slug>/visibility/", directing.show, name="visibility"),
    path("tournaments/", tournaments.all_tournaments, name="tournaments"),
    path("tournaments/<slug:slug>/", tournaments.tournament, name="tournament"),
    path("tournaments/<slug:slug>/entries/", tournaments.entries, name="entries"),
    path("tournaments/<slug:slug>/stages/", tournaments.stages, name="stages"),
    path("tournaments/<slug:slug>/standings/", tournaments.table, name="standings"),
    path("tournaments/<slug:slug>/standings/<int:number>/", tournaments.entry_sums, name="sums"),
    path("tournaments/<slug:slug>/crosstable/", tournaments.crosstable, name="crosstable"),
    path("tournaments/<slug:slug>/rounds/", tournaments.rounds, name="rounds"),
    path("tournaments/<slug:slug>/rounds/<int:number>/", tournaments.round_, name="round"),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/progress/",
        tournaments.round_progress,
        name="progress",
    ),
    path("tournaments/<slug:slug>/history/", tournaments.history, name="history"),
    path("tournaments/<slug:slug>/entries/list/", entries.enter_list, name="enter-list"),
    path("tournaments/<slug:slug>/entries/preview/", entries.preview, name="preview-list"),
    path("tournaments/<slug:slug>/announce/", directing.announce, name="announce"),
    path("tournaments/<slug:slug>/check-in/open/", directing.open_check_in, name="open-check-in"),
    path(
        "tournaments/<slug:slug>/check-in/close/", directing.close_check_in, name="close-check-in"
    ),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/lots/", directing.draw_lots, name="draw-lots"
    ),
    path(
        "tournaments/<slug:slug>/stages/<int:number>/draws/",
        tournaments.stage_draws,
        name="stage-draws",
    ),
    path(
        "tournaments/<slug:slug>/stages/<int:number>/seeding/",
        directing.choose_seeding,
        name="set-seeding",
    ),
    path(
        "tournaments/<slug:slug>/stages/<int:number>/again/",
        directing.draw_stage_again,
        name="draw-stage-again",
    ),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/again/",
        directing.draw_again,
        name="draw-again",
    ),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/discard/",
        directing.throw_away,
        name="throw-away",
    ),
    path("tournaments/<slug:slug>/rounds/<int:number>/swap/", directing.swap, name="swap"),
    path("tournaments/<slug:slug>/rounds/<int:number>/pair/", directing.pair, name="pair"),
    path("tournaments/<slug:slug>/rounds/<int:number>/rest/", directing.rest, name="rest"),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/clock/start/",
        directing.start_clock,
        name="start-clock",
    ),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/clock/stop/",
        directing.stop_clock,
        name="stop-clock",
    ),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/clock/resume/",
        directing.resume_clock,
        name="resume-clock",
    ),
    path("matches/<int:pk>/pin/", directing.pin, name="pin"),
    path("matches/<int:pk>/part/", directing.part, name="part"),
    path(
        "tournaments/<slug:slug>/entries/<int:number>/check-in/", entries.check_in, name="check-in"
    ),
    path(
        "tournaments/<slug:slug>/entries/<int:number>/check-out/",
        entries.undo_check_in,
        name="check-out",
    ),
    path(
        "tournaments/<slug:slug>/entries/<int:number>/withdraw/", entries.withdraw, name="withdraw"
    ),
    path("tournaments/<slug:slug>/entries/<int:number>/expel/", entries.expel, name="expel"),
    path(
        "tournaments/<slug:slug>/entries/<int:number>/return/",
        entries.bring_back,
        name="bring-back",
    ),
    path(
        "tournaments/<slug:slug>/entries/<int:number>/bye/", entries.request_bye, name="request-bye"
    ),
    path(
        "tournaments/<slug:slug>/entries/<int:number>/penalise/", entries.penalise, name="penalise"
    ),
    path(
        "tournaments/<slug:slug>/entries/<int:number>/substitute/",
        entries.substitute,
        name="substitute",
    ),
    path("tournaments/<slug:slug>/matches/", tournaments.matches, name="matches"),
    path("tournaments/<slug:slug>/restore-points/", entries.restore_points, name="restore-points"),
    path(
        "tournaments/<slug:slug>/restore-points/<int:pk>/go-back/", entries.restore, name="restore"
    ),
    path("tournaments/<slug:slug>/entries/<int:number>/", entries.entry, name="entry"),
    path(
        "tournaments/<slug:slug>/entries/<int:number>/remove/", entries.remove, name="remove-entry"
    ),
    path(
        "tournaments/<slug:slug>/entries/<int:number>/byes/<int:pk>/cancel/",
        entries.cancel_bye,
        name="cancel-bye",
    ),
    path(
        "tournaments/<slug:slug>/entries/<int:number>/penalties/<int:pk>/revoke/",
        entries.revoke,
        name="revoke-penalty",
    ),
    path(
        "tournaments/<slug:slug>/entries/<int:number>/substitutions/<int:pk>/end/",
        entries.end_substitution,
        name="end-substitution",
    ),
]

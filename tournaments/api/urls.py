"""The API's addresses, under `/api/v1/`."""

from django.urls import path, re_path

from tournaments.api import (
    analyses,
    arena,
    audit,
    bots,
    bulk,
    directing,
    documentation,
    entries,
    events,
    filed,
    files,
    heads,
    judging,
    keeping,
    lists,
    matches,
    organising,
    people,
    playing,
    ratings,
    records,
    renaming,
    reports,
    schedules,
    seasons,
    tournaments,
    turns,
    webhooks,
)
from tournaments.api.doors import with_etag

app_name = "api"

urlpatterns = [
    path("clubs/", people.clubs, name="clubs"),
    path("clubs/<slug:slug>/", renaming.club, name="club"),
    path("clubs/<slug:slug>/ratings/", ratings.club, name="ratings"),
    path("clubs/<slug:slug>/checkpoints/", audit.checkpoints, name="checkpoints"),
    path("clubs/<slug:slug>/trail/", audit.club_trail, name="club-trail"),
    path("clubs/<slug:slug>/seasons/", seasons.club, name="seasons"),
    path("clubs/<slug:slug>/seasons/<slug:season>/", seasons.season, name="season"),
    path("players/<int:pk>/play/", analyses.player, name="player-play"),
    path("bots/<slug:slug>/play/", analyses.bot, name="bot-play"),
    path("players/<int:pk>/rating/", ratings.player, name="player-rating"),
    path("clubs/<slug:slug>/bots/", bots.bring, name="bring-bot"),
    path("clubs/<slug:slug>/webhooks/", webhooks.webhooks, name="webhooks"),
    path("clubs/<slug:slug>/webhooks/<int:pk>/", webhooks.webhook, name="webhook"),
    path("clubs/<slug:slug>/webhooks/<int:pk>/deliveries/", webhooks.deliveries, name="deliveries"),
    path(
        "clubs/<slug:slug>/webhooks/<int:pk>/deliveries/<int:delivery>/redeliver/",
        webhooks.redeliver,
        name="redeliver",
    ),
    path("clubs/<slug:slug>/webhooks/<int:pk>/<slug:verb>/", webhooks.act, name="act-on-webhook"),
    path("bots/", bots.bots, name="bots"),
    path("bots/<slug:slug>/", bots.bot, name="bot"),
    path("bots/<slug:slug>/rating/", ratings.bot, name="bot-rating"),
    path("bots/<slug:slug>/versions/", bots.bring_version, name="bring-version"),
    path("bots/<slug:slug>/versions/<int:number>/", bots.version, name="bot-version"),
    path("bots/<slug:slug>/versions/<int:number>/check/", bots.check_version, name="check-version"),
    path("bots/<slug:slug>/put-back/", bots.put_back, name="put-bot-back"),
    path("bots/<slug:slug>/retire/", bots.retire, name="retire-bot"),
    path("bots/<slug:slug>/forfeits/", bots.forfeits, name="bot-forfeits"),
    path("bots/<slug:slug>/turns/", turns.turns, name="bot-turns"),
    path("bots/<slug:slug>/turns/<int:pk>/", turns.answer, name="bot-turn"),
    path("clubs/<slug:slug>/tournaments/", organising.create, name="create-tournament"),
    path("tournaments/<slug:slug>/entries/import/", organising.enter, name="import-entries"),
    path("tournaments/<slug:slug>/draw/", organising.draw, name="draw"),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/publish/", organising.publish, name="publish"
    ),
    path("tournaments/<slug:slug>/rounds/<int:number>/close/", organising.close, name="close"),
    path("tournaments/<slug:slug>/rounds/<int:number>/play/", playing.play, name="play-round"),
    path("tournaments/<slug:slug>/rounds/<int:number>/pause/", playing.pause, name="pause-round"),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/resume/", playing.resume, name="resume-round"
    ),
    path("tournaments/<slug:slug>/schedule/run/", playing.run, name="run-schedule"),
    path("tournaments/<slug:slug>/entries/bots/", playing.enter, name="enter-bots"),
    path("tournaments/<slug:slug>/finish/", organising.finish, name="finish"),
    path("tournaments/<slug:slug>/visibility/", organising.show, name="visibility"),
    path("tournaments/", tournaments.all_tournaments, name="tournaments"),
    path("tournaments/<slug:slug>/", heads.tournament, name="tournament"),
    path("tournaments/<slug:slug>/entries/", tournaments.entries, name="entries"),
    path("tournaments/<slug:slug>/stages/", tournaments.stages, name="stages"),
    path("tournaments/<slug:slug>/standings/", tournaments.table, name="standings"),
    path("tournaments/<slug:slug>/standings/<int:number>/", tournaments.entry_sums, name="sums"),
    path("tournaments/<slug:slug>/luck/", analyses.tournament, name="luck"),
    path("tournaments/<slug:slug>/crosstable/", tournaments.crosstable, name="crosstable"),
    path("tournaments/<slug:slug>/arena/", arena.comparison, name="arena"),
    path("tournaments/<slug:slug>/file/", files.tournament_file, name="file"),
    path("tournaments/<slug:slug>/proof/", files.proof, name="proof"),
    path("tournaments/<slug:slug>/trf/", files.report, name="fide-report"),
    path("tournaments/<slug:slug>/rounds/", tournaments.rounds, name="rounds"),
    path("tournaments/<slug:slug>/rounds/<int:number>/", tournaments.round_, name="round"),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/deals/", files.round_deals, name="round-deals"
    ),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/progress/",
        tournaments.round_progress,
        name="progress",
    ),
    path("tournaments/<slug:slug>/schedule/", schedules.schedule, name="schedule"),
    path("tournaments/<slug:slug>/history/", tournaments.history, name="history"),
    path("tournaments/<slug:slug>/events/", events.events, name="events"),
    path("tournaments/<slug:slug>/events/stream/", events.stream, name="events-stream"),
    path("tournaments/<slug:slug>/trail/", audit.tournament_trail, name="tournament-trail"),
    path("tournaments/<slug:slug>/records/", filed.records, name="submit-anywhere"),
    path("tournaments/<slug:slug>/records/bulk/", bulk.submit_lines, name="submit-lines"),
    path("tournaments/<slug:slug>/records/export/", bulk.export, name="export-records"),
    path("matches/<int:pk>/", matches.match, name="match"),
    path("matches/<int:pk>/hands/<int:number>/", matches.hand, name="hand"),
    path("matches/<int:pk>/hands/<int:number>/analysis/", analyses.hand, name="hand-analysis"),
    path("matches/<int:pk>/report/", reports.report, name="report"),
    path("matches/<int:pk>/confirm/", reports.confirm, name="confirm"),
    path("matches/<int:pk>/dispute/", reports.dispute, name="dispute"),
    path("matches/<int:pk>/records/", records.submit, name="submit"),
    path("records/<int:pk>/", records.record, name="record"),
    path("tournaments/<slug:slug>/entries/list/", lists.enter_list, name="enter-list"),
    path("tournaments/<slug:slug>/entries/preview/", lists.preview, name="preview-list"),
    path("tournaments/<slug:slug>/check-in/open/", directing.open_check_in, name="open-check-in"),
    path(
        "tournaments/<slug:slug>/check-in/close/", directing.close_check_in, name="close-check-in"
    ),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/lots/", directing.draw_lots, name="draw-lots"
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
    path("matches/<int:pk>/correct/", judging.correct, name="correct"),
    path("matches/<int:pk>/forfeit/", judging.forfeit, name="forfeit"),
    path("matches/<int:pk>/no-show/", judging.no_show, name="no-show"),
    path("matches/<int:pk>/decide/", judging.decide, name="decide"),
    path("matches/<int:pk>/postpone/", judging.postpone, name="postpone"),
    path("matches/<int:pk>/resume/", judging.resume, name="resume"),
    path("disputes/<int:pk>/take-up/", judging.take_up, name="take-up"),
    path("disputes/<int:pk>/rule/", judging.rule, name="rule"),
    path(
        "tournaments/<slug:slug>/entries/<int:number>/check-in/", judging.check_in, name="check-in"
    ),
    path(
        "tournaments/<slug:slug>/entries/<int:number>/check-out/",
        judging.undo_check_in,
        name="check-out",
    ),
    path(
        "tournaments/<slug:slug>/entries/<int:number>/withdraw/", judging.withdraw, name="withdraw"
    ),
    path("tournaments/<slug:slug>/entries/<int:number>/expel/", judging.expel, name="expel"),
    path(
        "tournaments/<slug:slug>/entries/<int:number>/return/",
        judging.bring_back,
        name="bring-back",
    ),
    path(
        "tournaments/<slug:slug>/entries/<int:number>/bye/", judging.request_bye, name="request-bye"
    ),
    path(
        "tournaments/<slug:slug>/entries/<int:number>/penalise/", judging.penalise, name="penalise"
    ),
    path(
        "tournaments/<slug:slug>/entries/<int:number>/substitute/",
        judging.substitute,
        name="substitute",
    ),
    path("clubs/<slug:slug>/players/", keeping.players, name="players"),
    path("clubs/<slug:slug>/players/import/", keeping.import_players, name="import-players"),
    path("clubs/<slug:slug>/players/<str:code>/", renaming.player, name="player"),
    path("clubs/<slug:slug>/pairs/", keeping.pairs, name="pairs"),
    path("clubs/<slug:slug>/pairs/import/", keeping.import_pairs, name="import-pairs"),
    path("clubs/<slug:slug>/pairs/<str:code>/", renaming.pair, name="pair-of-club"),
    path("clubs/<slug:slug>/open-season/", keeping.open_season, name="open-season"),
    path(
        "clubs/<slug:slug>/seasons/<slug:season>/add/", keeping.add_to_season, name="add-to-season"
    ),
    path(
        "clubs/<slug:slug>/seasons/<slug:season>/take-out/",
        keeping.take_out_of_season,
        name="take-out-of-season",
    ),
    path(
        "clubs/<slug:slug>/seasons/<slug:season>/close/", keeping.close_season, name="close-season"
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
    path("problems/", documentation.problems, name="problems"),
    path("openapi.json", with_etag(documentation.OpenApi.as_view()), name="openapi"),
    path("docs/", documentation.Docs.as_view(), name="docs"),
    re_path("", documentation.Nothing.as_view(), name="nothing"),
]

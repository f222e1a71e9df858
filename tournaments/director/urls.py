"""URLs of the director's pages."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.core.api.views import alias
from tournaments.core.views import page
from tournaments.director.api import choices as choices_api
from tournaments.director.api import days as days_api
from tournaments.director.api import directing as directing_api
from tournaments.director.api import tournaments as tournaments_api
from tournaments.director.views import (
    check_in,
    days,
    entries,
    lists,
    plan,
    posting,
    rounds,
    tournaments,
)

urlpatterns: list[URLPattern | URLResolver] = [
    page("clubs/<slug:slug>/tournaments/new/", tournaments.new_tournament, "new-tournament"),
    page("clubs/<slug:slug>/tournaments/propose/", tournaments.propose_formats, "propose"),
    page("t/<slug:slug>/entries/", entries.entries, "entries"),
    page("t/<slug:slug>/entries/import/", entries.import_entries, "import-entries"),
    page("t/<slug:slug>/entries/pairs/", entries.add_newcomers, "add-pairs", kind="pairs"),
    page("t/<slug:slug>/entries/players/", entries.add_newcomers, "add-players", kind="players"),
    page("t/<slug:slug>/entries/bots/", entries.add_bots, "add-bots"),
    page("t/<slug:slug>/entries/late/", entries.enter_late, "enter-late"),
    page("t/<slug:slug>/entries/<int:number>/", entries.entry, "entry"),
    page("t/<slug:slug>/entries/<int:number>/<slug:verb>/", entries.act, "entry-act"),
    page("t/<slug:slug>/check-in/all/", check_in.check_in_all, "check-in-all"),
    page("t/<slug:slug>/take-back-act/", check_in.take_back_act, "take-back-act"),
    page("t/<slug:slug>/check-in/close/", check_in.close_check_in, "close-check-in"),
    page("t/<slug:slug>/check-in/open/", check_in.open_check_in, "open-check-in"),
    page("t/<slug:slug>/check-in/<int:number>/", check_in.toggle_check_in, "arrive"),
    page("t/<slug:slug>/stages/<int:number>/lots/", check_in.draw_lots, "draw-lots"),
    page("t/<slug:slug>/rounds/<int:number>/clock/<slug:verb>/", check_in.set_clock, "clock"),
    page("t/<slug:slug>/entries/list/", lists.enter_list, "enter-list"),
    page("t/<slug:slug>/days/", days.days, "days"),
    page("t/<slug:slug>/days/plan/", days.plan_days, "plan-days"),
    page("t/<slug:slug>/days/add/", days.add_day, "add-day"),
    page("t/<slug:slug>/days/<int:number>/", days.change_day, "change-day"),
    page("t/<slug:slug>/days/<int:number>/remove/", days.remove_day, "remove-day"),
    page("t/<slug:slug>/settings/", tournaments.settings, "tournament-settings"),
    page("t/<slug:slug>/plan/", plan.set_plan, "set-plan"),
    page("t/<slug:slug>/repeat/", tournaments.repeat, "repeat-tournament"),
    page("t/<slug:slug>/discard/", tournaments.discard, "discard"),
    page("t/<slug:slug>/post/", posting.post, "post"),
    page("t/<slug:slug>/visibility/", tournaments.set_visibility, "set-visibility"),
    page("t/<slug:slug>/draw/", tournaments.draw, "draw"),
    page("t/<slug:slug>/draws/", rounds.draws_page, "draws"),
    page("t/<slug:slug>/stages/<int:number>/seeding/", rounds.set_seeding, "set-seeding"),
    page("t/<slug:slug>/stages/<int:number>/draw/", rounds.draw_stage, "draw-stage"),
    page("t/<slug:slug>/stages/<int:number>/hall/", rounds.projector, "draw-hall"),
    page("t/<slug:slug>/stages/<int:number>/draw.json", rounds.draw_file, "draw-file"),
    page("t/<slug:slug>/boards/", rounds.boards, "boards"),
    page("t/<slug:slug>/boards/<int:number>/", rounds.own_deals, "own-deals"),
    page("t/<slug:slug>/rounds/", rounds.rounds, "rounds"),
    page("t/<slug:slug>/rounds/<int:number>/", rounds.round_, "round"),
    page("t/<slug:slug>/rounds/<int:number>/board/", rounds.board, "round-board"),
    page("t/<slug:slug>/rounds/<int:number>/progress/", rounds.progress, "round-progress"),
    page("t/<slug:slug>/draw-next/", rounds.draw_next, "draw-next"),
    page("t/<slug:slug>/restore-points/", tournaments.restore_points, "restore-points"),
    page("t/<slug:slug>/restore-points/<int:pk>/go-back/", tournaments.go_back, "go-back"),
    # Two addresses of earlier releases.
    page("t/<slug:slug>/undo/", tournaments.restore_points),
    page("t/<slug:slug>/undo/<int:pk>/", tournaments.go_back),
    page("t/<slug:slug>/rounds/<int:number>/draft/", rounds.draft, "draft"),
    page("t/<slug:slug>/rounds/<int:number>/discard/", rounds.discard_round, "discard-round"),
    # The address of earlier releases.
    page("t/<slug:slug>/rounds/<int:number>/throw-away/", rounds.discard_round),
    page("t/<slug:slug>/rounds/<int:number>/draft/<slug:verb>/", rounds.change_draft, "arrange"),
    page("t/<slug:slug>/rounds/<int:number>/publish/", rounds.publish, "publish-round"),
    page("t/<slug:slug>/rounds/<int:number>/replan/", rounds.replan, "replan-round"),
    page("t/<slug:slug>/rounds/<int:number>/close/", rounds.close, "close-round"),
]

# Under `/api/v1/`.
_round: list[URLPattern | URLResolver] = [
    path("publish/", directing_api.publish, name="publish"),
    path("replan/", directing_api.replan, name="replan"),
    path("close/", directing_api.close, name="close"),
    path("", tournaments_api.round_, name="round"),
    path("progress/", tournaments_api.round_progress, name="progress"),
    path("lots/", directing_api.draw_lots, name="draw-lots"),
    path("draw-again/", directing_api.draw_again, name="draw-again"),
    path(
        "again/",
        alias(directing_api.draw_again, "draw_round_again", "draw-again"),
        name="draw-again-before",
    ),
    path("discard/", directing_api.discard_round, name="discard-round"),
    path("swap/", directing_api.swap, name="swap"),
    path("pair/", directing_api.pair, name="pair"),
    path("give-bye/", directing_api.give_bye, name="give-bye"),
    path("rest/", alias(directing_api.give_bye, "rest_entry", "give-bye"), name="rest"),
    path("clock/start/", directing_api.start_clock, name="start-clock"),
    path("clock/stop/", directing_api.stop_clock, name="stop-clock"),
    path("clock/resume/", directing_api.resume_clock, name="resume-clock"),
]

_entry: list[URLPattern | URLResolver] = [
    path("check-in/", directing_api.check_in, name="check-in"),
    path("undo-check-in/", directing_api.undo_check_in, name="undo-check-in"),
    path(
        "check-out/",
        alias(directing_api.undo_check_in, "undo_check_in", "undo-check-in"),
        name="check-out",
    ),
    path("withdraw/", directing_api.withdraw, name="withdraw"),
    path("expel/", directing_api.expel, name="expel"),
    path("revoke-expulsion/", directing_api.revoke_expulsion, name="revoke-expulsion"),
    path("readmit/", directing_api.readmit, name="readmit"),
    path("return/", alias(directing_api.readmit, "bring_entry_back", "readmit"), name="bring-back"),
    path("request-bye/", directing_api.request_bye, name="request-bye"),
    path(
        "bye/",
        alias(directing_api.request_bye, "request_bye", "request-bye"),
        name="request-bye-before",
    ),
    path("penalise/", directing_api.penalise, name="penalise"),
    path("substitute/", directing_api.substitute, name="substitute"),
    path("", directing_api.entry, name="entry"),
    path("remove/", directing_api.remove, name="remove-entry"),
    path("byes/<int:pk>/cancel/", directing_api.cancel_bye, name="cancel-bye"),
    path("penalties/<int:pk>/revoke/", directing_api.revoke, name="revoke-penalty"),
    path("substitutions/<int:pk>/end/", directing_api.end_substitution, name="end-substitution"),
]

_stage: list[URLPattern | URLResolver] = [
    path("draws/", tournaments_api.stage_draws, name="stage-draws"),
    path("seeding/", directing_api.set_seeding, name="set-seeding"),
    path("draw-again/", directing_api.draw_stage_again, name="draw-stage-again"),
    path(
        "again/",
        alias(directing_api.draw_stage_again, "draw_stage_again", "draw-again"),
        name="draw-stage-again-before",
    ),
]

_tournament: list[URLPattern | URLResolver] = [
    path("entries/import/", directing_api.import_csv, name="import-entries"),
    path("draw/", directing_api.draw, name="draw"),
    path("entries/bots/", directing_api.enter_bots, name="enter-bots"),
    path("finish/", directing_api.finish, name="finish"),
    path("visibility/", directing_api.set_visibility, name="set-visibility"),
    path("repeat/", directing_api.repeat, name="repeat-tournament"),
    path("plan/", directing_api.set_plan, name="set-plan"),
    path("", tournaments_api.tournament, name="tournament"),
    path("entries/", tournaments_api.entries, name="entries"),
    path("rounds/", tournaments_api.rounds, name="rounds"),
    path("entries/list/", directing_api.enter_list, name="enter-list"),
    path("entries/preview/", directing_api.preview, name="preview-list"),
    path("days/", days_api.days, name="days"),
    path("days/plan/", days_api.plan_days, name="plan-days"),
    path("days/add/", days_api.add_day, name="add-day"),
    path("days/<int:number>/change/", days_api.change_day, name="change-day"),
    path("days/<int:number>/remove/", days_api.remove_day, name="remove-day"),
    path("announce/", directing_api.announce, name="announce"),
    path("post/", directing_api.post, name="post-tournament"),
    path("unpost/", directing_api.unpost, name="unpost-tournament"),
    path("cancel/", directing_api.cancel, name="cancel-tournament"),
    path("check-in/open/", directing_api.open_check_in, name="open-check-in"),
    path("check-in/all/", directing_api.check_in_all, name="check-in-all"),
    path("take-back-act/", directing_api.take_back_act, name="take-back-act"),
    path("check-in/close/", directing_api.close_check_in, name="close-check-in"),
    path("matches/", tournaments_api.matches, name="matches"),
    path("restore-points/", directing_api.restore_points, name="restore-points"),
    path("restore-points/<int:pk>/go-back/", directing_api.go_back, name="go-back"),
    path("rounds/<int:number>/", include(_round)),
    path("entries/<int:number>/", include(_entry)),
    path("stages/<int:number>/", include(_stage)),
]

api_urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/tournaments/", directing_api.create, name="create-tournament"),
    path("tournaments/", tournaments_api.all_tournaments, name="tournaments"),
    path("matches/<int:pk>/pin/", directing_api.pin, name="pin"),
    path("matches/<int:pk>/unpair/", directing_api.unpair, name="unpair"),
    path(
        "matches/<int:pk>/part/", alias(directing_api.unpair, "part_match", "unpair"), name="part"
    ),
    path("matches/<int:pk>/seat-late/", directing_api.seat_late, name="seat-late"),
    path("rulesets/", choices_api.rulesets, name="rulesets"),
    path("formats/", choices_api.formats, name="formats"),
    path("criteria/", choices_api.criteria, name="criteria"),
    path("tournaments/<slug:slug>/", include(_tournament)),
]

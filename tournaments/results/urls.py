"""URLs of matches, records, reports and rules."""

from django.urls import URLPattern, URLResolver, path

from tournaments.core.views import page
from tournaments.results import api as results_api
from tournaments.results.views import control_room, effects, matches, own_table, records, rules

urlpatterns: list[URLPattern | URLResolver] = [
    page("rules/", rules.rules, "rules"),
    page("rules/try/", rules.try_position, "try-position"),
    page("t/<slug:slug>/what-if/", effects.effect, "what-if"),
    page("t/<slug:slug>/submit/", records.submit_to_tournament_page, "submit-any"),
    page("t/<slug:slug>/table/", own_table.own_table, "own-table"),
    page("t/<slug:slug>/table/worker.js", own_table.worker, "own-table-worker"),
    page("t/<slug:slug>/come/", own_table.enter_code, "come"),
    page("t/<slug:slug>/come/code/", own_table.accept_code, "give-code"),
    page("t/<slug:slug>/come/forget/", own_table.drop_code, "forget-code"),
    page("t/<slug:slug>/come/<slug:verb>/", own_table.act, "come-act"),
    page("matches/<int:pk>/", matches.match, "match"),
    page("matches/<int:pk>/hands/<int:number>/", matches.hand, "hand"),
    page("matches/<int:pk>/hands/<int:number>/try/<int:card>/", matches.try_again, "try-again"),
    page("matches/<int:pk>/hands/<int:number>/last-trick/", matches.last_trick, "last-trick"),
    page("matches/<int:pk>/submit/", records.submit, "submit-record"),
    page("matches/<int:pk>/record/", records.recorder, "recorder"),
    page("matches/<int:pk>/record/worker.js", records.worker, "recorder-worker"),
    page("matches/<int:pk>/record/send/", records.send, "recorder-send"),
    page("matches/<int:pk>/report/", matches.report, "report"),
    page("matches/<int:pk>/report/hands/", matches.report_hands, "report-hands"),
    page("matches/<int:pk>/confirm/", matches.confirm, "confirm-result"),
    page("matches/<int:pk>/correct/", matches.correct, "correct-result"),
    page("matches/<int:pk>/dispute/", matches.dispute, "dispute"),
    page("matches/<int:pk>/take-up/", matches.take_up, "take-up"),
    page("matches/<int:pk>/rule/", matches.rule, "rule-dispute"),
    page("matches/<int:pk>/forfeit/", matches.forfeit, "forfeit"),
    page("matches/<int:pk>/decide/", matches.decide, "decide"),
    page("matches/<int:pk>/postpone/", matches.postpone, "postpone"),
    page("matches/<int:pk>/resume/", matches.resume, "resume"),
    page("matches/<int:pk>/propose-day/", matches.propose_day, "propose-day"),
    page("matches/<int:pk>/agree-day/", matches.agree_day, "agree-day"),
    page("matches/<int:pk>/decline-day/", matches.decline_day, "decline-day"),
    page("records/<int:pk>/", records.record, "record"),
    page("records/<int:pk>/download/", records.download, "download-record"),
    page(
        "matches/<int:pk>/hands/<int:number>/analysis/",
        matches.hand_analysis_board,
        "hand-analysis-board",
    ),
    page("matches/<int:pk>/analysis/", matches.match_analysis_board, "match-analysis-board"),
    page("t/<slug:slug>/control/", control_room.control_room, "control"),
    page("t/<slug:slug>/control/seat-late/", control_room.seat_late, "seat-late"),
    page("t/<slug:slug>/control/tables/<int:pk>/", control_room.table, "control-table"),
    page("t/<slug:slug>/control/late/", control_room.add_latecomer, "control-late"),
    page("t/<slug:slug>/control/announce/", control_room.announce, "announce"),
    page(
        "t/<slug:slug>/desk/", control_room.control_room, "desk"
    ),  # the address of earlier releases
    page("t/<slug:slug>/desk/board/", control_room.board, "desk-board"),
    page("t/<slug:slug>/desk/enter/", control_room.enter, "desk-enter"),
    page("t/<slug:slug>/desk/confirm/", control_room.confirm_listed, "desk-confirm"),
]

# Under `/api/v1/`.
api_urlpatterns = [
    path("tournaments/<slug:slug>/records/", results_api.records, name="submit-anywhere"),
    path("tournaments/<slug:slug>/records/bulk/", results_api.submit_lines, name="submit-lines"),
    path("matches/<int:pk>/", results_api.match, name="match"),
    path("matches/<int:pk>/hands/<int:number>/", results_api.hand, name="hand"),
    path("matches/<int:pk>/report/", results_api.report, name="report"),
    path("matches/<int:pk>/confirm/", results_api.confirm, name="confirm"),
    path("matches/<int:pk>/dispute/", results_api.dispute, name="dispute"),
    path("matches/<int:pk>/records/", results_api.submit, name="submit"),
    path("records/<int:pk>/", results_api.record, name="record"),
    path("matches/<int:pk>/correct/", results_api.correct, name="correct"),
    path("matches/<int:pk>/forfeit/", results_api.forfeit, name="forfeit"),
    path("matches/<int:pk>/no-show/", results_api.no_show, name="no-show"),
    path("matches/<int:pk>/decide/", results_api.decide, name="decide"),
    path("matches/<int:pk>/postpone/", results_api.postpone, name="postpone"),
    path("matches/<int:pk>/resume/", results_api.resume, name="resume"),
    path("matches/<int:pk>/propose-day/", results_api.propose_day, name="propose-day"),
    path("matches/<int:pk>/agree-day/", results_api.agree_day, name="agree-day"),
    path("matches/<int:pk>/decline-day/", results_api.decline_day, name="decline-day"),
    path("disputes/<int:pk>/take-up/", results_api.take_up, name="take-up"),
    path("disputes/<int:pk>/preview/", results_api.preview_ruling, name="preview-ruling"),
    path("disputes/<int:pk>/rule/", results_api.rule, name="rule"),
    path(
        "matches/<int:pk>/hands/<int:number>/analysis/",
        results_api.hand_analysis,
        name="hand-analysis",
    ),
]

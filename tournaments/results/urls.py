"""URLs of matches, records, reports and rules."""

from django.urls import URLPattern, URLResolver

from tournaments.core.views import page
from tournaments.results.views import matches, own_table, records, reports, rules

urlpatterns: list[URLPattern | URLResolver] = [
    page("rules/", rules.rules, "rules"),
    page("rules/try/", rules.try_position, "try-position"),
    page("t/<slug:slug>/submit/", records.submit_any, "submit-any"),
    page("t/<slug:slug>/table/", own_table.own_table, "own-table"),
    page("t/<slug:slug>/come/", own_table.come, "come"),
    page("t/<slug:slug>/come/<slug:verb>/", own_table.act, "come-act"),
    page("matches/<int:pk>/", matches.match, "match"),
    page("matches/<int:pk>/history/", matches.history, "match-history"),
    page("matches/<int:pk>/hands/<int:number>/", matches.hand, "hand"),
    page("matches/<int:pk>/submit/", records.submit, "submit-record"),
    page("matches/<int:pk>/record/", records.recorder, "recorder"),
    page("matches/<int:pk>/record/worker.js", records.worker, "recorder-worker"),
    page("matches/<int:pk>/record/send/", records.send, "recorder-send"),
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

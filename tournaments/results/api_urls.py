"""Addresses of the API of results, under `/api/v1/`."""

from django.urls import path

from tournaments.results.api import matches, records

urlpatterns = [
    path("tournaments/<slug:slug>/records/", records.records, name="submit-anywhere"),
    path("tournaments/<slug:slug>/records/bulk/", records.submit_lines, name="submit-lines"),
    path("matches/<int:pk>/", matches.match, name="match"),
    path("matches/<int:pk>/hands/<int:number>/", matches.hand, name="hand"),
    path("matches/<int:pk>/report/", matches.report, name="report"),
    path("matches/<int:pk>/confirm/", matches.confirm, name="confirm"),
    path("matches/<int:pk>/dispute/", matches.dispute, name="dispute"),
    path("matches/<int:pk>/records/", records.submit, name="submit"),
    path("records/<int:pk>/", records.record, name="record"),
    path("matches/<int:pk>/correct/", matches.correct, name="correct"),
    path("matches/<int:pk>/forfeit/", matches.forfeit, name="forfeit"),
    path("matches/<int:pk>/no-show/", matches.no_show, name="no-show"),
    path("matches/<int:pk>/decide/", matches.decide, name="decide"),
    path("matches/<int:pk>/postpone/", matches.postpone, name="postpone"),
    path("matches/<int:pk>/resume/", matches.resume, name="resume"),
    path("disputes/<int:pk>/take-up/", matches.take_up, name="take-up"),
    path("disputes/<int:pk>/rule/", matches.rule, name="rule"),
]

"""Records are analysed through the tasks, as workers run them; matches are never made to wait."""

from __future__ import annotations

import io

import pytest
from celery import current_app
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client

import engine
from tests.analysing import analyse_hand
from tests.clubs import submitted, the_liguilla
from tournaments.analysis import services as analysis_services
from tournaments.analysis import tasks as analysis_tasks
from tournaments.analysis.services import next_record
from tournaments.core.jobs import Job
from tournaments.models import AnalysedHand, Analysis, Hand, HandAnalysis

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "analyse_hand", analyse_hand, raising=False)


def test_analysing_has_a_queue_of_its_own() -> None:
    router = current_app.amqp.router
    assert router.route({}, Job.ANALYSE)["queue"].name == "analysis"
    assert router.route({}, Job.PLAY_MATCH)["queue"].name == "matches"
    assert router.route({}, Job.SWEEP_ANALYSES)["queue"].name == "default"


def test_the_task_analyses_records_from_end_to_end() -> None:
    tournament = the_liguilla()
    for index in range(3):
        answer = submitted(tournament, index)
        assert answer.record is not None
        analysis_tasks.analyse.apply(args=(answer.record.pk,), throw=True)
    assert set(Analysis.objects.values_list("state", flat=True)) == {"done"}
    assert AnalysedHand.objects.count() == Hand.objects.count()


def test_a_match_whose_page_is_waited_for_comes_first_and_a_renewed_one_last() -> None:
    """Whichever record the message is about."""
    tournament = the_liguilla()
    records = [submitted(tournament, index).record for index in range(3)]
    renewed, new, looked_at = [record for record in records if record is not None]
    Analysis.objects.filter(record=renewed).update(state="done", version=0)
    assert next_record(renewed.pk) == new.pk
    match = looked_at.match
    assert Client().get(f"/matches/{match.pk}/hands/1/analysis/").status_code == 204
    assert next_record(renewed.pk) == looked_at.pk
    cache.clear()  # nobody looks any more
    for record in (new, looked_at, renewed):
        assert next_record(new.pk) == record.pk
        Analysis.objects.filter(record=record).update(state="done", version=engine.ANALYSIS_VERSION)
    assert next_record(new.pk) == new.pk


def test_a_record_to_be_judged_comes_after_first_looks_and_before_a_renewed_one() -> None:
    tournament = the_liguilla()
    seen, new, renewed = (submitted(tournament, index).record for index in range(3))
    assert seen is not None
    assert new is not None
    assert renewed is not None
    analysis_services.analyse_record(seen.pk)
    for hand in HandAnalysis.objects.all():
        hand.answer["judged"] = False
        hand.save()
    Analysis.objects.filter(record=seen).update(state="waiting")
    Analysis.objects.filter(record=renewed).update(state="done", version=0)
    assert Client().get(f"/matches/{seen.match.pk}/hands/1/analysis/").status_code == 200
    assert next_record(new.pk) == new.pk  # although the page of the first is waited for
    analysis_services.analyse_record(new.pk)
    assert next_record(new.pk) == seen.pk
    analysis_services.analyse_record(seen.pk)
    assert next_record(new.pk) == renewed.pk


def test_the_command_analyses_a_tournament_and_run_again_has_nothing_to_do() -> None:
    tournament = the_liguilla()
    for index in range(2):
        submitted(tournament, index)
    count = Hand.objects.count()
    assert f"{count} of {count} hands analysed" in run(tournament.slug)
    first = list(AnalysedHand.objects.values_list("pk", "analysis"))
    assert f"{count} of {count} hands analysed" in run(tournament.slug)
    assert list(AnalysedHand.objects.values_list("pk", "analysis")) == first
    with pytest.raises(CommandError, match="not_found"):
        run("nada")


def run(slug: str) -> str:
    output = io.StringIO()
    call_command("analyse_tournament", slug, stdout=output)
    return output.getvalue()

"""The commands of ``manage.py``: the club night, and what is stored replayed."""

import io
import os
import runpy
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from tests.audited import assert_history_is_complete
from tournaments.core.permissions import Actor
from tournaments.environment import ROOT
from tournaments.management import demo_year
from tournaments.management.commands import demo
from tournaments.models import (
    AuditEvent,
    Club,
    Dispute,
    Hand,
    Match,
    Rating,
    Record,
    Result,
    SignUp,
    Tournament,
)
from tournaments.ratings.services import refresh_ratings
from tournaments.signup.queries.places import request_rows
from tournaments.standings.queries.standings import standings_page

pytestmark = pytest.mark.django_db(transaction=True)


def run(*command: str) -> str:
    output = io.StringIO()
    call_command(*command, stdout=output)
    return output.getvalue()


def test_an_argument_that_is_not_utf_8_leads_to_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["manage.py", "reset_link", "Jos\udce9"])
    with pytest.raises(SystemExit, match=r"^baza: 'Jos\\udce9' cannot be written in utf-8 \("):
        runpy.run_path(str(ROOT / "manage.py"), run_name="__main__")
    with pytest.raises(CommandError, match="cannot listen on"):
        run("up", "--host", "\udce9")


def test_the_demo_plays_the_club_night_and_says_why_24_records_are_refused() -> None:
    text = run("demo", "--night")
    assert "28 records replayed and accepted" in text
    assert "24 refused, none touched the standings" in text
    assert "play.must_trump (R4.4), hand 1, token 17" in text
    page = standings_page(demo.LIGUILLA, Actor.anonymous())
    assert [row.name for row in page.rows][:2] == ["Torrero", "Los del Coso"]
    assert Tournament.objects.get(slug=demo.LIGUILLA).state == Tournament.State.FINISHED
    keys = (settings.VAR / "demo-keys.txt").read_text(encoding="utf-8")
    assert "token baza_" in keys
    assert_history_is_complete()
    events = AuditEvent.objects.count()
    assert "there already" in run("demo", "--night"), "run again it changes nothing"
    assert AuditEvent.objects.count() == events


def test_the_demo_says_in_one_line_that_a_second_factor_is_required(settings: Any) -> None:
    settings.SECOND_FACTOR_REQUIRED = True
    with pytest.raises(CommandError, match="BAZA_SECOND_FACTOR=offered"):
        run("demo", "--night")
    assert not Club.objects.filter(slug=demo.CLUB).exists()


@pytest.mark.slow
def test_a_demo_that_is_interrupted_leaves_no_half_of_a_club(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(demo.Command, "submit_disputed", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run("demo", "--night")
    assert not Club.objects.filter(slug=demo.CLUB).exists()
    assert "28 records replayed and accepted" in run("demo", "--night")


@pytest.mark.slow
def test_the_demo_has_a_year_of_tournaments() -> None:
    text = run("demo", "--no-bots")
    assert "Torneo de la Fiesta: loaded" in text
    swiss, social, feast = (
        Tournament.objects.get(slug=slug)
        for slug in (demo_year.SWISS, demo_year.SOCIAL, demo_year.FEAST)
    )
    finished = Tournament.objects.filter(state=Tournament.State.FINISHED)
    formats = finished.values_list("stages__format", flat=True)
    assert sorted(formats) == ["individual", "knockout", "liguilla", "swiss"]
    assert Match.objects.filter(round__stage__tournament=swiss).count() == 6 * 15
    assert Result.objects.filter(forfeits=["away"]).count() == 1
    assert Dispute.objects.unsettled().get().match.tournament == social
    requests = request_rows(SignUp.objects.get(tournament=feast))
    assert [sum(row.is_in for row in requests), len(requests)] == [16, 18]
    assert swiss.club.seasons.get().events.count() == 4
    refresh_ratings(swiss.pk)
    assert Rating.objects.filter(player__club=swiss.club).count() == 60
    assert run("demo", "--no-bots") == "The demo club is there already: el-ebro.\n"
    assert_history_is_complete()


def test_the_demo_has_a_league_played_by_a_worker(
    start_worker: Callable[[], subprocess.Popen[bytes]],
) -> None:
    start_worker()
    text = run("demo")
    assert "Liga de bots: 7 rounds handed to Celery" in text
    played = Record.objects.filter(match__round__stage__tournament__slug=demo.BOT_LEAGUE)
    assert played.filter(state=Record.State.ACCEPTED).count() == 28


def test_an_audit_finds_what_is_stored_in_order_or_names_the_record_that_was_changed() -> None:
    run("demo", "--night")
    assert "28 records, 117 hands replayed, 0 differ" in run("audit")
    assert "28 records" in run("audit", "--tournament", demo.LIGUILLA)
    hand = Hand.objects.order_by("pk").first()
    assert hand is not None
    hand.points = {"AC": 130, "BD": 0}
    hand.save()
    output = io.StringIO()
    with pytest.raises(CommandError, match="not what was played"):
        call_command("audit", stdout=output)
    assert f"record {hand.record_id} of liguilla-de-otono/1/1: hands" in output.getvalue()


@pytest.mark.django_db
def test_an_audit_of_a_tournament_that_is_not_there_is_refused() -> None:
    with pytest.raises(CommandError, match="no tournament 'liguilla-de-otoño'"):
        run("audit", "--tournament", "liguilla-de-otoño")


@pytest.mark.slow
def test_a_round_without_bots_is_not_handed_to_workers() -> None:
    run("demo", "--night")
    with pytest.raises(CommandError, match="round_not_open"):
        call_command("play_round", demo.LIGUILLA, "1", "--wait", "0")


def test_a_command_whose_output_is_read_no_further_ends_quietly() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [sys.executable, "manage.py", "version"]
    with os.fdopen(write_end, "wb") as output:
        ended = subprocess.run(
            command, check=False, cwd=ROOT, stdout=output, stderr=subprocess.PIPE
        )
    assert (ended.returncode, ended.stderr) == (0, b"")

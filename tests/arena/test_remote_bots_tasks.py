"""Bots that run elsewhere in a real round: the example client, the web server, a Celery worker."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

import engine
from tests.arena.test_bot_round_tasks import wait_until
from tests.clubs import SYSTEM, organiser, user
from tests.support.remote import a_remote_match
from tournaments.accounts.services.invitations import issue_token
from tournaments.arena.services import dispatch
from tournaments.environment import ROOT
from tournaments.models import ApiToken, Attempt, BotForfeit, BotTurn, Club, Match, Record, Round

pytestmark = pytest.mark.django_db(transaction=True)
CLIENT = ROOT / "examples/bots/over_the_api.py"

Connect = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def connect(live_server: LiveServer) -> Iterator[Connect]:
    """Give a function that runs the example client for a bot of the club, and its program."""
    running: list[subprocess.Popen[str]] = []

    def run(club: Club, bot: str, *words: str) -> subprocess.Popen[str]:
        organiser(club)
        _, token = issue_token(SYSTEM, club, user("olga"), name=bot, scopes=(ApiToken.Scope.BOTS,))
        running.append(
            subprocess.Popen(
                [sys.executable, str(CLIENT), live_server.url, bot, *words],
                env={**os.environ, "BAZA_TOKEN": token},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
        return running[-1]

    yield run
    for client in running:
        client.kill()
        client.communicate()


def ask_again(match: Match) -> None:
    """Have the match played by the worker that is there now."""
    Round.objects.filter(pk=match.round_id).update(play_requested_at=None)
    dispatch.play_round(SYSTEM, Round.objects.get(pk=match.round_id))


def test_a_match_over_the_api_ends_with_a_record_like_any_other(
    connect: Connect, start_worker: Callable[[], subprocess.Popen[bytes]]
) -> None:
    match = a_remote_match(options={"deals": 1})
    start_worker()
    ask_again(match)
    first_steps = ("python3", str(ROOT / "examples/bots/first_steps.py"))
    client = connect(match.tournament.club, "lejano", *first_steps)
    wait_until(lambda: BotTurn.objects.filter(number=4).exists(), "the fourth question")
    client.kill()
    connect(match.tournament.club, "lejano", *first_steps)  # knows nothing of what was said before
    wait_until(Record.objects.exists, "the record")
    record = Record.objects.get()
    assert (record.state, record.source) == ("accepted", "bot")
    assert engine.audit(record.text).valid
    assert json.loads(record.text)["hands"][0]["play"]
    assert not BotForfeit.objects.exists()
    assert BotTurn.objects.filter(number=0).count() == 2
    assert Match.objects.get(pk=match.pk).attempts <= 1
    assert not Attempt.objects.filter(outcome__in=("lost", "broken", "infrastructure")).exists()


DYING = """
import json, os, sys
sys.path.insert(0, {folder!r})
import first_steps
asked = 0
def dies_once(line):
    global asked
    asked += json.loads(line)["type"] == "ask"
    if asked == 3 and not os.path.exists({mark!r}):
        open({mark!r}, "w").close()
        raise IndexError("no such card in my list")
    return line
sys.stdin = map(dies_once, iter(sys.stdin.readline, ""))
first_steps.main()
"""


def test_a_bot_that_dies_in_the_middle_of_a_match_loses_that_hand_and_plays_on(
    connect: Connect, start_worker: Callable[[], subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    match = a_remote_match(options={"deals": 3})
    bot, mark = tmp_path / "dying.py", tmp_path / "has-died"
    folder = str(ROOT / "examples" / "bots")
    bot.write_text(DYING.format(folder=folder, mark=str(mark)), encoding="utf-8")
    start_worker()
    ask_again(match)
    client = connect(match.tournament.club, "lejano", sys.executable, str(bot))
    wait_until(Record.objects.exists, "the record")
    assert client.poll() is None
    record = Record.objects.get()
    assert record.state == "accepted"
    plays = [hand["play"] for hand in json.loads(record.text)["hands"]]
    assert [play is None for play in plays] == [True, False, False]
    forfeit = BotForfeit.objects.get()
    assert (forfeit.hand, forfeit.code, forfeit.reply) == (1, "crash", "")
    assert forfeit.facts["ending"] == "code 1"
    assert "IndexError: no such card in my list" in forfeit.stderr
    assert forfeit.legal

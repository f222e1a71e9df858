"""Bots that run elsewhere in a real round: the example client, the web server, a Celery worker."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator

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

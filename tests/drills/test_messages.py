"""Messages that are lost, come three times or come again, and a broker that is not there."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from tests.clubs import SYSTEM, organiser, user
from tests.drills.crew import Broker, Crew, messenger, times, wait_until
from tests.drills.rounds import a_round_of, assert_each_counts_once, left
from tournaments.arena.services.dispatch import play_round
from tournaments.core.jobs import Job
from tournaments.models import Attempt, Match

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from tests.drills.conftest import Tell

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_a_round_asked_for_while_the_broker_is_away_is_played_when_it_is_back(
    crew: Crew, own_broker: Broker, tell: Tell, client: Client
) -> None:
    """Fault 5: the organiser gets an answer, the round's page says it waits, and then it runs."""
    round_ = a_round_of(4)
    tournament = round_.stage.tournament
    organiser(tournament.club)
    client.force_login(user("olga"))
    own_broker.kill()
    response = client.post(reverse("play-round", args=[tournament.slug, 1]))
    assert response.status_code == 302
    page = client.get(
        reverse("round", args=[tournament.slug, 1]), headers={"accept-language": "en"}
    )
    assert page.status_code == 200
    html = page.content.decode()
    assert "0/4" in html
    assert '<dt>Waiting</dt><dd class="number">4</dd>' in html
    own_broker.start()
    crew.hire()
    crew.pass_over()
    crew.tick()
    wait_until(lambda: not left(round_), "the round")
    assert_each_counts_once(round_)
    tell("a round of 4 matches asked for without a broker", left(round_))


def test_messages_that_come_three_times_in_parallel_play_each_match_once(
    crew: Crew, own_broker: Broker, tell: Tell
) -> None:
    """Fault 7: one claim for each match, a second delivery has nothing to do."""
    round_ = play_round(SYSTEM, a_round_of(8))
    keys = list(round_.matches.values_list("pk", flat=True))
    app = messenger(own_broker.url)

    def send(key: int) -> None:
        app.send_task(Job.PLAY_MATCH, args=(key,))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(send, keys * 3))
    crew.hire()
    wait_until(lambda: not left(round_), "the round")
    wait_until(lambda: own_broker.say(b"LLEN matches").startswith(b":0"), "the messages")
    assert_each_counts_once(round_)
    assert Attempt.objects.filter(match__round=round_).count() == len(keys)
    tell("8 matches, 24 messages and those of the round", left(round_))


def test_a_match_that_outlives_its_message_is_played_by_one_process(
    crew: Crew, own_broker: Broker, tmp_path: Path, tell: Tell
) -> None:
    """Fault 8: the broker gives the message to another worker; that one finds the lease."""
    seconds = times(1, 5)
    round_ = play_round(SYSTEM, a_round_of(1, deal_sets=times(30, 100)))
    path = tmp_path / "journal"
    strange = {"BAZA_DRILL_VISIBILITY": str(seconds), "BAZA_DRILL_JOURNAL": str(path)}
    crew.take(0.1)
    crew.hire(**strange)
    crew.tick()
    player = crew.hold_somebody()

    def deliveries() -> Counter[str]:
        lines = path.read_text().splitlines() if path.exists() else []
        played = [line.split() for line in lines if Job.PLAY_MATCH in line]
        return Counter(task for _process, task, *_ in played)

    wait_until(lambda: max(deliveries().values(), default=0) > 1, "the message to come again")
    assert left(round_) == 1, "it was over before its message came again"
    crew.let_go(player)
    wait_until(lambda: not left(round_), "the match")
    match = Match.objects.get(round=round_)
    assert Attempt.objects.filter(match=match).count() == 1
    assert_each_counts_once(round_)
    tell(f"1 message come {max(deliveries().values())} times", left(round_))

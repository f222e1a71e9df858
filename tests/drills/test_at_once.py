"""Two schedulers, and sixteen who advance a round at the same moment."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse

from tests.arena.test_schedules import a_ladder, decide, make_due, rounds, scheduled
from tests.clubs import organiser, the_round, user
from tests.drills.crew import Crew, times, wait_until
from tests.results.test_concurrency import assert_the_history_has_no_gap, at_once
from tests.servers import kill_group
from tournaments.arena.services.arena import close_played, run_due
from tournaments.director.services.tournaments import close_round
from tournaments.environment import ROOT
from tournaments.models import AuditEvent, Match, Round, Tournament

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.drills.conftest import Tell
    from tournaments.core.permissions import Actor

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

ROUNDS = times(3, 50)


def begun(tournament: Tournament) -> int:
    return Round.objects.filter(stage__tournament=tournament).count()


def test_two_schedulers_draw_every_round_once(crew: Crew, tell: Tell) -> None:
    """Fault 9: two beats tick against one database; one round, one set of pairings."""
    tournament = a_ladder(6)
    scheduled(tournament)
    crew.app = "tests.drills.strange"
    crew.hire()
    beats = [a_beat(crew) for _ in range(2)]
    try:
        for number in range(1, ROUNDS + 1):
            wait_until(lambda number=number: begun(tournament) == number, f"round {number}")  # type: ignore[misc]
            wait_until(
                lambda number=number: (number, "closed") in rounds(tournament),  # type: ignore[misc]
                f"the end of round {number}",
            )
            if number < ROUNDS:
                make_due(tournament)
    finally:
        for beat in beats:
            kill_group(beat)
    assert rounds(tournament) == [(n, "closed") for n in range(1, ROUNDS + 1)]
    assert Match.objects.count() == 3 * ROUNDS
    for verb in ("round.published", "round.play_requested", "schedule.ran", "round.closed"):
        assert AuditEvent.objects.filter(verb=verb).count() == ROUNDS, verb
    assert_the_history_has_no_gap()
    tell(f"2 schedulers over {ROUNDS} rounds", ROUNDS - begun(tournament))


def a_beat(crew: Crew) -> subprocess.Popen[bytes]:
    """Start a scheduler that ticks several times a second."""
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "celery", "--skip-checks", "-A", crew.app, "beat"),
            *("--pidfile=", "--max-interval", "1"),
        ],
        cwd=ROOT,
        env=crew.environment | {"BAZA_DRILL_BEAT": "0.3"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        process_group=0,
    )


def test_sixteen_who_advance_a_round_at_once_advance_it_once(tell: Tell) -> None:
    """Fault 10: people, programs and the tick; one closes it, others are refused or do nothing."""
    tournament = a_ladder(4)
    scheduled(tournament)
    olga = organiser(tournament.club)
    turns = times(3, 50)
    for number in range(1, turns + 1):
        make_due(tournament)
        run_due()
        decide(tournament, number)
        responses = at_once(*closers(tournament, number, olga))
        assert rounds(tournament)[-1] == (number, "closed"), number
        assert AuditEvent.objects.filter(verb="round.closed").count() == number
        counts = Counter(responses)
        assert counts["closed"] + counts["the tick"] + counts["by the page"] >= 1
        assert set(counts) <= {
            *("closed", "round_not_open", "the tick", "the tick: nothing"),
            *("by the page", "by the page: 409"),
        }
    assert_the_history_has_no_gap()
    tell(f"16 who advance a round at once, {turns} times", turns - len(rounds(tournament)))


def closers(tournament: Tournament, number: int, olga: Actor) -> list[Callable[[], str]]:
    """Return sixteen ways to close a round: the service, the tick, the page."""
    round_ = the_round(tournament, number)
    clients = [Client() for _ in range(4)]
    for client in clients:
        client.force_login(user("olga"))

    def by_page(client: Client) -> str:
        address = reverse("close-round", args=[tournament.slug, number])
        response = client.post(address)
        assert response.status_code in {302, 409}, response.status_code
        return "by the page" if response.status_code == 302 else "by the page: 409"

    by_service = [lambda: close_round(olga, the_round(tournament, number)).state] * 6
    by_tick = [lambda: "the tick" if close_played(round_.pk) else "the tick: nothing"] * 6
    return [*by_service, *by_tick, *(lambda client=client: by_page(client) for client in clients)]

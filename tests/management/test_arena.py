"""`manage.py arena`: pausing, going on, draining before a deploy; and the line about a round."""

import io
from datetime import UTC, datetime

import pytest
from django.core.management import CommandError, call_command

from tests.support.bot_tables import a_bot_round, house_bot
from tournaments.arena.services.playing import play_claimed, play_match
from tournaments.director.queries.rounds import Progress
from tournaments.management.commands.play_round import describe_progress
from tournaments.models import Arena, Match, Round
from tournaments.results.services.leases import Lease, claim_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def bot_round() -> Round:
    """A round of two matches of bots, who have been asked to play."""
    return a_bot_round(*(house_bot("random", n) for n in range(4)))


@pytest.fixture
def lease(bot_round: Round) -> Lease:
    """One of them in the hands of a worker."""
    lease = claim_match(bot_round.matches.order_by("pk")[0].pk)
    assert lease is not None
    return lease


def run(*command: str) -> list[str]:
    output = io.StringIO()
    call_command(*command, stdout=output)
    return output.getvalue().splitlines()


def test_the_bots_are_paused_and_play_again(bot_round: Round) -> None:
    assert run("arena", "pause") == ["the bots are paused"]
    assert not Match.objects.due()
    assert Arena.objects.get().paused_by == "system"
    assert run("arena", "pause") == ["the bots are paused"], "twice is once"
    assert run("arena", "resume") == ["the bots play"]
    assert run("arena", "resume") == ["the bots play"]
    assert len(Match.objects.due()) == 2


def test_draining_an_arena_where_nothing_is_held_is_done_at_once(bot_round: Round) -> None:
    assert run("arena", "drain", "--wait", "0") == [
        "the bots are paused",
        "0 matches in the hands of workers",
    ]


def test_draining_waits_for_what_a_worker_holds(
    lease: Lease, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanwhile(_seconds: float) -> None:
        if Match.objects.leased().exists():
            play_claimed(lease)

    monkeypatch.setattr("time.sleep", meanwhile)
    assert run("arena", "drain") == [
        "the bots are paused",
        "1 matches in the hands of workers",
        "0 matches in the hands of workers",
    ]


def test_what_is_not_drained_in_time_is_an_error_and_stays_paused(lease: Lease) -> None:
    with pytest.raises(CommandError, match="not drained after 0 s: 1 matches are still held"):
        run("arena", "drain", "--wait", "0")
    assert Arena.objects.get().paused_at is not None


def test_the_status_shows_the_rounds_at_play_and_the_workers(lease: Lease) -> None:
    open_, round_, worker = run("arena", "status")
    assert open_ == "open"
    assert round_ == "liga-de-bots 1: played 0 of 2, 1 in play, 0 left to the arbiter"
    assert ": 1 in play, last " in worker
    run("arena", "pause")
    assert run("arena", "status")[0].startswith("paused since ")


def test_watching_a_round_that_nobody_plays_says_why(bot_round: Round) -> None:
    watch = ("play_round", "liga-de-bots", "1", "--wait", "0.01")
    with pytest.raises(CommandError, match="2 matches still wait: is a worker running"):
        run(*watch)
    run("arena", "pause")
    with pytest.raises(CommandError, match="2 matches still wait: they are paused"):
        run(*watch)


def test_watching_a_round_shows_matches_and_hands(bot_round: Round) -> None:
    for match in bot_round.matches.all():
        play_match(match.pk)
    assert run("play_round", "liga-de-bots", "1")[0].strip() == "played 2 of 2, 2 hands"


def test_the_line_about_a_round_shows_all_that_is_known() -> None:
    progress = Progress(
        total=8,
        played=3,
        running=2,
        waiting=2,
        stuck=1,
        asked=True,
        finished=False,
        paused=True,
        hands=120,
        rate=14.25,
        estimated_end=datetime(2026, 5, 1, 10, 0, 30, tzinfo=UTC),
    )
    assert describe_progress(progress).startswith(
        "played 3 of 8, 2 in play, 1 left to the arbiter, 120 hands, 14.2 a second, end about "
    )
    assert describe_progress(progress).endswith(":00:30, paused")

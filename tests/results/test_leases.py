"""The lease of a worker: kept alive while it plays, lost in silence, shown by attempts."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import DatabaseError
from django.utils import timezone

from tests.support.bot_tables import a_bot_match, a_bot_round, afresh, house_bot
from tests.support.remote import a_remote_match
from tournaments.arena.services import playing
from tournaments.arena.services.dispatch import wake_due
from tournaments.arena.services.playing import PlayOutcome, play_claimed, play_match, play_matches
from tournaments.models import Attempt, Match
from tournaments.results.queries.effects import attempts_of
from tournaments.results.services import leases
from tournaments.results.services.leases import (
    Lease,
    LeaseExpired,
    LeaseRenewer,
    PlayInterrupted,
    claim_match,
    extend_leases,
    renew_leases,
    set_draining,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def still_here() -> Iterator[None]:
    """No test leaves the word behind that the workers are about to go."""
    yield
    set_draining(leaving=False)


def claimed(match: Match) -> Lease:
    lease = claim_match(match.pk)
    assert lease is not None
    return lease


def beats(renewer: LeaseRenewer) -> None:
    """Let a renewer beat in its thread until it stops by itself."""
    thread = threading.Thread(target=renewer.run)
    thread.start()
    thread.join()


def runs_out(match: Match) -> None:
    ago = timezone.now() - timedelta(seconds=1)
    Match.objects.filter(pk=match.pk).update(lease_until=ago)


def outcomes(match: Match) -> list[str]:
    return list(match.bot_attempts.order_by("pk").values_list("outcome", flat=True))


# --- Signs of life --------------------------------------------------------------------------------


def test_a_live_lease_runs_on_and_a_dead_one_does_not() -> None:
    match = a_bot_match()
    lease = claimed(match)
    Match.objects.update(lease_until=timezone.now() + timedelta(seconds=1))
    assert extend_leases(lease)
    until = afresh(match).lease_until
    assert until is not None
    assert until > timezone.now() + timedelta(seconds=20)
    runs_out(match)
    assert not extend_leases(lease), "nobody has taken over, and yet it is too late"


def test_a_thread_of_its_own_says_that_the_worker_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    """As often as it may; then the lease runs out in any case."""
    semaphore = threading.Semaphore(0)
    threads = set()

    def extended(_lease: Lease) -> bool:
        threads.add(threading.current_thread().name)
        semaphore.release()
        return True

    monkeypatch.setattr(leases, "RENEWAL_SECONDS", 0.001)
    monkeypatch.setattr(leases, "MAX_RENEWALS", 3)
    monkeypatch.setattr(leases, "extend_leases", extended)
    with renew_leases(Lease(17, "token")) as renewer:
        for _ in range(3):
            assert semaphore.acquire(timeout=30)
        renewer.check()
    assert not semaphore.acquire(blocking=False)
    assert threads == {"lease 17"}


def test_a_player_whose_lease_is_lost_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    renewer = LeaseRenewer(Lease(17, "token"))
    monkeypatch.setattr(leases, "RENEWAL_SECONDS", 0.001)
    monkeypatch.setattr(leases, "extend_leases", lambda _lease: False)
    beats(renewer)
    with pytest.raises(LeaseExpired):
        renewer.check()


def test_a_database_that_is_away_for_a_moment_is_no_loss(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(_lease: Lease) -> bool:
        raise DatabaseError("away")

    renewer = LeaseRenewer(Lease(17, "token"))
    monkeypatch.setattr(leases, "RENEWAL_SECONDS", 0.001)
    monkeypatch.setattr(leases, "MAX_RENEWALS", 1)
    monkeypatch.setattr(leases, "extend_leases", away)
    beats(renewer)
    renewer.check()
    assert "away" in caplog.text


def test_a_worker_that_is_asked_to_go_plays_nothing_more() -> None:
    set_draining()
    with pytest.raises(PlayInterrupted):
        LeaseRenewer(Lease(17, "token")).check()


# --- Attempts -------------------------------------------------------------------------------------


def test_an_attempt_shows_who_tried_and_how_it_ended() -> None:
    match = a_bot_match()
    lease = claimed(match)
    (row,) = attempts_of(match)
    assert (row.outcome, row.ended_at) == ("", None)
    assert ":" in row.worker
    assert play_claimed(lease) is PlayOutcome.ACCEPTED
    (row,) = attempts_of(match)
    assert row.outcome == "played"
    assert row.ended_at is not None


def test_an_attempt_of_which_nothing_is_heard_is_lost() -> None:
    match = a_bot_match()
    claimed(match)
    wake_due()
    assert outcomes(match) == [""], "it still plays"
    runs_out(match)
    wake_due()
    assert outcomes(match) == ["lost"]
    assert play_match(match.pk) is PlayOutcome.ACCEPTED
    assert outcomes(match) == ["lost", "played"]


def test_one_who_comes_back_too_late_is_noted_as_late() -> None:
    match = a_bot_match()
    stale = claimed(match)
    runs_out(match)
    assert play_match(match.pk) is PlayOutcome.ACCEPTED
    assert play_claimed(stale) is PlayOutcome.LATE
    assert outcomes(match) == ["late", "played"]


# --- Several in one message -----------------------------------------------------------------------


def posted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    messages: list[tuple[int, ...]] = []
    monkeypatch.setattr(playing, "post", lambda _job, *keys: messages.append(keys))
    return messages


def a_round_of(matches: int) -> list[int]:
    bots = [house_bot("simple", number) for number in range(2 * matches)]
    round_ = a_bot_round(*bots)
    return sorted(round_.matches.values_list("pk", flat=True))


def test_a_message_of_several_matches_plays_each_once() -> None:
    keys = a_round_of(3)
    play_matches(*keys, keys[0])
    assert outcomes_of(keys) == [["played"]] * 3


def outcomes_of(keys: list[int]) -> list[list[str]]:
    return [outcomes(match) for match in Match.objects.filter(pk__in=keys).order_by("pk")]


def test_what_does_not_fit_into_a_minute_is_left_for_another_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keys = a_round_of(3)
    messages = posted(monkeypatch)
    monkeypatch.setattr(playing, "BUDGET", 0.0)
    play_matches(*keys)
    assert outcomes_of(keys) == [["played"], [], []]
    assert messages == [tuple(keys[1:])]


def test_a_match_that_breaks_leaves_the_others_of_its_message_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each counts one attempt; of those claimed one by one, the rest goes to another message."""
    keys = a_round_of(3)
    messages = posted(monkeypatch)

    def breaks(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(playing, "play_part", breaks)
    with pytest.raises(ZeroDivisionError):
        play_matches(*keys)
    assert outcomes_of(keys) == [["broken"]] * 3
    with pytest.raises(ZeroDivisionError):
        play_matches(*keys)
    assert outcomes_of(keys) == [["broken"] * 2, ["broken"], ["broken"]]
    assert messages == [tuple(keys[1:])]
    assert [Match.objects.get(pk=key).attempts for key in keys] == [2, 1, 1]


def test_a_worker_that_goes_claims_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = a_round_of(2)
    messages = posted(monkeypatch)
    set_draining()
    play_matches(*keys)
    assert messages == [tuple(keys)]
    assert not Attempt.objects.exists()


def test_matches_of_slow_bots_travel_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    messages: list[tuple[int, ...]] = []
    monkeypatch.setattr(
        "tournaments.arena.services.dispatch.post", lambda _job, *keys: messages.append(keys)
    )
    quick = [house_bot("simple", number) for number in range(22)]
    round_ = a_bot_round(*quick, house_bot("strong", 1), house_bot("simple", 99))
    messages.clear()
    wake_due()
    slow = round_.matches.filter(home__bot__kind="strong") | round_.matches.filter(
        away__bot__kind="strong"
    )
    assert sorted(map(len, messages)) == [1, 5, 6]
    assert (slow.get().pk,) in messages


# --- Waiting for bots elsewhere -------------------------------------------------------------------


def test_a_match_that_waits_for_an_answer_counts_no_attempt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = a_remote_match(options={"deals": 1})
    messages = posted(monkeypatch)
    assert play_match(match.pk) is PlayOutcome.WAITING
    assert afresh(match).attempts == 0
    assert outcomes(match) == ["waiting"]
    assert play_match(match.pk) is PlayOutcome.SKIPPED, "the question is still open"
    assert messages == []

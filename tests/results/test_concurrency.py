"""Many at once: real threads on a real database, each with its own connection."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import TypeVar

import pytest
from django.db import connection, transaction
from django.utils import timezone

from tests.clubs import (
    SYSTEM,
    a_bot_liguilla,
    a_club,
    club_night_lines,
    record,
    text,
    the_liguilla,
    the_match,
    the_round,
)
from tournaments.arena.services.dispatch import play_round
from tournaments.arena.services.playing import play_match
from tournaments.core.audit import write_event
from tournaments.core.errors import Refusal
from tournaments.core.permissions import Actor
from tournaments.director.services.tournaments import close_round, publish_round
from tournaments.domain.scores import Score
from tournaments.models import (
    AuditEvent,
    Dispute,
    Match,
    Record,
    Result,
    Round,
    Submission,
    Tournament,
)
from tournaments.results.services.leases import claim_match
from tournaments.results.services.matches import correct_result, dispute_result, forfeit
from tournaments.results.services.reports import confirm_due, confirm_result, report_result
from tournaments.results.services.submit import submit_record, submit_to_tournament

pytestmark = pytest.mark.django_db(transaction=True)

Answer = TypeVar("Answer")
AT_ONCE = 8


def at_once(*acts: Callable[[], Answer]) -> list[Answer | str]:
    """Do all acts at the same moment; a refusal is answered by its code."""
    barrier = Barrier(len(acts))

    def act_when_all_are_there(act: Callable[[], Answer]) -> Answer | str:
        try:
            barrier.wait(timeout=30)
            return act()
        except Refusal as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(act_when_all_are_there, acts))


def assert_the_history_has_no_gap() -> None:
    for club in set(AuditEvent.objects.values_list("club", flat=True)):
        numbers = AuditEvent.objects.filter(club=club).values_list("sequence", flat=True)
        assert list(numbers) == list(range(1, len(numbers) + 1))


def test_the_same_record_at_once_is_accepted_once() -> None:
    match = the_match(the_liguilla(), 1, 1)
    outcomes = at_once(
        *[lambda: str(submit_record(SYSTEM, match, club_night_lines()[0]).outcome)] * AT_ONCE
    )
    assert Counter(outcomes) == {"accepted": 1, "duplicate": AT_ONCE - 1}
    assert (Record.objects.count(), Result.objects.count()) == (1, 1)
    assert_the_history_has_no_gap()


def test_different_records_at_once_open_one_dispute() -> None:
    match = the_match(the_liguilla(), 1, 1)
    bodies = []
    for index in (0, 1, 2, 3):
        document = record(index)
        document["seats"] = record(0)["seats"]
        bodies.append(text(document))
    outcomes = at_once(
        *[lambda body=body: str(submit_record(SYSTEM, match, body).outcome) for body in bodies]
    )
    assert Counter(outcomes) == {"accepted": 1, "contested": 3}
    assert Dispute.objects.count() == Result.objects.live().count() == 1


def test_one_key_at_once_is_one_request() -> None:
    match = the_match(the_liguilla(), 1, 1)

    def send() -> str:
        answer = submit_record(SYSTEM, match, club_night_lines()[0], idempotency_key="k-1")
        return str(answer.outcome)

    outcomes = Counter(at_once(*[send] * AT_ONCE))
    assert outcomes["accepted"] >= 1
    assert set(outcomes) <= {"accepted", "idempotency_in_flight"}
    assert (Record.objects.count(), Submission.objects.count()) == (1, 1)
    assert send() == "accepted"


@pytest.mark.slow
def test_a_whole_night_at_once_gives_the_same_standings() -> None:
    tournament = the_liguilla()
    version = tournament.version
    outcomes = at_once(
        *[
            lambda line=line: str(submit_to_tournament(SYSTEM, tournament, line).outcome)
            for line in club_night_lines()
        ]
    )
    assert Counter(outcomes) == {"accepted": 28}
    assert Result.objects.live().count() == 28
    assert Tournament.objects.get().version == version + 28
    assert_the_history_has_no_gap()


def test_one_lease_is_given_to_one_worker() -> None:
    tournament = a_bot_liguilla(entries=2)
    round_ = play_round(SYSTEM, the_round(tournament, 1))
    pk = Match.objects.due().filter(round=round_)[0].pk
    leases = at_once(*[lambda: claim_match(pk)] * AT_ONCE)
    assert sum(lease is not None for lease in leases) == 1
    assert Match.objects.get(pk=pk).attempts == 1


def test_every_bot_match_is_played_once_however_many_workers_hear_of_it() -> None:
    tournament = a_bot_liguilla(entries=8)
    round_ = play_round(SYSTEM, the_round(tournament, 1))
    keys = [match.pk for match in Match.objects.due().filter(round=round_)]
    outcomes = at_once(*[lambda pk=pk: str(play_match(pk)) for pk in keys * 3])
    assert Counter(outcomes) == {"accepted": 4, "skipped": 8}
    assert Record.objects.accepted().count() == Record.objects.count() == 4


def test_a_round_is_closed_once_and_never_under_a_correction() -> None:
    tournament = the_liguilla()
    for line in club_night_lines()[:4]:
        submit_to_tournament(SYSTEM, tournament, line)
    round_, match = the_round(tournament, 1), the_match(tournament, 1, 1)

    def close() -> str:
        return close_round(SYSTEM, round_).state

    def correct() -> str:
        return str(correct_result(SYSTEM, match, Score(3, 0, 0, 0), reason="Mal.").winner)

    outcomes = Counter(at_once(*[close] * 4, *[correct] * 4))
    assert outcomes == {"closed": 1, "round_not_open": 3, "home": 4}
    assert Result.objects.live().filter(match=match).get().version == 5
    assert_the_history_has_no_gap()


def test_a_round_is_published_once() -> None:
    tournament = the_liguilla(published=0)
    round_ = the_round(tournament, 1)
    outcomes = at_once(*[lambda: publish_round(SYSTEM, round_).state] * AT_ONCE)
    assert Counter(outcomes) == {"published": 1, "round_not_draft": AT_ONCE - 1}
    assert Round.objects.filter(state="published").count() == 1


def test_events_written_at_once_are_numbered_without_a_gap() -> None:
    club = a_club()

    def write() -> int:
        with transaction.atomic():
            return write_event(SYSTEM, "test.done", club, club=club).sequence

    assert sorted(map(int, at_once(*[write] * AT_ONCE))) == list(range(2, AT_ONCE + 2))


def test_reports_of_both_sides_at_once_are_one_result_that_counts() -> None:
    match = the_match(the_liguilla(), 1, 1)
    assert match.away is not None
    sides = [Actor.for_entry(match.home), Actor.for_entry(match.away)]
    outcomes = at_once(
        *[
            lambda side=side: str(report_result(side, match, score=Score(3, 0, 0, 0)).outcome)
            for side in sides * 4
        ]
    )
    assert Counter(outcomes) == {"reported": 1, "confirmed": 1, "duplicate": 6}
    assert Result.objects.counting().count() == Result.objects.count() == 1
    assert_the_history_has_no_gap()


def test_contradictions_at_once_open_one_dispute_and_nothing_counts() -> None:
    match = the_match(the_liguilla(), 1, 1)
    assert match.away is not None
    home, away = Actor.for_entry(match.home), Actor.for_entry(match.away)
    acts = [
        lambda: str(report_result(home, match, score=Score(3, 0, 0, 0)).outcome),
        lambda: str(report_result(away, match, score=Score(0, 3, 0, 0)).outcome),
    ]
    outcomes = Counter(at_once(*acts * 4))
    assert outcomes["reported"] == 1
    assert outcomes["contested"] >= 1
    assert set(outcomes) <= {"reported", "contested", "duplicate"}
    assert Dispute.objects.count() == 1
    assert not Result.objects.counting().exists()
    assert Result.objects.count() == 2


def test_a_result_is_confirmed_once_by_one_who_comes_first() -> None:
    tournament = the_liguilla()
    match = the_match(tournament, 1, 1)
    assert match.away is not None
    report_result(Actor.for_entry(match.home), match, score=Score(3, 0, 0, 0))
    match.results.update(made_at=timezone.now() - timedelta(days=9))
    other, version = Actor.for_entry(match.away), tournament.version
    at_once(
        *[lambda: str(confirm_result(other, match).pk)] * 4,
        *[lambda: str(confirm_due())] * 4,
    )
    assert AuditEvent.objects.filter(verb="result.confirmed").count() == 1
    assert Tournament.objects.get().version == version + 1
    assert Match.objects.get(pk=match.pk).state == "accepted"
    assert_the_history_has_no_gap()


def test_an_objection_and_a_confirmation_at_once_end_in_a_dispute_or_in_none() -> None:
    match = the_match(the_liguilla(), 1, 1)
    assert match.away is not None
    report_result(Actor.for_entry(match.home), match, score=Score(3, 0, 0, 0))
    other = Actor.for_entry(match.away)
    at_once(
        lambda: str(confirm_result(other, match).pk),
        lambda: str(dispute_result(other, match, "Mal.").pk),
        lambda: str(forfeit(SYSTEM, match, ["home"], reason="No vino.").pk),
    )
    state = Match.objects.get(pk=match.pk).state
    assert state in {"accepted", "disputed"}
    # An objection to a result that counted by then leaves it counting until the ruling.
    counts = {"accepted": {1}, "disputed": {0, 1}}
    assert Result.objects.counting().count() in counts[state]
    assert_the_history_has_no_gap()

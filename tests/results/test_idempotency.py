"""Requests sent twice (faults 14 to 16, inputs 34 and 40)."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.clubs import (
    SYSTEM,
    club_night_lines,
    disputed_lines,
    organiser,
    program,
    record,
    text,
    the_match,
    the_round,
)
from tests.support.refusals import refusal
from tournaments.core import idempotency
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.director.services.substitutions import substitute
from tournaments.director.services.tournaments import publish_round
from tournaments.models import AuditEvent, Match, Player, Record, Submission, Tournament
from tournaments.results.services import submit
from tournaments.results.services.submission import SubmissionOutcome
from tournaments.results.services.submit import submit_record, submit_to_tournament

pytestmark = pytest.mark.django_db


def submit_keyed(
    match: Match, body: bytes | str, key: str = "k-1", actor: Actor = SYSTEM
) -> SubmissionOutcome:
    return submit_record(actor, match, body, idempotency_key=key)


def test_the_same_request_again_gets_the_same_answer(match: Match) -> None:
    first = submit_keyed(match, club_night_lines()[0])
    events = AuditEvent.objects.count()
    second = submit_keyed(match, club_night_lines()[0])
    assert (second.outcome, second.status, second.record) == ("accepted", 201, first.record)
    assert second.match == match
    assert (first.replayed, second.replayed) == (False, True)
    assert AuditEvent.objects.count() == events


@pytest.mark.parametrize("body", [b"{", disputed_lines()[2]])
def test_a_refusal_is_repeated_word_for_word(match: Match, body: bytes | str) -> None:
    first, second = submit_keyed(match, body), submit_keyed(match, body)
    for name in ("outcome", "status", "code", "reason", "message", "record", "verdict"):
        assert getattr(first, name) == getattr(second, name), name
    assert second.replayed
    assert AuditEvent.objects.filter(verb__startswith="record.").count() == 1


def test_a_key_is_good_for_one_request(liguilla: Tournament, match: Match) -> None:
    submit_keyed(match, club_night_lines()[0])
    with refusal(Reason.KEY_REUSED):
        submit_keyed(match, club_night_lines()[1])
    with refusal(Reason.KEY_REUSED):
        submit_keyed(the_match(liguilla, 1, 2), club_night_lines()[0])
    with refusal(Reason.KEY_REUSED):
        submit_to_tournament(SYSTEM, liguilla, club_night_lines()[0], idempotency_key="k-1")
    assert Record.objects.count() == 1


def test_keys_of_different_senders_are_different_keys(match: Match) -> None:
    submit_keyed(match, club_night_lines()[0])
    club = match.tournament.club
    for actor in (organiser(club, "otto"), program(club, "games:submit")):
        answer = submit_keyed(match, club_night_lines()[0], actor=actor)
        assert (answer.outcome, answer.replayed) == ("duplicate", False)
    assert Submission.objects.count() == 3


@pytest.mark.parametrize("key", ["", "x" * 201, "with blank", "ñ", "\n"])
def test_a_key_is_visible_ascii(match: Match, key: str) -> None:
    with refusal(Reason.BAD_KEY):
        submit_keyed(match, club_night_lines()[0], key)
    assert not Record.objects.exists()


def test_while_a_request_is_under_way_another_with_its_key_waits(match: Match) -> None:
    submit_keyed(match, club_night_lines()[0])
    Submission.objects.update(answer=None)
    with refusal(Reason.KEY_IN_FLIGHT) as refused:
        submit_keyed(match, club_night_lines()[0])
    assert 1 <= refused.value.params["retry_after"] <= 60


def test_a_key_left_locked_by_a_crash_opens_after_a_minute(match: Match) -> None:
    submit_keyed(match, club_night_lines()[0])
    Submission.objects.update(answer=None, locked_until=timezone.now() - timedelta(seconds=1))
    answer = submit_keyed(match, club_night_lines()[0])
    assert (answer.outcome, answer.replayed) == ("duplicate", False)
    assert Submission.objects.get().answer is not None


def test_who_lost_the_lock_keeps_no_answer_and_frees_no_key(db: None) -> None:
    """The first request slept for more than a minute; another has the key now."""
    first = idempotency.claim(SYSTEM, "k-1", "the same")
    Submission.objects.update(locked_until=timezone.now() - timedelta(seconds=1))
    second = idempotency.claim(SYSTEM, "k-1", "the same")
    assert first.pk == second.pk
    with refusal(Reason.KEY_IN_FLIGHT):
        idempotency.store_answer(first, {"outcome": "accepted"})
    idempotency.release(first)
    idempotency.store_answer(second, {"outcome": "refused"})
    assert idempotency.claim(SYSTEM, "k-1", "the same").answer == {"outcome": "refused"}


def test_a_bug_frees_the_key(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object) -> SubmissionOutcome:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(submit, "judge", broken)
        with pytest.raises(ZeroDivisionError):
            submit_keyed(match, club_night_lines()[0])
    assert submit_keyed(match, club_night_lines()[0]).outcome == "accepted"


def test_an_answer_that_may_change_is_asked_for_again(liguilla: Tournament) -> None:
    match = the_match(liguilla, 2, 1)
    assert submit_keyed(match, club_night_lines()[4]).code == "round_closed"
    publish_round(SYSTEM, the_round(liguilla, 2))
    answer = submit_keyed(match, club_night_lines()[4])
    assert (answer.outcome, answer.replayed) == ("accepted", False)


def test_what_the_club_puts_right_is_judged_again_under_the_same_key(liguilla: Tournament) -> None:
    match, pair = the_match(liguilla, 1, 1), the_match(liguilla, 1, 1).home.pair
    assert pair is not None
    comes = Player.objects.create(club=liguilla.club, code="J99", name="Nieves Otal")
    body = club_night_lines()[0].replace(pair.first.name, comes.name)
    refused = submit_keyed(match, body)
    assert (refused.code, submit_keyed(match, body).replayed) == ("pairing_mismatch", False)
    assert AuditEvent.objects.filter(verb__startswith="record.").count() == 1, "kept once"
    substitute(SYSTEM, match.home, leaves=pair.first, comes=comes, from_round=1)
    answer = submit_keyed(match, body)
    assert (answer.outcome, answer.replayed) == ("accepted", False)


def test_a_refusal_that_the_release_before_has_kept_is_given_again(match: Match) -> None:
    refused = submit_keyed(match, club_night_lines()[0])
    stored_answer = {"refusal": "PAIRING_MISMATCH", "params": {"expected": "A, B"}}
    row = Submission.objects.get()
    row.answer = {**(row.answer or {}), "outcome": "refused", **stored_answer}
    row.save()
    second = submit_keyed(match, club_night_lines()[0])
    assert (second.code, second.status, second.replayed) == ("pairing_mismatch", 422, True)
    assert refused.code == ""


def test_a_conflict_sent_again_is_the_same_conflict(match: Match) -> None:
    submit_keyed(match, club_night_lines()[0], "k-1")
    other = record(3)
    other["seats"] = record(0)["seats"]
    first = submit_keyed(match, text(other), "k-2")
    second = submit_keyed(match, text(other), "k-2")
    assert (first.outcome, first.record) == (second.outcome, second.record)
    assert Record.objects.count() == 2


def test_an_answer_by_tournament_is_repeated_too(liguilla: Tournament) -> None:
    def send() -> SubmissionOutcome:
        return submit_to_tournament(SYSTEM, liguilla, "{", idempotency_key="k-1")

    first, second = send(), send()
    assert first.code == second.code == "record.syntax"
    assert first.message == second.message
    assert (second.match, second.record, second.replayed) == (None, None, True)

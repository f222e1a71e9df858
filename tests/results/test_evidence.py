"""What is refused is kept as evidence, up to a limit: nobody fills the disk with it."""

import json
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from django.utils.translation import override

from tests.clubs import (
    SYSTEM,
    club_night_lines,
    program,
    record,
    submitted,
    text,
    the_liguilla,
    the_match,
)
from tests.results.test_concurrency import at_once
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.models import AuditEvent, Dispute, EvidenceDay, Match, Record, Submission
from tournaments.results.services import write
from tournaments.results.services.submission import SubmissionOutcome
from tournaments.results.services.submit import submit_record
from tournaments.results.tasks import forget

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(db: None) -> Match:
    """Round 1, table 1 of the club night."""
    return the_match(the_liguilla(published=1), 1, 1)


@pytest.fixture
def desk(match: Match) -> Actor:
    """A program that submits for the club."""
    return program(match.tournament.club, "games:submit")


def limits(monkeypatch: pytest.MonkeyPatch, **most: int) -> None:
    for name, number in most.items():
        monkeypatch.setattr(write, f"MAX_{name.upper()}", number)


def wrong(number: int) -> str:
    """A record of another ruleset, each a different text."""
    return text({**record(0), "ruleset": "habanero", "tags": {"event": f"n. {number}"}})


def send(match: Match, actor: Actor, number: int, key: str | None = None) -> SubmissionOutcome:
    return submit_record(actor, match, wrong(number), idempotency_key=key)


def refused_count() -> int:
    return Record.objects.filter(state="refused").count()


def test_of_a_match_a_limited_number_of_refused_records_is_kept(
    match: Match, desk: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits(monkeypatch, per_match=3)
    answers = [send(match, desk, number) for number in range(5)]
    assert [response.is_kept for response in answers] == [True, True, True, False, False]
    assert refused_count() == 3
    assert len({response.code for response in answers}) == 1
    last = answers[-1]
    assert last.record is None
    with override("en"):
        assert last.message.endswith("there is enough evidence already.")
        assert not answers[0].message.endswith("already.")
    event = AuditEvent.objects.filter(verb="record.unkept").latest("sequence")
    assert event.facts["sha256"] == last.parsed.sha256
    assert "habanero" not in json.dumps(event.facts)


def test_what_is_kept_already_needs_no_room(
    match: Match, desk: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits(monkeypatch, per_match=1)
    first = send(match, desk, 0)
    assert send(match, desk, 0).record == first.record
    assert EvidenceDay.objects.get().texts == 1


def test_a_sender_has_a_number_of_texts_a_day(
    match: Match, desk: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits(monkeypatch, texts=2)
    assert [send(match, desk, number).is_kept for number in range(3)] == [True, True, False]
    other = program(match.tournament.club, "games:submit", of="otto")
    assert send(match, other, 3).is_kept
    EvidenceDay.objects.update(day=timezone.now().date() - timedelta(days=1))
    assert send(match, desk, 4).is_kept


def test_a_sender_has_a_number_of_bytes_a_day(
    match: Match, desk: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = len(wrong(0).encode())
    limits(monkeypatch, bytes=2 * size)
    assert [send(match, desk, number).is_kept for number in range(3)] == [True, True, False]
    assert EvidenceDay.objects.get().size == 2 * size


def test_of_very_many_more_nothing_is_written(
    match: Match, desk: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits(monkeypatch, texts=0, notes=2)
    send(match, desk, 0)
    submit_record(desk, match, "{")
    events = AuditEvent.objects.count()
    for body in (wrong(1), "{"):
        with refusal(Reason.EVIDENCE_FULL) as refused:
            submit_record(desk, match, body, idempotency_key="k-1")
        assert 0 < refused.value.params["retry_after"] <= 24 * 60 * 60 + 1
    assert AuditEvent.objects.count() == events
    assert not Submission.objects.exists(), "429 is no answer to be kept"
    answer = submit_record(desk, match, club_night_lines()[0])
    assert answer.outcome == "accepted", "who is right is heard all the same"


def test_the_first_contradiction_always_opens_a_dispute(
    match: Match, desk: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    submitted(match.tournament, 0)
    limits(monkeypatch, texts=0)
    others = []
    for index in (1, 2):
        document = record(index)
        document["seats"] = record(0)["seats"]
        others.append(submit_record(desk, match, text(document)))
    assert [answer.code for answer in others] == ["conflicting_log"] * 2
    assert [answer.is_kept for answer in others] == [True, False]
    assert Dispute.objects.get().record == others[0].record


def test_an_answer_that_was_not_kept_is_repeated_word_for_word(
    match: Match, desk: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits(monkeypatch, texts=0)
    first, second = send(match, desk, 0, "k-1"), send(match, desk, 0, "k-1")
    assert (second.replayed, second.message, second.code) == (True, first.message, first.code)
    assert AuditEvent.objects.filter(verb="record.unkept").count() == 1


def test_the_service_itself_is_no_sender(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    limits(monkeypatch, texts=0, notes=0)
    assert send(match, SYSTEM, 0).is_kept
    assert submit_record(SYSTEM, match, "{").status == 400
    assert not EvidenceDay.objects.exists()


def test_what_is_undone_gives_its_room_back(match: Match, desk: Actor) -> None:
    with transaction.atomic():
        send(match, desk, 0)
        transaction.set_rollback(True)
    assert not EvidenceDay.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_many_at_once_are_counted_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Input 47: of eight at once, on several matches, as many are kept as there is room for."""
    tournament = the_liguilla(published=2)
    desk = program(tournament.club, "games:submit")
    limits(monkeypatch, texts=3)
    matches = [the_match(tournament, round_, table) for round_ in (1, 2) for table in (1, 2, 3, 4)]
    acts = [
        lambda match=match, number=number: str(send(match, desk, number).is_kept)
        for number, match in enumerate(matches)
    ]
    assert sorted(at_once(*acts)) == ["False"] * 5 + ["True"] * 3
    assert refused_count() == EvidenceDay.objects.get().texts == 3


def test_keys_are_forgotten_after_a_day_and_counts_after_theirs(match: Match, desk: Actor) -> None:
    for key in ("old", "new", "stuck"):
        send(match, desk, 0, key)
    day = timedelta(hours=24, minutes=1)
    ahead = timezone.now() + timedelta(seconds=60)
    Submission.objects.filter(key="old").update(created_at=timezone.now() - day)
    Submission.objects.filter(key="stuck").update(
        created_at=timezone.now() - day, locked_until=ahead
    )
    Submission.objects.filter(key="old").update(locked_until=timezone.now() - day)
    EvidenceDay.objects.create(who="user:7", day=timezone.now().date() - timedelta(days=2))
    forget()
    assert set(Submission.objects.values_list("key", flat=True)) == {"new", "stuck"}
    assert EvidenceDay.objects.get().who == desk.scope_name

"""The chain in the database: what it refuses, and what is found when it is gone around.

Every test runs on the database of the run: SQLite, or PostgreSQL with `DATABASE_URL`.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.db.models import F

from tests.clubs import SYSTEM, a_club, organiser, program
from tests.domain.trails import SEED, first
from tests.flushing import KEPT, without_guards
from tests.results.test_concurrency import at_once
from tournaments.core import audit
from tournaments.core.audit import redact_events, write_event
from tournaments.domain.trail import chain
from tournaments.domain.trail.chain import FIRST, Texts
from tournaments.domain.trail.checking import ChainReport
from tournaments.domain.trail.checkpoints import public_key
from tournaments.exchange.queries.trails import check_club, installation_key, missing_guards
from tournaments.exchange.services.checkpoints import write_checkpoint, write_due_checkpoints
from tournaments.models import AuditCheckpoint, AuditCounter, AuditEvent, Club

pytestmark = pytest.mark.django_db


def checked(club: Club, checkpoints: Any = ()) -> ChainReport:
    return check_club(club, {installation_key()}, checkpoints)


def signed_history(club: Club, count: int = 1) -> None:
    for number in range(count):
        write_event(SYSTEM, "test.done", club, club=club, number=number, name="José", part=0.5)


@pytest.fixture
def club() -> Club:
    """A club with ten events, signed at the sixth and at the last."""
    club = a_club()
    signed_history(club, 5)
    write_checkpoint(club.pk)
    signed_history(club, 4)
    write_checkpoint(club.pk)
    return club


def events(club: Club) -> Any:
    return AuditEvent.objects.filter(club=club)


def test_a_history_as_it_was_written_holds(club: Club) -> None:
    chain_report = checked(club)
    assert chain_report.holds
    assert chain_report.last == 10
    assert missing_guards() == ()


# --- the database itself ---


@pytest.mark.parametrize(
    "change",
    [
        {"verb": "test.forged"},
        {"actor": "nadie"},
        {"facts": {}},
        {"at": F("at") + timedelta(seconds=1)},
        {"sequence": 99},
        {"subject_pk": 99},
        {"digest": "f" * 64},
        {"digest": ""},
        {"texts_digest": "f" * 64},
        {"salt": "ab" * 16},
        {"salt": "", "verb": "test.forged"},
    ],
    ids=str,
)
def test_the_database_refuses_to_change_an_event(club: Club, change: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError, match="append only"), transaction.atomic():
        events(club).filter(sequence=4).update(**change)
    assert checked(club).holds


def test_the_database_refuses_to_hand_an_event_to_another_account(club: Club) -> None:
    boss = organiser(club)
    write_event(boss, "test.done", club, club=club)
    own_events = events(club).filter(user=boss.user)
    with pytest.raises(IntegrityError, match="append only"), transaction.atomic():
        own_events.update(user=User.objects.create(username="otra"))
    own_events.update(user=None)
    assert checked(club).holds


def test_the_database_refuses_to_delete_events_and_checkpoints(club: Club) -> None:
    for rows in (events(club), AuditCheckpoint.objects.filter(club=club)):
        with pytest.raises(IntegrityError, match="append only"), transaction.atomic():
            rows.delete()
    with pytest.raises(IntegrityError, match="append only"), transaction.atomic():
        AuditCheckpoint.objects.update(sequence=1)


@pytest.mark.parametrize("table", KEPT)
def test_the_database_refuses_to_empty_or_replace(club: Club, table: str) -> None:
    row = f"SELECT * FROM {table} WHERE id = (SELECT min(id) FROM {table})"  # noqa: S608
    way = {"sqlite": f"REPLACE INTO {table} {row}", "postgresql": f"TRUNCATE {table} CASCADE"}
    connection.check_constraints()  # what waits for the commit would hold the table
    refused = pytest.raises(IntegrityError, match="append only")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(way[connection.vendor])
    assert checked(club).holds


def test_an_account_that_goes_leaves_its_events_and_their_chain(club: Club) -> None:
    scorer = program(club, "games:submit")
    write_event(scorer, "test.done", club, club=club)
    assert scorer.user
    assert scorer.token
    number = events(club).latest("sequence").sequence
    scorer.token.delete()
    scorer.user.delete()
    event = events(club).get(sequence=number)
    assert (event.user, event.token, event.actor) == (None, None, "olga (marcador)")
    assert checked(club).holds


def test_a_trigger_that_is_off_is_missed() -> None:
    with without_guards(connection):
        assert len(missing_guards()) == len(KEPT) * 3
    assert missing_guards() == ()


# --- a superuser at work ---


def forge(act: Callable[[], object]) -> None:
    """Do what a superuser of the database can do: the triggers are off meanwhile."""
    with without_guards(connection):
        act()


def rechain(club: Club) -> None:
    """Compute every digest and the counter's again."""
    head = FIRST
    for event in events(club).order_by("sequence"):
        event.texts_digest = chain.commitment(event.texts, event.salt)
        event.digest = head = chain.link(head, chain.says(event.to_chain_event()))
        event.save()
    AuditCounter.objects.filter(club=club).update(
        head=head, last=event.sequence, chained=event.sequence
    )


@pytest.mark.parametrize("change", [{"actor": "nadie"}, {"facts": {"number": 1}}], ids=str)
def test_texts_that_were_edited_are_found(club: Club, change: dict[str, Any]) -> None:
    forge(lambda: events(club).filter(sequence=4).update(**change))
    assert first(checked(club)) == ("edited", 4)


def test_a_time_that_was_edited_is_found(club: Club) -> None:
    moved = F("at") + timedelta(seconds=1)
    forge(lambda: events(club).filter(sequence=4).update(at=moved))
    assert first(checked(club)) == ("edited", 4)


def test_an_event_that_was_deleted_is_found(club: Club) -> None:
    forge(lambda: events(club).filter(sequence=4).delete())
    assert first(checked(club)) == ("deleted", 4)


def test_an_end_that_was_cut_off_is_found_by_the_counter(club: Club) -> None:
    signed_history(club, 3)
    forge(lambda: events(club).filter(sequence__gt=11).delete())
    chain_report = checked(club)
    assert first(chain_report) == ("truncated", 12)
    assert chain_report.faults[0].facts["checkpoint"] == 0


def cut(club: Club, after: int) -> None:
    events(club).filter(sequence__gt=after).delete()
    rechain(club)


def test_an_end_that_was_cut_off_everywhere_is_found_by_a_checkpoint(club: Club) -> None:
    forge(lambda: cut(club, 7))
    chain_report = checked(club)
    assert first(chain_report) == ("truncated", 8)
    assert chain_report.faults[0].facts["checkpoint"] == 2


def test_an_end_cut_off_with_its_checkpoints_is_found_by_one_that_a_person_kept(club: Club) -> None:
    checkpoints = [row.to_checkpoint() for row in AuditCheckpoint.objects.filter(club=club)]

    def cut_all() -> None:
        AuditCheckpoint.objects.filter(club=club, sequence__gt=7).delete()
        cut(club, 7)

    forge(cut_all)
    assert checked(club).holds, "nothing in the database tells"
    assert first(checked(club, checkpoints)) == ("truncated", 8)


def insert(club: Club, place: int) -> None:
    for event in events(club).filter(sequence__gte=place).order_by("-sequence"):
        AuditEvent.objects.filter(pk=event.pk).update(sequence=event.sequence + 1)
    before = events(club).get(sequence=place - 1)
    forged = events(club).get(sequence=1)
    forged.pk, forged.sequence = None, place
    forged.digest = chain.link(before.digest, chain.says(forged.to_chain_event()))
    forged.save(force_insert=True)
    AuditCounter.objects.filter(club=club).update(last=F("last") + 1)


def test_an_event_that_was_put_in_is_found(club: Club) -> None:
    forge(lambda: insert(club, 4))
    assert first(checked(club)) == ("inserted", 4)


def swap(club: Club, one: int, other: int) -> None:
    for start, end in ((one, 99), (other, one), (99, other)):
        events(club).filter(sequence=start).update(sequence=end)


def test_events_that_changed_places_are_found(club: Club) -> None:
    forge(lambda: swap(club, 4, 7))
    assert first(checked(club)) == ("edited", 4)


@pytest.mark.parametrize(("place", "found_from"), [(4, 1), (8, 7)])
def test_a_history_written_again_with_all_its_digests_is_found_by_a_checkpoint(
    club: Club, place: int, found_from: int
) -> None:
    def rewrite() -> None:
        events(club).filter(sequence=place).update(verb="test.forged")
        rechain(club)

    forge(rewrite)
    assert first(checked(club)) == ("rewritten", found_from)


def test_checkpoints_signed_by_another_key_are_found(club: Club, settings: Any) -> None:
    own_key = installation_key()
    settings.AUDIT_KEY = SEED
    signed_history(club)
    write_checkpoint(club.pk)
    chain_report = check_club(club, {own_key})
    assert first(chain_report) == ("unknown_key", 11)
    assert check_club(club, {own_key, public_key(SEED)}).holds, (
        "a key that was changed in good faith"
    )


# --- what is done on purpose ---


def test_texts_go_and_everything_else_stays(club: Club) -> None:
    boss = organiser(club)
    write_event(boss, "test.done", club, club=club, name="Olga Ruiz")
    event = events(club).latest("sequence")
    new = Texts("somebody", "a club", {"name": "somebody"})
    (tells,) = redact_events(boss, club, {event.sequence: new, 3: new})
    assert boss.user
    assert (tells.verb, tells.actor) == ("audit.redacted", f"account {boss.user.pk}")
    erased_event = events(club).get(sequence=event.sequence)
    assert (erased_event.texts, erased_event.salt, erased_event.digest) == (new, "", event.digest)
    assert "Olga Ruiz" not in str(list(AuditEvent.objects.values()))
    assert event.salt not in str(list(AuditEvent.objects.values()))
    chain_report = checked(club)
    assert chain_report.holds
    assert chain_report.redacted == (3, event.sequence)
    redact_events(SYSTEM, club, {3: Texts("x", "x", {})})
    assert checked(club).holds, "and once more"


def test_texts_that_went_without_an_event_are_found(club: Club) -> None:
    events(club).filter(sequence=4).update(actor="nadie", facts={}, salt="")
    assert first(checked(club)) == ("uncovered_redaction", 4)


def test_texts_that_were_changed_after_they_went_are_found(club: Club) -> None:
    redact_events(SYSTEM, club, {4: Texts("x", "x", {})})
    events(club).filter(sequence=4).update(actor="nadie", salt="")
    assert first(checked(club)) == ("uncovered_redaction", 4)


def test_what_mentions_a_redaction_is_never_redacted(club: Club) -> None:
    new = Texts("x", "x", {})
    (tells,) = redact_events(SYSTEM, club, {4: new})
    with pytest.raises(ValueError, match="never redacted"), transaction.atomic():
        redact_events(SYSTEM, club, {tells.sequence: new})
    with pytest.raises(LookupError), transaction.atomic():
        redact_events(SYSTEM, club, {99: new})
    assert checked(club).holds


def test_many_texts_go_in_several_steps(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "BATCH_SIZE", 3)
    new = Texts("x", "x", {})
    assert len(redact_events(SYSTEM, club, dict.fromkeys(range(1, 9), new))) == 3
    assert checked(club).redacted == tuple(range(1, 9))


def test_events_of_the_release_before_are_chained_with_the_next(club: Club) -> None:
    for number in (11, 12):
        AuditEvent.objects.create(
            club=club,
            sequence=number,
            verb="test.old",
            actor="olga",
            subject_type="club",
            subject_pk=club.pk,
            subject="x",
        )
    AuditCounter.objects.filter(club=club).update(last=12)
    assert first(checked(club)) == ("unchained", 11)
    signed_history(club)
    chain_report = checked(club)
    assert chain_report.holds
    assert chain_report.last == 13


def test_writing_an_event_takes_three_statements(
    club: Club, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(3):
        signed_history(club)


# --- checkpoints ---


def test_a_checkpoint_is_signed_once_for_what_was_done(club: Club) -> None:
    rows = AuditCheckpoint.objects.filter(club=club).order_by("number")
    assert [(row.number, row.sequence) for row in rows] == [(1, 6), (2, 10)]
    assert rows[1].before == rows[0].to_checkpoint().own_digest()
    assert write_due_checkpoints() == 0
    signed_history(club)
    other = a_club("Otro")
    assert write_due_checkpoints() == 2
    assert AuditCheckpoint.objects.get(club=other).sequence == 1
    assert checked(club).holds


@pytest.mark.django_db(transaction=True)
def test_sixteen_who_write_at_once_leave_one_chain() -> None:
    club = a_club()

    def write() -> int:
        for number in range(5):
            with transaction.atomic():
                signed_history(club)
                if number == 3:
                    transaction.set_rollback(True)
            write_checkpoint(club.pk)
        return 4

    at_once(*[write] * 16)
    chain_report = checked(club)
    assert chain_report.holds
    assert chain_report.last == 16 * 4 + 1

"""The history: numbered without a gap, within the change's own transaction."""

import pytest
from django.db import transaction

from tests.clubs import SYSTEM, a_club, organiser, program
from tournaments.core.audit import write_event
from tournaments.models import AuditCounter, AuditEvent, Club


def numbers(club: Club) -> list[int]:
    return list(AuditEvent.objects.filter(club=club).values_list("sequence", flat=True))


@pytest.mark.django_db
def test_each_club_counts_its_own_events_from_one() -> None:
    club, other = a_club(), a_club()
    for _ in range(3):
        write_event(SYSTEM, "test.done", club, club=club)
    write_event(SYSTEM, "test.done", other, club=other)
    assert numbers(club) == [1, 2, 3, 4]
    assert numbers(other) == [1, 2]


@pytest.mark.django_db(transaction=True)
def test_a_change_undone_leaves_no_gap() -> None:
    club = a_club()
    with transaction.atomic():
        write_event(SYSTEM, "test.undone", club, club=club)
        transaction.set_rollback(True)
    with transaction.atomic():
        write_event(SYSTEM, "test.done", club, club=club)
    assert numbers(club) == [1, 2]


@pytest.mark.django_db(transaction=True)
def test_an_event_needs_the_transaction_of_its_change() -> None:
    club = a_club()
    with pytest.raises(transaction.TransactionManagementError):
        write_event(SYSTEM, "test.done", club, club=club)
    assert numbers(club) == [1]


@pytest.mark.django_db
def test_a_club_made_by_other_means_gets_its_counter() -> None:
    club = Club.objects.create(name="Otro", slug="otro")
    event = write_event(SYSTEM, "test.done", club, club=club)
    assert (event.sequence, AuditCounter.objects.get(club=club).last) == (1, 1)


@pytest.mark.django_db
def test_an_event_shows_who_and_of_what() -> None:
    club = a_club()
    boss = organiser(club)
    event = write_event(boss, "test.done", club, club=club, much={"of": ["this"]})
    assert (event.actor, event.user, event.token) == ("olga", boss.user, None)
    assert (event.subject_type, event.subject_pk, event.subject) == ("club", club.pk, club.name)
    assert event.facts == {"much": {"of": ["this"]}}
    scorer = program(club, "games:submit")
    event = write_event(scorer, "test.done", club, club=club)
    assert (event.actor, event.user, event.token) == ("olga (marcador)", boss.user, scorer.token)

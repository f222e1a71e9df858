"""A text for the whole hall: announced, replaced, taken back, and read with the tournament."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.clubs import SYSTEM, arbiter, organiser, stranger, the_liguilla
from tournaments.core.errors import Reason, Refusal
from tournaments.core.live_version import live_version
from tournaments.core.permissions import Actor
from tournaments.director.queries.tournaments import tournament_head
from tournaments.director.services.tournaments import announce
from tournaments.models import AuditEvent, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Tournament:
    return the_liguilla(published=1)


def test_an_arbiter_announces_and_everybody_reads_it(night: Tournament) -> None:
    before = int(live_version(night.slug, Actor.anonymous()))
    announce(arbiter(night.club), night, "  The bar is\nopen. ")
    head = tournament_head(night.slug, Actor.anonymous())
    assert (head.announcement, head.announced_at is not None) == ("The bar is open.", True)
    assert int(live_version(night.slug, Actor.anonymous())) > before
    read = Client().get(f"/api/v1/tournaments/{night.slug}/").json()
    assert read["announcement"] == "The bar is open."


def test_an_announcement_replaces_the_one_before_and_an_empty_one_ends_it(
    night: Tournament,
) -> None:
    boss = organiser(night.club)
    for text in ("One", "Two", "Two", ""):
        night = announce(boss, night, text)
    assert (night.announcement, night.announced_at) == ("", None)
    audit_events = AuditEvent.objects.filter(verb="tournament.announced").order_by("sequence")
    assert [event.facts["text"] for event in audit_events] == ["One", "Two", ""]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x" * 201, Reason.ANNOUNCEMENT_TOO_LONG),
        ("a\u202eb", Reason.BAD_REASON),
        ("\u200b", Reason.BAD_REASON),
    ],
)
def test_what_cannot_be_read_is_not_announced(night: Tournament, text: str, reason: Reason) -> None:
    with pytest.raises(Refusal) as refused:
        announce(SYSTEM, night, text)
    assert refused.value.reason is reason


def test_a_stranger_announces_nothing(night: Tournament) -> None:
    with pytest.raises(Refusal) as refused:
        announce(stranger(), night, "Fire!")
    assert refused.value.reason is Reason.FORBIDDEN
    assert tournament_head(night.slug, SYSTEM).announcement == ""

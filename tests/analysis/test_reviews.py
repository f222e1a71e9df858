"""Arbiters note that they have reviewed a player's play, but never their own."""

from __future__ import annotations

import pytest

from tests.clubs import NOBODY, a_club, arbiter, stranger, user
from tests.support.refusals import refusal
from tournaments.analysis.services import note_review
from tournaments.core.errors import Reason
from tournaments.models import AuditEvent, Club, Player, Review

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(db: None) -> Club:
    return a_club()


@pytest.fixture
def player(club: Club) -> Player:
    return club.players.create(code="J01", name="Ana")


def test_a_note_is_kept_and_the_history_says_that_there_is_one(club: Club, player: Player) -> None:
    review = note_review(arbiter(club), club, player, hands=20, note="  Nada raro.  ")
    assert (review.note, review.hands, review.made_by) == ("Nada raro.", 20, "alberto")
    event = AuditEvent.objects.latest("sequence")
    assert (event.verb, event.facts) == ("play.reviewed", {"player": "J01", "hands": 20})


def test_a_note_of_invisible_characters_is_refused(club: Club, player: Player) -> None:
    with refusal(Reason.BAD_REASON):
        note_review(arbiter(club), club, player, hands=20, note="\u200b")


def test_only_arbiters_note_anything(club: Club, player: Player) -> None:
    with refusal(Reason.SIGN_IN):
        note_review(NOBODY, club, player, hands=20, note="")
    with refusal(Reason.FORBIDDEN):
        note_review(stranger(), club, player, hands=20, note="")


def test_nobody_notes_anything_about_themselves(club: Club, player: Player) -> None:
    actor = arbiter(club)
    player.user = user("alberto")
    with refusal(Reason.FORBIDDEN):
        note_review(actor, club, player, hands=20, note="Soy honrado.")
    assert not Review.objects.exists()

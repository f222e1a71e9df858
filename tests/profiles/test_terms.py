"""What is agreed when a tournament is created: confirmation, byes, waiting."""

import pytest

from tests.clubs import SYSTEM, a_club
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.services.settings import NewTournament, Terms
from tournaments.director.services.tournaments import (
    change_tournament,
    create_tournament,
)
from tournaments.models import AuditEvent, Tournament

pytestmark = pytest.mark.django_db


def test_the_terms_are_kept_and_written_down() -> None:
    terms = Terms(
        confirmation=False, confirm_minutes=90, bye_quota=0, no_show_minutes=10, self_check_in=False
    )
    create_tournament(SYSTEM, a_club(), "Copa", NewTournament(terms=terms))
    tournament = Tournament.objects.get()
    assert (tournament.confirmation, tournament.confirm_minutes, tournament.self_check_in) == (
        False,
        90,
        False,
    )
    assert (tournament.bye_quota, tournament.no_show_minutes) == (0, 10)
    assert AuditEvent.objects.get(verb="tournament.created").facts["terms"]["bye_quota"] == 0


@pytest.mark.parametrize(
    ("form", "minutes"), [("liguilla", 10), ("knockout", 10), ("ladder", 2 * 24 * 60)]
)
def test_silence_confirms_within_minutes_on_an_evening_and_within_days_on_a_ladder(
    form: str, minutes: int
) -> None:
    tournament = create_tournament(
        SYSTEM, a_club(), "Copa", NewTournament(stages=[{"format": form}])
    )
    assert tournament.minutes_to_object == minutes
    assert tournament.confirm_after == -(-minutes // 60), "hours, for the release before"


def test_a_tournament_of_an_earlier_release_keeps_its_hours() -> None:
    tournament = create_tournament(SYSTEM, a_club(), "Copa")
    Tournament.objects.update(confirm_after=48, confirm_minutes=None)
    tournament.refresh_from_db()
    assert tournament.minutes_to_object == 48 * 60
    updated_tournament = change_tournament(SYSTEM, tournament, {"confirm_minutes": 48 * 60})
    assert updated_tournament.version == tournament.version


@pytest.mark.parametrize(
    "terms",
    [
        Terms(confirm_minutes=-1),
        Terms(confirm_minutes=30 * 24 * 60 + 1),
        Terms(bye_quota=101),
        Terms(no_show_minutes=24 * 60 + 1),
    ],
)
def test_terms_that_nobody_means_are_refused(terms: Terms) -> None:
    with refusal(Reason.BAD_OPTIONS):
        create_tournament(SYSTEM, a_club(), "Copa", NewTournament(terms=terms))

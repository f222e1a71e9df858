"""What is agreed when a tournament is created: confirmation, byes, waiting."""

import pytest

from tests.clubs import SYSTEM, a_club
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.services.tournaments import Terms, create_tournament
from tournaments.models import AuditEvent, Tournament

pytestmark = pytest.mark.django_db


def test_the_terms_are_kept_and_written_down() -> None:
    terms = Terms(
        confirmation=False, confirm_after=2, bye_quota=0, no_show_minutes=10, self_check_in=False
    )
    create_tournament(SYSTEM, a_club(), name="Copa", terms=terms)
    made = Tournament.objects.get()
    assert (made.confirmation, made.confirm_after, made.self_check_in) == (False, 2, False)
    assert (made.bye_quota, made.no_show_minutes) == (0, 10)
    assert AuditEvent.objects.get(verb="tournament.created").facts["terms"]["bye_quota"] == 0


@pytest.mark.parametrize(
    "terms",
    [Terms(confirm_after=-1), Terms(bye_quota=101), Terms(no_show_minutes=24 * 60 + 1)],
)
def test_terms_that_nobody_means_are_refused(terms: Terms) -> None:
    with refusal(Reason.BAD_OPTIONS):
        create_tournament(SYSTEM, a_club(), name="Copa", terms=terms)

"""A tournament that tests of prizes share."""

import pytest

from tests.clubs import SYSTEM, play_the_club_night, the_liguilla, the_round
from tournaments.director.services.tournaments import close_round
from tournaments.models import Tournament


@pytest.fixture
def night(db: None) -> Tournament:
    """The liguilla of the club night, played to its end; it is not finished yet."""
    tournament = the_liguilla()
    play_the_club_night(tournament)
    for number in range(1, 8):
        close_round(SYSTEM, the_round(tournament, number))
    tournament.refresh_from_db()
    return tournament

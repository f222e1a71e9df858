"""What every scenario ends with: the history holds, and no row differs from it."""

from tournaments.exchange.queries.contradictions import check_tournament
from tournaments.exchange.queries.trails import check_club, check_club_rows, installation_key
from tournaments.models import Club, Tournament


def assert_history_is_complete() -> None:
    """Check every chain, every club and tournament against its history, and its statement."""
    for club in Club.objects.order_by("pk"):
        assert check_club(club, {installation_key()}).faults == ()
        assert [fault.words() for fault in check_club_rows(club)] == []
    for tournament in Tournament.objects.order_by("pk"):
        assert [fault.words() for fault in check_tournament(tournament).faults] == []

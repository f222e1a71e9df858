"""People at the tables of the club night, who report by account or by code."""

from datetime import timedelta

from django.utils import timezone

from tests.clubs import SYSTEM, a_club, house_bots, link_player, the_match, the_round, user
from tournaments.core.permissions import Actor
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.domain.ranking import StandingsLine, ranking
from tournaments.domain.scores import Score
from tournaments.models import Match, Result, Tournament
from tournaments.results.services.reports import report_result

WON = Score(3, 1, 360, 210)
LOST = Score(1, 3, 210, 360)


def player(match: Match, name: str, account: str) -> Actor:
    """Return a player of the club, by the account."""
    link_player(SYSTEM, match.tournament.club.players.get(name=name), user(account))
    return Actor.for_user(user(account))


def home(match: Match) -> Actor:
    """Return Pilar, who plays at home in round 1, table 1."""
    return player(match, "Pilar Martínez", "pilar")


def away(match: Match) -> Actor:
    """Return Teresa, who plays away in round 1, table 1."""
    return player(match, "Teresa Beltrán", "teresa")


def by_code(match: Match, side: str) -> Actor:
    """Return the people of a side, of whom one gives the entry's code."""
    entry = match.home if side == "home" else match.away
    assert entry is not None
    return Actor.for_entry(entry)


def now(match: Match) -> Match:
    """Return the match as it is now."""
    return Match.objects.with_names().get(pk=match.pk)


def counting(match: Match) -> Result | None:
    return match.results.counting().first()


def age(match: Match, hours: float) -> None:
    """Let the live result be `hours` hours old."""
    match.results.live().update(made_at=timezone.now() - timedelta(hours=hours))


def assert_exactly_the_accepted_count(tournament: Tournament) -> None:
    """The invariant: a match has a counting result if and only if it is accepted.

    A disputed one goes on counting if it counted before.
    """
    for match in Match.objects.filter(round__stage__tournament=tournament):
        results = list(match.results.counting())
        counts = match.state == Match.State.ACCEPTED
        if match.state == Match.State.DISPUTED:
            counts = match.results.live().filter(counts_from__isnull=False).exists()
        assert len(results) == counts, (match, match.state)
        assert all(result.live for result in results)


def table_1(tournament: Tournament) -> Match:
    """Round 1, table 1: Las Cuarenta – Las Fuentes."""
    return the_match(tournament, 1, 1)


def lines_of(tournament: Tournament) -> tuple[StandingsLine, ...]:
    """Return the current table of the first stage, best first."""
    rows = rows_of(tournament)
    return ranking(rows, rows.stages[0])


def compared_table() -> Match:
    """Return a table of two deals at a duplicate that are compared; the other table has played."""
    tournament = create_tournament(
        SYSTEM,
        a_club(),
        "Duplicada",
        NewTournament(
            GameSettings(options={"deals": 2}),
            stages=[{"format": "duplicate", "rules": {"deals": 2}}],
        ),
    )
    enter_newcomers(SYSTEM, tournament, house_bots() * 2)
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    other = the_match(tournament, 1, 2)
    hands = [{"home": 90, "away": 40, "board": board} for board in other.boards]
    report_result(SYSTEM, other, hand_scores=hands)
    return the_match(tournament, 1, 1)

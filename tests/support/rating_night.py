"""A club night whose matches are decided at will, each by a record that counts."""

from __future__ import annotations

from tests.clubs import SYSTEM, the_match
from tournaments.domain.scores import Score
from tournaments.models import Hand, Match, Rating, Record, Result, Round, Tournament
from tournaments.results.services.results import make_result, replace_result


def decide(
    match: Match, home: int, away: int, *, depth: str = Result.Depth.RECORD, audited: bool = True
) -> Result:
    """Give a match a result that counts; one with a record supersedes the record before."""
    record = None
    if depth == Result.Depth.RECORD:
        match.records.accepted().update(state=Record.State.SUPERSEDED)
        record = Record.objects.create(
            match=match,
            state=Record.State.ACCEPTED,
            source=Record.Source.IMPORT,
            text="{}",
            sha256=f"{match.pk}-{match.records.count()}",
            digest="d",
            home_side="AC",
            verdict={},
            submitter="test",
        )
        play = "A:1o" if audited else None
        Hand.objects.create(record=record, number=1, dealer="A", play=play, points={}, winner="AC")
    score = Score(home, away, home * 70, away * 60)
    row = make_result(SYSTEM, match, score, Result.Depth(depth), record=record, reason="test")
    return replace_result(row)


def decide_table(tournament: Tournament, round_: int, table: int, home: int, away: int) -> Result:
    return decide(the_match(tournament, round_, table), home, away)


def decide_all(tournament: Tournament, rounds: int = 7) -> None:
    """Decide what is open of the first rounds: the lower number wins, by more or by less."""
    for number in range(1, rounds + 1):
        for match in Match.objects.filter(
            round__stage__tournament=tournament,
            round__number=number,
            state=Match.State.PENDING,
        ).select_related("home", "away", "round__stage__tournament"):
            assert match.away is not None
            home = match.home.number < match.away.number
            decide(match, 3 if home else number % 3, number % 3 if home else 3)


def table_of(ruleset: str = "parejas-online") -> list[tuple[str, str, str, int]]:
    """The ratings to the last bit, in the order of whose they are."""
    rows = Rating.objects.filter(ledger__ruleset=ruleset).select_related("player", "bot")
    return sorted(
        (str(row.player or row.bot), row.mu.hex(), row.variance.hex(), row.matches) for row in rows
    )


def withdraw(match: Match, state: str) -> None:
    """Let a match's result count no more, as a dispute or a postponement does."""
    tournament = match.tournament
    tournament.version += 1
    tournament.save(update_fields=["version"])
    match.results.counting().update(counts_until=tournament.version)
    match.records.accepted().update(state=Record.State.SUPERSEDED)
    match.state = state
    match.save(update_fields=["state"])


def rounds_of(tournament: Tournament) -> list[Round]:
    return list(Round.objects.filter(stage__tournament=tournament).order_by("number"))

"""A table of five single players is stored, read as rows, shown and stated with its places."""

import pytest

from tests.clubs import the_round
from tests.director.test_single_players import event
from tournaments.director.queries.rows import score_row
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.serializers.tournaments import Score
from tournaments.director.services.draws import match_of
from tournaments.domain.rows import Table
from tournaments.domain.trail.rows import content_digest
from tournaments.exchange.queries.exports import export_document
from tournaments.models import Match, Result, Tournament

pytestmark = pytest.mark.django_db

FIVE = Table(1, ((1,), (2,), (3,), (4,), (5,)))


def a_table(tournament: Tournament, table: Table) -> Match:
    """Seat a round at one table instead."""
    round_ = the_round(tournament, 1)
    round_.matches.all().delete()
    entries = {entry.number: entry for entry in tournament.entries.all()}
    match = match_of(round_, table, (), entries)
    match.state = Match.State.ACCEPTED
    match.save()
    return match


def a_result(match: Match, **columns: object) -> Result:
    none = {f"{side}_{counted}": 0 for side in ("home", "away") for counted in ("hands", "points")}
    return Result.objects.create(
        match=match, version=1, counts_from=1, depth=Result.Depth.SCORE, **none, **columns
    )


def test_a_table_of_five_keeps_its_sides_and_places_and_an_api_answer_names_them() -> None:
    tournament = event("arrastrado", "threes", 5)
    match = a_table(tournament, FIVE)
    more = {
        f"{side}_{counted}": 0
        for side in ("third", "fourth", "fifth")
        for counted in ("hands", "points")
    }
    result = a_result(match, winner=Result.Winner.TIE, places=[1, 1, 3, 4, 4], **more)
    table = rows_of(tournament).stages[0].rounds[0].tables[0]
    assert (table.sides, table.places, table.winner) == (FIVE.sides, (1, 1, 3, 4, 4), None)
    assert [side[0].number for side in Match.objects.get(pk=match.pk).sides] == [1, 2, 3, 4, 5]
    answer = Score(score_row(result)).data
    assert (answer["fifth_hands"], answer["places"]) == (0, [1, 1, 3, 4, 4])
    row = export_document(tournament)["matches"][0]
    assert len({row[side] for side in ("home", "away", "third", "fourth", "fifth")} - {None}) == 5


def test_a_table_of_two_says_nothing_of_more_sides_and_keeps_its_digest() -> None:
    tournament = event("arrastrado", "threes", 5)
    result = a_result(a_table(tournament, Table(1, ((1,), (2,)))), winner=Result.Winner.TIE)
    answer = Score(score_row(result)).data
    assert "third_hands" in answer
    assert not {"fourth_hands", "fifth_points", "places"} & set(answer)
    before = content_digest("result", result)
    result.places = [1, 1]
    assert content_digest("result", result) != before
    result.places, result.match.fourth = None, result.match.home
    assert content_digest("result", result) != before

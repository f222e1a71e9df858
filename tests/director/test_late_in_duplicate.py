"""A pair that comes late to a duplicate rests until the next round; every table has deals."""

import json
from typing import Any

import pytest

from tests.clubs import SYSTEM, the_round
from tests.support.day import late_pair
from tests.support.duplicates import a_duplicate, play_deals
from tools.verify_export import Report, check_proof
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.entries import enter_late
from tournaments.director.services.rounds import pair, unpair
from tournaments.director.services.tournaments import finish, publish_round
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.ranking import ranking, tally_of
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.proofs import proof_file
from tournaments.models import Match, Tournament

pytestmark = pytest.mark.django_db


def play_out(tournament: Tournament) -> None:
    """Play all rounds of a duplicate, and finish it."""
    for number in range(1, tournament.stages.get().rounds.count() + 1):
        play_deals(tournament, number)
    finish(SYSTEM, tournament)


@pytest.mark.parametrize(
    "rules",
    [
        {"deals": 2, "scoring": "comparison"},
        {"deals": 3, "scoring": "comparison", "comparison": "average"},
        {"deals": 3, "scoring": "victory"},
        {"deals": 4, "scoring": "comparison", "movement": "mitchell"},
    ],
)
def test_a_late_pair_rests_with_what_a_bye_earns_and_plays_from_the_next_round_on(
    rules: dict[str, Any],
) -> None:
    tournament = a_duplicate(5, late=2, rounds=3, **rules)
    publish_round(SYSTEM, the_round(tournament, 1))
    late = enter_late(SYSTEM, tournament, late_pair(tournament))
    later = enter_late(SYSTEM, tournament, late_pair(tournament))
    assert (late.joined_round, later.joined_round) == (1, 2)  # the bye is one place
    assert all(match.boards for match in Match.objects.filter(round__number=1, bye=""))
    rests = {match.home.number for match in Match.objects.filter(round__number=1, bye="pairing")}
    assert (late.number in rests, len(rests)) == (True, 2)
    play_out(tournament)
    rows = rows_of(tournament)
    games = tally_of(rows, rows.stages[0]).games(late.number)
    played = [game.match_points for game in games[1:]]
    assert games[0].kind == "pairing_bye"
    assert games[0].match_points == sum(played) / len(played)
    assert len(ranking(rows, rows.stages[0])) == 7
    proof = proof_file(tournament)
    assert all_hold(verify(bundle_from_bytes(proof)))
    report = Report()
    check_proof(report, json.loads(proof), set())
    assert report.faults == []


def test_a_table_paired_by_hand_in_a_draft_gets_deals() -> None:
    tournament = a_duplicate(6)
    round_ = the_round(tournament, 1)
    one, other = round_.matches.order_by("table")[:2]
    people = [entry for match in (one, other) for (entry,) in match.sides]
    unpair(SYSTEM, one)
    unpair(SYSTEM, other)
    tables = [
        pair(SYSTEM, round_, people[0], people[2]),
        pair(SYSTEM, round_, people[1], people[3]),
    ]
    assert all(len(match.boards) == 2 for match in tables)
    assert set(tables[0].boards).isdisjoint(tables[1].boards)
    play_out(tournament)

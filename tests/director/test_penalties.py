"""A penalty is an event of its own: in the sums, on the list, revocable, never erased."""

from fractions import Fraction

import pytest

from tests.clubs import SYSTEM, arbiter, stranger, user
from tests.support.day import a_day, entry, play_round, player_of
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.absences import penalise, revoke_penalty
from tournaments.domain.ranking import StandingsLine, ranking
from tournaments.models import AuditEvent, Penalty, Tournament
from tournaments.results.queries.own_table import own_table_version

pytestmark = pytest.mark.django_db


def line(tournament: Tournament, number: int) -> StandingsLine:
    rows = rows_of(tournament)
    return next(x for x in ranking(rows, rows.stages[0]) if x.entrant == number)


def number(tournament: Tournament, entrant: int, code: str) -> Fraction | None:
    return next(v.number for v in line(tournament, entrant).values if v.code == code)


def test_a_penalty_goes_into_the_sum_and_out_of_it_again() -> None:
    tournament = a_day(4)
    play_round(tournament, 1)
    before = line(tournament, 1).match_points
    penalty = penalise(
        SYSTEM, entry(tournament, 1), round_number=1, match_points="0,5", reason="came late"
    )
    assert line(tournament, 1).match_points == before - Fraction(1, 2)
    revoke_penalty(SYSTEM, penalty, "the clock was wrong")
    assert line(tournament, 1).match_points == before
    assert Penalty.objects.get().revocation == "the clock was wrong"


def test_the_page_of_ones_own_table_is_informed_of_a_penalty() -> None:
    tournament = a_day(4)
    versions = [own_table_version(entry(tournament, 1))]
    penalty = penalise(SYSTEM, entry(tournament, 1), round_number=1, points=1, reason="renuncio")
    versions.append(own_table_version(entry(tournament, 1)))
    revoke_penalty(SYSTEM, penalty, "it was none")
    versions.append(own_table_version(entry(tournament, 1)))
    assert versions[0] != versions[1] != versions[2]


def test_a_penalty_can_take_points_of_the_cards() -> None:
    tournament = a_day(4)
    play_round(tournament, 1)
    before = number(tournament, 1, "point_difference")
    penalise(SYSTEM, entry(tournament, 1), round_number=1, points=40, reason="renuncio")
    after = number(tournament, 1, "point_difference")
    assert before is not None
    assert after == before - 40


def test_the_history_mentions_it() -> None:
    tournament = a_day(4)
    penalty = penalise(SYSTEM, entry(tournament, 2), round_number=1, hands=1, reason="renuncio")
    revoke_penalty(SYSTEM, penalty, "it was none")
    verbs = AuditEvent.objects.filter(verb__startswith="penalty").order_by("sequence")
    assert list(verbs.values_list("verb", flat=True)) == ["penalty.given", "penalty.revoked"]


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"match_points": "much"},
        {"match_points": "0.001"},
        {"match_points": "NaN"},
        {"match_points": "100000"},
        {"points": 10**9},
        {"points": 10, "round_number": 0},
    ],
)
def test_what_takes_nothing_or_too_much_is_no_penalty(fields: dict[str, object]) -> None:
    tournament = a_day(4)
    penalty_fields = {"round_number": 1, "reason": "renuncio", **fields}
    with refusal(Reason.BAD_PENALTY):
        penalise(SYSTEM, entry(tournament, 1), **penalty_fields)  # type: ignore[arg-type]


def test_only_an_arbiter_punishes_and_never_their_own_pair() -> None:
    tournament = a_day(4)
    with refusal(Reason.FORBIDDEN):
        penalise(stranger(), entry(tournament, 1), round_number=1, points=1, reason="x")
    arbiter(tournament.club, "pilar")
    player_of(tournament, 1, "pilar")
    pilar = Actor.for_user(user("pilar"))
    with refusal(Reason.OWN_TABLE):
        penalise(pilar, entry(tournament, 1), round_number=1, points=1, reason="x")
    penalty = penalise(pilar, entry(tournament, 2), round_number=1, points=1, reason="x")
    revoke_penalty(pilar, penalty, "y")
    with refusal(Reason.ALREADY_REVOKED):
        revoke_penalty(pilar, penalty, "y")

"""A late pair sits down opposite a pair whose opponents have not come."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, arbiter, organiser, play_out, the_round, user
from tests.support.day import a_day, entry, late_pair, next_round, play_round
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.services.absences import check_in, close_check_in, readmit, withdraw
from tournaments.director.services.entries import enter_late
from tournaments.director.services.late_seats import seat_late
from tournaments.director.services.restoring import go_back
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.scores import Score
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.proofs import proof_of
from tournaments.models import Entry, Match, Tournament
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db


def a_late_pair() -> tuple[Tournament, Entry, Match]:
    """A Swiss of six whose first round is published, a late pair, and the table of entry 1."""
    tournament = a_day(6)
    for number in (2, 3, 4, 5, 6):
        check_in(SYSTEM, entry(tournament, number))
    publish_round(SYSTEM, the_round(tournament, 1))
    late = enter_late(SYSTEM, tournament, late_pair(tournament))
    return tournament, late, table_of(tournament, 1)


def table_of(tournament: Tournament, number: int, round_: int = 1) -> Match:
    matches = Match.objects.with_names().filter(round=the_round(tournament, round_))
    return next(m for m in matches if number in {e.number for side in m.sides for e in side})


def test_the_control_room_seats_a_late_pair_in_the_place_of_an_absent_one() -> None:
    tournament, late, match = a_late_pair()
    organiser(tournament.club)
    client = Client()
    client.force_login(user("olga"))
    page = client.get(reverse("control", args=[tournament.slug]))
    form = page.context["seating"]
    assert [number for number, _ in form.fields["late"].choices] == [late.number]
    assert next(iter(form.fields["absent"].choices))[0] == 1, "who has not checked in comes first"
    data = {"late": late.number, "absent": 1, "round": 1}
    answer = client.post(reverse("seat-late", args=[tournament.slug]), data)
    assert answer.status_code == 302
    match.refresh_from_db()
    assert late.pk in {match.home_id, match.away_id}
    rest = table_of(tournament, 1)
    assert (rest.state, rest.bye) == ("bye", "zero")
    assert "seating" not in client.get(reverse("control", args=[tournament.slug])).context
    assert client.post(reverse("seat-late", args=[tournament.slug]), data).status_code == 422


def test_the_round_is_played_the_absent_pair_has_no_points_and_the_proof_holds() -> None:
    tournament, late, match = a_late_pair()
    seat_late(SYSTEM, match, absent=entry(tournament, 1), late=late)
    play_out(the_round(tournament, 1))
    next_round(tournament, 1)
    seated = {table_of(tournament, number, 2).pk for number in range(1, 8)}
    assert len(seated) == 4, "three tables and a rest"
    play_round(tournament, 2)
    assert all_hold(verify(proof_of(tournament)))


def test_it_is_taken_back_by_undo_until_it_has_play() -> None:
    tournament, late, match = a_late_pair()
    seat_late(SYSTEM, match, absent=entry(tournament, 1), late=late)
    go_back(SYSTEM, tournament.restore_points.order_by("pk").last())  # type: ignore[arg-type]
    assert table_of(tournament, 1).pk == match.pk
    assert not Match.objects.filter(bye="zero").exists()
    match = seat_late(
        SYSTEM, match, absent=entry(tournament, 1), late=entry(tournament, late.number)
    )
    report_result(SYSTEM, match, score=Score(3, 1, 0, 0))
    with refusal(Reason.UNDO_LIVE):
        go_back(SYSTEM, tournament.restore_points.order_by("pk").last())  # type: ignore[arg-type]


def test_a_pair_that_comes_after_the_check_in_was_closed_is_seated_too() -> None:
    tournament = a_day(7)
    for number in range(1, 7):
        check_in(SYSTEM, entry(tournament, number))
    close_check_in(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    late = readmit(SYSTEM, entry(tournament, 7))
    seat_late(SYSTEM, table_of(tournament, 2), absent=entry(tournament, 2), late=late)
    assert not entry(tournament, 7).absences.exists()
    assert table_of(tournament, 7).state == "pending"


def test_who_cannot_be_seated_is_refused_with_the_reason() -> None:
    tournament, late, match = a_late_pair()
    absent = entry(tournament, 1)
    with refusal(Reason.FORBIDDEN):
        seat_late(arbiter(tournament.club), match, absent=absent, late=late)
    with refusal(Reason.ALREADY_SEATED):
        seat_late(SYSTEM, match, absent=absent, late=entry(tournament, 2))
    other = next(n for n in range(2, 7) if table_of(tournament, n).pk != match.pk)
    with refusal(Reason.NOT_IN_ROUND):
        seat_late(SYSTEM, match, absent=entry(tournament, other), late=late)
    withdraw(SYSTEM, late)
    with refusal(Reason.ALREADY_AWAY):
        seat_late(SYSTEM, match, absent=absent, late=late)
    readmit(SYSTEM, late)
    report_result(SYSTEM, match, score=Score(3, 1, 0, 0))
    with refusal(Reason.HAS_RESULT):
        seat_late(SYSTEM, match, absent=absent, late=late)


def test_where_it_is_planned_who_meets_whom_no_place_is_taken() -> None:
    tournament = a_day(4, format="liguilla")
    publish_round(SYSTEM, the_round(tournament, 1))
    with refusal(Reason.NO_LATE_ENTRY):
        seat_late(
            SYSTEM, table_of(tournament, 1), absent=entry(tournament, 1), late=entry(tournament, 2)
        )

"""Who leaves is paired no more; who comes back has farmed no byes; who asks may rest."""

import pytest

from tests.clubs import SYSTEM, arbiter, play_out, stranger, the_round
from tests.support.day import a_day, entry, late_pair, next_round, play_round
from tests.support.refusals import refusal
from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor
from tournaments.director.queries.drafts import warnings_of
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.absences import (
    cancel_bye,
    expel,
    readmit,
    request_bye,
    revoke_expulsion,
    withdraw,
)
from tournaments.director.services.draws import draw, draw_next
from tournaments.director.services.entries import enter_late
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.ranking import ranking
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.proofs import proof_of
from tournaments.models import AuditEvent, ByeRequest, Match, Tournament

pytestmark = pytest.mark.django_db


def seated(tournament: Tournament, number: int) -> set[int]:
    matches = Match.objects.filter(round=the_round(tournament, number), away__isnull=False)
    return {n for pair in matches.values_list("home__number", "away__number") for n in pair}


def byes(tournament: Tournament, number: int) -> dict[int, str]:
    matches = Match.objects.filter(round=the_round(tournament, number), state="bye")
    return dict(matches.values_list("home__number", "bye"))


def points(tournament: Tournament) -> dict[int, int]:
    rows = rows_of(tournament)
    return {line.entrant: int(line.match_points) for line in ranking(rows, rows.stages[0])}


def test_who_withdraws_is_paired_no_more() -> None:
    tournament = a_day(6)
    play_round(tournament, 1)
    withdraw(Actor.for_entry(entry(tournament, 2)), entry(tournament, 2), "a fever")
    next_round(tournament, 1)
    assert 2 not in seated(tournament, 2) | byes(tournament, 2).keys()
    assert len(byes(tournament, 2)) == 1


def test_a_draft_follows_a_withdrawal() -> None:
    tournament = a_day(6)
    withdraw(SYSTEM, entry(tournament, 6))
    assert seated(tournament, 1) | set(byes(tournament, 1)) == {1, 2, 3, 4, 5}


def test_a_published_round_does_not() -> None:
    tournament = a_day(6)
    publish_round(SYSTEM, the_round(tournament, 1))
    withdraw(SYSTEM, entry(tournament, 6))
    assert seated(tournament, 1) == {1, 2, 3, 4, 5, 6}


def test_who_comes_back_has_nothing_for_the_rounds_they_missed() -> None:
    tournament = a_day(7)
    play_round(tournament, 1)
    before = points(tournament)[7]
    withdraw(SYSTEM, entry(tournament, 7))
    next_round(tournament, 1)
    play_round(tournament, 2)
    readmit(SYSTEM, entry(tournament, 7))
    next_round(tournament, 2)
    assert points(tournament)[7] == before
    assert 7 in seated(tournament, 3) | byes(tournament, 3).keys()


def test_leaving_and_returning_before_the_round_changes_nothing() -> None:
    tournament = a_day(6)
    withdraw(SYSTEM, entry(tournament, 3))
    readmit(SYSTEM, entry(tournament, 3))
    assert not entry(tournament, 3).absences.exists()
    assert seated(tournament, 1) == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("round_", [1, 2])
def test_who_was_missing_at_the_draw_is_paired_once_they_have_come(round_: int) -> None:
    tournament = a_day(6, drawn=False)
    withdraw(SYSTEM, entry(tournament, 6))
    draw(SYSTEM, tournament)
    if round_ > 1:
        play_round(tournament, 1)
    readmit(SYSTEM, entry(tournament, 6))
    if round_ > 1:
        next_round(tournament, 1)
    assert seated(tournament, round_) == {1, 2, 3, 4, 5, 6}
    play_round(tournament, round_)
    assert points(tournament).keys() == {1, 2, 3, 4, 5, 6}
    assert all_hold(verify(proof_of(tournament)))


def test_those_whom_a_tree_lets_rest_are_no_fault_of_the_draft() -> None:
    tournament = a_day(6, format="knockout")
    assert len(byes(tournament, 1)) == 2
    assert not warnings_of(the_round(tournament, 1))


def test_who_was_missing_when_a_tree_was_drawn_has_no_place_in_it() -> None:
    tournament = a_day(6, drawn=False, format="knockout")
    withdraw(SYSTEM, entry(tournament, 6))
    draw(SYSTEM, tournament)
    with refusal(Reason.NO_LATE_ENTRY):
        readmit(SYSTEM, entry(tournament, 6))
    assert entry(tournament, 6).absences.filter(until_round__isnull=True).exists()


def test_who_is_expelled_comes_back_only_when_that_is_revoked_with_a_reason() -> None:
    tournament = a_day(6)
    play_round(tournament, 1)
    expel(SYSTEM, entry(tournament, 1), "marked cards")
    with refusal(Reason.EXPELLED):
        readmit(SYSTEM, entry(tournament, 1))
    with refusal(Reason.ALREADY_AWAY):
        withdraw(SYSTEM, entry(tournament, 1))
    next_round(tournament, 1)
    assert 1 not in seated(tournament, 2)
    with refusal(Reason.REASON_MISSING):
        revoke_expulsion(SYSTEM, entry(tournament, 1), " ")
    with refusal(Reason.FORBIDDEN):
        revoke_expulsion(arbiter(tournament.club), entry(tournament, 1), "it was pair 2")
    revoke_expulsion(SYSTEM, entry(tournament, 1), "it was pair 2")
    assert seated(tournament, 2) == {1, 2, 3, 4, 5, 6}
    assert not entry(tournament, 1).absences.exists()
    event = AuditEvent.objects.get(verb="entry.expulsion_revoked")
    assert event.facts["reason"] == "it was pair 2"
    with refusal(Reason.NOT_AWAY):
        revoke_expulsion(SYSTEM, entry(tournament, 1), "twice")


def test_the_rounds_missed_by_a_revoked_expulsion_stay_missed() -> None:
    tournament = a_day(6)
    expel(SYSTEM, entry(tournament, 1), "marked cards")
    play_round(tournament, 1)
    revoke_expulsion(SYSTEM, entry(tournament, 1), "it was pair 2")
    next_round(tournament, 1)
    assert seated(tournament, 2) == {1, 2, 3, 4, 5, 6}
    absence = entry(tournament, 1).absences.get()
    assert (absence.kind, absence.from_round, absence.until_round) == ("withdrawn", 1, 2)
    play_round(tournament, 2)
    assert all_hold(verify(proof_of(tournament)))


def test_who_has_withdrawn_can_still_be_expelled() -> None:
    tournament = a_day(6)
    withdraw(SYSTEM, entry(tournament, 1))
    expel(SYSTEM, entry(tournament, 1), "marked cards")
    assert entry(tournament, 1).absences.get().kind == "expelled"


def test_an_expulsion_needs_its_reason_and_the_organiser() -> None:
    tournament = a_day(6)
    with refusal(Reason.REASON_MISSING):
        expel(SYSTEM, entry(tournament, 1), " ")
    with refusal(Reason.FORBIDDEN):
        expel(arbiter(tournament.club), entry(tournament, 1), "marked cards")
    with refusal(Reason.FORBIDDEN):
        withdraw(stranger(), entry(tournament, 1))
    with refusal(Reason.NOT_AWAY):
        readmit(SYSTEM, entry(tournament, 1))


def test_a_bye_that_was_asked_for_is_drawn() -> None:
    tournament = a_day(6)
    request_bye(Actor.for_entry(entry(tournament, 4)), entry(tournament, 4), 1, "half")
    assert byes(tournament, 1)[4] == "half"
    assert points(tournament)[4] == 0
    publish_round(SYSTEM, the_round(tournament, 1))
    assert points(tournament)[4] == 0  # until the round is played
    play_out(the_round(tournament, 1))
    assert points(tournament)[4] == 1


def test_a_bye_can_be_taken_back_before_the_round() -> None:
    tournament = a_day(6)
    bye = request_bye(SYSTEM, entry(tournament, 4), 1, "half")
    cancel_bye(SYSTEM, bye)
    assert seated(tournament, 1) == {1, 2, 3, 4, 5, 6}


def test_a_bye_is_taken_back_once() -> None:
    tournament = a_day(6)
    bye = request_bye(SYSTEM, entry(tournament, 4), 1, "half")
    also_read = ByeRequest.objects.select_related("entry__tournament__club").get(pk=bye.pk)
    cancel_bye(SYSTEM, bye)
    with refusal(Reason.NOT_FOUND):
        cancel_bye(SYSTEM, also_read)
    assert AuditEvent.objects.filter(verb="bye.cancelled").count() == 1


def test_byes_with_points_have_a_quota() -> None:
    tournament = a_day(6)
    actor = Actor.for_entry(entry(tournament, 4))
    request_bye(actor, entry(tournament, 4), 2, "half")
    with refusal(Reason.BYE_QUOTA):
        request_bye(actor, entry(tournament, 4), 3, "half")
    request_bye(actor, entry(tournament, 4), 3, "zero")
    request_bye(SYSTEM, entry(tournament, 4), 4, "half")


def test_a_full_bye_is_the_organisers_to_give() -> None:
    tournament = a_day(6)
    with refusal(Reason.FORBIDDEN):
        request_bye(Actor.for_entry(entry(tournament, 4)), entry(tournament, 4), 2, "full")
    request_bye(SYSTEM, entry(tournament, 4), 2, "full")


def test_nobody_asks_for_a_bye_in_a_round_that_is_published() -> None:
    tournament = a_day(6)
    publish_round(SYSTEM, the_round(tournament, 1))
    with refusal(Reason.ROUND_PUBLISHED):
        request_bye(SYSTEM, entry(tournament, 4), 1, "half")
    request_bye(SYSTEM, entry(tournament, 4), 2, "half")
    with refusal(Reason.BYE_ASKED):
        request_bye(SYSTEM, entry(tournament, 4), 2, "zero")


def test_a_late_pair_plays_against_the_one_who_would_have_rested() -> None:
    tournament = a_day(5)
    publish_round(SYSTEM, the_round(tournament, 1))
    (resting,) = byes(tournament, 1)
    late = enter_late(SYSTEM, tournament, late_pair(tournament))
    assert (late.number, late.joined_round) == (6, 1)
    match = Match.objects.get(round=the_round(tournament, 1), away=late)
    assert (match.home.number, match.state, match.bye) == (resting, "pending", "")


def test_without_an_idle_pair_the_late_one_waits_for_the_next_round() -> None:
    tournament = a_day(6)
    publish_round(SYSTEM, the_round(tournament, 1))
    late = enter_late(SYSTEM, tournament, late_pair(tournament))
    assert late.joined_round == 2
    assert points(tournament)[late.number] == 0


def test_before_the_round_is_published_a_late_pair_is_drawn_with_the_others() -> None:
    tournament = a_day(6)
    late = enter_late(SYSTEM, tournament, late_pair(tournament))
    assert late.joined_round == 1
    assert late.number in seated(tournament, 1) | byes(tournament, 1).keys()


def test_in_a_liguilla_a_late_pair_still_meets_everybody() -> None:
    tournament = a_day(4, format="liguilla")
    play_round(tournament, 1)
    late = enter_late(SYSTEM, tournament, late_pair(tournament))
    matches = Match.objects.filter(round__stage__tournament=tournament, away__isnull=False)
    pairs = [frozenset(pair) for pair in matches.values_list("home__number", "away__number")]
    assert len(pairs) == len(set(pairs)) == 10
    assert sum(late.number in pair for pair in pairs) == 4


def test_nobody_enters_a_knock_out_late() -> None:
    tournament = a_day(4, format="knockout")
    with refusal(Reason.NO_LATE_ENTRY):
        enter_late(SYSTEM, tournament, late_pair(tournament))


def test_the_draw_goes_on_after_all_that() -> None:
    tournament = a_day(5)
    publish_round(SYSTEM, the_round(tournament, 1))
    enter_late(SYSTEM, tournament, late_pair(tournament))
    play_round_of(tournament)
    withdraw(SYSTEM, entry(tournament, 1))
    request_bye(SYSTEM, entry(tournament, 2), 2, "half")
    round_ = draw_next(SYSTEM, tournament, after=1)
    assert seated(tournament, 2) == {3, 4, 5, 6}
    assert byes(tournament, 2) == {2: "half"}
    assert round_.drawn["byes"] == {"2": "half"}
    assert round_.drawn["here"] == [3, 4, 5, 6]


def play_round_of(tournament: Tournament) -> None:
    play_out(the_round(tournament, 1))


@pytest.mark.parametrize("format_", ["swiss", "liguilla", "knockout"])
def test_no_draft_holds_back_who_leaves_even_if_one_alone_stays(format_: str) -> None:
    tournament = a_day(4, format=format_)
    for number in (1, 2, 3):
        withdraw(SYSTEM, entry(tournament, number))
    with pytest.raises(Refusal):
        publish_round(SYSTEM, the_round(tournament, 1))
    for number in (1, 2):
        readmit(SYSTEM, entry(tournament, number))
    withdraw(SYSTEM, entry(tournament, 4))
    expel(SYSTEM, entry(tournament, 2), "marked cards")
    revoke_expulsion(SYSTEM, entry(tournament, 2), "they were not")

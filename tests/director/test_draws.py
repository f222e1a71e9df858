"""Rounds are drawn one after another, once each, from what is confirmed."""

import pytest

from tests.clubs import SYSTEM, a_swiss, arbiter, play_out, stranger, the_round
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.services.draws import draw_next
from tournaments.director.services.tournaments import publish_round
from tournaments.models import AuditEvent, Match, Round, Tournament

pytestmark = pytest.mark.django_db


def played(tournament: Tournament, number: int) -> None:
    round_ = publish_round(SYSTEM, the_round(tournament, number))
    play_out(round_)


def test_a_swiss_draws_its_first_round_alone() -> None:
    tournament = a_swiss(6, rounds=3)
    assert Round.objects.filter(stage__tournament=tournament).count() == 1
    stage = tournament.stages.get()
    assert (stage.entrants, len(stage.seed)) == ([1, 2, 3, 4, 5, 6], 64)


def test_every_table_says_why_its_entries_meet() -> None:
    tournament = a_swiss(7)
    matches = Match.objects.filter(round__stage__tournament=tournament)
    assert matches.count() == 4
    assert all(match.whys for match in matches)


def test_a_round_keeps_what_its_draw_knew() -> None:
    tournament = a_swiss(7)
    draw_facts = the_round(tournament, 1).drawn
    assert draw_facts["here"] == [1, 2, 3, 4, 5, 6, 7]
    assert (draw_facts["byes"], draw_facts["pinned"]) == ({}, [])


def test_the_next_round_waits_for_the_results() -> None:
    tournament = a_swiss(6)
    publish_round(SYSTEM, the_round(tournament, 1))
    with refusal(Reason.ROUND_UNFINISHED) as raised:
        draw_next(SYSTEM, tournament, after=1)
    assert raised.value.params == {"round": 1, "count": 3}


def test_the_next_round_brings_nobody_together_again() -> None:
    tournament = a_swiss(6)
    played(tournament, 1)
    draw_next(SYSTEM, tournament, after=1)
    meetings = [
        frozenset((match.home_id, match.away_id))
        for match in Match.objects.filter(round__stage__tournament=tournament)
    ]
    assert len(meetings) == len(set(meetings)) == 6


def test_asked_for_twice_a_round_is_drawn_once() -> None:
    tournament = a_swiss(6)
    played(tournament, 1)
    first, second = (draw_next(SYSTEM, tournament, after=1) for _ in range(2))
    assert first.pk == second.pk
    draw_events = AuditEvent.objects.filter(tournament=tournament, verb="round.drawn")
    assert draw_events.count() == 1


def test_when_all_rounds_are_played_there_is_nothing_to_draw() -> None:
    tournament = a_swiss(4, rounds=1)
    played(tournament, 1)
    with refusal(Reason.NOTHING_TO_DRAW):
        draw_next(SYSTEM, tournament, after=1)


def test_the_best_of_a_swiss_go_on_into_the_final() -> None:
    final = {"format": "knockout", "rules": {"take": 2}}
    tournament = a_swiss(6, rounds=2, then=[final])
    played(tournament, 1)
    draw_next(SYSTEM, tournament, after=1)
    played(tournament, 2)
    round_ = draw_next(SYSTEM, tournament, after=2)
    assert (round_.number, round_.stage.number, round_.stage.format) == (3, 2, "knockout")
    assert round_.matches.count() == 1
    assert len(tournament.stages.get(number=2).entrants) == 2


def test_only_an_organiser_draws() -> None:
    tournament = a_swiss(4)
    with refusal(Reason.FORBIDDEN):
        draw_next(stranger(), tournament, after=0)
    with refusal(Reason.FORBIDDEN):
        draw_next(arbiter(tournament.club), tournament, after=0)

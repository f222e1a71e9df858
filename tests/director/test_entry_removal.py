"""An entry that no draw names can be removed, before the draw and after it."""

import pytest

from tests.audited import assert_history_is_complete
from tests.clubs import SYSTEM, organiser, play_out, the_round
from tests.director.test_seeding import proof_holds
from tests.support.day import a_day, entry, late_pair
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.queries.entries import entry_page
from tournaments.director.services.absences import penalise, withdraw
from tournaments.director.services.draws import draw_next
from tournaments.director.services.entries import enter_late, remove_entry
from tournaments.director.services.restoring import go_back
from tournaments.director.services.rounds import swap
from tournaments.director.services.tournaments import publish_round
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db


def a_running_day() -> tuple[Tournament, Entry]:
    """Round 1 of six pairs is closed, and a seventh came late."""
    tournament = a_day(6, late=2)
    publish_round(SYSTEM, the_round(tournament, 1))
    play_out(the_round(tournament, 1))
    tournament.refresh_from_db()
    late = enter_late(SYSTEM, tournament, late_pair(tournament))
    return tournament, entry(tournament, late.number)


def names(tournament: Tournament) -> list[int]:
    return list(tournament.entries.order_by("number").values_list("number", flat=True))


def play_to_the_end(tournament: Tournament) -> None:
    for number in (2, 3, 4):
        if not the_rounds(tournament, number):
            draw_next(SYSTEM, tournament, after=number - 1)
        publish_round(SYSTEM, the_round(tournament, number))
        play_out(the_round(tournament, number))
        tournament.refresh_from_db()


def the_rounds(tournament: Tournament, number: int) -> bool:
    return tournament.stages.filter(rounds__number=number).exists()


@pytest.mark.parametrize("drafted", [False, True])
def test_a_pair_entered_late_by_mistake_is_removed_and_the_proof_holds(drafted: bool) -> None:
    tournament, late = a_running_day()
    if drafted:
        draw_next(SYSTEM, tournament, after=1)
    assert entry_page(tournament.slug, late.number, organiser(tournament.club)).may["remove"]
    remove_entry(SYSTEM, late)
    assert names(tournament) == [1, 2, 3, 4, 5, 6]
    tournament.refresh_from_db()
    play_to_the_end(tournament)
    assert_history_is_complete()
    assert proof_holds(tournament)


def test_a_removed_pair_comes_back_by_undo() -> None:
    tournament, late = a_running_day()
    remove_entry(SYSTEM, late)
    go_back(SYSTEM, tournament.restore_points.filter(verb="entry.removed").latest("pk"))
    assert names(tournament) == [1, 2, 3, 4, 5, 6, 7]
    tournament.refresh_from_db()
    play_to_the_end(tournament)
    assert proof_holds(tournament)


def test_who_was_drawn_sat_at_a_table_or_was_penalised_stays() -> None:
    tournament, late = a_running_day()
    with refusal(Reason.ENTRY_IN_PLAY):
        remove_entry(SYSTEM, entry(tournament, 1))
    penalise(SYSTEM, late, round_number=2, reason="tarde", hands=1)
    with refusal(Reason.ENTRY_IN_PLAY):
        remove_entry(SYSTEM, late)


def test_who_was_away_when_a_round_was_published_stays_if_that_draw_names_it() -> None:
    tournament, late = a_running_day()
    withdraw(SYSTEM, late)
    draw_next(SYSTEM, tournament, after=1)
    publish_round(SYSTEM, the_round(tournament, 2))
    with refusal(Reason.ENTRY_IN_PLAY):
        remove_entry(SYSTEM, late)


def test_a_draft_changed_by_hand_keeps_the_pair_at_its_table() -> None:
    tournament, late = a_running_day()
    draw_next(SYSTEM, tournament, after=1)
    swap(SYSTEM, the_round(tournament, 2), entry(tournament, 1), entry(tournament, 3))
    with refusal(Reason.ENTRY_IN_PLAY):
        remove_entry(SYSTEM, late)
    assert late.number in names(tournament)

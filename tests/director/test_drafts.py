"""An organiser arranges a draft by hand, is warned, and cannot publish what is impossible."""

import pytest

from tests.clubs import SYSTEM, a_swiss, play_out, the_liguilla, the_match, the_round
from tests.support.refusals import refusal
from tests.support.scene_rows import reuse_rows
from tournaments.core.errors import Reason
from tournaments.director.queries.drafts import warnings_of
from tournaments.director.services.absences import withdraw
from tournaments.director.services.draws import draw_next
from tournaments.director.services.entries import describe_entry
from tournaments.director.services.restore_points import store_restore_point
from tournaments.director.services.restoring import go_back
from tournaments.director.services.rounds import (
    discard_round,
    draw_again,
    give_bye,
    pair,
    pin,
    swap,
    undo_move,
    unpair,
)
from tournaments.director.services.tournaments import publish_round
from tournaments.models import Entry, Match, Round, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def swiss(db: None) -> Tournament:
    return second_round_drafted()


@reuse_rows()
def second_round_drafted() -> Tournament:
    """Seven entries, one round played, the second a draft."""
    tournament = a_swiss(7)
    play_out(publish_round(SYSTEM, the_round(tournament, 1)))
    draw_next(SYSTEM, tournament, after=1)
    return tournament


def entry(tournament: Tournament, number: int) -> Entry:
    return tournament.entries.get(number=number)


def tables(round_: Round) -> dict[int, tuple[int, int | None]]:
    return {
        match.table: (match.home.number, match.away.number if match.away else None)
        for match in round_.matches.select_related("home", "away")
    }


def codes(tournament: Tournament, number: int = 2) -> set[str]:
    return {warning.code for warning in warnings_of(the_round(tournament, number))}


def test_a_round_as_it_was_drawn_breaks_nothing(swiss: Tournament) -> None:
    assert codes(swiss) == set()


def test_two_entries_change_places(swiss: Tournament) -> None:
    round_ = the_round(swiss, 2)
    before = tables(round_)
    (first, _), (other, _) = before[1], before[2]
    swap(SYSTEM, round_, entry(swiss, first), entry(swiss, other))
    after = tables(round_)
    assert after[1] == (other, before[1][1])
    assert after[2] == (first, before[2][1])
    assert round_.matches.filter(edited=True).count() == 2


def test_partners_of_one_table_change_seats(swiss: Tournament) -> None:
    round_ = the_round(swiss, 2)
    home, away = tables(round_)[1]
    assert away is not None
    swap(SYSTEM, round_, entry(swiss, home), entry(swiss, away))
    assert tables(round_)[1] == (away, home)


def test_a_swap_that_brings_two_together_again_is_warned_of(swiss: Tournament) -> None:
    first = tables(the_round(swiss, 1))[1]
    round_ = the_round(swiss, 2)
    sits = next(pair for pair in tables(round_).values() if first[0] in pair)
    rival = entry(swiss, first[1] or 0)
    against = next(number for number in sits if number not in {first[0], None})
    swap(SYSTEM, round_, rival, entry(swiss, against or 0))
    assert "check_rematch" in codes(swiss)
    publish_round(SYSTEM, the_round(swiss, 2))


def test_a_table_that_was_taken_apart_leaves_two_without_one(swiss: Tournament) -> None:
    unpair(SYSTEM, the_match(swiss, 2, 1))
    assert codes(swiss) == {"check_missing"}
    with refusal(Reason.ROUND_IMPOSSIBLE):
        publish_round(SYSTEM, the_round(swiss, 2))


def test_those_without_a_table_can_be_paired_by_hand(swiss: Tournament) -> None:
    match = the_match(swiss, 2, 1)
    assert match.away is not None
    unpair(SYSTEM, match)
    new_match = pair(SYSTEM, the_round(swiss, 2), match.away, match.home)
    assert new_match.edited
    assert codes(swiss) == set()
    with refusal(Reason.ALREADY_SEATED):
        pair(SYSTEM, the_round(swiss, 2), match.home, entry(swiss, 1))


def test_an_entry_without_a_table_is_not_paired_with_itself(swiss: Tournament) -> None:
    match = the_match(swiss, 2, 1)
    unpair(SYSTEM, match)
    with refusal(Reason.ALREADY_SEATED):
        pair(SYSTEM, the_round(swiss, 2), match.home, match.home)


def test_those_without_a_table_are_drawn_around_the_others(swiss: Tournament) -> None:
    round_ = the_round(swiss, 2)
    before = tables(round_)
    unpair(SYSTEM, the_match(swiss, 2, 1))
    unpair(SYSTEM, the_match(swiss, 2, 2))
    new_round = draw_again(SYSTEM, the_round(swiss, 2), keep_all=True)
    assert tables(new_round)[3] == before[3]
    assert codes(swiss) == set()


def test_a_pinned_table_stays_when_the_round_is_drawn_again(swiss: Tournament) -> None:
    round_ = the_round(swiss, 2)
    numbers = tables(round_)
    swap(SYSTEM, round_, entry(swiss, numbers[1][0]), entry(swiss, numbers[2][0]))
    pairing = tables(round_)[1]
    pin(SYSTEM, the_match(swiss, 2, 1))
    new_round = draw_again(SYSTEM, the_round(swiss, 2))
    pinned_match = Match.objects.get(round=new_round, pinned=True)
    assert (
        pinned_match.home.number,
        pinned_match.away.number if pinned_match.away else None,
    ) == pairing
    assert pinned_match.edited
    assert new_round.drawn["pinned"] == [[[pairing[0]], [pairing[1]]]]


def test_drawn_again_untouched_a_round_is_the_same(swiss: Tournament) -> None:
    before = tables(the_round(swiss, 2))
    assert tables(draw_again(SYSTEM, the_round(swiss, 2))) == before


def test_a_second_bye_is_warned_of(swiss: Tournament) -> None:
    rested = Match.objects.get(round=the_round(swiss, 1), state="bye").home
    resting = Match.objects.get(round=the_round(swiss, 2), state="bye").home
    swap(SYSTEM, the_round(swiss, 2), rested, resting)
    assert "check_second_bye" in codes(swiss)


def test_an_entry_without_a_table_can_be_given_a_bye(swiss: Tournament) -> None:
    match = the_match(swiss, 2, 1)
    unpair(SYSTEM, match)
    bye_match = give_bye(SYSTEM, the_round(swiss, 2), match.home, "half")
    assert (bye_match.state, bye_match.bye) == ("bye", "half")


def test_a_draft_can_be_thrown_away(swiss: Tournament) -> None:
    discard_round(SYSTEM, the_round(swiss, 2))
    assert Round.objects.filter(stage__tournament=swiss).count() == 1
    assert draw_next(SYSTEM, swiss, after=1).number == 2


def test_what_is_published_is_not_arranged_any_more(swiss: Tournament) -> None:
    round_ = publish_round(SYSTEM, the_round(swiss, 2))
    match = the_match(swiss, 2, 1)
    for act in (
        lambda: swap(SYSTEM, round_, entry(swiss, 1), entry(swiss, 2)),
        lambda: pin(SYSTEM, match),
        lambda: unpair(SYSTEM, match),
        lambda: draw_again(SYSTEM, round_),
        lambda: discard_round(SYSTEM, round_),
    ):
        with refusal(Reason.ROUND_NOT_DRAFT):
            act()


def test_a_later_draft_is_drawn_again_after_those_before_it() -> None:
    tournament = the_liguilla(published=1)
    before = [tables(the_round(tournament, number)) for number in range(1, 8)]
    draw_again(SYSTEM, the_round(tournament, 3))
    assert [tables(the_round(tournament, number)) for number in range(1, 8)] == before


def test_rounds_are_published_in_order() -> None:
    tournament = the_liguilla(published=1)
    with refusal(Reason.EARLIER_DRAFT) as refused:
        publish_round(SYSTEM, the_round(tournament, 4))
    assert refused.value.params == {"round": 2}
    for number in (2, 3, 4):
        publish_round(SYSTEM, the_round(tournament, number))
    withdraw(SYSTEM, entry(tournament, 8))
    rounds = Round.objects.filter(stage__tournament=tournament).order_by("number")
    states = list(rounds.values_list("number", "state"))
    assert states == [(n, "published" if n <= 4 else "draft") for n in range(1, 8)]


def test_a_match_stays_at_the_table_that_an_entry_keeps_when_places_are_changed(
    swiss: Tournament,
) -> None:
    round_ = the_round(swiss, 2)
    entrant = tables(round_)[3][0]
    describe_entry(SYSTEM, entry(swiss, entrant), fixed_table=1)
    round_ = the_round(swiss, 2)
    assert entrant in tables(round_)[1]
    assert codes(swiss) == set()
    other = tables(round_)[2][0]
    swap(SYSTEM, round_, entry(swiss, entrant), entry(swiss, other))
    assert entrant in tables(round_)[1]
    assert other in tables(round_)[2]
    publish_round(SYSTEM, round_)
    play_out(round_)
    third = tables(draw_next(SYSTEM, swiss, after=2))
    assert [number for number, two in third.items() if entrant in two and two[1]] in ([1], [])


def test_two_who_are_seated_by_hand_sit_at_the_table_that_one_keeps(swiss: Tournament) -> None:
    entrant = tables(the_round(swiss, 2))[3][0]
    describe_entry(SYSTEM, entry(swiss, entrant), fixed_table=12)
    round_ = the_round(swiss, 2)
    match = round_.matches.with_names().get(table=12)
    sides = [side[0] for side in match.sides]
    unpair(SYSTEM, match)
    assert pair(SYSTEM, round_, *sides).table == 12
    assert draw_again(SYSTEM, round_).matches.exclude(away=None).filter(table=12).exists()


def test_the_changes_of_a_draft_are_undone_one_by_one(swiss: Tournament) -> None:
    round_ = the_round(swiss, 2)
    states = [tables(round_)]
    (first, _), (other, _), (third, _) = (states[0][number] for number in (1, 2, 3))
    for two in ((first, other), (first, third)):
        swap(SYSTEM, round_, entry(swiss, two[0]), entry(swiss, two[1]))
        states.append(tables(round_))
    undo_move(SYSTEM, round_)
    assert tables(round_) == states[1]
    unpair(SYSTEM, round_.matches.get(table=1))
    undo_move(SYSTEM, round_)
    assert tables(round_) == states[1]
    undo_move(SYSTEM, round_)
    assert tables(round_) == states[0]
    with refusal(Reason.NOTHING_TO_UNDO):
        undo_move(SYSTEM, round_)
    assert tables(the_round(swiss, 2)) == states[0]


def test_a_change_is_not_undone_over_what_was_done_after_it(swiss: Tournament) -> None:
    round_ = the_round(swiss, 2)
    (first, _), (other, _) = tables(round_)[1], tables(round_)[2]
    swap(SYSTEM, round_, entry(swiss, first), entry(swiss, other))
    withdraw(SYSTEM, entry(swiss, 7))
    store_restore_point(SYSTEM, swiss, "entry.removed")
    with refusal(Reason.NOTHING_TO_UNDO):
        undo_move(SYSTEM, the_round(swiss, 2))


def test_a_move_that_was_brought_back_by_the_list_of_points_is_not_guessed_at(
    swiss: Tournament,
) -> None:
    round_ = the_round(swiss, 2)
    (first, _), (other, _) = tables(round_)[1], tables(round_)[2]
    swap(SYSTEM, round_, entry(swiss, first), entry(swiss, other))
    undo_move(SYSTEM, round_)
    go_back(SYSTEM, swiss.restore_points.latest("pk"))
    assert tables(round_)[1][0] == other
    with refusal(Reason.NOTHING_TO_UNDO):
        undo_move(SYSTEM, the_round(swiss, 2))

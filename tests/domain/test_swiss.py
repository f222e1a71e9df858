"""The Swiss system, rule by rule, with its reasons."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests.domain.swiss_events import event
from tournaments.domain.messages import explain
from tournaments.domain.pairing import FORMATS, CannotDraw, Draw, Field, PairingReason
from tournaments.domain.pairing.past import stage_history
from tournaments.domain.pairing.swiss import points_text
from tournaments.domain.rows import (
    Bye,
    ByeRule,
    Entrant,
    Mark,
    Points,
    Round,
    Stage,
    StageRules,
    State,
    Table,
)

SWISS = FORMATS["swiss"]


def won(number: int, winner: int, loser: int) -> Table:
    return Table(number, ((winner,), (loser,)), marks=(Mark(4), Mark(1)))


def rest(number: int, resting: int, bye: Bye = Bye.PAIRING) -> Table:
    return Table(number, ((resting,),), bye=bye)


NINE = StageRules(rounds=9)


def field(
    size: int,
    *rounds: tuple[Table, ...],
    rules: StageRules = NINE,
    pinned: tuple[Table, ...] = (),
    changed: Mapping[int, Entrant] | None = None,
    here: tuple[int, ...] | None = None,
    seed: str = "00",
) -> Field:
    entrants = {n: Entrant(n) for n in range(1, size + 1)} | dict(changed or {})
    played = tuple(Round(n, tables) for n, tables in enumerate(rounds, start=1))
    stage = Stage(1, "swiss", rules, tuple(range(1, size + 1)), played, seed)
    number = len(rounds) + 1
    if here is None:
        here = tuple(n for n in stage.entrants if entrants[n].is_here(number))
    return Field(stage, entrants, number, here, pinned_tables=pinned)


def meetings(draw: Draw) -> list[set[int]]:
    return [set(table.entrants) for table in draw.tables]


def codes(draw: Draw, table: int) -> list[str]:
    return [reason.code for reason in draw.reasons if reason.table == table]


def test_in_the_first_round_the_top_half_meets_the_bottom_half() -> None:
    draw = SWISS.draw(field(8))
    assert meetings(draw) == [{1, 5}, {2, 6}, {3, 7}, {4, 8}]
    assert draw.quality["fold"] == 0


def test_an_odd_entry_rests_at_the_bottom() -> None:
    draw = SWISS.draw(field(7))
    assert meetings(draw) == [{1, 4}, {2, 5}, {3, 6}, {7}]
    assert draw.tables[-1].bye is Bye.PAIRING
    assert codes(draw, 4) == ["swiss_rest_last"]


def test_the_first_deal_goes_by_turns_down_the_seeding_list() -> None:
    firsts = [table.entrants[0] for table in SWISS.draw(field(8)).tables]
    assert [first <= 4 for first in firsts] in ([True, False] * 2, [False, True] * 2)


def test_a_lot_from_the_seed_says_who_begins_the_first_deal() -> None:
    firsts = {SWISS.draw(field(2, seed=f"{n:02x}")).tables[0].entrants for n in range(20)}
    assert firsts == {(1, 2), (2, 1)}


def test_winners_meet_winners_and_losers_meet_losers() -> None:
    draw = SWISS.draw(field(4, (won(1, 1, 3), won(2, 2, 4))))
    assert meetings(draw) == [{1, 2}, {3, 4}]
    assert codes(draw, 1)[0] == "swiss_level"


def test_who_has_sat_on_the_first_side_less_sits_there() -> None:
    before = (won(1, 1, 3), won(2, 2, 4)), (won(1, 1, 2), won(2, 3, 4))
    third_round = won(1, 1, 4), won(2, 2, 3)
    draw = SWISS.draw(field(4, *before, third_round))
    for table in draw.tables:
        counts = [
            stage_history(field(4, *before, third_round).stage, {}).first_side_counts(entrant)
            for entrant in table.entrants
        ]
        assert counts[0] <= counts[1]


def test_who_had_the_first_side_last_gives_it_up() -> None:
    draw = SWISS.draw(field(2, (won(1, 1, 2),), (won(1, 2, 1),)))
    assert draw.tables[0].sides == ((1,), (2,))
    assert codes(draw, 1)[-1] == "swiss_deal_turn"


def test_nobody_floats_down_twice_running_when_another_can() -> None:
    first = won(1, 1, 4), won(2, 2, 5), won(3, 3, 6)
    second = won(1, 1, 2), won(2, 4, 3), won(3, 5, 6)
    # 1 has 4 points; 2, 3, 4 and 5 have 2; 3 floated down and 4 up in round 2.
    draw = SWISS.draw(field(6, first, second))
    assert draw.quality["clashes"] == 0
    assert draw.quality["repeats"] == 0


def test_no_two_of_a_club_meet_while_that_costs_nothing_better() -> None:
    clubs = {n: Entrant(n, club="Oro") for n in (1, 3)}
    draw = SWISS.draw(field(4, changed=clubs))
    assert meetings(draw) == [{1, 4}, {2, 3}] or meetings(draw) == [{1, 2}, {3, 4}]
    assert draw.quality["repeats"] == 0


def test_a_family_is_kept_apart_even_at_the_cost_of_score() -> None:
    family = {n: Entrant(n, apart=("García",)) for n in (1, 2)}
    draw = SWISS.draw(field(4, (won(1, 1, 3), won(2, 2, 4)), changed=family))
    assert meetings(draw) == [{1, 4}, {2, 3}]
    assert "swiss_float_met_all" in codes(draw, 1)


def test_a_family_of_all_gets_a_round_with_the_reason() -> None:
    family = {n: Entrant(n, apart=("García",)) for n in range(1, 5)}
    draw = SWISS.draw(field(4, changed=family))
    assert meetings(draw) == [{1, 3}, {2, 4}]
    assert draw.quality["clashes"] == 2
    assert all("swiss_apart" in codes(draw, table.number) for table in draw.tables)


def test_when_all_have_met_they_meet_again_and_are_informed_why() -> None:
    rounds = (
        (won(1, 1, 2), won(2, 3, 4)),
        (won(1, 1, 3), won(2, 2, 4)),
        (won(1, 1, 4), won(2, 2, 3)),
    )
    draw = SWISS.draw(field(4, *rounds))
    assert len(draw.tables) == 2
    assert all("swiss_rematch" in codes(draw, table.number) for table in draw.tables)
    third = SWISS.draw(field(4, *rounds, tuple(won(t.number, *t.entrants) for t in draw.tables)))
    assert not set(map(frozenset, meetings(third))) & set(map(frozenset, meetings(draw)))


def test_who_was_forfeited_against_can_still_be_met() -> None:
    forfeited = Table(1, ((1,), (2,)), forfeits=(1,))
    draw = SWISS.draw(field(2, (forfeited,)))
    assert codes(draw, 1)[0] == "swiss_float_alone"
    assert "swiss_rematch" not in codes(draw, 1)


def test_a_table_still_open_has_been_met_and_moves_no_score() -> None:
    tables = Table(1, ((1,), (3,))), Table(2, ((4,), (2,)))
    draw = SWISS.draw(field(4, tables))
    assert meetings(draw) == [{1, 2}, {3, 4}]
    assert [codes(draw, number)[0] for number in (1, 2)] == ["swiss_level"] * 2


def test_a_draft_is_no_fact() -> None:
    plain_field = field(4, (won(1, 1, 3), won(2, 2, 4)))
    drafted = Round(2, (won(1, 1, 2), won(2, 3, 4)), State.DRAFT)
    two = replace(
        plain_field, stage=replace(plain_field.stage, rounds=(*plain_field.stage.rounds, drafted))
    )
    assert SWISS.draw(two) == SWISS.draw(plain_field)


def test_nobody_rests_twice_while_another_has_not_rested() -> None:
    first = won(1, 1, 2), rest(2, 3)
    second = won(1, 1, 3), rest(2, 2)
    assert meetings(SWISS.draw(field(3, first, second)))[-1] == {1}


@pytest.mark.parametrize(
    ("before", "resting"),
    [
        (rest(3, 3), 2),
        (rest(3, 3, Bye.FULL), 2),
        (rest(3, 3, Bye.HALF), 3),
        (rest(3, 3, Bye.ZERO), 3),
        (Table(3, ((3,), (9,)), forfeits=(1,)), 2),
        (Table(3, ((3,), (9,)), forfeits=(0, 1)), 3),
    ],
)
def test_a_wins_worth_without_playing_takes_the_claim_to_a_bye(before: Table, resting: int) -> None:
    draw = SWISS.draw(field(9, (won(1, 1, 4), won(2, 2, 5), before), here=(1, 2, 3)))
    assert meetings(draw)[-1] == {resting}


def test_a_latecomers_full_credit_takes_the_claim_to_a_bye() -> None:
    late = {3: Entrant(3, joined=2)}
    rules = StageRules(rounds=9, late=Bye.FULL)
    draw = SWISS.draw(field(3, (won(1, 1, 2),), changed=late, rules=rules))
    assert meetings(draw) == [{1, 3}, {2}]


def test_a_latecomer_starts_with_what_the_rules_credit() -> None:
    late = {5: Entrant(5, joined=3)}
    rules = StageRules(rounds=9, late=Bye.HALF)
    rounds = (won(1, 1, 2), won(2, 3, 4)), (won(1, 1, 3), won(2, 2, 4))
    before = stage_history(field(5, *rounds, changed=late, rules=rules).stage, late)
    assert before.score(5) == 2
    assert before.score(1) == 4


def test_when_all_have_rested_the_bye_goes_to_one_a_second_time() -> None:
    rounds = (won(1, 1, 2), rest(2, 3)), (won(1, 1, 3), rest(2, 2)), (won(1, 2, 3), rest(2, 1))
    draw = SWISS.draw(field(3, *rounds))
    assert draw.quality["byes_again"] == 1
    assert codes(draw, 2) == ["swiss_rest_all_had"]


def test_the_bye_goes_past_those_who_had_one() -> None:
    first = won(1, 1, 3), won(2, 2, 4), rest(3, 5)
    second = won(1, 1, 5), won(2, 2, 3), rest(3, 4)
    third = won(1, 1, 2), won(2, 5, 4), rest(3, 3)
    # 3, 4 and 5 have rested; 2 has 4 points and 1 has 6.
    draw = SWISS.draw(field(5, first, second, third))
    assert meetings(draw)[-1] == {2}
    assert codes(draw, 3) == ["swiss_rest_below_had"]


LOWEST = replace(NINE, byes=ByeRule.LOWEST)


def why_rests(drawn: Draw) -> PairingReason:
    return next(reason for reason in drawn.reasons if reason.code.startswith("swiss_rest"))


def test_a_bye_above_a_lower_one_says_which_meeting_it_saves() -> None:
    level = Table(1, ((1,), (2,)), marks=(Mark(2), Mark(2)))
    reason = why_rests(SWISS.draw(field(3, (level, rest(2, 3, Bye.ZERO)), rules=LOWEST)))
    assert (reason.code, reason.entrants) == ("swiss_rest_rematch", (reason.entrants[0], 1, 2))
    text = explain(reason, lambda n: f"P{n}", "en")
    assert text.endswith(
        "with the bye at fewer points, P1 and P2 would have met again (after round 1)."
    )


def test_a_bye_above_a_lower_one_says_who_are_kept_apart() -> None:
    family = {n: Entrant(n, apart=("García",)) for n in (1, 2)}
    draw = SWISS.draw(field(3, (won(1, 1, 3), rest(2, 2)), rules=LOWEST, changed=family))
    assert meetings(draw)[-1] == {1}
    assert (why_rests(draw).code, why_rests(draw).entrants) == ("swiss_rest_apart", (1, 1, 2))


def test_who_rests_twice_is_informed_which_meeting_that_saves() -> None:
    nobody = Table(1, ((1,), (3,)), forfeits=(0, 1))
    families = {1: Entrant(1, apart=("a",)), 2: Entrant(2, apart=("a", "b"))}
    families[3] = Entrant(3, apart=("b",))
    draw = SWISS.draw(field(3, (nobody, rest(2, 2)), rules=LOWEST, changed=families))
    assert meetings(draw)[-1] == {2}
    assert why_rests(draw).code == "swiss_rest_again_apart"
    assert explain(why_rests(draw), lambda n: f"P{n}", "en").startswith("P2 rests again")


def test_by_the_table_neighbours_meet_the_best_first_but_nobody_twice() -> None:
    first_round = (won(1, 7, 1), won(2, 3, 5), won(3, 2, 4), rest(4, 6))
    draw = SWISS.draw(replace(field(7, first_round), standing=(7, 1, 2, 3, 5, 4, 6)))
    # 7 and 1, 3 and 5 have met; 6, the lowest, has rested.
    assert meetings(draw) == [{7, 2}, {1, 3}, {5, 6}, {4}]
    why = next(reason for reason in draw.reasons if reason.table == 1)
    assert explain(why, lambda n: f"P{n}", "en").endswith("numbers 1 and 3 of those who play.")
    assert codes(draw, 4) == ["swiss_table_rest"]
    pinned = replace(
        field(6, pinned=(Table(2, ((1,), (4,)), pinned=True),)), standing=(*range(6, 0, -1),)
    )
    assert meetings(SWISS.draw(pinned)) == [{6, 5}, {1, 4}, {3, 2}]


def test_a_table_fixed_by_hand_stays_and_keeps_its_number() -> None:
    fixed = Table(2, ((8,), (1,)), pinned=True)
    draw = SWISS.draw(field(8, pinned=(fixed,)))
    assert fixed in draw.tables
    assert [table.number for table in draw.tables] == [1, 2, 3, 4]
    assert codes(draw, 2) == ["swiss_pinned"]
    assert meetings(draw) == [{2, 5}, {1, 8}, {3, 6}, {4, 7}]


def test_a_bye_fixed_by_hand_makes_the_rest_even() -> None:
    draw = SWISS.draw(field(5, pinned=(rest(3, 1),)))
    assert [table.is_bye for table in draw.tables] == [False, False, True]
    assert meetings(draw)[-1] == {1}


def test_everything_fixed_by_hand_leaves_nothing_to_draw() -> None:
    fixed = Table(1, ((2,), (1,)), pinned=True)
    assert SWISS.draw(field(2, pinned=(fixed,))).tables == (fixed,)


def test_as_many_rounds_are_played_as_make_one_winner() -> None:
    sizes = {2: 1, 3: 2, 4: 2, 5: 3, 16: 4, 17: 5, 1000: 10}
    assert {size: SWISS.rounds(size, StageRules()) for size in sizes} == sizes
    assert SWISS.rounds(1000, StageRules(rounds=7)) == 7


def test_no_round_is_drawn_beyond_the_last() -> None:
    with pytest.raises(CannotDraw) as refused:
        SWISS.draw(field(2, (won(1, 1, 2),), rules=StageRules()))
    assert refused.value.code == "stage_over"


def test_one_alone_plays_no_round() -> None:
    with pytest.raises(CannotDraw) as refused:
        SWISS.draw(field(2, here=(1,)))
    assert refused.value.code == "too_few"


def test_parts_of_points_are_paired_like_whole_ones() -> None:
    third = StageRules(rounds=9, scale=replace(StageRules().scale, win=Points(1, 3)))
    draw = SWISS.draw(field(4, (won(1, 1, 3), won(2, 2, 4)), rules=third))
    assert meetings(draw) == [{1, 2}, {3, 4}]


def test_renumbering_the_entries_changes_nothing_but_numbers() -> None:
    for round_ in event(4, 9, 30):
        new = {old: 500 - old for old in round_.field.entrants}
        assert renumbered(SWISS.draw(field_with(round_.field, new)), new) == round_.draw.tables


def renumbered(draw: Draw, new: Mapping[int, int]) -> tuple[Table, ...]:
    old = {number: before for before, number in new.items()}
    return tuple(with_numbers(table, old) for table in draw.tables)


def with_numbers(table: Table, new: Mapping[int, int]) -> Table:
    return replace(
        table, sides=tuple(tuple(new[entrant] for entrant in side) for side in table.sides)
    )


def field_with(field: Field, new: Mapping[int, int]) -> Field:
    rounds = tuple(
        replace(round_, tables=tuple(with_numbers(table, new) for table in round_.tables))
        for round_ in field.stage.rounds
    )
    entrants = tuple(new[number] for number in field.stage.entrants)
    return replace(
        field,
        stage=replace(field.stage, entrants=entrants, rounds=rounds),
        entrants={new[n]: replace(entrant, number=new[n]) for n, entrant in field.entrants.items()},
        present=tuple(new[number] for number in field.present),
        byes={new[number]: bye for number, bye in field.byes.items()},
        pinned_tables=tuple(with_numbers(table, new) for table in field.pinned_tables),
    )


def test_nearly_everybody_sits_on_the_first_side_as_often_as_not() -> None:
    spread: Counter[int] = Counter()
    for seed in range(30):
        *_, last = event(seed, 12, 30)
        before = stage_history(last.field.stage, last.field.entrants)
        spread.update(abs(before.balance(entrant)) for entrant in last.field.present)
    assert max(spread) <= 3
    assert sum(spread[more] for more in (2, 3)) < spread.total() / 10


@pytest.mark.parametrize("language", ["es", "en"])
def test_every_reason_is_a_sentence_with_nothing_left_out(language: str) -> None:
    reasons: dict[str, PairingReason] = {}
    for seed in range(60):
        for round_ in event(seed, 4, 24):
            reasons.update({reason.code: reason for reason in round_.draw.reasons})
    for reason in reasons.values():
        sentence = explain(reason, lambda number: f"Pareja {number}", language)
        assert sentence.endswith(".")
        assert all(f"Pareja {number}" in sentence for number in reason.entrants)
        assert "{" not in sentence
    assert {"swiss_rest_all_had", "swiss_up_again", "swiss_deal_fewer"} <= set(reasons)


def test_points_are_said_as_people_write_them() -> None:
    points = [Points(3), Points(3, 2), Points(1, 2), Points(7, 3)]
    points_texts = [points_text(each) for each in points]
    assert points_texts == ["3", "1½", "½", "7/3"]

"""What a round arranged by hand breaks."""

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from tests.domain.swiss_events import event
from tests.domain.test_swiss import field, rest, won
from tournaments.domain.messages import explain
from tournaments.domain.pairing.base import Field, PairingReason
from tournaments.domain.pairing.checks import IMPOSSIBLE, move_objections, objections
from tournaments.domain.rows import Bye, Entrant, Table

if TYPE_CHECKING:
    from collections.abc import Mapping


def seat(number: int, one: int, other: int) -> Table:
    return Table(number, ((one,), (other,)))


def objections_of(field: Field, *tables: Table) -> list[tuple[str, int, tuple[int, ...]]]:
    return [(reason.code, reason.table, reason.entrants) for reason in objections(field, tables)]


def with_bye(size: int, resting: int, bye: Bye) -> Field:
    whole = field(size)
    present = tuple(number for number in whole.present if number != resting)
    return Field(whole.stage, whole.entrants, whole.round, present, {resting: bye})


def test_a_round_that_breaks_nothing_meets_no_objection() -> None:
    assert objections_of(field(4), seat(1, 1, 2), seat(2, 4, 3)) == []


def test_a_person_twice_and_a_person_missing() -> None:
    assert objections_of(field(4), seat(1, 1, 2), seat(2, 2, 3)) == [
        ("check_missing", 0, (4,)),
        ("check_twice", 1, (2,)),
    ]


def test_a_person_against_themselves() -> None:
    assert objections_of(field(2), seat(1, 1, 1), rest(2, 2)) == [("check_twice", 1, (1,))]


def test_a_person_who_is_away_and_an_unknown_person() -> None:
    away = {2: Entrant(2, absences=((1, None),))}
    assert objections_of(field(3, changed=away), seat(1, 1, 2), seat(2, 3, 77)) == [
        ("check_not_here", 1, (2,)),
        ("check_not_here", 2, (77,)),
    ]


def test_a_person_who_asked_to_rest() -> None:
    round_field = with_bye(3, 3, Bye.HALF)
    assert objections_of(round_field, seat(1, 1, 2), rest(2, 3, Bye.HALF)) == []
    assert objections_of(round_field, seat(1, 1, 2)) == []
    assert objections_of(round_field, seat(1, 1, 3), rest(2, 2)) == [("check_asked_bye", 1, (3,))]


def test_a_table_of_three_sides_or_with_an_empty_one() -> None:
    three = Table(1, ((1,), (2,), (3,)))
    assert objections_of(field(3), three) == [("check_sides", 1, (1, 2, 3))]
    assert objections_of(field(1), Table(1, ((1,), ()))) == [("check_sides", 1, (1,))]


def test_two_who_have_met_and_the_round_they_met_in() -> None:
    (reason,) = objections(field(2, (won(1, 1, 2),)), [seat(1, 2, 1)])
    assert (reason.code, reason.facts) == ("check_rematch", {"rounds": "1"})
    assert reason.code not in IMPOSSIBLE


def test_two_of_a_family_and_of_a_club() -> None:
    kin = {n: Entrant(n, club="Oro", apart=("García",)) for n in (1, 2)}
    assert [code for code, _, _ in objections_of(field(2, changed=kin), seat(1, 1, 2))] == [
        "check_apart",
        "check_club",
    ]


def test_partners_may_be_of_one_family() -> None:
    kin = {n: Entrant(n, club="Oro", apart=("García",)) for n in (1, 2)}
    assert objections_of(field(4, changed=kin), Table(1, ((1, 2), (3, 4)))) == []


def test_a_second_bye_and_two_byes_at_once() -> None:
    before = field(4, (won(1, 1, 2), rest(2, 3), rest(3, 4, Bye.ZERO)))
    assert objections_of(before, seat(1, 1, 4), rest(2, 2), rest(3, 3)) == [
        ("check_second_bye", 3, (3,)),
        ("check_two_byes", 3, (2, 3)),
    ]


RESTED_AGAIN = ("swiss_rest_all_had", "swiss_rest_again_rematch", "swiss_rest_again_apart")


def test_what_is_drawn_breaks_only_what_its_reasons_admit() -> None:
    admitted: Mapping[str, str] = {
        "check_rematch": "swiss_rematch",
        "check_apart": "swiss_apart",
        "check_club": "swiss_club",
    }
    for seed in range(40):
        for round_ in event(seed, 4, 24):
            reasons = {(reason.code, reason.table) for reason in round_.draw.reasons}
            fixed = {table.number for table in round_.field.pinned_tables}
            for reason in objections(round_.field, round_.draw.tables):
                assert reason.code not in IMPOSSIBLE
                if reason.table in fixed:
                    continue
                if reason.code == "check_second_bye":
                    assert reasons & {(code, reason.table) for code in RESTED_AGAIN}
                else:
                    assert (admitted[reason.code], reason.table) in reasons


def test_objections_are_sentences() -> None:
    reason = PairingReason("check_two_byes", 3, (2, 3))
    text = explain(reason, lambda number: f"Pareja {number}")
    assert text == "Descansan Pareja 2, Pareja 3 a la vez, y podrían jugar entre sí."


FORESEEN = {
    "check_apart",
    "check_asked_bye",
    "check_club",
    "check_missing",
    "check_not_here",
    "check_rematch",
    "check_second_bye",
}


def as_foreseen(round_field: Field, tables: list[Table]) -> set[tuple[str, tuple[int, ...]]]:
    """Say what some tables break by what was foreseen, as the script of the page does."""
    objections = move_objections(round_field, sorted({*round_field.entrants}))
    seated = {entrant for table in tables for entrant in table.entrants}
    broken = [reason for reason in objections.nowhere if reason.entrants[0] not in seated]
    for table in tables:
        if not table.is_bye:
            broken += [
                reason for reason in objections.playing if reason.entrants[0] in table.entrants
            ]
            broken += [
                reason for reason in objections.together if {*reason.entrants} == {*table.entrants}
            ]
        elif table.bye is Bye.PAIRING:
            broken += [
                reason for reason in objections.resting if reason.entrants[0] in table.entrants
            ]
    return {(reason.code, reason.entrants) for reason in broken}


@given(st.permutations(range(1, 10)), st.integers(1, 9))
def test_what_a_move_breaks_is_foreseen_as_it_is_then_objected(
    order: list[int], left_out: int
) -> None:
    changed = {
        2: Entrant(2, club="Casino"),
        5: Entrant(5, club="Casino"),
        3: Entrant(3, apart=("Gil",)),
        8: Entrant(8, apart=("Gil", "Ruiz")),
        6: Entrant(6, absences=((1, None),)),
    }
    first = (won(1, 1, 2), won(2, 3, 4), won(3, 5, 6), won(4, 7, 8), rest(5, 9))
    whole = field(9, first, changed=changed)
    present = tuple(entrant for entrant in whole.present if entrant not in {4, 6})
    round_field = replace(whole, present=present, byes={4: Bye.HALF})
    tables = [seat(n, *order[2 * n - 2 : 2 * n]) for n in range(1, 5)] + [rest(5, order[8])]
    tables = [table for table in tables if left_out not in table.entrants]
    objected = {
        (reason.code, tuple(sorted(reason.entrants)))
        for reason in objections(round_field, tables)
        if reason.code in FORESEEN
    }
    assert as_foreseen(round_field, tables) == objected

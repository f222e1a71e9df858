"""The seeding of a stage: by lot, by rating, in order of entry or by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.domain.events import event, played
from tournaments.domain.file import rows_from_bytes, rows_to_bytes
from tournaments.domain.file.proofs import bundle_from_bytes, bundle_to_bytes
from tournaments.domain.pairing import FORMATS, CannotDraw
from tournaments.domain.proof import digest_of, prove
from tournaments.domain.rows import Entrant, Seeding, Stage, StageRules, TournamentRows
from tournaments.domain.stages import (
    begin_if_needed,
    begin_stage,
    next_draw,
    seeding_of,
    with_stage,
)
from tournaments.domain.verification import all_hold, verify

if TYPE_CHECKING:
    from collections.abc import Sequence

SEEDS = 10_000
BY_LOT = ("liguilla", "groups", "knockout", "double", "repesca", "lives", "swiss")


def drawn_up(
    format_: str, entrants: Sequence[Entrant], seed: str = "5eed", **rules: object
) -> TournamentRows:
    """A tournament of one stage that has not begun."""
    stage_rules = replace(FORMATS[format_].rules, **({"seeding": Seeding.LOT} | rules))  # type: ignore[arg-type]
    return TournamentRows(
        "draw", entrants=tuple(entrants), stages=(Stage(1, format_, stage_rules, seed=seed),)
    )


def people(count: int) -> list[Entrant]:
    return [Entrant(number) for number in range(1, count + 1)]


def of_clubs(*clubs: str) -> list[Entrant]:
    return [Entrant(number, club=club) for number, club in enumerate(clubs, start=1)]


def seeds(count: int = SEEDS) -> list[str]:
    return [f"{number:064x}" for number in range(count)]


def first_places(format_: str, count: int) -> tuple[list[tuple[int, int]], list[int]]:
    """Who meets in the first round, and who rests, as places in seeding order from 0."""
    rows = event(format_, count)
    tables = next_draw(rows).tables
    pairs = [(t.entrants[0] - 1, t.entrants[1] - 1) for t in tables if not t.is_bye]
    return pairs, [t.entrants[0] - 1 for t in tables if t.is_bye]


def meetings_over_seeds(numbers: Sequence[int], format_: str) -> Counter[frozenset[int]]:
    """How often each two places of an entry list meet first, over many seeds."""
    pairs, _ = first_places(format_, len(numbers))
    place = {number: at for at, number in enumerate(numbers)}
    counts: Counter[frozenset[int]] = Counter()
    rows = drawn_up(format_, [Entrant(number) for number in numbers])
    for seed in seeds():
        order = begin_stage(with_stage(rows, replace(rows.stages[0], seed=seed)), 1)
        counts.update(
            frozenset({place[order[position]], place[order[other]]}) for position, other in pairs
        )
    return counts


@pytest.mark.parametrize("numbers", [[1, 2, 3, 4, 5, 6, 7, 8], [8, 3, 1, 6, 2, 7, 5, 4]])
def test_each_two_of_eight_meet_first_with_one_in_seven_however_they_were_entered(
    numbers: list[int],
) -> None:
    meetings = meetings_over_seeds(numbers, "knockout")
    assert set(meetings) == {frozenset(pair) for pair in combinations(range(8), 2)}
    assert all(abs(count / SEEDS - 1 / 7) <= 0.01 for count in meetings.values())


@pytest.mark.parametrize("format_", BY_LOT)
@pytest.mark.parametrize("count", [7, 8])
def test_the_first_round_of_every_format_follows_from_the_order_that_was_drawn(
    format_: str, count: int
) -> None:
    pairs, resting = first_places(format_, count)
    for seed in seeds(20):
        rows = drawn_up(format_, people(count), seed)
        order = begin_stage(rows, 1)
        tables = next_draw(rows).tables
        meetings = {frozenset(t.entrants) for t in tables if not t.is_bye}
        assert meetings == {frozenset({order[position], order[other]}) for position, other in pairs}
        assert [t.entrants[0] for t in tables if t.is_bye] == [order[at] for at in resting]


@pytest.mark.parametrize("format_", BY_LOT)
def test_three_seeds_give_three_draws(format_: str) -> None:
    draws = {next_draw(drawn_up(format_, people(12), seed)).tables for seed in seeds(3)}
    assert len(draws) == 3


def test_each_of_seven_rests_first_with_one_in_seven() -> None:
    _, (resting,) = first_places("swiss", 7)
    counts = Counter(
        begin_stage(drawn_up("swiss", people(7), seed), 1)[resting] for seed in seeds()
    )
    assert all(abs(counts[number] / SEEDS - 1 / 7) <= 0.01 for number in range(1, 8))


def test_the_seeded_keep_their_places_and_the_rest_are_drawn() -> None:
    rated = [Entrant(number, rating=100.0 * number) for number in range(1, 9)]
    orders = {begin_stage(drawn_up("knockout", rated, seed, seeded=2), 1) for seed in seeds(20)}
    assert {order[:2] for order in orders} == {(8, 7)}
    assert len(orders) == 20


def test_by_rating_equals_are_drawn_and_nobody_passes_a_better_one() -> None:
    rated = [Entrant(1, rating=5), Entrant(2), Entrant(3), Entrant(4, rating=9), Entrant(5)]
    rows = [drawn_up("swiss", rated, seed, seeding=Seeding.RATING) for seed in seeds(40)]
    orders = {begin_stage(row, 1) for row in rows}
    assert {order[:2] for order in orders} == {(4, 1)}
    assert len(orders) == 6


@pytest.mark.parametrize(
    ("rated", "expected"), [(0, Seeding.LOT), (3, Seeding.LOT), (4, Seeding.RATING)]
)
def test_left_to_the_service_it_is_by_lot_where_fewer_than_half_have_a_rating(
    rated: int, expected: Seeding
) -> None:
    entrants = [Entrant(number, rating=float(number <= rated)) for number in range(1, 9)]
    rows = drawn_up("knockout", entrants, seeding=Seeding.AUTO)
    assert seeding_of(rows, 1) is expected
    assert begin_if_needed(rows, rows.stages[0])[0].stages[0].rules.seeding is expected


def test_in_order_the_seed_changes_nothing() -> None:
    orders = {
        begin_stage(drawn_up("knockout", people(8), seed, seeding=Seeding.ORDER), 1)
        for seed in seeds(3)
    }
    assert orders == {(1, 2, 3, 4, 5, 6, 7, 8)}


def test_by_hand_nothing_is_drawn_before_the_order_is_entered() -> None:
    rows = drawn_up("knockout", people(4), seeding=Seeding.MANUAL)
    with pytest.raises(CannotDraw, match="order_missing"):
        next_draw(rows)
    entered = with_stage(rows, replace(rows.stages[0], entrants=(3, 1, 4, 2)))
    assert {t.entrants for t in next_draw(entered).tables} == {(3, 2), (1, 4)}


# --- one origin --------------------------------------------------------------------------------


def clashes(rows: TournamentRows) -> list[tuple[int, ...]]:
    clubs = {entrant.number: entrant.club for entrant in rows.entrants}
    entrants = (t.entrants for t in next_draw(rows).tables if not t.is_bye)
    return [pair for pair in entrants if clubs[pair[0]] and clubs[pair[0]] == clubs[pair[1]]]


@pytest.mark.parametrize("format_", BY_LOT)
def test_those_of_one_origin_do_not_meet_in_the_first_round_where_that_can_be(
    format_: str,
) -> None:
    for seed in seeds(30):
        rows = drawn_up(
            format_, of_clubs(*"aaaabbbbccd", ""), seed, groups=2 if format_ == "groups" else 1
        )
        assert clashes(rows) == []


@pytest.mark.parametrize("format_", ["liguilla", "knockout", "double", "repesca", "lives"])
def test_where_one_origin_has_too_many_as_few_as_can_be_meet_and_it_is_said(format_: str) -> None:
    for seed in seeds(10):
        rows = drawn_up(format_, of_clubs(*"aaaaaabc"), seed)
        assert len(clashes(rows)) == 2
        reasons = [reason for reason in next_draw(rows).reasons if reason.code == "same_origin"]
        assert {reason.entrants for reason in reasons} == set(clashes(rows))
        assert {reason.facts["origin"] for reason in reasons} == {"a"}


def test_a_family_that_must_not_meet_weighs_more_than_a_club() -> None:
    family = [Entrant(n, apart=("Ruiz",)) for n in (1, 2)]
    club = [Entrant(n, club="Bar") for n in (3, 4)]
    for seed in seeds(20):
        (pair, other) = (
            set(t.entrants) for t in next_draw(drawn_up("knockout", [*family, *club], seed)).tables
        )
        assert {1, 2} not in (pair, other)
        assert {3, 4} not in (pair, other)


def test_the_seeded_do_not_move_for_their_origin() -> None:
    entrants = [
        Entrant(1, rating=9, club="a"),
        Entrant(2, rating=8, club="a"),
        *of_clubs("", "", "a", "")[2:],
    ]
    for seed in seeds(20):
        assert begin_stage(drawn_up("knockout", entrants, seed, seeded=2), 1)[:2] == (1, 2)


@pytest.mark.slow
def test_origins_take_nobodys_chance_by_the_order_of_entry() -> None:
    counts: Counter[frozenset[int]] = Counter()
    for seed in seeds(3000):
        rows = drawn_up("knockout", of_clubs("a", "a", "", "", "", ""), seed)
        order = begin_stage(rows, 1)
        counts.update(
            frozenset({order[position], order[other]})
            for position, other in first_places("knockout", 6)[0]
        )
    assert counts[frozenset({1, 2})] == 0
    for other in (3, 4, 5, 6):
        assert abs(counts[frozenset({1, other})] - counts[frozenset({2, other})]) < 150


# --- later stages ------------------------------------------------------------------------------


def after_groups(seed: str, **rules: object) -> TournamentRows:
    rows = played(event("groups", 12, groups=4))
    stage_rules = replace(StageRules(take=2, seeding=Seeding.RATING), **rules)  # type: ignore[arg-type]
    return replace(rows, stages=(*rows.stages, Stage(2, "knockout", stage_rules, seed=seed)))


def test_winners_of_groups_are_equals_whose_places_are_drawn() -> None:
    orders = {begin_stage(after_groups(seed), 2) for seed in seeds(20)}
    assert len({order[:4] for order in orders}) > 5
    assert len({frozenset(order[:4]) for order in orders}) == 1


def test_drawn_by_lot_those_of_one_group_do_not_meet_at_once() -> None:
    groups = FORMATS["groups"].groups
    assert groups is not None
    for seed in seeds(20):
        rows = after_groups(seed, seeding=Seeding.LOT, seeded=4)
        order = begin_stage(rows, 2)
        group_of = {
            entrant: n for n, group in enumerate(groups(rows.stages[0])) for entrant in group
        }
        for table in next_draw(rows, stage=2).tables:
            assert len({group_of[entrant] for entrant in table.entrants}) == 2
        assert {*order[:4]} == {1, 2, 3, 4}


# --- files and proofs --------------------------------------------------------------------------


def test_a_file_of_before_keeps_its_digest_and_its_order() -> None:
    rows = rows_from_bytes(Path("docs/examples/four-friends.json").read_bytes())
    assert rows.stages[0].rules.seeding is Seeding.ORDER
    assert digest_of(rows) == DIGEST_OF_BEFORE
    assert b"seeding" not in rows_to_bytes(rows, explicit=True)


DIGEST_OF_BEFORE = "sha256:8c8385d2f33684ccb923eda800bd01edcba45d5321e73515ce5ba36264e1e89c"


def test_a_draw_by_lot_is_written_read_and_verified() -> None:
    rows = played(
        begin_if_needed(drawn_up("knockout", people(8)), drawn_up("knockout", people(8)).stages[0])[
            0
        ]
    )
    bundle = prove(rows)
    assert bundle_from_bytes(bundle_to_bytes(bundle)) == bundle
    findings = verify(bundle)
    assert all_hold(findings)
    assert [f.facts for f in findings if f.code == "seeded"] == [{"count": 8, "late": 0}]


def test_an_order_that_does_not_follow_from_the_seed_is_found() -> None:
    rows = drawn_up("swiss", people(8))
    order = begin_stage(rows, 1)
    rows = with_stage(rows, replace(rows.stages[0], entrants=(order[1], order[0], *order[2:])))
    assert "not_seeded" in {finding.code for finding in verify(prove(played(rows)))}


def test_those_who_came_after_the_draw_are_last_and_it_still_holds() -> None:
    rows = drawn_up("lives", people(6))
    order = begin_stage(rows, 1)
    entrants = (*people(6), Entrant(7), Entrant(8))
    begun_ = replace(rows.stages[0], entrants=(*order, 7, 8), drawn=6)
    rows = replace(rows, entrants=entrants, stages=(begun_,))
    findings = verify(bundle_from_bytes(bundle_to_bytes(prove(played(rows)))))
    assert all_hold(findings)
    assert [f.facts for f in findings if f.code == "seeded"] == [{"count": 6, "late": 2}]

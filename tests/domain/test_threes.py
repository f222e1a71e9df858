"""Tables of three: everybody meets as many as can be, and plans hold when players come and go."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, replace
from itertools import combinations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.quick import examples
from tournaments.domain.messages import explain
from tournaments.domain.movements.threes import (
    History,
    TablesRound,
    design_seats,
    history,
    imbalance,
    plan,
)
from tournaments.domain.pairing.base import CannotDraw, Draw, Field
from tournaments.domain.pairing.threes import FORMAT, draw, rounds
from tournaments.domain.rows import Bye, Entrant, Round, Stage, StageRules, State, Table

FEW = settings(max_examples=examples(25), deadline=None)


def stage_of(players: int, rounds_: int | None = None, seed: str = "c0ffee") -> Stage:
    rules = replace(FORMAT.rules, rounds=rounds_)
    return Stage(1, "threes", rules, tuple(range(1, players + 1)), seed=seed)


def entrants_of(stage: Stage, apart: Mapping[int, str] | None = None) -> dict[int, Entrant]:
    labels = apart or {}
    return {
        number: Entrant(number, apart=(labels[number],) if number in labels else ())
        for number in stage.entrants
    }


def field_of(stage: Stage, absent: frozenset[int] = frozenset(), **more: object) -> Field:
    present = tuple(number for number in stage.entrants if number not in absent)
    entrants = more.pop("entrants", None) or entrants_of(stage)
    return Field(stage, entrants, len(stage.rounds) + 1, present, **more)  # type: ignore[arg-type]


def after(stage: Stage, drawn: Draw) -> Stage:
    number = len(stage.rounds) + 1
    return replace(stage, rounds=(*stage.rounds, Round(number, drawn.tables, State.CLOSED)))


def played(stage: Stage) -> list[TablesRound]:
    return [
        TablesRound(
            tuple(t.entrants for t in round_.tables if not t.is_bye),
            tuple(t.entrants[0] for t in round_.tables if t.is_bye),
        )
        for round_ in stage.rounds
    ]


def play(stage: Stage, times: int, absent: frozenset[int] = frozenset()) -> Stage:
    for _ in range(times):
        stage = after(stage, draw(field_of(stage, absent)))
    return stage


@pytest.mark.parametrize("players", [3, 9, 15, 21, 27, 33, 39, 45, 57, 63])
def test_a_full_kirkman_stage_lets_everybody_meet_everybody_once(players: int) -> None:
    stage = stage_of(players)
    stage = play(stage, rounds(players, stage.rules))
    meetings = history(played(stage)).meetings
    assert meetings == dict.fromkeys(combinations(range(1, players + 1), 2), 1)


@pytest.mark.parametrize("players", [18, 24, 30, 36, 42, 48, 54, 60])
def test_a_full_nearly_kirkman_stage_repeats_no_meeting(players: int) -> None:
    stage = play(stage_of(players), players // 2 - 1)
    result = imbalance(played(stage), stage.entrants)
    assert (result.repeats, result.sit_outs) == (0, 0)


@pytest.mark.parametrize("players", [8, 14, 17, 20, 23, 26, 32])
def test_one_player_short_of_a_design_nobody_meets_twice_and_everybody_rests_in_turn(
    players: int,
) -> None:
    stage = play(stage_of(players), players // 2)
    result = imbalance(played(stage), stage.entrants)
    assert (result.repeats, result.sit_outs) == (0, players % 2)


@given(st.integers(22, 60), st.integers(1, 6), st.integers(0, 10**6))
@FEW
def test_up_to_sixty_players_repeat_no_meeting_in_six_rounds(
    players: int, times: int, seed: int
) -> None:
    stage = play(stage_of(players, times, f"{seed:x}"), times)
    result = imbalance(played(stage), stage.entrants)
    assert result.repeats == 0
    assert result.sit_outs <= 1
    assert result.seats <= 1


@given(st.integers(3, 40), st.integers(1, 7))
@FEW
def test_everybody_here_is_at_one_table_and_rests_are_shared_out(players: int, times: int) -> None:
    stage = play(stage_of(players, times), times)
    for round_ in stage.rounds:
        assert sorted(entrant for t in round_.tables for entrant in t.entrants) == list(
            stage.entrants
        )
        assert [t.number for t in round_.tables] == list(range(1, len(round_.tables) + 1))
        assert all(t.bye is Bye.PAIRING for t in round_.tables if t.is_bye)
        assert sum(t.is_bye for t in round_.tables) == players % 3
    assert imbalance(played(stage), stage.entrants).sit_outs <= 1


@given(st.integers(4, 40), st.integers(1, 8))
@FEW
def test_at_any_moment_of_a_plan_the_chairs_are_balanced(players: int, times: int) -> None:
    stage = play(stage_of(players, times), times)
    rows = played(stage)
    for so_far in range(1, times + 1):
        assert imbalance(rows[:so_far], stage.entrants).seats <= 1


@st.composite
def comings_and_goings(draw_: st.DrawFn) -> tuple[int, list[frozenset[int]]]:
    """A number of players, and who is away in each round; latecomers are away at first."""
    players = draw_(st.integers(12, 34))
    away: list[frozenset[int]] = []
    absent = draw_(st.frozensets(st.integers(1, players), max_size=3))
    for _ in range(draw_(st.integers(2, 6))):
        change = draw_(st.frozensets(st.integers(1, players), max_size=2))
        absent = absent ^ change if draw_(st.booleans()) else absent
        away.append(absent)
    return players, away


@given(comings_and_goings())
@example((12, [frozenset({1})] * 6))
@FEW
def test_one_who_comes_and_goes_the_round_is_whole_and_who_stays_rests_in_turn(
    case: tuple[int, list[frozenset[int]]],
) -> None:
    players, away = case
    stage = stage_of(players, len(away))
    byes: Counter[int] = Counter()
    stayed = set(stage.entrants)
    for absent in away:
        pairing = draw(field_of(stage, absent))
        present = [number for number in stage.entrants if number not in absent]
        assert sorted(entrant for t in pairing.tables for entrant in t.entrants) == present
        with_bye = {t.entrants[0] for t in pairing.tables if t.is_bye}
        assert len(with_bye) == len(present) % 3
        stayed -= absent
        byes.update(with_bye)
        counts = {byes[entrant] for entrant in stayed} or {0}
        assert max(counts) - min(counts) <= 1
        stage = after(stage, pairing)


def test_who_comes_late_does_not_rest_for_the_rounds_before() -> None:
    stage = play(stage_of(9, 12), 8, absent=frozenset({9}))
    assert set(history(played(stage)).bye_counts.values()) == {2}
    grown = replace(stage, entrants=(*stage.entrants, 10))
    stage = play(grown, 3)
    byes = Counter(entrant for row in played(stage)[8:] for entrant in row.byes)
    assert max(byes.values()) == 1


@given(st.integers(21, 48), st.integers(1, 4), st.frozensets(st.integers(1, 21), max_size=3))
@FEW
def test_who_leaves_midway_makes_no_repeat_while_rounds_are_few(
    players: int, before: int, leaving: frozenset[int]
) -> None:
    stage = play(stage_of(players, 6), before)
    stage = play(stage, 6 - before, leaving)
    staying = [number for number in stage.entrants if number not in leaving]
    assert imbalance(played(stage), staying).repeats == 0


def test_the_same_facts_give_the_same_round() -> None:
    stage = play(stage_of(22, 6), 2)
    assert draw(field_of(stage)) == draw(field_of(stage))
    assert draw(field_of(replace(stage, seed="ff"))).tables != draw(field_of(stage)).tables


def test_a_plan_is_kept_as_long_as_nobody_comes_or_goes() -> None:
    stage = stage_of(25, 6)
    first = draw(field_of(stage)).quality
    for _ in range(6):
        assert draw(field_of(stage)).quality == first
        stage = play(stage, 1)
    assert asdict(imbalance(played(stage), stage.entrants)) == first


def test_after_a_withdrawal_the_balance_is_shown_with_and_without_planning_again() -> None:
    stage = play(stage_of(21, 10), 3)
    pairing = draw(field_of(stage, frozenset({4, 9, 17})))
    assert pairing.quality["sit_outs_before"] > pairing.quality["sit_outs"] == 0
    reason = pairing.reasons[0]
    assert explain(reason, str).startswith("Han cambiado los presentes")
    assert explain(reason, str, "en").startswith("Players have come or gone")


def test_a_latecomer_takes_the_empty_chair_of_a_kirkman_system() -> None:
    stage = play(stage_of(21, 10), 2, absent=frozenset({21}))
    assert all(t.entrants != (21,) for round_ in stage.rounds for t in round_.tables)
    stage = play(stage, 8)
    assert imbalance(played(stage), stage.entrants).repeats == 0


def test_two_of_a_family_share_no_table_while_that_can_be_avoided() -> None:
    stage = stage_of(18, 5)
    entrants = entrants_of(stage, {1: "García", 2: "García", 3: "bar", 7: "bar"})
    for _ in range(5):
        stage = after(stage, draw(field_of(stage, entrants=entrants)))
    meetings = history(played(stage)).meetings
    assert (1, 2) not in meetings
    assert (3, 7) not in meetings
    assert imbalance(played(stage), stage.entrants).repeats == 0


def test_a_pinned_table_stays_and_the_others_sit_around_it() -> None:
    stage = play(stage_of(12, 3), 1)
    pinned = Table(2, ((5,), (1,), (9,)), pinned=True)
    pairing = draw(field_of(stage, pinned_tables=(pinned,)))
    assert pinned in pairing.tables
    assert sorted(entrant for t in pairing.tables for entrant in t.entrants) == list(range(1, 13))
    assert sorted(t.number for t in pairing.tables) == [1, 2, 3, 4]


def test_every_reason_has_its_sentence_in_both_languages() -> None:
    stage = play(stage_of(7, 5), 3)
    pairing = draw(field_of(stage))
    codes = {reason.code for reason in pairing.reasons}
    assert {"threes_again", "threes_rest"} <= codes
    for reason in pairing.reasons:
        assert explain(reason, str) != explain(reason, str, "en")


def test_after_the_last_round_nothing_is_drawn() -> None:
    stage = play(stage_of(9), 4)
    assert FORMAT.is_over(stage, entrants_of(stage))
    with pytest.raises(CannotDraw) as refusal:
        draw(field_of(stage))
    assert refusal.value.code == "stage_over"


def test_nobody_has_met_before_the_first_round() -> None:
    rows = plan([5, 6, 7], 1, History(), seats=design_seats([5, 6, 7], [5, 6, 7]))
    assert [sorted(table) for table in rows[0].tables] == [[5, 6, 7]]


def test_a_stage_has_as_many_rounds_as_were_asked_for() -> None:
    assert rounds(20, StageRules(rounds=4)) == 4
    assert rounds(21, StageRules()) == 10
    assert rounds(20, StageRules()) == 10
    assert rounds(24, StageRules()) == 11

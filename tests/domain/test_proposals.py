"""What is proposed for a number of players and a time."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from tests.domain.events import by_chance, event, played
from tests.quick import examples
from tournaments.domain.messages import LANGUAGES, message
from tournaments.domain.pairing import CannotDraw
from tournaments.domain.pairing.duplicate import is_linked
from tournaments.domain.plans import PLANS, outline
from tournaments.domain.proposals import MAX_PROPOSALS, Aim, PlanRequest, Proposal, propose
from tournaments.domain.rows import Scoring, StageRules, SwitchRule

AFTERNOON = 5 * 60  # minutes


def first(entrants: int, minutes: int, aim: Aim = Aim.PLAY_ON, **more: object) -> Proposal:
    return propose(PlanRequest(entrants, minutes, "parejas", aim, **more))[0]  # type: ignore[arg-type]


def test_twenty_four_pairs_and_four_hours_play_a_swiss_of_five() -> None:
    best = first(24, 4 * 60)
    assert (best.plan, best.rounds, best.tables, best.byes) == ("suizo", 5, 12, 0)
    assert (best.minutes_a_round, best.minutes, best.sure) == (30, 5 * 30 + 4 * 10, 5)


def test_eight_pairs_and_an_afternoon_play_a_liguilla() -> None:
    best = first(8, AFTERNOON)
    assert (best.plan, best.rounds, best.sure, best.tables) == ("liguilla", 7, 7, 4)


def test_four_pairs_and_an_afternoon_may_meet_twice() -> None:
    assert [
        proposal.plan for proposal in propose(PlanRequest(4, AFTERNOON, "cuatro", Aim.EVERYBODY))
    ][:2] == [
        "liguilla",
        "liguilla_doble",
    ]


def test_who_wants_a_winner_gets_a_final() -> None:
    best = first(24, AFTERNOON, Aim.WINNER)
    assert (best.plan, [stage.format for stage in best.stages]) == (
        "suizo_final",
        ["swiss", "knockout"],
    )


def test_twelve_pairs_meet_all_in_an_afternoon_if_matches_are_short() -> None:
    best = first(12, AFTERNOON, Aim.EVERYBODY)
    assert (best.plan, best.target, best.rounds) == ("liguilla", 2, 11)


def test_a_match_as_long_as_was_asked_for_is_not_shortened() -> None:
    wish = PlanRequest(12, AFTERNOON, "parejas", Aim.EVERYBODY, target=3)
    assert "liguilla" not in {proposal.plan for proposal in propose(wish)}
    assert {proposal.target for proposal in propose(wish)} == {3}


def test_slow_players_get_fewer_rounds() -> None:
    assert first(16, 3 * 60, single=True).rounds > first(16, 3 * 60, single=True, pace=10).rounds


def test_single_players_change_partners_at_tables_of_four() -> None:
    best = first(18, 3 * 60, single=True)
    assert (best.plan, best.tables, best.byes) == ("individual", 4, 2)
    assert best.sure < best.rounds, "now and then one sits out"


def test_arrastrado_is_played_at_tables_of_three() -> None:
    long, short = propose(PlanRequest(12, 3 * 60, "arrastrado", Aim.PLAY_ON))
    assert {long.plan, short.plan} == {"mesas_de_tres"}
    assert (long.target, short.target) == (6, 3)
    assert long.rounds < short.rounds


def test_where_nothing_fits_the_shortest_two_are_named_and_it_is_said() -> None:
    proposals = propose(PlanRequest(150, 60, "parejas", Aim.PLAY_ON))
    assert len(proposals) == 2
    assert {(proposal.fits, proposal.why) for proposal in proposals} == {
        (False, "propose.too_long")
    }


def test_nobody_plays_alone() -> None:
    with pytest.raises(CannotDraw) as refused:
        first(1, AFTERNOON)
    assert refused.value.facts == {"least": 2}
    with pytest.raises(CannotDraw):
        first(3, AFTERNOON, single=True)


def test_twelve_pairs_and_four_hours_play_a_howell_and_seventeen_a_mitchell() -> None:
    howell, mitchell = propose(PlanRequest(12, 4 * 60, "parejas", Aim.SAME_DEALS))
    assert (howell.numbers, howell.rounds) == ({"movement": "howell", "boards": 2}, 11)
    assert (mitchell.numbers, mitchell.rounds) == ({"movement": "mitchell", "boards": 4}, 5)
    assert (howell.minutes, howell.sure) == (11 * 12 + 10 * 10, 11)
    best = first(17, 4 * 60, Aim.SAME_DEALS)
    assert (best.numbers["movement"], best.rounds, best.tables, best.byes) == ("mitchell", 9, 8, 1)


def test_a_duplicate_too_long_has_fewer_rounds_and_no_howell_above_thirty_pairs() -> None:
    (cut,) = propose(PlanRequest(31, 3 * 60, "parejas", Aim.SAME_DEALS))
    assert (cut.numbers["rounds"], cut.rounds, cut.fits) == (8, 8, True)
    rows = propose(PlanRequest(12, AFTERNOON, "mano-a-mano", Aim.SAME_DEALS))
    assert "duplicado" not in {proposal.plan for proposal in rows}, "a race has no fixed deals"


@pytest.mark.parametrize("pairs", [4, 5, 6, 12, 13, 14, 16, 18])
def test_no_proposed_duplicate_ranks_pairs_that_were_never_compared(pairs: int) -> None:
    for minutes in range(20, 200, 15):
        for proposal in propose(PlanRequest(pairs, minutes, "parejas", Aim.SAME_DEALS)):
            rules = StageRules(
                scoring=Scoring.COMPARISON,
                movement=str(proposal.numbers["movement"]),
                rounds=proposal.rounds,
                switch=SwitchRule.PLAYED,
            )
            assert is_linked(pairs, rules), proposal
            assert proposal.fits == (proposal.minutes <= minutes)


WISHES = st.builds(
    PlanRequest,
    entrants=st.integers(4, 90),
    minutes=st.integers(60, 720),
    ruleset=st.sampled_from(list(engine.RULESETS)),
    aim=st.sampled_from(Aim),
    single=st.booleans(),
)


@settings(max_examples=examples(150))
@given(WISHES)
def test_what_is_proposed_can_be_created_and_is_what_it_says(wish: PlanRequest) -> None:
    proposals = propose(wish)
    assert 1 <= len(proposals) <= MAX_PROPOSALS
    for proposal in proposals:
        stages = PLANS[proposal.plan].stages(proposal.numbers)
        rounds = [stage.rounds for stage in outline(stages, wish.entrants)]
        assert [
            e for e, a in zip(rounds, proposal.stages, strict=True) if e not in (None, a.rounds)
        ] == []
        assert {question.name for question in PLANS[proposal.plan].asks} >= set(proposal.numbers)
        assert proposal.fits == (proposal.minutes <= wish.minutes)
        assert proposal.tables * wish.seats + proposal.byes == wish.entrants
        for language in LANGUAGES:
            assert message(language, proposal.why, rounds=proposal.stages[0].rounds)
    assert len({proposal.fits for proposal in proposals}) == 1


@pytest.mark.parametrize("plan", ["repesca", "doble_eliminacion"])
@pytest.mark.parametrize("entrants", [5, 6, 7, 8, 9, 13, 16, 24])
def test_boards_that_results_decide_last_no_longer_than_is_said(plan: str, entrants: int) -> None:
    proposals = propose(PlanRequest(entrants, 24 * 60, "parejas", Aim.WINNER, target=1))
    proposal = {option.plan: option for option in proposals}[plan]
    form = PLANS[plan].format
    for seed in range(8):
        rows = played(event(form, entrants), by_chance(Random(f"{plan} {entrants} {seed}")))
        rounds = rows.stages[-1].rounds
        assert len(rounds) <= proposal.rounds
        games = [0] * (entrants + 1)
        for round_ in rounds:
            for table in round_.tables:
                for number in () if table.is_bye else table.entrants:
                    games[number] += 1
        assert min(games[1:]) >= proposal.sure


@pytest.mark.parametrize(("entrants", "groups", "sure"), [(10, 2, 4), (14, 4, 2), (18, 4, 3)])
def test_all_are_sure_of_the_matches_of_the_smallest_group_before_a_final(
    entrants: int, groups: int, sure: int
) -> None:
    proposals = propose(PlanRequest(entrants, AFTERNOON, "parejas", Aim.WINNER))
    best = next(proposal for proposal in proposals if proposal.plan == "grupos_final")
    assert (best.numbers["groups"], best.sure) == (groups, sure)

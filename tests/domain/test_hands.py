"""The scores of hands, added up and audited as the engine does it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.quick import examples
from tournaments.domain.hands import AmbiguousWinner, HandScore, audit_hands
from tournaments.domain.scores import Length, Score


def test_the_side_with_more_points_has_won_the_hand() -> None:
    found = audit_hands("parejas-online", {"to": 1}, [HandScore((40, 90))])
    assert (found.score, found.is_finished) == (Score(0, 1, 40, 90), True)
    assert [hand.winner for hand in found.hands] == [1]


def test_a_hand_won_by_a_tute_may_have_fewer_points() -> None:
    found = audit_hands("parejas-online", {"to": 1}, [HandScore((4, 22), winner=0)])
    assert found.score == Score(1, 0, 4, 22)


def test_a_level_hand_has_to_be_given_to_somebody() -> None:
    with pytest.raises(AmbiguousWinner) as told:
        audit_hands("parejas-online", {"to": 2}, [HandScore((90, 40)), HandScore((65, 65))])
    assert told.value.number == 2


def test_points_that_no_play_gives_are_a_fault() -> None:
    found = audit_hands("parejas-online", {"to": 1}, [HandScore((70, 61))])
    assert found.score is None
    assert found.verdict.faults[0].code == "score.impossible"


def test_a_game_of_a_race_takes_two_deals_at_most() -> None:
    hands = [HandScore((70, 60)), HandScore((60, 50), winner=0), HandScore((101, 20), winner=0)]
    found = audit_hands("mano-a-mano", {"to": 2}, hands)
    assert found.score == Score(2, 0, 231, 130)


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(1, 5), st.lists(st.sampled_from([(90, 40), (40, 90), (130, 20)]), max_size=8))
def test_a_match_is_over_when_a_side_has_its_hands(to: int, points: list[tuple[int, int]]) -> None:
    found = audit_hands("parejas-online", {"to": to}, [HandScore(pair) for pair in points])
    won = [sum(a > b for a, b in points), sum(a < b for a, b in points)]
    last = points[-1] if points else (0, 0)
    before = [won[0] - (last[0] > last[1]), won[1] - (last[0] < last[1])]
    if max(before) >= to:
        assert found.verdict.faults[0].code == "match.over"
        return
    assert found.score is not None
    assert found.score.hands == tuple(won)
    assert found.is_finished is (max(won) >= to)
    assert Length(to, None, 230).ends_with(found.score) is found.is_finished

"""The scores of hands, added up and audited as the engine does it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.quick import examples
from tournaments.domain.hands import AmbiguousWinner, HandScore, audit_hands
from tournaments.domain.scores import Length, Score


def test_the_side_with_more_points_has_won_the_hand() -> None:
    score = audit_hands("parejas-online", {"to": 1}, [HandScore((40, 90))])
    assert (score.score, score.is_finished) == (Score(0, 1, 40, 90), True)
    assert [hand.winner for hand in score.hands] == [1]


def test_a_hand_won_by_a_tute_may_have_fewer_points() -> None:
    score = audit_hands("parejas-online", {"to": 1}, [HandScore((4, 22), winner=0)])
    assert score.score == Score(1, 0, 4, 22)


def test_a_level_hand_has_to_be_given_to_a_person() -> None:
    with pytest.raises(AmbiguousWinner) as raised:
        audit_hands("parejas-online", {"to": 2}, [HandScore((90, 40)), HandScore((65, 65))])
    assert raised.value.number == 2


def test_points_that_no_play_gives_are_a_fault() -> None:
    score = audit_hands("parejas-online", {"to": 1}, [HandScore((70, 61))])
    assert score.score is None
    assert score.verdict.faults[0].code == "score.impossible"


def test_a_game_of_a_race_takes_two_deals_at_most() -> None:
    hands = [HandScore((70, 60)), HandScore((60, 50), winner=0), HandScore((101, 20), winner=0)]
    score = audit_hands("mano-a-mano", {"to": 2}, hands)
    assert score.score == Score(2, 0, 231, 130)


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(1, 5), st.lists(st.sampled_from([(90, 40), (40, 90), (130, 20)]), max_size=8))
def test_a_match_is_over_when_a_side_has_its_hands(to: int, points: list[tuple[int, int]]) -> None:
    score = audit_hands("parejas-online", {"to": to}, [HandScore(pair) for pair in points])
    won = [sum(a > b for a, b in points), sum(a < b for a, b in points)]
    last = points[-1] if points else (0, 0)
    before = [won[0] - (last[0] > last[1]), won[1] - (last[0] < last[1])]
    if max(before) >= to:
        assert score.verdict.faults[0].code == "match.over"
        return
    assert score.score is not None
    assert score.score.hands == tuple(won)
    assert score.is_finished is (max(won) >= to)
    assert Length(to, None, 230).ends_with(score.score) is score.is_finished

"""The chance of the hand: in how many deals a side wins it after a card, with best play by all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import engine
from engine.analysis.chances import Couples, chances_over
from engine.analysis.fair_losses import Table, draw_deals
from engine.analysis.judgements import judge, severity_of
from engine.analysis.parts import (
    LAST,
    TRICK,
    Trick,
    gain_by_part,
    lines_in,
    main_part,
    outcome_of,
)
from engine.analysis.walk import Walk, walk
from engine.cards import CARDS, SUIT_MASKS, cards_in, names
from engine.rules import open_couples, winning_card
from engine.solver import margins_along
from tests.engine.analysis.table import PAIRS, played

if TYPE_CHECKING:
    from engine.state import State


def walked(ruleset: str, number: int) -> Walk:
    steps = walk(played(ruleset, number, "random"), 0)
    assert isinstance(steps, Walk)
    return steps


def first_side_wins(state: State) -> bool:
    """Whether the first side wins with best play by all, by trying every card to the end."""
    if state.over:
        return state.winner == 0
    ends = (first_side_wins(state.apply(card)) for card in names(state.legal()))
    return all(ends) if state.turn & 1 else any(ends)


@pytest.mark.parametrize("ruleset", PAIRS)
def test_a_card_wins_the_hand_where_minimax_does_whatever_was_made_before(ruleset: str) -> None:
    """Two cards each, at every score that they can still turn: a tie goes to the last trick."""
    ties = set()
    for number in range(30, 36):
        walk_of_it = walked(ruleset, number)
        at = next(
            n
            for n, step in enumerate(walk_of_it.steps)
            if step.choices > 1 and step.moment.hands[step.moment.turn].bit_count() == 2
        )
        step, side = walk_of_it.steps[at], walk_of_it.steps[at].moment.turn & 1
        rest = step.moment.rest
        for margin in range(-rest, rest + 1, 2):
            points = (margin + rest, rest)
            moved = step._replace(state=step.state._replace(points=points))
            steps = (*walk_of_it.steps[:at], moved, *walk_of_it.steps[at + 1 :])
            couples = Couples(walk_of_it._replace(steps=steps))
            found = chances_over(couples, at, {step.moment.hands: 1}, every=True)
            after = {card: moved.state.apply(card) for card in names(step.moment.legal)}
            wins = {
                CARDS[card]: first_side_wins(state) is not bool(side)
                for card, state in after.items()
            }
            assert found.deals[0].wins == wins
            ties |= {found.wins(card) for card in wins if margin == 0}
    assert ties == {0, 1}


@pytest.mark.parametrize("ruleset", PAIRS)
def test_the_couples_that_count_are_those_the_rules_leave_open(ruleset: str) -> None:
    """In the real deal what a silence lost is known: what can be declared is asked of the rules."""
    worth = set()
    for number in range(30, 60):
        walk_of_it = walked(ruleset, number)
        couples = Couples(walk_of_it)
        for at, step in enumerate(walk_of_it.steps):
            hands = step.moment.hands
            if not any(open_couples(hand, step.state.talk) for hand in hands):
                continue
            after = step.state.apply(names(1 << step.card)[0])
            total = 0
            for seat in range(4):
                windows = after.tricks_won[seat & 1] - (
                    not after.table and after.last_side == seat & 1
                )
                if walk_of_it.rules.declare_at == "first" and windows:
                    continue
                for suit in cards_in(open_couples(after.hands[seat] or 0, after.talk)):
                    total += (1, -1)[seat & 1] * (40 if suit == after.trump else 20)
            found = couples.margin(at, hands, step.card)
            assert found == (total if hands[step.moment.turn].bit_count() > 2 else 0)
            worth.add(abs(found))
    assert {0, 20, 40} <= worth


@pytest.mark.parametrize(
    ("loss", "error", "severity"),
    [
        (0.09, 0.0, ""),
        (0.10, 0.025, "inaccuracy"),
        (0.10, 0.026, ""),
        (0.25, 0.08, "inaccuracy"),
        (0.25, 0.07, "mistake"),
        (0.45, 0.13, "mistake"),
        (0.45, 0.12, "decisive"),
    ],
)
def test_a_severity_is_sure_by_two_standard_errors_above_half_of_it_else_the_milder(
    loss: float, error: float, severity: str
) -> None:
    assert severity_of(loss, error) == severity
    assert judge(loss, error, open_loss=4, lost_hand=True) == severity
    assert judge(loss, error, open_loss=0, lost_hand=False) == ("lucky" if severity else "")


def test_a_card_as_good_as_the_best_that_lost_the_hand_was_bad_luck() -> None:
    assert judge(0.05, 0.02, open_loss=4, lost_hand=True) == "bad_luck"
    assert judge(0.05, 0.02, open_loss=4, lost_hand=False) == ""
    assert judge(0.06, 0.02, open_loss=4, lost_hand=True) == ""


def test_points_judge_a_race_and_every_choice_of_another_hand_has_its_deals() -> None:
    few = engine.Terms(worlds=3, fair_from=8)
    race = engine.analyse_hand(played("mano-a-mano", 20), 0, few)
    assert {play.hand_deals for play in race.plays} == {None}
    hand = engine.analyse_hand(played("parejas-online", 40, bot="random"), 0, few)
    for play in hand.plays:
        assert (play.hand_deals is None) == (play.forced or play.trick < few.fair_from - 2)
        if play.hand_deals and play.hand_wins is not None and play.hand_best_wins is not None:
            assert 0 <= play.hand_wins <= play.hand_deals
            share = (play.hand_best_wins - play.hand_wins) / play.hand_deals
            assert play.hand_loss == pytest.approx(share, abs=0.0001)
            assert play.trick < 9 or (play.hand_every and not play.hand_error)


def test_the_parts_add_up_to_what_the_better_card_makes_more_and_one_of_half_is_named() -> None:
    """With all cards seen: the values of the two cards differ by as much, each point twice."""
    named = set()
    for number in range(30, 36):
        for step in walked("parejas-online", number).steps[20::5]:
            values = engine.card_values(step.state)
            best, worst = max(values, key=values.__getitem__), min(values, key=values.__getitem__)
            lines = lines_in(step.state, [step.moment.hands], worst, best)
            gain, whole = gain_by_part(lines, step.state.turn & 1)
            assert 2 * whole == values[best] - values[worst]
            assert whole == sum(points for part, points in gain.items() if part != TRICK)
            part = main_part(step.state, [step.moment.hands] * 2, worst, best)
            alone = max(points for part, points in gain.items() if part != TRICK)
            most = alone if whole <= 2 * alone else gain[TRICK]
            assert (part is not None) == (0 < whole <= 2 * most <= 4 * whole)
            if part is not None:
                assert (part.points, part.deals) == (most, 2)
                named.add(part.name if part.name in {TRICK, LAST} else "card")
    assert {LAST, "card"} <= named


def trick(text: str) -> Trick:
    """A trick led by the player's side; trumps are bastos."""
    cards = tuple(CARDS[name] for name in text.split())
    winner = cards.index(winning_card(cards, SUIT_MASKS[3]))
    return Trick(cards, (0, 1, 0, 1), winner & 1)


def test_a_card_that_its_side_wins_now_or_later_is_no_part() -> None:
    now, later = trick("1o 2o Ro 4o"), trick("3e 2e Ce 4e")
    kept = [trick("3e 2o Ro 4o"), trick("1o 2e Ce 4e")]
    gain, whole = gain_by_part([([now, later], kept)], 0)
    assert gain["1o"] == whole == 0
    gain, whole = gain_by_part([([now, trick("3e 1e Ce 4e")], kept)], 0)
    assert (gain["3e"], gain["Ce"], gain["1e"], gain["1o"], gain[TRICK]) == (10, 3, 0, 0, 10)


@pytest.mark.parametrize(
    ("after_card", "after_better", "outcome"),
    [
        ("3o 1o 2o 4o", "3o 2o 4o 5o", "overtaken"),
        ("3o 2b 2o 4o", "3o 2o 4o 5o", "ruffed"),
        ("1c 2c 3o 4c", "3o 2o 4o 5o", ""),  # its side takes the trick both ways
        ("2c 1c 3o 4c", "1c 4c 3o 2c", "loaded"),
        ("2c 3o 4c 1c", "1c 3o 2c 4c", "their_loaded"),
        ("2o 3o 4o 5o", "1o 3o 2o 4o", "their_overtaken"),
        ("2o 3o 4o 5o", "2b 3o 2o 4o", "their_loaded"),
        ("2o 3o 4o 5o", "2o 3o 2b 4o", "their_ruffed"),
        ("2o 3o 4o 5o", "2o 3o 4o 5o", ""),
    ],
)
def test_what_becomes_of_the_three_of_oros_is_stated_where_four_of_five_deals_agree(
    after_card: str, after_better: str, outcome: str
) -> None:
    agreed = ([trick(after_card)], [trick(after_better)])
    other = ([trick("3o 2o 4o 5o")], [trick("3o 1o 2o 4o")])  # nothing worth a word
    assert outcome_of("3o", [agreed] * 4 + [other], 0, SUIT_MASKS[3]) == outcome
    assert not outcome_of("3o", [agreed] * 3 + [other], 0, SUIT_MASKS[3])


def test_a_card_that_is_taken_in_many_ways_wins_its_trick_after_the_other_card() -> None:
    taken, wins = [trick("3o 1o 2o 4o"), trick("3o 2b 2o 4o")], trick("3o 2o 4o 5o")
    assert outcome_of("3o", [([one], [wins]) for one in taken], 0, SUIT_MASKS[3]) == "wins"
    taken, wins = [trick("1o 3o 2o 4o"), trick("2o 3o 2b 4o")], trick("2o 3o 4o 5o")
    assert outcome_of("3o", [([wins], [one]) for one in taken], 0, SUIT_MASKS[3]) == "their_wins"


@pytest.mark.parametrize(
    ("number", "at", "outcome"), [(44, 28, "lost"), (40, 28, "ruffed"), (47, 22, "overtaken")]
)
def test_what_is_stated_of_a_part_holds_in_fresh_deals(number: int, at: int, outcome: str) -> None:
    record, step = (
        played("parejas-online", number, "random"),
        walked("parejas-online", number).steps[at],
    )
    values = engine.card_values(step.state)
    best, worst = max(values, key=values.__getitem__), min(values, key=values.__getitem__)
    table, side = Table(record.ruleset, record.hands[0]), step.state.turn & 1
    first, fresh = (list(draw_deals(step, table, 12, name)) for name in ("1", "fresh"))
    part = main_part(step.state, first, worst, best)
    assert part is not None
    assert part.outcome == outcome
    lines = lines_in(step.state, fresh, worst, best)
    gain, whole = gain_by_part(lines, side)
    assert gain[part.name] >= whole / 3 > 0
    assert outcome_of(part.name, lines, side, SUIT_MASKS[step.state.trump], 0.5) == outcome


@pytest.mark.parametrize(("ruleset", "number"), [("parejas-online", 48), ("habanero", 43)])
def test_a_first_look_that_is_judged_later_is_the_whole_analysis(ruleset: str, number: int) -> None:
    """Until then its chances are of the first sample, and no card has a judgement."""
    record, few = played(ruleset, number, "random"), engine.Terms(worlds=6, fair_from=6)
    first = engine.analyse_hand(record, 0, few, judged=False)
    whole = engine.analyse_hand(record, 0, few)
    assert not first.judged
    assert whole.judged
    assert not any(play.judgement for play in first.plays)
    assert first.turn is None or not first.turn.judgement
    assert any(play.judgement for play in whole.plays)
    for play in whole.plays:
        assert play.hand_every or play.figure_deals in {None, few.worlds}, "of the first sample"
    lost_by = [play for play in whole.plays if whole.turn and play.token == whole.turn.token]
    for play in lost_by:  # whether that was bad luck is seen in other deals, or in all
        was_best = play.hand_best == play.card
        assert was_best or play.hand_every or play.hand_deals == 4 * few.worlds
    for seat in whole.seats:
        found = [
            play.hand_loss or 0.0
            for play in whole.plays
            if play.seat == seat.seat and (play.hand_every or play.hand_deals == 4 * few.worlds)
        ]
        assert seat.hand_loss == pytest.approx(sum(found), abs=1e-3)
    assert engine.judge_hand(record, 0, first) == whole
    assert engine.judge_hand(record, 0, whole) is whole
    stored = engine.HandAnalysis.from_dict(first.to_dict())
    assert engine.judge_hand(record, 0, stored) == whole


@pytest.mark.parametrize(("ruleset", "number"), [("parejas-online", 40), ("cuatro", 41)])
def test_a_line_after_a_legal_card_keeps_what_the_card_comes_to_with_all_cards_seen(
    ruleset: str, number: int
) -> None:
    record, few = played(ruleset, number, "random"), engine.Terms(worlds=2, fair_from=9)
    analysis = engine.analyse_hand(record, 0, few)
    for play in analysis.plays[8:]:
        assert len(play.figures) == (0 if play.forced else play.legal)
        position = engine.position_at(record, 0, play.token)
        for figure in play.figures:
            before, *after = margins_along(position, [figure.card, *figure.line.split()])
            assert set(after) == {after[0]}
            assert figure.open_loss == abs(before - after[0])


def test_every_legal_card_of_a_choice_has_its_figures_and_one_of_them_costs_nothing() -> None:
    record, few = played("parejas-online", 40, "random"), engine.Terms(worlds=6, fair_from=6)
    for play in engine.analyse_hand(record, 0, few, judged=False).plays:
        assert len(play.figures) in ({0} if play.hand_deals is None else {play.legal})
        wins = {figure.card: figure.wins or 0 for figure in play.figures}
        if wins:
            assert wins[play.card] == play.hand_wins
            assert play.hand_best is not None
            assert wins[play.hand_best] == play.hand_best_wins == max(wins.values())
            assert play.figure_deals == play.hand_deals
        if play.fair_loss is not None and wins:
            costs = {figure.card: figure.cost for figure in play.figures}
            assert costs[play.card] == pytest.approx(play.fair_loss, abs=0.06)
            assert min(cost for cost in costs.values() if cost is not None) == 0

"""A hand explained trick by trick: what bound each card, what was said, what could have been.

Each remark is a :class:`~engine.errors.Fault` in the sense of a notice: code (``remark.head``),
rule, place and facts. :func:`engine.explanations.explain` turns it into a sentence.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine.actions import ACTIONS, DECLARATIONS, Action, Kind
from engine.auditor import game_of
from engine.cards import ABOVE, CARD_NAMES, CARDS, SEATS, SUIT_MASKS, SUIT_OF, names
from engine.errors import NO_FACTS, Fault, IllegalAction
from engine.notation import Record
from engine.replay import states
from engine.rules import winning_card
from engine.state import State


def explain_hand(record: Record, hand_index: int) -> tuple[Fault, ...]:
    """Remarks on a hand in the order of its play, the fault that stops it or its result last.

    There are none without a whole deal and a play. Raises ``IndexError`` for a hand that the
    record does not have.
    """
    hand = record.hands[hand_index]
    steps = list(states(record.ruleset, hand, game_of(record, hand_index)))
    if hand.play is None or not steps:
        return ()
    tokens = hand.play.split()
    remarks: list[Fault] = []
    for token, before, after in zip(tokens, steps, steps[1:], strict=False):
        remarks += _remarks(token, before, after)
    last = steps[-1]
    if last.over:
        remarks.append(_result_remark(last))
    if len(steps) <= len(tokens):
        try:
            last.apply(tokens[len(steps) - 1])
        except IllegalAction as error:
            remarks.append(error.fault)
    elif not last.over:
        remarks.append(last.incomplete())
    path = f"/hands/{hand_index}/play"
    return tuple(replace(remark, hand=hand_index + 1, path=path) for remark in remarks)


def _remarks(token: str, before: State, after: State) -> Iterator[Fault]:
    if ":" in token:
        yield _declaration_remark(ACTIONS[token], before)
        return
    if not before.table:
        yield from _omitted_declarations(before, after)
    yield _duty_remark(CARDS[token], before)
    if sum(after.tricks_won) > sum(before.tricks_won):
        yield _trick_remark(CARDS[token], before, after)


def _duty_remark(card: int, state: State) -> Fault:
    """The duty that bound a card (R4), which was legal."""
    legal = state.legal()
    code, rule = "lead", "R4.1"
    facts = {}
    if state.table:
        best = winning_card(state.table, SUIT_MASKS[state.trump])
        facts = {"led": CARD_NAMES[state.table[0]], "best": CARD_NAMES[best]}
        code, rule = _duty_on(state, best, beats=bool(legal & ABOVE[best]))
    return _remark(
        state, code, rule, seat=state.turn, card=CARD_NAMES[card], legal=names(legal), facts=facts
    )


def _duty_on(state: State, best: int, *, beats: bool) -> tuple[str, str]:
    """Code and rule of the duty over ``best``; ``beats``: whether a legal card beats it in suit."""
    rules, hand = state.rules, state.hands[state.turn] or 0
    led, trumps = SUIT_OF[state.table[0]], SUIT_MASKS[state.trump]
    if state.stock and rules.duties_while_stock == "trumps":
        return ("follow_trumps" if led == trumps and hand & trumps else "free_while_stock"), "R4.6"
    ruffed = led != trumps and bool(1 << best & trumps)
    if hand & led:
        if ruffed:
            return "follow_under_trump", "R4.3"
        return ("head" if beats else "follow"), "R4.2"
    if not hand & trumps:
        return "free", "R4.5"
    if not ruffed:
        return "trump", "R4.4"
    if not rules.must_overtrump:
        return "any_trump", "R4.4b"
    return ("overtrump" if beats else "no_higher_trump"), "R4.4a"


def _declaration_remark(action: Action, state: State) -> Fault:
    facts = {}
    if action.kind is Kind.TUTE:
        code, rule = "tute", "R6.7"
    elif action.kind in DECLARATIONS:
        code, rule = "declared", "R6.1"
    elif action.kind is Kind.EXCHANGE:
        code, rule = "exchanged", "R5.2"
        upcard = "–" if state.upcard is None else CARD_NAMES[state.upcard]
        facts = {"given": f"{action.rank}{CARD_NAMES[10 * state.trump][1]}", "upcard": upcard}
    elif action.kind is Kind.CAPOTE:
        code, rule = "capote", "R9.5"
    elif action.kind is Kind.CLAIM:
        code, rule = "claimed", "R9.3"
    else:
        code, rule = ("supports" if action.value else "passes"), "R8.4"
    return _remark(state, code, rule, seat=action.seat, declaration=action.token, facts=facts)


def _omitted_declarations(before: State, after: State) -> Iterator[Fault]:
    """What could have been declared in the window that a lead closes, and was not (R6.2, R6.6)."""
    omissions = after.notices[len(before.notices) :]
    yield from omissions
    if before.capote is not None:  # declarations have no effect any more (R9.5)
        return
    for seat in before.players:
        for action in before.declarations(seat):
            if action.token not in {notice.declaration for notice in omissions}:
                yield _remark(before, "unsaid", "R6.2", seat=seat, declaration=action.token)


def _trick_remark(card: int, before: State, after: State) -> Fault:
    best = winning_card((*before.table, card), SUIT_MASKS[before.trump])
    side = after.last_side or 0
    points = after.points[side] - before.points[side]
    code, rule = ("won", "R4.7") if after.tricks_left else ("won_last", "R7.1")
    return _remark(
        before,
        code,
        rule,
        seat=after.last_winner,
        card=CARD_NAMES[best],
        facts={"points": points},
    )


def _result_remark(state: State) -> Fault:
    rules, sides = state.rules, state.rules.sides
    winner = None if state.winner is None else sides[state.winner]
    facts: dict[str, Any] = {"score": dict(zip(sides, state.points, strict=True)), "winner": winner}
    best = max(state.points)
    if rules.race_to:
        total = (a + b for a, b in zip(state.points, state.carried, strict=True))
        facts |= {"score": dict(zip(sides, total, strict=True)), "race_to": rules.race_to}
        rule = "R9.5" if state.capote is not None else "R9.1" if state.deal_of_game == 1 else "R9.3"
        code = "undecided" if winner is None else "game"
        rule = "R9.2" if winner is None else rule
    elif state.cut_by is Kind.TUTE:
        code, rule = "won_by_tute", "R6.7"
    elif state.points.count(best) > 1:
        code, rule = "tied", "R7.3"
    else:
        code, rule = "result", "R7.2"
    return _remark(state, code, rule, facts=facts)


def _remark(
    state: State,
    code: str,
    rule: str,
    *,
    seat: int | None = None,
    card: str | None = None,
    declaration: str | None = None,
    legal: tuple[str, ...] = (),
    facts: Mapping[str, Any] = NO_FACTS,
) -> Fault:
    return Fault(
        f"remark.{code}",
        rule,
        trick=state.trick,
        token=state.tokens,
        seat=None if seat is None else SEATS[seat],
        card=card,
        declaration=declaration,
        legal=legal,
        facts=facts,
    )

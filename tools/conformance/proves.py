"""The rules that a case proves."""

from collections.abc import Iterable, Iterator

from engine.actions import ACTIONS, Kind
from engine.cards import CARDS, COUPLES, SUIT_MASKS, SUIT_OF
from engine.errors import IllegalAction
from engine.rules import winning_card
from engine.rulesets import Ruleset
from engine.state import State
from engine.verdict import Verdict

OF_ORDER = {
    "forty_in_window": "R6.5a",
    "forty_in_deal": "R6.5b",
    "forty_alone": "R6.5c",
    "forty_first": "R6.5d",
}


def number(rule: str) -> tuple[int, int, str]:
    """Sorts rules by their numbers."""
    if rule[0] != "R":
        return 99, 0, rule
    first, _dot, second = rule[1:].partition(".")
    return int(first), int(second.rstrip("abcd") or 0), rule


def in_order(rules: Iterable[str]) -> list[str]:
    """Rules without repetition, by number."""
    return sorted(set(rules), key=number)


def of_legal(state: State) -> str:
    """The rule that decides about the cards of the seat in turn (R4)."""
    hand, trumps = state.hands[state.turn] or 0, SUIT_MASKS[state.trump]
    if not state.table:
        return "R4.1"
    led = SUIT_OF[state.table[0]]
    if state.stock and state.rules.duties_while_stock == "trumps":
        return "R4.6"
    ruffed = 1 << winning_card(state.table, trumps) & trumps and not led & trumps
    if hand & led:
        return "R4.3" if ruffed else "R4.2"
    if led & trumps or not hand & trumps:
        return "R4.5"
    if not ruffed:
        return "R4.4"
    return "R4.4a" if state.rules.must_overtrump else "R4.4b"


def of_call(rules: Ruleset, token: str) -> Iterator[str]:
    """The rules that allow a declaration."""
    action = ACTIONS[token]
    if action.kind in (Kind.TWENTY, Kind.FORTY):
        yield from ("R6.1", "R6.2")
    elif action.kind is Kind.TUTE:
        yield "R6.7"
        if rules.tute_at_first_trick_only:
            yield "R6.8"
    elif action.kind is Kind.EXCHANGE:
        yield "R5.2"
        if rules.exchange_needs_trick:
            yield "R5.4"
        else:
            yield "R5.5" if rules.exchange == "before_play" else "R5.3"
    elif action.kind is Kind.SUPPORT:
        yield "R8.4"
    else:
        yield "R9.5" if action.kind is Kind.CAPOTE else "R9.3"


def of_calls(state: State) -> list[str]:
    """The rules about what may be said here, and about what a holder may not declare."""
    rules = {
        rule
        for token in state.legal_tokens()
        if ":" in token
        for rule in of_call(state.rules, token)
    }
    for token, action in ACTIONS.items():
        if action.kind not in (Kind.TWENTY, Kind.FORTY) or action.seat not in state.players:
            continue
        suit = state.trump if action.kind is Kind.FORTY else action.value
        hand = state.hands[action.seat]
        if hand is None or hand & COUPLES[suit] != COUPLES[suit]:
            continue
        try:
            state.apply(token)
        except IllegalAction as error:
            rules.add(error.fault.rule)
    return in_order(rules or {"R6.1"})


def of_token(state: State, token: str) -> list[str]:
    """The rules that accept a token, and those about what follows from it."""
    if token not in CARDS:
        return in_order(of_call(state.rules, token))
    rules = {of_legal(state)}
    after = state.apply(token)
    if sum(after.tricks_won) > sum(state.tricks_won):
        rules |= {"R4.7", "R2.3", "R7.1"}
        rules |= {"R5.1"} if state.stock else set()
    return in_order(rules)


def of_verdict(rules: Ruleset, verdict: Verdict) -> list[str]:
    """The rules behind a verdict: those of its faults, or all that the replay used."""
    faults = {fault.rule for fault in verdict.faults}
    if faults:
        in_play = any(fault.token is not None for fault in verdict.faults)
        return in_order(faults | ({"R10.1"} if in_play else set()))
    faults = {notice.rule for notice in verdict.notices}
    played = [hand for hand in verdict.hands if hand.audited]
    if played:
        faults |= {"R1", "R2.1", "R2.3", "R4.7", "R7.1"}
        faults |= {"R2.2"} if rules.pairs else set()
        faults |= {"R5.1"} if rules.stock_size else set()
        faults |= {"R8.1"} if rules.dealer_sits_out else set()
        faults |= {"R8.3"} if rules.stakes == "flat" else set()
        faults |= {"R8.4"} if rules.stakes == "plate" else set()
    if len(verdict.hands) > 1:
        faults |= {"R9.2", "R9.4"} if rules.race_to else {"R2.4"}
    for hand in played:
        tokens = hand.play.split()
        sayings = [token for token in tokens if ":" in token]
        faults |= {rule for token in sayings for rule in of_call(rules, token)}
        if hand.declarations:
            faults |= {"R8.2"} if rules.stakes != "none" else set()
            faults |= {OF_ORDER.get(rules.declaring_order, "R6.1")}
        if len(tokens) - len(sayings) < rules.trick_count * rules.player_count:
            faults |= {"R7.5"}
        elif rules.race_to:
            faults |= {"R9.1"}
        else:
            points = sorted((hand.points or {}).values())
            faults |= {"R7.3"} if points[-1] == points[-2] else {"R7.2"}
        if rules.stakes == "plate" and any(":x" in token for token in sayings):
            faults |= {"R8.5"}
    if verdict.winner is not None:
        faults |= {"R7.4"}
    return in_order(faults or {"F1"})

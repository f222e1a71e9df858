"""A moment of a hand as people and programs pass it around (record format F4)."""

from collections.abc import Iterable, Mapping
from typing import Any

from engine.actions import Action, Kind, read_token
from engine.cards import CARD_NAMES, CARDS, SEATS, SUITS, mask_of, names
from engine.errors import PositionError, member
from engine.rules import passes_over_forty
from engine.rulesets import (
    RULESETS,
    Ruleset,
    at_table,
    changed_rules,
    find_ruleset,
    with_house_rule,
)
from engine.state import State

_FIELDS = frozenset(
    {
        "ruleset", "options", "trump", "dealer", "turn", "hands", "trick", "stock", "upcard",
        "tricks_won", "last_trick", "declared", "forfeited", "window", "carried", "deal_of_game",
        "capote", "supported", "points",
    }
)  # fmt: skip


def position_from_dict(position: Mapping[str, Any]) -> State:
    """The state that a position describes; what it does not mention has not happened.

    Raises :class:`~engine.errors.PositionError` naming the field that is wrong.
    """
    for name in position:
        if name not in _FIELDS:
            raise PositionError(member("", name), "unknown field")
    rules = find_ruleset(position.get("ruleset"))
    if rules is None:
        raise PositionError("/ruleset", f"unknown ruleset; known: {', '.join(RULESETS)}")
    rules = _house_rules(rules, position)
    turn = _seat(rules, position.get("turn"), "/turn")
    dealer = None if position.get("dealer") is None else _seat(rules, position["dealer"], "/dealer")
    players = rules.players(-1 if dealer is None else dealer)
    if turn not in players:
        raise PositionError("/turn", "the dealer sits out")
    table = _cards(position.get("trick", ""), "/trick")
    if len(table) >= len(players):
        raise PositionError("/trick", "the trick is already complete")
    upcard = _upcard(position)
    hands = _hands(
        rules, position.get("hands", {}), [*table, *([] if upcard is None else [upcard])]
    )
    won = _by_side(rules, position.get("tricks_won", {}), "/tricks_won")
    last = position.get("last_trick")
    last_seat, last_side = (
        (None, None) if last is None else _seat_and_side(rules, last, "/last_trick")
    )
    trump = position.get("trump")
    if not isinstance(trump, str) or trump not in tuple(SUITS):
        raise PositionError("/trump", "a suit: o, c, e or b")
    suit = SUITS.index(trump)
    declared = tuple(_declared(rules, position.get("declared", {})))
    window = tuple(_window(rules, position.get("window", []), last_seat))
    tricks_done = sum(won)
    if last_side is not None and not won[last_side]:
        won = tuple(max(n, 1) if side == last_side else n for side, n in enumerate(won))
    stock = _count(position, "stock", 0)
    state = State(
        rules=rules,
        trump=suit,
        hands=hands,
        turn=turn,
        trick=max(tricks_done, sum(won)) + 1,
        tricks_left=_tricks_left(rules, hands, players, turn, len(table), stock, tricks_done),
        players=players,
        table=tuple(table),
        seen=mask_of(table),
        points=_by_side(rules, position.get("points", {}), "/points"),
        tricks_won=won,
        last_won=tuple(
            max(tricks_done, 1) if side == last_side else min(n, 1) for side, n in enumerate(won)
        ),
        last_winner=last_seat,
        last_side=last_side,
        stock=stock,
        upcard=upcard,
        declared=(*declared, *(action for action in window if action not in declared)),
        forfeited=tuple(_forfeited(rules, position.get("forfeited", {}), suit)),
        window=window,
        dealer=dealer,
        carried=_by_side(rules, position.get("carried") or {}, "/carried"),
        deal_of_game=_count(position, "deal_of_game", 1),
        capote=_seat_or_none(rules, position, "capote"),
        supporter=_seat_or_none(rules, position, "supported"),
    )
    return state._replace(passed_over=_passed_over(state))


def _passed_over(state: State) -> int:
    """Seats that declared a 20 in the present window while they held an undeclared 40."""
    in_deal = state.rules.declaring_order == "forty_in_deal"
    declarations = state.declared if in_deal else state.window
    seats = 0
    for action in declarations:
        hand = state.hands[action.seat]
        if hand is not None and passes_over_forty(action, hand, state.trump, state.talk):
            seats |= 1 << action.seat
    return seats


def _house_rules(rules: Ruleset, position: Mapping[str, Any]) -> Ruleset:
    options = position.get("options") or {}
    if not isinstance(options, Mapping):
        raise PositionError("/options", "an object")
    for name, value in options.items():
        if name in ("to", "deals"):
            continue
        try:
            rules = with_house_rule(rules, name, value)
        except (KeyError, ValueError) as error:
            raise PositionError(member("/options", name), str(error)) from error
    hands = position.get("hands")
    seats = [
        *(hands if isinstance(hands, Mapping) else ()),
        position.get("turn"),
        position.get("dealer"),
    ]
    if "D" in seats and rules.seat_count < len(SEATS) and len(SEATS) in rules.seat_counts:
        return at_table(rules, len(SEATS))
    return rules


def _upcard(position: Mapping[str, Any]) -> int | None:
    text = position.get("upcard")
    if text is None or text == "":
        return None
    cards = _cards(text, "/upcard")
    if len(cards) != 1:
        raise PositionError("/upcard", "one card")
    return cards[0]


def _count(position: Mapping[str, Any], name: str, absent: int) -> int:
    value = position.get(name)
    if value is None:
        return absent
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise PositionError(f"/{name}", "a number from 0")
    return value


def _seat_or_none(rules: Ruleset, position: Mapping[str, Any], name: str) -> int | None:
    value = position.get(name)
    return None if value is None else _seat(rules, value, f"/{name}")


def position_to_dict(state: State) -> dict[str, Any]:
    """A state as a position; unknown hands are left out."""
    rules = state.rules
    position: dict[str, Any] = {
        "ruleset": rules.name,
        "options": changed_rules(rules),
        "trump": SUITS[state.trump],
        "dealer": None if state.dealer is None else SEATS[state.dealer],
        "turn": SEATS[state.turn],
        "hands": {
            seat: " ".join(names(hand))
            for seat, hand in zip(rules.seats, state.hands, strict=True)
            if hand is not None
        },
        "trick": " ".join(CARD_NAMES[card] for card in state.table),
        "tricks_won": dict(zip(rules.sides, state.tricks_won, strict=True)),
        "last_trick": _last_trick(state),
        "declared": {},
        "forfeited": {},
        "window": [action.token for action in state.window],
        "points": dict(zip(rules.sides, state.points, strict=True)),
    }
    if rules.stock_size or rules.exchange != "none":
        position["stock"] = state.stock
        position["upcard"] = None if state.upcard is None else CARD_NAMES[state.upcard]
    if rules.race_to:
        position["carried"] = dict(zip(rules.sides, state.carried, strict=True))
        position["deal_of_game"] = state.deal_of_game
        position["capote"] = None if state.capote is None else SEATS[state.capote]
    if rules.stakes == "plate":
        position["supported"] = None if state.supporter is None else SEATS[state.supporter]
    for action in state.declared:
        declaration = action.token.partition(":")[2]
        position["declared"].setdefault(SEATS[action.seat], []).append(declaration)
    for seat, suit in state.forfeited:
        declaration = "40" if suit == state.trump else f"20{SUITS[suit]}"
        position["forfeited"].setdefault(SEATS[seat], []).append(declaration)
    return position


def _last_trick(state: State) -> str | None:
    if state.last_winner is not None:
        return SEATS[state.last_winner]
    return None if state.last_side is None else state.rules.sides[state.last_side]


def _tricks_left(
    rules: Ruleset,
    hands: tuple[int | None, ...],
    players: tuple[int, ...],
    turn: int,
    on_table: int,
    stock: int,
    tricks_done: int,
) -> int:
    """Tricks to come with the one on the table, counted from the hands that are known."""
    index = players.index(turn)
    table_seats = {players[index - n] for n in range(1, on_table + 1)}
    counts = {
        seat: (hands[seat] or 0).bit_count() + (seat in table_seats) + stock // len(players)
        for seat in players
        if hands[seat] is not None
    }
    if len(set(counts.values())) > 1:
        sizes = ", ".join(f"{SEATS[seat]} {n}" for seat, n in counts.items())
        raise PositionError("/hands", f"the hands do not fit together (tricks to come: {sizes})")
    return next(iter(counts.values()), max(rules.trick_count - tricks_done, 0))


def _hands(rules: Ruleset, hands: Any, table: list[int]) -> tuple[int | None, ...]:
    if not isinstance(hands, Mapping):
        raise PositionError("/hands", "an object of seats")
    known_cards = mask_of(table)
    read: list[int | None] = []
    for seat in hands:
        _seat(rules, seat, member("/hands", seat))
    for seat in rules.seats:
        if seat not in hands:
            read.append(None)
            continue
        cards = mask_of(_cards(hands[seat], f"/hands/{seat}"))
        if cards & known_cards:
            raise PositionError(f"/hands/{seat}", f"{' '.join(names(cards & known_cards))} twice")
        known_cards |= cards
        read.append(cards)
    return tuple(read)


def _cards(text: Any, path: str) -> list[int]:
    if not isinstance(text, str):
        raise PositionError(path, "cards as text, separated by blanks")
    texts = text.split()
    for card in texts:
        if card not in CARDS:
            raise PositionError(path, f"{card!r} is not a card")
    if len(set(texts)) != len(texts):
        raise PositionError(path, "a card stands twice")
    return [CARDS[card] for card in texts]


def _seat(rules: Ruleset, seat: Any, path: str) -> int:
    if not isinstance(seat, str) or seat not in rules.seats:
        raise PositionError(path, f"a seat: {', '.join(rules.seats)}")
    return rules.seats.index(seat)


def _seat_and_side(rules: Ruleset, name: Any, path: str) -> tuple[int | None, int]:
    """Seat and side of a name that may be either; the seat is ``None`` for a side of two."""
    if isinstance(name, str) and name in rules.seats:
        seat = rules.seats.index(name)
        return seat, rules.side_of(seat)
    if isinstance(name, str) and name in rules.sides:
        return None, rules.sides.index(name)
    raise PositionError(path, "a seat or a side")


def _by_side(rules: Ruleset, counts: Any, path: str) -> tuple[int, ...]:
    if not isinstance(counts, Mapping):
        raise PositionError(path, "an object of seats or sides")
    totals = [0] * len(rules.sides)
    for name, count in counts.items():
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise PositionError(member(path, name), "a number from 0")
        totals[_seat_and_side(rules, name, member(path, name))[1]] += count
    return tuple(totals)


def _declared(rules: Ruleset, declared: Any) -> Iterable[Action]:
    if not isinstance(declared, Mapping):
        raise PositionError("/declared", "an object of seats")
    for name, texts in declared.items():
        seat, side = _seat_and_side(rules, name, member("/declared", name))
        letter = rules.seats[side if seat is None else seat]
        for text in texts if isinstance(texts, list) else [texts]:
            yield _declaration(rules, letter, text, member("/declared", name))


def _window(rules: Ruleset, window: Any, last: int | None) -> Iterable[Action]:
    if not isinstance(window, list):
        raise PositionError("/window", "a list of declarations")
    for text in window:
        letter = rules.seats[last or 0]
        if isinstance(text, str) and ":" in text:
            letter, _colon, text = text.partition(":")
        yield _declaration(rules, letter, text, "/window")


def _declaration(rules: Ruleset, letter: str, text: Any, path: str) -> Action:
    action = read_token(f"{letter}:{text}", rules.seat_count)
    if action is None or action.kind not in (Kind.TWENTY, Kind.FORTY, Kind.TUTE):
        raise PositionError(path, f"{text!r} is not a declaration")
    return action


def _forfeited(rules: Ruleset, forfeited: Any, trump: int) -> Iterable[tuple[int, int]]:
    if not isinstance(forfeited, Mapping):
        raise PositionError("/forfeited", "an object of seats")
    for name, texts in forfeited.items():
        seat, side = _seat_and_side(rules, name, member("/forfeited", name))
        loser = side if seat is None else seat
        for text in texts if isinstance(texts, list) else [texts]:
            action = _declaration(rules, rules.seats[loser], text, member("/forfeited", name))
            yield loser, trump if action.kind is Kind.FORTY else action.value

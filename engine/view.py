"""Views of a hand: step by step for readers, and of one seat for its player."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.auditor import game_of
from engine.cards import CARD_NAMES, CARDS, SEATS, SUITS, names
from engine.notation import Record
from engine.replay import states
from engine.rulesets import Ruleset
from engine.state import State


@dataclass(frozen=True, slots=True)
class Frame:
    """One step of a hand, everything open: after ``token``, or before the first one.

    ``seat`` acted, ``turn`` acts next (``None`` at the end). ``table`` holds the cards of the
    trick, lead first; after the card that completes a trick it still shows that trick, and
    ``won`` names the seat that took it.
    """

    token: str | None
    seat: str | None
    turn: str | None
    hands: Mapping[str, tuple[str, ...]]
    table: tuple[tuple[str, str], ...]
    trick: int
    points: Mapping[str, int]
    legal: tuple[str, ...]
    won: str | None
    tricks_won: Mapping[str, int]
    declared: Mapping[str, tuple[str, ...]]


def frames(record: Record, hand_index: int) -> tuple[Frame, ...]:
    """The steps of one hand up to its end, or to its first illegal token; none without a play."""
    rules, hand = record.ruleset, record.hands[hand_index]
    if hand.play is None:
        return ()
    steps = list(states(rules, hand, game_of(record, hand_index)))
    if not steps:
        return ()
    tokens = hand.play.split()
    return (
        _frame(rules, steps[0], None, None),
        *(
            _frame(rules, after, token, before)
            for token, before, after in zip(tokens, steps, steps[1:], strict=False)
        ),
    )


def position_at(record: Record, hand_index: int, token: int) -> State:
    """The position of a hand before ``token`` (from 0); ``position_to_dict`` writes it.

    Raises ``IndexError`` where the hand does not get that far: it is not dealt, or a rule is broken
    before.
    """
    hand, game = record.hands[hand_index], game_of(record, hand_index)
    for number, state in enumerate(states(record.ruleset, hand, game)):
        if number == token:
            return state
    raise IndexError(f"hand {hand_index + 1} does not get to token {token}")


def _frame(rules: Ruleset, state: State, token: str | None, before: State | None) -> Frame:
    table, leader, winner, seat = state.table, state.leader, None, None
    trick = state.trick
    if token is not None and before is not None:
        seat = token[0] if ":" in token else SEATS[before.turn]
        trick = before.trick
        if sum(state.tricks_won) > sum(before.tricks_won):
            leader = before.leader
            table = (*before.table, CARDS[token])
            winner = None if state.last_winner is None else SEATS[state.last_winner]
    return Frame(
        token=token,
        seat=seat,
        turn=None if state.over else SEATS[state.turn],
        hands={s: names(hand or 0) for s, hand in zip(rules.seats, state.hands, strict=True)},
        table=tuple(
            (SEATS[_seat_after(state, leader, n)], CARD_NAMES[card]) for n, card in enumerate(table)
        ),
        trick=trick,
        points=dict(zip(rules.sides, state.points, strict=True)),
        legal=names(state.legal()),
        won=winner,
        tricks_won=dict(zip(rules.sides, state.tricks_won, strict=True)),
        declared={
            side: tuple(
                action.token for action in state.declared if rules.side_of(action.seat) == n
            )
            for n, side in enumerate(rules.sides)
        },
    )


def _seat_after(state: State, seat: int, steps: int) -> int:
    return state.players[(state.players.index(seat) + steps) % len(state.players)]


@dataclass(frozen=True, slots=True)
class MatchScore:
    """The score of the match before a hand, which the whole table knows.

    ``hand`` counts the hands of the match from 1, ``score`` holds what each side has won so far
    (R7.4), ``plate`` what lies in the plate (R8.4), ``None`` where there is none yet.
    """

    hand: int = 1
    score: Mapping[str, int] = field(default_factory=dict)
    plate: int | None = None


@dataclass(frozen=True, slots=True)
class View:
    """The view of one seat when it is asked to act: what it may know, and its legal tokens.

    ``legal`` holds the tokens it may answer; when it is asked what it says, the empty token is
    silence. ``history`` lists all that happened at the table as (seat, token). ``players`` are
    the seats that were dealt cards, in playing order. ``stock`` counts the cards left to draw,
    ``upcard`` is the one that lies open under them or aside. ``carried`` are the points of the
    first deal of a race, whose ``deal_of_game`` is 2 (R9.2). ``capote`` and ``supporter`` name who
    announced, who supports. ``standing`` is the match before this hand, ``turn`` who plays next.
    """

    rules: Ruleset
    seat: str
    dealer: str
    trump: str
    trump_card: str
    hand: tuple[str, ...]
    table: tuple[tuple[str, str], ...]
    history: tuple[tuple[str, str], ...]
    points: Mapping[str, int]
    trick: int
    legal: tuple[str, ...]
    players: tuple[str, ...] = ()
    stock: int = 0
    upcard: str | None = None
    tricks_won: Mapping[str, int] = field(default_factory=dict)
    carried: Mapping[str, int] = field(default_factory=dict)
    deal_of_game: int = 1
    capote: str | None = None
    supporter: str | None = None
    standing: MatchScore = MatchScore()
    turn: str = ""


def view(
    state: State,
    seat: int,
    trump_card: str,
    history: tuple[tuple[str, str], ...],
    legal: tuple[str, ...],
    standing: MatchScore = MatchScore(),
) -> View:
    """The view of ``seat``: nothing of what the other hands hold, nor of the order of the stock."""
    sides = state.rules.sides
    return View(
        rules=state.rules,
        seat=SEATS[seat],
        dealer=SEATS[state.dealer or 0],
        trump=SUITS[state.trump],
        trump_card=trump_card,
        hand=names(state.hands[seat] or 0),
        table=tuple(
            (SEATS[_seat_after(state, state.leader, n)], CARD_NAMES[card])
            for n, card in enumerate(state.table)
        ),
        history=history,
        points=dict(zip(sides, state.points, strict=True)),
        trick=state.trick,
        legal=legal,
        players=tuple(SEATS[player] for player in state.players),
        stock=state.stock,
        upcard=None if state.upcard is None else CARD_NAMES[state.upcard],
        tricks_won=dict(zip(sides, state.tricks_won, strict=True)),
        carried=dict(zip(sides, state.carried, strict=True)),
        deal_of_game=state.deal_of_game,
        capote=_letter(state.capote),
        supporter=_letter(state.supporter),
        standing=standing,
        turn=SEATS[state.turn],
    )


def _letter(seat: int | None) -> str | None:
    return None if seat is None else SEATS[seat]

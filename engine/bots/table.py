"""Plays a match between bots and writes it as an ordinary record (F1).

The order of the questions is that of :mod:`engine.game`, so that a match depends on nothing but its
deals and its bots.

A bot that cannot go on loses the hand, if the caller has it so: the other side makes
the 130 of a hand, two opponents 65 each, and of them the one who comes next in playing order wins
it. The record states such a hand without its play; nothing is paid for it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.bots.base import Bot, Listener
from engine.bots.failures import ILLEGAL_PLAY, BotFailure
from engine.cards import LAST_TRICK, SEATS
from engine.dealing import Deal, deal, first_dealer
from engine.game import Game, new_game
from engine.notation import FORMAT, MAX_HANDS
from engine.replay import FIRST, CarryOver
from engine.rulesets import Ruleset, at_table, with_house_rule
from engine.scoring import CARD_TOTAL, MatchCount, new_match
from engine.settlement import MatchMoney, new_match_money
from engine.view import MatchScore

_LENGTHS = ("to", "deals")


class BotError(Exception):
    """A bot answered something that it was not offered; ``seat`` and ``token`` say what."""

    def __init__(self, seat: str, token: str, legal: tuple[str, ...]) -> None:
        super().__init__(f"the bot at {seat} answered {token!r}, legal was {' '.join(legal)}")
        self.seat = seat
        self.token = token
        self.legal = legal


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A hand that the bot at ``seat`` lost by what it did; ``play`` is what was played before."""

    hand: int
    seat: str
    error: BotError | BotFailure
    play: str
    legal: tuple[str, ...] = ()
    """What the bot could have said."""

    @property
    def code(self) -> str:
        """The code of the bot's fault, one of :data:`engine.bots.failures.CODES`."""
        return self.error.code if isinstance(self.error, BotFailure) else ILLEGAL_PLAY


OnForfeit = Callable[[Forfeit], Bot | None]
"""What is to be done after a forfeit: the bot that plays on at the seat, ``None`` for no other."""


def play_match(
    rules: Ruleset,
    bots: Mapping[str, Bot],
    seed: bytes,
    label: str,
    seats: Sequence[str],
    options: Mapping[str, Any] | None = None,
    tags: Mapping[str, str] | None = None,
    on_forfeit: OnForfeit | None = None,
    dealt: Sequence[Deal] = (),
    benched: Sequence[str] = (),
) -> dict[str, Any]:
    """Play one match and return its record.

    ``bots`` are by seat letter, ``seats`` the names to write, as many as sit at the table; the
    deals follow from ``seed`` and ``label`` (:mod:`engine.dealing`), unless they are given as
    ``dealt``, one for each of the hands that the options fix; not in a race (R9). A match that is
    not decided within the hands that a record may hold is left unfinished.

    A bot that answers what was not legal raises :class:`BotError`, a program that fails
    :class:`~engine.bots.failures.BotFailure`. Where ``on_forfeit`` is given it is asked instead:
    the hand is lost, and the bot that it answers sits down for the next one; with ``None`` the
    seat loses its remaining hands unplayed, as the ``benched`` seats do from the first hand on.
    What is not the bot's fault is raised in any case.
    Raises ``KeyError`` and ``ValueError`` for options that the ruleset does not take.
    """
    options = dict(options or {})
    rules = agreed_rules(rules, options, len(seats))
    target = None if "deals" in options else options.get("to", rules.target)
    match = _Match(
        rules,
        dict(bots),
        on_forfeit,
        seed,
        label,
        first_dealer(rules, seed, label),
        new_match(rules.sides, target, options.get("deals")),
        new_match_money(rules),
        [],
        dealt,
        benched=list(benched),
    )
    while not match.count.decided and len(match.hands) < MAX_HANDS:
        match.play_game()
    return {
        "format": FORMAT,
        "ruleset": rules.name,
        "options": options,
        "seats": list(seats),
        "tags": dict(tags or {}),
        "hands": match.hands,
        "score": dict(match.count.score),
        "winner": match.count.winner,
    }


def agreed_rules(rules: Ruleset, options: Mapping[str, Any], seat_count: int) -> Ruleset:
    """The rules of a match: with the house rules among its options, for a number of seats.

    Raises ``KeyError`` and ``ValueError`` for what the ruleset does not take.
    """
    for name, value in options.items():
        if name not in _LENGTHS:
            rules = with_house_rule(rules, name, value)
    if rules.race_to and rules.seat_counts != (2,):
        raise ValueError("a race (R9) is between two players")
    return at_table(rules, seat_count)


class _HandEnd(NamedTuple):
    """The end of a hand, as the match needs it."""

    winner: int | None
    points: tuple[int, ...]
    last_winner: int | None = None


@dataclass(slots=True)
class _Match:
    """A match being played; ``benched`` are the seats whose bots lose every hand.

    ``dealt`` are the deals in their order, where they are given.
    """

    rules: Ruleset
    bots: dict[str, Bot]
    on_forfeit: OnForfeit | None
    seed: bytes
    label: str
    first_dealer: int
    count: MatchCount
    purse: MatchMoney | None
    hands: list[dict[str, Any]]
    dealt: Sequence[Deal] = ()
    games: int = 0
    benched: list[str] = field(default_factory=list)

    def play_game(self) -> None:
        """One hand; in a race one game, of one or two deals (R9.1, R9.2)."""
        dealer = (self.first_dealer + self.games) % self.rules.seat_count
        self.games += 1
        if not self.rules.race_to:
            self._settle(self._play(self.games, dealer, FIRST))
            return
        end = self._play(2 * self.games - 1, dealer, FIRST)
        if end.winner is None and len(self.hands) < MAX_HANDS:
            second_deal = CarryOver(end.points, 2)
            second = dealer if end.last_winner is None else end.last_winner
            end = self._play(2 * self.games, second, second_deal)
        self._settle(end)

    def _settle(self, end: _HandEnd) -> None:
        self.count.count(None if end.winner is None else self.rules.sides[end.winner])

    def _play(self, number: int, dealer: int, game: CarryOver) -> _HandEnd:
        if self.dealt:
            dealt = self.dealt[number - 1]
        else:
            dealt = deal(self.rules, self.seed, self.label, number, dealer)
        benched = [seat for seat in self.benched if dealt.hands[seat]]
        if benched:
            return self._forfeit_hand(dealt, benched[0])
        standing = MatchScore(
            len(self.hands) + 1,
            dict(self.count.score),
            None if self.purse is None else self.purse.plate_now,
        )
        hand = _Hand(new_game(self.rules, dealt, game, standing), self.bots)
        try:
            hand.play()
        except (BotError, BotFailure) as error:
            self._replace_bot(hand, error)
            end = self._forfeit_hand(dealt, hand.asked)
        else:
            state = hand.game.state
            end = _HandEnd(state.winner, state.points, state.last_winner)
            self._write(dealt, end, hand.game.history)
            if self.purse is not None:
                self.hands[-1]["payments"] = self.purse.settle(dealt.dealer, state)
        hand.notify_end(self.hands[-1]["points"], self.hands[-1]["winner"])
        return end

    def _replace_bot(self, hand: "_Hand", error: BotError | BotFailure) -> None:
        """Asks ``on_forfeit`` for a bot in its place; without it the failure is raised."""
        blameless = isinstance(error, BotFailure) and not error.is_bot_fault
        if self.on_forfeit is None or blameless:
            raise error
        play = " ".join(token for _seat, token in hand.game.history)
        forfeit = Forfeit(len(self.hands) + 1, hand.asked, error, play, hand.legal)
        other = self.on_forfeit(forfeit)
        if other is None:
            self.benched.append(hand.asked)
        else:
            self.bots[hand.asked] = other
        hand.sent.pop(hand.asked)

    def _forfeit_hand(self, dealt: Deal, loser: str) -> _HandEnd:
        rules, seat = self.rules, SEATS.index(loser)
        players = rules.players(SEATS.index(dealt.dealer))
        index = players.index(seat)
        others = [
            rules.side_of(each)
            for each in (*players[index + 1 :], *players[:index])
            if rules.side_of(each) != rules.side_of(seat)
        ]
        share = (CARD_TOTAL + LAST_TRICK) // len(set(others))
        points = tuple(share if side in others else 0 for side in range(len(rules.sides)))
        end = _HandEnd(others[0], points)
        self._write(dealt, end, None)
        return end

    def _write(self, dealt: Deal, end: _HandEnd, history: Sequence[tuple[str, str]] | None) -> None:
        """Add a hand as F1 writes it; without its play where it was forfeited."""
        rules = self.rules
        players = rules.players(SEATS.index(dealt.dealer))
        record: dict[str, Any] = {
            "dealer": dealt.dealer,
            "trump": dealt.trump,
            "deal": dict(dealt.hands),
            "play": None if history is None else " ".join(token for _seat, token in history),
            "points": {
                side: points
                for number, (side, points) in enumerate(zip(rules.sides, end.points, strict=True))
                if rules.pairs or number in players
            },
            "winner": None if end.winner is None else rules.sides[end.winner],
        }
        if dealt.stock is not None:
            record["stock"] = dealt.stock
        self.hands.append(record)


@dataclass(slots=True)
class _Hand:
    """A hand being played: the state, and the events that the whole table has seen.

    ``asked`` is the seat that was asked last, ``legal`` what it could say, ``sent`` how much of
    the history each seat has got.
    """

    game: Game
    bots: Mapping[str, Bot]
    asked: str = ""
    legal: tuple[str, ...] = ()
    sent: dict[str, int] = field(default_factory=dict)

    def play(self) -> None:
        """Play the hand to its end."""
        while not self.game.over:
            seat, legal = SEATS[self.game.player], self.game.legal
            self.asked, self.legal = seat, legal
            self.sent[seat] = len(self.game.history)
            token = self.bots[seat].choose(self.game.observation(self.game.player))
            if token not in legal:
                raise BotError(seat, token, legal)
            self.game = self.game.apply(token)

    def notify_end(self, points: Mapping[str, int], winner: str | None) -> None:
        """Tell the result to those who were asked and listen."""
        for seat, heard in self.sent.items():
            bot = self.bots[seat]
            if isinstance(bot, Listener):
                bot.end(points, winner, self.game.history[heard:])

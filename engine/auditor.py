"""The audit: a record is played again, and the verdict says what is wrong, where and why (F3)."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any, Final

from engine.cards import SEATS
from engine.deals import complete_deal, deal_faults
from engine.errors import Fault, Hint, RecordError
from engine.notation import HandRecord, Record, parse_record
from engine.replay import FIRST, CarryOver, Outcome, replay_dealt
from engine.rulesets import Ruleset
from engine.scoring import MatchCount, impossible_points, new_match
from engine.settlement import MatchMoney, new_match_money
from engine.verdict import HandVerdict, Verdict

DIGEST_DOMAIN: Final = "baza/1"

MAX_HINTED_HANDS: Final = 20
"""Refused hands of one record that get hints: with more, the record is not a slip of the pen."""


def audit(
    source: str | bytes | Mapping[str, Any] | Record, source_name: str = "", hints: bool = False
) -> Verdict:
    """The verdict on a record; what cannot be read as one gets a verdict of its own.

    With ``hints`` the first fault of each refused hand names the repairs that would mend it.
    """
    try:
        record = source if isinstance(source, Record) else parse_record(source)
    except RecordError as error:
        return Verdict(None, source_name, None, (), None, None, (error.fault,), ())
    return _Audit(record, hints).verdict(source_name)


def game_of(record: Record, index: int) -> CarryOver:
    """The state that a hand inherits: if it is a second deal of a race, the points of the first."""
    if not record.ruleset.race_to or not index:
        return FIRST
    before = replace(record, hands=record.hands[:index], score=None, winner=None)
    audited = _Audit(before)
    audited.verdict("")
    return audited.succession.game


@dataclass(slots=True)
class _Succession:
    """The next dealer, and the points that a second deal of a race inherits (R2.4, R9.2, R9.4).

    ``expected`` is ``None`` where anybody may deal: at the start, and after a first deal of a race
    whose last trick is not known.
    """

    rules: Ruleset
    expected: str | None = None
    game: CarryOver = FIRST
    opener: str = ""
    """Who dealt the first deal of the running game."""

    def record_hand(
        self, hand: HandRecord, points: tuple[int, ...] | None, decided: bool, last: str | None
    ) -> None:
        """Records a hand: its points, whether it decided, who won the last ten."""
        if not self.rules.race_to:
            self.expected = self._next_dealer(hand.dealer)
            return
        if self.game.deal == 1:
            self.opener = hand.dealer
        if self.game.deal == 1 and not decided:
            self.game = CarryOver(points or (0,) * len(self.rules.sides), 2)
            self.expected = last
        else:
            self.game = FIRST
            self.expected = self._next_dealer(self.opener)

    def _next_dealer(self, dealer: str) -> str:
        return SEATS[self.rules.after(SEATS.index(dealer))]


class _Audit:
    """One pass over a record, hand by hand."""

    def __init__(self, record: Record, hints: bool = False) -> None:
        self.record = record
        self.hints_left = MAX_HINTED_HANDS if hints else 0
        self.rules = record.ruleset
        self.count: MatchCount = new_match(self.rules.sides, record.target, record.deals)
        self.succession = _Succession(self.rules)
        self.purse: MatchMoney | None = new_match_money(self.rules)
        self.faults: list[Fault] = []
        self.notices: list[Fault] = []
        self.hands: list[HandVerdict] = []
        self.scoreless = False

    def verdict(self, source: str) -> Verdict:
        for index, hand in enumerate(self.record.hands):
            if self.count.decided:
                self._add(Fault("match.over", "R7.4"), index, "")
                self.hands.append(HandVerdict(index + 1, False, None, None, None))
            else:
                sound, before = len(self.faults), self.succession
                game, expected = before.game, before.expected
                self._hand(index, hand)
                if self.hints_left and len(self.faults) > sound:
                    from engine.hints import hints_for  # looked into when hints are asked for

                    self.hints_left -= 1
                    fault = self.faults[sound]
                    hints = hints_for(self.rules, hand, fault, game, expected)
                    self.faults[sound] = replace(fault, hints=_with_hand_path(hints, index))
        self._match()
        return Verdict(
            self.rules.name,
            source,
            digest(self.record),
            tuple(self.hands),
            self.count.score,
            None if self.scoreless and not self.count.decided else self.count.winner,
            tuple(self.faults),
            tuple(self.notices),
            None if self.purse is None else self.purse.balance,
            self.rules.identity,
        )

    def _hand(self, index: int, hand: HandRecord) -> None:
        dealt = complete_deal(self.rules, hand)
        faults: list[Fault] = []
        if hand.deal is not None and dealt is None:
            faults += deal_faults(self.rules, hand, hand.deal)
        expected = self.succession.expected
        if expected is not None and hand.dealer != expected:
            facts = {"found": hand.dealer, "expected": expected}
            rule = "R2.4"
            if self.rules.race_to:
                rule = "R9.2" if self.succession.game.deal == 2 else "R9.4"
            faults.append(Fault("deal.dealer", rule, path="dealer", facts=facts))
        for fault in faults:
            self._add(fault, index, fault.path)
        if faults:
            self._add_scoreless_hand(hand, HandVerdict(index + 1, False, None, None, None))
        elif hand.play is None:
            self._audit_stated_result(index, hand, hand.points or {}, hand.winner)
        elif dealt is not None and hand.trump is not None:
            game = self.succession.game
            outcome = replay_dealt(self.rules, hand, dealt, hand.trump, hand.play, game)
            self._audit_play(index, hand, outcome)

    def _audit_play(self, index: int, hand: HandRecord, outcome: Outcome) -> None:
        self.notices += [
            replace(notice, hand=index + 1, path=f"/hands/{index}/play")
            for notice in outcome.notices
        ]
        if outcome.fault is not None:
            self._add(outcome.fault, index, "play")
        if outcome.points is None:
            self._add_scoreless_hand(hand, _to_verdict(index, hand, outcome, self.rules))
            return
        sides = self.rules.sides
        players = self._players(hand)
        points = {
            side: side_points
            for side, side_points in zip(sides, outcome.points, strict=True)
            if self.rules.pairs or side in players
        }
        winner = None if outcome.winner is None else sides[outcome.winner]
        last = None if outcome.last_side is None else sides[outcome.last_side]
        payments = self._settle_stakes(hand, outcome)
        self.hands.append(
            replace(
                _to_verdict(index, hand, outcome, self.rules),
                points=points,
                winner=winner,
                last_trick=last,
                payments=payments,
                plate=None if self.purse is None else self.purse.plate_now,
            )
        )
        if winner is not None:
            self.count.count(winner)
        if outcome.fault is None:
            self._compare(index, hand, points, winner, outcome, payments)
        self._note_missing_claim(index, outcome)
        self.succession.record_hand(hand, outcome.points, winner is not None, last)

    def _note_missing_claim(self, index: int, outcome: Outcome) -> None:
        state = outcome.state
        if state is None or not self.rules.race_to or state.deal_of_game == 1:
            return
        if state.cut_for is None and state.first_there is not None:
            self.notices.append(
                Fault(
                    "claim.missing",
                    "R9.3",
                    hand=index + 1,
                    path=f"/hands/{index}/play",
                    seat=self.rules.sides[state.first_there],
                )
            )

    def _compare(
        self,
        index: int,
        hand: HandRecord,
        points: Mapping[str, int],
        winner: str | None,
        outcome: Outcome,
        payments: Mapping[str, int] | None,
    ) -> None:
        if hand.points is not None and dict(hand.points) != points:
            totals = {"stated": dict(hand.points), "replayed": points}
            self._add(Fault("score.points", "R7.1", facts=totals), index, "points")
        elif hand.winner is not None and hand.winner != winner:
            facts = {"stated": hand.winner, "replayed": winner}
            self._add(
                Fault("score.winner", self._winning_rule(points, outcome), facts=facts),
                index,
                "winner",
            )
        elif (
            hand.payments is not None
            and payments is not None
            and dict(hand.payments) != dict(payments)
        ):
            totals = {"stated": dict(hand.payments), "replayed": dict(payments)}
            rule = "R8.3" if self.rules.stakes == "flat" else "R8.4"
            self._add(Fault("score.points", rule, facts=totals), index, "payments")

    def _winning_rule(self, points: Mapping[str, int], outcome: Outcome) -> str:
        if self.rules.race_to:
            state = outcome.state
            if state is None or state.capote is not None:
                return "R9.5"
            return "R9.1" if state.deal_of_game == 1 else "R9.3"
        best = max(points.values())
        tied = list(points.values()).count(best) > 1 and not outcome.ended_by_tute
        return "R7.3" if tied else "R7.2"

    def _audit_stated_result(
        self, index: int, hand: HandRecord, points: Mapping[str, int], winner: str | None
    ) -> None:
        plate = None if self.purse is None else self.purse.plate_now
        self.hands.append(HandVerdict(index + 1, False, points, winner, None, plate=plate))
        if winner is not None:
            self.count.count(winner)
        part = self._impossible_result(points, winner)
        if part == "points":
            self._add(Fault("score.impossible", "F1", facts={"stated": dict(points)}), index, part)
        elif part == "winner":
            best = max(points, key=lambda side: points[side])
            facts = {"stated": winner, "replayed": best}
            rule = "R7.2"
            if self.rules.race_to:
                rule = "R9.1" if self.succession.game.deal == 1 else "R9.3"
            self._add(Fault("score.winner", rule, facts=facts), index, part)
        self.notices.append(
            Fault("hand.unaudited", "F1", hand=index + 1, path=f"/hands/{index}/play")
        )
        stated_points = tuple(points.get(side, 0) for side in self.rules.sides)
        self.succession.record_hand(hand, stated_points, winner is not None, None)

    def _impossible_result(self, points: Mapping[str, int], winner: str | None) -> str | None:
        """The fault in the stated result of a hand that cannot be replayed, if there is one."""
        race, game = self.rules.race_to, self.succession.game
        if race and winner is None:
            carry = game.carried or (0,) * len(points)
            race_won = any(a + b >= race for a, b in zip(points.values(), carry, strict=True))
            if game.deal == 2 or race_won:
                return impossible_points(self.rules, points, winner) or "winner"
        return impossible_points(self.rules, points, winner)

    def _add_scoreless_hand(self, hand: HandRecord, verdict: HandVerdict) -> None:
        """A hand that a fault stopped: its replayed part is shown, and scores nothing."""
        self.scoreless = True
        if not self.rules.race_to:
            self.count.count(None)
        payments = self._settle_stakes(hand, None)
        plate = None if self.purse is None else self.purse.plate_now
        self.hands.append(replace(verdict, payments=payments, plate=plate))
        stated_points = hand.points or {}
        points = tuple(stated_points.get(side, 0) for side in self.rules.sides)
        self.succession.record_hand(hand, points, hand.winner is not None, None)

    def _settle_stakes(self, hand: HandRecord, outcome: Outcome | None) -> dict[str, int] | None:
        if self.purse is None or hand.play is None:
            return None
        state = None if outcome is None else outcome.state
        return self.purse.settle(hand.dealer, state)

    def _players(self, hand: HandRecord) -> set[str]:
        return {SEATS[seat] for seat in self.rules.players(SEATS.index(hand.dealer))}

    def _match(self) -> None:
        if self.scoreless:
            return
        record, count = self.record, self.count
        if not count.decided:
            length = {"score": dict(count.score), "to": record.target, "deals": record.deals}
            self.notices.append(Fault("match.unfinished", "R7.4", path="/hands", facts=length))
        if record.score is not None and dict(record.score) != count.score:
            totals = {"stated": dict(record.score), "replayed": dict(count.score)}
            self.faults.append(Fault("score.match", "R7.4", path="/score", facts=totals))
        elif record.winner is not None and record.winner != count.winner:
            facts = {"stated": record.winner, "replayed": count.winner}
            self.faults.append(Fault("score.match", "R7.4", path="/winner", facts=facts))

    def _add(self, fault: Fault, index: int, part: str) -> None:
        path = f"/hands/{index}/{part}" if part else f"/hands/{index}"
        self.faults.append(replace(fault, hand=index + 1, path=path))


def _with_hand_path(hints: Iterable[Hint], index: int) -> tuple[Hint, ...]:
    return tuple(replace(hint, path=f"/hands/{index}/{hint.path}") for hint in hints)


def _to_verdict(index: int, hand: HandRecord, outcome: Outcome, rules: Ruleset) -> HandVerdict:
    return HandVerdict(
        index + 1,
        True,
        None,
        None,
        None,
        outcome.declarations,
        outcome.leaders,
        hand.play or "",
        rules.player_count,
    )


def digest(record: Record) -> str:
    """``sha256:`` and the hash of the facts of a record: the same game has the same digest.

    Hashed are the ruleset with its version and house rules, the length of the match and each hand's
    dealer, trump, deal, stock and play (or its stated result where the play is missing); not names,
    tags or statements.
    """
    return digest_of(record, map(_facts, record.hands, repeat(record.ruleset.seats)))


def digest_of(record: Record, hands: Iterable[str]) -> str:
    """The digest of a record whose hands have been reduced to their facts, a line each."""
    length = f"to={record.target}" if record.deals is None else f"deals={record.deals}"
    house = [f"{name}={value}" for name, value in sorted(record.house_rules.items())]
    lines = [DIGEST_DOMAIN, record.ruleset.identity, " ".join([length, *house])]
    if record.ruleset.dealer_sits_out:
        lines.append(f"seats={record.ruleset.seat_count}")
    text = "\n".join([*lines, *hands])
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def _facts(hand: HandRecord, seats: tuple[str, ...]) -> str:
    deal = "-"
    if hand.deal is not None:
        deal = "|".join([canonical(hand.deal[seat]) for seat in seats])
    if hand.stock is not None:
        deal += "|" + " ".join(hand.stock.split())
    if hand.play is not None:
        play = " ".join(hand.play.split())
    else:
        points = sorted((hand.points or {}).items())
        play = f"unplayed {points} {hand.winner}"
    return f"{hand.dealer} {hand.trump or '-'} {deal} {play}"


def canonical(cards: str) -> str:
    """Cards in the order in which a digest takes them."""
    return " ".join(sorted(cards.split()))

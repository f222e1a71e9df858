"""The rules of all rulesets said a second time, to hold the engine to them: what a verdict says.

`verdict` is the whole of it: a record goes in, what a fair arbiter would say comes out. It is
written to be read beside ``rules.md`` and ``record-format.md``, whose numbers it cites, and shares
nothing with the engine. Its parts: `tests.engine.naive_rules` (R1 to R3), `naive_duties` (R4),
`naive_sayings` (R5, R6, R9), `naive_play` (a hand), `naive_stakes` (R8), `naive_records` (what is
no record, what is no deal) and `naive_results` (what is stated of a hand).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tests.engine.naive_play import Play
from tests.engine.naive_records import RECORD_ROW, record_fault, wrong_deal
from tests.engine.naive_results import differs, wrong_arithmetic, wrong_claims
from tests.engine.naive_rules import (
    RACE_TO_101,
    STOCK,
    TARGET,
    TRUMP_SHOWN,
    Remark,
    Table,
    seat_after,
    suit_of,
    table_of,
)
from tests.engine.naive_stakes import Purse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["RECORD_ROW", "Due", "HandResult", "Match", "Verdict", "match_winner", "record_fault"]
__all__ += ["start", "verdict"]

# --------------------------------------------------------------------------- what is said of it


@dataclass
class HandResult:
    """What is valid of one hand (F3 ``hands``)."""

    number: int
    audited: bool = False
    points: dict[str, int] | None = None
    winner: str | None = None
    last_trick: str | None = None
    declarations: list[str] = field(default_factory=list)
    tricks: list[tuple[str, str]] = field(default_factory=list)
    payments: dict[str, int] | None = None
    plate: int | None = None


@dataclass
class Verdict:
    """What is valid of one record (F3), and each hand as it was before its first token."""

    hands: list[HandResult] = field(default_factory=list)
    score: dict[str, int] | None = None
    winner: str | None = None
    balance: dict[str, int] | None = None
    faults: list[Remark] = field(default_factory=list)
    notices: list[Remark] = field(default_factory=list)
    starts: list[Play | None] = field(default_factory=list)

    @property
    def valid(self) -> bool:
        return not self.faults


# --------------------------------------------------------------------------- R2.4, R9: what is due


@dataclass(frozen=True)
class Due:
    """What the hands before have to do with the next one."""

    dealer: str | None = None
    deal_of_juego: int = 1
    carried: Mapping[str, int] = field(default_factory=dict)
    first_dealer: str | None = None  # of the juego

    @property
    def rule_of_dealing(self) -> str:
        if self.first_dealer is None:
            return "R2.4"
        return "R9.2" if self.deal_of_juego == 2 else "R9.4"


def due_after(due: Due, hand: Mapping[str, Any], result: HandResult, table: Table) -> Due:
    """R2.4, and R9.2 and R9.4 for `mano-a-mano`."""
    if not RACE_TO_101[table.ruleset]:
        return Due(seat_after(hand["dealer"], table.seats))
    first_dealer: str = hand["dealer"]
    if due.deal_of_juego == 2:
        assert due.first_dealer is not None
        first_dealer = due.first_dealer
    stands = result.points is not None
    winner = result.winner if stands else hand.get("winner")
    if due.deal_of_juego == 1 and winner is None:
        carried = result.points if stands else hand.get("points")
        return Due(result.last_trick, 2, carried or {}, first_dealer)
    return Due(seat_after(first_dealer, table.seats), 1, {}, first_dealer)


# --------------------------------------------------------------------------- a hand


def start(hand: Mapping[str, Any], table: Table, due: Due) -> Play:
    """The hand before its first token."""
    trump, dealer = hand["trump"], hand["dealer"]
    active = table.active(dealer)
    after = seat_after(dealer, table.seats)
    return Play(
        {seat: hand["deal"][seat].split() for seat in table.seats},
        suit_of(trump),
        after if after in active else active[0],  # R2.3
        table=table,
        dealer=dealer,
        stock=hand["stock"].split() if STOCK[table.ruleset] else [],
        set_aside=trump if TRUMP_SHOWN[table.ruleset] == "set aside" else None,
        deal_of_juego=due.deal_of_juego,
        carried=due.carried,
    )


def play_hand(play: Play, tokens: Sequence[str]) -> tuple[Remark | None, list[Remark]]:
    """Replays the tokens up to the first fault: the fault, if any, and the notices made before."""
    notices: list[Remark] = []
    for index, token in enumerate(tokens):
        fault = play.wrong(token)
        if fault is not None:
            return replace(fault, token=index), notices
        trick = play.trick_number
        for seat, name in play.apply(token):
            lost = Remark("declare.omitted", "R6.6", None, trick, index, seat)
            notices.append(replace(lost, declaration=f"{seat}:{name}"))
    if play.over:
        return None, notices
    seat = play.yet_to_speak[0] if play.yet_to_speak else play.turn
    missing = Remark("play.incomplete", "F1", None, play.trick_number, len(tokens), seat)
    return replace(missing, legal=frozenset(play.legal_cards())), notices


# --------------------------------------------------------------------------- a match


class Match:
    """A match audited hand by hand."""

    def __init__(self, table: Table, options: Mapping[str, Any]) -> None:
        self.table = table
        self.options = options
        self.due = Due()
        self.purse = Purse(table)
        self.score = dict.fromkeys(table.sides, 0)
        self.found = Verdict(score=self.score)
        if table.stakes != "none":
            self.found.balance = self.purse.balance

    @property
    def decided(self) -> tuple[bool, str | None]:
        return match_winner(self.table, self.score, self.options, len(self.found.hands))

    def take(self, hand: Mapping[str, Any]) -> HandResult:
        """Audits the next hand; its faults and notices go to the verdict."""
        result = HandResult(len(self.found.hands) + 1)
        self.found.starts.append(None)
        notices: list[Remark] = []
        if self.decided[0]:
            faults = [Remark("match.over", "R7.4")]
        else:
            faults, notices = self.audit(hand, result)
            self.due = due_after(self.due, hand, result, self.table)
            if result.winner is not None:
                self.score[result.winner] += 1
        self.found.hands.append(result)
        self.found.faults += [replace(fault, hand=result.number) for fault in faults]
        self.found.notices += [replace(notice, hand=result.number) for notice in notices]
        return result

    def audit(
        self, hand: Mapping[str, Any], result: HandResult
    ) -> tuple[list[Remark], list[Remark]]:
        dealt = hand["play"] is not None or hand.get("deal") is not None
        faults = wrong_deal(hand, self.table) if dealt else []
        if self.due.dealer not in [None, hand["dealer"]]:
            faults.append(Remark("deal.dealer", self.due.rule_of_dealing))
        if hand["play"] is None:
            result.plate = self.purse.plate
            if faults:
                return faults, []
            return self.audit_without_play(hand, result), [Remark("hand.unaudited", "F1")]
        self.purse.before_the_deal(hand["dealer"])
        notices: list[Remark] = []
        if not faults:
            faults, notices = self.audit_play(hand, result)
        if self.table.stakes != "none":
            result.payments, result.plate = self.purse.end_of_hand(), self.purse.plate
        return faults, notices

    def audit_without_play(self, hand: Mapping[str, Any], result: HandResult) -> list[Remark]:
        result.points, result.winner = dict(hand["points"]), hand.get("winner")
        wrong = wrong_arithmetic(hand, self.table, self.due.deal_of_juego)
        return [wrong] if wrong else []

    def audit_play(
        self, hand: Mapping[str, Any], result: HandResult
    ) -> tuple[list[Remark], list[Remark]]:
        play = start(hand, self.table, self.due)
        self.found.starts[-1] = play.copied()
        fault, notices = play_hand(play, hand["play"].split())
        result.audited = True
        result.declarations = [f"{seat}:{name}" for seat, name in play.declared]
        result.tricks = [(leader, " ".join(cards)) for leader, cards in play.tricks]
        if not play.over:
            return [fault] if fault else [], notices
        assert play.last_winner is not None
        result.points, result.winner = play.points(), play.winner()
        result.last_trick = play.side_of(play.last_winner)
        if self.table.stakes != "none":
            self.purse.after_the_deal(play)
        unclaimed = play.capote is None and play.claimed_by is None
        if play.deal_of_juego == 2 and unclaimed and result.winner is not None:
            notices.append(Remark("claim.missing", "R9.3", seat=result.winner))
        wrong = fault or wrong_claims(hand, play, self.table, self.purse.payments)
        return [wrong] if wrong else [], notices

    def end(self, record: Mapping[str, Any]) -> Verdict:
        """R7.4, and the result stated of the match."""
        over, winner = self.decided
        self.found.winner = winner
        if all(stands(hand, self.found.faults) for hand in self.found.hands):
            if not over:
                self.found.notices.append(Remark("match.unfinished", "R7.4"))
            if differs(record.get("score"), self.score) or differs(record.get("winner"), winner):
                self.found.faults.append(Remark("score.match", "R7.4"))
        return self.found


def stands(hand: HandResult, faults: Sequence[Remark]) -> bool:
    """F3: a hand with a fault in its play scores nothing; one after the match is none of it."""
    return hand.points is not None or any(
        fault.code == "match.over" and fault.hand == hand.number for fault in faults
    )


def match_winner(
    table: Table, score: Mapping[str, int], options: Mapping[str, Any], hands: int
) -> tuple[bool, str | None]:
    """R7.4: whether the match is decided after these hands, and by whom."""
    if "deals" in options:
        over = hands >= options["deals"]
        leaders = [side for side in score if score[side] == max(score.values())]
        return over, leaders[0] if over and len(leaders) == 1 else None
    for side in score:
        if score[side] >= options.get("to", TARGET[table.ruleset]):
            return True, side
    return False, None


def verdict(record: Mapping[str, Any]) -> Verdict:
    """What is valid of a record, and every fault and notice of F3."""
    unreadable = record_fault(record)
    if unreadable is not None:
        return Verdict(faults=[unreadable])
    match = Match(table_of(record), record.get("options", {}))
    for hand in record["hands"]:
        match.take(hand)
    return match.end(record)

"""`parejas-online` said a second time, to hold the engine to the rules: records and verdicts.

`verdict` is the whole of it: a record goes in, what a fair arbiter would say comes out. The play
of a hand is in `tests.engine.naive_play`; both are written to be read beside ``rules.md`` and
``record-format.md``, whose numbers they cite, and share nothing with the engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

from tests.engine.naive_play import (
    CARDS_EACH,
    PACK,
    RANKS,
    SEATS,
    SIDES,
    SUITS,
    TANTOS,
    Play,
    Remark,
    seat_after,
    side_of,
    suit_of,
)

TARGET = 3  # R3: to 3 hands unless the record says otherwise

# --------------------------------------------------------------------------- what is said of it


@dataclass
class HandResult:
    """What stands of one hand (F3 ``hands``)."""

    number: int
    audited: bool = False
    points: dict[str, int] | None = None
    winner: str | None = None
    last_trick: str | None = None
    declarations: list[str] = field(default_factory=list)
    tricks: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Verdict:
    """What stands of one record (F3)."""

    hands: list[HandResult] = field(default_factory=list)
    score: dict[str, int] | None = None
    winner: str | None = None
    faults: list[Remark] = field(default_factory=list)
    notices: list[Remark] = field(default_factory=list)

    @property
    def valid(self) -> bool:
        return not self.faults


# --------------------------------------------------------------------------- F1: is it a record?

RECORD_ROW = ["format", "ruleset", "option", "seats", "field", "limit"]  # F3: the earlier wins
RECORD_FIELDS = ["format", "ruleset", "options", "seats", "tags", "hands", "score", "winner"]
HAND_FIELDS = ["dealer", "trump", "deal", "play", "points", "winner"]
MOST_HANDS, MOST_TOKENS, LONGEST_TEXT = 1000, 200, 1000


def is_number(value: object, least: int) -> bool:
    return type(value) is int and value >= least


def are_numbers_by_side(value: object, least: int) -> bool:
    if not isinstance(value, dict) or sorted(value) != SIDES:
        return False
    return all(is_number(number, least) for number in value.values())


def wrong_hand_fields(hand: Any) -> bool:
    """F1: unknown fields, a missing play, a seat letter beyond the table, wrong kinds of value."""
    if not isinstance(hand, dict) or any(name not in HAND_FIELDS for name in hand):
        return True
    if "play" not in hand or hand.get("dealer") not in SEATS:
        return True
    without_play = hand["play"] is None
    for name in ["trump", "play"]:
        if not (isinstance(hand.get(name), str) or (without_play and hand.get(name) is None)):
            return True
    deal = hand.get("deal")
    if isinstance(deal, dict):
        if sorted(deal) != SEATS or not all(isinstance(cards, str) for cards in deal.values()):
            return True
    elif deal is not None or not without_play:
        return True
    points, winner = hand.get("points"), hand.get("winner")
    if without_play and (points is None or winner is None):
        return True
    if points is not None and not are_numbers_by_side(points, -(10**9)):
        return True
    return winner not in [None, *SIDES]


def wrong_record_fields(record: Mapping[str, Any]) -> bool:
    if any(name not in RECORD_FIELDS for name in record):
        return True
    if not isinstance(record.get("hands"), list) or record.get("winner") not in [None, *SIDES]:
        return True
    tags = record.get("tags", {})
    if not isinstance(tags, dict) or not all(isinstance(text, str) for text in tags.values()):
        return True
    score = record.get("score")
    return score is not None and not are_numbers_by_side(score, 0)


def wrong_options(options: Any) -> bool:
    """F1: to or deals, any number from 1, not both; nothing else is looked at here."""
    if not isinstance(options, dict) or ("to" in options and "deals" in options):
        return True
    if any(name not in ["to", "deals"] for name in options):
        return True
    return any(not is_number(value, 1) for value in options.values())


def wrong_seats(seats: Any) -> bool:
    if not isinstance(seats, list) or len(seats) != len(SEATS):
        return True
    return not all(isinstance(name, str) for name in seats)


def record_fault(record: Mapping[str, Any]) -> Remark | None:
    """The ``record.*`` fault that keeps this JSON object from being a record, or None."""
    hands = record.get("hands")
    hands = hands if isinstance(hands, list) else []
    found = [Remark("record.format", "F1")] if record.get("format") != "baza/1" else []
    if record.get("ruleset") != "parejas-online":
        found.append(Remark("record.ruleset", "F1"))
    if wrong_options(record.get("options", {})):
        found.append(Remark("record.option", "F1"))
    if wrong_seats(record.get("seats")):
        found.append(Remark("record.seats", "F1"))
    if wrong_record_fields(record):
        found.append(Remark("record.field", "F1"))
    for number, hand in enumerate(hands, start=1):
        if wrong_hand_fields(hand):
            found.append(Remark("record.field", "F1", hand=number))
    if len(hands) > MOST_HANDS or any(len(text) > LONGEST_TEXT for text in texts(record)):
        found.append(Remark("record.limit", "F1"))
    for number, hand in enumerate(hands, start=1):
        play = hand.get("play") if isinstance(hand, dict) else None
        if isinstance(play, str) and len(play.split()) > MOST_TOKENS:
            found.append(Remark("record.limit", "F1", hand=number))
    return min(found, key=lambda fault: RECORD_ROW.index(fault.code.split(".")[1]), default=None)


def texts(record: Mapping[str, Any]) -> list[str]:
    """The names and tags of a record."""
    seats, tags = record.get("seats"), record.get("tags", {})
    found = list(seats) if isinstance(seats, list) else []
    found += list(tags.values()) if isinstance(tags, dict) else []
    return [text for text in found if isinstance(text, str)]


# --------------------------------------------------------------------------- R2.4, R3: the deal


def wrong_deal(hand: Mapping[str, Any]) -> list[Remark]:
    """The ``deal.*`` faults of the cards themselves, in F3's order, one a code.

    What merely follows from another fault is not said again: a card is missing because another was
    dealt twice in its place, a hand is short because a card is missing, or long because of one that
    is there twice.
    """
    deal = {seat: hand["deal"][seat].split() for seat in SEATS}
    written = [(seat, card) for seat in SEATS for card in deal[seat]]
    unreadable = [(seat, card) for seat, card in written if card not in PACK]
    readable = [card for _, card in written if card in PACK]
    twice = [card for card in PACK if readable.count(card) > 1]
    copies_too_many = len(readable) - len(set(readable))
    missing = [card for card in PACK if card not in readable]
    faults = []
    if unreadable:
        faults.append(Remark("deal.card", "R1"))
    if twice:
        faults.append(Remark("deal.duplicate", "R1"))
    if len(missing) > copies_too_many + len(unreadable):
        faults.append(Remark("deal.missing", "R1"))
    sizes = [len(cards) for cards in deal.values()]
    if min(sizes) < CARDS_EACH < max(sizes):
        faults.append(Remark("deal.size", "R3"))
    trump = hand.get("trump")
    if trump is not None and trump not in [card for card in deal[hand["dealer"]] if card in PACK]:
        faults.append(Remark("deal.trump", "R3"))
    return faults


# --------------------------------------------------------------------------- F1: hands without play


@cache
def points_of_a_tute() -> frozenset[tuple[int, int]]:
    """(points of the tute's side, points of the other) that a hand cut short by a tute can have.

    The tute's side has won exactly one trick (R6.8), its four kings (or knights) are still in hand,
    and so nobody else can have declared anything: R and C of one suit are never together elsewhere,
    and the side itself has not.
    """
    found = set()
    for absent in ["R", "C"]:
        counting = Counter(TANTOS[rank] for rank in RANKS for _ in SUITS if rank != absent)
        for trick in combinations_with_replacement(sorted(counting), 4):
            taken = Counter(trick)
            if any(taken[value] > counting[value] for value in taken):
                continue
            sums = {0}
            for value in (counting - taken).elements():
                sums |= {total + value for total in sums}
            found |= {(sum(trick), total) for total in sums}
    return frozenset(found)


def is_full_sum(points: Mapping[str, int]) -> bool:
    """A sum that a hand played to its end can have: 130, and the declarations of 40, 20, 20, 20."""
    return sum(points.values()) in [130, 150, 170, 190, 210, 230]


def is_possible(points: Mapping[str, int]) -> bool:
    """F1: whether some play gives these points; no cards are worth 1, all else can be had."""
    ours, theirs = points["AC"], points["BD"]
    if is_full_sum(points):
        return min(ours, theirs) >= 0 and 1 not in [ours, theirs]
    return (ours, theirs) in points_of_a_tute() or (theirs, ours) in points_of_a_tute()


def wrong_arithmetic(hand: Mapping[str, Any]) -> Remark | None:
    points = hand["points"]
    if not is_possible(points):
        return Remark("score.impossible", "F1")
    if is_full_sum(points):
        other = "BD" if hand["winner"] == "AC" else "AC"
        if points[hand["winner"]] < points[other]:
            return Remark("score.winner", "R7.2")
    return None


# --------------------------------------------------------------------------- a hand, a match


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
    legal = frozenset(play.legal_cards())
    missing = Remark("play.incomplete", "F1", None, play.trick_number, len(tokens), play.turn)
    return replace(missing, legal=legal), notices


def wrong_claims(hand: Mapping[str, Any], result: HandResult) -> Remark | None:
    """R7.1 to R7.3: the stated points, else the stated winner, against the replay."""
    if hand.get("points") is not None and hand["points"] != result.points:
        return Remark("score.points", "R7.1")
    if hand.get("winner") is not None and hand["winner"] != result.winner:
        cut_short = any("tute" in said for said in result.declarations)
        assert result.points is not None
        tie = result.points["AC"] == result.points["BD"] and not cut_short
        return Remark("score.winner", "R7.3" if tie else "R7.2")
    return None


def audit_hand(
    hand: Mapping[str, Any], number: int, expected_dealer: str | None, verdict: Verdict
) -> HandResult:
    """One hand: its faults and notices go to the verdict, what stands of it is returned."""
    result = HandResult(number)
    faults: list[Remark] = []
    notices: list[Remark] = []
    if hand["play"] is not None or hand.get("deal") is not None:
        faults += wrong_deal(hand)
    if expected_dealer not in [None, hand["dealer"]]:
        faults.append(Remark("deal.dealer", "R2.4"))
    if hand["play"] is None:
        if not faults:
            notices.append(Remark("hand.unaudited", "F1"))
            result.points, result.winner = dict(hand["points"]), hand["winner"]
            wrong = wrong_arithmetic(hand)
            faults += [wrong] if wrong else []
    elif not faults:
        result.audited = True
        cards = {seat: hand["deal"][seat].split() for seat in SEATS}
        leader = seat_after(hand["dealer"])  # R2.3
        play = Play(cards, suit_of(hand["trump"]), leader)
        fault, notices = play_hand(play, hand["play"].split())
        faults += [fault] if fault else []
        result.declarations = [f"{seat}:{name}" for seat, name in play.declared]
        result.tricks = [(leader, " ".join(cards)) for leader, cards in play.tricks]
        if play.over:
            assert play.last_winner is not None
            result.points, result.winner = play.points(), play.winner()
            result.last_trick = side_of(play.last_winner)
            wrong = None if faults else wrong_claims(hand, result)
            faults += [wrong] if wrong else []
    verdict.faults += [replace(fault, hand=number) for fault in faults]
    verdict.notices += [replace(notice, hand=number) for notice in notices]
    return result


def match_winner(
    score: Mapping[str, int], options: Mapping[str, Any], hands: int
) -> tuple[bool, str | None]:
    """R7.4: whether the match is decided after so many hands, and by whom."""
    if "deals" in options:
        over = hands >= options["deals"]
        leaders = [side for side in SIDES if score[side] == max(score.values())]
        return over, leaders[0] if over and len(leaders) == 1 else None
    for side in SIDES:
        if score[side] >= options.get("to", TARGET):
            return True, side
    return False, None


def verdict(record: Mapping[str, Any]) -> Verdict:
    """What stands of a record, and every fault and notice of F3."""
    unreadable = record_fault(record)
    if unreadable is not None:
        return Verdict(faults=[unreadable])
    options = record.get("options", {})
    found = Verdict(score=dict.fromkeys(SIDES, 0))
    assert found.score is not None
    all_stand = True
    expected_dealer = None
    for number, hand in enumerate(record["hands"], start=1):
        if match_winner(found.score, options, number - 1)[0]:
            found.hands.append(HandResult(number))
            found.faults.append(Remark("match.over", "R7.4", hand=number))
            continue
        result = audit_hand(hand, number, expected_dealer, found)
        found.hands.append(result)
        expected_dealer = seat_after(hand["dealer"])  # R2.4
        if result.winner is None:
            all_stand = False
        else:
            found.score[result.winner] += 1
    over, found.winner = match_winner(found.score, options, len(record["hands"]))
    if all_stand:
        if not over:
            found.notices.append(Remark("match.unfinished", "R7.4"))
        if differs(record.get("score"), found.score) or differs(record.get("winner"), found.winner):
            found.faults.append(Remark("score.match", "R7.4"))
    return found


def differs(stated: object, replayed: object) -> bool:
    """F1: a null states nothing."""
    return stated is not None and stated != replayed

"""The audit: a record is played again, and the verdict says what is wrong, where and why (F3)."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from engine.bulk.straight import Straight, play_through
from engine.cards import BITS, CARD_NAMES, CARDS, PACK, SEATS, SUITS, cards_in
from engine.errors import Fault, IllegalAction, RecordError
from engine.notation import HandRecord, Record, parse_record
from engine.rules import Ruleset
from engine.scoring import MatchCount, impossible_points, new_match
from engine.state import State, first_state
from engine.verdict import HandVerdict, Verdict

DIGEST_DOMAIN: Final = "baza/1"


class Outcome(NamedTuple):
    """What replaying one hand's play came to.

    ``points``, ``winner`` and ``last_side`` are by side and ``None`` while a fault stopped it
    before its end. ``leaders`` are the seats that led the complete tricks.
    """

    points: tuple[int, ...] | None
    winner: int | None
    last_side: int | None
    leaders: tuple[int, ...]
    declarations: tuple[str, ...]
    fault: Fault | None = None
    notices: tuple[Fault, ...] = ()

    @property
    def ended_by_tute(self) -> bool:
        """Whether a tute ended the hand (R6.7)."""
        return any(":tute" in declaration for declaration in self.declarations)


def audit(source: str | bytes | Mapping[str, Any] | Record, source_name: str = "") -> Verdict:
    """The verdict on a record; what cannot be read as one gets a verdict of its own."""
    try:
        record = source if isinstance(source, Record) else parse_record(source)
    except RecordError as error:
        return Verdict(None, source_name, None, (), None, None, (error.fault,), ())
    return _Audit(record).verdict(source_name)


def replay_hand(rules: Ruleset, hand: HandRecord) -> Outcome:
    """Replay one hand; the fast lane first, the explaining core where that finds anything wrong.

    Raises ``ValueError`` when the deal is not whole.
    """
    dealt = whole_deal(rules, hand)
    if dealt is None or hand.trump is None or hand.play is None:
        raise ValueError("a hand without a whole deal and a play cannot be replayed")
    return _replayed(rules, SEATS.index(hand.dealer), dealt, CARDS[hand.trump] // 10, hand.play)


def _replayed(
    rules: Ruleset, dealer: int, dealt: tuple[int, ...], trump: int, play: str
) -> Outcome:
    straight = play_through(rules, rules.after(dealer), dealt, trump, play)
    if straight is None:
        return _fold(first_state(rules, dealer, dealt, trump), play)
    return _in_order(rules, straight, trump)


def states(rules: Ruleset, hand: HandRecord) -> Iterator[State]:
    """The hand before its first token and after each legal one."""
    dealt = whole_deal(rules, hand)
    if dealt is None or hand.trump not in CARDS:
        return
    state = first_state(rules, SEATS.index(hand.dealer), dealt, CARDS[hand.trump] // 10)
    yield state
    for token in (hand.play or "").split():
        try:
            state = state.apply(token)
        except IllegalAction:
            return
        yield state


def _in_order(rules: Ruleset, hand: Straight, trump: int) -> Outcome:
    first, second = hand.points
    winner = 0 if first > second else 1 if second > first else hand.last_side
    if hand.tute_by is not None:
        winner = rules.side_of(hand.tute_by)
    notices = tuple(
        Fault(
            "declare.omitted",
            "R6.6",
            trick=trick,
            token=token,
            seat=SEATS[seat],
            declaration=f"{SEATS[seat]}:40" if suit == trump else f"{SEATS[seat]}:20{SUITS[suit]}",
        )
        for trick, token, seat, suit in hand.omitted
    )
    declarations = tuple(action.token for action in hand.spoken)
    return Outcome(
        hand.points, winner, hand.last_side, tuple(hand.leaders), declarations, notices=notices
    )


def _fold(state: State, play: str) -> Outcome:
    leaders: list[int] = []
    fault = None
    for token in play.split():
        leader, tricks = state.leader, sum(state.tricks_won)
        try:
            state = state.apply(token)
        except IllegalAction as error:
            fault = error.fault
            break
        if sum(state.tricks_won) > tricks:
            leaders.append(leader)
    if fault is None and not state.over:
        fault = state.incomplete()
    ended = state.over
    return Outcome(
        state.points if ended else None,
        state.winner,
        state.last_side if ended else None,
        tuple(leaders),
        tuple(action.token for action in state.declared),
        fault,
        state.notices,
    )


class _Audit:
    """One pass over a record, hand by hand."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.rules = record.ruleset
        self.count: MatchCount = new_match(self.rules.sides, record.target, record.deals)
        self.faults: list[Fault] = []
        self.notices: list[Fault] = []
        self.hands: list[HandVerdict] = []
        self.scoreless = False

    def verdict(self, source: str) -> Verdict:
        dealer: str | None = None
        for index, hand in enumerate(self.record.hands):
            if self.count.decided:
                self._add(Fault("match.over", "R7.4"), index, "")
                self.hands.append(HandVerdict(index + 1, False, None, None, None))
                continue
            self._hand(index, hand, dealer)
            dealer = hand.dealer
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
        )

    def _hand(self, index: int, hand: HandRecord, last_dealer: str | None) -> None:
        faults: list[Fault] = []
        dealt = whole_deal(self.rules, hand)
        if hand.deal is not None and (dealt is None or not _trump_lies_with_dealer(hand, dealt)):
            faults += _deal_faults(self.rules, hand, hand.deal)
        if last_dealer is not None:
            expected = SEATS[self.rules.after(SEATS.index(last_dealer))]
            if hand.dealer != expected:
                facts = {"found": hand.dealer, "expected": expected}
                faults.append(Fault("deal.dealer", "R2.4", path="dealer", facts=facts))
        for fault in faults:
            self._add(fault, index, fault.path)
        if faults:
            self.scoreless = True
            self.count.count(None)
            self.hands.append(HandVerdict(index + 1, False, None, None, None))
        elif hand.points is not None and hand.winner is not None and hand.play is None:
            self._unaudited(index, hand.points, hand.winner)
        elif dealt is not None and hand.trump is not None and hand.play is not None:
            dealer, trump = SEATS.index(hand.dealer), CARDS[hand.trump] // 10
            self._played(index, hand, _replayed(self.rules, dealer, dealt, trump, hand.play))

    def _played(self, index: int, hand: HandRecord, outcome: Outcome) -> None:
        self.notices += [
            replace(notice, hand=index + 1, path=f"/hands/{index}/play")
            for notice in outcome.notices
        ]
        if outcome.fault is not None:
            self._add(outcome.fault, index, "play")
        if outcome.points is None or outcome.winner is None:
            self._stopped(index, hand, outcome)
            return
        sides = self.rules.sides
        points = dict(zip(sides, outcome.points, strict=True))
        winner = sides[outcome.winner]
        last = None if outcome.last_side is None else sides[outcome.last_side]
        self.hands.append(
            HandVerdict(
                index + 1,
                True,
                points,
                winner,
                last,
                outcome.declarations,
                outcome.leaders,
                hand.play or "",
            )
        )
        self.count.count(winner)
        if outcome.fault is None:
            self._compare(index, hand, points, winner, outcome.ended_by_tute)

    def _compare(
        self,
        index: int,
        hand: HandRecord,
        points: Mapping[str, int],
        winner: str,
        by_tute: bool,
    ) -> None:
        if hand.points is not None and dict(hand.points) != points:
            totals = {"stated": dict(hand.points), "replayed": points}
            self._add(Fault("score.points", "R7.1", facts=totals), index, "points")
        elif hand.winner is not None and hand.winner != winner:
            facts = {"stated": hand.winner, "replayed": winner}
            tied = len(set(points.values())) == 1 and not by_tute
            rule = "R7.3" if tied else "R7.2"
            self._add(Fault("score.winner", rule, facts=facts), index, "winner")

    def _unaudited(self, index: int, points: Mapping[str, int], winner: str) -> None:
        self.hands.append(HandVerdict(index + 1, False, points, winner, None))
        self.count.count(winner)
        why = impossible_points(points, winner)
        if why == "points":
            self._add(Fault("score.impossible", "F1", facts={"stated": dict(points)}), index, why)
        elif why == "winner":
            other = next(side for side in points if side != winner)
            facts = {"stated": winner, "replayed": other}
            self._add(Fault("score.winner", "R7.2", facts=facts), index, why)
        self.notices.append(
            Fault("hand.unaudited", "F1", hand=index + 1, path=f"/hands/{index}/play")
        )

    def _stopped(self, index: int, hand: HandRecord, outcome: Outcome) -> None:
        """A hand whose replay a fault stopped: what stands is shown, and scores nothing."""
        self.scoreless = True
        self.count.count(None)
        self.hands.append(
            HandVerdict(
                index + 1,
                True,
                None,
                None,
                None,
                outcome.declarations,
                outcome.leaders,
                hand.play or "",
            )
        )

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

    def _add(self, fault: Fault, index: int, place: str) -> None:
        path = f"/hands/{index}/{place}" if place else f"/hands/{index}"
        self.faults.append(replace(fault, hand=index + 1, path=path))


def whole_deal(rules: Ruleset, hand: HandRecord) -> tuple[int, ...] | None:
    """The hands as card sets, ``None`` unless every seat holds its number and the pack is whole.

    Forty powers of two add up to the full pack only when no two are equal.
    """
    if hand.deal is None:
        return None
    dealt = []
    for seat in rules.seats:
        texts = hand.deal[seat].split()
        if len(texts) != rules.cards_each:
            return None
        try:
            dealt.append(sum(map(BITS.__getitem__, texts)))
        except KeyError:
            return None
    return tuple(dealt) if sum(dealt) == PACK else None


def _trump_lies_with_dealer(hand: HandRecord, dealt: tuple[int, ...]) -> bool:
    """Whether the card that shows trumps is the dealer's (R3)."""
    if hand.trump is None:
        return True
    return bool(BITS.get(hand.trump, 0) & dealt[SEATS.index(hand.dealer)])


def _deal_faults(rules: Ruleset, hand: HandRecord, deal: Mapping[str, str]) -> Iterator[Fault]:
    """What makes a deal impossible, in the order of F3; one fault a kind.

    What follows from a fault is not told again: a card missing because another stands in its
    place, a short hand because a card is missing, a long one because of a card too many.
    """
    held = {seat: deal[seat].split() for seat in rules.seats}
    texts = [(seat, text) for seat, cards in held.items() for text in cards]
    unknown = [(seat, text) for seat, text in texts if text not in CARDS]
    known = [text for _seat, text in texts if text in CARDS]
    twice = sorted({text for text in known if known.count(text) > 1})
    dealt = sum(1 << CARDS[text] for text in set(known))
    missing = [CARD_NAMES[card] for card in cards_in(PACK & ~dealt)]
    if unknown:
        facts = {
            "cards": [text for _seat, text in unknown],
            "seats": [seat for seat, _text in unknown],
            "missing": missing,
        }
        yield Fault("deal.card", "R1", path="deal", facts=facts)
    if twice:
        seats = [seat for seat, text in texts if text in twice]
        facts = {"cards": twice, "seats": seats, "missing": missing}
        yield Fault("deal.duplicate", "R1", path="deal", facts=facts)
    surplus = len(unknown) + len(known) - len(set(known))
    if len(missing) > surplus:
        yield Fault("deal.missing", "R1", path="deal", facts={"cards": missing})
    sizes = {seat: len(cards) for seat, cards in held.items()}
    if min(sizes.values()) < rules.cards_each < max(sizes.values()):
        wrong = {seat: size for seat, size in sizes.items() if size != rules.cards_each}
        yield Fault(
            "deal.size", "R3", path="deal", facts={"sizes": wrong, "expected": rules.cards_each}
        )
    yield from _trump_fault(hand, held)


def _trump_fault(hand: HandRecord, held: Mapping[str, list[str]]) -> Iterator[Fault]:
    if hand.trump is not None and (hand.trump not in CARDS or hand.trump not in held[hand.dealer]):
        facts = {"dealer": hand.dealer, "card": hand.trump}
        yield Fault("deal.trump", "R3", path="trump", facts=facts)


def digest(record: Record) -> str:
    """``sha256:`` and the hash of the facts of a record: the same game has the same digest.

    Hashed are the ruleset with its version, the length of the match and each hand's dealer, trump,
    deal and play (or its stated result where the play is missing); not names, tags or statements.
    """
    length = f"to={record.target}" if record.deals is None else f"deals={record.deals}"
    lines = [DIGEST_DOMAIN, record.ruleset.identity, length]
    for hand in record.hands:
        deal = "-"
        if hand.deal is not None:
            deal = "|".join([_canonical(hand.deal[seat]) for seat in record.ruleset.seats])
        if hand.play is not None:
            played = " ".join(hand.play.split())
        else:
            points = sorted((hand.points or {}).items())
            played = f"unplayed {points} {hand.winner}"
        lines.append(f"{hand.dealer} {hand.trump or '-'} {deal} {played}")
    return "sha256:" + hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _canonical(cards: str) -> str:
    return " ".join(sorted(cards.split()))

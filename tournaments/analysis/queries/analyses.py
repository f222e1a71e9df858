"""Analysis of a hand and of a match, and its progress."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import Prefetch

import engine
from tournaments.core.db import row_of
from tournaments.domain.scores import sides_of
from tournaments.models import AnalysedHand, Analysis, Hand, Record

if TYPE_CHECKING:
    from tournaments.results.queries.matches import HandPage, MatchPage


State = Analysis.State
SEATS = "ABCD"
VERDICT_SIGNS = {**engine.MARKS, "inaccuracy": "?!", "decisive": "??"}
"""The sign of each mark and of each severity; luck has none."""

SIGNS = (1, -1)
"""Factor of a margin of the first side: for the first side, and for the second."""


@dataclass(frozen=True, slots=True)
class PlayRow:
    """A card that was played and its cost; fields as in :class:`engine.CardAnalysis`.

    ``sign`` is the symbol of ``mark``, ``step`` the frame that shows the card on the table. Pages
    show one ``cost`` with its error: the fair loss over the most deals that were drawn, and call
    the card by its ``verdict``.
    """

    token: int
    step: int
    trick: int
    seat: str
    card: str
    legal: int
    open_loss: int
    open_best: str
    fair_loss: float | None
    fair_error: float | None
    fair_best: str
    mark: str
    sign: str
    better: str
    gain: float | None
    gain_error: float | None
    deals: int | None
    stable: bool
    cost: float | None
    cost_error: float | None
    hand_loss: float | None
    hand_error: float | None
    hand_best: str
    hand_wins: int | None
    hand_best_wins: int | None
    hand_deals: int | None
    hand_every: bool
    hand_part: str
    hand_part_outcome: str | None
    hand_part_points: float | None
    hand_gain: float | None
    hand_changes: int | None
    judgement: str
    figures: tuple[engine.CardFigure, ...]
    figure_deals: int | None

    @property
    def verdict(self) -> str:
        """Its judgement by the chance of the hand, or its mark where points alone do not decide."""
        return self.mark if self.hand_deals is None else self.judgement

    @property
    def verdict_sign(self) -> str:
        """The sign of the verdict; empty for luck."""
        return VERDICT_SIGNS.get(self.verdict, "")

    @property
    def forced(self) -> bool:
        """Whether no other card was legal."""
        return self.legal == 1


@dataclass(frozen=True, slots=True)
class TurnRow:
    """The card that decided a hand; fields as in :class:`engine.Turn`.

    ``before`` and ``after`` are the margins of ``loser``, the side that played it, seen by that
    side. ``name`` is the player's, ``step`` the frame that shows the card on the table, and
    ``play`` the row of the card.
    """

    token: int
    step: int
    trick: int
    seat: str
    name: str
    card: str
    loser: str
    winner: str
    before: int
    after: int
    judgement: str
    cost: float | None
    error: float | None
    better: str
    deals: int | None
    play: PlayRow


@dataclass(frozen=True, slots=True)
class SideMargin:
    """A side's points minus the other's, in a hand: ``result`` = ``luck`` + ``skill``.

    ``luck`` is the margin under best play by all; ``par`` is its part from cards and last trick,
    from the point where all cards are known. ``scaled`` takes only part of par as luck.
    """

    side: str
    name: str
    par: int
    result: int
    luck: int
    skill: int
    scaled: engine.ScaledLuck


@dataclass(frozen=True, slots=True)
class SeatLoss:
    """The cost of the cards of one seat in a hand."""

    seat: str
    name: str
    role: str
    open_loss: int
    fair_loss: float
    choices: int
    marks: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class HandAnalysisPage:
    """The analysis of one hand.

    ``state`` is empty where it was not requested, ``waiting`` while it is pending, ``done``, or
    ``nothing_to_analyse`` or ``failed`` with the reason in ``code``. Only ``done`` has ``sides``,
    ``plays``, ``seats`` and ``line``, one line of best play by tricks from token ``first`` on, and
    says what it was ``decided_by``: ``card``, the ``turn``, ``deal``, or nothing where points alone
    do not decide, or until an analysis of an earlier release is renewed. Until it is ``judged``
    no card has a verdict; ``judging`` says that this is on its way.
    """

    match_pk: int
    number: int
    state: str = ""
    code: str = ""
    version: int | None = None
    worlds: int = 0
    first: int = 0
    sides: tuple[SideMargin, ...] = ()
    plays: tuple[PlayRow, ...] = ()
    seats: tuple[SeatLoss, ...] = ()
    line: tuple[tuple[str, ...], ...] = ()
    decided_by: str = ""
    turn: TurnRow | None = None
    judged: bool = True
    judging: bool = False
    scale: engine.LuckScale = engine.LUCK_SCALE

    @property
    def by_hand(self) -> bool:
        """Whether the cards are judged by the chance of the hand, else by points."""
        return any(play.hand_deals is not None for play in self.plays)

    @property
    def marked(self) -> tuple[PlayRow, ...]:
        """The cards that got a verdict."""
        return tuple(play for play in self.plays if play.verdict)

    @property
    def choices(self) -> tuple[PlayRow, ...]:
        """The cards that were not forced."""
        return tuple(play for play in self.plays if not play.forced)

    @property
    def costliest(self) -> PlayRow | None:
        """The card with a sign that cost most, if it is not the turn."""
        signed = [play for play in self.plays if play.verdict_sign]
        costliest = max(
            signed, key=lambda play: (play.hand_loss or 0, play.cost or 0), default=None
        )
        is_turn = self.turn is not None and costliest is self.turn.play
        return None if is_turn else costliest


@dataclass(frozen=True, slots=True)
class KeyCard:
    """A card of a match to look at: its hand and trick, who played it, what was better.

    ``step`` is the frame that shows it on the table. ``cost`` is what it lost in points, or where
    the hand is judged by its chance ``wins`` of ``deals`` are won after it, ``best_wins`` after
    ``better``. ``token`` is that of a card that can be tried again.
    """

    number: int
    step: int
    trick: int
    name: str
    card: str
    cost: float | None
    better: str
    loss: float | None = None
    wins: int | None = None
    best_wins: int | None = None
    deals: int | None = None
    token: int | None = None


@dataclass(frozen=True, slots=True)
class HandLuck:
    """A hand of a match: home's points minus away's, their parts, and what decided it.

    ``name`` is of the player of the ``turn``; of several records, which seat differently, the seat.
    ``deciding`` is the card of the turn, ``costliest`` the one with the largest loss of those that
    could be known to be worse.
    """

    number: int
    margins: engine.Margins
    decided_by: str = ""
    turn: engine.Turn | None = None
    name: str = ""
    deciding: KeyCard | None = None
    costliest: KeyCard | None = None


@dataclass(frozen=True, slots=True)
class SideLuck:
    """A side's points minus the other's in the analysed hands of a match, and their parts."""

    name: str
    result: int
    scaled: engine.ScaledLuck


@dataclass(frozen=True, slots=True)
class MatchAnalysis:
    """The analysis of a match: ``done`` of its ``total`` hands are analysed.

    ``state`` and ``code`` as for a hand; ``may_ask``: the viewer may request the analysis.
    """

    match_pk: int
    state: str
    code: str
    done: int
    total: int
    sides: tuple[SideLuck, ...]
    hands: tuple[HandLuck, ...]
    may_ask: bool
    scale: engine.LuckScale = engine.LUCK_SCALE

    @property
    def turned(self) -> tuple[HandLuck, ...]:
        """The hands of which it is known what decided them."""
        return tuple(hand for hand in self.hands if hand.decided_by)

    @property
    def deciding(self) -> KeyCard | None:
        """The card that decided the last hand that a card decided."""
        return next((hand.deciding for hand in reversed(self.hands) if hand.deciding), None)

    @property
    def costliest(self) -> KeyCard | None:
        """The card of the match with the largest loss."""
        cards = [hand.costliest for hand in self.hands if hand.costliest]
        return max(cards, key=lambda card: (card.loss or 0, card.cost or 0), default=None)


def hand_analysis(page: HandPage) -> HandAnalysisPage:
    """Return the analysis of a hand that the viewer may see: two queries at most.

    The second is whether it waits, or is being judged.
    """
    analysed_hand = (
        AnalysedHand.objects.filter(
            hand__record=page.record_pk, hand__number=page.verdict["number"]
        )
        .select_related("analysis")
        .first()
    )
    if analysed_hand is not None:
        analysis = _analysis_page(page, analysed_hand.analysis.hand_analysis)
        due = Analysis.objects.due().filter(record=page.record_pk)
        return replace(analysis, judging=not analysis.judged and due.exists())
    row = Analysis.objects.filter(record=page.record_pk).first()
    state, code = ("", "") if row is None else (row.state, row.code)
    return HandAnalysisPage(page.match.pk, page.number, state=state, code=code)


def _analysis_page(page: HandPage, analysis: engine.HandAnalysis) -> HandAnalysisPage:
    if analysis.code is not None:
        return HandAnalysisPage(
            page.match.pk, page.number, State.NOTHING, analysis.code, version=analysis.version
        )
    seats = len(page.seats)
    plays = tuple(_play(play, analysis) for play in analysis.plays)
    return HandAnalysisPage(
        page.match.pk,
        page.number,
        State.DONE,
        version=analysis.version,
        worlds=analysis.terms.worlds,
        first=analysis.first,
        sides=tuple(
            SideMargin(
                side,
                page.sides[side],
                sign * analysis.par,
                sign * analysis.result,
                sign * analysis.luck,
                sign * analysis.skill,
                engine.scale_luck([analysis.margins(sign)]),
            )
            for side, sign in zip(analysis.sides, SIGNS, strict=True)
        ),
        plays=plays,
        seats=tuple(row_of(SeatLoss, seat, name=page.seats[seat.seat]) for seat in analysis.seats),
        line=tuple(
            analysis.line[start : start + seats] for start in range(0, len(analysis.line), seats)
        ),
        decided_by=analysis.decided_by,
        turn=None if analysis.turn is None else _turn(analysis.turn, page, plays),
        judged=analysis.judged,
    )


def _turn(turn: engine.Turn, page: HandPage, plays: Iterable[PlayRow]) -> TurnRow:
    loser, winner = sorted(page.sides, key=lambda side: turn.seat not in side)
    sign = home_sign(loser)
    return row_of(
        TurnRow,
        turn,
        step=turn.token + 1,
        name=page.seats[turn.seat],
        loser=page.sides[loser],
        winner=page.sides[winner],
        before=sign * turn.before,
        after=sign * turn.after,
        cost=turn.loss,
        better=turn.better or "",
        play=next(play for play in plays if play.token == turn.token),
    )


def _play(play: engine.CardAnalysis, analysis: engine.HandAnalysis) -> PlayRow:
    worlds, turn = analysis.terms.worlds, analysis.turn
    old = play.mark is not None and play.gain is None  # stored by version 1, not yet analysed again
    cost, cost_error = play.fair_loss, play.fair_error
    if play.gain is not None:
        cost, cost_error = play.gain, play.gain_error
    elif turn is not None and turn.token == play.token and turn.loss is not None:
        cost, cost_error = turn.loss, turn.error
    return row_of(
        PlayRow,
        play,
        step=play.token + 1,
        fair_best=play.fair_best or "",
        mark=play.mark or "",
        sign=engine.MARKS[play.mark] if play.mark else "",
        better=play.better or "",
        gain=play.fair_loss if old else play.gain,
        gain_error=play.fair_error if old else play.gain_error,
        deals=worlds if old else play.deals,
        stable=play.stable is not False,
        cost=cost,
        cost_error=cost_error,
        hand_best=play.hand_best or "",
        hand_every=bool(play.hand_every),
        hand_part=play.hand_part or "",
    )


# --- a match -------------------------------------------------------------------------------------


def match_analysis(page: MatchPage) -> MatchAnalysis | None:
    """Return the analysis of a match for its page; None without visible records.

    Three queries at most.
    """
    if page.record is None or page.hides_deals:
        return None
    records = list(
        Record.objects.filter(match=page.match.pk)
        .accepted()
        .order_by("coto")
        .only("pk", "home_side", "coto")
        .prefetch_related(Prefetch("hands", Hand.objects.only("record_id", "number")))
    )
    rows = {row.record_id: row for row in Analysis.objects.filter(record__in=records)}
    names = dict(zip(SEATS, page.seats, strict=False)) if len(records) == 1 else {}
    hands = tuple(_hand_lucks(records, names))
    analyses = [rows[record.pk] for record in records if record.pk in rows]
    state, code = _state(analyses)
    asks = settings.ENVIRONMENT.analysis and page.head.may.arbitrate
    return MatchAnalysis(
        match_pk=page.match.pk,
        state=state,
        code=code,
        done=sum(row.done for row in analyses),
        total=len(page.hands),
        sides=side_lucks([side.name for side in page.match.sides], hands) if hands else (),
        hands=hands,
        may_ask=asks and (state == State.FAILED or len(analyses) < len(records)),
    )


def _state(rows: Sequence[Analysis]) -> tuple[str, str]:
    """Return the state of a match from its records: waiting before failed before done."""
    order = (State.WAITING, State.FAILED, State.DONE, State.NOTHING)
    for state in order:
        for row in rows:
            if row.state == state:
                return state, row.code
    return "", ""


def _hand_lucks(records: Iterable[Record], names: Mapping[str, str]) -> Iterable[HandLuck]:
    """Yield the analysed hands of a match's records from home's side; one query."""
    records = tuple(records)
    analysed = AnalysedHand.objects.filter(hand__record__in=records, analysis__code="")
    fields = ("result", "luck", "par", "answer__decided_by", "answer__turn", "answer__plays")
    analyses = {
        hand: (margins, decided_by, turn, plays)
        for hand, *margins, decided_by, turn, plays in analysed.values_list(
            "hand_id", *(f"analysis__{name}" for name in fields)
        )
    }
    numbers = count(1)
    for record in records:
        sign = home_sign(record.home_side)
        for hand in sorted(record.hands.all(), key=lambda hand: hand.number):
            number = next(numbers)
            if hand.pk in analyses:
                margins, decided_by, answer, plays = analyses[hand.pk]
                turn = None if answer is None else engine.Turn(**answer)
                yield HandLuck(
                    number,
                    engine.Margins(*(sign * (each or 0) for each in margins)),
                    decided_by or "",
                    turn,
                    "" if turn is None else names.get(turn.seat, turn.seat),
                    None if turn is None else _deciding(number, turn, plays or (), names),
                    _costliest(number, plays or (), names),
                )


def _deciding(
    number: int, turn: engine.Turn, plays: Iterable[Mapping[str, Any]], names: Mapping[str, str]
) -> KeyCard:
    """Return the card that decided a hand."""
    play = next(play for play in plays if play["token"] == turn.token)
    return _key_card(number, {**play, "gain": turn.loss, "better": turn.better}, names)


def _costliest(
    number: int, plays: Iterable[Mapping[str, Any]], names: Mapping[str, str]
) -> KeyCard | None:
    """Return the card of a hand with the largest loss among those that have a sign."""
    plays = tuple(plays)
    judged = [play for play in plays if VERDICT_SIGNS.get(play.get("judgement", ""))]
    if any(play.get("hand_deals") for play in plays):
        costs = [(float(play["hand_loss"]), play) for play in judged]
    else:
        costs = [(float(play["gain"]), play) for play in plays if play.get("gain") is not None]
    if not costs:
        return None
    _cost, play = max(costs, key=lambda each: each[0])
    return _key_card(number, play, names)


def sign_of(play: Mapping[str, Any]) -> str:
    """Return the sign of a stored card, as of its :class:`PlayRow`; empty without one."""
    by_hand = play.get("hand_deals") is not None
    verdict = play.get("judgement") if by_hand else play.get("mark")
    return VERDICT_SIGNS.get(verdict or "", "")


def _key_card(number: int, play: Mapping[str, Any], names: Mapping[str, str]) -> KeyCard:
    by_hand = play.get("hand_deals") is not None
    better = play["hand_best"] if by_hand else play.get("better") or ""
    is_best = by_hand and play["hand_loss"] <= 0  # in other deals, after all
    return KeyCard(
        number=number,
        step=play["token"] + 1,
        trick=play["trick"],
        name=names.get(play["seat"], play["seat"]),
        card=play["card"],
        cost=play.get("gain"),
        better="" if better == play["card"] or is_best else better,
        loss=play.get("hand_loss"),
        wins=play.get("hand_wins"),
        best_wins=play["hand_wins"] if is_best else play.get("hand_best_wins"),
        deals=play.get("hand_deals"),
        token=play["token"] if play.get("figures") else None,
    )


def home_sign(home_side: str) -> int:
    """Return the factor that turns a margin of the first side into one of home."""
    return 1 if home_side == min(sides_of(home_side)) else -1


def side_lucks(names: Sequence[str], hands: Sequence[HandLuck]) -> tuple[SideLuck, ...]:
    """Return the sums of both sides over at least one hand."""
    return tuple(
        SideLuck(
            name,
            sum(sign * hand.margins.result for hand in hands),
            engine.scale_luck(
                [engine.Margins(*(sign * each for each in hand.margins)) for hand in hands]
            ),
        )
        for name, sign in zip(names, SIGNS, strict=False)
    )

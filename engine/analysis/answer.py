"""The results of an analysis as frozen rows, and their JSON form."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from engine.analysis.judgements import NEARLY_BEST, Judgement, PartOutcome
from engine.contest.intervals import Interval, mean_interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

ANALYSIS_VERSION: Final = 5
"""To be raised with every change of marks, solver or worlds that changes the figures of a hand:
results stored under another version are stale."""

NO_PLAY: Final = "no_play"
FAULT: Final = "fault"
SIDES: Final = "not_two_sides"
STOCK: Final = "stock"
CAPOTE: Final = "capote"
NOT_ANALYSED: Final = (NO_PLAY, FAULT, SIDES, STOCK, CAPOTE)
"""Why a hand has no analysis: only its result is known (a forfeited hand too), a rule is broken in
it, three play it, it ended before the stock was gone, or it was played for a capote."""

DECIMALS: Final = 2
"""Decimals of points that are kept."""

Decision = Literal["", "deal", "card"]
"""What decided a hand: its deal, since the winners had it won with best play from the first card
on, or a card, the :class:`Turn`. Empty where points alone do not decide: a tute, a race."""

TurnJudgement = Literal["", "bad_luck", "unclear", "mistake"]
"""What a turn is held to be; empty where no deals were asked for."""

ROLES: Final = ("mano", "dealer_partner", "mano_partner", "dealer")
"""What a seat is in its hand, from the one that leads the first trick; the two of two players are
``mano`` and ``dealer``."""


class LuckScale(NamedTuple):
    """The share of par that results keep: half its 95 % interval is ``margin``."""

    value: float
    margin: float
    hands: int


LUCK_SCALE: Final = LuckScale(0.66, 0.04, 597)
"""Slope of cards made on par, over the simulated club night and tables of the bots ``simple`` and
``strong`` (`python -m benchmarks.luck RECORDS`; docs/programs/analysis.md)."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The extent of an analysis: ``worlds`` sampled deals a card, from trick ``fair_from`` on.

    Tricks are counted as in a game of ten: ``fair_from`` 3 asks wherever a hand holds at most
    eight cards, 1 asks everywhere. The chance of the hand is asked for two tricks earlier.
    ``worlds`` 0 asks for neither. Raises ``ValueError`` for other numbers.
    """

    worlds: int = 40
    fair_from: int = 3

    def __post_init__(self) -> None:
        if self.worlds < 0 or not 1 <= self.fair_from <= 10:
            raise ValueError(f"no such terms of an analysis: {self}")


class CardFigure(NamedTuple):
    """A card that might have been played: deals won after it, its fair loss to the best in points.

    With all cards seen it loses ``open_loss`` points, and best play may follow as in ``line``, the
    names of cards. ``None`` or empty where the one or the other was not asked for.
    """

    card: str
    wins: int | None = None
    cost: float | None = None
    open_loss: int | None = None
    line: str = ""


@dataclass(frozen=True, slots=True)
class CardAnalysis:
    """One card that was played, and what it cost in points.

    ``token`` is its place among the tokens of the hand, from 0; ``legal`` counts the cards that
    might have been played: 1 is forced and costs nothing. ``open_loss`` is lost against best play
    with all cards seen, ``open_best`` a card that loses nothing so. ``fair_loss`` is lost, on
    average over the deals that the player could not tell apart, against ``fair_best``, the best
    card for these; ``fair_error`` is its standard error. ``expected`` is what the card loses on
    average over these deals with all cards seen: an honest player's open losses come to it in the
    long run. ``rank`` is the share of these deals in which it loses more than in the real one,
    ties counted half: a half on average for players who know only what they may. All
    five are ``None`` where they were not asked for. ``mark`` is a name of
    :data:`engine.analysis.marks.GRADES` where both losses say that ``better`` was better, by a
    fair ``gain`` with its standard error ``gain_error``. ``deals`` were drawn for the mark, more
    than for the other figures where its grade was not clear; if it is not ``stable``, it may be
    too mild.

    In a hand that points decide, the side wins ``hand_wins`` of ``hand_deals`` with best play by
    all after the card, and ``hand_best_wins`` after ``hand_best``: it loses ``hand_loss`` of the
    hand, with its standard error. ``hand_every`` says that these are all deals that were possible.
    ``judgement`` is what :func:`engine.analysis.judgements.judge` makes of that. Where it is
    severe and one part of the play makes at least half of it, ``hand_part`` is ``trick``, ``last``
    or a card: in ``hand_changes`` deals in which the hand changes sides it makes
    ``hand_part_points`` of the ``hand_gain`` points, on average, between the two cards. To a card
    ``hand_part_outcome`` happens in most of them; ``None`` with a part was stored before
    outcomes were, and then points that the card wins either way count for it if it was played.

    ``figures`` are those of all legal cards in the first sample, their wins of ``figure_deals``,
    and once the hand is judged with their lines.
    """

    token: int
    trick: int
    seat: str
    card: str
    legal: int
    open_loss: int
    open_best: str
    fair_loss: float | None = None
    fair_error: float | None = None
    fair_best: str | None = None
    expected: float | None = None
    rank: float | None = None
    mark: str | None = None
    better: str | None = None
    gain: float | None = None
    gain_error: float | None = None
    deals: int | None = None
    stable: bool | None = None
    hand_loss: float | None = None
    hand_error: float | None = None
    hand_best: str | None = None
    hand_wins: int | None = None
    hand_best_wins: int | None = None
    hand_deals: int | None = None
    hand_every: bool | None = None
    hand_part: str | None = None
    hand_part_outcome: PartOutcome | None = None
    hand_part_points: float | None = None
    hand_gain: float | None = None
    hand_changes: int | None = None
    judgement: Judgement = ""
    figures: tuple[CardFigure, ...] = ()
    figure_deals: int | None = None

    @property
    def independent_loss(self) -> float:
        """What it cost of the hand where that was found in other deals than the best card, else 0.

        Sums of these are not flattered: ``hand_loss`` of a first sample is.
        """
        is_first = not self.hand_every and self.hand_deals == self.figure_deals
        return 0.0 if is_first or self.hand_loss is None else self.hand_loss

    @property
    def turn_judgement(self) -> TurnJudgement:
        """Whether the player of a turn could know better, by what the card cost of the hand."""
        if self.hand_loss is None:
            return ""
        if self.judgement and self.judgement != "bad_luck":
            return "mistake"
        return "bad_luck" if self.hand_loss <= NEARLY_BEST else "unclear"

    @property
    def forced(self) -> bool:
        """Whether no other card was allowed."""
        return self.legal == 1

    @property
    def chosen(self) -> bool:
        """Whether there was a choice, and its fair loss was asked for."""
        return not self.forced and self.fair_loss is not None


@dataclass(frozen=True, slots=True)
class Turn:
    """The card that decided a hand: the last one after which the winners win it with best play.

    ``before`` and ``after`` are the first side's margins at the end of the hand, with best play by
    all, before and after the card. ``judgement`` says by the chance of the hand whether its player
    could know better. ``loss`` is its fair loss against ``better``, with its standard error, over
    ``deals``; these are ``None`` where no fair losses were asked for.
    """

    token: int
    trick: int
    seat: str
    card: str
    before: int
    after: int
    loss: float | None = None
    error: float | None = None
    better: str | None = None
    deals: int | None = None
    judgement: TurnJudgement = ""


@dataclass(frozen=True, slots=True)
class SeatAnalysis:
    """The losses of one seat's cards in a hand.

    ``open_loss`` is over all its cards, ``fair_loss`` over its ``choices``: the cards that were not
    forced and whose fair loss was asked for. ``marks`` counts them by grade, ``judgements`` by
    severity where the hand is judged by its chance, else ``None``, and ``hand_loss`` is then the
    sum of each card's ``independent_loss``. ``fit`` is the sum of the choices' ranks less a half
    each: over many hands about 0, more if hidden cards are known
    (:mod:`engine.analysis.arbiter`).
    """

    seat: str
    side: str
    role: str
    open_loss: int
    fair_loss: float
    choices: int
    marks: Mapping[str, int]
    fit: float
    judgements: Mapping[str, int] | None = None
    hand_loss: float | None = None


@dataclass(frozen=True, slots=True)
class HandAnalysis:
    """One hand: what its deal was worth, what its cards came to, and what each of them cost.

    ``code`` is one of :data:`NOT_ANALYSED`, and all that follows it then empty. All margins are
    points of the first side less those of the second. ``first`` is the token from which on all is
    known, 0 where there is no stock; ``before`` was made by then. ``par`` is what cards and last
    ten come to from there with best play by all, ``cards`` what they did come to, ``declared`` what
    was declared from there on. ``left`` is the part of ``cards`` that was not played, because a
    tute or a claim ended the hand, and counts as if best play had followed; else 0. ``line`` is one
    line of best play from ``first``. ``decided_by`` says what decided the hand, and ``turn`` is the
    card where it was one. Until it is ``judged``, chances and marks are of the first sample, and
    neither the cards nor the turn have a judgement.
    """

    number: int
    digest: str
    version: int
    terms: Terms
    ruleset: str
    sides: tuple[str, ...]
    code: str | None = None
    first: int = 0
    before: int = 0
    par: int = 0
    cards: int = 0
    declared: int = 0
    left: int = 0
    line: tuple[str, ...] = ()
    plays: tuple[CardAnalysis, ...] = ()
    seats: tuple[SeatAnalysis, ...] = ()
    decided_by: Decision = ""
    turn: Turn | None = None
    judged: bool = True

    @property
    def result(self) -> int:
        """The first side's points less the other's at the end of the hand."""
        return self.before + self.cards - self.left + self.declared

    @property
    def luck(self) -> int:
        """The cards' part of the first side's result: par, declarations, points made before."""
        return self.before + self.par + self.declared - self.left

    @property
    def skill(self) -> int:
        """The play's part of the first side's result: open losses of the others less its own."""
        return self.cards - self.par

    def margins(self, sign: int) -> Margins:
        """The margins of the first side, or with ``sign`` -1 of the second."""
        return Margins(sign * self.result, sign * self.luck, sign * self.par)

    def is_current(self, digest: str, terms: Terms) -> bool:
        """Whether analysing the hand of that digest under these terms would give this result."""
        return (self.digest, self.version, self.terms) == (digest, ANALYSIS_VERSION, terms)

    def to_dict(self) -> dict[str, Any]:
        """Converts to JSON objects, with ``result``, ``luck`` and ``skill``; no ``None`` fields."""
        document = asdict(self)
        document["plays"] = [_without_none(play) for play in document["plays"]]
        if self.code is None:
            return document | {"result": self.result, "luck": self.luck, "skill": self.skill}
        return {name: document[name] for name in _ALWAYS}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> HandAnalysis:
        """Reads the form of :meth:`to_dict`. Raises ``KeyError`` or ``TypeError`` for others."""
        attributes = {name: value for name, value in document.items() if name not in _COMPUTED}
        attributes["terms"] = Terms(**attributes["terms"])
        attributes["plays"] = tuple(_read_play(play) for play in attributes.get("plays", ()))
        attributes["seats"] = tuple(SeatAnalysis(**seat) for seat in attributes.get("seats", ()))
        for name in ("sides", "line"):
            attributes[name] = tuple(attributes.get(name, ()))
        if attributes.get("turn") is not None:
            attributes["turn"] = Turn(**attributes["turn"])
        return cls(**attributes)


_ALWAYS: Final = ("number", "digest", "version", "terms", "ruleset", "sides", "code")
_COMPUTED: Final = frozenset({"result", "luck", "skill"})


def _without_none(play: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in play.items() if value is not None and value != ()}


def _read_play(play: Mapping[str, Any]) -> CardAnalysis:
    figures = tuple(CardFigure(*each) for each in play.get("figures", ()))
    return CardAnalysis(**{**play, "figures": figures})


class Margins(NamedTuple):
    """What a hand came to for a side, in points over the other; see :class:`HandAnalysis`."""

    result: int
    luck: int
    par: int


class ScaledLuck(NamedTuple):
    """``luck`` and ``skill`` over some hands where only :data:`LUCK_SCALE` of par counts as luck.

    Their sum is the result; ``error`` is half the 95 % interval of both that the scale leaves, and
    ``a_hand`` the mean of ``skill`` with Student's.
    """

    luck: float
    error: float
    skill: float
    a_hand: Interval

    def to_dict(self) -> dict[str, Any]:
        """Converts to a JSON object."""
        return self._asdict() | {"a_hand": self.a_hand._asdict()}


def scale_luck(hands: Sequence[Margins]) -> ScaledLuck:
    """The scaled luck over at least one hand of a side."""
    skills = [hand.result - hand.luck + (1 - LUCK_SCALE.value) * hand.par for hand in hands]
    skill = round(sum(skills), 2)
    return ScaledLuck(
        round(sum(hand.result for hand in hands) - skill, 2),
        round(LUCK_SCALE.margin * abs(sum(hand.par for hand in hands)), 2),
        skill,
        mean_interval(skills),
    )


@dataclass(frozen=True, slots=True)
class AdjustedResult:
    """A side's result with the luck of the deals taken off, over some analysed hands.

    All are margins over the other side in points, summed: ``result`` = ``luck`` + ``skill``. The
    interval is Student's for the mean of ``skill`` a hand, hands being independent; it has no
    bounds for one hand. ``scaled`` divides the same result with :data:`LUCK_SCALE`.
    """

    side: str
    hands: int
    result: int
    luck: int
    skill: int
    skill_a_hand: Interval
    scaled: ScaledLuck

    def to_dict(self) -> dict[str, Any]:
        """Converts to a JSON object."""
        intervals = {"skill_a_hand": self.skill_a_hand._asdict(), "scaled": self.scaled.to_dict()}
        return asdict(self) | intervals


def adjusted_results(hands: Iterable[HandAnalysis]) -> tuple[AdjustedResult, ...]:
    """Each side's luck-adjusted result over the hands that were analysed; empty without any.

    The hands must be of the same sides.
    """
    analysed = [hand for hand in hands if hand.code is None]
    if not analysed:
        return ()
    return tuple(
        AdjustedResult(
            side,
            len(analysed),
            sum(sign * hand.result for hand in analysed),
            sum(sign * hand.luck for hand in analysed),
            sum(sign * hand.skill for hand in analysed),
            mean_interval([sign * hand.skill for hand in analysed]),
            scale_luck([hand.margins(sign) for hand in analysed]),
        )
        for side, sign in zip(analysed[0].sides, (1, -1), strict=True)
    )


@dataclass(frozen=True, slots=True)
class SeatSum:
    """The losses of one seat's cards over some hands; fields as in :class:`SeatAnalysis`.

    ``fits`` holds one number a hand.
    """

    seat: str
    hands: int
    open_loss: int
    fair_loss: float
    choices: int
    marks: Mapping[str, int]
    fits: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """A match: its hands in order, and what they come to. ``digest`` is that of the record."""

    digest: str
    ruleset: str
    terms: Terms
    hands: tuple[HandAnalysis, ...]
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def adjusted(self) -> tuple[AdjustedResult, ...]:
        """Each side's luck-adjusted result; empty when no hand was analysed."""
        return adjusted_results(self.hands)

    @property
    def seats(self) -> tuple[SeatSum, ...]:
        """Each seat's losses over the match."""
        return sums_by_seat(self.hands)

    def to_dict(self) -> dict[str, Any]:
        """Converts to a JSON object."""
        return {
            "digest": self.digest,
            "ruleset": self.ruleset,
            "terms": asdict(self.terms),
            "names": dict(self.names),
            "hands": [hand.to_dict() for hand in self.hands],
            "adjusted": [side.to_dict() for side in self.adjusted],
            "seats": [asdict(seat) for seat in self.seats],
        }


def sums_by_seat(hands: Iterable[HandAnalysis]) -> tuple[SeatSum, ...]:
    """Sums each seat's losses over the hands that were analysed."""
    analyses_by_seat: dict[str, list[SeatAnalysis]] = {}
    for hand in hands:
        for seat in hand.seats:
            analyses_by_seat.setdefault(seat.seat, []).append(seat)
    return tuple(_sum(analyses_by_seat[seat]) for seat in sorted(analyses_by_seat))


def _sum(rows: list[SeatAnalysis]) -> SeatSum:
    return SeatSum(
        rows[0].seat,
        len(rows),
        sum(row.open_loss for row in rows),
        round(sum(row.fair_loss for row in rows), 2),
        sum(row.choices for row in rows),
        {grade: sum(row.marks[grade] for row in rows) for grade in rows[0].marks},
        tuple(row.fit for row in rows),
    )

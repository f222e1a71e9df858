"""Analyses a record hand by hand: deal, cards and seats; finished hands can be kept."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine.analysis.answer import (
    ANALYSIS_VERSION,
    DECIMALS,
    ROLES,
    Analysis,
    CardAnalysis,
    CardFigure,
    HandAnalysis,
    SeatAnalysis,
    Terms,
)
from engine.analysis.chances import HandChances, HandLoss
from engine.analysis.fair_losses import (
    EVEN,
    FairLosses,
    Table,
    find_fair_losses,
    stable_rivals,
)
from engine.analysis.judgements import NEARLY_BEST, SEVERITIES, judge, severity_of
from engine.analysis.marks import Rival, find_mark, is_stable, no_marks
from engine.analysis.open_losses import OpenLosses, best_open, find_open_losses
from engine.analysis.parts import main_part
from engine.analysis.turn import find_turns, turn_of
from engine.analysis.walk import Step, Walk, margin, walk
from engine.auditor import digest, game_of
from engine.cards import CARD_NAMES, CARDS, SEATS
from engine.solver import lines_along, solve
from engine.state import WORTH
from engine.view import position_at

if TYPE_CHECKING:
    from engine.notation import HandRecord, Record
    from engine.state import State

DIGEST_DOMAIN: Final = "baza/analysis/1"
DEFAULT_TERMS: Final = Terms()
SHARE_DECIMALS: Final = 4  # of ranks and chances, which are shares of deals
COST_DECIMALS: Final = 1  # of the figures of all legal cards, a fifth of what is stored
CARDS_AT_TRICK: Final = 11
"""A hand of ten cards holds this number less the number of the trick."""
EARLIER: Final = 2
"""Tricks before the first fair losses from which on chances are computed: a tenth of the work."""


FindAnalysis = Callable[[str], HandAnalysis | None]
"""Looks up the stored analysis of a hand by its digest."""


def analyse(
    record: Record, terms: Terms = DEFAULT_TERMS, known: FindAnalysis | None = None
) -> Analysis:
    """Analyses a match; hands that ``known`` returns under the same terms are not computed again.

    Takes a quarter to half a second a hand; :func:`analyse_hands` yields them one by one.
    """
    rules = record.ruleset
    return Analysis(
        digest(record),
        rules.name,
        terms,
        tuple(analyse_hands(record, terms, known)),
        dict(zip(rules.seats, record.seats, strict=True)),
    )


def analyse_hands(
    record: Record, terms: Terms = DEFAULT_TERMS, known: FindAnalysis | None = None
) -> Iterator[HandAnalysis]:
    """The hands of a record in order, each analysed when it is asked for, unless it is known."""
    for index in range(len(record.hands)):
        stored = None if known is None else _stored(record, index, terms, known)
        yield analyse_hand(record, index, terms) if stored is None else stored


def _stored(record: Record, index: int, terms: Terms, lookup: FindAnalysis) -> HandAnalysis | None:
    digest_of_hand = hand_digest(record, index)
    analysis = lookup(digest_of_hand)
    if analysis is None or not analysis.is_current(digest_of_hand, terms):
        return None
    return replace(analysis, number=index + 1)


def best_line(record: Record, index: int, token: int) -> tuple[str, ...]:
    """One line of best play with all cards seen, from before ``token`` of a hand to its end.

    Raises ``IndexError`` where the hand does not get that far, and
    :class:`~engine.solver.SolverError` where it cannot be solved there.
    """
    return solve(position_at(record, index, token), line=True).line


def hand_digest(record: Record, index: int) -> str:
    """``sha256:`` and the hash of all that the analysis of a hand depends on.

    Hashed are the ruleset with its version and house rules, the seats, dealer, trump, deal, stock
    and play, and in a race what the hand brings along (R9.2); not names, tags or stated points.
    ``index`` counts from 0; raises ``IndexError`` where there is no such hand.
    """
    rules, hand = record.ruleset, record.hands[index]
    game = game_of(record, index)
    house = [f"{name}={value}" for name, value in sorted(record.house_rules.items())]
    deal = "-"
    if hand.deal is not None:
        deal = "|".join(" ".join(sorted(hand.deal[seat].split())) for seat in rules.seats)
    lines = [
        DIGEST_DOMAIN,
        " ".join([rules.identity, f"seats={rules.seat_count}", *house]),
        f"{game.deal} {' '.join(map(str, game.carried))}",
        f"{hand.dealer} {hand.trump or '-'}",
        deal,
        " ".join((hand.stock or "-").split()),
        "-" if hand.play is None else " ".join(hand.play.split()),
    ]
    return "sha256:" + hashlib.sha256("\n".join(lines).encode()).hexdigest()


def analyse_hand(
    record: Record, index: int, terms: Terms = DEFAULT_TERMS, *, judged: bool = True
) -> HandAnalysis:
    """Analyses one hand of a record: the value of its deal and the loss of each card.

    ``index`` counts from 0. Deterministic for the same hand, terms and version. A hand that cannot
    be analysed gets a ``code``. Without ``judged`` it is left to :func:`judge_hand`, which takes
    about as long. Raises ``IndexError`` where there is no such hand.
    """
    rules, hand = record.ruleset, record.hands[index]
    digest_of_hand = hand_digest(record, index)
    head = HandAnalysis(index + 1, digest_of_hand, ANALYSIS_VERSION, terms, rules.name, rules.sides)
    walked = walk(record, index)
    if isinstance(walked, str):
        return replace(head, code=walked)
    open_losses = find_open_losses(walked)
    table = Table(rules, hand)
    before, declared = margin(walked.opening.points), _declared(walked)
    margins = [before + declared + each for each in open_losses.margins]
    decided_by, turns = find_turns(walked, margins)
    by_hand = bool(decided_by and terms.worlds)
    plays = tuple(
        _analyse_card(step, number, open_losses, table, terms, final=not by_hand)
        for number, step in enumerate(walked.steps)
    )
    if by_hand:
        plays = _add_chances(plays, HandChances(table, walked, terms.worlds), terms)
    turn = None
    if turns:
        turn = turn_of(plays[turns[-1]], margins[turns[-1]], margins[turns[-1] + 1], terms)
    analysis = replace(
        head,
        first=walked.first,
        before=before,
        par=open_losses.margins[0],
        cards=open_losses.margins[-1],
        declared=declared,
        left=open_losses.left,
        line=solve(walked.opening, line=True).line,
        plays=plays,
        seats=_analyse_seats(walked, hand, plays),
        decided_by=decided_by,
        turn=turn,
        judged=not by_hand,
    )
    if by_hand:
        return _judge(analysis, hand, walked, open_losses) if judged else analysis
    if not terms.worlds:
        return analysis
    return replace(analysis, plays=_add_lines(plays, walked, open_losses))


def judge_hand(record: Record, index: int, analysis: HandAnalysis) -> HandAnalysis:
    """The same analysis with the judgements of its cards, by what each cost of the hand.

    Marks that the first sample left open are found over more deals.
    """
    walked = walk(record, index)
    if analysis.judged or isinstance(walked, str):
        return analysis
    return _judge(analysis, record.hands[index], walked, find_open_losses(walked))


def _judge(
    analysis: HandAnalysis, hand: HandRecord, walked: Walk, open_losses: OpenLosses
) -> HandAnalysis:
    table, terms = Table(walked.rules, hand), analysis.terms
    margins = [analysis.before + analysis.declared + each for each in open_losses.margins]
    _decided_by, turns = find_turns(walked, margins)
    chances = HandChances(table, walked, terms.worlds)
    plays = []
    for number, play in enumerate(analysis.plays):
        if play.stable is False:
            step = walked.steps[number]
            fair = find_fair_losses(step, table, terms.worlds)
            rivals = stable_rivals(step, table, fair, terms.worlds, open_losses.values[number])
            play = _mark_card(play, *rivals)
        plays.append(_judge_card(play, chances, number, number in turns[-1:]))
    turn = None
    if turns:
        turn = turn_of(plays[turns[-1]], margins[turns[-1]], margins[turns[-1] + 1], terms)
        turn = replace(turn, judgement=plays[turns[-1]].turn_judgement)
    seats = tuple(
        replace(
            seat,
            judgements=_count_judgements(plays, seat.seat),
            hand_loss=round(
                sum(p.independent_loss for p in plays if p.seat == seat.seat), SHARE_DECIMALS
            ),
        )
        for seat in _analyse_seats(walked, hand, plays)
    )
    return replace(
        analysis,
        plays=_add_lines(plays, walked, open_losses),
        turn=turn,
        seats=seats,
        judged=True,
    )


def _add_lines(
    plays: Sequence[CardAnalysis], walked: Walk, open_losses: OpenLosses
) -> tuple[CardAnalysis, ...]:
    """The cards with what all legal ones come to with all cards seen."""
    lines = iter(lines_along([step.moment for step in walked.steps if step.choices > 1]))
    return tuple(
        play if play.forced else _with_lines(play, open_losses.values[number], next(lines))
        for number, play in enumerate(plays)
    )


def _with_lines(
    play: CardAnalysis, values: Mapping[int, int], lines: Mapping[int, Sequence[str]]
) -> CardAnalysis:
    figures, best = {each.card: each for each in play.figures}, max(values.values())
    of_all = []
    for card, value in values.items():
        figure = figures.get(CARD_NAMES[card], CardFigure(CARD_NAMES[card]))
        of_all.append(figure._replace(open_loss=best - value, line=" ".join(lines[card])))
    return replace(play, figures=tuple(of_all))


def _count_judgements(plays: Sequence[CardAnalysis], seat: str) -> dict[str, int]:
    found = Counter(play.judgement for play in plays if play.seat == seat)
    return {name: found[name] for name, _least in reversed(SEVERITIES)}


def _declared(walked: Walk) -> int:
    """The first side's margin in what was declared from the opening on."""
    calls = walked.end.declared[len(walked.opening.declared) :]
    return sum((1, -1)[walked.rules.side_of(call.seat)] * WORTH[call.kind] for call in calls)


def _fair_losses(step: Step, table: Table, terms: Terms) -> FairLosses | None:
    """The fair losses of a step; ``None`` where they are not asked for."""
    hand_size = step.moment.hands[step.moment.turn].bit_count()
    if not terms.worlds or hand_size > CARDS_AT_TRICK - terms.fair_from:
        return None
    return find_fair_losses(step, table, terms.worlds)


def _analyse_card(
    step: Step, number: int, open_losses: OpenLosses, table: Table, terms: Terms, *, final: bool
) -> CardAnalysis:
    """The card with its losses, and its mark: the ``final`` one, or by the first sample alone."""
    values, fair = open_losses.values[number], _fair_losses(step, table, terms)
    analysis = CardAnalysis(
        step.token,
        step.state.trick,
        step.seat,
        CARD_NAMES[step.card],
        step.choices,
        open_losses.loss(number),
        CARD_NAMES[best_open(step, values)],
    )
    if fair is None:
        return analysis
    analysis = replace(
        analysis,
        fair_loss=round(fair.loss, DECIMALS),
        fair_error=round(fair.error, DECIMALS),
        fair_best=CARD_NAMES[fair.best],
        expected=round(fair.expected, DECIMALS),
        rank=round(fair.rank(step.card, analysis.open_loss), SHARE_DECIMALS),
        figures=tuple(
            CardFigure(CARD_NAMES[card], None, round(cost, COST_DECIMALS))
            for card, cost in fair.costs().items()
        ),
    )
    if not values:
        return analysis
    if final:
        return _mark_card(analysis, *stable_rivals(step, table, fair, terms.worlds, values))
    return _mark_card(analysis, fair.rivals(step.card, values), terms.worlds)


def _mark_card(play: CardAnalysis, rivals: Sequence[Rival], deals: int) -> CardAnalysis:
    play = replace(
        play,
        deals=deals,
        stable=is_stable(rivals),
        mark=None,
        better=None,
        gain=None,
        gain_error=None,
    )
    mark = find_mark(rivals)
    if mark is None:
        return play
    grade, better = mark
    return replace(
        play,
        mark=grade.name,
        better=CARD_NAMES[better.card],
        gain=round(better.fair, DECIMALS),
        gain_error=round(better.error, DECIMALS),
    )


def _add_chances(
    plays: tuple[CardAnalysis, ...], chances: HandChances, terms: Terms
) -> tuple[CardAnalysis, ...]:
    """The cards with what each cost of the hand in the first sample."""
    most = CARDS_AT_TRICK - terms.fair_from + EARLIER
    return tuple(
        play
        if play.forced or chances.hand_size(number) > most
        else _with_loss(play, chances.first_loss(number))
        for number, play in enumerate(plays)
    )


def _with_loss(play: CardAnalysis, loss: HandLoss) -> CardAnalysis:
    """The card with what it cost of the hand, and the figures of all cards that were looked at."""
    play = replace(
        play,
        hand_loss=round(loss.loss, SHARE_DECIMALS),
        hand_error=round(loss.error, SHARE_DECIMALS),
        hand_best=CARD_NAMES[loss.best],
        hand_wins=loss.wins,
        hand_best_wins=loss.best_wins,
        hand_deals=loss.chances.deal_count,
        hand_every=loss.chances.every,
    )
    cards = loss.chances.deals[0].wins
    if len(cards) < play.legal or (play.figure_deals and not loss.chances.every):
        return play  # those of the first sample stay
    costs = {figure.card: figure.cost for figure in play.figures}
    figures = tuple(
        CardFigure(CARD_NAMES[card], loss.chances.wins(card), costs.get(CARD_NAMES[card]))
        for card in cards
    )
    return replace(play, figures=figures, figure_deals=play.hand_deals)


def _judge_card(
    play: CardAnalysis, chances: HandChances, number: int, lost_hand: bool
) -> CardAnalysis:
    """The card judged in other deals where it may have cost much; a severe one is explained.

    By ``lost_hand`` the hand was lost by it in the real deal: then too, as in the first sample a
    card that cost a tenth of the hand may look like bad luck.
    """
    cost, best = play.hand_loss, play.hand_best
    loss: HandLoss | None = None
    if cost is None or best is None:
        return play
    if not play.hand_every and best != play.card and (cost >= NEARLY_BEST or lost_hand):
        loss = chances.second_loss(number, CARDS[best])
        play = _with_loss(play, loss)
    cost, error = play.hand_loss or 0.0, play.hand_error or 0.0
    if severity_of(cost, error):
        play = _explain_card(play, chances.state(number), loss or chances.first_loss(number))
    judgement = judge(cost, error, open_loss=play.open_loss, lost_hand=lost_hand)
    return replace(play, judgement=judgement)


def _explain_card(play: CardAnalysis, state: State, loss: HandLoss) -> CardAnalysis:
    deals = loss.chances.changing(CARDS[play.card], loss.best)
    part = main_part(state, deals, play.card, CARD_NAMES[loss.best])
    if part is None:
        return play
    return replace(
        play,
        hand_part=part.name,
        hand_part_outcome=part.outcome,
        hand_part_points=round(part.points, DECIMALS),
        hand_gain=round(part.gain, DECIMALS),
        hand_changes=part.deals,
    )


def _analyse_seats(
    walked: Walk, hand: HandRecord, plays: Sequence[CardAnalysis]
) -> tuple[SeatAnalysis, ...]:
    rules, mano = walked.rules, walked.rules.after(SEATS.index(hand.dealer))
    roles = ROLES if rules.seat_count == len(ROLES) else (ROLES[0], ROLES[-1])
    analyses = []
    for seat, letter in enumerate(rules.seats):
        role = roles[(seat - mano) % rules.seat_count]
        seat_plays = [play for play in plays if play.seat == letter]
        analyses.append(_analyse_seat(letter, rules.sides[rules.side_of(seat)], role, seat_plays))
    return tuple(analyses)


def _analyse_seat(letter: str, side: str, role: str, plays: list[CardAnalysis]) -> SeatAnalysis:
    choices = [play for play in plays if play.chosen]
    marks = no_marks()
    for play in plays:
        if play.mark is not None:
            marks[play.mark] += 1
    return SeatAnalysis(
        letter,
        side,
        role,
        sum(play.open_loss for play in plays),
        round(sum(play.fair_loss or 0.0 for play in choices), DECIMALS),
        len(choices),
        marks,
        round(sum((play.rank or 0.0) - EVEN for play in choices), SHARE_DECIMALS),
    )

"""The deals of a duplicate stage, and the results of the tables on each.

Until the stage has been played the deals are shown only to the organisers, who print them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import engine
from tournaments.core.db import row_of
from tournaments.core.find import not_found_unless, or_404
from tournaments.core.permissions import Actor
from tournaments.director.queries.rows import shown_names
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.queries.tournaments import StageHead, TournamentHead, open_tournament
from tournaments.domain.boards import Cards, cards_of, deal_of, rotations_of, to_deal
from tournaments.domain.comparison import score_sheet, top_score
from tournaments.domain.names import PARTNERS
from tournaments.domain.rows import Scoring
from tournaments.domain.rows import Stage as StageRows
from tournaments.domain.stages import stage_of
from tournaments.models import Hand, Match, Record, Stage

TABLE: Final = "table"
"""`StageRules.dealt_by` of a stage whose tables deal."""


@dataclass(frozen=True, slots=True)
class BoardResult:
    """The result of a table on a deal: the points of both sides, and what they scored.

    ``entries`` are the numbers of the entries on both sides.
    """

    round: int
    table: int
    match_pk: int
    home: str
    away: str
    points: tuple[int, ...]
    difference: int
    awards: tuple[float, ...]
    entries: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class SeatHand:
    """A seat with its cards, the highest first in each suit."""

    seat: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A deal; ``hands`` is empty if it is unknown or the viewer may not see it."""

    number: int
    dealer: str
    trump: str
    hands: tuple[SeatHand, ...]
    stock: tuple[str, ...]
    results: tuple[BoardResult, ...]


@dataclass(frozen=True, slots=True)
class BoardsPage:
    """The deals of a stage; ``is_open`` once all of them have been played.

    ``commitment`` binds the ``seed``, which is revealed when the deals are open. ``may_print``: the
    viewer sees them before. ``dealt_by`` is ``baza`` or ``table``. ``top`` are the most match
    points of a deal, 0 where deals are scored otherwise; ``entries`` the names of those in the
    stage, by number.
    """

    head: TournamentHead
    stage: StageHead
    stages: tuple[StageHead, ...]
    dealt_by: str
    is_open: bool
    may_print: bool
    commitment: str
    seed: str
    boards: tuple[BoardRow, ...]
    top: float = 0
    entries: Mapping[int, str] = field(default_factory=dict)

    @property
    def has_cards(self) -> bool:
        """Whether the viewer sees the cards of a deal."""
        return any(board.hands for board in self.boards)

    @property
    def has_stock(self) -> bool:
        """Whether cards are drawn in play: a deal is more than the cards of its seats."""
        return engine.RULESETS[self.head.ruleset].stock_size > 0


def boards_page(slug: str, viewer: Actor, number: int | None = None) -> BoardsPage:
    """Return the deals of a duplicate stage, by default the last begun: some twenty queries.

    Refuses NOT_FOUND where the tables of no stage play the same deals.
    """
    access = open_tournament(slug, viewer)
    every = access.tournament.stages.order_by("number")
    stages = [stage for stage in every if stage.kind.same_deals]
    begun_stages = [stage for stage in stages if stage.begun_at is not None] or stages
    stage = or_404(
        next((deal_stage for deal_stage in stages if deal_stage.number == number), None)
        if number is not None
        else next(reversed(begun_stages), None)
    )
    stage.tournament = access.tournament
    not_found_unless(stage.begun_at is not None)
    is_open = stage.deals_are_open
    shows_boards = is_open or access.powers.manage
    names = shown_names(access.tournament.pk)
    played = stage_of(rows_of(access.tournament), stage.number) if shows_boards else None
    return BoardsPage(
        head=access.head,
        stage=access.head.stage(stage.number),
        stages=tuple(access.head.stage(deal_stage.number) for deal_stage in stages),
        dealt_by=stage.rules.dealt_by or "baza",
        is_open=is_open,
        may_print=access.powers.manage,
        commitment=stage.commitment,
        seed=stage.deal_seed if is_open else "",
        boards=() if played is None else tuple(_boards(stage, played, names)),
        top=0 if played is None else _top(played),
        entries={number: names[number] for number in sorted(stage.entrants)},
    )


def _top(played: StageRows) -> float:
    return float(top_score(played)) if played.rules.scoring is Scoring.COMPARISON else 0


@dataclass(frozen=True, slots=True)
class OwnDeal:
    """A deal of an entry beside the field.

    ``side`` is 0 for seats A and C. ``differences`` are the points of the entry's side less those
    of the other, of every table in the order of best first; ``difference`` is the entry's own.
    """

    board: int
    round: int
    table: int
    match_pk: int
    side: int
    against: str
    points: tuple[int, ...]
    difference: int
    differences: tuple[int, ...]
    award: float
    percentage: float | None


@dataclass(frozen=True, slots=True)
class OwnDeals:
    """The deals of an entry, what they earned, and that in percent of the most possible."""

    number: int
    name: str
    deals: tuple[OwnDeal, ...]
    total: float
    percentage: float | None


def own_deals(page: BoardsPage, number: int) -> OwnDeals:
    """Return the deals of an entry beside the field; none while the viewer may see no results."""
    deals = tuple(
        _own_deal(page, board, result, side)
        for board in page.boards
        for result in board.results
        for side, entries in enumerate(result.entries)
        if number in entries
    )
    total = sum(deal.award for deal in deals)
    percentage = _percent(total, page.top * len(deals))
    return OwnDeals(number, page.entries[number], deals, total, percentage)


def _own_deal(page: BoardsPage, board: BoardRow, result: BoardResult, side: int) -> OwnDeal:
    sign = -1 if side else 1
    award = result.awards[side]
    return OwnDeal(
        board=board.number,
        round=result.round,
        table=result.table,
        match_pk=result.match_pk,
        side=side,
        against=result.home if side else result.away,
        points=result.points[::sign],
        difference=sign * result.difference,
        differences=tuple(
            sorted((sign * other.difference for other in board.results), reverse=True)
        ),
        award=award,
        percentage=_percent(award, page.top),
    )


def _percent(points: float, possible: float) -> float | None:
    return round(100 * points / possible, 2) if possible else None


def boards_dealt(stage: Stage, but: Match | None = None) -> Mapping[int, Cards]:
    """Return the deals that tables have dealt, from the first accepted record of each.

    ``but`` leaves a match out. One query.
    """
    hands = Hand.objects.filter(
        record__state=Record.State.ACCEPTED, record__match__round__stage=stage, deal__isnull=False
    )
    if but is not None:
        hands = hands.exclude(record__match=but)
    dealt: dict[int, Cards] = {}
    rows = hands.order_by("record__created_at", "record_id", "number").values_list(
        "record__match__boards", "record__home_side", "number", "dealer", "trump", "deal"
    )
    for boards, side, number, dealer, trump, deal in rows:
        cards = cards_of(dealer, trump, deal or {})
        turn = rotations_of(side, len(cards.hands))[0]
        if number <= len(boards):
            dealt.setdefault(boards[number - 1], cards.rotate(turn))
    return dealt


def _boards(stage: Stage, played: StageRows, names: Mapping[int, str]) -> Iterator[BoardRow]:
    """Yield the deals that are played in the stage, in their order."""
    matches = list(Match.objects.filter(round__stage=stage).select_related("round"))
    numbers = sorted({board for match in matches for board in match.boards})
    results = _results(played, matches, names)
    dealt = dict(_deals(stage, numbers))
    for number in numbers:
        deal = dealt.get(number)
        yield BoardRow(
            number=number,
            dealer=deal.dealer if deal else "",
            trump=deal.trump if deal else "",
            hands=tuple(
                SeatHand(seat, tuple(sorted(cards.split(), key=_by_suit)))
                for seat, cards in (deal.hands.items() if deal else ())
            ),
            stock=tuple((deal.stock or "").split()) if deal else (),
            results=results.get(number, ()),
        )


def _deals(stage: Stage, numbers: list[int]) -> Iterator[tuple[int, engine.Deal]]:
    rules = engine.RULESETS[stage.tournament.ruleset]
    if stage.rules.dealt_by == TABLE:
        for number, cards in boards_dealt(stage).items():
            yield number, to_deal(rules, cards)
    elif stage.deal_seed:
        for number in numbers:
            yield number, deal_of(rules, stage.deal_seed, stage.label, number)


def _by_suit(card: str) -> tuple[str, int]:
    return card[1], -engine.RANKS.index(card[0])


def _results(
    played: StageRows, matches: list[Match], names: Mapping[int, str]
) -> dict[int, tuple[BoardResult, ...]]:
    """Return the comparison of each deal, by its number."""
    keys = {(match.round.number, match.table): match.pk for match in matches}
    tables = {(round_, table.number): table for round_, table in played.tables()}
    sheet: dict[int, list[BoardResult]] = {}
    for line in score_sheet(played):
        table = tables[line.round, line.table]
        home, away = (PARTNERS.join(names[number] for number in side) for side in table.sides)
        result = row_of(
            BoardResult,
            line,
            match_pk=keys[line.round, line.table],
            home=home,
            away=away,
            points=table.board_points[table.boards.index(line.board)],
            awards=tuple(float(points) for points in line.awards),
            entries=table.sides,
        )
        sheet.setdefault(line.board, []).append(result)
    return {board: tuple(results) for board, results in sheet.items()}

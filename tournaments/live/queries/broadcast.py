"""The part of a tournament's page for spectators: tables in play, upsets, the last hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.core.permissions import Actor, may_see_deals
from tournaments.director.queries.rounds import UNFINISHED, matches_of_rounds
from tournaments.director.queries.rows import MatchRow, match_row
from tournaments.director.queries.snapshot import tournament_snapshot
from tournaments.director.queries.tournaments import VisibleTournament, open_tournament
from tournaments.domain.pairing import FORMATS
from tournaments.domain.ranking import tables
from tournaments.domain.standing_rows import StandingRow
from tournaments.models import Hand, Match, Record, Round
from tournaments.standings.queries.standings import StandingsPage, standings_page

MAX_TABLES: Final = 16  # a round of sixty players whole; of a larger one those still playing
MAX_UPSETS: Final = 3  # chosen: bounds the list on the page

MIN_UPSET_PLACES: Final = 4
"""Places between loser and winner of an upset, at least; of over twelve entries a third of them."""

MIN_UPSET_RATING: Final = 150
"""Points of rating between loser and winner of an upset, at least: expected 3 times in 10."""


@dataclass(frozen=True, slots=True)
class Upset:
    """A match that an entry won against one well above it, by ``place`` or by ``rating``.

    ``score`` is the winner's: their hands come first.
    """

    match: MatchRow
    winner: str
    loser: str
    score: str
    by: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class LastHand:
    """The hand that was recorded last, by its number in its match.

    Its last trick is a part that the page fetches: it takes a replay of the hand.
    """

    match: MatchRow
    number: int


@dataclass(frozen=True, slots=True)
class Broadcast:
    """The part above the tables of a tournament's page; the same for all its readers.

    ``round`` is the one in play, else the last one; ``matches`` are its tables, those still playing
    first, and ``more`` how many are left out. ``leaders`` are the first of each group: the podium,
    when the tournament ``is_over``.
    """

    is_over: bool
    round: int | None
    matches: tuple[MatchRow, ...]
    more: int
    played: int
    total: int
    leaders: tuple[StandingRow, ...]
    upsets: tuple[Upset, ...]
    last_hand: LastHand | None


def broadcast(slug: str, viewer: Actor) -> Broadcast:
    """Return the spectators' part of a tournament's page: some thirty queries at most.

    It is cached by the version of the tournament. Refuses NOT_FOUND.
    """
    access = open_tournament(slug, viewer)
    number = access.head.current_round or _last_round(access)
    numbers = access.head.rounds_at_play or (() if number is None else (number,))
    matches = matches_of_rounds(access, numbers)
    tables_ = tuple(match for match in matches if match.away is not None)
    in_order = sorted(tables_, key=lambda match: (match.state not in UNFINISHED, match.table))
    has_begun = access.head.decided > 0
    return Broadcast(
        is_over=access.head.state == "finished",
        round=number,
        matches=tuple(in_order[:MAX_TABLES]),
        more=max(0, len(in_order) - MAX_TABLES),
        played=sum(match.state not in UNFINISHED for match in tables_),
        total=len(tables_),
        leaders=_leaders(standings_page(slug, viewer)) if has_begun else (),
        upsets=_upsets(access, number, tables_) if number is not None else (),
        last_hand=None if access.head.is_of_bots else _last_hand(access, viewer),
    )


def _last_round(access: VisibleTournament) -> int | None:
    numbers = [round_.number for round_ in access.rounds if round_.state != Round.State.DRAFT]
    return numbers[-1] if numbers else None


def _leaders(page: StandingsPage) -> tuple[StandingRow, ...]:
    """Return the first three, or of several groups or lines the first of each."""
    parts = page.parts
    if len(parts) > 1:
        return tuple(part.podium[0] for part in parts if part.podium)
    return page.podium


def _upsets(
    access: VisibleTournament, number: int, matches: Sequence[MatchRow]
) -> tuple[Upset, ...]:
    """Return the greatest upsets of a round: by the places before it, else by ratings."""
    snapshot = tournament_snapshot(access.tournament)
    stage = next(s for s in access.head.stages if s.number == _stage_of(access, number))
    rows, snapshot_stage = snapshot.rows, snapshot.stage(stage.number)
    earlier = [round_.number for round_ in snapshot_stage.rounds if round_.number < number]
    # In a knock-out those who are still in share a place.
    has_places = earlier and FORMATS[stage.format].ranking is None
    if has_places:
        ranked = tables(rows, snapshot_stage, max(earlier))
        strengths = {line.entrant: line.rank for table in ranked for line in table.lines}
        basis, min_gap = "place", max(MIN_UPSET_PLACES, len(strengths) // 3)
        best: Callable[[list[int]], int] = min
    else:
        strengths = {e.number: round(e.rating) for e in rows.entrants if e.rating}
        basis, min_gap, best = "rating", MIN_UPSET_RATING, max
    upsets = []
    for match in matches:
        winners = [side for side in match.sides if side.won]
        losers = [side for side in match.sides if not side.won and not side.absent]
        if match.score is None or len(winners) != 1 or len(losers) != 1:
            continue
        won, lost = (
            [strengths[number] for number in side.entries if number in strengths]
            for side in (*winners, *losers)
        )
        if not won or not lost:
            continue
        # Of a side of several entries the strongest counts: the lowest place, the highest rating.
        low, high = best(won), best(lost)
        if (low - high if has_places else high - low) >= min_gap:
            hands = [match.score.home_hands, match.score.away_hands]
            if winners[0] != match.sides[0]:
                hands.reverse()
            texts = winners[0].shown_name, losers[0].shown_name, "–".join(map(str, hands))
            upsets.append(Upset(match, *texts, basis, low, high))
    upsets.sort(key=lambda upset: -abs(upset.low - upset.high))
    return tuple(upsets[:MAX_UPSETS])


def _stage_of(access: VisibleTournament, number: int) -> int:
    return next(round_.stage for round_ in access.rounds if round_.number == number)


def _last_hand(access: VisibleTournament, viewer: Actor) -> LastHand | None:
    """Return the hand recorded last, if its play is, unless its cards are still secret."""
    records = Record.objects.accepted().filter(
        match__round__stage__tournament=access.tournament, hands__play__isnull=False
    )
    key = records.order_by("-created_at", "-pk").values_list("match", flat=True).first()
    if key is None:
        return None
    match = Match.objects.with_names().get(pk=key)
    if match.boards and match.round.stage.keeps_deals_secret:
        return None  # the same for members, who could see them: the part is cached for all
    hands = Hand.objects.filter(record__match=match, record__state=Record.State.ACCEPTED)
    plays = hands.order_by("record__coto", "number").values_list("play", flat=True)
    if not may_see_deals(viewer, match) or not plays or plays[len(plays) - 1] is None:
        return None
    return LastHand(match_row(match, match.results.live().first()), len(plays))

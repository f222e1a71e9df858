"""Single players at tables of three to five, drawn for each round by itself.

How many sit at a table, and at the tables that take those who are left over, are settings of the
stage. The rounds are planned as those of *threes*, or drawn one by one: by lot, or by the standing,
the best at the first table. Before the first round everybody must find a seat; after it as few as
can be rest, in turn.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import Final

from tournaments.domain.awards import awards
from tournaments.domain.movements.threes import (
    APART,
    SEATS,
    History,
    TablesRound,
    history,
    pair,
    plan,
    seat_by_need,
)
from tournaments.domain.pairing import threes
from tournaments.domain.pairing.base import CannotDraw, Draw, Field, Format
from tournaments.domain.pairing.threes import apart_pairs_of, seats_of, sitting, sizes_for
from tournaments.domain.rows import Points, Scale, Scoring, SeatedBy, Stage, StageRules


def draw(field: Field) -> Draw:
    """Answer the next round; players who are over have a bye, in turn.

    Raises CannotDraw: ``stage_over``, and before the first round ``bad_size``.
    """
    rules, players = field.stage.rules, len(field.present)
    if not field.stage.rounds and not field.pinned_tables and not _is_seated(rules, players):
        raise CannotDraw("bad_size", players=players, nearest=_nearest(rules, players))
    if rules.seated_by is SeatedBy.PLANNED:
        return threes.draw(field)
    if field.place > threes.rounds(len(field.stage.entrants), rules):
        raise CannotDraw("stage_over")
    pinned = {player for table in field.pinned_tables for player in table.entrants}
    free = [player for player in field.present if player not in pinned]
    past_rounds = [sitting(round_) for round_ in field.stage.rounds]
    before = history(past_rounds, free, seats_of(rules))
    by_standing = rules.seated_by is SeatedBy.STANDING and past_rounds
    row = _by_standing(field, free, before) if by_standing else _by_lot(field, free, before)
    return threes.as_draw(field, row, again="tables_met")


def _is_seated(rules: StageRules, players: int) -> bool:
    return sum(sizes_for(rules, players)) == players


def _nearest(rules: StageRules, players: int) -> int:
    """Return the number of players nearest to this one who all find a seat; of two the larger."""
    numbers = range(SEATS, players + rules.table_size + 1)
    seated = (number for number in numbers if _is_seated(rules, number))
    return min(seated, key=lambda number: (abs(number - players), -number))


def _by_lot(field: Field, players: Sequence[int], before: History) -> TablesRound:
    """Draw a round by lot, as a plan of one round that knows of byes and chairs alone."""
    return plan(
        sorted(players),
        1,
        History(bye_counts=before.bye_counts, chairs=before.chairs, seats=before.seats),
        sizes=sizes_for(field.stage.rules, len(players)),
        separations=apart_pairs_of(field.entrants, players),
        seed=f"lot {field.stage.seed} {field.place}",
    )[0]


def _by_standing(field: Field, players: Sequence[int], before: History) -> TablesRound:
    """Seat the best together; of those who had the fewest byes the last in the standing rest."""
    sizes = sizes_for(field.stage.rules, len(players))
    places = {player: place for place, player in enumerate(field.standing)}
    order = sorted(players, key=lambda player: places.get(player, len(places)))
    ranks = {player: (before.bye_counts.get(player, 0), -n) for n, player in enumerate(order)}
    byes = sorted(order, key=ranks.__getitem__)[: len(order) - sum(sizes)]
    seated = [player for player in order if player not in byes]
    costs: Counter[tuple[int, int]] = Counter(before.meetings)
    costs.update(dict.fromkeys(apart_pairs_of(field.entrants, players), APART))
    tables = _spread(seated, sizes, costs, _match_points(field.stage))
    return seat_by_need(TablesRound(tables, tuple(sorted(byes))), before)


def _match_points(stage: Stage) -> dict[int, Points]:
    """Return the match points that each player has made."""
    points: dict[int, Points] = {}
    tables = {(round_, table.number): table for round_, table in stage.tables()}
    for key, each in awards(stage).items():
        for (player,), earned in zip(tables[key].sides, each, strict=True):
            points[player] = points.get(player, Points(0)) + earned
    return points


def _spread(
    order: Sequence[int],
    sizes: Sequence[int],
    costs: Mapping[tuple[int, int], int],
    points: Mapping[int, Points],
) -> tuple[tuple[int, ...], ...]:
    """Cut an order into tables; two of as many points change places as long as fewer meet again."""
    ends = [sum(sizes[:n]) for n in range(len(sizes) + 1)]
    tables = [list(order[start:end]) for start, end in pairwise(ends)]

    def cost(table: Sequence[int]) -> int:
        return sum(costs.get(pair(*two), 0) ** 2 for two in combinations(table, 2))

    is_better = True
    while is_better:
        is_better = False
        for first, other in combinations(tables, 2):
            for i, j in ((i, j) for i in range(len(first)) for j in range(len(other))):
                if points.get(first[i]) != points.get(other[j]):
                    continue
                now = cost(first) + cost(other)
                first[i], other[j] = other[j], first[i]
                if cost(first) + cost(other) < now:
                    is_better = True
                else:
                    first[i], other[j] = other[j], first[i]
    return tuple(map(tuple, tables))


EVEN_ORDER: Final = ("points_for", "tables_won")
"""The order of a new stage whose tables are of one size: all make points in as many hands."""

FORMAT: Final = Format(
    name="tables",
    draw=draw,
    rounds=threes.rounds,
    is_over=threes.is_over,
    # Where nobody sits at another size, a new stage has EVEN_ORDER.
    order=("tables_won", "points_a_hand"),
    settings=(
        "rounds",
        "table_size",
        "other_size",
        "seated_by",
        "points_by_size",
        "typed_only",
        "deals",
    ),
    rules=StageRules(
        scoring=Scoring.TABLE,
        table_size=4,
        other_size=3,
        # What a table shares out a player.
        scale=Scale(bye=Points(5, 2)),
    ),
    seats=SEATS,
    min_entrants=SEATS,
    is_preset=True,
)

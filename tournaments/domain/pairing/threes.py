"""Tables of three, four or five: everybody sits with as many others as can be (`movements.threes`).

A stage is planned as a whole from its facts, and planned again when a player has left, is away for
a round or has come. Until then, each round is the next one of the same plan, which is computed
again from the facts of the round in which these players began.
"""

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from itertools import combinations
from typing import Final

from tournaments.domain.movements.threes import (
    SEATS,
    History,
    Imbalance,
    TablesRound,
    design_seats,
    history,
    imbalance,
    pair,
    plan,
    table_sizes,
)
from tournaments.domain.pairing.base import CannotDraw, Draw, Field, Format, PairingReason
from tournaments.domain.pairing.numbering import free_numbers
from tournaments.domain.rows import (
    Bye,
    Entrant,
    Points,
    Round,
    Scale,
    Scoring,
    Stage,
    StageRules,
    Table,
)


def draw(field: Field) -> Draw:
    """Answer the next round of the plan; a player who is over has a bye, in turn."""
    if field.place > _round_count(field):
        raise CannotDraw("stage_over")
    pinned_players = {player for table in field.pinned_tables for player in table.entrants}
    if pinned_players:
        rest = [player for player in field.present if player not in pinned_players]
        row = _plan_from(field, len(field.stage.rounds), rest, rounds=1)[0]
        return as_draw(field, row)
    rows, start = _rounds_left(field)
    return as_draw(field, rows[0], *_projected_imbalance(field, rows, start))


def rounds(entrants: int, rules: StageRules) -> int:
    """Return the rounds that are asked for, or as many as let nobody meet twice.

    At threes as many as a Kirkman system has. In these everybody can have met everybody (but for
    one, with an even number): half of the other players; one more where two have a bye in each
    round, so that everybody has one bye.
    """
    if rules.rounds is not None:
        return rules.rounds
    if seats_of(rules) > SEATS:
        return max(1, (entrants - 1) // (rules.table_size - 1))
    return max(1, (entrants - (entrants % SEATS != SEATS - 1)) // 2)


def is_over(stage: Stage, entrants: Mapping[int, Entrant]) -> bool:
    """Tell whether every round has been drawn."""
    del entrants
    return len(stage.rounds) >= rounds(len(stage.entrants), stage.rules)


def seats_of(rules: StageRules) -> int:
    """Return how many sit at a table of the stage at most."""
    return max(rules.table_size, rules.other_size) or SEATS


def sizes_for(rules: StageRules, players: int) -> tuple[int, ...]:
    """Return the sizes of the tables of a stage for a number of players."""
    return table_sizes(players, rules.table_size or SEATS, rules.other_size or None)


# --- the plan ----------------------------------------------------------------------------------


def _round_count(field: Field) -> int:
    return rounds(len(field.stage.entrants), field.stage.rules)


def _rounds_left(field: Field) -> tuple[tuple[TablesRound, ...], int]:
    """Return the rounds that are left to play, and the first round (from 0) of their plan."""
    past_rounds = [sitting(round_) for round_ in field.stage.rounds]
    start, now = len(past_rounds), len(past_rounds)
    present_players = set(field.present)
    while start and _players(past_rounds[start - 1]) == present_players:
        start -= 1
    if start < now:
        rows = _plan_from(field, start, field.present, rounds=_round_count(field) - start)
        if _is_as_planned(rows[: now - start], past_rounds[start:]):
            return rows[now - start :], start
    return _plan_from(field, now, field.present, rounds=_round_count(field) - now), now


def _plan_from(
    field: Field, start: int, players: Sequence[int], *, rounds: int
) -> tuple[TablesRound, ...]:
    """Plan rounds for the players from what was played in the first ``start`` rounds."""
    past_rounds = tuple(sitting(round_) for round_ in field.stage.rounds[:start])
    sorted_players = tuple(sorted(players))
    seats, apart_pairs = (
        _seats(field, past_rounds, sorted_players),
        apart_pairs_of(field.entrants, sorted_players),
    )
    return _cached_plan(
        sorted_players,
        rounds,
        past_rounds,
        sizes_for(field.stage.rules, len(players)),
        seats_of(field.stage.rules),
        seats,
        apart_pairs,
        f"{field.stage.seed} {start}",
    )


@lru_cache(maxsize=64)
def _cached_plan(
    players: tuple[int, ...],
    rounds: int,
    past_rounds: tuple[TablesRound, ...],
    sizes: tuple[int, ...],
    seats_at_a_table: int,
    seats: tuple[int | None, ...],
    apart_pairs: frozenset[tuple[int, int]],
    seed: str,
) -> tuple[TablesRound, ...]:
    """Plan, or remember: a round asks for the plans that held before it."""
    return plan(
        players,
        rounds,
        history(past_rounds, players, seats_at_a_table),
        sizes=sizes,
        seats=seats,
        separations=apart_pairs,
        seed=seed,
    )


def _seats(
    field: Field, past_rounds: Sequence[TablesRound], players: Sequence[int]
) -> tuple[int | None, ...]:
    """Return the players' places in a design: the first round's by lot, then others."""
    first = sorted(_players(past_rounds[0])) if past_rounds else list(players)
    random.Random(f"threes seats {field.stage.seed}").shuffle(first)  # noqa: S311 - reproducible
    return design_seats(first, players, field.stage.rules.table_size or SEATS)


def apart_pairs_of(
    entrants: Mapping[int, Entrant], players: Sequence[int]
) -> frozenset[tuple[int, int]]:
    """Return the twos of some players who are to stay apart."""
    return frozenset(
        pair(player, other)
        for player, other in combinations(players, 2)
        if set(entrants[player].apart) & set(entrants[other].apart)
    )


def sitting(round_: Round) -> TablesRound:
    """Return a round as it was played; who had asked for a bye is neither here nor has one."""
    tables, bye_players = [], []
    for table in sorted(round_.tables, key=lambda table: table.number):
        if len(table.sides) >= SEATS:
            tables.append(tuple(side[0] for side in table.sides))
        elif table.bye is Bye.PAIRING:
            bye_players.append(table.entrants[0])
    return TablesRound(tuple(tables), tuple(sorted(bye_players)))


def _is_as_planned(planned: Sequence[TablesRound], past_rounds: Sequence[TablesRound]) -> bool:
    """Tell whether rounds were played as planned, whatever the numbers of their tables."""
    pairs = zip(planned, past_rounds, strict=True)
    return all(
        (sorted(round_.tables), round_.byes) == (sorted(other.tables), other.byes)
        for round_, other in pairs
    )


def _players(sitting: TablesRound) -> set[int]:
    return {player for table in sitting.tables for player in table} | set(sitting.byes)


def _projected_imbalance(
    field: Field, rows: Sequence[TablesRound], start: int
) -> tuple[Imbalance, Imbalance | None]:
    """Return the balance at the end of the stage, and the one without a new plan.

    Without one, the tables that were planned before players came or left stay as they were; those
    rest whose table is not full, and those who came. ``None`` as long as the first plan holds.
    """
    players = sorted(field.present)
    apart_pairs = apart_pairs_of(field.entrants, players)
    past_rounds = [sitting(round_) for round_ in field.stage.rounds]
    after = imbalance([*past_rounds, *rows], players, apart_pairs)
    if not start:
        return after, None
    earlier = replace(field.stage, rounds=field.stage.rounds[: start - 1])
    earlier_field = Field(
        earlier, field.entrants, field.round, tuple(sorted(_players(past_rounds[start - 1])))
    )
    old, _ = _rounds_left(earlier_field)
    rest = [_without_absent(row, players) for row in old[len(past_rounds) - start + 1 :]]
    return after, imbalance([*past_rounds, *rest], players, apart_pairs)


def _without_absent(row: TablesRound, players: Sequence[int]) -> TablesRound:
    """Return a planned round as it would be for those who are here: broken tables have a bye."""
    present = set(players)
    tables = tuple(table for table in row.tables if present.issuperset(table))
    seated_players = {player for table in tables for player in table}
    return TablesRound(tables, tuple(sorted(present - seated_players)))


# --- the round ---------------------------------------------------------------------------------


def as_draw(
    field: Field,
    row: TablesRound,
    after: Imbalance | None = None,
    before: Imbalance | None = None,
    *,
    again: str = "threes_again",
) -> Draw:
    """Seat a round; ``after`` and ``before`` are the two balances of `_projected_imbalance`.

    ``again`` is the code of the reason of two who meet again.
    """
    numbers = free_numbers(field.pinned_tables)
    past_rounds = [sitting(round_) for round_ in field.stage.rounds]
    seats = seats_of(field.stage.rules)
    player_history = history(past_rounds, seats=seats)
    bye_counts = Counter(player for past_round in past_rounds for player in past_round.byes)
    tables, reasons = list(field.pinned_tables), []
    quality = {} if after is None else asdict(after)
    if after is not None and before is not None:
        quality |= {f"{name}_before": value for name, value in asdict(before).items()}
        if after != before:
            names = ("repeats", "sit_outs", "repeats_before", "sit_outs_before")
            reasons.append(
                PairingReason("threes_replanned", 0, (), {name: quality[name] for name in names})
            )
    for players in row.tables:
        table = Table(next(numbers), tuple((player,) for player in players))
        tables.append(table)
        apart_pairs = apart_pairs_of(field.entrants, players)
        reasons += _reasons(table.number, players, player_history, apart_pairs, again)
    for player in row.byes:
        table = Table(next(numbers), ((player,),), bye=Bye.PAIRING)
        tables.append(table)
        reasons.append(
            PairingReason(
                "threes_rest" if seats == SEATS else "tables_rest",
                table.number,
                (player,),
                {"times": bye_counts[player], "spare": len(row.byes)},
            )
        )
    tables.sort(key=lambda table: (table.is_bye, table.number))
    return Draw(tuple(tables), tuple(reasons), quality)


def _reasons(
    table: int,
    players: tuple[int, ...],
    player_history: History,
    apart_pairs: Collection[tuple[int, int]],
    again: str,
) -> list[PairingReason]:
    """Return the reasons of a table: nobody has met, or who meets again, or should not meet."""
    pairs = list(combinations(sorted(players), 2))
    reasons = [PairingReason("threes_apart", table, two) for two in pairs if two in apart_pairs]
    reasons += [
        PairingReason(again, table, two, {"times": player_history.meetings[two]})
        for two in pairs
        if player_history.meetings.get(two)
    ]
    code = "threes_new" if len(players) == SEATS else "tables_new"
    return reasons or [PairingReason(code, table, players)]


FORMAT: Final = Format(
    name="threes",
    draw=draw,
    rounds=rounds,
    is_over=is_over,
    order=("points_for", "tables_won", "mean_table_points_of_opponents"),
    settings=("rounds", "table_points", "deals"),
    rules=StageRules(scoring=Scoring.TABLE, scale=Scale(bye=Points(1))),
    seats=SEATS,
    min_entrants=SEATS,
    all_at_once=True,
    is_preset=True,
)

"""Three-player tables: everybody sits with as many others as can be (`movements.threes`).

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

from tournaments.domain.movements.kirkman import Triple
from tournaments.domain.movements.threes import (
    SEATS,
    History,
    Imbalance,
    ThreesRound,
    design_seats,
    history,
    imbalance,
    pair,
    plan,
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
    """Answer the next round of the plan; a player who is over rests, in turn."""
    if field.place > _round_count(field):
        raise CannotDraw("stage_over")
    pinned = {who for table in field.pinned for who in table.entrants}
    if pinned:
        rest = [who for who in field.here if who not in pinned]
        row = _plan_from(field, len(field.stage.rounds), rest, rounds=1)[0]
        return _draw(field, row)
    rows, start = _rounds_left(field)
    return _draw(field, rows[0], *_projected_imbalance(field, rows, start))


def rounds(entrants: int, rules: StageRules) -> int:
    """Return the rounds that are asked for, or as many as a Kirkman system has.

    In these everybody can have met everybody (but for one, with an even number): half of the
    other players; one more where two rest in each round, so that everybody rests once.
    """
    if rules.rounds is not None:
        return rules.rounds
    return max(1, (entrants - (entrants % SEATS != SEATS - 1)) // 2)


def is_over(stage: Stage, entrants: Mapping[int, Entrant]) -> bool:
    """Tell whether every round has been drawn."""
    del entrants
    return len(stage.rounds) >= rounds(len(stage.entrants), stage.rules)


# --- the plan ----------------------------------------------------------------------------------


def _round_count(field: Field) -> int:
    return rounds(len(field.stage.entrants), field.stage.rules)


def _rounds_left(field: Field) -> tuple[tuple[ThreesRound, ...], int]:
    """Return the rounds that are left to play, and the first round (from 0) of their plan."""
    played = [_sitting(round_) for round_ in field.stage.rounds]
    start, now = len(played), len(played)
    here = set(field.here)
    while start and _players(played[start - 1]) == here:
        start -= 1
    if start < now:
        rows = _plan_from(field, start, field.here, rounds=_round_count(field) - start)
        if _is_as_planned(rows[: now - start], played[start:]):
            return rows[now - start :], start
    return _plan_from(field, now, field.here, rounds=_round_count(field) - now), now


def _plan_from(
    field: Field, start: int, players: Sequence[int], *, rounds: int
) -> tuple[ThreesRound, ...]:
    """Plan rounds for the players from what was played in the first ``start`` rounds."""
    played = tuple(_sitting(round_) for round_ in field.stage.rounds[:start])
    who = tuple(sorted(players))
    seats, apart = _seats(field, played, who), _apart(field.entrants, who)
    return _cached_plan(who, rounds, played, seats, apart, f"{field.stage.seed} {start}")


@lru_cache(maxsize=64)
def _cached_plan(
    who: tuple[int, ...],
    rounds: int,
    played: tuple[ThreesRound, ...],
    seats: tuple[int | None, ...],
    apart: frozenset[tuple[int, int]],
    seed: str,
) -> tuple[ThreesRound, ...]:
    """Plan, or remember: a round asks for the plans that held before it."""
    return plan(who, rounds, history(played, who), seats=seats, apart=apart, seed=seed)


def _seats(
    field: Field, played: Sequence[ThreesRound], here: Sequence[int]
) -> tuple[int | None, ...]:
    """Return the players' places in a Kirkman system: the first round's by lot, then others."""
    first = sorted(_players(played[0])) if played else list(here)
    random.Random(f"threes seats {field.stage.seed}").shuffle(first)  # noqa: S311 - reproducible
    return design_seats(first, here)


def _apart(entrants: Mapping[int, Entrant], here: Sequence[int]) -> frozenset[tuple[int, int]]:
    return frozenset(
        pair(one, other)
        for one, other in combinations(here, 2)
        if set(entrants[one].apart) & set(entrants[other].apart)
    )


def _sitting(round_: Round) -> ThreesRound:
    """Return a round as it was played; who had asked for a bye is neither here nor resting."""
    tables, resting = [], []
    for table in sorted(round_.tables, key=lambda table: table.number):
        if len(table.sides) == SEATS:
            a, b, c = (side[0] for side in table.sides)
            tables.append((a, b, c))
        elif table.bye is Bye.PAIRING:
            resting.append(table.entrants[0])
    return ThreesRound(tuple(tables), tuple(sorted(resting)))


def _is_as_planned(planned: Sequence[ThreesRound], played: Sequence[ThreesRound]) -> bool:
    """Tell whether rounds were played as planned, whatever the numbers of their tables."""
    pairs = zip(planned, played, strict=True)
    return all(
        (sorted(one.tables), one.resting) == (sorted(other.tables), other.resting)
        for one, other in pairs
    )


def _players(sitting: ThreesRound) -> set[int]:
    return {who for table in sitting.tables for who in table} | set(sitting.resting)


def _projected_imbalance(
    field: Field, rows: Sequence[ThreesRound], start: int
) -> tuple[Imbalance, Imbalance | None]:
    """Return the balance at the end of the stage, and the one without a new plan.

    Without one, the tables that were planned before players came or left stay as they were; those
    rest whose table is not full, and those who came. ``None`` as long as the first plan holds.
    """
    here = sorted(field.here)
    apart = _apart(field.entrants, here)
    played = [_sitting(round_) for round_ in field.stage.rounds]
    after = imbalance([*played, *rows], here, apart)
    if not start:
        return after, None
    earlier = replace(field.stage, rounds=field.stage.rounds[: start - 1])
    then = Field(earlier, field.entrants, field.round, tuple(sorted(_players(played[start - 1]))))
    old, _ = _rounds_left(then)
    rest = [_without_absent(row, here) for row in old[len(played) - start + 1 :]]
    return after, imbalance([*played, *rest], here, apart)


def _without_absent(row: ThreesRound, here: Sequence[int]) -> ThreesRound:
    """Return a planned round as it would be for those who are here: broken tables rest."""
    present = set(here)
    tables = tuple(table for table in row.tables if present.issuperset(table))
    seated = {who for table in tables for who in table}
    return ThreesRound(tables, tuple(sorted(present - seated)))


# --- the round ---------------------------------------------------------------------------------


def _draw(
    field: Field, row: ThreesRound, after: Imbalance | None = None, before: Imbalance | None = None
) -> Draw:
    """Seat a round; ``after`` and ``before`` are the two balances of `_projected_imbalance`."""
    numbers = free_numbers(field.pinned)
    so_far = [_sitting(round_) for round_ in field.stage.rounds]
    played = history(so_far)
    rested = Counter(who for sitting in so_far for who in sitting.resting)
    tables, whys = list(field.pinned), []
    quality = {} if after is None else asdict(after)
    if after is not None and before is not None:
        quality |= {f"{name}_before": value for name, value in asdict(before).items()}
        if after != before:
            names = ("repeats", "sit_outs", "repeats_before", "sit_outs_before")
            whys.append(
                PairingReason("threes_replanned", 0, (), {name: quality[name] for name in names})
            )
    for trio in row.tables:
        table = Table(next(numbers), tuple((who,) for who in trio))
        tables.append(table)
        whys += _reasons(table.number, trio, played, _apart(field.entrants, trio))
    for who in row.resting:
        table = Table(next(numbers), ((who,),), bye=Bye.PAIRING)
        tables.append(table)
        whys.append(
            PairingReason(
                "threes_rest",
                table.number,
                (who,),
                {"times": rested[who], "spare": len(row.resting)},
            )
        )
    tables.sort(key=lambda table: (table.is_bye, table.number))
    return Draw(tuple(tables), tuple(whys), quality)


def _reasons(
    table: int, trio: Triple, played: History, apart: Collection[tuple[int, int]]
) -> list[PairingReason]:
    """Return the reasons of a table: nobody has met, or who meets again, or should not meet."""
    twos = list(combinations(sorted(trio), 2))
    whys = [PairingReason("threes_apart", table, two) for two in twos if two in apart]
    whys += [
        PairingReason("threes_again", table, two, {"times": played.met[two]})
        for two in twos
        if played.met.get(two)
    ]
    return whys or [PairingReason("threes_new", table, trio)]


FORMAT: Final = Format(
    name="threes",
    draw=draw,
    rounds=rounds,
    is_over=is_over,
    order=("points_for", "tables_won", "mean_table_points_of_opponents"),
    settings=("rounds", "table_points", "deals"),
    rules=StageRules(scoring=Scoring.TABLE, scale=Scale(bye=Points(1))),
    seats=SEATS,
    least=SEATS,
    all_at_once=True,
    is_preset=True,
)

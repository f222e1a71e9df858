"""The individual: four single players at a table, everybody with a new partner in every round.

While nobody comes or goes, and there is a whist design for them (`movements.whist`), its rounds
are played. The first rounds of a design repeat no partner, but may bring some opponents together
twice and others never; so where fewer rounds are asked for than the design has, it is played only
if nothing more even is found. Otherwise the rounds that are left are planned as a whole
(`movements.rotating`).

A plan follows from facts, not from memory: it is made at the *turning point*, which is the first
round from which on the same players were there as are there now, out of the rounds before that
point, the players, and a seed of the stage's seed and the point's number. Drawn again in any later
round, it comes out the same, and so its next round is what `draw` answers. If a published round is
not the one of the plan (the organiser moved a player), the round after it is a turning point too.
"""

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, product
from typing import Final

from tournaments.domain.movements.balance import Imbalance, imbalance
from tournaments.domain.movements.history import (
    Facts,
    Sides,
    Task,
    opponent_pairs,
    partner_pairs,
    players_in_round,
    rounds_as_sides,
    sit_out_counts_for,
)
from tournaments.domain.movements.rotating import PlannedRound, schedule
from tournaments.domain.movements.seats import balance_sides
from tournaments.domain.movements.whist import Seated, has_design, whist
from tournaments.domain.pairing.base import CannotDraw, Draw, Field, Format, PairingReason
from tournaments.domain.pairing.numbering import free_numbers
from tournaments.domain.rows import Bye, Entrant, Points, Round, Scale, Stage, StageRules, Table

MIN_ENTRANTS: Final = 4  # one table


@dataclass(frozen=True, slots=True)
class Plan:
    """The rounds that are left, from the one to be drawn next.

    ``turning_point`` is the number of the round since which it holds, ``is_design`` whether it is a
    whist design. ``before`` is the imbalance of the whole stage as it was planned before the
    turning point, among those who were there then; ``after`` the imbalance as it is planned now,
    among those who are here.
    """

    rounds: tuple[Round, ...]
    turning_point: int
    is_design: bool
    before: Imbalance
    after: Imbalance


def draw(field: Field) -> Draw:
    """Answer the next round: the first of `replan`.

    With pinned tables the others are drawn for this round alone. Raises CannotDraw ``stage_over``
    when all rounds are drawn, ``too_few`` with fewer than four players.
    """
    rounds_left = _rounds_left(field)
    start = 0
    if field.pinned_tables:
        tables = _draw_around_pinned(field)
        ahead: Sequence[Sequence[Table]] = ()
    else:
        planned, start, _ = _current_plan(field, field.place - 1 + rounds_left)
        tables, *ahead = [_as_tables(round_) for round_ in planned]
    past_tables = [round_.tables for round_ in field.stage.rounds]
    balance = imbalance([*past_tables, tables, *ahead], field.present)
    reasons = [*pairing_reasons(field, tables)]
    quality = _quality(balance)
    if 1 < start == field.place:
        before = _quality(_previous_imbalance(field, start, field.place - 1 + rounds_left))
        quality |= {f"{name}_before": value for name, value in before.items()}
        reasons.append(PairingReason("individual_replanned", 0, (), quality))
    return Draw(tuple(tables), tuple(reasons), quality)


def replan(field: Field) -> Plan:
    """Plan the rounds that are left.

    Raises CannotDraw as `draw` does. Pinned tables are not looked at.
    """
    last = field.place - 1 + _rounds_left(field)
    planned, start, is_design = _current_plan(field, last)
    rounds_ = tuple(
        Round(field.round + ahead, _as_tables(round_)) for ahead, round_ in enumerate(planned)
    )
    past_tables = [round_.tables for round_ in field.stage.rounds]
    after = imbalance([*past_tables, *(round_.tables for round_ in rounds_)], field.present)
    return Plan(
        rounds=rounds_,
        turning_point=field.round - field.place + start,
        is_design=is_design,
        before=after if start == 1 else _previous_imbalance(field, start, last),
        after=after,
    )


def rounds(entrants: int, rules: StageRules) -> int:
    """Return as many rounds as the rules say, else as many as it takes to partner everybody.

    That is the length of a whist design where there is one, otherwise n - 1. More rounds than that
    can be asked for; partners come back then.
    """
    if rules.rounds is not None:
        return rules.rounds
    return entrants if entrants % 4 == 1 and has_design(entrants) else max(entrants - 1, 0)


def is_over(stage: Stage, entrants: Mapping[int, Entrant]) -> bool:
    """Tell whether every round has been drawn."""
    del entrants
    return len(stage.rounds) >= rounds(len(stage.entrants), stage.rules)


def _rounds_left(field: Field) -> int:
    rounds_left = rounds(len(field.stage.entrants), field.stage.rules) - len(field.stage.rounds)
    if rounds_left < 1:
        raise CannotDraw("stage_over")
    if len(field.present) < MIN_ENTRANTS:
        raise CannotDraw("too_few", least=MIN_ENTRANTS)
    return rounds_left


# --- the plan in force ---------------------------------------------------------------------------


def _current_plan(field: Field, last: int) -> tuple[tuple[PlannedRound, ...], int, bool]:
    """Return the plan from the next place to ``last``, the place it was made at, and its kind."""
    facts = rounds_as_sides(field.stage.rounds)
    start = field.place
    while start > 1 and players_in_round(facts[start - 2]) == set(field.present):
        start -= 1
    initial_players = _initial_players(facts, field)
    while True:
        task = Task(
            players=tuple(sorted(field.present)),
            rounds=last + 1 - start,
            joined=tuple(field.entrants[player].joined for player in sorted(field.present)),
            separations=pairs_to_separate(field),
            past_rounds=facts[: start - 1],
            seed=f"{field.stage.seed} {field.stage.number} {start}",
        )
        planned, is_design = plan_from(task, field.stage.seed, initial_players)
        changed = [
            start + index
            for index, fact in enumerate(facts[start - 1 :])
            if _unordered_tables(fact) != _unordered_tables(_as_facts(planned[index]))
        ]
        if not changed:
            return planned[field.place - start :], start, is_design
        start = changed[0] + 1


@lru_cache(maxsize=32)
def plan_from(
    task: Task, seed: str, initial_players: tuple[int, ...]
) -> tuple[tuple[PlannedRound, ...], bool]:
    """Plan the rounds of a task, seats and all, and tell whether they are a design's.

    A design that would not be played to its end gives way to a plan with more even opponents.
    """
    designed = _design(initial_players, seed, len(task.past_rounds) + task.rounds)
    pure = tuple(PlannedRound(tables, _with_bye(initial_players, tables)) for tables in designed)
    may_be_pure = bool(designed) and not task.past_rounds and not task.separations
    is_design = may_be_pure and task.rounds % rounds(len(initial_players), StageRules()) == 0
    planned = pure if is_design else schedule(task, designed[len(task.past_rounds) :])
    if may_be_pure and _unevenness(pure, initial_players) <= _unevenness(planned, initial_players):
        planned, is_design = pure, True
    chance = random.Random(f"seats {task.seed}")  # noqa: S311 - drawn again from the seed
    in_seats = zip(balance_sides(planned, task.past_rounds, chance), planned, strict=True)
    return tuple(PlannedRound(tables, round_.out) for tables, round_ in in_seats), is_design


def _unevenness(planned: Iterable[PlannedRound], players: Collection[int]) -> tuple[int, int]:
    balance = imbalance([_as_tables(round_) for round_ in planned], players)
    return balance.partners, balance.opponents_over


def _design(players: tuple[int, ...], seed: str, rounds_: int) -> list[tuple[Seated, ...]]:
    """Return a number of rounds of the design, players and rounds shuffled for every run."""
    if not has_design(len(players)):
        return []
    design_rounds: list[tuple[Seated, ...]] = []
    movement = whist(len(players))
    while len(design_rounds) < rounds_:
        chance = random.Random(f"whist {seed} {len(design_rounds)}")  # noqa: S311 - drawn again
        order = chance.sample(players, len(players))
        design_rounds += [
            tuple(((order[a], order[c]), (order[b], order[d])) for (a, c), (b, d) in tables)
            for tables in chance.sample(movement, len(movement))
        ]
    return design_rounds[:rounds_]


def _with_bye(players: Iterable[int], tables: Iterable[Seated]) -> tuple[int, ...]:
    playing = {player for sides in tables for side in sides for player in side}
    return tuple(sorted(set(players) - playing))


def _previous_imbalance(field: Field, start: int, last: int) -> Imbalance:
    """Judge the whole stage as it was planned when the round before ``start`` was drawn."""
    past_rounds = field.stage.rounds[: start - 1]
    players = tuple(sorted(players_in_round(rounds_as_sides(past_rounds)[-1])))
    earlier = Field(
        stage=replace(field.stage, rounds=past_rounds[:-1]),
        entrants=field.entrants,
        round=field.round - field.place + start - 1,
        present=players,
    )
    planned, _, _ = _current_plan(earlier, last)
    ahead = [_as_tables(round_) for round_ in planned[1:]]
    return imbalance([*(round_.tables for round_ in past_rounds), *ahead], players)


def _draw_around_pinned(field: Field) -> tuple[Table, ...]:
    """Draw the next round for those who are not at a pinned table."""
    pinned_players = {player for table in field.pinned_tables for player in table.entrants}
    free_players = tuple(sorted(set(field.present) - pinned_players))
    task = Task(
        players=free_players,
        rounds=1,
        joined=tuple(field.entrants[player].joined for player in free_players),
        separations=pairs_to_separate(field),
        past_rounds=rounds_as_sides(field.stage.rounds),
        seed=f"{field.stage.seed} {field.stage.number} {field.place} pinned",
    )
    (round_,) = schedule(task)
    chance = random.Random(f"seats {task.seed}")  # noqa: S311 - drawn again from the seed
    (tables,) = balance_sides([round_], task.past_rounds, chance)
    new_tables = _as_tables(PlannedRound(tables, round_.out), field.pinned_tables)
    return tuple(
        sorted((*field.pinned_tables, *new_tables), key=lambda table: (table.is_bye, table.number))
    )


# --- reasons -----------------------------------------------------------------------------------


def pairing_reasons(field: Field, tables: Sequence[Table]) -> list[PairingReason]:
    """Give every table its reason: earlier partners and opponents, or the cause of sitting out."""
    facts, apart_pairs = rounds_as_sides(field.stage.rounds), pairs_to_separate(field)
    past_sides = [sides for round_ in facts for sides in round_]
    partners = Counter(frozenset(two) for sides in past_sides for two in partner_pairs(sides))
    opponents = Counter(frozenset(two) for sides in past_sides for two in opponent_pairs(sides))
    new_tables = [table for table in tables if table not in field.pinned_tables]
    reasons = [
        PairingReason("pinned", table.number, table.entrants) for table in field.pinned_tables
    ]
    playing = [table for table in new_tables if not table.is_bye]
    reasons += [_table_reason(table, partners, opponents, apart_pairs) for table in playing]
    return reasons + _rest_reason(field, facts, [table for table in new_tables if table.is_bye])


def _table_reason(
    table: Table,
    partners: Mapping[frozenset[int], int],
    opponents: Mapping[frozenset[int], int],
    apart_pairs: Collection[tuple[int, int]],
) -> PairingReason:
    """Return how often partners were partners and opponents opponents before."""
    clash = [two for two in combinations(sorted(table.entrants), 2) if two in apart_pairs]
    if clash:
        return PairingReason(
            "individual_apart",
            table.number,
            tuple(sorted({player for two in clash for player in two})),
        )
    before = [partners.get(frozenset(side), 0) for side in table.sides]
    meetings = {
        f"met_{index}{other}": opponents.get(
            frozenset((table.entrants[index], table.entrants[other])), 0
        )
        for index, other in product((0, 1), (2, 3))
    }
    if any(before):
        details = {"first": before[0], "second": before[1], **meetings}
        return PairingReason("individual_partners_again", table.number, table.entrants, details)
    if any(meetings.values()):
        return PairingReason("individual_partners_new", table.number, table.entrants, meetings)
    return PairingReason("individual_all_new", table.number, table.entrants)


def _rest_reason(field: Field, facts: Facts, bye_tables: Sequence[Table]) -> list[PairingReason]:
    """Return the reason for sitting out: the fewest byes so far, or the last to come of those."""
    players = tuple(sorted(field.present))
    joined = {player: field.entrants[player].joined for player in players}
    task = Task(players=players, rounds=0, joined=tuple(joined.values()), past_rounds=facts)
    times = dict(zip(players, sit_out_counts_for(task), strict=True))
    bye_counts = Counter(
        player for round_ in facts for sides in round_ if len(sides) == 1 for player in sides[0]
    )
    sitting = {table.entrants[0] for table in bye_tables}
    reasons = []
    for table in bye_tables:
        (player,) = table.entrants
        earlier = any(
            times[other] == times[player] and joined[other] < joined[player]
            for other in players
            if other not in sitting
        )
        code = "individual_rest_latest" if earlier else "individual_rest"
        details = {"spare": len(bye_tables), "times": bye_counts[player]}
        reasons.append(PairingReason(code, table.number, (player,), details))
    return reasons


def pairs_to_separate(field: Field) -> frozenset[tuple[int, int]]:
    """Return the twos who share a label."""
    labels = {player: set(field.entrants[player].apart) for player in sorted(field.present)}
    labelled = [player for player in labels if labels[player]]
    return frozenset(two for two in combinations(labelled, 2) if labels[two[0]] & labels[two[1]])


# --- tables, facts and rows ----------------------------------------------------------------------


def _as_tables(round_: PlannedRound, pinned_tables: Collection[Table] = ()) -> tuple[Table, ...]:
    """Number the tables from 1, those who sit out last; the numbers of pinned ones are taken."""
    numbers = free_numbers(pinned_tables)
    tables = [Table(next(numbers), sides) for sides in round_.tables]
    byes = [Table(next(numbers), ((player,),), bye=Bye.PAIRING) for player in round_.out]
    return (*tables, *byes)


def _as_facts(round_: PlannedRound) -> tuple[Sides, ...]:
    return (*round_.tables, *(((player,),) for player in round_.out))


def _unordered_tables(fact: Iterable[Sides]) -> set[frozenset[frozenset[int]]]:
    """A round without its table numbers and seats."""
    return {frozenset(frozenset(side) for side in sides) for sides in fact}


def _initial_players(facts: Facts, field: Field) -> tuple[int, ...]:
    """Return the players of the first round."""
    return tuple(sorted(players_in_round(facts[0]) if facts else field.present))


def _quality(balance: Imbalance) -> dict[str, int]:
    return {
        "partner_repeats": balance.partners,
        "opponents_over": balance.opponents_over,
        "sit_out_spread": balance.sit_outs,
        "seat_spread": balance.seats,
    }


FORMAT: Final = Format(
    name="individual",
    draw=draw,
    rounds=rounds,
    is_over=is_over,
    order=("opponents_partners", "point_difference", "won"),
    settings=("rounds",),
    rules=StageRules(scale=Scale(bye=Points(1))),
    seats=4,
    min_entrants=MIN_ENTRANTS,
    all_at_once=True,
    is_preset=True,
)

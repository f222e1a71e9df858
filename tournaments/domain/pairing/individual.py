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
    across,
    facts_of,
    in_sides,
    levels_for,
    present,
)
from tournaments.domain.movements.rotating import Planned, schedule
from tournaments.domain.movements.seats import seated
from tournaments.domain.movements.whist import Seated, has_design, whist
from tournaments.domain.pairing.base import CannotDraw, Draw, Field, Format, Why
from tournaments.domain.pairing.numbering import free_numbers
from tournaments.domain.rows import Bye, Entrant, Points, Round, Scale, Stage, StageRules, Table

LEAST: Final = 4  # one table


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
    left = _left(field)
    start = 0
    if field.pinned:
        tables = _around_pinned(field)
        ahead: Sequence[Sequence[Table]] = ()
    else:
        planned, start, _ = _in_force(field, field.place - 1 + left)
        tables, *ahead = [_as_tables(round_) for round_ in planned]
    so_far = [round_.tables for round_ in field.stage.rounds]
    found = imbalance([*so_far, tables, *ahead], field.here)
    why = [*whys(field, tables)]
    quality = _quality(found)
    if 1 < start == field.place:
        before = _quality(_before(field, start, field.place - 1 + left))
        quality |= {f"{name}_before": value for name, value in before.items()}
        why.append(Why("individual_replanned", 0, (), quality))
    return Draw(tuple(tables), tuple(why), quality)


def replan(field: Field) -> Plan:
    """Plan the rounds that are left.

    Raises CannotDraw as `draw` does. Pinned tables are not looked at.
    """
    last = field.place - 1 + _left(field)
    planned, start, is_design = _in_force(field, last)
    rounds_ = tuple(
        Round(field.round + ahead, _as_tables(round_)) for ahead, round_ in enumerate(planned)
    )
    so_far = [round_.tables for round_ in field.stage.rounds]
    after = imbalance([*so_far, *(round_.tables for round_ in rounds_)], field.here)
    return Plan(
        rounds=rounds_,
        turning_point=field.round - field.place + start,
        is_design=is_design,
        before=after if start == 1 else _before(field, start, last),
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


def _left(field: Field) -> int:
    left = rounds(len(field.stage.entrants), field.stage.rules) - len(field.stage.rounds)
    if left < 1:
        raise CannotDraw("stage_over")
    if len(field.here) < LEAST:
        raise CannotDraw("too_few", least=LEAST)
    return left


# --- the plan in force ---------------------------------------------------------------------------


def _in_force(field: Field, last: int) -> tuple[tuple[Planned, ...], int, bool]:
    """Return the plan from the next place to ``last``, the place it was made at, and its kind."""
    facts = facts_of(field.stage.rounds)
    start = field.place
    while start > 1 and present(facts[start - 2]) == set(field.here):
        start -= 1
    began = _began(facts, field)
    while True:
        task = Task(
            players=tuple(sorted(field.here)),
            rounds=last + 1 - start,
            joined=tuple(field.entrants[one].joined for one in sorted(field.here)),
            apart=apart_in(field),
            past=facts[: start - 1],
            seed=f"{field.stage.seed} {field.stage.number} {start}",
        )
        planned, is_design = plan_from(task, field.stage.seed, began)
        changed = [
            start + index
            for index, fact in enumerate(facts[start - 1 :])
            if _met(fact) != _met(_as_facts(planned[index]))
        ]
        if not changed:
            return planned[field.place - start :], start, is_design
        start = changed[0] + 1


@lru_cache(maxsize=32)
def plan_from(task: Task, seed: str, began: tuple[int, ...]) -> tuple[tuple[Planned, ...], bool]:
    """Plan the rounds of a task, seats and all, and tell whether they are a design's.

    A design that would not be played to its end gives way to a plan with more even opponents.
    """
    designed = _design(began, seed, len(task.past) + task.rounds)
    pure = tuple(Planned(tables, _resting(began, tables)) for tables in designed)
    may_be_pure = bool(designed) and not task.past and not task.apart
    is_design = may_be_pure and task.rounds % rounds(len(began), StageRules()) == 0
    planned = pure if is_design else schedule(task, designed[len(task.past) :])
    if may_be_pure and _uneven(pure, began) <= _uneven(planned, began):
        planned, is_design = pure, True
    chance = random.Random(f"seats {task.seed}")  # noqa: S311 - drawn again from the seed
    in_seats = zip(seated(planned, task.past, chance), planned, strict=True)
    return tuple(Planned(tables, round_.out) for tables, round_ in in_seats), is_design


def _uneven(planned: Iterable[Planned], players: Collection[int]) -> tuple[int, int]:
    found = imbalance([_as_tables(round_) for round_ in planned], players)
    return found.partners, found.opponents_over


def _design(players: tuple[int, ...], seed: str, rounds_: int) -> list[tuple[Seated, ...]]:
    """Return a number of rounds of the design, players and rounds shuffled for every run."""
    if not has_design(len(players)):
        return []
    found: list[tuple[Seated, ...]] = []
    movement = whist(len(players))
    while len(found) < rounds_:
        chance = random.Random(f"whist {seed} {len(found)}")  # noqa: S311 - drawn again
        who = chance.sample(players, len(players))
        found += [
            tuple(((who[a], who[c]), (who[b], who[d])) for (a, c), (b, d) in tables)
            for tables in chance.sample(movement, len(movement))
        ]
    return found[:rounds_]


def _resting(players: Iterable[int], tables: Iterable[Seated]) -> tuple[int, ...]:
    playing = {one for sides in tables for side in sides for one in side}
    return tuple(sorted(set(players) - playing))


def _before(field: Field, start: int, last: int) -> Imbalance:
    """Judge the whole stage as it was planned when the round before ``start`` was drawn."""
    past = field.stage.rounds[: start - 1]
    here = tuple(sorted(present(facts_of(past)[-1])))
    earlier = Field(
        stage=replace(field.stage, rounds=past[:-1]),
        entrants=field.entrants,
        round=field.round - field.place + start - 1,
        here=here,
    )
    planned, _, _ = _in_force(earlier, last)
    ahead = [_as_tables(round_) for round_ in planned[1:]]
    return imbalance([*(round_.tables for round_ in past), *ahead], here)


def _around_pinned(field: Field) -> tuple[Table, ...]:
    """Draw the next round for those who are not at a pinned table."""
    held = {one for table in field.pinned for one in table.entrants}
    free = tuple(sorted(set(field.here) - held))
    task = Task(
        players=free,
        rounds=1,
        joined=tuple(field.entrants[one].joined for one in free),
        apart=apart_in(field),
        past=facts_of(field.stage.rounds),
        seed=f"{field.stage.seed} {field.stage.number} {field.place} pinned",
    )
    (round_,) = schedule(task)
    chance = random.Random(f"seats {task.seed}")  # noqa: S311 - drawn again from the seed
    (tables,) = seated([round_], task.past, chance)
    drawn = _as_tables(Planned(tables, round_.out), field.pinned)
    return tuple(sorted((*field.pinned, *drawn), key=lambda table: (table.is_bye, table.number)))


# --- reasons -----------------------------------------------------------------------------------


def whys(field: Field, tables: Sequence[Table]) -> list[Why]:
    """Give every table its reason: earlier partners and opponents, or the cause of sitting out."""
    facts, apart = facts_of(field.stage.rounds), apart_in(field)
    past = [sides for round_ in facts for sides in round_]
    partners = Counter(frozenset(two) for sides in past for two in in_sides(sides))
    opponents = Counter(frozenset(two) for sides in past for two in across(sides))
    drawn = [table for table in tables if table not in field.pinned]
    found = [Why("pinned", table.number, table.entrants) for table in field.pinned]
    playing = [table for table in drawn if not table.is_bye]
    found += [_of_table(table, partners, opponents, apart) for table in playing]
    return found + _of_resting(field, facts, [table for table in drawn if table.is_bye])


def _of_table(
    table: Table,
    partners: Mapping[frozenset[int], int],
    opponents: Mapping[frozenset[int], int],
    apart: Collection[tuple[int, int]],
) -> Why:
    """Return how often partners were partners and opponents opponents before."""
    clash = [two for two in combinations(sorted(table.entrants), 2) if two in apart]
    if clash:
        return Why(
            "individual_apart", table.number, tuple(sorted({one for two in clash for one in two}))
        )
    before = [partners.get(frozenset(side), 0) for side in table.sides]
    met = {
        f"met_{one}{other}": opponents.get(
            frozenset((table.entrants[one], table.entrants[other])), 0
        )
        for one, other in product((0, 1), (2, 3))
    }
    if any(before):
        details = {"first": before[0], "second": before[1], **met}
        return Why("individual_partners_again", table.number, table.entrants, details)
    if any(met.values()):
        return Why("individual_partners_new", table.number, table.entrants, met)
    return Why("individual_all_new", table.number, table.entrants)


def _of_resting(field: Field, facts: Facts, resting: Sequence[Table]) -> list[Why]:
    """Return the reason for sitting out: the fewest rests so far, or the last to come of those."""
    here = tuple(sorted(field.here))
    joined = {one: field.entrants[one].joined for one in here}
    task = Task(players=here, rounds=0, joined=tuple(joined.values()), past=facts)
    times = dict(zip(here, levels_for(task), strict=True))
    rests = Counter(
        one for round_ in facts for sides in round_ if len(sides) == 1 for one in sides[0]
    )
    sitting = {table.entrants[0] for table in resting}
    whys = []
    for table in resting:
        (who,) = table.entrants
        earlier = any(
            times[one] == times[who] and joined[one] < joined[who]
            for one in here
            if one not in sitting
        )
        code = "individual_rest_latest" if earlier else "individual_rest"
        details = {"spare": len(resting), "times": rests[who]}
        whys.append(Why(code, table.number, (who,), details))
    return whys


def apart_in(field: Field) -> frozenset[tuple[int, int]]:
    """Return the twos who share a label."""
    labels = {one: set(field.entrants[one].apart) for one in sorted(field.here)}
    labelled = [one for one in labels if labels[one]]
    return frozenset(two for two in combinations(labelled, 2) if labels[two[0]] & labels[two[1]])


# --- tables, facts and rows ----------------------------------------------------------------------


def _as_tables(round_: Planned, pinned: Collection[Table] = ()) -> tuple[Table, ...]:
    """Number the tables from 1, those who sit out last; the numbers of pinned ones are taken."""
    numbers = free_numbers(pinned)
    tables = [Table(next(numbers), sides) for sides in round_.tables]
    byes = [Table(next(numbers), ((one,),), bye=Bye.PAIRING) for one in round_.out]
    return (*tables, *byes)


def _as_facts(round_: Planned) -> tuple[Sides, ...]:
    return (*round_.tables, *(((one,),) for one in round_.out))


def _met(fact: Iterable[Sides]) -> set[frozenset[frozenset[int]]]:
    """A round without its table numbers and seats."""
    return {frozenset(frozenset(side) for side in sides) for sides in fact}


def _began(facts: Facts, field: Field) -> tuple[int, ...]:
    """Return the players of the first round."""
    return tuple(sorted(present(facts[0]) if facts else field.here))


def _quality(found: Imbalance) -> dict[str, int]:
    return {
        "partner_repeats": found.partners,
        "opponents_over": found.opponents_over,
        "sit_out_spread": found.sit_outs,
        "seat_spread": found.seats,
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
    least=LEAST,
    all_at_once=True,
    is_preset=True,
)

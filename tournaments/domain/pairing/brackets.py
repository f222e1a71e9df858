"""A format made of a tree of matches: its rounds with their reasons, its places, who is in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tournaments.domain.pairing.base import CannotDraw, Draw, Field, Format, PairingReason
from tournaments.domain.pairing.numbering import free_numbers
from tournaments.domain.pairing.tree import (
    LAST,
    OvertakenMatch,
    PlayedOn,
    Side,
    Sides,
    SideSource,
    Tree,
    TreeProgress,
)
from tournaments.domain.rows import Bye, Entrant, PlaceRule, Stage, StageRules, Table

Build = Callable[[int, StageRules], Tree]
"""Builds the tree for a number of seeds."""


def tree_progress(
    build: Build, stage: Stage, entrants: Mapping[int, Entrant], next_round: int
) -> TreeProgress:
    """Play a stage's tree up to a round; who joined after its first round is in no tree.

    Where places follow from what was played and a round differs from the results behind it, the
    tree is folded again until every match was won by the entrant who played the next one.
    """
    first = stage.rounds[0].number if stage.rounds else next_round
    seeds = tuple(entrant for entrant in stage.entrants if entrants[entrant].joined <= first)
    tree = build(len(seeds), stage.rules)
    before = 0
    if stage.rules.beside is not None:
        numbers = (table.number for round_ in stage.rounds for table in round_.tables)
        before = min(numbers, default=1) - 1
    folded = TreeProgress(tree, seeds, entrants, tables_before=before)
    folded.fold(stage.rounds, next_round)
    if stage.rules.places is PlaceRule.LISTED or not folded.differs:
        return folded
    went_on: dict[int, PlayedOn] = {}
    while True:
        folded = TreeProgress(
            tree, seeds, entrants, by_play=True, tables_before=before, went_on=went_on
        )
        folded.fold(stage.rounds, next_round)
        if not folded.found:
            return folded
        went_on = went_on | folded.found


def tree_format(name: str, build: Build, settings: tuple[str, ...], **options: object) -> Format:
    """Return a format that plays a tree."""

    def draw(field: Field) -> Draw:
        folded = tree_progress(build, field.stage, field.entrants, field.round)
        if not folded.drawing:
            if folded.missing:
                raise CannotDraw("waiting", tables=tuple(folded.missing))
            raise CannotDraw("stage_over")
        if resting := folded.resting_final(folded.drawing, field.round):
            raise CannotDraw("final_rests", entrants=resting)
        return draw_tables(folded, field)

    def is_over(stage: Stage, entrants: Mapping[int, Entrant]) -> bool:
        folded = tree_progress(build, stage, entrants, stage.next_round)
        return bool(stage.rounds) and not folded.drawing and not folded.missing

    def ranking(stage: Stage, entrants: Mapping[int, Entrant]) -> tuple[tuple[int, ...], ...]:
        return rank_places(tree_progress(build, stage, entrants, stage.next_round), stage)

    def to_pair(stage: Stage, entrants: Mapping[int, Entrant], round_: int) -> tuple[int, ...]:
        return entrants_in_next_round(tree_progress(build, stage, entrants, round_), stage)

    def overtaken(stage: Stage, entrants: Mapping[int, Entrant]) -> tuple[OvertakenMatch, ...]:
        rules = replace(stage.rules, places=PlaceRule.PLAYED)
        stage = replace(stage, rules=rules, rounds=stage.published)
        return tuple(tree_progress(build, stage, entrants, stage.next_round).overtaken)

    return Format(
        name=name,
        draw=draw,
        is_over=is_over,
        order=(),
        settings=settings,
        ranking=ranking,
        to_pair=to_pair,
        overtaken=overtaken,
        in_brackets=True,
        paired_by_place=True,
        **options,  # type: ignore[arg-type]
    )


def rank_places(folded: TreeProgress, stage: Stage) -> tuple[tuple[int, ...], ...]:
    """Return the shared places, best first; those still in it lead."""
    rank = dict.fromkeys(stage.entrants, LAST) | dict.fromkeys(folded.seeds, 0)
    firsts: set[int] = set()
    for index, match in enumerate(folded.tree):
        for entrant in folded.sides(match) or ():
            if entrant is not None and match.side_rank is not None:
                rank[entrant] = match.side_rank
        outcome = folded.outcomes.get(index)
        if outcome is None:
            continue
        if outcome.winner is not None and match.winner_rank is not None:
            rank[outcome.winner] = match.winner_rank
            firsts.add(outcome.winner)
        none_goes_down = outcome.loser is None and stage.rules.places is PlaceRule.PLAYED
        loser_rank = _loser_rank(folded.tree, index) if none_goes_down else match.loser_rank
        if loser_rank is not None:
            rank.update(dict.fromkeys(outcome.out, loser_rank))
    if folded.by_play and not folded.drawing and not folded.missing:
        for entrant in folded.seeds:  # in by a correction after the next match was played
            if rank[entrant] == 0 and entrant not in firsts:
                rank[entrant] = _rank_of_exit(folded, entrant)
    return tuple(
        tuple(entrant for entrant in stage.entrants if rank[entrant] == value)
        for value in sorted(set(rank.values()))
    )


def _rank_of_exit(folded: TreeProgress, entrant: int) -> int:
    """Return the rank of those who lose the last match that an entrant sat at."""
    index = folded.last_matches.get(entrant)
    return LAST if index is None else _loser_rank(folded.tree, index)


def _loser_rank(tree: Tree, index: int) -> int:
    """Return the rank of those who are out after a match: neither of two came, for example.

    Where its loser would play on below, it is the rank of those who lose the match there.
    """
    rank = tree[index].loser_rank
    if rank is not None:
        return rank
    below = [
        _loser_rank(tree, n)
        for n, match in enumerate(tree)
        for side in match.sides
        if isinstance(side, SideSource) and side.match == index and not side.won
    ]
    return max(below, default=LAST)


def entrants_in_next_round(folded: TreeProgress, stage: Stage) -> tuple[int, ...]:
    """Return the entrants who have a match in the next round.

    In a double elimination the winners of the upper board wait while the lower board plays: they
    are not out, and have no table.
    """
    playing = {entrant for _, sides in folded.drawing for entrant in sides}
    return tuple(entrant for entrant in stage.entrants if entrant in playing)


# --- a round -----------------------------------------------------------------------------------


def draw_tables(folded: TreeProgress, field: Field) -> Draw:
    """Return the tables of the next round, each with its reason; pinned ones stay.

    A pinned bye of an entrant who has an opponent takes no place of the tree: the opponents of such
    entrants meet, or have a bye too.
    """
    rows = folded.tables(folded.drawing, field.round)
    sides = dict(folded.drawing)
    alone = {people for _, people in rows if len(people) == 1}
    byes = [t for t in field.pinned_tables if t.is_bye and t.entrants not in alone]
    in_tree = [table for table in field.pinned_tables if table not in byes]
    numbers, pinned_tables = free_numbers(field.pinned_tables), _pinned(rows, in_tree)
    fixed = {entrant for table in field.pinned_tables for entrant in table.entrants}
    free_entrants = [
        entrant for _, people in rows if fixed.intersection(people) for entrant in people
    ]
    free_entrants = [entrant for entrant in free_entrants if entrant not in fixed]
    tables, reasons = [], []
    for place, (index, people) in enumerate(rows, start=1):
        if place in pinned_tables:
            tables.append(pinned_tables[place])
            reasons.append(
                PairingReason("pinned", pinned_tables[place].number, pinned_tables[place].entrants)
            )
            continue
        number = next(numbers)
        if fixed.intersection(people):
            entrants, free_entrants = (
                tuple(free_entrants[: len(people)]),
                free_entrants[len(people) :],
            )
            reason = PairingReason("moved", number, entrants)
        else:
            entrants, reason = people, _pairing_reason(folded, index, sides[index], people, number)
        if entrants:
            bye = Bye.PAIRING if len(entrants) < 2 else None
            tables.append(Table(number, tuple((entrant,) for entrant in entrants), bye=bye))
            reasons.append(reason)
    tables += byes
    reasons += [PairingReason("pinned", table.number, table.entrants) for table in byes]
    return Draw(tuple(tables), tuple(reasons), {"rests": sum(table.is_bye for table in tables)})


def _pinned(
    rows: Sequence[tuple[int, tuple[int, ...]]], tables: Sequence[Table]
) -> dict[int, Table]:
    """Return pinned tables by their places in a round, from 1.

    A table of the same people is in their place, as its number may be one that an entrant keeps;
    another is in the place of its number, or the first that is left.
    """
    places = {frozenset(people): place for place, (_, people) in enumerate(rows, start=1)}
    table_places = {table: places.get(frozenset(table.entrants)) for table in tables}
    tables_by_place = {place: table for table, place in table_places.items() if place is not None}
    for table in (table for table, place in table_places.items() if place is None):
        free_places = [place for place in range(1, len(rows) + 1) if place not in tables_by_place]
        tables_by_place[table.number if table.number in free_places else free_places[0]] = table
    return tables_by_place


def _pairing_reason(
    folded: TreeProgress,
    index: int,
    sides: Sides,
    people: tuple[int, ...],
    number: int,
) -> PairingReason:
    match = folded.tree[index]
    if len(people) < 2:
        absent = [entrant for entrant in sides if entrant is not None and entrant not in people]
        if absent:
            return PairingReason("walk_over", number, (*people, *absent))
        origin = next(side for side in match.sides if folded.sides(match) is not None)
        if match.place == 1 and origin is not None:
            seed, size = folded.seeds.index(people[0]) + 1, len(folded.seeds)
            facts = {"seed": seed, "count": size, "size": 1 << (size - 1).bit_length()}
            return PairingReason("seed_rests", number, people, facts)
        return PairingReason("nobody_opposite", number, people)
    came = sorted(
        _origin(folded, side, entrant) for side, entrant in zip(match.sides, people, strict=True)
    )
    code = "_v_".join(kind for kind, *_ in came)
    facts = {
        key + str(n): value
        for n, (_, round_, table, _) in enumerate(came, start=1)
        for key, value in (("round", round_), ("table", table))
    }
    return PairingReason(code, number, tuple(entrant for *_, entrant in came), facts)


def _origin(folded: TreeProgress, side: Side, entrant: int) -> tuple[str, int, int, int]:
    """Say where an entrant comes from: seed, or winner or loser of a table of a round."""
    while isinstance(side, SideSource):
        before = folded.outcomes[side.match]
        if before.table is not None and before.loser is not None:
            return "winner" if side.won else "loser", *before.table, entrant
        match = folded.tree[side.match]
        side = match.sides[0] if before.sides[0] == entrant else match.sides[1]
    return "seed", 0, folded.seeds.index(entrant) + 1, entrant

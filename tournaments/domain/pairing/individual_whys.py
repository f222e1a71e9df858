"""Why the players of an individual sit where they do, or sit out."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations, product

from tournaments.domain.movements.history import Facts, Task, across, facts_of, in_sides, levels_for
from tournaments.domain.pairing.base import Field, Why
from tournaments.domain.rows import Table


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

"""Mitchell movements: one half of the pairs sits still, the other moves up a table each round.

Pairs 0 to t - 1 sit on the first side of the t tables; those from t on, on the second, move to the
next higher table after each round, and the sets of deals to the next lower one. With an odd number
of tables that makes t rounds in which nobody meets a pair or a deal again. With an even number the
moving pairs would come back to deals they know after half of the rounds: there they *skip* a table,
once, and the last round falls away, so that each misses one opponent and one set.

A Mitchell ranks the two sides apart, for the pairs of one side never play the cards of the other.
As a stage has one table of results, the sides change over in the last eighth of the rounds that are
played (an *arrow switch*: first and second side change places), which links the two halves.
"""

from functools import lru_cache

from tournaments.domain.movements.howell import Movement, Station

SWITCHED = 8
"""One in this number of rounds has its sides changed over, one round at least."""


@lru_cache(maxsize=64)
def mitchell(pairs: int, played: int | None = None, *, switches: bool = True) -> Movement:
    """Return the rounds for an even number of pairs, four at least; ValueError for others.

    All of them, or as many as are ``played`` where that is less. Without ``switches`` the sides
    never change over. With four pairs (two tables) the
    skip leaves one round.
    """
    if pairs < 4 or pairs % 2:
        raise ValueError(f"no Mitchell movement for {pairs} pairs")
    tables = pairs // 2
    full = tables - (tables % 2 == 0)
    rounds = full if played is None else min(played, full)
    changes_over = switches and rounds > 1
    switched = rounds - max(1, rounds // SWITCHED) if changes_over else rounds
    return tuple(_round(tables, round_, turned=round_ >= switched) for round_ in range(rounds))


def _round(tables: int, round_: int, *, turned: bool) -> tuple[Station, ...]:
    skip = tables % 2 == 0 and round_ >= tables // 2
    stations = []
    for table in range(tables):
        still = table
        moving = tables + (table - round_ - skip) % tables
        first, second = (moving, still) if turned else (still, moving)
        stations.append(Station(table + 1, first, second, (table + round_) % tables))
    return tuple(stations)

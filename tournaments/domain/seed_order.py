"""The seeding order of a stage drawn by lot, and entrants of one origin kept apart in round one.

An entrant's lot is a SHA-256 over the stage's seed and the entrant's number; the lowest lot goes
first. So a uniform seed gives every order of equals the same chance, independent of the order of
entry, and anybody who knows the seed can draw the same order again.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from hashlib import sha256

Tiers = Sequence[Sequence[int]]
"""Entrants from the best to the last; those of one tier are equals, whose order is drawn."""

Cost = Callable[[int, int], int]
"""What it costs that two entrants meet in the first round; 0 for two who have nothing in common."""


def lot(seed: str, entrant: int) -> str:
    """Return the lot of an entrant: hexadecimal digits, to be compared as text."""
    return sha256(f"{seed}|draw|{entrant}".encode()).hexdigest()


def in_order_of_lots(tiers: Tiers, seed: str) -> tuple[int, ...]:
    """Return all entrants, tier after tier, those of one tier by their lots."""
    return tuple(
        who for tier in tiers for who in sorted(tier, key=lambda entrant: lot(seed, entrant))
    )


def with_seeded(tiers: Tiers, seeded: int, seed: str) -> Tiers:
    """Return tiers in which ``seeded`` entrants keep the first places and the rest are equals.

    Who of several equals is among the seeded is drawn by lot, too.
    """
    order = in_order_of_lots(tiers, seed)
    return (*((who,) for who in order[:seeded]), order[seeded:])


def kept_apart(
    order: Sequence[int],
    tables: Collection[tuple[int, int]],
    pools: Mapping[int, object],
    cost: Cost,
    seed: str,
) -> tuple[int, ...]:
    """Return the order with as few entrants as possible changed, so that meetings cost least.

    ``tables`` are the meetings of the first round as places in the order, from 0. Two entrants may
    exchange places where ``pools`` holds the same value for both places. Each exchange is the
    one that saves most, among equals the one with the lowest lot; it ends when none saves anything,
    which leaves a meeting of one origin only where every exchange would make another one.
    """
    placed = list(order)
    opponent = {place: other for pair in tables for place, other in (pair, pair[::-1])}

    def paid(place: int, who: int) -> int:
        against = opponent.get(place)
        return 0 if against is None else cost(who, placed[against])

    def exchanges(place: int) -> Iterator[tuple[int, str, int]]:
        who = placed[place]
        for other, candidate in enumerate(placed):
            if other in (place, opponent[place]) or pools[other] != pools[place]:
                continue
            before = paid(place, who) + paid(other, candidate)
            after = paid(place, candidate) + paid(other, who)
            if after < before:
                yield after - before, lot(seed, candidate), other

    clashing = True
    while clashing:
        clashing = False
        for place in opponent:
            if cost(placed[place], placed[opponent[place]]) == 0:
                continue
            best = min(exchanges(place), default=None)
            if best is not None:
                other = best[2]
                placed[place], placed[other] = placed[other], placed[place]
                clashing = True
    return tuple(placed)

"""The liguilla: everybody meets everybody, by the circle method (Berger's tables).

The entries sit around a table; entry 1 stays and the others move one place on after each round.
Those who sit face to face meet. In even rounds home and away change over, which keeps everybody's
home and away matches of a turn within four of each other. A second turn repeats the first with
home and away swapped, and evens them out. An odd number of entries gives each one bye a turn.
"""

from tournaments.domain.pairing.base import Meetings, Pairing

MINIMUM_ENTRIES = 2


def berger(entries: int, turns: int = 1) -> tuple[Meetings, ...]:
    """Return the rounds of a liguilla of ``entries`` numbered from 1, played ``turns`` times.

    With n entries a turn has n - 1 rounds when n is even, and n rounds with one bye each when odd.
    Raises ValueError for fewer than two entries or fewer than one turn.
    """
    if entries < MINIMUM_ENTRIES or turns < 1:
        raise ValueError(f"no liguilla has {entries} entries and {turns} turns")
    one_turn = _one_turn(entries)
    return tuple(
        round_ if turn % 2 == 0 else _swapped(round_)
        for turn in range(turns)
        for round_ in one_turn
    )


def _one_turn(entries: int) -> tuple[Meetings, ...]:
    """Turn the circle once; an empty chair makes an odd number even."""
    chairs: list[int | None] = [*range(1, entries + 1)]
    if entries % 2:
        chairs.append(None)
    rounds = []
    for index in range(len(chairs) - 1):
        rounds.append(_round(chairs, changed_over=index % 2 == 1))
        chairs = [chairs[0], chairs[-1], *chairs[1:-1]]
    return tuple(rounds)


def _round(chairs: list[int | None], *, changed_over: bool) -> Meetings:
    """Pair the chairs that face each other; the bye, if any, takes the last table number."""
    half = len(chairs) // 2
    facing = list(zip(chairs[:half], reversed(chairs[half:]), strict=True))
    meetings = [
        (chair, other) for chair, other in facing if chair is not None and other is not None
    ]
    bye_chairs = [chair or other for chair, other in facing if chair is None or other is None]
    pairings = [
        Pairing(table, other, chair) if changed_over else Pairing(table, chair, other)
        for table, (chair, other) in enumerate(meetings, start=1)
    ]
    pairings += [
        Pairing(len(meetings) + 1, chair, None) for chair in bye_chairs if chair is not None
    ]
    return tuple(pairings)


def _swapped(round_: Meetings) -> Meetings:
    """Give the other side the home seats; a bye stays a bye."""
    return tuple(
        pairing if pairing.away is None else Pairing(pairing.table, pairing.away, pairing.home)
        for pairing in round_
    )

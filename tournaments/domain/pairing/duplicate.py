"""Duplicate: the same deals at every table, the pairs moving between them (Mitchell, Howell).

Who sits where follows from the facts: the pairs of the first round take the seats of the movement
in their order, and keep them. A pair that comes later gets a seat that nobody has, or whose owner
is not there; failing that it fills in wherever an opponent is missing, or plays another such pair,
over a deal that neither knows. Who finds nobody opposite rests.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from tournaments.domain.movements import howell as howells
from tournaments.domain.movements.howell import Movement, howell
from tournaments.domain.movements.mitchell import mitchell
from tournaments.domain.pairing.base import CannotDraw, Draw, Field, Format, PairingReason
from tournaments.domain.rows import Bye, Entrant, Round, Scoring, Stage, StageRules, Table

HOWELL: Final = "howell"
MITCHELL: Final = "mitchell"

MIN_ENTRANTS: Final = 3
SMALL: Final = 14
"""Up to this number of pairs play a Howell by default: 13 rounds."""
DEALS: Final = 2  # deals of a set, by default


class Step(NamedTuple):
    """A line of a guide card: where a pair plays in a round, against whom and which deals.

    ``side`` is 0 for the first side of the table (seats A and C), 1 for the second (B and D).
    ``table`` and ``opponent`` are ``None`` where the pair rests.
    """

    round: int
    table: int | None = None
    side: int = 0
    opponent: int | None = None
    boards: tuple[int, ...] = ()


class Meeting(NamedTuple):
    """Two pairs over a set of deals; the number is the table's in the movement, 0 for none."""

    number: int
    first: int
    second: int
    boards: int
    code: str


def draw(field: Field) -> Draw:
    """Answer the next round of the movement."""
    movement = movement_of(_initial_pairs(field.stage, field.here), field.stage.rules)
    if field.place > len(movement):
        raise CannotDraw("stage_over")
    held = {who for table in field.pinned for who in table.entrants}
    meetings = list(_meetings(field, movement, held))
    return _draw(field, meetings, held)


def guide(pairs: Sequence[int], rules: StageRules) -> dict[int, tuple[Step, ...]]:
    """Return the guide card of each pair, all rounds in order, as if everybody stayed."""
    movement = movement_of(pairs, rules)
    seats = _initial_seats(pairs, rules)
    cards: dict[int, list[Step]] = {pair: [] for pair in pairs}
    for number, stations in enumerate(movement, start=1):
        for station in stations:
            sides = [seats[station.first], seats[station.second]]
            for side, pair in enumerate(sides):
                opponent = sides[1 - side]
                if pair is not None and opponent is None:
                    cards[pair].append(Step(number))
                elif pair is not None:
                    deals = boards_of(station.boards, rules)
                    cards[pair].append(Step(number, station.table, side, opponent, deals))
    return {pair: tuple(steps) for pair, steps in cards.items()}


def rounds(entrants: int, rules: StageRules) -> int:
    """Return the rounds of the movement, or as many as were asked for if that is less.

    Above thirty entrants in a Howell it is the movement of thirty: the others are away or late.
    """
    if entrants < MIN_ENTRANTS:
        return 0
    if rules.movement == HOWELL:
        entrants = min(entrants, howells.MAX_ENTRANTS)
    return len(movement_of(range(entrants), rules))


def is_over(stage: Stage, entrants: Mapping[int, Entrant]) -> bool:
    """Tell whether every round of the movement has been drawn."""
    del entrants
    return len(stage.rounds) >= len(movement_of(_initial_pairs(stage, stage.entrants), stage.rules))


def movement_of(pairs: Sequence[int], rules: StageRules) -> Movement:
    """Return the movement for these pairs, its last seat empty if their number is odd.

    CannotDraw ``too_few`` below three pairs, ``too_many`` above thirty in a Howell.
    """
    size = len(pairs) + len(pairs) % 2
    if len(pairs) < MIN_ENTRANTS:
        raise CannotDraw("too_few", least=MIN_ENTRANTS)
    if _kind(size, rules) == MITCHELL:
        return mitchell(size)[: rules.rounds]
    if size > howells.MAX_ENTRANTS:
        raise CannotDraw("too_many", most=howells.MAX_ENTRANTS)
    return howell(size)[: rules.rounds]


def boards_of(set_: int, rules: StageRules) -> tuple[int, ...]:
    """Return the numbers of the deals of a set, from 1."""
    deals = rules.deals or DEALS
    return tuple(range(set_ * deals + 1, (set_ + 1) * deals + 1))


def _kind(size: int, rules: StageRules) -> str:
    return rules.movement or (HOWELL if size <= SMALL else MITCHELL)


# --- who has which seat ------------------------------------------------------------------------


def _initial_pairs(stage: Stage, here: Sequence[int]) -> tuple[int, ...]:
    """Return the pairs for which the movement was chosen, in the order of the stage."""
    began = _entrants_of(stage.rounds[0]) if stage.rounds else set(here)
    return tuple(pair for pair in stage.entrants if pair in began)


def _entrants_of(round_: Round) -> set[int]:
    return {who for table in round_.tables for who in table.entrants}


def _initial_seats(pairs: Sequence[int], rules: StageRules) -> list[int | None]:
    """Give the first pairs their seats; in a Mitchell the two halves get every other one."""
    size = len(pairs) + len(pairs) % 2
    order = [*pairs[0::2], *pairs[1::2]] if _kind(size, rules) == MITCHELL else [*pairs]
    return [*order, *[None] * (size - len(order))]


def _seats(field: Field) -> list[int | None]:
    """Return the pair at each seat now: seats of the absent go to pairs that came later."""
    seats = _initial_seats(_initial_pairs(field.stage, field.here), field.stage.rules)
    rosters = [_entrants_of(round_) for round_ in field.stage.rounds]
    for roster in (*rosters, {*field.here, *field.byes}):
        free = [at for at, owner in enumerate(seats) if owner is None]
        free += [at for at, owner in enumerate(seats) if owner is not None and owner not in roster]
        late = [pair for pair in field.stage.entrants if pair in roster and pair not in seats]
        for at, pair in zip(free, late, strict=False):
            seats[at] = pair
    return seats


# --- who meets whom ----------------------------------------------------------------------------


class _History:
    """The history of the pairs: their opponents and their sets of deals."""

    def __init__(self, stage: Stage) -> None:
        deals = stage.rules.deals or DEALS
        self.met: set[frozenset[int]] = set()
        self.played: set[tuple[int, int]] = set()
        for _, table in stage.tables():
            if not table.is_bye:
                self.met.add(frozenset(table.entrants))
            for pair in table.entrants:
                self.played.update((pair, (board - 1) // deals) for board in table.boards)

    def can_meet(self, one: int, other: int, set_: int) -> bool:
        """Tell whether two pairs have neither met nor played the set."""
        known = {(one, set_), (other, set_)} & self.played
        return frozenset((one, other)) not in self.met and not known


def _meetings(field: Field, movement: Movement, held: set[int]) -> Iterator[Meeting]:
    """Yield who meets whom: by the movement, then filling in, then those who came late."""
    seats, known = _seats(field), _History(field.stage)
    code = f"duplicate_{_kind(len(seats), field.stage.rules)}"
    there = set(field.here) - held
    spare = [pair for pair in field.here if pair in there and pair not in seats]
    in_play: Counter[int] = Counter()
    for station in movement[field.place - 1]:
        first, second = (
            pair if pair in there else None
            for pair in (seats[station.first], seats[station.second])
        )
        lone, filled = first or second, code
        if lone is not None and (first is None or second is None):
            other = next((one for one in spare if known.can_meet(lone, one, station.boards)), None)
            if other is None:
                continue
            spare.remove(other)
            first, second, filled = first or other, second or other, "duplicate_filled"
        if (
            first is not None
            and second is not None
            and known.can_meet(first, second, station.boards)
        ):
            in_play[station.boards] += 1
            yield Meeting(station.table, first, second, station.boards, filled)
    yield from _late_meetings(spare, known, in_play, max(s.boards for r in movement for s in r) + 1)


def _late_meetings(
    spare: list[int], known: _History, in_play: Counter[int], sets: int
) -> Iterator[Meeting]:
    """Yield meetings of pairs without a seat, over the sets that the fewest tables play."""
    left = list(spare)
    for one, other in combinations(spare, 2):
        if one not in left or other not in left:
            continue
        fresh = [set_ for set_ in range(sets) if known.can_meet(one, other, set_)]
        if fresh:
            chosen = min(fresh, key=lambda set_: (in_play[set_], set_))
            in_play[chosen] += 1
            left = [pair for pair in left if pair not in (one, other)]
            yield Meeting(0, one, other, chosen, "duplicate_late")


def _draw(field: Field, meetings: Sequence[Meeting], held: set[int]) -> Draw:
    rules, tables, whys = field.stage.rules, list(field.pinned), []
    used = {table.number for table in tables}
    last = max([*used, *(meeting.number for meeting in meetings), 0])
    for meeting in meetings:
        number = meeting.number
        if not number or number in used:
            number = last = last + 1
        used.add(number)
        boards = boards_of(meeting.boards, rules)
        tables.append(Table(number, ((meeting.first,), (meeting.second,)), boards=boards))
        facts = {"round": field.place, "deals": f"{boards[0]}-{boards[-1]}"}
        whys.append(PairingReason(meeting.code, number, (meeting.first, meeting.second), facts))
    seated = {who for table in tables for who in table.entrants} | held
    resting = [pair for pair in field.here if pair not in seated]
    for number, pair in enumerate(resting, start=last + 1):
        tables.append(Table(number, ((pair,),), bye=Bye.PAIRING))
        whys.append(PairingReason("duplicate_rest", number, (pair,)))
    tables.sort(key=lambda table: (table.is_bye, table.number))
    sets = Counter(meeting.boards for meeting in meetings)
    shared = sum(count - 1 for count in sets.values())
    return Draw(tuple(tables), tuple(whys), {"resting": len(resting), "shared": shared})


FORMAT: Final = Format(
    name="duplicate",
    draw=draw,
    rounds=rounds,
    is_over=is_over,
    order=("point_difference",),
    settings=("movement", "rounds", "deals", "dealt_by", "comparison"),
    rules=StageRules(scoring=Scoring.COMPARISON, deals=DEALS),
    least=MIN_ENTRANTS,
    all_at_once=True,
    is_preset=True,
    same_deals=True,
)

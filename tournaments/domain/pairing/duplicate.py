"""Duplicate: the same deals at every table, the pairs moving between them (Mitchell, Howell).

Who sits where follows from the facts: the pairs of the first round take the seats of the movement
in their order, and keep them. A pair that comes later gets a seat that nobody has, or whose owner
is not there; failing that it fills in wherever an opponent is missing, or plays another such pair,
over a deal that neither knows. Who finds nobody opposite has a bye.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Final, NamedTuple

from tournaments.domain.movements import howell as howells
from tournaments.domain.movements.howell import Movement, howell
from tournaments.domain.movements.mitchell import mitchell
from tournaments.domain.pairing.base import (
    CannotDraw,
    Draw,
    Field,
    Format,
    PairingReason,
    SeparateLists,
)
from tournaments.domain.rows import (
    Bye,
    Entrant,
    Round,
    Scoring,
    Stage,
    StageRules,
    SwitchRule,
    Table,
)

HOWELL: Final = "howell"
MITCHELL: Final = "mitchell"

MIN_ENTRANTS: Final = 3
SMALL: Final = 14
"""Up to this number of pairs play a Howell by default: 13 rounds."""
DEALS: Final = 2  # deals of a set, by default


class Step(NamedTuple):
    """A line of a guide card: where a pair plays in a round, against whom and which deals.

    ``side`` is 0 for the first side of the table (seats A and C), 1 for the second (B and D).
    ``table`` and ``opponent`` are ``None`` where the pair has a bye.
    """

    round: int
    table: int | None = None
    side: int = 0
    opponent: int | None = None
    boards: tuple[int, ...] = ()


class PairMeeting(NamedTuple):
    """Two pairs over a set of deals; the number is the table's in the movement, 0 for none."""

    number: int
    first: int
    second: int
    boards: int
    code: str


def draw(field: Field) -> Draw:
    """Answer the next round of the movement."""
    movement = movement_of(_initial_pairs(field.stage, field.present), field.stage.rules)
    if field.place > len(movement):
        raise CannotDraw("stage_over")
    pinned_pairs = {pair for table in field.pinned_tables for pair in table.entrants}
    meetings = list(_meetings(field, movement, pinned_pairs))
    return _draw(field, meetings, pinned_pairs)


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
    if movement_kind(size, rules) == MITCHELL:
        played = rules.rounds if rules.switch is SwitchRule.PLAYED else None
        switches = rules.switch is not SwitchRule.NEVER
        return mitchell(size, played, switches=switches)[: rules.rounds]
    if size > howells.MAX_ENTRANTS:
        raise CannotDraw("too_many", most=howells.MAX_ENTRANTS)
    return howell(size)[: rules.rounds]


def separate_lists(stage: Stage) -> SeparateLists:
    """Return the lists that a table consists of: parts never compared, or halves hardly compared.

    The halves of a Mitchell whose sides never change over have a table each, whatever its parts.
    """
    compares = stage.rules.scoring is Scoring.COMPARISON
    has_one_table = stage.rules.switch is not SwitchRule.NEVER
    if compares and has_one_table and len(parts := unlinked_parts(stage)) > 1:
        return SeparateLists("place.unlinked_lists", parts)
    halves = separate_halves(stage)
    return SeparateLists("place.two_lists", halves) if halves else SeparateLists()


def unlinked_parts(stage: Stage) -> tuple[tuple[int, ...], ...]:
    """Return the parts of a stage whose pairs are compared, the largest first.

    Two pairs are in one part where they hold the same side of a deal, or a chain of such pairs
    leads from one to the other: by the tables of the rounds, drafts too, and by the movement for
    those that are not drawn. A table that counts without points of its deals compares nothing.
    """
    pairs = _initial_pairs(stage, stage.entrants)
    try:
        movement = movement_of(pairs, stage.rules)
    except CannotDraw:
        return ()
    holders: dict[tuple[int, int], set[int]] = defaultdict(set)
    for table in (table for round_ in stage.rounds for table in round_.tables):
        if not table.is_bye and (table.board_points or not table.counts):
            for board, pair in product(table.boards, table.entrants):
                holders[board, table.side_of(pair)].add(pair)
    seats = _initial_seats(pairs, stage.rules)
    for station in (s for stations in movement[len(stage.rounds) :] for s in stations):
        sides = [seats[station.first], seats[station.second]]
        for side, seated in enumerate(sides):
            if seated is not None and None not in sides:
                holders[boards_of(station.boards, stage.rules)[0], side].add(seated)
    parts: list[set[int]] = []
    for held in holders.values():
        joined = [part for part in parts if not part.isdisjoint(held)]
        parts = [part for part in parts if part not in joined] + [held.union(*joined)]
    ordered = sorted(parts, key=lambda part: (-len(part), min(part)))
    return tuple(tuple(pair for pair in stage.entrants if pair in part) for part in ordered)


def is_linked(entrants: int, rules: StageRules) -> bool:
    """Tell whether a movement compares all pairs, directly or over others."""
    stage = Stage(1, FORMAT.name, rules, tuple(range(1, entrants + 1)))
    return len(unlinked_parts(stage)) == 1


def separate_halves(stage: Stage) -> tuple[tuple[int, ...], ...]:
    """Return the halves of a Mitchell, those who sit still first, where they were hardly compared.

    Two pairs are compared where both held the same side of a deal. While fewer than half of those
    from different halves have been, each half has a list of places of its own; all pairs are in one
    where the sides never change over. Empty otherwise, and in a Howell, where all meet all.
    """
    pairs = _initial_pairs(stage, stage.entrants)
    if len(pairs) < MIN_ENTRANTS or movement_kind(len(pairs), stage.rules) != MITCHELL:
        return ()
    holders: dict[tuple[int, int], set[int]] = defaultdict(set)
    sides: dict[int, list[int]] = defaultdict(list)
    for _, table in stage.tables():
        if table.board_points:
            for pair in table.entrants:
                side = table.side_of(pair)
                sides[pair].append(side)
                for board in table.boards:
                    holders[board, side].add(pair)
    # The sides change over in fewer than half of the rounds, so most rounds give the half.
    moving = {pair for pair, sat in sides.items() if 2 * sum(sat) > len(sat)}
    still = sides.keys() - moving
    compared = {two for held in holders.values() for two in product(held & still, held & moving)}
    if 2 * len(compared) >= len(still) * len(moving):
        return ()
    if stage.rules.switch is SwitchRule.NEVER:  # each half is a table: nobody is missing
        moving |= set(pairs[1::2]) - sides.keys()  # as `_initial_seats` seats them
        still = set(stage.entrants) - moving
    return tuple(tuple(pair for pair in stage.entrants if pair in half) for half in (still, moving))


def boards_of(set_: int, rules: StageRules) -> tuple[int, ...]:
    """Return the numbers of the deals of a set, from 1."""
    deals = rules.deals or DEALS
    return tuple(range(set_ * deals + 1, (set_ + 1) * deals + 1))


def deals_for(stage: Stage, number: int, pairs: tuple[int, int]) -> tuple[int, ...]:
    """Return the deals of a table that is made by hand in a round.

    Of the sets that its pairs have played least, in earlier rounds or drafts of them, the one that
    the fewest tables of the round play.
    """
    deals = stage.rules.deals or DEALS
    sets: set[int] = {0}
    known: Counter[int] = Counter()
    in_play: Counter[int] = Counter()
    for round_ in stage.rounds:
        for table in round_.tables:
            at_table = {(board - 1) // deals for board in table.boards}
            sets |= at_table
            if round_.number == number:
                in_play.update(at_table)
            elif round_.number < number:
                known.update(dict.fromkeys(at_table, len(set(pairs).intersection(table.entrants))))
    best = min(sets, key=lambda set_: (known[set_], in_play[set_], set_))
    return boards_of(best, stage.rules)


def movement_kind(entrants: int, rules: StageRules) -> str:
    """Return the movement for a number of pairs: that of the rules, or else by their number."""
    return rules.movement or (HOWELL if entrants + entrants % 2 <= SMALL else MITCHELL)


# --- who has which seat ------------------------------------------------------------------------


def _initial_pairs(stage: Stage, present_pairs: Sequence[int]) -> tuple[int, ...]:
    """Return the pairs for which the movement was chosen, in the order of the stage."""
    initial_pairs = _entrants_of(stage.rounds[0]) if stage.rounds else set(present_pairs)
    return tuple(pair for pair in stage.entrants if pair in initial_pairs)


def _entrants_of(round_: Round) -> set[int]:
    return {pair for table in round_.tables for pair in table.entrants}


def _initial_seats(pairs: Sequence[int], rules: StageRules) -> list[int | None]:
    """Give the first pairs their seats; in a Mitchell the two halves get every other one."""
    size = len(pairs) + len(pairs) % 2
    order = [*pairs[0::2], *pairs[1::2]] if movement_kind(size, rules) == MITCHELL else [*pairs]
    return [*order, *[None] * (size - len(order))]


def _seats(field: Field) -> list[int | None]:
    """Return the pair at each seat now: seats of the absent go to pairs that came later."""
    seats = _initial_seats(_initial_pairs(field.stage, field.present), field.stage.rules)
    rosters = [_entrants_of(round_) for round_ in field.stage.rounds]
    for roster in (*rosters, {*field.present, *field.byes}):
        free_seats = [index for index, owner in enumerate(seats) if owner is None]
        free_seats += [
            index for index, owner in enumerate(seats) if owner is not None and owner not in roster
        ]
        late_pairs = [pair for pair in field.stage.entrants if pair in roster and pair not in seats]
        for index, pair in zip(free_seats, late_pairs, strict=False):
            seats[index] = pair
    return seats


# --- who meets whom ----------------------------------------------------------------------------


class _History:
    """The history of the pairs: their opponents and their sets of deals."""

    def __init__(self, stage: Stage) -> None:
        deals = stage.rules.deals or DEALS
        self.meetings: set[frozenset[int]] = set()
        self.played: set[tuple[int, int]] = set()
        for _, table in stage.tables():
            if not table.is_bye:
                self.meetings.add(frozenset(table.entrants))
            for pair in table.entrants:
                self.played.update((pair, (board - 1) // deals) for board in table.boards)

    def can_meet(self, pair: int, other: int, set_: int) -> bool:
        """Tell whether two pairs have neither met nor played the set."""
        repeats = {(pair, set_), (other, set_)} & self.played
        return frozenset((pair, other)) not in self.meetings and not repeats


def _meetings(field: Field, movement: Movement, pinned_pairs: set[int]) -> Iterator[PairMeeting]:
    """Yield who meets whom: by the movement, then filling in, then those who came late."""
    seats, history = _seats(field), _History(field.stage)
    code = f"duplicate_{movement_kind(len(seats), field.stage.rules)}"
    free_pairs = set(field.present) - pinned_pairs
    spare = [pair for pair in field.present if pair in free_pairs and pair not in seats]
    in_play: Counter[int] = Counter()
    for station in movement[field.place - 1]:
        first, second = (
            pair if pair in free_pairs else None
            for pair in (seats[station.first], seats[station.second])
        )
        lone, meeting_code = first or second, code
        if lone is not None and (first is None or second is None):
            other = next(
                (pair for pair in spare if history.can_meet(lone, pair, station.boards)), None
            )
            if other is None:
                continue
            spare.remove(other)
            first, second, meeting_code = first or other, second or other, "duplicate_filled"
        if (
            first is not None
            and second is not None
            and history.can_meet(first, second, station.boards)
        ):
            in_play[station.boards] += 1
            yield PairMeeting(station.table, first, second, station.boards, meeting_code)
    yield from _late_meetings(
        spare, history, in_play, max(s.boards for r in movement for s in r) + 1
    )


def _late_meetings(
    spare: list[int], history: _History, in_play: Counter[int], sets: int
) -> Iterator[PairMeeting]:
    """Yield meetings of pairs without a seat, over the sets that the fewest tables play."""
    remaining_pairs = list(spare)
    for first, other in combinations(spare, 2):
        if first not in remaining_pairs or other not in remaining_pairs:
            continue
        fresh = [set_ for set_ in range(sets) if history.can_meet(first, other, set_)]
        if fresh:
            deal_set = min(fresh, key=lambda set_: (in_play[set_], set_))
            in_play[deal_set] += 1
            remaining_pairs = [pair for pair in remaining_pairs if pair not in (first, other)]
            yield PairMeeting(0, first, other, deal_set, "duplicate_late")


def _draw(field: Field, meetings: Sequence[PairMeeting], pinned_pairs: set[int]) -> Draw:
    rules, tables, reasons = field.stage.rules, list(field.pinned_tables), []
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
        reasons.append(PairingReason(meeting.code, number, (meeting.first, meeting.second), facts))
    seated_pairs = {pair for table in tables for pair in table.entrants} | pinned_pairs
    bye_pairs = [pair for pair in field.present if pair not in seated_pairs]
    for number, pair in enumerate(bye_pairs, start=last + 1):
        tables.append(Table(number, ((pair,),), bye=Bye.PAIRING))
        reasons.append(PairingReason("duplicate_rest", number, (pair,)))
    tables.sort(key=lambda table: (table.is_bye, table.number))
    sets = Counter(meeting.boards for meeting in meetings)
    shared = sum(count - 1 for count in sets.values())
    return Draw(tuple(tables), tuple(reasons), {"resting": len(bye_pairs), "shared": shared})


FORMAT: Final = Format(
    name="duplicate",
    draw=draw,
    rounds=rounds,
    is_over=is_over,
    order=("point_difference",),
    settings=("movement", "rounds", "deals", "dealt_by", "comparison"),
    rules=StageRules(scoring=Scoring.COMPARISON, deals=DEALS),
    min_entrants=MIN_ENTRANTS,
    all_at_once=True,
    is_preset=True,
    same_deals=True,
    lists=separate_lists,
)

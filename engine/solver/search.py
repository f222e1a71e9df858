"""The exact search, compiled: the rules over bit masks, held equal to the core by tests.

Importing this module compiles it, or loads what was compiled before; only
:mod:`engine.solver.fast` does so. ``docs/programs/solver.md`` explains how the search works; the
same in a hundred lines of plain Python is :mod:`engine.solver.plain`, the yardstick that is node by
node the same is ``benchmarks/solver.c``.

Trumps are suit 0 here. All numbers are int64, since int64 with uint64 would become a float, and a
place in an array is turned into an unsigned number, so that it is not looked at for being below 0.
All that a search needs lies in one array, the *desk* (`places` below), and the table of positions
seen in another.
"""

from typing import Any, Final

from llvmlite import ir
from numba.extending import intrinsic

from engine.fast.compiling import Numbers, compiled, place, subroutine
from engine.fast.masks import SUIT, TRUMPS, VALUES, beats, obligatory_cards

# --- places on the desk --------------------------------------------------------------------------
SEATS: Final = 0
"""How many play: 2 or 4. Seats of even number are one side."""
PISAR: Final = 1
"""1 where a trump must be beaten by a higher one (R4.4a), 0 where any trump will do (R4.4b)."""
GENERATION: Final = 2
"""Of the entries in the table that speak of this deal."""
NODES: Final = 3
"""Positions looked at so far."""
HANDS: Final = 4
"""Four card sets."""
WITHOUT_TABLE: Final = 8
"""1 to do without the table, as a test of it."""
SAME: Final = 16
"""For each suit and each set of its five worthless cards, the least set with the same owners."""
HISTORY: Final = SAME + 4 * 32
"""How often a lead, by seat and card, was better than what came before it."""
FRAMES: Final = HISTORY + 4 * 40
"""A frame for every card played; the first is the position asked about."""
FRAME: Final = 32
MAX_FRAMES: Final = 43  # 40 cards, the first frame, and two spare ones
DESK_SIZE: Final = FRAMES + FRAME * MAX_FRAMES
SPARE: Final = FRAMES + FRAME * (MAX_FRAMES - 1)
"""A frame that no search gets to: the position asked about, while its cards are tried.

So is the one before it, for notes."""

# --- and in a frame ------------------------------------------------------------------------------
TURN: Final = 0
ON_TABLE: Final = 1
BEST: Final = 2
"""The card that is winning the trick, of seat HOLDER."""
HOLDER: Final = 3
LED: Final = 4
"""All cards of the suit led."""
POINTS: Final = 5
"""Card points on the table."""
MADE: Final = 6
"""Points that the even side has made since the position asked about."""
REST: Final = 7
"""Points that nobody has made yet, those on the table and the last ten among them."""
PRESENT: Final = 8
"""Cards in the hands and on the table."""
SLOT: Final = 9
TAG: Final = 10
COUNT: Final = 11
TRIED: Final = 12
SOFT: Final = 13
"""The best value of the cards tried so far."""
ADVICE: Final = 14
"""The card that the table knows as a good one, -1 for none."""
MOVES: Final = 16

# --- the table of positions ----------------------------------------------------------------------
SLOT_BITS: Final = 18
ENTRIES: Final = 1 << SLOT_BITS
KEY: Final = (1 << 42) - 1
LAST_GENERATION: Final = (1 << 16) - 1
FIRST_FACTOR: Final = 0x9E3779B97F4A7C15 & KEY
SECOND_FACTOR: Final = 0xD6E8FEB86659FD93 & KEY

# --- the order in which cards are tried ----------------------------------------------------------
OWN: Final = 2000  # cards that win the trick, then open ones, then those that lose it
OPEN: Final = 1500
OTHER: Final = 1000
BY_VALUE: Final = 16  # an ace is 11 points: the classes above do not overlap
CUT: Final = 8
MAX_HISTORY: Final = 4000  # halved when reached
FROM_TABLE: Final = 1 << 28  # above the sum of all others: the card of the table comes first

UNKNOWN: Final = 2  # neither 1, 0 nor -1
_WORTHLESS: Final = 0x1F
_ALL_WORTHLESS: Final = sum(_WORTHLESS << 10 * suit for suit in range(4))
DESK: Final = "int64[::1]"


def _count_zeros(_context: Any, mask: Any) -> Any:
    def write(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return mask(mask), write


_leading_zeros: Any = intrinsic(_count_zeros)


@subroutine(inline=True)
def highest(mask: int) -> int:
    """The highest card of a set that is not empty."""
    return 63 - int(_leading_zeros(mask))


@subroutine()
def owners(desk: Numbers, suit: int, cards: int) -> int:
    """The owners of a suit's five worthless cards, from the weakest up, as one number."""
    sequence = 1
    for strength in range(5):
        if cards >> strength & 1:
            sequence *= 4
            for seat in range(1, 4):
                if desk[HANDS + seat] >> (10 * suit + strength) & 1:
                    sequence += seat
    return sequence


@compiled(f"void({DESK}, {DESK})")
def new_deal(desk: Numbers, table: Numbers) -> None:
    """Forget what was found of other deals; the desk holds the hands of this one.

    Of a suit's cards that are worth nothing only the sequence of their owners matters.
    """
    desk[GENERATION] += 1
    if desk[GENERATION] > LAST_GENERATION:
        for slot in range(ENTRIES):
            table[slot] = 0
        desk[GENERATION] = 1
    for number in range(HISTORY, FRAMES):
        desk[number] = 0
    notes = SPARE - FRAME
    for suit in range(4):
        for cards in range(32):
            desk[notes + cards] = owners(desk, suit, cards)
            index = 0
            while desk[notes + index] != desk[notes + cards]:
                index += 1
            desk[SAME + 32 * suit + cards] = index


@subroutine(inline=True)
def winning_side(desk: Numbers, turn: int, followers: int, best: int, side: int, led: int) -> int:
    """The winner of the trick when ``best`` of ``side`` is winning it and ``followers`` may play.

    1: that side, -1: the other, 0: it depends on the cards they choose. Who can beat must beat,
    which often decides the trick before they play: both sets hold what may be the best card.
    """
    own_cards, rival_cards = 1 << best, 0
    ruffed = best < 10 and led != TRUMPS
    while followers:
        hand = desk[place(HANDS + turn)]
        cards = hand & led
        is_free = False
        if ruffed or not cards:
            if cards or led == TRUMPS:
                cards = 0
            else:
                cards = hand & TRUMPS
                if cards and not ruffed:
                    ruffed = True
                    own_cards, rival_cards = 0, 0
                is_free = not desk[PISAR]
        if cards:
            both = own_cards | rival_cards
            higher = cards
            if both:
                higher = cards & -(2 * (both & -both))
                if not is_free:
                    stays = -(2 << highest(cards))
                    own_cards &= stays
                    rival_cards &= stays
            if turn & 1 == side:
                own_cards |= higher
            else:
                rival_cards |= higher
        followers -= 1
        turn = turn + 1 & desk[SEATS] - 1
    if not rival_cards:
        return 1
    return 0 if own_cards else -1


@subroutine(inline=True)
def legal(desk: Numbers, frame: int) -> int:
    """The cards that may be played (R4.1)."""
    hand = desk[place(HANDS + desk[place(frame + TURN)])]
    if not desk[place(frame + ON_TABLE)]:
        return hand
    return obligatory_cards(hand, desk[place(frame + LED)], desk[place(frame + BEST)], desk[PISAR])


@subroutine(inline=True)
def after_last_trick(desk: Numbers, frame: int) -> int:
    """The even side's points when the last card of each hand is played."""
    turn, seats = desk[place(frame + TURN)], desk[SEATS]
    winner, best = turn, highest(desk[place(HANDS + turn)])
    for step in range(1, seats):
        seat = turn + step & seats - 1
        card = highest(desk[place(HANDS + seat)])
        if beats(card, best):
            winner, best = seat, card
    even_points = desk[place(frame + MADE)]
    return even_points if winner & 1 else even_points + desk[place(frame + REST)]


@subroutine(inline=True)
def play(desk: Numbers, frame: int, after: int, card: int) -> None:
    """The seat in turn plays a card; what follows is written into the frame ``after``."""
    turn, on_table = desk[place(frame + TURN)], desk[place(frame + ON_TABLE)]
    seats = desk[SEATS]
    desk[place(HANDS + turn)] ^= 1 << card
    best, holder = desk[place(frame + BEST)], desk[place(frame + HOLDER)]
    points = desk[place(frame + POINTS)] + VALUES[place(card)]
    even_points, rest = desk[place(frame + MADE)], desk[place(frame + REST)]
    suit = SUIT[place(card)]
    if not on_table:
        best, holder = card, turn
        desk[place(after + LED)] = suit
    else:
        desk[place(after + LED)] = desk[place(frame + LED)]
        if beats(card, best):
            best, holder = card, turn
    if on_table == seats - 1:
        if not desk[place(HANDS + turn)]:
            points = rest  # the last ten are won with the last trick (R7.1)
        if not holder & 1:
            even_points += points
        rest -= points
        turn, on_table, points = holder, 0, 0
        desk[place(after + PRESENT)] = (
            desk[HANDS] | desk[HANDS + 1] | desk[HANDS + 2] | desk[HANDS + 3]
        )
    else:
        turn, on_table = turn + 1 & seats - 1, on_table + 1
        desk[place(after + PRESENT)] = desk[place(frame + PRESENT)]
    desk[place(after + TURN)] = turn
    desk[place(after + ON_TABLE)] = on_table
    desk[place(after + BEST)] = best
    desk[place(after + HOLDER)] = holder
    desk[place(after + POINTS)] = points
    desk[place(after + MADE)] = even_points
    desk[place(after + REST)] = rest


@subroutine(inline=True)
def find_slot(desk: Numbers, frame: int) -> None:
    """The table slot of a position: a hash of the cards left and of who leads, one to one."""
    present = desk[place(frame + PRESENT)]
    key = present & ~_ALL_WORTHLESS
    for suit in range(4):
        cards = present >> 10 * suit & _WORTHLESS
        key |= desk[place(SAME + 32 * suit + cards)] << 10 * suit
    key |= desk[place(frame + TURN)] << 40
    key = key * FIRST_FACTOR & KEY
    key ^= key >> 21
    key = key * SECOND_FACTOR & KEY
    key ^= key >> 21
    desk[place(frame + SLOT)] = key & ENTRIES - 1
    desk[place(frame + TAG)] = key >> SLOT_BITS << 16 | desk[GENERATION]


@subroutine(inline=True)
def weigh_leads(desk: Numbers, frame: int, count: int) -> None:
    """Leads that were good before promise more, the one from the table most."""
    first = desk[place(frame + ADVICE)]
    history = HISTORY + 40 * desk[place(frame + TURN)]
    for move in range(frame + MOVES, frame + MOVES + count):
        card = desk[place(move)] & 63
        desk[place(move)] += desk[place(history + card)] << 6
        if card == first:
            desk[place(move)] += FROM_TABLE


@subroutine(inline=True)
def sort_moves(desk: Numbers, moves: int, count: int) -> None:
    """Sorts moves, the most promising first."""
    for number in range(1, count):
        move, index = desk[place(moves + number)], number
        while index and desk[place(moves + index - 1)] < move:
            desk[place(moves + index)] = desk[place(moves + index - 1)]
            index -= 1
        desk[place(moves + index)] = move


@subroutine(inline=True)
def move_priority(points: int, wins: int) -> int:
    """The sorting key of a card: early if it wins dear, late if it loses late and cheap."""
    if wins > 0:
        return OWN + BY_VALUE * points
    return (OTHER if wins else OPEN) - BY_VALUE * points


@subroutine(inline=True)
def list_moves(desk: Numbers, frame: int) -> None:
    """The cards worth trying, the most promising first.

    Of a hand's cards with no card of others between them only the dearest need be tried where the
    own side wins the trick whatever follows, only the cheapest where the other side does, and of
    those that are worth nothing one always does.
    """
    turn, on_table = desk[place(frame + TURN)], desk[place(frame + ON_TABLE)]
    best, led = desk[place(frame + BEST)], desk[place(frame + LED)]
    others = desk[place(frame + PRESENT)] & ~desk[place(HANDS + turn)]
    after, followers = turn + 1 & desk[SEATS] - 1, desk[SEATS] - 1 - on_table
    side = turn & 1
    todo = legal(desk, frame)
    count, upper, wins, under = 0, -1, 0, UNKNOWN
    moves = frame + MOVES
    while todo:
        card = highest(todo)
        todo ^= 1 << card
        points, suit = VALUES[place(card)], SUIT[place(card)]
        if upper >= 0 and suit == SUIT[place(upper)] and not others & (1 << upper) - (2 << card):
            upper = card
            if wins > 0:
                continue
            last = desk[place(moves + count - 1)] & 63
            if wins < 0 or not (points or VALUES[place(last)]):
                count -= 1
        else:
            upper = card
            heads = not on_table or beats(card, best)
            if heads or under == UNKNOWN:
                holder = side if heads else desk[place(frame + HOLDER)] & 1
                top = card if heads else best
                lead = led if on_table else suit
                wins = winning_side(desk, after, followers, top, holder, lead)
                wins = wins if holder == side else -wins
            else:
                wins = under
            under = under if heads else wins
        desk[place(moves + count)] = move_priority(points, wins) << 6 | card
        count += 1
    if not on_table:
        weigh_leads(desk, frame, count)
    sort_moves(desk, moves, count)
    desk[place(frame + COUNT)] = count
    desk[place(frame + TRIED)] = 0
    desk[place(frame + SOFT)] = 1000 if side else -1


@subroutine(inline=True)
def remember(desk: Numbers, table: Numbers, frame: int, target: int, card: int) -> None:
    """Write into the table what is now known of a position: a bound below or above."""
    slot, tag = desk[place(frame + SLOT)], desk[place(frame + TAG)]
    value, even_points = desk[place(frame + SOFT)], desk[place(frame + MADE)]
    lower, upper = 0, desk[place(frame + REST)]
    entry = table[place(slot)]
    if entry >> 22 == tag:
        lower, upper = entry >> 14 & 255, entry >> 6 & 255
    if value >= target:
        lower = max(lower, value - even_points)
    else:
        upper = min(upper, value - even_points)
    table[place(slot)] = tag << 22 | lower << 14 | upper << 6 | card


@subroutine()
def record_good_lead(desk: Numbers, turn: int, card: int) -> None:
    """Counts a lead that was better than those tried before it (history heuristic)."""
    desk[place(HISTORY + 40 * turn + card)] += CUT
    if desk[place(HISTORY + 40 * turn + card)] > MAX_HISTORY:
        for number in range(HISTORY, FRAMES):
            desk[number] >>= 1


@subroutine(inline=True)
def known_value(desk: Numbers, table: Numbers, frame: int, target: int) -> int:
    """The value of the start of a trick if it follows without playing on; else -1."""
    even_points, rest = desk[place(frame + MADE)], desk[place(frame + REST)]
    hand = desk[place(HANDS + desk[place(frame + TURN)])]
    desk[place(frame + ADVICE)] = -1
    if even_points >= target:
        return even_points
    if even_points + rest < target:
        return even_points + rest
    if not hand & hand - 1:
        return after_last_trick(desk, frame)
    if not desk[WITHOUT_TABLE]:
        find_slot(desk, frame)
        entry = table[place(desk[place(frame + SLOT)])]
        if entry >> 22 == desk[place(frame + TAG)]:
            desk[place(frame + ADVICE)] = entry & 63
            if even_points + (entry >> 14 & 255) >= target:
                return even_points + (entry >> 14 & 255)
            if even_points + (entry >> 6 & 255) < target:
                return even_points + (entry >> 6 & 255)
    return -1


@subroutine(inline=True)
def undo_card(desk: Numbers, table: Numbers, frame: int, target: int, value: int) -> int:
    """Undo a card that led to ``value``: the value of the frame, -1 if it is not known.

    It is known when no card is left to try, or when this one was good enough.
    """
    turn, tried = desk[place(frame + TURN)], desk[place(frame + TRIED)]
    card = desk[place(frame + MOVES + tried)] & 63
    desk[place(HANDS + turn)] ^= 1 << card
    soft = desk[place(frame + SOFT)]
    if turn & 1:
        soft, cut = min(soft, value), value < target
    else:
        soft, cut = max(soft, value), value >= target
    desk[place(frame + SOFT)] = soft
    tried += 1
    desk[place(frame + TRIED)] = tried
    if not cut and tried < desk[place(frame + COUNT)]:
        return -1
    if not desk[place(frame + ON_TABLE)]:
        if cut and tried > 1:
            record_good_lead(desk, turn, card)
        if not desk[WITHOUT_TABLE]:
            good = card if cut else desk[place(frame + MOVES)] & 63
            remember(desk, table, frame, target, good)
    return soft


@subroutine()
def search_bound(desk: Numbers, table: Numbers, target: int) -> int:
    """Whether the even side makes ``target`` points from the first frame on.

    The answer is a bound: a lower one if it is ``target`` or more, else an upper one.
    """
    frame, nodes = FRAMES, 0
    while True:
        nodes += 1
        value = -1
        if not desk[place(frame + ON_TABLE)]:
            value = known_value(desk, table, frame, target)
        if value < 0:
            list_moves(desk, frame)
        while value >= 0:  # back to the last position with a card left to try
            if frame == FRAMES:
                desk[NODES] += nodes
                return value
            frame -= FRAME
            value = undo_card(desk, table, frame, target, value)
        card = desk[place(frame + MOVES + desk[place(frame + TRIED)])] & 63
        play(desk, frame, frame + FRAME, card)
        frame += FRAME


@compiled(f"int64({DESK}, {DESK}, int64, int64, int64)")
def search_value(desk: Numbers, table: Numbers, guess: int, floor: int, ceiling: int) -> int:
    """The even side's points from the first frame on, by tests with doubling steps.

    If it is not more than ``floor``, ``floor``; if it is ``ceiling`` or more, ``ceiling`` or more.
    """
    even_points = desk[FRAMES + MADE]
    lower, upper = max(even_points, floor), min(even_points + desk[FRAMES + REST], ceiling)
    target = min(max(guess, lower + 1), upper)
    step, way, turned = 8, 0, False
    while lower < upper:
        value = search_bound(desk, table, target)
        now = 1 if value >= target else -1
        if now > 0:
            lower = value
        else:
            upper = value
        turned = turned or way == -now
        way = now
        if turned:
            target = (lower + upper + 1) // 2
        else:
            target = lower + step if now > 0 else upper - step + 1
            step *= 2
            if target > upper or target <= lower:
                target = upper if now > 0 else lower + 1
    return lower


@compiled(f"void({DESK}, {DESK}, int64, int64, int64[:, ::1], int64[:, ::1], int64[:, ::1])")
def solve_worlds(
    desk: Numbers, table: Numbers, fresh: int, asked: int, worlds: Any, targets: Any, values: Any
) -> None:
    """The even side's points after each legal card of ``asked``, in many deals.

    A row of ``worlds`` holds four hands, that of ``values`` gets a number for each of forty cards,
    -1 where it is not asked for. The first frame, the same in all, says what is on the table and
    who plays. ``fresh`` is 0 when the worlds are moments of the one deal that the table knows.
    ``targets`` has no rows, or one like those of ``values``: then what a card gets is the target or
    more if it is reached, and else less, and no further searched. Worthless cards of a suit have
    the same target.
    """
    turn = desk[FRAMES + TURN]
    guess = desk[FRAMES + MADE] + desk[FRAMES + REST] // 2
    for field in range(FRAME):
        desk[SPARE + field] = desk[FRAMES + field]
    for world in range(worlds.shape[0]):
        for seat in range(4):
            desk[HANDS + seat] = worlds[world, seat]
        if fresh:
            new_deal(desk, table)
        others = desk[SPARE + PRESENT] & ~desk[HANDS + turn]
        for card in range(40):
            values[world, card] = -1
        todo, upper = legal(desk, SPARE) & asked, -1
        while todo:
            card = highest(todo)
            todo ^= 1 << card
            alike = upper >= 0 and SUIT[place(upper)] == SUIT[place(card)]
            if alike and not (VALUES[place(upper)] or others & (1 << upper) - (2 << card)):
                values[world, card] = values[world, upper]
            else:
                play(desk, SPARE, FRAMES, card)
                if targets.shape[0]:
                    target = targets[world, card]
                    values[world, card] = search_value(desk, table, target, target - 1, target)
                else:
                    guess = search_value(desk, table, guess, -1, 1000)
                    values[world, card] = guess
                desk[HANDS + turn] ^= 1 << card
            upper = card
    for field in range(FRAME):
        desk[FRAMES + field] = desk[SPARE + field]

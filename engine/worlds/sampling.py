"""Worlds: deals of the hidden cards, drawn evenly from all that agree with what a seat knows.

Without a stock a card may be in some hands and not in others, and nothing else matters. So cards
are grouped by the hands that may hold them, every way to share the groups out is counted, one is
drawn by its count, and each group is dealt accordingly: exactly even.

With a stock and one opponent it also matters when they drew their cards: a suit that they lacked
at some trick they can have drawn only later. Each of their unseen cards came at one of a few
moments; the ways to assign cards to moments are counted from the last moment to the first, one is
drawn, and the cards that they still hold are dealt to their moments: exactly even, again. Games of
more than two have no stock, by no house rule either. What a declaration implies about an earlier
silence that would have forfeited it (R6.6) is not counted with a stock; only a house rule has both.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, combinations, product
from math import factorial
from random import Random
from typing import Final, NamedTuple

from engine.cards import cards_in, mask_of
from engine.worlds.knowledge import Knowledge

_MAX_ATTEMPTS: Final = 10_000
"""Rejected deals after which the knowledge is taken for contradictory."""


class World(NamedTuple):
    """A sampled deal: hands by seat as card sets, and the stock, next first, without the upcard."""

    hands: tuple[int, ...]
    stock: tuple[int, ...] = ()


class NoWorldError(ValueError):
    """The knowledge contradicts itself: no deal agrees with it."""


def sample_worlds(knowledge: Knowledge, count: int, seed: bytes | str) -> list[World]:
    """Draw ``count`` worlds, each independently; the same seed draws the same.

    Raises :class:`NoWorldError` where there is none, which no legal history comes to.
    """
    chance = Random(seed)  # noqa: S311 - a card game's guess, not a secret
    draw = _choose_draw(knowledge)
    return [_draw_without_couples(knowledge, draw, chance) for _ in range(count)]


def every_world(knowledge: Knowledge, limit: int) -> list[World] | None:
    """All worlds, each as likely as any other; ``None`` of more than ``limit``, or with a stock."""
    if knowledge.stock:
        return None
    groups = groups_of(knowledge)
    shares = shares_of(knowledge, groups)
    if sum(ways for _numbers, ways in shares) > limit:
        return None
    worlds = []
    for numbers, _ways in shares:
        parts = (
            list(_deal_group(tuple(cards_in(cards)), counts))
            for (_seats, cards), counts in zip(groups, numbers, strict=True)
        )
        for dealt in product(*parts):
            hands = list(knowledge.certain)
            for (seats, _cards), masks in zip(groups, dealt, strict=True):
                for seat, mask in zip(seats, masks, strict=True):
                    hands[seat] |= mask
            worlds.append(World(tuple(hands)))
    return [world for world in worlds if _is_possible(knowledge, world)]


def _deal_group(cards: tuple[int, ...], numbers: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every way to deal cards to hands that get these numbers of them, as card sets."""
    if not numbers:
        yield ()
        return
    for chosen in combinations(cards, numbers[0]):
        left = tuple(card for card in cards if card not in chosen)
        for others in _deal_group(left, numbers[1:]):
            yield (mask_of(chosen), *others)


def _is_possible(knowledge: Knowledge, world: World) -> bool:
    return not any(world.hands[seat] & cards == cards for seat, cards in knowledge.exclusions)


def _draw_without_couples(knowledge: Knowledge, draw: "_Draw", chance: Random) -> World:
    for _ in range(_MAX_ATTEMPTS):
        world = draw(chance)
        if _is_possible(knowledge, world):
            return world
    raise NoWorldError("no deal agrees with what is known")


class _Draw:
    """Draws a world at random."""

    def __call__(self, chance: Random) -> World:
        raise NotImplementedError


def _choose_draw(knowledge: Knowledge) -> _Draw:
    if not knowledge.rules.stock_size or not knowledge.stock:
        return _Groups(knowledge)
    return _Arrivals(knowledge)


def groups_of(knowledge: Knowledge) -> list[tuple[tuple[int, ...], int]]:
    """The unseen cards by the seats that may hold them: (seats, cards), no group empty."""
    groups: dict[tuple[int, ...], int] = {}
    for card in cards_in(knowledge.unseen):
        seats = tuple(seat for seat in knowledge.others if knowledge.possible[seat] >> card & 1)
        groups[seats] = groups.get(seats, 0) | 1 << card
    return sorted(groups.items())


def shares_of(
    knowledge: Knowledge, groups: Sequence[tuple[tuple[int, ...], int]]
) -> list[tuple[tuple[tuple[int, ...], ...], int]]:
    """Every way to share the groups out, with the number of deals that it covers.

    A way lists for each group how many cards each of its seats gets. Raises :class:`NoWorldError`.
    """
    room = {seat: knowledge.hidden(seat) for seat in knowledge.others}
    shares = list(_share_groups(groups, room, (), 1))
    if not shares:
        raise NoWorldError("no deal agrees with what is known")
    return shares


def _share_groups(
    groups: Sequence[tuple[tuple[int, ...], int]],
    room: dict[int, int],
    prefix: tuple[tuple[int, ...], ...],
    ways: int,
) -> Iterator[tuple[tuple[tuple[int, ...], ...], int]]:
    if not groups:
        if not any(room.values()):
            yield prefix, ways
        return
    (seats, cards), rest = groups[0], groups[1:]
    last = {seat for later, _cards in rest for seat in later}
    for numbers in _split(cards.bit_count(), [room[seat] for seat in seats]):
        room_left = dict(room)
        for seat, number in zip(seats, numbers, strict=True):
            room_left[seat] -= number
        if any(number and seat not in last for seat, number in room_left.items()):
            continue
        factor = factorial(cards.bit_count())
        for number in numbers:
            factor //= factorial(number)
        yield from _share_groups(rest, room_left, (*prefix, numbers), ways * factor)


def _split(cards: int, room: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every way to put a number of cards into places of limited size."""
    if not room:
        if not cards:
            yield ()
        return
    for count in range(max(0, cards - sum(room[1:])), min(cards, room[0]) + 1):
        for rest in _split(cards - count, room[1:]):
            yield (count, *rest)


class _Groups(_Draw):
    """No stock: each group of cards is shared out among the hands that may hold it."""

    def __init__(self, knowledge: Knowledge) -> None:
        groups = groups_of(knowledge)
        shares = shares_of(knowledge, groups)
        self._certain = knowledge.certain
        self._groups = [(seats, list(cards_in(cards))) for seats, cards in groups]
        self._shares = [numbers for numbers, _ways in shares]
        self._up_to = list(accumulate(ways for _numbers, ways in shares))

    def __call__(self, chance: Random) -> World:
        hands = list(self._certain)
        for (seats, cards), numbers in zip(self._groups, self._share(chance), strict=True):
            order, start = chance.sample(cards, len(cards)), 0
            for seat, number in zip(seats, numbers, strict=True):
                hands[seat] |= mask_of(order[start : start + number])
                start += number
        return World(tuple(hands))

    def _share(self, chance: Random) -> tuple[tuple[int, ...], ...]:
        if len(self._shares) == 1:
            return self._shares[0]
        ticket = chance.randrange(self._up_to[-1])
        return next(
            each for each, limit in zip(self._shares, self._up_to, strict=True) if ticket < limit
        )


class _Arrivals(_Draw):
    """A stock and one opponent: draws when each of the opponent's cards came, then the cards."""

    def __init__(self, knowledge: Knowledge) -> None:
        (seat,) = knowledge.others
        self._seat = seat
        self._certain = knowledge.certain
        self._unseen = list(cards_in(knowledge.unseen))
        self._barred = knowledge.barred[seat]
        self._arrivals = knowledge.arrivals[seat]
        self._hidden = knowledge.hidden(seat)
        cards = knowledge.kept[seat]
        self._free = [each for each in cards if each.after < 0]
        self._bound = [each for each in cards if each.after >= 0]
        self._room = [
            sum(self._barred[card] <= moment for card in self._unseen) for moment in self._arrivals
        ]
        self._ways = cache(self._counted)
        if not self._ways(len(self._arrivals), self._hidden, 0):
            raise NoWorldError("no deal agrees with what is known")

    def _choices(self, slot: int, hidden: int, placed: int) -> Iterator[tuple[int, int, int]]:
        """The options for the last of ``slot`` moments, as (weight, hidden, placed) left.

        ``hidden`` unseen cards came at these moments, ``placed`` bound ones at later moments.
        """
        moment = self._arrivals[slot - 1]
        if hidden:
            yield self._room[slot - 1] - (hidden - 1), hidden - 1, placed
        later = len(self._arrivals) - slot - (self._hidden - hidden) - placed.bit_count()
        free_count = sum(moment < each.until for each in self._free) - later
        if free_count > 0:
            yield free_count, hidden, placed
        for number, each in enumerate(self._bound):
            if not placed >> number & 1 and each.after <= moment < each.until:
                yield 1, hidden, placed | 1 << number

    def _counted(self, slot: int, hidden: int, placed: int) -> int:
        if not slot:
            return int(not hidden and placed.bit_count() == len(self._bound))
        return sum(
            weight * self._ways(slot - 1, *rest)
            for weight, *rest in self._choices(slot, hidden, placed)
            if weight > 0
        )

    def _moments(self, chance: Random) -> list[int]:
        """The moments at which the opponent's unseen cards came, the earliest first."""
        moments, hidden, placed = [], self._hidden, 0
        for slot in range(len(self._arrivals), 0, -1):
            ticket = chance.randrange(self._ways(slot, hidden, placed))
            for weight, *rest in self._choices(slot, hidden, placed):
                ticket -= max(weight, 0) * self._ways(slot - 1, *rest)
                if ticket < 0:
                    if rest[0] < hidden:
                        moments.append(self._arrivals[slot - 1])
                    hidden, placed = rest
                    break
        return moments[::-1]

    def __call__(self, chance: Random) -> World:
        stock, hand = list(self._unseen), self._certain[self._seat]
        for moment in self._moments(chance):
            card = chance.choice([card for card in stock if self._barred[card] <= moment])
            stock.remove(card)
            hand |= 1 << card
        hands = tuple(hand if n == self._seat else cards for n, cards in enumerate(self._certain))
        chance.shuffle(stock)
        return World(hands, tuple(stock))

"""The exact search in plain Python, asking :mod:`engine.rules` what is legal and who wins.

The compiled search is tested against it, and it replaces that one where numba is missing, some
hundred times slower. ``docs/programs/solver.md`` explains how it works.
"""

from typing import Final

from engine.cards import ABOVE, CARD_POINTS, SUIT_MASKS, SUIT_OF
from engine.rules import legal_cards, winning_card
from engine.solver.moments import Moment

Known = dict[tuple[tuple[int, ...], int], tuple[int, int]]
"""Least and most that the even side makes, by the hands at the start of a trick and who leads."""

NOTHING: Final = -1


class PlainSearch:
    """The search in plain Python from a moment on, which can be asked again as the hand goes on."""

    compiled = False

    def __init__(self, deal: Moment, *, forgetful: bool = False) -> None:
        self.rules = deal.rules
        self.trumps = SUIT_MASKS[deal.trump]
        self.known: Known = {}
        self.nodes = 0
        self.forgetful = forgetful

    def value(self, moment: Moment, guess: int | None = None) -> int:
        """The points that the even side makes with best play, from ``moment`` on."""
        lower, upper = 0, moment.rest
        target = upper // 2 if guess is None else guess
        step = 8
        while lower < upper:
            target = min(max(target, lower + 1), upper)
            if self.reaches(moment, target):
                lower, target = target, target + step
            else:
                upper, target = target - 1, target - step
            step *= 2
            if not lower < target <= upper:
                target = (lower + upper + 1) // 2
        return lower

    def reaches(self, moment: Moment, target: int) -> bool:
        """Whether the even side makes ``target`` points from ``moment`` on."""
        return self._bound(moment, moment.rest, target) >= target

    def values(self, moment: Moment) -> dict[int, int]:
        """The even side's points after each legal card."""
        results: dict[int, int] = {}
        guess = None
        for card in range(39, -1, -1):
            if moment.legal >> card & 1:
                next_moment, points = moment.after(card)
                results[card] = guess = points + self.value(next_moment, guess and guess - points)
        return results

    def _bound(self, moment: Moment, rest: int, target: int) -> int:
        """A bound on the points: a lower one if it is ``target`` or more, else an upper one."""
        self.nodes += 1
        if moment.table:
            return self._best(moment, rest, target)
        if target <= 0:
            return 0
        if rest < target:
            return rest
        key = (moment.hands, moment.turn)
        lower, upper = self.known.get(key, (0, rest))
        if lower >= target:
            return lower
        if upper < target:
            return upper
        value = self._best(moment, rest, target)
        if self.forgetful:
            return value
        self.known[key] = (
            (max(lower, value), upper) if value >= target else (lower, min(upper, value))
        )
        return value

    def _best(self, moment: Moment, rest: int, target: int) -> int:
        odd = moment.turn & 1
        best_value = rest if odd else 0
        for card in self._worth_trying(moment):
            next_moment, points = moment.after(card)
            rest_after = rest if next_moment.table else next_moment.rest
            value = points + self._bound(next_moment, rest_after, target - points)
            best_value = min(best_value, value) if odd else max(best_value, value)
            if (best_value < target) if odd else (best_value >= target):
                break
        return best_value

    def _worth_trying(self, moment: Moment) -> list[int]:
        """Of cards with no card of others between them, those that may be better than the rest.

        Where the own side wins the trick whatever follows that is the dearest, where the other
        does the cheapest; of those that are worth nothing it is always one.
        """
        side = moment.turn & 1
        candidates: list[tuple[int, int]] = []
        for run in self._runs(moment):
            table = (*moment.table, run[0])
            wins = self._winning_side(moment, table)
            if wins == NOTHING:
                worthless = [card for card in run if not CARD_POINTS[card]]
                dear = [card for card in run if CARD_POINTS[card]]
                candidates += [(50 - CARD_POINTS[card], card) for card in dear + worthless[:1]]
            elif wins == side:
                candidates.append((100 + CARD_POINTS[run[0]], run[0]))
            else:
                candidates.append((20 - CARD_POINTS[run[-1]], run[-1]))
        return [card for _promise, card in sorted(candidates, reverse=True)]

    def _runs(self, moment: Moment) -> list[list[int]]:
        """The legal cards, the highest first, in runs that no card of others interrupts."""
        hand = moment.hands[moment.turn]
        others = 0
        for seat_hand in moment.hands:
            others |= seat_hand
        for card in moment.table:
            others |= 1 << card
        others &= ~hand
        runs: list[list[int]] = []
        cards = legal_cards(self.rules, hand, moment.table, self.trumps)
        while cards:
            card = cards.bit_length() - 1
            cards ^= 1 << card
            upper = runs[-1][-1] if runs else card
            gap = ABOVE[card] & ~ABOVE[upper] & ~(1 << upper)
            if runs and SUIT_OF[upper] == SUIT_OF[card] and not others & gap:
                runs[-1].append(card)
            else:
                runs.append([card])
        return runs

    def _winning_side(self, moment: Moment, table: tuple[int, ...]) -> int:
        """The side that wins the trick whatever follows, ``NOTHING`` if that is not certain.

        ``table`` begins with the one of the moment. Of each side the set of cards is kept with
        which it may be winning so far; who can beat must beat.
        """
        seats = len(moment.hands)
        best = winning_card(table, self.trumps)
        leader = (moment.turn - len(moment.table)) % seats
        sides = [0, 0]
        sides[(leader + table.index(best)) & 1] = 1 << best
        for number in range(len(table), seats):
            seat = (leader + number) % seats
            self._apply_answer(sides, moment.hands[seat], seat & 1, table[0])
        if not sides[0]:
            return 1
        return NOTHING if sides[1] else 0

    def _apply_answer(self, sides: list[int], hand: int, side: int, lead: int) -> None:
        """Updates ``sides``, the cards that may be winning by side, with the answer of one hand."""
        either = sides[0] | sides[1]
        follow = hand & SUIT_OF[lead]
        ruffed = either & self.trumps and not 1 << lead & self.trumps
        if not ruffed and follow:
            self._beat_cards(sides, follow, side)
        elif not follow and hand & self.trumps and not 1 << lead & self.trumps:
            if not ruffed:
                sides[side], sides[1 - side] = hand & self.trumps, 0
            elif self.rules.must_overtrump:
                self._beat_cards(sides, hand & self.trumps, side)
            else:
                lowest = (either & -either).bit_length() - 1
                sides[side] |= hand & ABOVE[lowest] & self.trumps

    def _beat_cards(self, sides: list[int], cards: int, side: int) -> None:
        """Every card that one of ``cards`` beats is beaten, by one of those above it (R4.2)."""
        either = sides[0] | sides[1]
        lowest, highest = (either & -either).bit_length() - 1, cards.bit_length() - 1
        sides[0] &= ABOVE[highest]
        sides[1] &= ABOVE[highest]
        sides[side] |= cards & ABOVE[lowest]

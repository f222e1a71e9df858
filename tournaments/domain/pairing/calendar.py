"""The calendar of a liguilla: re-plans the rounds left when entrants come late or leave.

It begins as Berger's schedule, everybody on a chair. The chair of an entrant who leaves stays
empty, and those who would have met them rest. A latecomer takes an empty chair; without one, the
meetings left are planned again in as few rounds as can be (`colouring`). Missed meetings come after
the last round of the plan. So everybody still meets everybody ``turns`` times.

The calendar is folded from the rounds that were drawn, so it needs no memory: the same rounds give
the same calendar.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from tournaments.domain.pairing.berger import berger
from tournaments.domain.pairing.colouring import Meeting, schedule_meetings
from tournaments.domain.rows import Entrant, Round, Stage


class CalendarRound(NamedTuple):
    """A round of one calendar: the meetings to play, home first, and what was planned.

    ``schedule`` is the number of the round in Berger's schedule, ``None`` once planned again.
    """

    meetings: tuple[Meeting, ...]
    planned: tuple[Meeting, ...]
    schedule: int | None


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """A round of the plan."""

    meetings: tuple[Meeting, ...]
    schedule: int | None = None


class Calendar:
    """The rounds left for ``members``, folded from the rounds drawn so far."""

    def __init__(
        self, members: Sequence[int], stage: Stage, entrants: Mapping[int, Entrant], round_: int
    ) -> None:
        """Fold the rounds of the stage; ``round_`` is the number of the round to be drawn."""
        self.members = members
        self.entrants = entrants
        self.turns = stage.rules.turns
        self.met: Counter[frozenset[int]] = Counter()
        self.home: Counter[int] = Counter()
        self.rests: Counter[int] = Counter()
        first = stage.rounds[0].number if stage.rounds else round_
        self.plan = self._schedule(first)
        for drawn in stage.rounds:
            self._admit(drawn.number)
            self._play(drawn)
        self._admit(round_)
        self.round = round_

    def draw(self, here: Iterable[int], pinned: Sequence[Meeting] = ()) -> CalendarRound:
        """Return the meetings of the round among those who are here, pinned ones first."""
        seated = {who for meeting in pinned for who in meeting}
        free = set(here) - seated
        index = self._next(free | seated)
        if index is None:
            return CalendarRound(tuple(pinned), (), None)
        planned = self.plan[index]
        meetings = [meeting for meeting in planned.meetings if free.issuperset(meeting)]
        if pinned:
            meetings += self._remaining_meetings(free.difference(*meetings))
        return CalendarRound((*pinned, *meetings), planned.meetings, planned.schedule)

    def chair(self, who: int) -> int:
        """Return the chair of an entrant, from 1."""
        return self.chairs.index(who) + 1

    def rounds_left(self) -> int:
        """Return the number of rounds left in the plan."""
        return len(self.plan)

    # --- the plan ------------------------------------------------------------------------------

    def _schedule(self, first: int) -> list[PlannedRound]:
        """Seat those who are there from the first round, and give them Berger's rounds."""
        self.chairs: list[int] = [who for who in self.members if self.entrants[who].joined <= first]
        self.on_chairs = len(self.chairs) > 1
        self.known = set(self.chairs)
        self.empty = len(self.chairs) % 2
        return self._berger_rounds() if self.on_chairs else []

    def _berger_rounds(self) -> list[PlannedRound]:
        """Return the schedule of the chairs; an odd number leaves the last chair empty."""
        chairs = dict(enumerate(self.chairs, start=1))
        return [
            PlannedRound(
                tuple(
                    (chairs[meeting.home], chairs[meeting.away])
                    for meeting in meetings
                    if meeting.away is not None
                    and meeting.away in chairs
                    and meeting.home in chairs
                ),
                number,
            )
            for number, meetings in enumerate(
                berger(len(self.chairs) + self.empty, self.turns), start=1
            )
        ]

    def _admit(self, round_: int) -> None:
        """Let in who comes or comes back in a round, and see that there is a plan."""
        self.now = round_
        new = [
            who
            for who in self.members
            if who not in self.known and is_staying(self.entrants[who], round_)
        ]
        if new:
            self.known.update(new)
            if not self._take_chairs(new):
                self._replan()
        elif not self.on_chairs and self._has_departed_entrant():
            self._replan()
        if not self._has_meeting():
            self._replan()

    def _take_chairs(self, new: Sequence[int]) -> bool:
        """Give the newcomers empty chairs, if there are enough of them."""
        if not self.on_chairs:
            return False
        deserted = [
            index for index, who in enumerate(self.chairs) if self.entrants[who].has_left(self.now)
        ]
        if len(new) > self.empty + len(deserted):
            return False
        waiting = list(new)
        if self.empty:
            self.chairs.append(waiting.pop(0))
            self.empty = 0
        for index, who in zip(deserted, waiting, strict=False):
            self.known.discard(self.chairs[index])
            self.chairs[index] = who
        left = {planned.schedule for planned in self.plan}
        self.plan = [planned for planned in self._berger_rounds() if planned.schedule in left]
        return True

    def _replan(self) -> None:
        """Put all meetings that are still owed into as few rounds as can be."""
        staying = [who for who in self.members if is_staying(self.entrants[who], self.now)]
        self.on_chairs = False
        self.known = set(staying)
        owed = tuple(
            pair
            for pair in combinations(staying, 2)
            for _ in range(max(0, self._meetings_left(pair)))
        )
        self.plan = [
            PlannedRound(meetings) for meetings in self._order_rounds(schedule_meetings(owed))
        ]

    def _order_rounds(self, rounds: Iterable[tuple[Meeting, ...]]) -> list[tuple[Meeting, ...]]:
        """Put full rounds first, and among them those for people who have rested most."""
        ordered = []
        rests = Counter(self.rests)
        left = list(rounds)
        while left:
            best = max(
                left,
                key=lambda round_: (len(round_), sum(rests[w] for pair in round_ for w in pair)),
            )
            left.remove(best)
            ordered.append(best)
            rests.update(self.known.difference(*best))
        return ordered

    def _has_meeting(self) -> bool:
        """Tell whether a round of the plan has a meeting of two who stay.

        Berger's rounds keep the chairs of those who left. A plan with nothing but such meetings
        is never played and never struck, so the meetings owed from earlier rounds would wait for
        ever.
        """
        return any(
            all(is_staying(self.entrants[who], self.now) for who in meeting)
            for planned in self.plan
            for meeting in planned.meetings
        )

    def _has_departed_entrant(self) -> bool:
        return any(
            self.entrants[who].has_left(self.now)
            for planned in self.plan
            for meeting in planned.meetings
            for who in meeting
        )

    # --- the rounds drawn ----------------------------------------------------------------------

    def _play(self, drawn: Round) -> None:
        """Strike a round that was drawn from the plan."""
        ours = set(self.members)
        meetings = [
            (table.entrants[0], table.entrants[1])
            for table in drawn.tables
            if not table.is_bye and ours.issuperset(table.entrants)
        ]
        index = self._next({who for who in ours if self._plays(who, drawn.number)})
        for meeting in meetings:
            self.met[frozenset(meeting)] += 1
            self.home[meeting[0]] += 1
        self.rests.update(
            table.entrants[0]
            for table in drawn.tables
            if table.is_bye and table.entrants[0] in ours
        )
        planned = (
            {frozenset(pair) for pair in self.plan[index].meetings} if index is not None else set()
        )
        if planned.issuperset(map(frozenset, meetings)):
            self.plan = self.plan if index is None else self.plan[index + 1 :]
        else:
            self.plan = []

    def _next(self, here: set[int]) -> int | None:
        """Return the index of the first round of the plan with a meeting of two who are here."""
        for index, planned in enumerate(self.plan):
            if any(here.issuperset(meeting) for meeting in planned.meetings):
                return index
        return None

    def _remaining_meetings(self, free: set[int]) -> list[Meeting]:
        """Return meetings that are owed among those whom a pinned table left over."""
        owed = tuple(
            pair for pair in combinations(sorted(free), 2) if self._meetings_left(pair) > 0
        )
        if not owed:
            return []
        fullest = max(schedule_meetings(owed), key=len)
        return list(fullest)

    def _meetings_left(self, pair: Meeting) -> int:
        return self.turns - self.met[frozenset(pair)]

    def _plays(self, who: int, round_: int) -> bool:
        entrant = self.entrants[who]
        return entrant.is_here(round_) and entrant.bye_in(round_) is None

    def balance_home(self, meeting: Meeting) -> Meeting:
        """Return a meeting with the side at home that was at home less often; else as it is."""
        one, other = meeting
        return meeting if self.home[one] <= self.home[other] else (other, one)


def is_staying(entrant: Entrant, round_: int) -> bool:
    """Tell whether an entrant has come by a round and has not left for good."""
    return entrant.joined <= round_ and not entrant.has_left(round_)


def all_have_met(
    members: Sequence[int], stage: Stage, entrants: Mapping[int, Entrant], round_: int
) -> bool:
    """Tell whether nobody who stays until a round still has to meet another such one."""
    met = Counter(frozenset(t.entrants) for drawn in stage.rounds for t in drawn.tables)
    staying = [who for who in members if is_staying(entrants[who], round_)]
    return all(met[frozenset(pair)] >= stage.rules.turns for pair in combinations(staying, 2))

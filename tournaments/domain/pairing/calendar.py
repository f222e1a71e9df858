"""The calendar of a liguilla: re-plans the rounds left when entrants come late or leave.

It begins as Berger's schedule, everybody on a chair. The chair of an entrant who leaves stays
empty, and those who would have met them have a bye. A latecomer takes an empty chair; without one,
the meetings left are planned again in as few rounds as can be (`colouring`). Missed meetings come
after the last round of the plan. So everybody still meets everybody ``turns`` times.

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
        self.meetings: Counter[frozenset[int]] = Counter()
        self.home: Counter[int] = Counter()
        self.byes: Counter[int] = Counter()
        first = stage.rounds[0].number if stage.rounds else round_
        self.plan = self._schedule(first)
        for past_round in stage.rounds:
            self._admit(past_round.number)
            self._play(past_round)
        self._admit(round_)
        self.round = round_

    def draw(
        self, present_entrants: Iterable[int], pinned_meetings: Sequence[Meeting] = ()
    ) -> CalendarRound:
        """Return the meetings of the round among those who are here, pinned ones first."""
        pinned_entrants = {entrant for meeting in pinned_meetings for entrant in meeting}
        free_entrants = set(present_entrants) - pinned_entrants
        index = self._next(free_entrants | pinned_entrants)
        if index is None:
            return CalendarRound(tuple(pinned_meetings), (), None)
        planned = self.plan[index]
        meetings = [meeting for meeting in planned.meetings if free_entrants.issuperset(meeting)]
        if pinned_meetings:
            meetings += self._remaining_meetings(free_entrants.difference(*meetings))
        return CalendarRound((*pinned_meetings, *meetings), planned.meetings, planned.schedule)

    def chair(self, entrant: int) -> int:
        """Return the chair of an entrant, from 1."""
        return self.chairs.index(entrant) + 1

    def rounds_left(self) -> int:
        """Return the number of rounds left in the plan."""
        return len(self.plan)

    # --- the plan ------------------------------------------------------------------------------

    def _schedule(self, first: int) -> list[PlannedRound]:
        """Seat those who are there from the first round, and give them Berger's rounds."""
        self.chairs: list[int] = [
            entrant for entrant in self.members if self.entrants[entrant].joined <= first
        ]
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
            entrant
            for entrant in self.members
            if entrant not in self.known and is_staying(self.entrants[entrant], round_)
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
            index
            for index, entrant in enumerate(self.chairs)
            if self.entrants[entrant].has_left(self.now)
        ]
        if len(new) > self.empty + len(deserted):
            return False
        newcomers = list(new)
        if self.empty:
            self.chairs.append(newcomers.pop(0))
            self.empty = 0
        for index, entrant in zip(deserted, newcomers, strict=False):
            self.known.discard(self.chairs[index])
            self.chairs[index] = entrant
        schedules = {planned.schedule for planned in self.plan}
        self.plan = [planned for planned in self._berger_rounds() if planned.schedule in schedules]
        return True

    def _replan(self) -> None:
        """Put all meetings that are still owed into as few rounds as can be."""
        staying = [
            entrant for entrant in self.members if is_staying(self.entrants[entrant], self.now)
        ]
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
        """Put full rounds first, and among them those for people who have had the most byes."""
        ordered = []
        byes = Counter(self.byes)
        remaining_rounds = list(rounds)
        while remaining_rounds:
            best = max(
                remaining_rounds,
                key=lambda round_: (len(round_), sum(byes[w] for pair in round_ for w in pair)),
            )
            remaining_rounds.remove(best)
            ordered.append(best)
            byes.update(self.known.difference(*best))
        return ordered

    def _has_meeting(self) -> bool:
        """Tell whether a round of the plan has a meeting of two who stay.

        Berger's rounds keep the chairs of those who left. A plan with nothing but such meetings
        is never played and never struck, so the meetings owed from earlier rounds would wait for
        ever.
        """
        return any(
            all(is_staying(self.entrants[entrant], self.now) for entrant in meeting)
            for planned in self.plan
            for meeting in planned.meetings
        )

    def _has_departed_entrant(self) -> bool:
        return any(
            self.entrants[entrant].has_left(self.now)
            for planned in self.plan
            for meeting in planned.meetings
            for entrant in meeting
        )

    # --- the rounds drawn ----------------------------------------------------------------------

    def _play(self, past_round: Round) -> None:
        """Strike a round that was drawn from the plan."""
        members = set(self.members)
        meetings = [
            (table.entrants[0], table.entrants[1])
            for table in past_round.tables
            if not table.is_bye and members.issuperset(table.entrants)
        ]
        index = self._next(
            {entrant for entrant in members if self._plays(entrant, past_round.number)}
        )
        for meeting in meetings:
            self.meetings[frozenset(meeting)] += 1
            self.home[meeting[0]] += 1
        self.byes.update(
            table.entrants[0]
            for table in past_round.tables
            if table.is_bye and table.entrants[0] in members
        )
        planned = (
            {frozenset(pair) for pair in self.plan[index].meetings} if index is not None else set()
        )
        if planned.issuperset(map(frozenset, meetings)):
            self.plan = self.plan if index is None else self.plan[index + 1 :]
        else:
            self.plan = []

    def _next(self, present_entrants: set[int]) -> int | None:
        """Return the index of the first round of the plan with a meeting of two who are here."""
        for index, planned in enumerate(self.plan):
            if any(present_entrants.issuperset(meeting) for meeting in planned.meetings):
                return index
        return None

    def _remaining_meetings(self, free_entrants: set[int]) -> list[Meeting]:
        """Return meetings that are owed among those whom a pinned table left over."""
        owed = tuple(
            pair for pair in combinations(sorted(free_entrants), 2) if self._meetings_left(pair) > 0
        )
        if not owed:
            return []
        fullest = max(schedule_meetings(owed), key=len)
        return list(fullest)

    def _meetings_left(self, pair: Meeting) -> int:
        return self.turns - self.meetings[frozenset(pair)]

    def _plays(self, number: int, round_: int) -> bool:
        entrant = self.entrants[number]
        return entrant.is_here(round_) and entrant.bye_in(round_) is None

    def balance_home(self, meeting: Meeting) -> Meeting:
        """Return a meeting with the side at home that was at home less often; else as it is."""
        entrant, other = meeting
        return meeting if self.home[entrant] <= self.home[other] else (other, entrant)


def is_staying(entrant: Entrant, round_: int) -> bool:
    """Tell whether an entrant has come by a round and has not left for good."""
    return entrant.joined <= round_ and not entrant.has_left(round_)


def all_have_met(
    members: Sequence[int], stage: Stage, entrants: Mapping[int, Entrant], round_: int
) -> bool:
    """Tell whether nobody who stays until a round still has to meet another such one."""
    meetings = Counter(
        frozenset(t.entrants) for past_round in stage.rounds for t in past_round.tables
    )
    staying = [entrant for entrant in members if is_staying(entrants[entrant], round_)]
    return all(meetings[frozenset(pair)] >= stage.rules.turns for pair in combinations(staying, 2))

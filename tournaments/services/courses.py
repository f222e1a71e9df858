"""How a match goes on in the memory of whoever plays it: what each record comes to, and its end.

What is told of every record, and what the match comes to, is what would be said of it if it were
written alone (:mod:`.judging`, :mod:`.sets`, :mod:`.cotos`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import engine
from tournaments.domain import cotos, sets
from tournaments.domain.cotos import Coto
from tournaments.domain.scores import Score
from tournaments.domain.seating import score_of
from tournaments.domain.sets import DealSet, Part
from tournaments.models import Match
from tournaments.queries.sets import parts_of
from tournaments.services.cotos import accepted_cotos, coto_rows, cotos_of, standing_facts
from tournaments.services.readings import Reading
from tournaments.services.sets import is_at, place_of, set_rows


class Ending(NamedTuple):
    """What a match comes to: its score, and its sets or cotos if it has any."""

    score: Score
    rows: Sequence[Mapping[str, Any]] = ()


class Step(NamedTuple):
    """What a record does to its match: ``facts`` are told of it while the match goes on."""

    facts: Mapping[str, Any]
    ending: Ending | None = None


class Course:
    """A match that one record decides."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def step(self, reading: Reading, side: str) -> Step:
        """Go on by a valid record, home having sat at ``side``."""
        return Step({}, Ending(score_of(reading.verdict, side)))


class CourseOfSets(Course):
    """A match of deal sets, of which some records are there.

    Raises ``ValueError`` for a record that is not the next one.
    """

    def __init__(self, match: Match, parts: Iterable[Part] = ()) -> None:
        super().__init__(match)
        self._parts = list(parts)
        self._sets: list[DealSet] = list(sets.sets_of(self._parts))
        stop = match.tournament.stop
        self._test = engine.Sprt(**stop) if stop else None

    def step(self, reading: Reading, side: str) -> Step:
        """Go on by the next record; with the last of a set, look whether that decides."""
        place, sides = place_of(self.match, len(self._parts) + 1), len(self.match.sides)
        record, verdict = reading.record, reading.verdict
        if record is None or not is_at(self.match, place, record, side):
            raise ValueError(f"record {place.number} of {self.match.label} is another one")
        hands = (hand.points for hand in verdict.hands)
        self._parts.append(sets.part_of(verdict.score or {}, hands, side))
        if place.seating == sides:
            self._sets += sets.sets_of(self._parts[-sides:])
            if self._is_over():
                return Step({}, Ending(sets.tally(self._sets, sides), set_rows(self._sets)))
        return Step(place.facts)

    def _is_over(self) -> bool:
        """Tell whether the set just played was the last: no set before it was."""
        if len(self._sets) >= self.match.tournament.deal_sets:
            return True
        return self._test is not None and sets.is_decided(self._sets, self._test)


class CourseOfCotos(Course):
    """A match of several cotos, of which some are there."""

    def __init__(self, match: Match, there: Iterable[Coto] = ()) -> None:
        super().__init__(match)
        self._cotos = list(there)

    def step(self, reading: Reading, side: str) -> Step:
        """Go on by the next coto."""
        self._cotos.append(cotos.coto_of(reading.verdict_json, side))
        if cotos.decided_by(self._cotos, self.match.tournament.cotos) is None:
            return Step(standing_facts(self.match, self._cotos))
        score = cotos.tally(self._cotos, len(self.match.sides))
        return Step({}, Ending(score, coto_rows(self._cotos)))


def course_of(match: Match, there: int) -> Course:
    """Return a match as it stands with so many records; those are read."""
    if match.tournament.deal_sets:
        return CourseOfSets(match, parts_of(match) if there else ())
    if match.tournament.cotos > 1:
        return CourseOfCotos(match, cotos_of(accepted_cotos(match)) if there else ())
    return Course(match)

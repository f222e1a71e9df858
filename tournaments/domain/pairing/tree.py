"""Matches that fill one another: what knock-outs of every kind have in common.

A tree is a list of matches; each side of a match is a seed, or the winner or loser of an earlier
match. A course is the tree folded over the rounds that were drawn. Where nobody comes from one side
(no such seed, or an entrant left), the other goes through without playing, so that no place of the
tree is a hole; a round in which nobody would play is left out. Where both do not turn up,
both are out.

Entrants exchanged by hand play on from their new places: a match is found again by its people, else
by the number of its table.

A result can be corrected after the next match was played. By `PlaceRule.PLAYED` the entrant who sat
at the next match has gone on, whatever the result says now: such matches are `overtaken`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from tournaments.domain.rows import Bye, Entrant, Round, Table

FIRST: Final = 0
"""The rank of who wins the final."""

LAST: Final = 10**6
"""The rank of those who never came into the tree."""


class SideSource(NamedTuple):
    """The winner or loser of a match, by its index.

    ``first_only`` takes the loser only when it was their first match, ``later_only`` only when not.
    """

    match: int
    won: bool = True
    first_only: bool = False
    later_only: bool = False


Sides = tuple[int | None, int | None]
"""Who meets, where an entrant comes from each side."""

Meeting = tuple[int, Sides]
"""A match by its index, and who meets in it."""

Side = int | SideSource | None
"""A seed from 1, an entrant out of another match, or nobody."""


@dataclass(frozen=True, slots=True)
class TreeMatch:
    """A match of a tree, in which ``place`` (its round, from 1) it is played and between whom.

    Ranks are sorting keys, the least first: of the loser, of the winner where they have nothing
    left to play, of both while the match is open (``side_rank``). ``if_upset`` plays it only when
    the second side won that match.
    """

    place: int
    sides: tuple[Side, Side]
    loser_rank: int | None = None
    winner_rank: int | None = None
    side_rank: int | None = None
    if_upset: int | None = None


Tree = tuple[TreeMatch, ...]
"""Matches in the order of their places; those of a place in the order of their tables."""


@dataclass(frozen=True, slots=True)
class TreeOutcome:
    """The outcome of a match: ``out`` lost or did not come, ``table`` is where it was."""

    sides: Sides
    winner: int | None = None
    loser: int | None = None
    out: tuple[int, ...] = ()
    table: tuple[int, int] | None = None
    is_first_loss: bool = False


class OvertakenMatch(NamedTuple):
    """A match by its round and table whose next match was played by the other entrant.

    ``winner`` is that of the result that counts (None: nobody), ``plays`` who played on, at
    ``next_table`` of ``next_round``.
    """

    round: int
    table: int
    winner: int | None
    plays: int
    next_round: int
    next_table: int


class PlayedOn(NamedTuple):
    """The entrant who won a match by having played on, and the table that shows it."""

    winner: int
    round: int
    table: int


@dataclass
class TreeProgress:
    """A tree as far as it has been played.

    ``drawing`` are the matches of the next round (index and sides), ``missing`` the tables whose
    result it needs; both are empty when the tree has been played to its end. A tree ``differs``
    where a round was not drawn from the results as they are. With ``by_play`` ``found`` are
    winners, by match, that the tables of the next round show; folded again with them as
    ``went_on``, the tree follows who played on. ``tables_before`` are the numbers before that of
    its first table, where it is played beside another stage.
    """

    tree: Tree
    seeds: tuple[int, ...]
    entrants: Mapping[int, Entrant]
    outcomes: dict[int, TreeOutcome] = field(default_factory=dict)
    drawing: list[Meeting] = field(default_factory=list)
    missing: list[tuple[int, int]] = field(default_factory=list)
    played: set[int] = field(default_factory=set)
    differs: bool = False
    by_play: bool = False
    tables_before: int = 0
    went_on: Mapping[int, PlayedOn] = field(default_factory=dict)
    found: dict[int, PlayedOn] = field(default_factory=dict)
    overtaken: list[OvertakenMatch] = field(default_factory=list)
    last_matches: dict[int, int] = field(default_factory=dict)

    def fold(self, rounds: tuple[Round, ...], next_round: int) -> None:
        """Go through the places; each with a table to play takes a round."""
        remaining_rounds = list(rounds)
        for place in range(1, max((match.place for match in self.tree), default=0) + 1):
            number = remaining_rounds[0].number if remaining_rounds else next_round
            meetings = self._matches_with_sides(place)
            if meetings is None and not remaining_rounds:
                return
            if remaining_rounds and (
                self._takes_a_round(meetings, number)
                or self._was_played(place, remaining_rounds[0])
            ):
                self._read(place, remaining_rounds.pop(0))
                if self.found:
                    return
            elif self._takes_a_round(meetings, number) or (
                not remaining_rounds and self.resting_final(meetings or [], number)
            ):
                self.drawing = list(meetings or [])
                return
            else:
                self._pass_through(meetings or [], number)
        self.differs = self.differs or bool(remaining_rounds)

    def sides(self, match: TreeMatch) -> Sides | None:
        """Return the entrants of a match; None while they are open."""
        if match.if_upset is not None:
            before = self.outcomes.get(match.if_upset)
            if before is None:
                return None
            if before.winner is None or before.winner != before.sides[1]:
                return None, None
        if any(
            isinstance(side, SideSource) and side.match not in self.outcomes for side in match.sides
        ):
            return None
        return self.entrant_from(match.sides[0]), self.entrant_from(match.sides[1])

    def plays(self, entrant_number: int | None, number: int) -> bool:
        """Tell whether an entrant is there to play in a round."""
        if entrant_number is None:
            return False
        entrant = self.entrants[entrant_number]
        return entrant.is_here(number) and entrant.bye_in(number) is None

    def resting_final(self, meetings: list[Meeting], number: int) -> tuple[int, ...]:
        """Return who meet in a final that nobody would play, as one of them has a bye.

        Elsewhere both are out. In the final both would be first: it waits until one plays, or left.
        """
        for index, sides in meetings:
            entrants = tuple(entrant for entrant in sides if entrant is not None)
            if (
                self.tree[index].winner_rank == FIRST
                and len(entrants) == len(sides)
                and not any(self.plays(entrant, number) for entrant in entrants)
                and any(self.entrants[entrant].is_here(number) for entrant in entrants)
            ):
                return entrants
        return ()

    def tables(self, meetings: list[Meeting], number: int) -> list[tuple[int, tuple[int, ...]]]:
        """Return the tables of a round in order, byes last: a match's index, who sits there."""
        rows = [
            (
                index,
                tuple(
                    entrant
                    for entrant in sides
                    if entrant is not None and self.plays(entrant, number)
                ),
            )
            for index, sides in meetings
        ]
        return sorted((row for row in rows if row[1]), key=lambda row: len(row[1]) < 2)

    def entrant_from(self, side: Side) -> int | None:
        """Return the entrant who comes out of a side whose match has its outcome."""
        if isinstance(side, SideSource):
            before = self.outcomes[side.match]
            if side.later_only if before.is_first_loss else side.first_only:
                return None
            return before.winner if side.won else before.loser
        return self.seeds[side - 1] if side is not None and side <= len(self.seeds) else None

    def _matches_with_sides(self, place: int) -> list[Meeting] | None:
        """Return the matches of a place with their sides; None while one is open."""
        meetings = []
        for index, match in self._in_place(place):
            sides = self.sides(match)
            if sides is None:
                return None
            meetings.append((index, sides))
        return _without_repeats(meetings)

    def _in_place(self, place: int) -> Iterator[tuple[int, TreeMatch]]:
        return ((index, match) for index, match in enumerate(self.tree) if match.place == place)

    def _takes_a_round(self, meetings: list[Meeting] | None, number: int) -> bool:
        if meetings is None:
            return True
        return any(all(self.plays(entrant, number) for entrant in sides) for _, sides in meetings)

    def _pass_through(self, meetings: list[Meeting], number: int) -> None:
        for index, sides in meetings:
            self.outcomes[index] = self._unplayed(sides, number, None)

    def _unplayed(
        self,
        sides: Sides,
        number: int,
        table: tuple[int, int] | None,
    ) -> TreeOutcome:
        """Return the outcome of a match that at most one turns up for."""
        entrants = [entrant for entrant in sides if entrant is not None]
        present_entrants = [entrant for entrant in entrants if self.plays(entrant, number)]
        if len(entrants) == 1:
            return TreeOutcome(sides, winner=entrants[0], table=table)
        if len(present_entrants) == 1:
            loser = next(entrant for entrant in entrants if entrant != present_entrants[0])
            return TreeOutcome(sides, present_entrants[0], loser, (loser,), table)
        return TreeOutcome(sides, out=tuple(entrants))

    def _read(self, place: int, round_: Round) -> None:
        """Read the results of a round."""
        matches = [
            (index, self.sides(match) or (None, None))
            for index, match in self._in_place(place)
            if self.sides(match) is not None
        ]
        matches = _without_repeats(matches)
        expected = self.tables(matches, round_.number)
        first = self.tables_before + 1
        numbers = {index: number for number, (index, _) in enumerate(expected, start=first)}
        entrants_by_index = dict(expected)
        is_as_drawn = self._is_as_drawn([frozenset(people) for _, people in expected], round_)
        self.differs = self.differs or not is_as_drawn
        played: dict[int, Table] = {}
        if self.by_play and not is_as_drawn:
            played = self._played_tables((index for index, _ in matches), round_)
        others = tuple(table for table in round_.tables if table not in played.values())
        round_tables = RoundTables(replace(round_, tables=others))
        for index, sides in matches:
            table = played.get(index)
            if table is not None:
                self._note_who_went_on(index, round_.number, table)
            elif index not in numbers:
                self.outcomes[index] = self._unplayed(sides, round_.number, None)
                continue
            else:
                table = round_tables.table(entrants_by_index[index], numbers[index])
            self._record_result(index, sides, round_.number, table)

    def _record_result(self, index: int, sides: Sides, number: int, table: Table | None) -> None:
        """Store the result of one match from its table."""
        if table is None:
            # An earlier result was corrected after this round was drawn: it was drawn without them.
            entrants = tuple(entrant for entrant in sides if entrant is not None)
            passes = entrants[0] if len(entrants) == 1 or self.by_play else None
            self.outcomes[index] = TreeOutcome(sides, passes, out=() if passes else entrants)
            return
        key = (number, table.number)
        self.last_matches |= dict.fromkeys(table.entrants, index)
        if table.is_bye:
            self.outcomes[index] = self._unplayed(sides, number, key)
            if self.outcomes[index].winner not in table.entrants:
                with_bye = table.entrants[0]
                out = tuple(n for n in sides if n is not None and n != with_bye)
                out = out if self.by_play else ()
                self.outcomes[index] = TreeOutcome(sides, with_bye, out=out, table=key)
            return
        home, other = table.entrants[0], table.entrants[1]
        opponents = (other, home) if other == sides[0] or home == sides[1] else (home, other)
        winner = None if table.winner is None else table.sides[table.winner][0]
        went_on = self.went_on.get(index)
        if went_on is not None and went_on.winner in opponents and went_on.winner != winner:
            self.overtaken.append(OvertakenMatch(*key, winner, *went_on))
            winner = went_on.winner
        if winner is not None:
            loser = other if winner == home else home
            first = loser not in self.played
            self.outcomes[index] = TreeOutcome(opponents, winner, loser, (loser,), key, first)
            self.played.update(opponents)
        elif len(table.forfeits) == 2:
            self.outcomes[index] = TreeOutcome(opponents, out=opponents, table=key)
        else:
            self.missing.append(key)

    # --- who played on ---------------------------------------------------------------------------

    def _is_as_drawn(self, expected: list[frozenset[int]], round_: Round) -> bool:
        """Tell whether a round seats those who come by the results, at tables in their order.

        The order tells winners from losers when both matches before were corrected. It says nothing
        where entrants keep tables of their own. Byes that were asked for are left out.
        """
        seated = [
            frozenset(table.entrants)
            for table in sorted(round_.tables, key=lambda table: (table.is_bye, table.number))
            if table.bye is None or table.bye is Bye.PAIRING
        ]
        keep_tables = any(self.entrants[n].fixed_table for people in seated for n in people)
        return seated == expected or (keep_tables and set(seated) == set(expected))

    def _candidates(self, side: Side) -> tuple[int, ...]:
        """Return all who can come from a side, whatever the result of its match."""
        if not isinstance(side, SideSource):
            return () if (seed := self.entrant_from(side)) is None else (seed,)
        before = self.outcomes.get(side.match)
        if before is None:
            return ()
        if None not in before.sides:
            return tuple(n for n in before.sides if n is not None)
        sides = self.tree[side.match].sides if side.won else ()  # nobody opposite, so nobody lost
        return tuple(n for one in sides for n in self._candidates(one))

    def _seats(self, index: int, table: Table) -> tuple[tuple[Side, int], ...]:
        """Return the sides of a match with who came from each, if a table can be that match."""
        first, second = self.tree[index].sides
        came, others = self._candidates(first), self._candidates(second)
        if table.is_bye:
            if table.bye is not Bye.PAIRING:
                return ()
            (entrant,) = table.entrants
            side = first if entrant in came else second if entrant in others else None
            return () if side is None else ((side, entrant),)
        home, away = table.entrants[:2]
        ways = [(n, m) for n, m in ((home, away), (away, home)) if n in came and m in others]
        if not ways:
            return ()
        # Both ways where one match fills both sides: as they sit, the winner first.
        one, other = ways[0]
        return (first, one), (second, other)

    def _was_played(self, place: int, round_: Round) -> bool:
        """Tell whether a round has a table of this place, which its results no longer call for."""
        return self.by_play and any(
            self._seats(index, table)
            for index, _ in self._in_place(place)
            for table in round_.tables
            if not table.is_bye
        )

    def _played_tables(self, indices: Iterable[int], round_: Round) -> dict[int, Table]:
        """Return the tables at which those who could come into these matches played them.

        Of several it is the first, as tables are numbered in the order of the matches: losers meet
        after winners. Where entrants keep tables of their own, it is the one with the most of those
        who come by the results.
        """
        free = list(round_.tables)
        keep_tables = any(self.entrants[n].fixed_table for table in free for n in table.entrants)
        played: dict[int, Table] = {}
        for index in indices:
            sides = set(self.sides(self.tree[index]) or ()) if keep_tables else set()

            def fit(table: Table, come: set[int | None] = sides) -> tuple[bool, int, int]:
                return table.is_bye, -len(come.intersection(table.entrants)), table.number

            if fitting := [table for table in free if self._seats(index, table)]:
                played[index] = min(fitting, key=fit)
                free.remove(played[index])
        return played

    def _note_who_went_on(self, index: int, round_: int, table: Table) -> None:
        """Note the matches before whose result says that others would sit at this table."""
        upset = self.tree[index].if_upset
        if upset is not None:  # it was played, so the one from below had won the final
            second = self.outcomes[upset].sides[1]
            if second not in (None, self.outcomes[upset].winner) and upset not in self.went_on:
                self.found[upset] = PlayedOn(second, round_, table.number)
            return
        for side, entrant in self._seats(index, table):
            if entrant == self.entrant_from(side):
                continue
            source = self._source_with_two(side, entrant)
            if source is None or source.match in self.went_on:
                continue
            before = self.outcomes[source.match]
            other = next(n for n in before.sides if n is not None and n != entrant)
            winner = entrant if source.won else other
            if winner != before.winner:
                self.found[source.match] = PlayedOn(winner, round_, table.number)

    def _source_with_two(self, side: Side, entrant: int) -> SideSource | None:
        """Return where an entrant played last on the way to a side: a match that had a table."""
        while isinstance(side, SideSource):
            before = self.outcomes[side.match]
            if None not in before.sides:
                return side if before.table is not None else None
            sides = self.tree[side.match].sides
            side = next((one for one in sides if entrant in self._candidates(one)), None)
        return None


def _without_repeats(meetings: list[Meeting]) -> list[Meeting]:
    """Leave out entrants who are in an earlier match of the same place already.

    That can be after a correction: its loser goes down, and has meanwhile played on above.
    """
    earlier_entrants: set[int | None] = set()
    unique_meetings: list[Meeting] = []
    for index, (entrant, other) in meetings:
        first = None if entrant in earlier_entrants else entrant
        second = None if other in earlier_entrants or other == entrant else other
        unique_meetings.append((index, (first, second)))
        earlier_entrants |= {entrant, other}
    return unique_meetings


class RoundTables:
    """The tables of a round, to be found by their people or their number."""

    def __init__(self, round_: Round) -> None:
        """Sort the tables."""
        self.by_number = {table.number: table for table in round_.tables}
        self.by_people = {frozenset(table.entrants): table for table in round_.tables}
        self.by_person = {entrant: table for table in round_.tables for entrant in table.entrants}

    def table(self, people: tuple[int, ...], number: int) -> Table | None:
        """Return the table of a match: of the same people, of the number, of one of the people."""
        same_table = self.by_people.get(frozenset(people))
        numbered = self.by_number.get(number)
        if same_table is not None or (
            numbered is not None and set(people) & set(numbered.entrants)
        ):
            return same_table or numbered
        person_tables = [self.by_person[person] for person in people if person in self.by_person]
        return person_tables[0] if person_tables else numbered

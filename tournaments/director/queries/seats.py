"""Who sits for which entry in which round, so that no person plays at two tables of one."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from tournaments.core.errors import Reason, Refusal
from tournaments.director.queries.state import open_round
from tournaments.domain.pairing.base import PairingReason
from tournaments.domain.rows import Table
from tournaments.models import Absence, Entry, Player, Substitution, Tournament

FIRST_ROUND: Final = 1


@dataclass(frozen=True, slots=True)
class Seating:
    """The people of one entry: its own, those who substitute them, and when it is away."""

    entry: Entry
    absences: list[Absence] = field(default_factory=list)
    substitutions: list[Substitution] = field(default_factory=list)

    def people_in(self, round_: int) -> tuple[Player, ...]:
        """Return who sits for the entry in a round; nobody while it is withdrawn.

        People of an expelled entry count as seated, so that they cannot enter with others.
        """
        away = (absence for absence in self.absences if absence.kind != Absence.Kind.EXPELLED)
        if round_ < self.entry.joined_round or any(_includes(row, round_) for row in away):
            return ()
        substitutes = {
            row.leaves_id: row.comes for row in self.substitutions if _includes(row, round_)
        }
        people = (substitutes.get(player.pk, player) for player in self.entry.players)
        return tuple(person.main for person in people)

    @property
    def changes(self) -> Iterator[int]:
        """The rounds in which other people may sit than in the round before."""
        yield self.entry.joined_round
        rows: Iterable[Absence | Substitution] = (*self.absences, *self.substitutions)
        for row in rows:
            yield row.from_round
            if row.until_round is not None:
                yield row.until_round


def _includes(row: Absence | Substitution, round_: int) -> bool:
    return row.from_round <= round_ and (row.until_round is None or round_ < row.until_round)


def seatings(tournament: Tournament) -> tuple[Seating, ...]:
    """Return the people of every entry that is no bot, with their main players; three queries."""
    mains = (f"{path}__same_as" for path in ("player", "pair__first", "pair__second"))
    people = tournament.entries.with_players().select_related(*mains).filter(bot__isnull=True)
    by_entry = {entry.pk: Seating(entry) for entry in people.order_by("number")}
    for absence in Absence.objects.filter(entry__in=by_entry):
        by_entry[absence.entry_id].absences.append(absence)
    rows = Substitution.objects.filter(entry__in=by_entry).order_by("pk")
    rows = rows.select_related("comes__same_as")
    for substitution in rows:
        by_entry[substitution.entry_id].substitutions.append(substitution)
    return tuple(by_entry.values())


def entries_by_person(seatings: Iterable[Seating], round_: int) -> dict[Player, list[Entry]]:
    """Return the entries for which each person sits in a round; more than one is a fault.

    Merged players are their main ones.
    """
    entries: dict[Player, list[Entry]] = defaultdict(list)
    for seating in seatings:
        for person in seating.people_in(round_):
            entries[person].append(seating.entry)
    return entries


def people_seated(tournament: Tournament) -> frozenset[Player]:
    """Return the people who sit for an entry in a round that is not published yet; four queries."""
    rows = seatings(tournament)
    return frozenset(
        person
        for round_ in _rounds(rows, open_round(tournament))
        for person in entries_by_person(rows, round_)
    )


def refuse_two_seats(
    tournament: Tournament, entries: Collection[Entry], since: int = FIRST_ROUND
) -> None:
    """Refuse PLAYER_TWICE if a person of ``entries`` also sits elsewhere, from a round on.

    Every verb by which people come into a round calls it with the entries that it changed.
    """
    keys = {entry.pk for entry in entries}
    rows = seatings(tournament)
    names = {
        person.name
        for round_ in _rounds(rows, since)
        for person, seats in entries_by_person(rows, round_).items()
        if len(seats) > 1 and not keys.isdisjoint(entry.pk for entry in seats)
    }
    if names:
        raise Refusal(Reason.PLAYER_TWICE, text=", ".join(sorted(names)))


def _rounds(rows: Iterable[Seating], since: int) -> list[int]:
    """Return a round and those after it in which anything changes."""
    changes = {round_ for seating in rows for round_ in seating.changes if round_ > since}
    return sorted({since, *changes})


def two_seats_objections(
    tournament: Tournament, tables: Iterable[Table], round_: int
) -> tuple[PairingReason, ...]:
    """Return an impossibility for every person at two tables of a round; three queries."""
    table_numbers = {number: table.number for table in tables for number in table.entrants}
    return tuple(
        PairingReason(
            "check_person_twice", table_numbers[numbers[0]], tuple(numbers), {"name": person.name}
        )
        for person, entries in entries_by_person(seatings(tournament), round_).items()
        if len(numbers := [e.number for e in entries if e.number in table_numbers]) > 1
    )

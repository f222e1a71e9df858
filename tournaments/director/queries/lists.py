"""Previews the import of a list of entries: known people, new people, faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from tournaments.core.db import row_of
from tournaments.core.errors import ImportFault, Reason, Refusal
from tournaments.core.faults import ROWS
from tournaments.director.queries.seats import people_seated
from tournaments.domain.names import (
    MAX_NAME_LENGTH,
    fold_name,
    has_own_name,
    marked_name,
    name_of_two,
)
from tournaments.domain.person_names import propose_name
from tournaments.domain.roster import (
    FAULTS_OF_LISTS,
    RECOGNISE,
    SAME,
    EnteredLine,
    EntryList,
    Reading,
    Source,
    WhoAnswer,
    read_entries,
)
from tournaments.models import Pair, Player, Tournament
from tournaments.people.queries.who import (
    NamedPerson,
    WhoQuestion,
    ask_who,
    refuse_open_questions,
)

ENTRIES: Final = "entries"
"""The ``file`` of a fault in a list that came as CSV."""

ASKED_FAULTS: Final = frozenset(("player_in_two_pairs", "duplicate_name", "in_another_pair"))
"""Faults of a person's name that go where another person of that name is meant."""

MAX_ENTRIES: Final = 2_000
"""Entries of one tournament in any format; a format may take fewer."""


MAX_QUESTIONS: Final = 200
"""Lines that a page asks about: a form has at most 1,000 fields, and nobody answers more."""


@dataclass(frozen=True, slots=True)
class PlannedEntry:
    """An entry that a line would create: its name, its people, and which of them are new.

    ``earlier_names`` are those in the list, by the current names.
    """

    line: int
    name: str
    players: tuple[str, ...]
    new_players: tuple[str, ...]
    is_new_pair: bool
    club: str
    rating: float
    earlier_names: Mapping[str, str]

    @property
    def has_own_name(self) -> bool:
        """Whether its name is more than the names of its players."""
        return has_own_name(self.name, self.players)


@dataclass(frozen=True, slots=True)
class LineQuestion:
    """A line with faults, or one that was answered; `Reading.lines` holds the answers.

    ``players`` are the names that were read, without what is no name, or the answered ones; none
    where the line is no entry. ``is_left_out`` says that this was the answer.
    """

    line: int
    text: str
    players: tuple[str, ...]
    faults: tuple[ImportFault, ...]
    is_left_out: bool


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """Everything an import would create; with any fault it creates nothing.

    ``reading`` is how the list was to be read, ``read`` what was found. ``who`` are the
    questions about persons; `faults` of names that are asked about go with the answers.
    """

    entries: tuple[PlannedEntry, ...]
    faults: tuple[ImportFault, ...]
    reading: Reading
    read: EntryList
    who: tuple[WhoQuestion, ...] = ()

    @property
    def twins(self) -> tuple[WhoQuestion, ...]:
        """The questions about new names that are nearly others."""
        return tuple(question for question in self.who if question.is_near)

    @property
    def open_who(self) -> tuple[WhoQuestion, ...]:
        """The questions without an answer; with any nothing is created."""
        return tuple(question for question in self.who if question.is_open)

    @property
    def hard_faults(self) -> tuple[ImportFault, ...]:
        """The faults that no answer to a question about persons takes away."""
        asked = {
            (question.line, fold_name(name))
            for question in self.open_who
            for name in (question.name, question.candidates[0].name)
        }
        return tuple(
            fault
            for fault in self.faults
            if fault.code not in ASKED_FAULTS or (fault.line, fold_name(fault.text)) not in asked
        )

    @property
    def asks_nothing(self) -> bool:
        """Whether it is names, a line for each entry, and nothing in it can be read otherwise."""
        read = self.read
        return bool(self.entries) and not (
            self.faults or self.who or read.columns or read.left_out or read.asked_rating
        )

    @property
    def questions(self) -> tuple[LineQuestion, ...]:
        """The lines that can be answered, in their order."""
        faults: dict[int, list[ImportFault]] = {line: [] for line in self.reading.lines}
        for fault in self.faults:
            if fault.code not in FAULTS_OF_LISTS and fault.line in self.read.texts:
                faults.setdefault(fault.line, []).append(fault)
        return tuple(
            LineQuestion(
                line,
                self.read.texts[line],
                self.reading.lines.get(line)
                or tuple(map(propose_name, self.read.seen.get(line, ()))),
                tuple(faults[line]),
                is_left_out=self.reading.lines.get(line) == (),
            )
            for line in sorted(faults)
            if line in self.read.texts
        )

    @property
    def doubtful_lines(self) -> tuple[LineQuestion, ...]:
        """The lines to ask about of which names were read or answered; none if there are many."""
        lines = tuple(question for question in self.questions if question.players)
        return lines if len(lines) <= MAX_QUESTIONS else ()

    @property
    def no_entries(self) -> tuple[LineQuestion, ...]:
        """The lines to ask about that are no entry: chat, totals, one name of a pair."""
        return tuple(question for question in self.questions if not question.players)

    @property
    def other_faults(self) -> tuple[ImportFault, ...]:
        """The faults that no question is about."""
        asked = {question.line for question in (*self.doubtful_lines, *self.no_entries)}
        return tuple(
            fault
            for fault in self.faults
            if fault.line not in asked or fault.code in FAULTS_OF_LISTS
        )

    @property
    def letters_to_repair(self) -> str:
        """A word whose letters were read wrongly, and what it is when they are put right."""
        texts = (fault.text for fault in self.faults if fault.code == "misread_letters")
        return next(texts, "")

    @property
    def left_out_columns(self) -> tuple[str, ...]:
        """The headings of the columns that are not read; the number of one without a heading."""
        return tuple(
            column.heading or str(number)
            for number, column in enumerate(self.read.columns, 1)
            if not column.field and (column.heading or column.examples)
        )

    @property
    def decimal_marks(self) -> tuple[tuple[str, float], ...]:
        """The marks that may stand before decimals, each with what the rating in doubt is then."""
        rating = self.read.asked_rating
        if not rating:
            return ()
        mark = "," if "," in rating else "."
        other = "." if mark == "," else ","
        return (other, int(rating.replace(mark, ""))), (mark, float(rating.replace(mark, ".")))

    @property
    def new_players(self) -> int:
        """How many players it would create."""
        return sum(len(entry.new_players) for entry in self.entries)

    @property
    def new_pairs(self) -> int:
        """How many pairs it would create."""
        return sum(entry.is_new_pair for entry in self.entries)


@dataclass
class ClubNames:
    """The club's players and pairs and the tournament's entries, by folded name.

    ``seated`` are people who sit for an entry in the rounds to come.
    ``renamed`` are players by an earlier name that one player of the club had and no player has.
    ``taken`` are all names that a new player cannot have, ``codes`` the players by their codes. Of
    merged players and pairs it has the main ones; the merged players' names are earlier ones.
    """

    tournament: Tournament
    players: dict[str, Player] = field(default_factory=dict)
    pairs: dict[str, Pair] = field(default_factory=dict)
    of_two: dict[frozenset[int], Pair] = field(default_factory=dict)
    seated: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    renamed: dict[str, Player] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()
    codes: dict[str, Player] = field(default_factory=dict)

    @classmethod
    def of(cls, tournament: Tournament) -> ClubNames:
        """Read the club's players and pairs and the tournament's entries: seven queries."""
        club = tournament.club
        # The newest first, so that the oldest of several pairs of the same two players wins below.
        related = ("first__same_as", "second__same_as", "same_as__first", "same_as__second")
        pairs = list(club.pairs.select_related(*related).order_by("-pk"))
        rows = list(club.players.select_related("same_as"))
        players = {player.folded: player for player in rows if player.same_as is None}
        earlier = {(fold_name(name), row.main) for row in rows for name in row.earlier_names}
        earlier |= {(row.folded, row.main) for row in rows if row.same_as is not None}
        had = Counter(name for name, _player in earlier)
        return cls(
            tournament,
            players,
            {pair.folded: pair.main for pair in pairs},
            {pair.main_player_pks: pair for pair in pairs if pair.same_as is None},
            frozenset(player.folded for player in people_seated(tournament)),
            frozenset(tournament.entries.values_list("folded", flat=True)),
            {name: player for name, player in earlier if had[name] == 1 and name not in players},
            frozenset(row.folded for row in rows),
            {row.code: row.main for row in rows},
        )

    def current_name(self, name: str) -> str:
        """Return the current name of the player who had this one; any other name as it is."""
        player = self.renamed.get(fold_name(name))
        return player.name if player else name

    def knows(self, name: str) -> bool:
        """Tell whether a player of the club has or had this name."""
        return fold_name(name) in self.players or fold_name(name) in self.renamed

    def with_names(self, reading: Reading) -> Reading:
        """Return a reading with names in place of the codes of its answers.

        Refuses UNKNOWN_PLAYER for a code that no player of the club has.
        """
        who = {}
        for seat, answer in reading.who.items():
            if answer.code:
                if answer.code not in self.codes:
                    raise Refusal(Reason.UNKNOWN_PLAYER, text=answer.code[:60])
                answer = replace(answer, name=self.codes[answer.code].name, code="")
            who[seat] = answer
        return replace(reading, who=who)

    def pair_of(self, line: EnteredLine) -> Pair | None:
        """Return the pair that a line means: by its name, or without one by its two players."""
        if line.name:
            return self.pairs.get(fold_name(line.name))
        two = [self.players.get(fold_name(name)) for name in (line.first, line.second)]
        return self.of_two.get(frozenset(player.pk for player in two if player is not None))


def name_of(line: EnteredLine, pair: Pair | None) -> str:
    """Return the name under which a line enters."""
    if pair is not None:
        return pair.name
    if line.name or not line.second:
        return line.name or line.first
    return name_of_two(line.first, line.second)


def import_plan(tournament: Tournament, source: Source, reading: Reading = RECOGNISE) -> ImportPlan:
    """Return what a list would create, up to `MAX_ENTRIES` entries in all; 7 queries."""
    return plan_of(ClubNames.of(tournament), source, reading)


def proposed_plan(
    tournament: Tournament, source: Source, reading: Reading = RECOGNISE
) -> ImportPlan:
    """Return what a list would create with the likeliest answers about new names; 7 queries.

    One that differs in accents and the like from a player of the club is that player, other new
    names are new persons; who has an equal name is left open where it is in doubt.
    """
    club_names = ClubNames.of(tournament)
    plan = plan_of(club_names, source, reading)
    likeliest = {
        (asked.line, asked.seat): asked.proposed
        for asked in plan.open_who
        if asked.proposed is not None
    }
    if not likeliest:
        return plan
    return plan_of(club_names, source, replace(reading, who={**likeliest, **reading.who}))


def plan_of(club_names: ClubNames, source: Source, reading: Reading = RECOGNISE) -> ImportPlan:
    """Return what a list would create beside names that have been read.

    No query but for questions (`ask_who`).
    """
    pairs = club_names.tournament.unit == Tournament.Unit.PAIR
    reading = club_names.with_names(reading)
    read = read_entries(
        source,
        pairs=pairs,
        reading=reading,
        current_name=club_names.current_name,
        is_known=club_names.knows,
    )
    faults = [ImportFault(ENTRIES, f.line, f.code, f.text, f.accepted) for f in read.faults]
    at_fault = {fault.line for fault in faults}
    entries = []
    for line in read.lines:
        if line.line in at_fault:
            continue
        faults += _faults(line, club_names, pairs=pairs)
        entries.append(_plan_entry(line, club_names, pairs=pairs))
    if entries and len(club_names.names) + len(entries) > MAX_ENTRIES:
        faults.append(ImportFault(ENTRIES, entries[-1].line, "too_many", str(MAX_ENTRIES)))
    file = ENTRIES if isinstance(source, (bytes, str)) else ROWS
    in_order = sorted(faults, key=lambda fault: fault.line)
    filed = tuple(replace(fault, file=file) for fault in in_order)
    questions = _questions(read, club_names, reading, filed if pairs else ())
    return ImportPlan(tuple(entries), filed, reading, read, questions)


def person_meant(tournament: Tournament, text: str, answer: WhoAnswer | None = None) -> str:
    """Return the name of the person whom one name means, of a new one too; 7 queries.

    Refuses WHO_IS_THIS without an answer where it may mean several, UNKNOWN_PLAYER.
    """
    club_names, at = ClubNames.of(tournament), (1, 1)
    answers = {} if answer is None else {at: answer}
    answers = dict(club_names.with_names(Reading(who=answers)).who)
    name = club_names.current_name(text)
    questions = ask_who(club_names, [NamedPerson(at, text, name)], answers)
    refuse_open_questions([question for question in questions if question.is_open])
    if at not in answers:
        return name
    return answers[at].name or marked_name(text, answers[at].mark)


def _questions(
    read: EntryList, club_names: ClubNames, reading: Reading, faults: Iterable[ImportFault]
) -> tuple[WhoQuestion, ...]:
    """Return the questions about the people of a list, but of pairs that have entered already."""
    entered = {fault.line for fault in faults if fault.code == "already_entered"}
    people, answers = [], {}
    for line in read.lines:
        current = [name for name in (line.first, line.second) if name]
        texts = [line.earlier.get(name, name) for name in current]
        names = [club_names.current_name(text) for text in texts]
        for seat, (text, name) in enumerate(zip(texts, names, strict=True), 1):
            at = line.line, seat
            partner = names[2 - seat] if len(names) > 1 else ""
            if line.line not in entered:
                people.append(NamedPerson(at, text, name, fold_name(partner), line.club))
            if (answer := reading.answer_to(at, text)) is not None:
                answers[at] = answer
    for left in read.left_out:
        if left.why == SAME:
            at = left.line, 1
            people.append(NamedPerson(at, left.text, left.text))
            answers[at] = reading.answer_to(at, left.text) or WhoAnswer()
    people.sort(key=lambda person: person.seat)
    return ask_who(club_names, people, answers, is_new_in_doubt=reading.is_new_in_doubt)


def _plan_entry(line: EnteredLine, club_names: ClubNames, *, pairs: bool) -> PlannedEntry:
    pair = club_names.pair_of(line) if pairs else None
    people = tuple(name for name in (line.first, line.second) if name)
    stored = {name: club_names.players.get(fold_name(name)) for name in people}
    return row_of(
        PlannedEntry,
        line,
        name=name_of(line, pair),
        players=tuple(name if row is None else row.name for name, row in stored.items()),
        new_players=tuple(name for name, row in stored.items() if row is None),
        is_new_pair=pairs and pair is None,
        earlier_names=line.earlier,
    )


def _faults(line: EnteredLine, club_names: ClubNames, *, pairs: bool) -> Iterator[ImportFault]:
    pair = club_names.pair_of(line) if pairs else None
    name = name_of(line, pair)
    if len(name) > MAX_NAME_LENGTH:
        yield ImportFault(ENTRIES, line.line, "name_too_long", name)
    if fold_name(name) in club_names.names:
        yield ImportFault(ENTRIES, line.line, "already_entered", name)
        return
    for person in (line.first, line.second):
        if person and fold_name(person) in club_names.seated:
            code = "in_another_pair" if pairs else "already_entered"
            yield ImportFault(ENTRIES, line.line, code, person)
    if not pairs:
        return
    existing = club_names.pairs.get(fold_name(name))
    if existing is not None and {existing.first.main.folded, existing.second.main.folded} != {
        fold_name(line.first),
        fold_name(line.second),
    }:
        yield ImportFault(ENTRIES, line.line, "name_taken", name)

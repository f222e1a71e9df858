"""Asks which persons the names of a list mean: people nearly of that name, and namesakes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, Protocol

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from tournaments.core.errors import ImportFault, Reason, Refusal
from tournaments.domain.names import fold_name, marked_name, split_mark
from tournaments.domain.roster import Seat, WhoAnswer
from tournaments.domain.twins import are_same_letters, find_twins
from tournaments.models import Absence, Day, Entry, Player, Tournament

NEAR: Final = "near"
TWICE: Final = "twice"
ENTERED: Final = "entered"
ELSEWHERE: Final = "elsewhere"
ORIGIN: Final = "origin"
TAKEN: Final = "taken"
"""Why it is asked: nearly the name of another; comes twice; is entered here; is entered on the same
day elsewhere; came from elsewhere before; a new person without a mark has the name of another."""


class KnownPeople(Protocol):
    """The people of a club, by folded name."""

    @property
    def tournament(self) -> Tournament | None:
        """The tournament that a list is for."""

    @property
    def players(self) -> Mapping[str, Player]:
        """The players of the club, merged ones left out."""

    @property
    def seated(self) -> Collection[str]:
        """Who sits for an entry of the tournament."""

    @property
    def renamed(self) -> Mapping[str, Player]:
        """Players by a name that they had before."""

    @property
    def taken(self) -> Collection[str]:
        """The names that a new player cannot have."""


@dataclass(frozen=True, slots=True)
class NamedPerson:
    """A person of a list: the name there, and the name it stands for unless it is said otherwise.

    ``with_whom`` is the folded name of the partner; ``origin`` is where the line comes from.
    """

    seat: Seat
    text: str
    name: str
    with_whom: str = ""
    origin: str = ""

    @property
    def key(self) -> str:
        """The folded name."""
        return fold_name(self.name)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A person whom a name may mean: a player of the club, or one of an earlier ``line``.

    The rest helps to decide: the last tournament with its day, partner and origin, and how many
    there were. ``elsewhere`` is the tournament of the same day.
    """

    name: str
    code: str | None = None
    line: int | None = None
    tournaments: int = 0
    last_tournament: str = ""
    played_on: date | None = None
    partner: str = ""
    origin: str = ""
    elsewhere: str = ""


@dataclass(frozen=True, slots=True)
class WhoQuestion:
    """A name of a list that may mean several persons, why, and whom; ``answer`` is what was said.

    ``is_open``: it has to be answered before anything is stored.
    """

    line: int
    seat: int
    name: str
    why: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    answer: WhoAnswer | None = None
    is_open: bool = True

    @property
    def is_near(self) -> bool:
        """Whether nobody has the name, but some nearly."""
        return NEAR in self.why

    @property
    def is_probable(self) -> bool:
        """Whether a person of the club has the name but for accents, case, marks and order."""
        likeliest = self.candidates[0]
        return self.is_near and not likeliest.line and are_same_letters(self.name, likeliest.name)

    @property
    def proposed(self) -> WhoAnswer | None:
        """What was said; of a new name alone that is asked about the likeliest answer."""
        if self.answer is not None or self.why != (NEAR,):
            return self.answer
        return WhoAnswer(self.candidates[0].name if self.is_probable else "")

    @property
    def key(self) -> str:
        """Line, seat and folded name, as the fields of a form have it."""
        return f"{self.line}-{self.seat}-{fold_name(self.name)}"


def ask_who(
    known_people: KnownPeople,
    people: Sequence[NamedPerson],
    answers: Mapping[Seat, WhoAnswer],
    *,
    is_new_in_doubt: bool = False,
) -> tuple[WhoQuestion, ...]:
    """Return the questions about the people of a list, answered ones too.

    An equal name of the club is that person without a question, unless it comes twice in the list,
    sits for another entry, is entered in another tournament of the same day, or came from elsewhere
    the last time. No query without people whom the club knows; up to five.
    """
    known = {
        person.seat: player
        for person in people
        if (player := known_people.players.get(person.key)) is not None
    }
    tournament = known_people.tournament
    elsewhere = people_elsewhere(tournament) if known and tournament is not None else {}
    why = _doubts(known_people, people, known, elsewhere)
    near = _near(known_people, [person for person in people if person.seat not in known])
    answered = _taken(known_people, people, answers)
    questions = []
    for person in people:
        candidates = near.get(person.seat, ())
        reasons = (*why[person.seat], *([NEAR] if candidates else []))
        answer = answers.get(person.seat)
        if person.seat in answered:
            reasons = (*reasons, TAKEN)
        if not reasons:
            continue
        if not candidates:
            candidates = _namesakes(known_people, people, person)
        is_open = person.seat in answered or (
            answer is None and not (is_new_in_doubt and reasons == (NEAR,))
        )
        questions.append(
            WhoQuestion(*person.seat, person.text, reasons, candidates, answer, is_open)
        )
    return _with_facts(known_people, questions, elsewhere)


def _doubts(
    known_people: KnownPeople,
    people: Sequence[NamedPerson],
    known: Mapping[Seat, Player],
    elsewhere: Mapping[int, str],
) -> dict[Seat, list[str]]:
    """Return why an equal name is asked about, by seat."""
    origins = _last_origins(known[p.seat] for p in people if p.origin and p.seat in known)
    why: dict[Seat, list[str]] = defaultdict(list)
    for seat in _repeated(people, known.keys()):
        why[seat].append(TWICE)
    for person in people:
        player = known.get(person.seat)
        if player is None:
            continue
        if person.key in known_people.seated:
            why[person.seat].append(ENTERED)
        elif player.pk in elsewhere:
            why[person.seat].append(ELSEWHERE)
        before = origins.get(player.pk, person.origin)
        if person.origin and fold_name(before) != fold_name(person.origin):
            why[person.seat].append(ORIGIN)
    return why


def refuse_open_questions(
    questions: Sequence[WhoQuestion], faults: Sequence[ImportFault] = ()
) -> None:
    """Refuse WHO_IS_THIS with the questions that have no answer, if there are any.

    ``faults`` are those of the list that go with the answers.
    """
    if questions:
        names = ", ".join(dict.fromkeys(question.name for question in questions))
        raise Refusal(Reason.WHO_IS_THIS, text=names[:200], who=questions, errors=faults)


def _repeated(people: Sequence[NamedPerson], known: Collection[Seat]) -> set[Seat]:
    """Return the seats of names that come twice, of a person new to the club not the first one.

    A pair that is in the list twice is a fault of the list and no question.
    """
    seats: dict[str, list[NamedPerson]] = defaultdict(list)
    for person in people:
        seats[person.key].append(person)
    found = set()
    for same in seats.values():
        partners = [person.with_whom for person in same]
        asked = [
            person
            for person in same
            if len(same) > 1 and not (person.with_whom and partners.count(person.with_whom) > 1)
        ]
        found |= {person.seat for person in asked if person.seat in known or person != same[0]}
    return found


def _near(
    known_people: KnownPeople, people: Sequence[NamedPerson]
) -> dict[Seat, tuple[Candidate, ...]]:
    """Return the persons of the club, and of earlier lines, who have nearly a new name."""
    lines: dict[str, int] = {}
    for person in people:
        if person.key not in known_people.renamed:
            lines.setdefault(person.name, person.seat[0])
    twins = find_twins(lines, [*(p.name for p in known_people.players.values()), *lines])
    return {
        person.seat: found
        for person in people
        if (
            found := tuple(
                Candidate(name, line=lines.get(name))
                for name in twins.get(person.name, ())
                if lines.get(name, 0) < person.seat[0]
            )
        )
    }


def _taken(
    known_people: KnownPeople, people: Sequence[NamedPerson], answers: Mapping[Seat, WhoAnswer]
) -> set[Seat]:
    """Return the seats of new persons who would have the name of another person."""
    used = {person.key for person in people if person.seat not in answers}
    taken = set()
    for person in people:
        answer = answers.get(person.seat)
        if answer is None or answer.name:
            continue
        name = fold_name(marked_name(person.text, answer.mark))
        if name in known_people.taken or name in used:
            taken.add(person.seat)
        used.add(name)
    return taken


def _namesakes(
    known_people: KnownPeople, people: Sequence[NamedPerson], person: NamedPerson
) -> tuple[Candidate, ...]:
    """Return the club's persons of a name, with a mark or without, or the first of the list."""
    name = fold_name(split_mark(person.name)[0])
    same = [p for p in known_people.players.values() if fold_name(split_mark(p.name)[0]) == name]
    same.sort(key=lambda player: (player.folded != person.key, player.pk))
    first = next(other for other in people if other.key == person.key)
    return tuple(Candidate(player.name) for player in same) or (
        Candidate(first.name, line=first.seat[0]),
    )


# --- What helps to decide ------------------------------------------------------------------------


def _with_facts(
    known_people: KnownPeople, questions: Sequence[WhoQuestion], elsewhere: Mapping[int, str]
) -> tuple[WhoQuestion, ...]:
    """Return the questions with codes and last tournaments of the candidates; one query."""
    players = {
        one.name: known_people.players[fold_name(one.name)]
        for question in questions
        for one in question.candidates
        if fold_name(one.name) in known_people.players
    }
    if not players:
        return tuple(questions)
    entries: dict[int, list[Entry]] = defaultdict(list)
    here = None if known_people.tournament is None else known_people.tournament.pk
    for entry in _entries_of({player.pk for player in players.values()}):
        if entry.tournament_id != here:
            for player in entry.players:
                entries[player.main_pk].append(entry)

    def with_facts(one: Candidate) -> Candidate:
        player = players.get(one.name)
        if player is None:
            return one
        of_player = entries[player.pk]
        last = of_player[0] if of_player else None
        one = replace(one, code=player.code, elsewhere=elsewhere.get(player.pk, ""))
        if last is None:
            return one
        partners = (other.name for other in last.players if other.main_pk != player.pk)
        return replace(
            one,
            tournaments=len(of_player),
            last_tournament=last.tournament.name,
            played_on=_day_of(last.tournament),
            partner=next(partners, ""),
            origin=next((entry.origin for entry in of_player if entry.origin), ""),
        )

    return tuple(
        replace(question, candidates=tuple(map(with_facts, question.candidates)))
        for question in questions
    )


def _entries_of(keys: Collection[int]) -> QuerySet[Entry]:
    """Return the entries of players, merged ones too, the latest first."""
    condition = Q()
    for path in ("player", "pair__first", "pair__second"):
        condition |= Q(**{f"{path}__in": keys}) | Q(**{f"{path}__same_as__in": keys})
    entries = Entry.objects.with_players().filter(condition).select_related("tournament")
    return entries.order_by("-tournament", "-pk")


def _last_origins(players: Iterator[Player]) -> dict[int, str]:
    """Return where players came from when it was last said."""
    keys = {player.pk for player in players}
    origins: dict[int, str] = {}
    if keys:
        for entry in _entries_of(keys).exclude(origin=""):
            for player in entry.players:
                origins.setdefault(player.main_pk, entry.origin)
    return origins


def _day_of(tournament: Tournament) -> date | None:
    begins_at = tournament.begins_at
    return timezone.localdate(begins_at) if begins_at is not None else None


def people_elsewhere(tournament: Tournament) -> dict[int, str]:
    """Return the players entered in other tournaments of an overlapping day, with a name of one.

    Merged players by the key of the main one.

    A tournament without a day overlaps with none. Up to three queries.
    """
    days = _days([tournament])[tournament.pk]
    if not days:
        return {}
    others = list(tournament.club.tournaments.exclude(pk=tournament.pk).filter(cancelled_at=None))
    by_key = _days(others)
    there = [other for other in others if not by_key[other.pk].isdisjoint(days)]
    away = Absence.objects.filter(entry=OuterRef("pk"), until_round=None)
    entries = Entry.objects.with_players().filter(~Exists(away), tournament__in=there, bot=None)
    names = {other.pk: other.name for other in there}
    return {
        player.main_pk: names[entry.tournament_id]
        for entry in (entries if there else ())
        for player in entry.players
    }


def _days(tournaments: Sequence[Tournament]) -> dict[int, set[date]]:
    """Return the planned days of tournaments, in the club's zone; one query."""
    days = {
        tournament.pk: {timezone.localdate(tournament.begins_at)} if tournament.begins_at else set()
        for tournament in tournaments
    }
    for day in Day.objects.filter(tournament__in=tournaments):
        days[day.tournament_id].add(day.due_on)
        if day.starts_at is not None:
            days[day.tournament_id].add(timezone.localdate(day.starts_at))
    return days

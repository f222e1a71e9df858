"""One entry of a tournament, as the staff sees it and as its own people do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Q

from tournaments.domain.state import Verbs, verbs
from tournaments.models import (
    ByeRequest,
    Entry,
    Penalty,
    Player,
    Round,
    Substitution,
    Tournament,
)
from tournaments.permissions import Actor, is_own_entry
from tournaments.queries.entries import EntryRow, open_round, rows_of_entries
from tournaments.queries.find import found
from tournaments.queries.heads import TournamentHead, open_tournament
from tournaments.queries.state import entry_facts, role_of


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the club."""

    pk: int
    name: str


@dataclass(frozen=True, slots=True)
class ByeRow:
    """A bye that was asked for; ``is_open`` while its round is not published."""

    pk: int
    round: int
    kind: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class AbsenceRow:
    """Rounds in which it was, or is, not there."""

    kind: str
    from_round: int
    until_round: int | None
    reason: str
    made_by: str


@dataclass(frozen=True, slots=True)
class SubstituteRow:
    """Somebody in the place of another; ``is_open`` while no end is set."""

    pk: int
    leaves: str
    comes: str
    from_round: int
    until_round: int | None
    reason: str

    @property
    def is_open(self) -> bool:
        """It has no end yet."""
        return self.until_round is None


@dataclass(frozen=True, slots=True)
class PenaltyRow:
    """A penalty, or one that was taken back."""

    pk: int
    round: int
    match_points: Decimal
    hands: int
    points: int
    reason: str
    made_by: str
    made_at: datetime
    revocation: str
    is_revoked: bool


@dataclass(frozen=True, slots=True)
class EntryPage:
    """An entry with all that was decided about it. ``code`` is for the staff alone."""

    head: TournamentHead
    entry: EntryRow
    code: str
    apart: tuple[str, ...]
    people: tuple[Person, ...]
    spare: tuple[Person, ...]
    round: int
    absences: tuple[AbsenceRow, ...]
    byes: tuple[ByeRow, ...]
    bye_quota: int
    substitutions: tuple[SubstituteRow, ...]
    penalties: tuple[PenaltyRow, ...]
    may: Verbs


@dataclass(frozen=True, slots=True)
class OwnPage:
    """What its own people see of an entry; ``left`` are the byes with points still to ask for."""

    tournament: str
    slug: str
    is_public: bool
    is_over: bool
    entry: EntryRow
    round: int
    check_in_open: bool
    byes: tuple[ByeRow, ...]
    left: int


def entry_page(slug: str, number: int, viewer: Actor) -> EntryPage:
    """Return an entry for the staff: the head's queries and ten."""
    this = open_tournament(slug, viewer)
    entry = found(this.tournament.entries.with_players().filter(number=number).first())
    round_ = open_round(this)
    (row,) = rows_of_entries([entry], round_, Q(entry=entry))
    absences = list(entry.absences.order_by("from_round"))
    away = next((absence for absence in absences if absence.until_round is None), None)
    who = role_of(viewer, this.powers, own=is_own_entry(viewer, entry))
    return EntryPage(
        head=this.head,
        entry=row,
        code=entry.code,
        apart=tuple(entry.apart),
        people=_people(entry),
        spare=_spare(this.tournament) if entry.pair is not None else (),
        round=round_,
        absences=tuple(
            AbsenceRow(a.kind, a.from_round, a.until_round, a.reason, a.made_by) for a in absences
        ),
        byes=_byes(entry, round_),
        bye_quota=this.tournament.bye_quota,
        substitutions=tuple(_substitute(one) for one in _substitutions(entry)),
        penalties=tuple(_penalty(one) for one in entry.penalties.order_by("round_number", "pk")),
        may=verbs(entry_facts(entry, away), who),
    )


def own_page(entry: Entry) -> OwnPage:
    """Return an entry for its own people, whatever the state of the tournament; six queries."""
    tournament = entry.tournament
    rounds = Round.objects.filter(stage__tournament=tournament).exclude(state=Round.State.DRAFT)
    round_ = max(rounds.values_list("number", flat=True), default=0) + 1
    (row,) = rows_of_entries([entry], round_, Q(entry=entry))
    byes = _byes(entry, round_)
    paid = sum(bye.kind != ByeRequest.Kind.ZERO for bye in byes)
    return OwnPage(
        tournament=tournament.name,
        slug=tournament.slug,
        is_public=tournament.state != Tournament.State.DRAFT,
        is_over=tournament.state == Tournament.State.FINISHED,
        entry=row,
        round=round_,
        check_in_open=tournament.self_check_in and tournament.check_in_closed_at is None,
        byes=byes,
        left=max(0, tournament.bye_quota - paid),
    )


def _people(entry: Entry) -> tuple[Person, ...]:
    if entry.pair is None:
        return ()
    return tuple(Person(one.pk, one.name) for one in (entry.pair.first, entry.pair.second))


def _spare(tournament: Tournament) -> tuple[Person, ...]:
    """Return those of the club who do not play in the tournament."""
    of_pairs = Q(pairs_as_first__entries__tournament=tournament)
    of_pairs |= Q(pairs_as_second__entries__tournament=tournament)
    playing = Player.objects.filter(of_pairs | Q(entries__tournament=tournament))
    free = tournament.club.players.exclude(pk__in=playing.values("pk"))
    return tuple(Person(pk, name) for pk, name in free.order_by("name").values_list("pk", "name"))


def _byes(entry: Entry, round_: int) -> tuple[ByeRow, ...]:
    return tuple(
        ByeRow(bye.pk, bye.round_number, bye.kind, bye.round_number >= round_)
        for bye in entry.bye_requests.order_by("round_number")
    )


def _substitutions(entry: Entry) -> list[Substitution]:
    return list(entry.substitutions.select_related("leaves", "comes").order_by("from_round", "pk"))


def _substitute(one: Substitution) -> SubstituteRow:
    return SubstituteRow(
        one.pk, one.leaves.name, one.comes.name, one.from_round, one.until_round, one.reason
    )


def _penalty(one: Penalty) -> PenaltyRow:
    return PenaltyRow(
        pk=one.pk,
        round=one.round_number,
        match_points=one.match_points,
        hands=one.hands,
        points=one.points,
        reason=one.reason,
        made_by=one.made_by,
        made_at=one.made_at,
        revocation=one.revocation,
        is_revoked=one.revoked_at is not None,
    )


def tournament_for_codes(slug: str) -> Tournament:
    """Return a tournament whose people are asked for a code; a draft too. Refuses NOT_FOUND."""
    return found(Tournament.objects.select_related("club").filter(slug=slug).first())

"""Closes a sign-up and enters those who are in; opens it again."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final, NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.core.audit import write_tournament_event
from tournaments.core.errors import ImportFault
from tournaments.core.faults import ROWS
from tournaments.core.find import lock_club, lock_tournament
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.director.queries.lists import ClubNames, ImportPlan, PlannedEntry, plan_of
from tournaments.director.queries.state import refuse_closed
from tournaments.director.queries.tickets import active_entries
from tournaments.director.services.entries import enter_lines
from tournaments.director.services.restore_points import store_restore_point
from tournaments.domain.names import sort_key
from tournaments.domain.person_names import judge_person
from tournaments.domain.roster import (
    DOUBTS,
    RECOGNISE,
    EnteredLine,
    ListedEntrant,
    Reading,
    WhoAnswer,
)
from tournaments.domain.sources import rating_of_place
from tournaments.models import Entry, SignUp, Tournament
from tournaments.people.queries.who import WhoQuestion, refuse_open_questions
from tournaments.signup.queries.confirmed import confirmed_tickets
from tournaments.signup.queries.places import (
    RequestRow,
    players_of,
    request_rows,
    seats_of,
    sign_up_facts,
)
from tournaments.signup.services.requests import sign_up_of

NO_PARTNER: Final = _("looks for a partner")
NOT_PAID: Final = _("has not paid")
LEFT_OUT: Final = _("left out by you")


@dataclass(frozen=True, slots=True)
class Entering:
    """A request that enters, its line; ``known`` are the names taken for persons of the club."""

    request: RequestRow
    line: EnteredLine
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Blocked:
    """A request within the places that cannot be entered, and why.

    ``asks_name`` says that a name is in doubt, and may be right.
    """

    request: RequestRow
    why: str | Promise
    asks_name: bool = False


@dataclass(frozen=True, slots=True)
class EnteringPlan:
    """What closing a sign-up enters: in the order of names, so that no ticket affects the draw.

    ``questions`` are about the persons of its names, by ticket and seat.
    """

    entering: tuple[Entering, ...]
    blocked: tuple[Blocked, ...]
    waiting: tuple[RequestRow, ...]
    entries: int
    minimum: int | None
    questions: tuple[WhoQuestion, ...] = ()

    @property
    def open_questions(self) -> tuple[WhoQuestion, ...]:
        """The questions without an answer; with any nothing is entered."""
        return tuple(question for question in self.questions if question.is_open)

    @property
    def is_below_minimum(self) -> bool:
        """Whether fewer would be entered than the organiser wanted at least."""
        return self.minimum is not None and self.entries + len(self.entering) < self.minimum


def entering_plan(
    signup: SignUp,
    leave_out: Collection[int] = (),
    reading: Reading = RECOGNISE,
    as_written: Collection[int] = (),
) -> EnteringPlan:
    """Return what closing a sign-up enters; ``leave_out`` are tickets that stay outside.

    ``reading`` has the answers to questions about persons, by ticket and seat. The names of the
    tickets ``as_written`` are right, though they are in doubt. A request that cannot be entered
    stays with its reason. Who came through from a source is entered as the player who came through,
    whether paid or not; neither have those to pay whose place was stated. 13 queries, one more with
    sources, those of questions (`ask_who`), and one where a name is in doubt: those that were
    confirmed at the sign-up are not asked about again.
    """
    tournament = signup.tournament
    live = [row for row in request_rows(signup) if row.is_live]
    entries = active_entries(tournament).count()
    free = len(live) if signup.places is None else max(0, signup.places - entries)
    blocked: list[Blocked] = []
    candidates = []
    if signup.only_paid:
        unpaid = [row for row in live if row.balance.payable and row.source_place is None]
        blocked += [Blocked(row, NOT_PAID) for row in unpaid]
        live = [row for row in live if row not in unpaid]
    if any(row.source_id is not None for row in live):
        known = {seat: WhoAnswer(code=one.code) for seat, one in players_of(signup).items()}
        reading = replace(reading, who={**known, **reading.who})
    for row in live[:free]:
        if row.ticket in leave_out:
            blocked.append(Blocked(row, LEFT_OUT))
        elif len(row.names) < seats_of(tournament):
            blocked.append(Blocked(row, NO_PARTNER))
        else:
            candidates.append(row)
    if any(judge_person(name) for row in candidates for name in row.names):
        confirmed = confirmed_tickets(tournament)
        of_partners = (row.ticket for row in candidates if confirmed.intersection(row.partners))
        as_written = {*as_written, *confirmed, *of_partners}
    planned = _plan_entries(tournament, candidates, reading, as_written)
    blocked += planned.blocked
    return EnteringPlan(
        entering=planned.entering,
        blocked=tuple(sorted(blocked, key=lambda one: one.request.ticket)),
        waiting=tuple(live[free:]),
        entries=entries,
        minimum=signup.minimum,
        questions=planned.questions,
    )


class _PlannedEntries(NamedTuple):
    """The requests that can be entered, by name, the questions about their people, the others."""

    entering: tuple[Entering, ...]
    questions: tuple[WhoQuestion, ...]
    blocked: tuple[Blocked, ...]


def _plan_entries(
    tournament: Tournament,
    candidates: Sequence[RequestRow],
    reading: Reading,
    as_written: Collection[int],
) -> _PlannedEntries:
    """Plan the entries of candidates; of two tickets of one pair the earlier enters.

    The first at fault is left out until there is no fault but those that are asked about: what it
    was at fault with may have been another's place.
    """
    rows, blocked, club_names = list(candidates), list[Blocked](), ClubNames.of(tournament)
    while True:
        asked = _by_line(reading, rows, as_written)
        plan = plan_of(club_names, [_listed(row) for row in rows], asked)
        fault = _first_fault(plan)
        if fault is None:
            break
        row = rows.pop(fault.line - 1)
        asks_name = fault.code in DOUBTS and row.ticket not in as_written
        blocked.append(Blocked(row, fault.message, asks_name))
    entries = {entry.line: entry for entry in plan.entries}
    planned = [
        Entering(rows[line.line - 1], line, _known(entries[line.line]))
        for line in plan.read.lines
        if line.line in entries
    ]
    planned.sort(key=lambda one: sort_key(entries[one.line.line].name))
    questions = tuple(_by_ticket(one, rows) for one in plan.who)
    return _PlannedEntries(tuple(planned), questions, tuple(blocked))


def _by_line(reading: Reading, rows: Sequence[RequestRow], as_written: Collection[int]) -> Reading:
    """Return the answers about tickets as answers about the lines of these requests."""
    lines = {row.ticket: line for line, row in enumerate(rows, 1)}
    who = {
        (lines[ticket], seat): answer
        for (ticket, seat), answer in reading.who.items()
        if ticket in lines
    }
    right = {lines[row.ticket]: row.names for row in rows if row.ticket in as_written}
    return replace(reading, who=who, lines=right)


def _first_fault(plan: ImportPlan) -> ImportFault | None:
    """Return the first fault for which a request is not entered.

    A pair that both partners signed up is no fault of a list, which leaves its second line out.
    """
    left_out = (
        ImportFault(ROWS, at.line, "player_in_two_pairs", at.text) for at in plan.read.left_out
    )
    return next(chain(plan.hard_faults, left_out), None)


def _by_ticket(question: WhoQuestion, rows: Sequence[RequestRow]) -> WhoQuestion:
    """Return a question with the numbers of tickets in place of lines."""
    candidates = tuple(
        replace(one, line=rows[one.line - 1].ticket) if one.line else one
        for one in question.candidates
    )
    return replace(question, line=rows[question.line - 1].ticket, candidates=candidates)


def _listed(row: RequestRow) -> ListedEntrant:
    """Return a request for the list, with where it comes from: that tells namesakes apart."""
    name = row.pair_name if len(row.names) > 1 else ""
    return ListedEntrant(players=row.names, name=name, club=row.origin)


def _known(entry: PlannedEntry) -> tuple[str, ...]:
    return tuple(name for name in entry.players if name not in entry.new_players)


@transaction.atomic
def close_sign_up(
    actor: Actor,
    tournament: Tournament,
    leave_out: Collection[int] = (),
    reading: Reading = RECOGNISE,
    as_written: Collection[int] = (),
) -> tuple[Entry, ...]:
    """Close the sign-up and enter those within the places; returns the new entries.

    Names of players of the club mean these players: the organiser has seen them in the plan. Names
    that may mean several persons are answered by ``reading`` (`entering_plan`). A ticket whose
    names are in doubt stays outside, unless it is one of those ``as_written``. Pressed again it
    enters those who have moved up since, or none. A restore point is stored. Refuses FORBIDDEN,
    NOT_A_DRAFT, TOURNAMENT_CANCELLED, UNKNOWN_PLAYER, WHO_IS_THIS.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    lock_club(tournament.club)  # players are created: the club is locked before the tournament
    tournament = lock_tournament(tournament)
    signup = sign_up_of(tournament)
    refuse_closed("close_sign_up", sign_up_facts(tournament, signup))
    plan = entering_plan(signup, leave_out, reading, as_written)
    refuse_open_questions(plan.open_questions)
    if signup.closed_at is not None and not plan.entering:
        return ()
    entries: tuple[Entry, ...] = ()
    rows = [one.request for one in plan.entering]
    if rows:
        store_restore_point(actor, tournament, "sign_up.closed")
        entries = enter_lines(actor, tournament, [one.line for one in plan.entering])
        for entry, row in zip(entries, rows, strict=True):
            entry.request_id, entry.code, entry.origin = row.pk, row.code, row.origin
            if row.source_place is not None and not entry.rating:
                entry.rating = rating_of_place(row.source_place)
        Entry.objects.bulk_update(entries, ["request", "code", "origin", "rating"])
    if signup.closed_at is None:
        signup.closed_at = timezone.now()
        signup.save(update_fields=["closed_at"])
    tickets = [row.ticket for row in rows]
    write_tournament_event(actor, "sign_up.closed", tournament, tournament, tickets=tickets)
    return entries


@transaction.atomic
def keep_contacts(actor: Actor, tournament: Tournament) -> SignUp:
    """Put off the deletion of the contacts by one more period, once.

    Refuses FORBIDDEN, CONTACTS_KEPT.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    signup = sign_up_of(tournament)
    refuse_closed("keep_contacts", sign_up_facts(tournament, signup))
    signup.contacts_kept = True
    signup.save(update_fields=["contacts_kept"])
    write_tournament_event(actor, "sign_up.contacts_kept", tournament, tournament)
    return signup


@transaction.atomic
def reopen_sign_up(actor: Actor, tournament: Tournament) -> SignUp:
    """Take requests again; nobody is removed.

    A closing time that is over is emptied. Refuses FORBIDDEN, NOT_A_DRAFT, TOURNAMENT_CANCELLED,
    SIGN_UP_NOT_CLOSED.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    signup = sign_up_of(tournament)
    refuse_closed("reopen_sign_up", sign_up_facts(tournament, signup))
    signup.closed_at = None
    if signup.closes_at is not None and signup.closes_at <= timezone.now():
        signup.closes_at = None
    signup.save(update_fields=["closed_at", "closes_at"])
    write_tournament_event(actor, "sign_up.reopened", tournament, tournament)
    return signup

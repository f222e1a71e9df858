"""Ranks of requests for a place. A place is a rank, no state: it is counted whenever it is asked.

Entries come first, with or without a request, then live requests without an entry by ticket. A
single counts as one place; two joined singles hold the place of the earlier ticket.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from tournaments.core.db import row_of
from tournaments.core.errors import Reason, Refusal
from tournaments.director.queries.tickets import LIVE, active_entries, name_of
from tournaments.domain.codes import read_code
from tournaments.domain.money import Balance
from tournaments.domain.signup import Fee, due_cents, is_in
from tournaments.domain.state import RequestFacts, SignUpFacts
from tournaments.models import (
    CashEntry,
    Entry,
    Player,
    SignUp,
    SignUpLink,
    SignUpPerson,
    SignUpRequest,
    Tournament,
)
from tournaments.signup.queries.cash import balances_of

FEWEST_WAITING: Final = 20
"""Tickets that may wait at least, also where places are few: some of them will not come."""

MOST_WITHOUT_PLACES: Final = 500
"""Tickets of a sign-up without a limit: more than any hall holds (chosen)."""


@dataclass(frozen=True, slots=True)
class RequestRow:
    """A request with its people, those of a joined partner too.

    ``rank`` counts from 1 and is 0 for one with an entry or off the list. ``doubles`` are other
    tickets with a name of its people. One that is no ticket was made for the money of an entry; one
    that came through from a source has its place there.
    """

    pk: int
    ticket: int
    is_ticket: bool
    names: tuple[str, ...]
    pair_name: str
    reserve: str
    origin: str
    contact: str
    members: int
    code: str
    made_by: str
    made_at: datetime
    agreed_at: datetime | None
    left_at: datetime | None
    left_why: str
    told_in: bool
    due_cents: int
    source_id: int | None
    source_place: int | None
    source_why: str
    balance: Balance
    entry: int | None
    rank: int
    is_in: bool
    is_single: bool
    partners: tuple[int, ...]
    doubles: tuple[int, ...]

    @property
    def name(self) -> str:
        """Its own name, or that made of its people."""
        return name_of(self.pair_name, self.names)

    @property
    def owed(self) -> int:
        """What it owes, in cents; 0 while it waits, below 0 what is to be returned."""
        return self.balance.open

    @property
    def is_live(self) -> bool:
        """Whether it waits for an entry."""
        return self.rank > 0

    @property
    def has_news(self) -> bool:
        """Whether its people were last given another answer about their place."""
        return self.left_at is None and self.is_in != self.told_in


@dataclass(frozen=True, slots=True)
class Standing:
    """The place of a request: its ``rank`` among ``places``, which is None without a limit."""

    rank: int
    is_in: bool
    places: int | None


@dataclass(frozen=True, slots=True)
class PlacesLeft:
    """How many have asked for a place, of how many places; None without a limit.

    ``most_waiting`` may wait before the form on the web takes no more.
    """

    places: int | None
    taken: int
    most_waiting: int

    @property
    def is_full(self) -> bool:
        """Whether as many wait as may; without places, as many have asked."""
        return self.taken >= (self.places or 0) + self.most_waiting

    @property
    def free(self) -> int | None:
        """How many places are left; None where there is no limit."""
        return None if self.places is None else max(0, self.places - self.taken)

    @property
    def waiting(self) -> int:
        """How many wait for a place."""
        return 0 if self.places is None else max(0, self.taken - self.places)


def find_sign_up(tournament: Tournament) -> SignUp | None:
    """Return the sign-up of a tournament, if it was ever set; one query."""
    return SignUp.objects.filter(tournament=tournament).first()


def seats_of(tournament: Tournament) -> int:
    """Return how many people an entry has."""
    return 2 if tournament.unit == Tournament.Unit.PAIR else 1


def fee_of(signup: SignUp) -> Fee:
    """Return the fee of a sign-up."""
    return Fee(signup.fee_cents, signup.fee_per, signup.member_cents)


def due_of(signup: SignUp, people: int, members: int = 0) -> int:
    """Return what a request of ``people`` owes by the present fee, in cents."""
    seats = seats_of(signup.tournament)
    return due_cents(fee_of(signup), people=people, seats=seats, members=members)


def taken_places(tournament: Tournament, signup: SignUp | None) -> int:
    """Return how many places are taken, beyond the limit too; two queries."""
    live = 0 if signup is None else signup.requests.filter(LIVE).count()
    return active_entries(tournament).count() + live


def most_waiting_of(signup: SignUp) -> int:
    """Return how many may wait: what is set, or as many as there are places, at least 20."""
    if signup.most_waiting is not None:
        return signup.most_waiting
    return MOST_WITHOUT_PLACES if signup.places is None else max(FEWEST_WAITING, signup.places)


def places_of(tournament: Tournament, signup: SignUp) -> PlacesLeft:
    """Return how the places of a sign-up stand; two queries."""
    taken = taken_places(tournament, signup)
    return PlacesLeft(signup.places, taken, most_waiting_of(signup))


def places_left(tournament: Tournament) -> PlacesLeft | None:
    """Return how the places of a posted tournament stand; None without a sign-up; three queries."""
    signup = find_sign_up(tournament)
    if signup is None:
        return None
    return places_of(tournament, signup)


def standing_of(request: SignUpRequest, signup: SignUp) -> Standing:
    """Return the place of a live request; a joined one has that of its partner."""
    first = request.joined or request
    before = signup.requests.filter(LIVE, ticket__lt=first.ticket).count()
    rank = active_entries(signup.tournament).count() + before + 1
    return Standing(rank, is_in(rank, signup.places), signup.places)


def is_open_by_clock(signup: SignUp, now: datetime) -> bool:
    """Return whether the form on the web is open by the clock."""
    has_begun = signup.opens_at is not None and signup.opens_at <= now
    return has_begun and (signup.closes_at is None or now < signup.closes_at)


def sign_up_facts(
    tournament: Tournament, signup: SignUp | None, places: PlacesLeft | None = None
) -> SignUpFacts:
    """Return the facts of a sign-up, on the web with its ``places``; no query."""
    return SignUpFacts(
        state=tournament.state,
        posted=tournament.posted_at is not None,
        cancelled=tournament.cancelled_at is not None,
        closed=signup is not None and signup.closed_at is not None,
        is_time=signup is not None and is_open_by_clock(signup, timezone.now()),
        full=places is not None and places.is_full,
        contacts_kept=signup is not None and signup.contacts_kept,
    )


def has_place(request: SignUpRequest) -> bool:
    """Return whether a request has a place: an entry that has not left, or a rank within them."""
    tournament, entry = request.signup.tournament, entry_of_request(request)
    if entry is None:
        return standing_of(request, request.signup).is_in
    return active_entries(tournament).filter(pk=entry.pk).exists()


def balance_of(request: SignUpRequest) -> Balance:
    """Return what a request owes, with those joined to it; six queries."""
    first = request.joined or request
    requests = [first, *first.partners.all()]
    lines = CashEntry.objects.filter(request__in=requests)
    found = balances_of(
        request.signup.tournament,
        requests,
        lines,
        entered={first.pk} if entry_of_request(first) is not None else (),
        without_place=() if has_place(first) else {first.pk},
    )
    return found[first.pk]


def request_facts(request: SignUpRequest, tournament: Tournament) -> RequestFacts:
    """Return the facts of a request; three queries."""
    first = request.joined or request
    return RequestFacts(
        state=tournament.state,
        cancelled=tournament.cancelled_at is not None,
        left=request.left_at is not None,
        entered=Entry.objects.filter(request=first).exists(),
        renamed=request.renamed_at is not None,
        of_one=request.people.count() < seats_of(tournament)
        and request.joined_id is None
        and not request.partners.exists(),
    )


def players_of(signup: SignUp) -> dict[tuple[int, int], Player]:
    """Return the players of the club that people of requests are, by ticket and seat; one query."""
    people = SignUpPerson.objects.filter(request__signup=signup, player__isnull=False)
    rows = people.select_related("request", "player__same_as")
    return {
        (person.request.ticket, person.seat): person.player.main
        for person in rows
        if person.player is not None
    }


def request_with_code(tournament: Tournament, code: str) -> SignUpRequest:
    """Return the request that a code belongs to. Refuses BAD_CODE."""
    requests = SignUpRequest.objects.select_related("joined", "signup__tournament__club")
    rows = requests.filter(signup__tournament=tournament, code=read_code(code))
    request = rows.first()
    if request is None:
        raise Refusal(Reason.BAD_CODE)
    return request


def is_code_of_request(tournament: Tournament, code: str) -> bool:
    """Return whether a code is that of a request; one query."""
    return SignUpRequest.objects.filter(signup__tournament=tournament, code=code).exists()


def entry_of_request(request: SignUpRequest) -> Entry | None:
    """Return the entry of a request, that of its partner's where they were joined; one query."""
    entries = Entry.objects.with_players().select_related("tournament__club")
    return entries.filter(request=request.joined or request).first()


def request_rows(signup: SignUp) -> tuple[RequestRow, ...]:
    """Return all requests by ticket, those that are no tickets too; six queries."""
    requests = list(signup.requests.select_related("entry").order_by("ticket"))
    people: dict[int, list[str]] = defaultdict(list)
    for person in SignUpPerson.objects.filter(request__signup=signup).order_by("seat"):
        people[person.request_id].append(person.name)
    seats = seats_of(signup.tournament)
    partners: dict[int, list[SignUpRequest]] = defaultdict(list)
    for request in requests:
        if request.joined_id is not None and request.left_at is None:
            partners[request.joined_id].append(request)
    entries = {one.pk: one.entry for one in requests if getattr(one, "entry", None) is not None}
    active = set(active_entries(signup.tournament).values_list("pk", flat=True))
    live = [one for one in requests if _is_live(one)]
    ranks = {one.pk: rank for rank, one in enumerate(live, len(active) + 1)}
    waiting = {pk for pk, rank in ranks.items() if not is_in(rank, signup.places)}
    owing = balances_of(
        signup.tournament,
        requests,
        CashEntry.objects.filter(request__signup=signup),
        entered=entries,
        without_place=waiting | {pk for pk, entry in entries.items() if entry.pk not in active},
    )
    doubles = _doubles(signup)
    rows = []
    for request in requests:
        entry, joined = entries.get(request.pk), partners[request.pk]
        is_live = request.pk in ranks
        names = [name for one in (request, *joined) for name in people[one.pk]]
        rows.append(
            row_of(
                RequestRow,
                request,
                names=tuple(names),
                balance=owing.get(request.pk, Balance()),
                entry=None if entry is None else entry.number,
                rank=ranks.get(request.pk, 0),
                is_in=entry is not None or (is_live and request.pk not in waiting),
                is_single=is_live and len(names) < seats,
                partners=tuple(one.ticket for one in joined),
                doubles=doubles.get(request.ticket, ()),
            )
        )
    return _with_place_of_partner(rows, requests)


def ticket_rows(signup: SignUp) -> tuple[RequestRow, ...]:
    """Return the tickets of a sign-up in order; six queries, none for one that is not stored."""
    return tuple(row for row in request_rows(signup) if row.is_ticket) if signup.pk else ()


def link_rows(tournament: Tournament) -> QuerySet[SignUpLink]:
    """Return the links of a sign-up with the number of their tickets on the list (``used``)."""
    links = SignUpLink.objects.filter(signup__tournament=tournament).order_by("pk")
    return links.annotate(used=Count("requests", filter=Q(requests__left_at=None)))


def _is_live(request: SignUpRequest) -> bool:
    """Whether a request waits for an entry, as `LIVE` selects it."""
    has_entry = getattr(request, "entry", None) is not None
    is_on_list = request.is_ticket and request.left_at is None and request.joined_id is None
    return is_on_list and not has_entry


def _with_place_of_partner(
    rows: list[RequestRow], requests: Iterable[SignUpRequest]
) -> tuple[RequestRow, ...]:
    """Leave out the rows of joined requests: they are shown with the ticket that they share."""
    joined = {request.pk for request in requests if request.joined_id and not request.left_at}
    return tuple(row for row in rows if row.pk not in joined)


def _doubles(signup: SignUp) -> Mapping[int, tuple[int, ...]]:
    """Return the other tickets on the list with a name of a ticket's people, by ticket."""
    tickets: dict[str, set[int]] = defaultdict(set)
    people = SignUpPerson.objects.filter(request__signup=signup, request__left_at=None)
    rows = people.filter(request__is_ticket=True)
    for folded, ticket in rows.values_list("folded", "request__ticket"):
        tickets[folded].add(ticket)
    doubles: dict[int, set[int]] = defaultdict(set)
    for same in tickets.values():
        for ticket in same:
            doubles[ticket] |= same - {ticket}
    return {ticket: tuple(sorted(others)) for ticket, others in doubles.items() if others}

"""The money of a tournament for its desk: who owes, what was taken by day, the cash book."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from tournaments.core.find import or_404
from tournaments.core.permissions import Actor, refuse_unless
from tournaments.director.queries.tickets import active_entries
from tournaments.director.queries.tournaments import TournamentHead, open_tournament
from tournaments.domain.money import Balance, Totals, totals_by_day, totals_of
from tournaments.models import CashEntry, Entry, SignUp, SignUpRequest, Tournament
from tournaments.signup.queries.cash import cash_rows
from tournaments.signup.queries.places import (
    due_of,
    find_sign_up,
    request_rows,
    seats_of,
)


@dataclass(frozen=True, slots=True)
class PayerRow:
    """A request with its balance, or an entry that has none yet (``ticket`` is 0).

    ``entry`` is 0 for one that has no entry, ``has_left``: it is off the list.
    """

    ticket: int
    entry: int
    name: str
    has_left: bool
    balance: Balance


@dataclass(frozen=True, slots=True)
class CashLine:
    """A line of the cash book; ``name`` is whom it is about, ``ticket`` 0 for nobody on the list.

    ``can_be_reversed``: it was not, and reverses no other line itself.
    """

    pk: int
    ticket: int
    name: str
    kind: str
    kind_name: str
    cents: int
    note: str
    made_by: str
    made_at: datetime
    reverses: int | None
    can_be_reversed: bool


@dataclass(frozen=True, slots=True)
class MoneyPage:
    """The money of a tournament: payers by ticket, those without one last; lines newest first.

    ``only_paid``: who waits enters only once the fee is paid.
    """

    head: TournamentHead
    only_paid: bool
    payers: tuple[PayerRow, ...]
    lines: tuple[CashLine, ...]
    totals: Totals
    days: tuple[tuple[date, Totals], ...]

    @property
    def owing(self) -> tuple[PayerRow, ...]:
        """Those with a place who still owe something."""
        return tuple(row for row in self.payers if row.balance.owed)

    @property
    def without_place(self) -> tuple[PayerRow, ...]:
        """Those who may pay but owe nothing: they wait, or their entry has left."""
        return tuple(row for row in self.payers if row.balance.payable and not row.balance.owed)

    @property
    def to_be_paid_back(self) -> tuple[PayerRow, ...]:
        """Those who left, were cancelled or paid too much."""
        return tuple(row for row in self.payers if row.balance.to_return)

    @property
    def settled(self) -> tuple[PayerRow, ...]:
        """Those who paid or need not."""
        others = {*self.owing, *self.without_place, *self.to_be_paid_back}
        return tuple(
            row for row in self.payers if row not in others and (row.balance.due or row.ticket)
        )

    @property
    def owed(self) -> int:
        """What is still owed, in cents."""
        return sum(row.balance.owed for row in self.payers)

    @property
    def to_return(self) -> int:
        """What is to be returned, in cents."""
        return sum(row.balance.to_return for row in self.payers)


def money_page(slug: str, viewer: Actor) -> MoneyPage:
    """Return the money of a tournament: the head's queries and ten.

    Refuses SIGN_IN, FORBIDDEN, NOT_FOUND to all but the club's staff.
    """
    access = open_tournament(slug, viewer)
    refuse_unless(access.powers.arbitrate, viewer)
    tournament = access.tournament
    signup = find_sign_up(tournament) or SignUp(tournament=tournament)
    payers = payer_rows(signup)
    lines = list(
        CashEntry.objects.filter(tournament=tournament)
        .select_related("request__joined", "reversal")
        .order_by("-pk")
    )
    rows = cash_rows(lines)
    return MoneyPage(
        head=access.head,
        only_paid=signup.only_paid,
        payers=payers,
        lines=_cash_lines(lines, payers),
        totals=totals_of(rows),
        days=totals_by_day(rows),
    )


def payer_rows(signup: SignUp) -> tuple[PayerRow, ...]:
    """Return all who owe, paid or left: requests by ticket, then entries without one."""
    tournament = signup.tournament
    stored = request_rows(signup) if signup.pk else ()
    payers = [
        PayerRow(row.ticket, row.entry or 0, row.name, row.left_at is not None, row.balance)
        for row in stored
    ]
    active = active_entries(tournament).filter(request=None, bot=None)
    entries = active.select_related("pair__first", "pair__second", "player")
    due = 0 if tournament.cancelled_at is not None else due_of(signup, seats_of(tournament))
    payers += [
        PayerRow(0, entry.number, entry.shown_name, has_left=False, balance=Balance(due))
        for entry in entries.order_by("number")
    ]
    return tuple(payers)


def owed_by_entry(tournament: Tournament) -> dict[int, int]:
    """Return what each entry that owes something owes, in cents, by its number."""
    rows = payer_rows(find_sign_up(tournament) or SignUp(tournament=tournament))
    return {row.entry: row.balance.owed for row in rows if row.entry and row.balance.owed}


def _cash_lines(lines: Sequence[CashEntry], payers: Sequence[PayerRow]) -> tuple[CashLine, ...]:
    names = {row.ticket: row.name for row in payers if row.ticket}
    return tuple(
        CashLine(
            pk=line.pk,
            ticket=_ticket(line.request),
            name=line.payee or names.get(_ticket(line.request), ""),
            kind=line.kind,
            kind_name=line.get_kind_display(),
            cents=line.cents,
            note=line.note,
            made_by=line.made_by,
            made_at=line.made_at,
            reverses=line.reverses_id,
            can_be_reversed=line.reverses_id is None and not hasattr(line, "reversal"),
        )
        for line in lines
    )


def _ticket(request: SignUpRequest | None) -> int:
    """Return the ticket under which a request is shown: of two joined ones the first."""
    return 0 if request is None else (request.joined or request).ticket


def find_payer(tournament: Tournament, payer: str, number: int) -> SignUpRequest | Entry:
    """Return a request by its ``ticket``, or an ``entry`` by its number; refuses NOT_FOUND."""
    if payer == "entry":
        entries = tournament.entries.with_players().select_related("tournament__club")
        return or_404(entries.filter(number=number, bot=None).first())
    requests = SignUpRequest.objects.select_related("joined", "signup__tournament__club")
    rows = requests.filter(signup__tournament=tournament, ticket=number)
    return or_404(rows.first() if payer == "ticket" else None)

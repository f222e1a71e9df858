"""The organiser's list of sign-ups."""

from dataclasses import dataclass
from datetime import datetime

from tournaments.director.queries.tickets import active_entries
from tournaments.models import SignUp
from tournaments.signup.queries.connections import from_one_connection
from tournaments.signup.queries.contacts import contacts_until
from tournaments.signup.queries.places import RequestRow, ticket_rows


@dataclass(frozen=True, slots=True)
class SignUpList:
    """The tickets of a sign-up.

    ``rows`` are those on the list, the entered ones first, then by ticket; ``gone`` have left it.
    ``first_waiting`` is the ticket below the line of the places, 0 for none. ``news`` have to be
    told that they moved up or down, ``doubles`` name a person of another ticket,
    ``same_connection`` are tickets of one address. ``others`` counts entries without a ticket,
    ``taken`` all that take a place or wait for one. ``contacts_until`` is when telephones and
    e-mails go, None without any.
    """

    rows: tuple[RequestRow, ...]
    gone: tuple[RequestRow, ...]
    first_waiting: int
    news: tuple[RequestRow, ...]
    doubles: tuple[RequestRow, ...]
    same_connection: tuple[tuple[int, ...], ...]
    others: int
    taken: int
    contacts_until: datetime | None


def sign_up_list(signup: SignUp) -> SignUpList:
    """Return the list of a sign-up, which is empty while it is not stored."""
    tickets = ticket_rows(signup)
    on_list = [row for row in tickets if row.left_at is None]
    entries = active_entries(signup.tournament)
    return SignUpList(
        rows=tuple(sorted(on_list, key=lambda row: (row.is_live, row.ticket))),
        gone=tuple(row for row in tickets if row.left_at is not None),
        first_waiting=next((row.ticket for row in on_list if row.is_live and not row.is_in), 0),
        news=tuple(row for row in on_list if row.has_news and not row.entry),
        doubles=tuple(row for row in on_list if row.doubles),
        same_connection=from_one_connection(on_list),
        others=entries.exclude(request__is_ticket=True).count(),
        taken=entries.count() + sum(row.is_live for row in on_list),
        contacts_until=contacts_until(signup) if any(row.contact for row in tickets) else None,
    )

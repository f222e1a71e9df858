"""Lines of the cash book as rows of the domain, what was taken, and the balances of requests."""

from collections import defaultdict
from collections.abc import Container, Iterable

from django.utils.timezone import localtime

from tournaments.domain.money import Balance, CashRow, balances, totals_of
from tournaments.models import CashEntry, SignUpRequest, Tournament


def cash_rows(lines: Iterable[CashEntry]) -> list[CashRow]:
    """Return lines of the cash book as rows of the domain; the payer is a request."""
    return [
        CashRow(line.kind, line.cents, line.request_id, localtime(line.made_at).date())
        for line in lines
    ]


def takings_of(tournament: Tournament) -> int:
    """Return what was taken less what was returned, in cents; one query."""
    return totals_of(cash_rows(tournament.cash_entries.all())).takings


def balances_of(
    tournament: Tournament,
    requests: Iterable[SignUpRequest],
    lines: Iterable[CashEntry],
    *,
    entered: Container[int],
    without_place: Container[int],
) -> dict[int, Balance]:
    """Return what requests owe, by key; joined singles have one balance, under the first of them.

    ``entered`` and ``without_place`` are keys of such requests. Who has left owes nothing, nor does
    who was not ``entered`` once the rounds are drawn, what is no ticket and has no entry any more,
    and nobody where the tournament is cancelled.
    """
    dues: dict[int, int] = defaultdict(int)
    firsts: dict[int | None, int] = {}
    for request in requests:
        first = firsts[request.pk] = request.joined_id or request.pk
        may_enter = request.is_ticket and tournament.state == Tournament.State.DRAFT
        may_play = first in entered or may_enter
        is_due = may_play and request.left_at is None and tournament.cancelled_at is None
        dues[first] += request.due_cents if is_due else 0
    rows = (
        CashRow(line.kind, line.cents, firsts.get(line.request_id))
        for line in lines
        if line.request_id is not None
    )
    return balances(dues, rows, without_place)

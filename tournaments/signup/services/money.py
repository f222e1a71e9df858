"""Notes what is paid, returned and waived. The cash book is append-only: an error is reversed."""

from django.db import transaction

from tournaments.core.audit import write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_tournament, refresh_row
from tournaments.core.permissions import Actor, may_arbitrate, refuse_unless
from tournaments.director.queries.state import refuse_closed
from tournaments.domain.money import Balance
from tournaments.domain.names import has_own_name
from tournaments.domain.state import CashFacts, MoneyFacts
from tournaments.models import CashEntry, Entry, SignUpRequest, Tournament
from tournaments.signup.queries.places import balance_of, due_of, seats_of
from tournaments.signup.services.requests import MAX_CENTS, line_of, sign_up_of, store_people

Payer = SignUpRequest | Entry
"""Who pays: a request, or an entry, which gets a request if it has none."""


@transaction.atomic
def pay(
    actor: Actor,
    payer: Payer,
    cents: int | None = None,
    note: str = "",
    *,
    shown: int | None = None,
) -> CashEntry:
    """Note what was paid; without an amount the whole rest. ``shown`` is the rest on the page.

    More than is owed can be paid: it is then to be returned. Who waits for a place may pay before.
    Refuses FORBIDDEN, NOTHING_OWED without an amount, OWED_CHANGED where another amount is open
    than was shown, BAD_AMOUNT, BAD_REASON.
    """
    refuse_unless(may_arbitrate(actor, _tournament_of(payer).club), actor)
    note = line_of(note)
    request, balance = _lock_payer(actor, payer)
    refuse_closed("pay", _facts(balance))
    if cents is None and balance.payable == 0:
        raise Refusal(Reason.NOTHING_OWED)
    _refuse_changed(shown, balance.payable)
    cents = balance.payable if cents is None else cents
    return _note(actor, request, CashEntry.Kind.PAID, _checked(cents, MAX_CENTS), note)


@transaction.atomic
def refund(
    actor: Actor,
    payer: Payer,
    cents: int | None = None,
    note: str = "",
    *,
    shown: int | None = None,
) -> CashEntry:
    """Note what was returned; without an amount what is to be returned, or else all of it.

    ``shown`` is what the page showed as taken. Refuses FORBIDDEN, NOTHING_TO_RETURN, OWED_CHANGED,
    BAD_AMOUNT for more than was taken, BAD_REASON.
    """
    refuse_unless(may_arbitrate(actor, _tournament_of(payer).club), actor)
    note = line_of(note)
    request, balance = _lock_payer(actor, payer)
    refuse_closed("refund", _facts(balance))
    _refuse_changed(shown, balance.taken)
    if cents is None:
        cents = balance.to_return or balance.taken
    amount = _checked(cents, balance.taken)
    return _note(actor, request, CashEntry.Kind.REFUND, -amount, note)


@transaction.atomic
def waive(
    actor: Actor,
    payer: Payer,
    reason: str,
    cents: int | None = None,
    *,
    shown: int | None = None,
) -> CashEntry:
    """Note that a request need not pay all that it owes, or only a part, with a reason.

    ``shown`` as in `pay`. Refuses FORBIDDEN, NOTHING_OWED, OWED_CHANGED, BAD_AMOUNT for more than
    is owed, REASON_MISSING, BAD_REASON.
    """
    refuse_unless(may_arbitrate(actor, _tournament_of(payer).club), actor)
    reason = line_of(reason)
    if not reason:
        raise Refusal(Reason.REASON_MISSING)
    request, balance = _lock_payer(actor, payer)
    refuse_closed("waive", _facts(balance))
    _refuse_changed(shown, balance.payable)
    amount = _checked(balance.payable if cents is None else cents, balance.payable)
    return _note(actor, request, CashEntry.Kind.WAIVED, amount, reason)


@transaction.atomic
def reverse(actor: Actor, line: CashEntry, note: str = "") -> CashEntry:
    """Add the line that reverses another: its kind and the opposite amount.

    Refuses FORBIDDEN, ALREADY_REVERSED, NOT_REVERSIBLE, BAD_REASON.
    """
    refuse_unless(may_arbitrate(actor, line.tournament.club), actor)
    note = line_of(note)
    tournament = lock_tournament(line.tournament)
    line = refresh_row(CashEntry.objects.select_related("request"), line)
    was_reversed = CashEntry.objects.filter(reverses=line).exists()
    refuse_closed("reverse", CashFacts(was_reversed, line.reverses_id is not None))
    reversal = store_reversal(actor, line, note)
    ticket = None if line.request is None else line.request.ticket
    write_tournament_event(
        actor,
        "money.reversed",
        tournament,
        tournament,
        ticket=ticket,
        line=reversal.pk,
        rows=[reversal],
    )
    return reversal


def store_reversal(actor: Actor, line: CashEntry, note: str = "") -> CashEntry:
    """Store the line that reverses another, of a locked tournament."""
    return CashEntry.objects.create(
        tournament=line.tournament,
        request=line.request,
        prize=line.prize,
        payee=line.payee,
        kind=line.kind,
        cents=-line.cents,
        note=note,
        made_by=actor.label,
        reverses=line,
    )


EVENTS = {
    CashEntry.Kind.PAID: "money.paid",
    CashEntry.Kind.REFUND: "money.refunded",
    CashEntry.Kind.WAIVED: "money.waived",
}
"""Verbs of the events, whose facts hold neither names nor amounts.

The row is stated by an event of the club alone (`tournaments.domain.trail.rows.PRIVATE`).
"""


def _note(
    actor: Actor, request: SignUpRequest, kind: CashEntry.Kind, cents: int, note: str
) -> CashEntry:
    tournament = request.signup.tournament
    line = CashEntry.objects.create(
        tournament=tournament,
        request=request,
        kind=kind,
        cents=cents,
        note=note,
        made_by=actor.label,
    )
    write_tournament_event(
        actor,
        EVENTS[kind],
        tournament,
        tournament,
        ticket=request.ticket,
        line=line.pk,
        rows=[line],
    )
    return line


def _checked(cents: int, most: int) -> int:
    """Return an amount. Refuses BAD_AMOUNT."""
    if not 0 < cents <= most:
        raise Refusal(Reason.BAD_AMOUNT, most=f"{most // 100}.{most % 100:02}")
    return cents


def _refuse_changed(shown: int | None, now: int) -> None:
    """Refuse OWED_CHANGED where another desk has noted something since the page was shown."""
    if shown is not None and shown != now:
        raise Refusal(Reason.OWED_CHANGED)


def _facts(balance: Balance) -> MoneyFacts:
    return MoneyFacts(owed=balance.payable, taken=balance.taken)


# --- Payers ---------------------------------------------------------------------------------------


def _tournament_of(payer: Payer) -> Tournament:
    return payer.tournament if isinstance(payer, Entry) else payer.signup.tournament


def _lock_payer(actor: Actor, payer: Payer) -> tuple[SignUpRequest, Balance]:
    """Lock the tournament of a payer; return the request that pays, and what it owes."""
    tournament = lock_tournament(_tournament_of(payer))
    request = payer if isinstance(payer, SignUpRequest) else request_of_entry(actor, payer)
    rows = SignUpRequest.objects.select_related("joined", "signup__tournament__club")
    request = refresh_row(rows.filter(signup__tournament=tournament), request)
    return request, balance_of(request)


def request_of_entry(actor: Actor, entry: Entry) -> SignUpRequest:
    """Return the request of an entry of the locked tournament; one that is no ticket if needed.

    It owes the fee of now, has the next number, and takes the entry's code.
    """
    entries = Entry.objects.with_players().select_related("request", "tournament__club")
    entry = refresh_row(entries, entry)
    if entry.request is not None:
        return entry.request
    tournament, names = entry.tournament, entry.seat_names
    signup = sign_up_of(tournament)
    signup.last_ticket += 1
    signup.save(update_fields=["last_ticket"])
    request = SignUpRequest.objects.create(
        signup=signup,
        ticket=signup.last_ticket,
        pair_name=entry.name if has_own_name(entry.name, names) else "",
        due_cents=due_of(signup, seats_of(tournament)),
        code=entry.code,
        made_by=actor.label,
        is_ticket=False,
        told_in=True,
    )
    people = store_people(request, names)
    entry.request = request
    entry.save(update_fields=["request"])
    write_tournament_event(
        actor,
        "sign_up.requested",
        tournament,
        tournament,
        ticket=request.ticket,
        entry=entry.number,
        rows=[request, *people],
    )
    return request

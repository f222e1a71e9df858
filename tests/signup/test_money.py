"""Payments, returns, waivers and reversals of a tournament, by the services."""

import doctest
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import tournaments
from tests.clubs import NOBODY, SYSTEM, arbiter, organiser, stranger
from tests.quick import long
from tests.signup.test_signing_up import a_posted, own, pairs
from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor
from tournaments.director.services.entries import enter_list
from tournaments.director.services.posting import cancel_tournament
from tournaments.domain import money as domain
from tournaments.domain.money import Balance
from tournaments.domain.roster import ListedEntrant
from tournaments.models import AuditEvent, CashEntry, SignUp, SignUpRequest, Tournament
from tournaments.signup.queries.money import money_page, owed_by_entry
from tournaments.signup.queries.places import request_rows
from tournaments.signup.services.closing import close_sign_up, entering_plan
from tournaments.signup.services.money import Payer, pay, refund, reverse, waive
from tournaments.signup.services.requests import (
    Application,
    change_name,
    join,
    leave,
    part,
    sign_up,
    take_off,
)

pytestmark = pytest.mark.django_db

FEE = 2000


def refused(service: Callable[..., object], *args: object, **options: object) -> Reason | None:
    """Return why a service refuses; None if it has done it."""
    try:
        service(*args, **options)
    except Refusal as refusal:
        return refusal.reason
    return None


def balance(request: SignUpRequest) -> Balance:
    rows = request_rows(SignUp.objects.get(pk=request.signup_id))
    (row,) = [row for row in rows if row.ticket == request.ticket]
    return row.balance


def takings(tournament: Tournament) -> int:
    return money_page(tournament.slug, SYSTEM).totals.takings


def test_the_sums_of_the_docstrings_hold() -> None:
    assert doctest.testmod(domain).failed == 0


def test_37_pairs_at_20_euros_three_returned_and_two_waived_make_640() -> None:
    tournament = a_posted(places=None, fee_cents=FEE)
    requests = pairs(tournament, 37)
    for request in requests[:35]:
        pay(SYSTEM, request)
    for request in requests[35:]:
        waive(SYSTEM, request, "Juegan por la casa")
    for request in requests[:3]:
        leave(own(request), request)
        assert balance(request).to_return == FEE
        refund(SYSTEM, request)
    page = money_page(tournament.slug, SYSTEM)
    assert page.totals.takings == 640_00
    assert (page.totals.paid, page.totals.returned, page.totals.waived) == (700_00, 60_00, 40_00)
    assert (page.owed, page.to_return) == (0, 0)
    assert sum(totals.takings for _day, totals in page.days) == 640_00


def test_without_an_amount_all_that_is_owed_is_paid_and_only_once() -> None:
    tournament = a_posted(fee_cents=FEE)
    (request,) = pairs(tournament, 1)
    assert pay(SYSTEM, request, 500, "la mitad de Ana").cents == 500
    assert refused(pay, SYSTEM, request, shown=FEE) is Reason.OWED_CHANGED
    assert pay(SYSTEM, request, shown=1500).cents == 1500
    assert refused(pay, SYSTEM, request) is Reason.NOTHING_OWED
    assert takings(tournament) == FEE


def test_too_much_paid_is_to_be_returned_and_no_more_than_was_taken_is() -> None:
    tournament = a_posted(fee_cents=FEE)
    (request,) = pairs(tournament, 1)
    assert refused(refund, SYSTEM, request) is Reason.NOTHING_TO_RETURN
    pay(SYSTEM, request, 5000)
    assert balance(request).to_return == 3000
    assert refused(refund, SYSTEM, request, 5001) is Reason.BAD_AMOUNT
    assert refund(SYSTEM, request).cents == -3000
    assert balance(request) == Balance(FEE, FEE, returned=3000)
    assert refused(waive, SYSTEM, request, "Socios") is Reason.NOTHING_OWED


@pytest.mark.parametrize("cents", [0, -1, 100_000_01])
def test_an_amount_is_above_nothing_and_below_a_typing_error(cents: int) -> None:
    (request,) = pairs(a_posted(fee_cents=FEE), 1)
    assert refused(pay, SYSTEM, request, cents) is Reason.BAD_AMOUNT


def test_a_part_can_be_waived_with_a_reason() -> None:
    (request,) = pairs(a_posted(fee_cents=FEE), 1)
    assert refused(waive, SYSTEM, request, " ") is Reason.REASON_MISSING
    assert refused(waive, SYSTEM, request, "Socio", FEE + 1) is Reason.BAD_AMOUNT
    waive(SYSTEM, request, "Socio", 500)
    assert balance(request).owed == 1500


def test_a_line_is_reversed_once_by_its_opposite_and_a_reversal_stays() -> None:
    tournament = a_posted(fee_cents=FEE)
    (request,) = pairs(tournament, 1)
    line = pay(SYSTEM, request)
    reversal = reverse(SYSTEM, line, "Era la otra pareja")
    assert (reversal.kind, reversal.cents, reversal.reverses) == (line.kind, -FEE, line)
    assert refused(reverse, SYSTEM, line) is Reason.ALREADY_REVERSED
    assert refused(reverse, SYSTEM, reversal) is Reason.NOT_REVERSIBLE
    assert balance(request) == Balance(FEE)
    pay(SYSTEM, request)
    assert takings(tournament) == FEE


def test_each_half_of_a_pair_pays_and_both_are_one_balance_while_they_are_joined() -> None:
    tournament = a_posted(fee_cents=FEE, singles=True)
    first = sign_up(NOBODY, tournament, Application(("Ana",)))
    second = sign_up(NOBODY, tournament, Application(("Luis",)))
    pay(SYSTEM, second)
    joined = join(SYSTEM, first, second)
    assert balance(joined) == Balance(FEE, 1000)
    second.refresh_from_db()
    assert pay(SYSTEM, second).cents == 1000
    assert balance(joined).open == 0
    part(SYSTEM, joined)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (balance(first).owed, balance(second).to_return) == (1000, 1000)


def test_a_changed_partner_leaves_the_payment_and_the_fee_as_promised() -> None:
    tournament = a_posted(fee_cents=FEE)
    (request,) = pairs(tournament, 1)
    pay(SYSTEM, request)
    change_name(own(request), request, 2, "Nueva Pareja")
    SignUp.objects.filter(tournament=tournament).update(fee_cents=9900)
    assert balance(request).open == 0


def test_all_that_was_paid_is_to_be_returned_once_it_is_cancelled() -> None:
    tournament = a_posted(fee_cents=FEE)
    requests = pairs(tournament, 3)
    pay(SYSTEM, requests[0])
    pay(SYSTEM, requests[1], 700)
    cancel_tournament(SYSTEM, tournament, "Sin sala")
    page = money_page(tournament.slug, SYSTEM)
    assert [row.balance.to_return for row in page.to_be_paid_back] == [FEE, 700]
    assert page.owed == 0


def test_an_entry_without_a_ticket_gets_one_when_money_is_noted() -> None:
    tournament = a_posted(fee_cents=FEE)
    pairs(tournament, 1)
    (entry,) = enter_list(SYSTEM, tournament, [ListedEntrant(("Eva Gil", "Pepe Ruiz"))])
    assert owed_by_entry(tournament) == {entry.number: FEE}
    pay(SYSTEM, entry)
    entry.refresh_from_db()
    assert entry.request is not None
    assert (entry.request.ticket, entry.request.code) == (2, entry.code)
    assert list(entry.request.people.values_list("name", flat=True)) == ["Eva Gil", "Pepe Ruiz"]
    assert owed_by_entry(tournament) == {}
    assert refused(pay, SYSTEM, entry) is Reason.NOTHING_OWED
    assert SignUpRequest.objects.count() == 2


def test_only_those_who_paid_are_entered_where_the_club_wants_it() -> None:
    tournament = a_posted(places=2, fee_cents=FEE, only_paid=True)
    first, second, third = pairs(tournament, 3)
    pay(SYSTEM, first, 1000)
    pay(SYSTEM, second)
    waive(SYSTEM, third, "Organizan")
    plan = entering_plan(SignUp.objects.get())
    assert {one.request.ticket for one in plan.entering} == {2, 3}
    assert [one.request.ticket for one in plan.blocked] == [first.ticket]
    assert len(close_sign_up(SYSTEM, tournament)) == 2
    pay(SYSTEM, first)
    take_off(SYSTEM, third, "No vienen")
    (entered,) = close_sign_up(SYSTEM, tournament)
    assert entered.request_id == first.pk


def test_arbiters_note_and_others_do_not() -> None:
    tournament = a_posted(fee_cents=FEE)
    (request,) = pairs(tournament, 1)
    staff = [arbiter(tournament.club), organiser(tournament.club)]
    line = pay(staff[0], request, 100)
    for actor in (NOBODY, stranger(), own(request)):
        expected = Reason.SIGN_IN if actor.user is None else Reason.FORBIDDEN
        assert refused(pay, actor, request) is expected
        assert refused(refund, actor, request) is expected
        assert refused(waive, actor, request, "Yo") is expected
        assert refused(reverse, actor, line) is expected
        assert refused(money_page, tournament.slug, actor) is Reason.NOT_FOUND
    for actor in staff:
        assert money_page(tournament.slug, actor).totals.takings == 100


def test_events_hold_tickets_and_neither_amounts_nor_names() -> None:
    tournament = a_posted(fee_cents=1987)
    (request,) = pairs(tournament, 1)
    reverse(SYSTEM, pay(SYSTEM, request, note="de Ana A"), "error")
    pay(SYSTEM, request)
    refund(SYSTEM, request, 1234, "a Luis A")
    waive(SYSTEM, request, "a Luis A")
    events = AuditEvent.objects.filter(tournament=tournament, verb__startswith="money.")
    assert [event.verb for event in events.order_by("pk")] == [
        *("money.paid", "money.reversed", "money.paid", "money.refunded", "money.waived")
    ]
    for event in events:
        assert set(event.facts) == {"ticket", "line"}


def test_no_service_changes_or_deletes_a_line_but_the_erasure() -> None:
    root = Path(tournaments.__file__).parent
    uses = re.compile(
        r"(CashEntry\.objects|cash_entries)\b[^\n]*(?:\n\s+[^\n]*)?\.(update|delete|bulk_update)\("
    )
    found = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if "migrations" not in path.parts and uses.search(path.read_text())
    }
    assert found == {"profiles/services/sign_ups.py"}
    service = (root / "signup/services/money.py").read_text()
    assert "save(" not in service.replace('.save(update_fields=["last_ticket"])', "").replace(
        'entry.save(update_fields=["request"])', ""
    )


@pytest.mark.parametrize("seed", [0, *long([1, 2])])
def test_after_random_verbs_of_two_desks_the_rows_sum_to_takings_less_returns(seed: int) -> None:
    tournament = a_posted(places=None, fee_cents=FEE)
    desks = [arbiter(tournament.club), organiser(tournament.club)]
    requests = pairs(tournament, 8)
    (entry,) = enter_list(SYSTEM, tournament, [ListedEntrant(("Eva Gil", "Pepe Ruiz"))])
    random = Random(seed)
    tally: dict[str, int] = dict.fromkeys(("paid", "refund", "waived"), 0)
    due = dict.fromkeys([request.pk for request in requests], FEE)
    done = 0
    for _ in range(334):
        line = _random_verb(random, random.choice(desks), [*requests, entry], due)
        if line is not None:
            tally[line.kind] += line.cents
            done += 1
    entry.refresh_from_db()
    if entry.request_id is not None:
        due[entry.request_id] = FEE
    page = money_page(tournament.slug, desks[0])
    assert page.totals.takings == tally["paid"] + tally["refund"]
    assert page.totals.waived == tally["waived"]
    assert CashEntry.objects.count() == len(page.lines) == done > 100
    keys = dict(SignUpRequest.objects.values_list("ticket", "pk"))
    for row in page.payers:
        if row.ticket:
            assert row.balance == _by_rule(keys[row.ticket], due)
    assert sum(row.balance.taken for row in page.payers) == page.totals.takings


def _random_verb(
    random: Random, actor: Actor, payers: list[Payer], due: dict[int, int]
) -> CashEntry | None:
    """Do something at a desk; None if it was refused, or if it concerned no money."""
    payer, cents = random.choice(payers), random.choice([None, None, 500, 1000, 2500])
    verb = random.choice(["pay", "pay", "pay", "refund", "waive", "reverse", "leave"])
    if verb == "leave" and isinstance(payer, SignUpRequest) and random.random() < 0.05:
        if not refused(take_off, actor, payer, "No vienen"):
            due[payer.pk] = 0
        return None
    line = CashEntry.objects.order_by("?").first()
    last = CashEntry.objects.order_by("-pk").first()
    if verb == "pay":
        refused(pay, actor, payer, cents)
    elif verb == "refund":
        refused(refund, actor, payer, cents)
    elif verb == "waive":
        refused(waive, actor, payer, "Socios", cents)
    elif verb == "reverse" and line is not None:
        refused(reverse, actor, line)
    new = CashEntry.objects.order_by("-pk").first()
    return None if new == last else new


def _by_rule(request: int, due: dict[int, int]) -> Balance:
    """The balance of a request as the rule says it, from its rows."""
    rows = CashEntry.objects.filter(request=request).values_list("kind", "cents")
    taken = sum(cents for kind, cents in rows if kind in ("paid", "refund"))
    sums = {kind: sum(cents for of, cents in rows if of == kind) for kind in ("waived", "refund")}
    return Balance(due[request], taken, sums["waived"], -sums["refund"])

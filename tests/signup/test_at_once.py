"""Eighty forms for 64 places at the same moment, and what is left when a request breaks off."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client

from tests.clubs import NOBODY, SYSTEM, organiser, program, user
from tests.results.test_concurrency import assert_the_history_has_no_gap, at_once
from tests.signup.test_signing_up import a_posted, own, pairs
from tests.signup.test_signup_pages import token
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.permissions import Scope
from tournaments.models import AuditEvent, CashEntry, Entry, SignUp, SignUpRequest, Tournament
from tournaments.signup.queries.money import money_page
from tournaments.signup.queries.places import request_rows
from tournaments.signup.services.closing import close_sign_up
from tournaments.signup.services.requests import Application, leave, sign_up

pytestmark = pytest.mark.django_db(transaction=True)

FORMS, ADDRESSES, PLACES = 80, 50, 64
PATIENCE = 120
"""Tries of a form, each half a second after a 503."""


def until_noted(send: Callable[[], Any]) -> int:
    """Send a form again as long as it is answered with 503 and Retry-After; return the status."""
    for _ in range(PATIENCE):
        response = send()
        if response.status_code != 503:
            return int(response.status_code)
        assert int(response.headers["Retry-After"]) > 0
        time.sleep(0.5)
    raise AssertionError("never noted")


def by_form(tournament: Tournament, number: int) -> Callable[[], int]:
    """A phone that sends its form."""
    fields = {"first": f"Ana {number}", "second": f"Luis {number}", "as_written": "on"}
    fields["token"] = token(key=f"form-{number}")
    client = Client(REMOTE_ADDR=f"198.51.100.{number % ADDRESSES}")
    return lambda: until_noted(lambda: client.post(f"/t/{tournament.slug}/sign-up/", fields))


def by_program(tournament: Tournament, number: int, key: str) -> Callable[[], int]:
    """A program of the club that notes a pair."""
    headers = {"authorization": f"Bearer {key}", "idempotency-key": f"form-{number}"}
    body = f'{{"names": ["Ana {number}", "Luis {number}"], "as_written": true}}'
    path = f"/api/v1/tournaments/{tournament.slug}/sign-ups/"
    client = Client()
    return lambda: until_noted(
        lambda: client.post(path, body, content_type="application/json", headers=headers)
    )


def check_list(tournament: Tournament) -> None:
    """Assert that tickets have no gap, that the first are in, and that three who leave matter."""
    signup = SignUp.objects.get(tournament=tournament)
    rows = request_rows(signup)
    assert [row.ticket for row in rows] == list(range(1, FORMS + 1))
    assert signup.last_ticket == FORMS
    assert [row.ticket for row in rows if row.is_in] == list(range(1, PLACES + 1))
    assert len({row.code for row in rows}) == FORMS
    for ticket in (3, 20, 64):
        request = SignUpRequest.objects.select_related("signup__tournament__club").get(
            signup=signup, ticket=ticket
        )
        leave(own(request), request)
    is_in = {row.ticket for row in request_rows(signup) if row.is_in}
    assert is_in == set(range(1, PLACES + 4)) - {3, 20, 64}
    assert_the_history_has_no_gap()


@pytest.mark.slow
def test_eighty_forms_at_once_get_eighty_tickets_and_sixty_four_places() -> None:
    cache.clear()
    tournament = a_posted(places=PLACES)
    answers = at_once(*[by_form(tournament, number) for number in range(FORMS)])
    assert answers == [302] * FORMS
    check_list(tournament)


@pytest.mark.slow
def test_a_program_notes_eighty_at_once_with_one_token() -> None:
    cache.clear()
    tournament = a_posted(places=PLACES)
    actor = program(tournament.club)
    assert actor.user is not None
    scopes = (Scope.READ, Scope.MANAGE)
    _token, key = issue_token(SYSTEM, tournament.club, actor.user, name="lista", scopes=scopes)
    answers = at_once(*[by_program(tournament, number, key) for number in range(FORMS)])
    assert answers == [201] * FORMS
    check_list(tournament)


def test_closing_pressed_at_once_on_the_page_enters_once() -> None:
    tournament = a_posted(places=6)
    pairs(tournament, 8)
    organiser(tournament.club)

    def press() -> int:
        client = Client()
        client.force_login(user("olga"))
        return until_noted(lambda: client.post(f"/t/{tournament.slug}/sign-ups/enter/"))

    assert at_once(*[press] * 4) == [302] * 4
    assert tournament.entries.count() == 6
    assert AuditEvent.objects.filter(verb="sign_up.closed").count() == 1
    assert_the_history_has_no_gap()


def test_the_whole_fee_taken_by_desks_at_once_is_noted_once() -> None:
    tournament = a_posted(fee_cents=2000)
    pairs(tournament, 1)
    organiser(tournament.club)
    path = f"/t/{tournament.slug}/money/ticket/1/pay-all/"

    def press() -> int:
        client = Client()
        client.force_login(user("olga"))
        return until_noted(lambda: client.post(path, {"shown": "2000"}))

    assert at_once(*[press] * 4) == [302] * 4
    assert list(CashEntry.objects.values_list("kind", "cents")) == [("paid", 2000)]
    page = money_page(tournament.slug, SYSTEM)
    assert (page.totals.takings, page.owed, page.to_return) == (2000, 0, 0)
    assert_the_history_has_no_gap()


# --- Broken off -----------------------------------------------------------------------------------


class BrokenOffError(Exception):
    """The process ends here."""


def broken_at_each_statement(act: Callable[[], Any], check: Callable[[], None]) -> int:
    """Break an act off at its first statement, its second …, and check; return how many it has."""
    for last in range(1, 500):
        count = 0

        def breaks(execute: Any, sql: str, params: Sequence[Any], many: bool, context: Any) -> Any:
            nonlocal count
            count += 1
            if count == last:  # noqa: B023 - used in this turn alone
                raise BrokenOffError
            return execute(sql, params, many, context)

        with connection.execute_wrapper(breaks), suppress(BrokenOffError):
            act()
            return last - 1
        check()
    raise AssertionError("too many statements")


def test_a_form_broken_off_at_any_statement_loses_no_ticket_and_takes_none_twice() -> None:
    tournament = a_posted()
    application = Application(("Ana Gil", "Luis Sanz"), form_key="k1")

    def check() -> None:
        signup = SignUp.objects.get(tournament=tournament)
        assert signup.last_ticket == signup.requests.count() == 0

    def act() -> SignUpRequest:
        return sign_up(NOBODY, tournament, application)

    assert broken_at_each_statement(act, check) > 5
    assert act().ticket == 1
    assert SignUpRequest.objects.count() == SignUp.objects.get().last_ticket == 1
    assert_the_history_has_no_gap()


def test_closing_broken_off_at_any_statement_enters_all_or_none() -> None:
    tournament = a_posted()
    pairs(tournament, 2)

    def check() -> None:
        assert not Entry.objects.filter(tournament=tournament).exists()
        assert SignUp.objects.get(tournament=tournament).closed_at is None
        assert not tournament.restore_points.exists()

    statements = broken_at_each_statement(lambda: close_sign_up(SYSTEM, tournament), check)
    assert statements > 20
    assert tournament.entries.count() == 2
    assert close_sign_up(SYSTEM, tournament) == ()

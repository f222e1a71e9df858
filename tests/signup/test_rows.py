"""What the database refuses of requests, prizes and the cash book, in any case."""

from typing import Any

import pytest

from tests.clubs import the_liguilla
from tests.models.test_constraints import refuses
from tournaments.models import CashEntry, PrizeLine, SignUp, SignUpRequest, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(db: None) -> Tournament:
    return the_liguilla()


def test_tickets_codes_and_forms_come_once_in_a_tournament(tournament: Tournament) -> None:
    signup = SignUp.objects.create(tournament=tournament)
    first = SignUpRequest.objects.create(signup=signup, ticket=1, form_key="a", made_by="web")

    def ask(**fields: Any) -> SignUpRequest:
        values = {"signup": signup, "ticket": 2, "form_key": "b", "made_by": "web", **fields}
        return SignUpRequest.objects.create(**values)

    refuses(lambda: ask(ticket=1), "one_request_per_ticket")
    refuses(lambda: ask(code=first.code), "one_request_per_code")
    refuses(lambda: ask(form_key="a"), "one_request_per_form")
    refuses(lambda: ask(members=3), "a_request_is_of_two_at_most")
    ask(form_key=None), ask(ticket=3, form_key=None)


@pytest.mark.parametrize(
    ("kind", "cents"), [("paid", 0), ("paid", -1), ("waived", -1), ("refund", 1), ("prize", 1)]
)
def test_cash_has_the_sign_of_its_kind(tournament: Tournament, kind: str, cents: int) -> None:
    def note(**fields: Any) -> CashEntry:
        values = {"tournament": tournament, "kind": kind, "cents": cents, "made_by": "olga"}
        return CashEntry.objects.create(**{**values, **fields})

    refuses(note, "cash_has_the_sign_of_its_kind")
    row = note(cents=-cents or 5 if kind != "prize" else -1)
    note(cents=-row.cents, reverses=row)


@pytest.mark.parametrize(
    ("fields", "constraint"),
    [
        ({"first": 2, "last": 1}, "a_prize_is_for_places_in_order"),
        ({"first": 0, "last": 1}, "a_prize_is_for_places_in_order"),
        ({"percent": 40}, "a_prize_is_an_amount_or_a_share"),
        ({"cents": None, "percent": 101}, "a_share_is_at_most_the_whole"),
        ({"cents": None}, "a_prize_is_money_or_goods"),
        ({"tournament": None}, "a_prize_is_of_a_tournament_or_a_season"),
    ],
)
def test_a_prize_is_something_for_places(
    tournament: Tournament, fields: dict[str, Any], constraint: str
) -> None:
    values = {"tournament": tournament, "first": 1, "last": 1, "cents": 6000, "order": 1}
    refuses(lambda: PrizeLine.objects.create(**{**values, **fields}), constraint)
    PrizeLine.objects.create(**values)

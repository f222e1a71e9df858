"""Tickets, ranks, changes and closing of a sign-up, by the services."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from tests.clubs import NOBODY, SYSTEM, a_club, organiser, stranger
from tests.support.counting import count_queries
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.director.services.draws import draw
from tournaments.director.services.posting import (
    cancel_tournament,
    post_tournament,
    unpost_tournament,
)
from tournaments.director.services.restoring import go_back
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament, discard_tournament
from tournaments.models import Player, SignUp, SignUpRequest, Tournament
from tournaments.signup.queries.places import request_rows, standing_of
from tournaments.signup.services.closing import close_sign_up, entering_plan, reopen_sign_up
from tournaments.signup.services.links import find_link, make_link, revoke_link
from tournaments.signup.services.requests import (
    Application,
    change_name,
    change_request,
    join,
    leave,
    part,
    set_sign_up,
    sign_up,
    take_off,
)

pytestmark = pytest.mark.django_db

NAMES = ("Albiac", "Borao", "Clavero", "Domeque", "Embid", "Ferrer", "Gracia", "Huesa", "Iriarte")
"""Surnames of pairs, no two of which are nearly one."""


def a_posted(places: int | None = 4, **settings: Any) -> Tournament:
    """A posted Swiss of pairs whose form on the web is open."""
    stages = [{"format": "swiss", "rules": {"rounds": 3}}]
    new = NewTournament(GameSettings(options={"to": 3}), stages=stages)
    tournament = create_tournament(SYSTEM, a_club(), "Torneo de feria", new)
    post_tournament(SYSTEM, tournament)
    opened = {"opens_at": timezone.now() - timedelta(days=1), "places": places}
    set_sign_up(SYSTEM, tournament, {**opened, "asks_contact": False, **settings})
    tournament.refresh_from_db()
    return tournament


def ask(tournament: Tournament, *names: str, **more: Any) -> SignUpRequest:
    return sign_up(NOBODY, tournament, Application(names, **more))


def pairs(tournament: Tournament, count: int, first: int = 1) -> list[SignUpRequest]:
    names = map(surnames, range(first - 1, first - 1 + count))
    return [ask(tournament, f"Ana {name}", f"Luis {name}") for name in names]


def surnames(number: int) -> str:
    """Return the surnames of a pair, from the tenth on two of them."""
    second, first = divmod(number, len(NAMES))
    return f"{NAMES[first]} {NAMES[second - 1]}" if second else NAMES[first]


def own(request: SignUpRequest) -> Actor:
    return Actor(codes=((request.signup.tournament.slug, request.code),))


def ranks(tournament: Tournament) -> list[tuple[int, int, bool]]:
    signup = SignUp.objects.get(tournament=tournament)
    return [(row.ticket, row.rank, row.is_in) for row in request_rows(signup) if row.is_live]


def test_places_are_ranks_and_who_leaves_lets_the_next_one_in() -> None:
    tournament = a_posted(places=2)
    first, _second, third = pairs(tournament, 3)
    assert ranks(tournament) == [(1, 1, True), (2, 2, True), (3, 3, False)]
    assert not third.told_in
    leave(own(first), first)
    assert ranks(tournament) == [(2, 1, True), (3, 2, True)]
    assert standing_of(third, third.signup).is_in
    (again,) = pairs(tournament, 1)
    assert again.ticket == 4


def test_lowering_and_raising_the_places_moves_people_without_anything_else() -> None:
    tournament = a_posted(places=3)
    pairs(tournament, 3)
    set_sign_up(SYSTEM, tournament, {"places": 1})
    assert [is_in for _, _, is_in in ranks(tournament)] == [True, False, False]
    set_sign_up(SYSTEM, tournament, {"places": None})
    assert all(is_in for _, _, is_in in ranks(tournament))


def test_a_form_that_is_sent_twice_makes_one_request() -> None:
    tournament = a_posted()
    first = ask(tournament, "Ana Gil", "Luis Sanz", form_key="k1")
    assert ask(tournament, "Ana Gil", "Luis Sanz", form_key="k1") == first
    assert ask(tournament, "Ana Gil", "Luis Sanz", form_key="k2").ticket == 2


@pytest.mark.parametrize(
    ("settings", "names", "reason"),
    [
        ({}, ("Ana",), Reason.WRONG_NAMES),
        ({}, ("Ana", "Luis", "Eva"), Reason.WRONG_NAMES),
        ({"condition": "Mayores de 18"}, ("Ana", "Luis"), Reason.CONDITION_MISSING),
        ({"asks_contact": True}, ("Ana", "Luis"), Reason.CONTACT_MISSING),
        ({"opens_at": None, "closes_at": None}, ("Ana", "Luis"), Reason.SIGN_UP_CLOSED),
    ],
)
def test_what_the_organiser_asks_for_is_needed(
    settings: dict[str, Any], names: tuple[str, ...], reason: Reason
) -> None:
    tournament = a_posted(**settings)
    with refusal(reason):
        ask(tournament, *names)
    assert sign_up(organiser(tournament.club), tournament, Application(names[:2])).ticket == 1


def test_nobody_signs_up_for_what_is_not_posted_or_cancelled() -> None:
    tournament = a_posted()
    unpost_tournament(SYSTEM, tournament)
    with refusal(Reason.SIGN_UP_CLOSED):
        ask(tournament, "Ana", "Luis")
    post_tournament(SYSTEM, tournament)
    (request,) = pairs(tournament, 1)
    with refusal(Reason.HAS_SIGN_UPS):
        discard_tournament(SYSTEM, tournament)
    cancel_tournament(SYSTEM, tournament, "Sin sala")
    with refusal(Reason.TOURNAMENT_CANCELLED):
        ask(tournament, "Ana", "Luis")
    with refusal(Reason.TOURNAMENT_CANCELLED):
        draw(SYSTEM, tournament)
    with refusal(Reason.TOURNAMENT_CANCELLED):
        leave(own(request), request)
    post_tournament(SYSTEM, tournament)
    assert leave(own(request), request).left_at is not None


def test_one_name_changes_once_by_the_own_code() -> None:
    tournament = a_posted()
    (request,) = pairs(tournament, 1)
    with refusal(Reason.FORBIDDEN):
        change_name(stranger(), request, 1, "Eva")
    change_name(own(request), request, 1, "ANA ALBIAC")  # capitals alone are no other person
    change_name(own(request), request, 2, "Pepe Gil")
    assert set(request.people.values_list("name", flat=True)) == {"ANA ALBIAC", "Pepe Gil"}
    with refusal(Reason.NAME_CHANGED):
        change_name(own(request), request, 1, "Eva")
    change_request(SYSTEM, request, {"names": ("Eva", "Pepe Gil")})
    assert [person.name for person in request.people.order_by("seat")] == ["Eva", "Pepe Gil"]


def test_joined_singles_hold_the_place_of_the_earlier_ticket() -> None:
    tournament = a_posted(places=2, singles=True, fee_cents=1505)
    first = ask(tournament, "Ana Gil")
    pairs(tournament, 2)
    second = ask(tournament, "Luis Sanz")
    assert [is_in for _, _, is_in in ranks(tournament)] == [True, True, False, False]
    join(SYSTEM, second, first)
    assert ranks(tournament) == [(1, 1, True), (2, 2, True), (3, 3, False)]
    row = request_rows(first.signup)[0]
    assert (row.names, row.partners, row.due_cents) == (("Ana Gil", "Luis Sanz"), (4,), 753)
    with refusal(Reason.NOT_SINGLE):
        join(SYSTEM, first, second)
    second.refresh_from_db()
    assert standing_of(second, second.signup).rank == 1
    part(SYSTEM, first)
    join(SYSTEM, first, second)
    leave(own(first), first)
    assert [ticket for ticket, _, _ in ranks(tournament)] == [2, 3, 4]


def test_the_fee_that_was_promised_stays_unless_the_organiser_moves_it() -> None:
    tournament = a_posted(fee_cents=1000, fee_per="person", member_cents=600)
    request = ask(tournament, "Ana", "Luis", members=1)
    assert request.due_cents == 1600
    set_sign_up(SYSTEM, tournament, {"fee_cents": 1200})
    request.refresh_from_db()
    assert request.due_cents == 1600
    set_sign_up(SYSTEM, tournament, {"fee_cents": 1500}, moves_due=True)
    change_request(SYSTEM, request, {"members": 2}, moves_due=False)
    request.refresh_from_db()
    assert (request.due_cents, request.members) == (2100, 2)
    change_request(SYSTEM, request, {"names": ("Ana",)})
    request.refresh_from_db()
    assert (request.due_cents, request.members) == (600, 1)


def test_a_link_signs_up_its_own_up_to_its_quota() -> None:
    tournament = a_posted()
    link, secret = make_link(SYSTEM, tournament, "Bar La Sota", 1)
    assert find_link(tournament.slug, secret) == link
    request = sign_up(NOBODY, tournament, Application(("Ana", "Luis")), link)
    assert (request.origin, request.made_by) == ("Bar La Sota", "link")
    second = Application(("Eva", "Pepe"))
    with refusal(Reason.QUOTA_USED):
        sign_up(NOBODY, tournament, second, link)
    revoke_link(SYSTEM, link)
    with refusal(Reason.NOT_FOUND):
        find_link(tournament.slug, secret)
    with refusal(Reason.NOT_FOUND):
        sign_up(NOBODY, tournament, second, link)


def test_closing_enters_those_who_are_in_and_leaves_the_rest_with_its_reason() -> None:
    tournament = a_posted(places=5, singles=True)
    Player.objects.create(club=tournament.club, code="J1", name="Ana Borao", folded="ana borao")
    pairs(tournament, 2)
    ask(tournament, "Ana Albiac", "Pau Otero")
    ask(tournament, "Sola")
    pairs(tournament, 2, first=5)
    plan = entering_plan(SignUp.objects.get(tournament=tournament))
    assert [(one.request.ticket, one.known) for one in plan.entering] == [
        (1, ()),
        (2, ("Ana Borao",)),
        (5, ()),
    ]
    assert [one.request.ticket for one in plan.blocked] == [4]
    assert [(one.line, one.name) for one in plan.open_questions] == [(3, "Ana Albiac")]
    assert [row.ticket for row in plan.waiting] == [6]
    entries = close_sign_up(SYSTEM, tournament, {3})
    assert [entry.request.ticket for entry in tournament.entries.all() if entry.request] == [
        1,
        2,
        5,
    ]
    assert close_sign_up(SYSTEM, tournament, {3}) == ()
    request = SignUpRequest.objects.get(ticket=5)
    assert entries[2].code == request.code
    with refusal(Reason.REQUEST_ENTERED):
        leave(own(request), request)
    take_off(SYSTEM, request, "No puede")
    assert [e.request.ticket for e in close_sign_up(SYSTEM, tournament, {3}) if e.request] == [6]


def test_tickets_that_cannot_be_entered_cost_closing_no_query() -> None:
    counts = []
    for blocked in (0, 3):
        tournament = a_posted(places=None)
        pairs(tournament, 6)
        for name in NAMES[:blocked]:
            ask(tournament, f"Luis {name}", f"Ana {name}")
        entries, queries = count_queries(partial(close_sign_up, SYSTEM, tournament))
        assert len(entries) == 6
        counts.append(queries)
    assert counts[0] == counts[1] <= 70


def test_a_pair_that_both_partners_signed_up_enters_once() -> None:
    tournament = a_posted(places=None)
    ask(tournament, "Ana", "Luis")
    ask(tournament, "Luis", "Ana")
    ask(tournament, "Eva", "Pau")
    plan = entering_plan(tournament.sign_up)
    assert [one.request.ticket for one in plan.entering] == [1, 3]
    assert [one.request.ticket for one in plan.blocked] == [2]
    entries = close_sign_up(SYSTEM, tournament)
    assert [entry.request.ticket for entry in entries if entry.request] == [1, 3]
    assert {entry.request.code for entry in entries if entry.request} == {e.code for e in entries}


def test_the_names_of_joined_singles_are_corrected_in_one_place() -> None:
    tournament = a_posted(singles=True, fee_cents=2000)
    ana, eva = ask(tournament, "Ana"), ask(tournament, "Eva")
    first = join(SYSTEM, ana, eva)
    change_request(SYSTEM, first, {"names": ("Ana", "Eva"), "contact": "600"})
    (row,) = request_rows(tournament.sign_up)
    assert (row.names, row.contact, row.balance.due) == (("Ana", "Eva"), "600", 2000)
    change_request(SYSTEM, first, {"names": ("Anna", "Eva Mur")})
    (row,) = request_rows(tournament.sign_up)
    assert (row.names, row.balance.due) == (("Anna", "Eva Mur"), 2000)
    for names in (("Ana",), ("Ana", "Eva", "Pau")):
        with refusal(Reason.WRONG_NAMES):
            change_request(SYSTEM, first, {"names": names})
    with refusal(Reason.WRONG_NAMES):
        change_request(SYSTEM, eva, {"names": ("Eva", "Ana")})
    assert [part(SYSTEM, first).pk, len(close_sign_up(SYSTEM, tournament))] == [first.pk, 0]


def test_closing_can_be_undone_and_the_undo_too() -> None:
    tournament = a_posted()
    pairs(tournament, 3)
    close_sign_up(SYSTEM, tournament)
    go_back(SYSTEM, tournament.restore_points.get(verb="sign_up.closed"))
    assert not tournament.entries.exists()
    assert len(ranks(tournament)) == 3
    go_back(SYSTEM, tournament.restore_points.get(verb="tournament.restored"))
    assert [entry.request_id for entry in tournament.entries.all()] == list(
        SignUpRequest.objects.values_list("pk", flat=True)
    )
    with refusal(Reason.SIGN_UP_CLOSED):
        ask(tournament, "Eva", "Pepe")
    reopen_sign_up(SYSTEM, tournament)
    assert ask(tournament, "Eva", "Pepe").ticket == 4
    with refusal(Reason.SIGN_UP_NOT_CLOSED):
        reopen_sign_up(SYSTEM, tournament)


def test_the_order_of_tickets_is_not_that_of_the_draw() -> None:
    orders = []
    for order in ((3, 1, 2, 4), (4, 2, 1, 3)):
        tournament = a_posted()
        for number in order:
            pairs(tournament, 1, first=number)
        close_sign_up(SYSTEM, tournament)
        orders.append(list(tournament.entries.values_list("number", "name")))
    assert orders[0] == orders[1]

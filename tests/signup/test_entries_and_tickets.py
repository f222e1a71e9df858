"""An entry and its ticket: what one does, the other follows."""

import json
from random import Random

import pytest
from django.test import Client

from tests.clubs import SYSTEM, organiser, program, user
from tests.signup.test_money_pages import desk, read
from tests.signup.test_signing_up import a_posted, ask, own
from tests.support.caller import Caller
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.permissions import Scope
from tournaments.director.services.entries import enter_list, remove_entry
from tournaments.director.services.restoring import go_back
from tournaments.domain.roster import ListedEntrant
from tournaments.models import Entry, SignUp, SignUpRequest, Tournament
from tournaments.signup.queries.money import money_page
from tournaments.signup.queries.places import balance_of, ticket_rows
from tournaments.signup.services.closing import close_sign_up
from tournaments.signup.services.money import pay
from tournaments.signup.services.requests import leave

pytestmark = pytest.mark.django_db


SURNAMES = ("Alba", "Bravo", "Campos", "Delgado", "Esteban", "Ferrer")


def regulars(tournament: Tournament, count: int) -> list[SignUpRequest]:
    """Pairs with names that closing does not ask about."""
    return [ask(tournament, f"Ana {name}", f"Luis {name}") for name in SURNAMES[:count]]


def closed(count: int = 3) -> tuple[Tournament, list[SignUpRequest]]:
    """Two of ``count`` pairs have a place and are entered; each owes 20 €."""
    tournament = a_posted(places=2, fee_cents=2000)
    requests = regulars(tournament, count)
    close_sign_up(SYSTEM, tournament)
    return tournament, requests


def entry_of(request: SignUpRequest) -> Entry:
    return Entry.objects.select_related("tournament__club").get(request=request)


def places(tournament: Tournament) -> dict[int, str]:
    """Each ticket of a sign-up, with the one place that it has."""
    rows = ticket_rows(SignUp.objects.get(tournament=tournament))
    for row in rows:
        assert [bool(row.entry), row.is_live, row.left_at is not None].count(True) == 1, row
    return {
        row.ticket: "entered" if row.entry else "off" if row.left_at else f"waits {row.rank}"
        for row in rows
    }


def test_remove_takes_the_ticket_off_and_the_next_one_moves_up_which_is_said() -> None:
    tournament, (first, _second, _third) = closed()
    pay(SYSTEM, first)
    client = desk(tournament)
    organiser(tournament.club)
    client.force_login(user("olga"))
    at = f"/t/{tournament.slug}/entries/{entry_of(first).number}/"
    assert "Its ticket, 1, leaves the list too" in read(client, at)
    page = client.post(f"{at}remove/", follow=True).content.decode()
    assert "Ticket 1 is off the list." in page
    assert "Ana Campos – Luis Campos moves up from the waiting list." in page
    assert places(tournament) == {1: "off", 2: "entered", 3: "waits 2"}
    assert balance_of(SignUpRequest.objects.get(pk=first.pk)).to_return == 2000
    phone = Client(headers={"accept-language": "en"})
    phone.post(f"/t/{tournament.slug}/come/code/", {"code": first.code})
    assert "You are off the list." in read(phone, f"/t/{tournament.slug}/sign-up/mine/")
    assert [entry.name for entry in close_sign_up(SYSTEM, tournament)] == [
        "Ana Campos – Luis Campos"
    ]


def test_undo_brings_the_ticket_back_with_its_entry() -> None:
    tournament, (first, *_others) = closed()
    remove_entry(SYSTEM, entry_of(first))
    go_back(SYSTEM, tournament.restore_points.filter(verb="entry.removed").latest("pk"))
    assert places(tournament) == {1: "entered", 2: "entered", 3: "waits 3"}
    assert entry_of(first).code == first.code


def test_a_program_removes_an_entry_and_keeps_its_ticket() -> None:
    tournament, (first, *_others) = closed()
    actor = program(tournament.club)
    assert actor.user is not None
    scopes = [Scope.READ, Scope.MANAGE]
    _token, secret = issue_token(SYSTEM, tournament.club, actor.user, name="lista", scopes=scopes)
    path = f"tournaments/{tournament.slug}/entries/{entry_of(first).number}/remove/"
    assert Caller(secret).submit(path, json.dumps({"ticket": "keep"}), "1").status_code == 201
    assert places(tournament) == {1: "waits 2", 2: "entered", 3: "waits 3"}
    close_sign_up(SYSTEM, tournament)
    assert places(tournament) == {1: "entered", 2: "entered", 3: "waits 3"}


def test_a_pair_entered_by_hand_that_paid_at_the_door_is_no_ticket() -> None:
    tournament = a_posted(places=2, fee_cents=2000)
    (entry,) = enter_list(SYSTEM, tournament, [ListedEntrant(("Eva Gil", "Pepe Ruiz"))])
    pay(SYSTEM, entry)
    entry.refresh_from_db()
    regulars(tournament, 2)
    assert places(tournament) == {2: "waits 2", 3: "waits 3"}
    removal = remove_entry(SYSTEM, entry, keeps_ticket=False)
    assert (removal.ticket, removal.moves_up) == (0, "Ana Bravo – Luis Bravo")
    assert places(tournament) == {2: "waits 1", 3: "waits 2"}
    assert [row.name for row in money_page(tournament.slug, SYSTEM).to_be_paid_back] == [
        "Eva Gil – Pepe Ruiz"
    ]


@pytest.mark.parametrize("seed", range(3))
def test_after_random_verbs_each_ticket_is_entered_waits_or_is_off(seed: int) -> None:
    tournament, requests = closed(5)
    random = Random(seed)
    for _ in range(12):
        verb = random.choice(["remove", "keep", "close", "leave", "undo"])
        entry = tournament.entries.select_related("tournament__club").order_by("?").first()
        if verb == "close":
            close_sign_up(SYSTEM, tournament)
        elif verb == "undo":
            points = list(tournament.restore_points.order_by("pk"))
            go_back(SYSTEM, random.choice(points))
        elif verb == "leave":
            request = SignUpRequest.objects.get(pk=random.choice(requests).pk)
            if request.left_at is None and not hasattr(request, "entry"):
                leave(own(request), request)
        elif entry is not None:
            remove_entry(SYSTEM, entry, keeps_ticket=verb == "keep")
        tournament.refresh_from_db()
        places(tournament)

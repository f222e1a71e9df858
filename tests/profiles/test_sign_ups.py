"""What sign-ups hold of people is shown to them, erased on request, and forgotten in time."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.clubs import SYSTEM, organiser, user
from tests.signup.test_signing_up import a_posted, ask, pairs
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.services.posting import cancel_tournament
from tournaments.models import CashEntry, Player, SignUpPerson, SignUpRequest, Tournament
from tournaments.profiles.queries.person import player_document
from tournaments.profiles.services.erasing import (
    erase_player,
    erase_sign_up,
    list_path,
    read_list,
    repeat_erasures,
    write_list,
)
from tournaments.profiles.services.renaming import rename_player
from tournaments.profiles.services.sign_ups import delete_contacts
from tournaments.signup.services.closing import close_sign_up

pytestmark = pytest.mark.django_db


def contacts() -> list[str]:
    return list(SignUpRequest.objects.order_by("ticket").values_list("contact", flat=True))


def test_a_person_who_never_became_a_player_is_erased_and_again_after_a_restore() -> None:
    tournament = a_posted()
    request = ask(tournament, "Zoraida Quiroga", "Luis Sanz", contact="600 123 456")
    cash = {"tournament": tournament, "request": request, "kind": "paid", "cents": 5}
    CashEntry.objects.create(**cash, payee="Zoraida Quiroga", note="en mano", made_by="olga")
    erase_sign_up(organiser(tournament.club), request)
    assert {person.name for person in SignUpPerson.objects.all()} == {"NN"}
    assert contacts() == [""]
    assert list(CashEntry.objects.values_list("payee", "note", "cents")) == [("", "", 5)]
    write_list()
    lines = read_list(list_path())
    SignUpPerson.objects.update(name="Zoraida Quiroga", erased_at=None)
    repeat_erasures(lines)
    assert {person.name for person in SignUpPerson.objects.all()} == {"NN"}


def test_one_with_an_entry_is_erased_as_a_player() -> None:
    tournament = a_posted()
    (request,) = pairs(tournament, 1)
    close_sign_up(SYSTEM, tournament)
    with refusal(Reason.REQUEST_ENTERED):
        erase_sign_up(SYSTEM, request)
    entry = tournament.entries.get()
    Tournament.objects.filter(pk=tournament.pk).update(state="finished")
    player = entry.pair.first if entry.pair else None
    assert player is not None
    erase_player(SYSTEM, player)
    assert not SignUpPerson.objects.filter(name=player.name).exists()


def test_a_request_under_a_name_before_its_correction_is_exported_and_erased() -> None:
    tournament = a_posted()
    player = Player.objects.create(
        club=tournament.club, code="J1", name="Zoraida Quiroga", folded="zoraida quiroga"
    )
    ask(tournament, "Zoraida Quiroga", "Luis Sanz", contact="600 123 456")
    player = rename_player(SYSTEM, player, "Zoraida Quirós")
    (exported,) = json.loads(player_document(player))["players"]
    (request,) = exported["sign_ups"]
    assert request["contact"] == "600 123 456"
    erase_player(SYSTEM, player)
    assert not SignUpPerson.objects.filter(name__startswith="Zoraida").exists()
    assert contacts() == [""]


def test_contacts_are_forgotten_thirty_days_after_the_end() -> None:
    tournament = a_posted()
    ask(tournament, "Ana", "Luis", contact="600 123 456")
    now = timezone.now()
    assert delete_contacts(now - timedelta(minutes=1)) == 0
    Tournament.objects.update(begins_at=now + timedelta(days=3))
    assert delete_contacts(now + timedelta(days=1)) == 0
    assert delete_contacts(now + timedelta(days=4)) == 1
    SignUpRequest.objects.update(contact="600 123 456")
    cancel_tournament(SYSTEM, tournament, "Sin sala")
    assert delete_contacts(now + timedelta(days=1)) == 1
    assert contacts() == [""]


def test_the_data_of_a_request_are_downloaded_by_an_organiser(settings: Any) -> None:
    tournament = a_posted()
    ask(tournament, "Zoraida", "Luis", contact="600 123 456")
    organiser(tournament.club)
    account = user("olga")
    account.set_password("una frase larga y rara")
    account.save()
    client = Client()
    client.force_login(account)
    path = f"/t/{tournament.slug}/personal-data/1/"
    answer = client.post(path, {"password": "una frase larga y rara", "verb": "download"})
    data = json.loads(answer.content)
    assert data["people"][0]["name"] == "Zoraida"
    assert data["contact"] == "600 123 456"
    assert "code" not in data
    client.post(path, {"password": "una frase larga y rara", "verb": "erase"})
    assert contacts() == [""]
    assert Client().get(path).status_code in (302, 404)

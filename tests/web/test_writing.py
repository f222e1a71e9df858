"""What organisers and arbiters do by forms, and how they are refused."""

from __future__ import annotations

import json
from urllib.parse import urljoin

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.support import scenes
from tournaments.models import Dispute, Match, Tournament
from tournaments.people.services.bots import register_bot
from tournaments.results.services.matches import dispute_result

pytestmark = pytest.mark.django_db


def as_(scene: scenes.Scene, role: str = "organiser") -> Client:
    client = Client()
    client.force_login(scene.users[role])
    return client


def test_bad_lists_are_reported_line_by_line_and_nothing_is_imported() -> None:
    scene = scenes.draft(pairs=scenes.first_lines(scenes.PAIRS, 2))
    pairs = "pareja,nombre,jugador1,jugador2\nP3,Delicias,J05,J77\nP4,,J07,J08\n"
    path = reverse("import-entries", args=[scene.tournament.slug])
    response = as_(scene).post(path, {"players": scenes.EIGHT_PLAYERS, "pairs": pairs})
    page = response.content.decode()
    assert response.status_code == 422
    assert "línea 2: ningún jugador tiene el código J77" in page
    assert "línea 3: falta el nombre" in page
    assert "P3,Delicias,J05,J77" in page, "the pasted list was lost"
    assert scene.tournament.entries.count() == 2


def test_pairs_of_the_club_are_entered_by_ticking_them() -> None:
    scene = scenes.draft()
    second = Tournament.objects.create(
        club=scene.club, name="Copa", slug="copa", ruleset="parejas-online"
    )
    second.stages.create(number=1, format="liguilla")
    response = as_(scene).post(reverse("add-pairs", args=["copa"]), {"pairs": ["P1", "P3"]})
    assert response.status_code == 302
    assert [entry.name for entry in second.entries.order_by("number")] == [
        "Las Cuarenta",
        "Delicias",
    ]


def test_bots_are_entered_by_number() -> None:
    scene = scenes.draft()
    bot = register_bot(scene.organiser, scene.club, name="Sotero", kind="simple")
    path = reverse("add-bots", args=[scene.tournament.slug])
    response = as_(scene).post(path, {f"bot_{bot.pk}": "2"})
    assert response.status_code == 302
    assert scene.tournament.entries.filter(bot=bot).count() == 2


def test_a_form_sent_after_the_session_ended_leads_back_to_it_and_says_that_it_was_not_saved() -> (
    None
):
    scene = scenes.running()
    forms = {
        reverse("correct-result", args=[scene.matches()[0].pk]): "",
        reverse("enter-late", args=[scene.tournament.slug]): "../",
    }
    for address, page in forms.items():
        client = Client(headers={"accept-language": "en"})
        answer = client.post(address, {"reason": "As the table signed it."}, follow=True)
        assert "Nothing was saved. Sign in and send the form again." in answer.content.decode()
        password = {"username": "organiser", "password": scenes.PASSWORD}
        sign_in = answer.redirect_chain[-1][0]
        signed_in = client.post(sign_in, password, follow=True)
        assert signed_in.status_code == 200
        assert signed_in.redirect_chain[-1][0] == urljoin(address, page)


def test_no_bot_at_all_is_reported_beside_the_form() -> None:
    scene = scenes.draft()
    response = as_(scene).post(reverse("add-bots", args=[scene.tournament.slug]), {})
    assert response.status_code == 422
    assert "Di cuántos bots van a jugar." in response.content.decode()


def test_a_faulty_record_is_answered_with_the_card_and_the_text_is_kept() -> None:
    scene = scenes.running()
    match = scene.matches()[1]
    wrong = scenes.spoiled(scenes.record_between(match, scenes.records_of("records")))
    response = as_(scene).post(reverse("submit-record", args=[match.pk]), {"text": wrong.text})
    page = response.content.decode()
    assert response.status_code == 422
    assert "playing-card--bad" in page
    assert json.loads(wrong.text)["hands"][0]["play"] in page
    match.refresh_from_db()
    assert match.state == Match.State.PENDING


def test_a_record_comes_as_a_file_too_and_finds_its_match_by_the_names() -> None:
    scene = scenes.running()
    match = scene.matches()[1]
    text = scenes.record_between(match, scenes.records_of("records"))
    file = SimpleUploadedFile("acta.json", text.encode(), content_type="application/json")
    path = reverse("submit-any", args=[scene.tournament.slug])
    response = as_(scene).post(path, {"file": file})
    assert response["Location"] == reverse("match", args=[match.pk])


def test_what_is_no_json_is_answered_with_its_line_once() -> None:
    scene = scenes.running()
    path = reverse("submit-record", args=[scene.matches()[1].pk])
    response = as_(scene).post(path, {"text": '{"format": "baza/1",\n "seats": [}'})
    assert response.status_code in {400, 422}
    assert response.content.decode().count("línea 2, columna") == 1


def test_an_empty_form_is_asked_for_a_record() -> None:
    scene = scenes.running()
    response = as_(scene).post(
        reverse("submit-record", args=[scene.matches()[1].pk]), {"text": " "}
    )
    assert response.status_code == 422
    assert "Pega el acta o elige su archivo." in response.content.decode()


def test_a_round_with_open_matches_does_not_close_and_the_page_says_why() -> None:
    scene = scenes.running()
    response = as_(scene).post(reverse("close-round", args=[scene.tournament.slug, 1]))
    assert response.status_code == 409
    assert "Partidas sin resultado definitivo: 1" in response.content.decode()


@pytest.mark.parametrize(
    ("ruling", "state"),
    [("uphold", Dispute.State.UPHELD), ("amend", Dispute.State.AMENDED), ("void", "voided")],
)
def test_an_arbiter_rules_on_a_dispute(ruling: str, state: str) -> None:
    scene = scenes.running()
    match = scene.matches()[0]
    dispute = dispute_result(scene.organiser, match, "Faltó una baza.")
    live = match.results.get(live=True)
    form = {
        "dispute": dispute.pk,
        "ruling": ruling,
        "reason": "Visto en la mesa.",
        "home_hands": live.away_hands,
        "away_hands": live.home_hands,
        "home_points": live.away_points,
        "away_points": live.home_points,
    }
    arbiter, address = as_(scene, "arbiter"), reverse("rule-dispute", args=[match.pk])
    response = arbiter.post(address, form)
    if ruling in {"amend", "void"}:
        form["seen"] = response.context["preview"].version
        response = arbiter.post(address, form)
    assert response.status_code == 302, response.content.decode()
    dispute.refresh_from_db()
    assert dispute.state == state


def test_a_player_disputes_the_result_of_their_own_match() -> None:
    scene = scenes.running()
    match = scene.matches()[0]
    path = reverse("dispute", args=[match.pk])
    response = as_(scene, "player").post(path, {"reason": "Las últimas eran nuestras."})
    assert response.status_code == 302
    assert match.disputes.get().reason == "Las últimas eran nuestras."


def test_a_correction_without_a_reason_is_refused_with_what_was_filled_in() -> None:
    scene = scenes.running()
    match = scene.matches()[0]
    form = {"home_hands": 3, "away_hands": 0, "home_points": 391, "away_points": 5}
    response = as_(scene).post(reverse("correct-result", args=[match.pk]), form)
    assert response.status_code == 422
    assert 'value="391"' in response.content.decode()


def test_five_wrong_passwords_close_the_door_with_a_page_that_says_so() -> None:
    scenes.open_club()
    client = Client()
    guess = {"username": "organiser", "password": "cinco de bastos"}
    for _attempt in range(4):
        assert client.post(reverse("login"), guess).status_code == 200
    response = client.post(reverse("login"), guess)
    assert response.status_code == 429
    assert "Demasiadas contraseñas equivocadas" in response.content.decode()


def test_a_refusal_is_a_page_with_a_way_back() -> None:
    scene = scenes.running()
    answer = as_(scene, "outsider").get(reverse("draw", args=[scene.tournament.slug]))
    page = answer.content.decode()
    assert answer.status_code == 403
    assert "No puedes hacer esto." in page
    assert 'href="/"' in page

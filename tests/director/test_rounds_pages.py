"""What the pages of a round say of what holds it open, and of the rounds to come."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from tests.clubs import SYSTEM, a_swiss, organiser, play_out, the_liguilla, the_round
from tests.support import scenes
from tournaments.director.services.tournaments import publish_round
from tournaments.models import Dispute
from tournaments.results.services.matches import dispute_result

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_a_round_that_a_dispute_holds_open_says_so_leads_there_and_the_ruling_for_now_is_offered(
    client: Client,
) -> None:
    scene = scenes.running()
    match = scene.matches()[0]
    dispute_result(scene.organiser, match, "Mal.")
    client.force_login(scene.users["organiser"])
    page = ""
    for name in ("round", "close-round"):
        page = client.get(reverse(name, args=[scene.tournament.slug, 1])).content.decode()
        assert "La mesa 1 está en reclamación" in page
        assert f'href="{reverse("match", args=[match.pk])}">A la reclamación' in page
    assert "La ronda 1 aún no se puede cerrar" in page, "why it cannot be closed"
    form = reverse("rule-dispute", args=[match.pk])
    assert 'value="interim"' in client.get(form).content.decode()
    ruling = {"dispute": Dispute.objects.get().pk, "ruling": "interim", "reason": "Por ahora."}
    page = client.post(form, ruling, follow=True).content.decode()
    assert "vale por ahora" in page
    assert Dispute.objects.get().state == "interim"
    form_text = client.get(form).content.decode()
    assert 'value="interim"' not in form_text
    assert 'value="uphold"' in form_text


def test_pages_say_that_a_disputed_result_counts_until_the_ruling(client: Client) -> None:
    scene = scenes.running()
    match = scene.matches()[0]
    scene.submit(match)
    client.force_login(scene.users["organiser"])
    form = client.get(reverse("dispute", args=[match.pk])).content.decode()
    assert "El resultado sigue contando hasta que el árbitro resuelva" in form
    page = client.post(reverse("dispute", args=[match.pk]), {"reason": "Mal."}, follow=True)
    assert "En reclamación: el resultado cuenta hasta que" in page.content.decode()
    standings = client.get(reverse("tournament", args=[scene.tournament.slug])).content.decode()
    assert "Hay 1 resultado en reclamación." in standings
    assert "Lo que estaba confirmado cuenta hasta que el árbitro resuelva." in standings
    assert "Nada de eso cuenta" not in standings


def test_between_the_rounds_of_a_swiss_the_pages_draw_the_next_and_ask_before_finishing_early(
    client: Client,
) -> None:
    tournament = a_swiss(entries=6, rounds=4)
    publish_round(SYSTEM, the_round(tournament, 1))
    play_out(the_round(tournament, 1))
    user = organiser(tournament.club).user
    assert user is not None
    client.force_login(user)
    page = client.get(reverse("rounds", args=[tournament.slug])).content.decode()
    assert "1 de 4 rondas cerradas" in page
    finish = reverse("finish", args=[tournament.slug])
    assert f'href="{finish}"' not in page
    assert f'href="{finish}?early=1"' in page
    assert client.post(finish).status_code == 409
    html = client.get(f"{finish}?early=1").content.decode()
    assert "se jugaron 1 de 4" in html
    client.post(f"{finish}?early=1")
    tournament.refresh_from_db()
    assert tournament.state == "finished"


def test_the_pages_of_a_later_draft_say_which_round_comes_before_it(client: Client) -> None:
    tournament = the_liguilla(published=1)
    user = organiser(tournament.club).user
    assert user is not None
    client.force_login(user)
    for name in ("round", "draft"):
        first, later = (
            client.get(reverse(name, args=[tournament.slug, number])).content.decode()
            for number in (2, 3)
        )
        assert reverse("publish-round", args=[tournament.slug, 2]) in first
        assert "todavía es un borrador" not in first
        assert reverse("publish-round", args=[tournament.slug, 3]) not in later
        assert "La ronda 2 todavía es un borrador: publícala antes." in later
        assert (
            reverse("discard-round" if name == "draft" else "draft", args=[tournament.slug, 3])
            in later
        )
    answer = client.post(reverse("publish-round", args=[tournament.slug, 3]))
    assert answer.status_code == 409
    assert the_round(tournament, 3).state == "draft"

"""What lateness costs: in the plan, on the poster, at the desk, on paper and in the export."""

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.clubs import SYSTEM, a_club, a_draft, the_liguilla, the_match
from tests.sheets.reading import words_of
from tests.support import scenes
from tournaments.director.services.posting import post_tournament
from tournaments.exchange.queries.exports import export_document
from tournaments.models import Round, Tournament

pytestmark = pytest.mark.django_db

SENTENCES = {
    "en": (
        "Lateness costs a hand for each 5 minutes, and the match after 30 minutes.",
        "In the first round lateness counts from 10 minutes on.",
        "By now 2 hands are lost",
    ),
    "es": (
        "Cada 5 minutos de retraso cuesta una mano, y al cabo de 30 minutos se pierde la partida.",
        "En la primera ronda el retraso cuenta a partir de 10 minutos.",
        "Hasta ahora hay 2 manos perdidas",
    ),
    "de": (
        "Je 5 Minuten Verspätung kosten ein Spiel, nach 30 Minuten ist die Partie verloren.",
        "In der ersten Runde zählt die Verspätung erst nach 10 Minuten.",
        "Bis jetzt sind 2 Spiele verloren",
    ),
}
WHOLE = {"name": "Copa", "ruleset": "parejas-online", "length": "to", "hands": 3}
WHOLE |= {"confirm_minutes": 10, "bye_quota": 1}
TERMS = {"no_show_minutes": 30, "late_minutes": 5, "grace_minutes": 10}


def boss(language: str) -> Client:
    client = Client(headers={"accept-language": language})
    client.force_login(scenes.user_named("marta", is_superuser=True))
    return client


@pytest.mark.parametrize("language", SENTENCES)
def test_what_lateness_costs_is_said_before_and_at_the_desk(language: str) -> None:
    step, grace, now = SENTENCES[language]
    client = boss(language)
    draft = a_draft(a_club())
    Tournament.objects.update(**TERMS)
    post_tournament(SYSTEM, draft)
    poster = client.get(reverse("poster", args=[draft.slug]))
    assert f"{step} {grace}" in poster.content.decode()
    plan = reverse("new-tournament", args=[draft.club.slug])
    fields = {"plan": "liguilla", "expected": 8, "look": 1, **WHOLE, **TERMS}
    assert step in client.post(plan, fields).content.decode()
    league = the_liguilla(published=1)
    Tournament.objects.update(**TERMS)
    begun = timezone.now() - timedelta(minutes=20)
    Round.objects.filter(stage__tournament=league, number=1).update(published_at=begun)
    path = reverse("forfeit", args=[the_match(league, 1, 1).pk])
    assert now in client.get(path).content.decode()


def test_score_sheets_and_the_export_have_what_lateness_costs() -> None:
    league = the_liguilla(published=1)
    Tournament.objects.filter(pk=league.pk).update(**TERMS)
    league.refresh_from_db()
    paper = boss("es").get(reverse("print-round", args=[league.slug, 1, "sheets"]))
    assert "retraso" in " ".join(words_of(paper.content))
    assert '"late_minutes": 5' in json.dumps(export_document(league))

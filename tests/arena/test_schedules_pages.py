"""The schedule's page: set, switched off, run at once, and shown in both languages."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.arena.test_schedules import (
    a_ladder,
    bench,
    decide,
    make_due,
    rounds,
    scheduled,
    the_schedule,
)
from tests.clubs import organiser, the_liguilla
from tournaments.arena.services.arena import run_due
from tournaments.models import Schedule, Tournament

pytestmark = pytest.mark.django_db

GIVEN = {"at": "21:30", "days": ["0", "4"], "zone": "Atlantic/Canary", "is_on": "on"}


@pytest.fixture
def ladder() -> Tournament:
    return a_ladder()


@pytest.fixture
def olga(ladder: Tournament) -> Client:
    """The organiser, signed in."""
    client = Client()
    user = organiser(ladder.club).user
    assert user is not None
    client.force_login(user)
    return client


def address(tournament: Tournament, more: str = "") -> str:
    return f"/t/{tournament.slug}/schedule/{more}"


def page(answer: Any, status: int = 200) -> str:
    assert isinstance(answer, HttpResponse)
    assert answer.status_code == status
    return str(answer.content.decode())


def test_a_schedule_is_filled_in_and_set(ladder: Tournament, olga: Client) -> None:
    text = page(olga.get(address(ladder)))
    assert "Todavía no hay horario." in text
    assert 'type="time" name="at" value="03:00"' in text
    response = olga.post(address(ladder), GIVEN, follow=True)
    assert "El horario está puesto." in page(response)
    schedule = the_schedule(ladder)
    assert (schedule.at.isoformat("minutes"), schedule.days, schedule.zone, schedule.is_on) == (
        *("21:30", [0, 4], "Atlantic/Canary"),
        True,
    )
    second_text = page(olga.get(address(ladder)))
    assert "Según el reloj de Atlantic/Canary:" in second_text
    assert second_text.count(", 21:30</time>") == 3
    assert second_text.count("checked") == 3
    assert 'aria-current="page">Horario</a>' in second_text


def test_switched_off_it_says_so_and_shows_no_next_time(ladder: Tournament, olga: Client) -> None:
    olga.post(address(ladder), {**GIVEN, "is_on": ""})
    assert "El horario está apagado" in page(olga.get(address(ladder)))
    assert "Próxima ronda" not in page(olga.get(f"/t/{ladder.slug}/"))


@pytest.mark.parametrize(
    ("fields", "field"),
    [({"days": []}, "days"), ({"zone": "Europe/Atlantis"}, "zone"), ({"at": "25:00"}, "at")],
)
def test_what_is_wrong_stands_beside_its_field(
    fields: dict[str, Any], field: str, ladder: Tournament, olga: Client
) -> None:
    response = olga.post(address(ladder), {**GIVEN, **fields})
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [field]
    assert not Schedule.objects.exists()


def test_a_time_with_seconds_is_refused_beside_its_field(ladder: Tournament, olga: Client) -> None:
    response = olga.post(address(ladder), {**GIVEN, "at": "21:30:15"})
    assert response.status_code == 422
    assert list(response.context["form"].errors) == ["at"]


def test_the_next_round_can_begin_at_once(ladder: Tournament, olga: Client) -> None:
    response = olga.post(address(ladder, "run/"), follow=True)
    assert "Ha empezado la ronda 1." in page(response)
    assert response.redirect_chain[-1][0] == f"/t/{ladder.slug}/rounds/1/"
    response = olga.post(address(ladder, "run/"), follow=True)
    assert "La ronda 1 aún no se puede cerrar" in page(response)
    assert rounds(ladder) == [(1, "published")]


def test_what_happened_last_is_reported_in_words(ladder: Tournament, olga: Client) -> None:
    scheduled(ladder)
    bench("Bot 4")
    run_due()
    text = page(olga.get(address(ladder)))
    assert "empezó la ronda 1" in text
    assert "Se quedaron fuera: Bot 4." in text
    make_due(ladder)
    run_due()
    for language, words in (
        ("es", "La ronda 1 aún no"),
        ("en", "Round 1 cannot be closed yet"),
    ):
        assert words in page(olga.get(address(ladder), headers={"Accept-Language": language}))
    history = page(olga.get(f"/t/{ladder.slug}/history/"))
    for words in ("Horario puesto", "Ronda iniciada por el horario", "no pudo iniciar ronda"):
        assert words in history


def test_everybody_reads_when_the_next_round_is(ladder: Tournament) -> None:
    scheduled(ladder)
    run_due()
    decide(ladder, 1)
    text = page(Client().get(f"/t/{ladder.slug}/"))
    assert "Próxima ronda:" in text
    assert "(Europe/Madrid)" in text
    assert "03:00</time>" in text


def test_people_have_no_schedule_and_no_link_to_one() -> None:
    tournament = the_liguilla()
    client = Client()
    user = organiser(tournament.club).user
    assert user is not None
    client.force_login(user)
    assert address(tournament) not in page(client.get(f"/t/{tournament.slug}/"))
    assert "Solo las rondas de bots" in page(client.get(address(tournament)))
    response = client.post(address(tournament), GIVEN)
    assert response.status_code == 409


def test_a_bot_comes_late_by_the_entries_page(ladder: Tournament, olga: Client) -> None:
    olga.post(address(ladder, "run/"))
    assert 'value="bot:azar"' in page(olga.get(f"/t/{ladder.slug}/entries/"))
    response = olga.post(f"/t/{ladder.slug}/entries/late/", {"newcomer": "bot:azar"}, follow=True)
    assert "desde la ronda 2" in page(response)
    assert ladder.entries.get(number=5).bot is not None

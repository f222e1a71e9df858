"""What pages show, and how little they ask of the database for it."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format

from tests.support import scenes
from tournaments.environment import ROOT
from tournaments.models import AuditEvent
from tournaments.results.services.matches import dispute_result

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

MAX_QUERIES = 23  # a session and its user among them; for staff who plays elsewhere that day, too


@pytest.fixture
def scene() -> scenes.Scene:
    return scenes.running()


def last_change() -> AuditEvent:
    """Return the newest event, made yesterday if it is just past midnight."""
    return AuditEvent.objects.latest("pk")


def test_dates_are_written_with_the_day_first_in_english_too(scene: scenes.Scene) -> None:
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(scene.users["organiser"])
    page = client.get(reverse("history", args=[scene.tournament.slug])).content.decode()
    assert f"{timezone.localtime(last_change().at):%d/%m/%Y}" in page


def test_who_reads_german_reads_german(scene: scenes.Scene) -> None:
    client = Client(headers={"Accept-Language": "de-AT,de;q=0.9"})
    client.force_login(scene.users["organiser"])
    page = client.get(reverse("tournament", args=[scene.tournament.slug])).content.decode()
    assert '<html lang="de">' in page
    assert "Tabelle" in page
    history = client.get(reverse("history", args=[scene.tournament.slug])).content.decode()
    assert f"{timezone.localtime(last_change().at):%d.%m.%Y}" in history
    with translation.override("de"):
        assert date_format(date(2026, 11, 21)) == "21. November 2026"


def test_the_front_page_of_an_empty_service_says_that_there_is_no_club(client: Client) -> None:
    assert "Aún no hay ningún club" in client.get("/").content.decode()
    assert ">Bastos<" not in client.get("/").content.decode(), "clubs of people, not the suit"


@pytest.mark.parametrize(
    "name", ["tournament", "crosstable", "rounds", "entries", "history", "round", "match", "hand"]
)
def test_a_page_asks_the_database_a_bounded_number_of_questions(
    name: str, scene: scenes.Scene, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    match = scene.matches()[0]
    arguments: dict[str, list[object]] = {
        "round": [scene.tournament.slug, 1],
        "match": [match.pk],
        "hand": [match.pk, 1],
    }
    client = Client()
    client.force_login(scene.users["organiser"])
    client.get(reverse("tournament", args=[scene.tournament.slug]))  # notes the session
    with django_assert_max_num_queries(MAX_QUERIES):
        assert (
            client.get(reverse(name, args=arguments.get(name, [scene.tournament.slug]))).status_code
            == 200
        )


def test_the_standings_say_what_decided_each_place(scene: scenes.Scene, client: Client) -> None:
    scene.submit(scene.matches()[1])
    page = client.get(reverse("tournament", args=[scene.tournament.slug])).content.decode()
    assert '<td class="small when-wide">Puntos</td>' in page


def test_the_standings_are_called_provisional_while_a_result_is_disputed(
    scene: scenes.Scene, client: Client
) -> None:
    path = reverse("tournament", args=[scene.tournament.slug])
    assert "Provisional" not in client.get(path).content.decode()
    dispute_result(scene.organiser, scene.matches()[0], "Faltó una baza.")
    assert "Hay 1 resultado en reclamación." in client.get(path).content.decode()


def test_a_draft_round_is_hidden_from_those_outside_the_club(
    scene: scenes.Scene, client: Client
) -> None:
    path = reverse("round", args=[scene.tournament.slug, 2])
    assert client.get(path).status_code == 404
    client.force_login(scene.users["arbiter"])
    assert client.get(path).status_code == 200


def test_the_record_is_downloaded_as_it_was_handed_in(scene: scenes.Scene, client: Client) -> None:
    record = scene.matches()[0].records.get()
    response = client.get(reverse("download-record", args=[record.pk]))
    assert response["Content-Type"].startswith("application/json")
    assert response.content.decode() == record.text


def test_nothing_stands_in_a_page_that_its_security_policy_would_stop(
    scene: scenes.Scene, client: Client
) -> None:
    match = scene.matches()[0]
    for path in ("/", reverse("match", args=[match.pk]), reverse("hand", args=[match.pk, 1])):
        page = client.get(path).content.decode()
        assert " style=" not in page
        assert "<style" not in page
        assert " onclick=" not in page


def test_a_board_seen_already_answers_without_a_body(scene: scenes.Scene, client: Client) -> None:
    path = reverse("round-board", args=[scene.tournament.slug, 1])
    page = client.get(path)
    assert page.status_code == 200
    assert client.get(path, {"seen": page.context["state"]}).status_code == 204


def test_no_named_section_has_the_name_of_a_table_in_it() -> None:
    """For a screen reader both are places to go to, and no place may have the name of another."""
    for path in (ROOT / "templates").rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        tables = set(re.findall(r'role="region" aria-label="(.+?)">', text))
        if "{{ label }}" in tables:
            tables |= set(re.findall(r"({% translate .+?) as label %}", text))
        names = {name.removesuffix(" %}") for name in tables}
        sections = re.findall(r"<section[^>]* aria-labelledby[^>]*>\s*<h2[^>]*>(.+?)</h2>", text)
        assert names.isdisjoint(heading.removesuffix(" %}") for heading in sections), path

"""Screens for a projector, and pages that follow what happens."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from django.db.models import F
from django.urls import reverse

from tests.clubs import SYSTEM, the_match, the_round
from tests.support import scenes
from tests.support.day import a_day
from tournaments.director.services import tournaments
from tournaments.director.services.rounds import start_clock
from tournaments.domain.scores import Score
from tournaments.live.queries import screens
from tournaments.results.services.matches import correct_result, dispute_result

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> scenes.Scene:
    return scenes.running()


def text_of(client: Client, scene: scenes.Scene, **fields: str | int) -> str:
    path = reverse("screen", args=[scene.tournament.slug])
    return client.get(path, fields).content.decode()


def test_a_screen_shows_the_tables_first_and_then_everybody_by_name(
    scene: scenes.Scene, client: Client
) -> None:
    first = scene.matches()[0]
    tables = text_of(client, scene)
    assert first.home.name in tables
    assert "screen__slide--tables" in tables
    names = text_of(client, scene, slide=2)
    entered = sorted(entry.folded for entry in scene.tournament.entries.all())
    occurrences = re.findall(r'class="screen__who"><span class="part">([^<]+)<', names)
    assert len(occurrences) == len(entered)
    assert "screen__slide--missing" in text_of(client, scene, slide=3)  # one of two is played
    assert "screen__slide--standings" in text_of(client, scene, slide=4)
    assert "screen__slide--tables" in text_of(client, scene, slide=5)


def test_a_screen_shows_a_disputed_score_as_such_and_no_winner(
    scene: scenes.Scene, client: Client
) -> None:
    match = scene.matches()[0]
    scene.submit(match)
    assert "screen__side--won" in text_of(client, scene)
    dispute_result(scene.organiser, match, "Mal.")
    page = text_of(client, scene, lang="en")
    assert "<small>disputed</small>" in page
    assert re.search(r"screen__score--open\">\d–\d <small>", page)
    assert "screen__side--won" not in page


def test_a_screen_shows_only_what_was_asked_for(scene: scenes.Scene, client: Client) -> None:
    for slide in (1, 2, 3):
        page = text_of(client, scene, show="standings", slide=slide)
        assert "screen__slide--standings" in page
        assert 'data-count="1"' in page


def test_a_screen_goes_from_page_to_page_without_scripts(
    scene: scenes.Scene, client: Client
) -> None:
    page = text_of(client, scene, seconds=7, scheme="dark", lang="en")
    assert '<noscript><meta http-equiv="refresh" content="7; url=/t/' in page
    assert "slide=2" in page
    assert '<html lang="en">' in page
    assert '<body class="screen" data-scheme="dark" data-stream="' in page
    assert "Round 1" in page


def test_an_address_that_asks_for_nonsense_shows_the_usual(
    scene: scenes.Scene, client: Client
) -> None:
    page = text_of(client, scene, show="x", seconds="soon", slide="-1", scheme="pink", lang="xx")
    assert 'data-scheme="light"' in page
    assert 'data-seconds="15"' in page
    assert "screen__slide--tables" in page


def test_a_round_that_is_not_published_is_on_no_screen(client: Client) -> None:
    scene = scenes.drawn()
    client.force_login(scene.users["organiser"])
    page = text_of(client, scene)
    assert "screen__slide--waiting" in page
    tournaments.publish_round(scene.organiser, scene.rounds[0])
    assert "screen__slide--tables" in text_of(client, scene)


def test_the_clock_is_shown_while_it_runs(scene: scenes.Scene, client: Client) -> None:
    assert "data-left" not in text_of(client, scene, show="clock")
    start_clock(scene.organiser, scene.rounds[0], 45)
    assert re.search(r'data-left="2(6|7)\d\d"', text_of(client, scene, show="clock"))


def test_the_last_tables_are_called_once_half_the_room_has_finished(
    client: Client,
) -> None:
    tournament = a_day(entered=6, late=0)
    published = tournaments.publish_round(SYSTEM, the_round(tournament, 1))
    path = reverse("screen", args=[tournament.slug])
    query = {"show": "missing", "lang": "en"}
    page = ""
    for table, waits in ((1, False), (2, True)):
        result = Score(3, 1, 300, 200)
        correct_result(SYSTEM, the_match(tournament, 1, table), result, reason="seen")
        page = client.get(path, query).content.decode()
        assert ("The round waits for this table" in page) == waits
    assert page.count('class="screen__line"') == published.matches.count() - 2


def test_at_the_end_the_podium_is_shown_and_no_table(scene: scenes.Scene, client: Client) -> None:
    for match in scene.matches():
        scene.submit(match)
    type(scene.tournament).objects.update(state="finished", version=F("version") + 1)
    page = text_of(client, scene)
    assert "screen__slide--podium" in page
    assert page.count('class="screen__step ') == 3
    assert "data-stream" not in page
    assert "screen__slide--standings" in text_of(client, scene, slide=2)


def test_a_long_list_has_several_pages_evenly_filled(
    scene: scenes.Scene, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screens, "ROWS_PER_SLIDE", 3)
    page = text_of(client, scene, show="standings")
    assert "1 / 2" in page
    assert page.count('<th scope="row">') == 2
    assert "2 / 2" in text_of(client, scene, show="standings", slide=2)


def word_in(page: str) -> str:
    pattern_match = re.search(r'(?:hx-get="[^"]*seen=|data-word=")(\d+)', page)
    assert pattern_match
    return pattern_match[1]


@pytest.mark.parametrize("name", ["screen", "tournament", "crosstable", "rounds"])
def test_a_page_that_was_seen_answers_with_nothing_until_a_result_comes(
    name: str, scene: scenes.Scene, client: Client
) -> None:
    path = reverse(name, args=[scene.tournament.slug])
    word = word_in(client.get(path).content.decode())
    assert client.get(path, {"seen": word}).status_code == 204
    scene.submit(scene.matches()[1])
    cache.clear()  # a page that follows may be a moment late
    response = client.get(path, {"seen": word})
    assert response.status_code == 200
    assert word_in(response.content.decode()) != word


def test_a_finished_tournament_is_not_asked_about_again(
    scene: scenes.Scene, client: Client
) -> None:
    path = reverse("tournament", args=[scene.tournament.slug])
    assert "data-live" in client.get(path).content.decode()
    type(scene.tournament).objects.update(state="finished", version=F("version") + 1)
    assert "data-live" not in client.get(path).content.decode()


def test_the_chooser_leads_to_an_address_that_can_be_kept(
    scene: scenes.Scene, client: Client
) -> None:
    page = client.get(reverse("screens", args=[scene.tournament.slug])).content.decode()
    for name in ("show", "seconds", "lang", "scheme"):
        assert f'name="{name}"' in page
    assert f'action="{reverse("screen", args=[scene.tournament.slug])}"' in page


def test_a_pair_is_read_one_name_under_the_other_and_the_code_of_the_page_stays_in_its_corner(
    scene: scenes.Scene, client: Client
) -> None:
    match = scene.matches()[0]
    type(match.home).objects.filter(pk=match.home_id).update(name="Ramón Huerta / Victoria Royo")
    page = text_of(client, scene)
    assert '<span class="part">Ramón Huerta</span><span class="part">Victoria Royo</span>' in page
    assert 'class="screen__follow"' in page
    assert 'aria-label="Código QR de la página del torneo"' in page
    assert "data-sound" in page


@pytest.mark.parametrize(
    ("names", "tables", "size"),
    [
        ("Ana Gil / Luis Lahoz", 1, 4),
        ("Encarna Monreal / Vicente Pardo", 3, 5),
        ("Ana Gil / Luis Lahoz", 7, 7),
        ("María Fernández-Rubio Gracia", 2, 8),
    ],
)
def test_letters_are_as_large_as_lines_and_names_allow(names: str, tables: int, size: int) -> None:
    side = SimpleNamespace(shown_name=names)
    rows = tuple(SimpleNamespace(sides=(side, side)) for _ in range(tables))
    assert screens.Slide("tables", rows=rows).size == size

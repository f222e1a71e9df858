"""The guides: complete in both languages, with pictures that are there and small."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from tournaments.environment import ROOT
from tournaments.live.views import GUIDE_TASKS, LANGUAGES

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db

PICTURES = ROOT / "tournaments" / "static" / "help"
MAX_BYTES = 60_000
MAX_TOTAL_BYTES = 1_500_000


def guide(role: str, language: str) -> str:
    response = Client(headers={"Accept-Language": language}).get(f"/help/{role}/")
    return response.content.decode()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("role", GUIDE_TASKS)
def test_every_task_is_reported_and_stands_in_the_list(role: str, language: str) -> None:
    page = guide(role, language)
    assert set(re.findall(r'<h2 id="([a-z-]+)"', page)) == set(GUIDE_TASKS[role])
    for task in GUIDE_TASKS[role]:
        assert f'href="#{task}"' in page
    assert f'<html lang="{language}">' in page


@pytest.mark.parametrize("role", GUIDE_TASKS)
def test_both_languages_show_the_same_pictures(role: str) -> None:
    spanish, english = (pictures_of(role, language) for language in LANGUAGES)
    assert spanish
    assert spanish == english


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("role", GUIDE_TASKS)
def test_every_picture_is_there(role: str, language: str) -> None:
    missing = [n for n in pictures_of(role, language) if not (PICTURES / language / n).is_file()]
    assert missing == []


def test_pictures_are_small_and_none_is_left_over() -> None:
    used = {
        f"{language}/{name}"
        for language in LANGUAGES
        for role in GUIDE_TASKS
        for name in pictures_of(role, language)
    }
    sizes = {str(path.relative_to(PICTURES)): path.stat().st_size for path in picture_files()}
    assert set(sizes) == used
    assert max(sizes.values()) <= MAX_BYTES
    assert sum(sizes.values()) <= MAX_TOTAL_BYTES


def test_every_way_from_a_page_into_the_guide_leads_to_a_task() -> None:
    pattern = re.compile(r'help/_link\.html" with at="([a-z-]+)"')
    used = {
        at
        for path in (ROOT / "templates").rglob("*.html")
        for at in pattern.findall(path.read_text(encoding="utf-8"))
    }
    assert {"results", "draw", "check-in", "prepare"} <= used <= set(GUIDE_TASKS["organisers"])


def test_players_are_sent_for_their_code_to_what_carries_it() -> None:
    assert "está en el papelito de tu inscripción" in guide("players", "es")
    assert "on the slip of your entry" in guide("players", "en")


def test_one_who_speaks_another_language_still_gets_a_guide() -> None:
    assert Client(headers={"Accept-Language": "fi"}).get("/help/players/").status_code == 200
    german = Client(headers={"Accept-Language": "de"}).get("/help/players/").content.decode()
    assert '<html lang="de">' in german
    assert '<article class="guide" lang="en">' in german


def pictures_of(role: str, language: str) -> list[str]:
    occurrences = re.findall(
        rf'/help/{language}/([a-z-]+)(?:\.[0-9a-f]+)?\.webp"', guide(role, language)
    )
    return sorted(f"{name}.webp" for name in occurrences)


def picture_files() -> list[Path]:
    return sorted(PICTURES.rglob("*.webp"))

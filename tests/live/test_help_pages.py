"""The guides: complete in both languages, with pictures that are there and small."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import polib
import pytest
from django.test import Client
from django.utils import translation

from tournaments.environment import ROOT
from tournaments.live.views import GUIDE_TASKS, LANGUAGES

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db

CATALOGUES = ROOT / "tournaments" / "locale"
PICTURES = ROOT / "tournaments" / "static" / "help"
MAX_BYTES = 60_000
MAX_TOTAL_BYTES = 1_500_000


def guide(role: str, language: str) -> str:
    response = Client(headers={"Accept-Language": language}).get(f"/help/{role}/")
    return response.content.decode()


GUIDES = [(role, language) for role in GUIDE_TASKS for language in LANGUAGES[role]]
WITH_PICTURES = ("organisers", "players")


@pytest.mark.parametrize(("role", "language"), GUIDES)
def test_every_task_is_reported_and_stands_in_the_list(role: str, language: str) -> None:
    page = guide(role, language)
    assert set(re.findall(r'<h2 id="([a-z-]+)"', page)) == set(GUIDE_TASKS[role])
    for task in GUIDE_TASKS[role]:
        assert f'href="#{task}"' in page
    assert f'<html lang="{language}">' in page


@pytest.mark.parametrize("role", WITH_PICTURES)
def test_both_languages_show_the_same_pictures(role: str) -> None:
    spanish, english = (pictures_of(role, language) for language in LANGUAGES[role])
    assert spanish
    assert spanish == english


@pytest.mark.parametrize(("role", "language"), GUIDES)
def test_every_picture_is_there(role: str, language: str) -> None:
    missing = [n for n in pictures_of(role, language) if not (PICTURES / language / n).is_file()]
    assert missing == []


def test_pictures_are_small_and_none_is_left_over() -> None:
    used = {
        f"{language}/{name}" for role, language in GUIDES for name in pictures_of(role, language)
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


@pytest.mark.parametrize("language", LANGUAGES["evening"])
def test_each_trouble_of_an_evening_has_numbered_presses_that_are_labels(language: str) -> None:
    sections = re.findall(r"<section.*?</section>", guide("evening", language), re.DOTALL)
    assert len(sections) == 10
    assert all(section.count("<li>") >= 3 for section in sections)
    spanish = polib.pofile(str(CATALOGUES / "es" / "LC_MESSAGES" / "django.po"))
    with translation.override(language):
        labels = {translation.gettext(entry.msgid) for entry in spanish if not entry.msgctxt}
    labels = {label.replace("%(number)s", "3") for label in labels}
    named = set(re.findall(r"<strong>(.*?)</strong>", "".join(sections)))
    assert {name.casefold() for name in named} - {label.casefold() for label in labels} == set()


def pictures_of(role: str, language: str) -> list[str]:
    occurrences = re.findall(
        rf'/help/{language}/([a-z-]+)(?:\.[0-9a-f]+)?\.webp"', guide(role, language)
    )
    return sorted(f"{name}.webp" for name in occurrences)


def picture_files() -> list[Path]:
    return sorted(PICTURES.rglob("*.webp"))

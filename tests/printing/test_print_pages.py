"""Papers over the web: their names, their tags, and that codes are shown to their owners alone."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.clubs import submitted, the_liguilla
from tests.sheets.reading import words_of
from tests.support import scenes
from tournaments.core.limits import PAPERS, Capacity
from tournaments.printing import views as printing_views
from tournaments.sheets import render_papers

pytestmark = pytest.mark.django_db


def test_a_round_opens_in_the_browser_as_one_pdf_with_a_name() -> None:
    tournament = the_liguilla(published=1)
    response = Client().get(f"/t/{tournament.slug}/print/rounds/1/all.pdf")
    assert response.status_code == 200
    assert response["Content-Type"] == "application/pdf"
    assert response["Content-Disposition"] == f'inline; filename="{tournament.slug}-1.pdf"'
    pages = words_of(response.content)
    assert "Emparejamientos por nombre" in pages[0]
    assert "Emparejamientos por mesa" in pages[1]
    assert f"http://testserver/t/{tournament.slug}/table/" in pages[2]
    assert "Hoja de resultados" in pages[-1]


def test_papers_are_written_in_the_readers_language() -> None:
    tournament = the_liguilla(published=1)
    path = f"/t/{tournament.slug}/print/rounds/1/tables.pdf"
    response = Client().get(path, headers={"accept-language": "en"})
    assert "Pairings by table" in words_of(response.content)[0]


def test_one_who_has_a_paper_already_is_not_sent_it_again() -> None:
    tournament = the_liguilla(published=1)
    client, path = Client(), f"/t/{tournament.slug}/print/standings.pdf"
    tag = client.get(path)["ETag"]
    second_response = client.get(path, headers={"if-none-match": tag})
    assert (second_response.status_code, second_response.content) == (304, b"")
    in_english = client.get(path, headers={"if-none-match": tag, "accept-language": "en"})
    assert in_english.status_code == 200


def test_a_paper_is_drawn_once_for_everybody_until_it_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tournament = the_liguilla(published=1)
    drawings = drawing_calls(monkeypatch)
    path = f"/t/{tournament.slug}/print/standings.pdf"
    papers = {Client().get(path).content for _ in range(5)}
    assert (len(papers), len(drawings)) == (1, 1)
    submitted(tournament, 0)
    assert Client().get(path).content not in papers
    assert len(drawings) == 2


def test_a_paper_with_codes_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = scenes.running()
    drawings = drawing_calls(monkeypatch)
    staff = Client()
    staff.force_login(scene.users["organiser"])
    for _ in range(2):
        assert staff.get(f"/t/{scene.tournament.slug}/print/codes.pdf").status_code == 200
    assert len(drawings) == 2


def test_a_visitor_draws_few_papers_a_minute_and_others_go_on_printing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene = scenes.running()
    monkeypatch.setattr(
        printing_views, "get_cached", lambda _key: None
    )  # as if each were another paper
    monkeypatch.setattr(printing_views, "render_papers", lambda *_: b"%PDF")
    path = f"/t/{scene.tournament.slug}/print/standings.pdf"
    answers = [Client().get(path).status_code for _ in range(PAPERS.address + 1)]
    assert answers == [200] * PAPERS.address + [429]
    assert Client(REMOTE_ADDR="203.0.113.7").get(path).status_code == 200
    staff = Client()
    staff.force_login(scene.users["organiser"])
    monkeypatch.setattr(printing_views, "DRAWING_CAPACITY", Capacity(at_once=1, queue_size=0))
    with printing_views.DRAWING_CAPACITY.slot():
        assert Client(REMOTE_ADDR="203.0.113.8").get(path).status_code == 503
        assert staff.get(path).status_code == 200


def drawing_calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note every drawing."""
    drawings: list[str] = []

    def draw(sheets: Any, language: str, title: str) -> bytes:
        drawings.append(title)
        return render_papers(sheets, language, title)

    monkeypatch.setattr(printing_views, "render_papers", draw)
    return drawings


def test_places_of_diplomas_are_read_generously() -> None:
    scene = scenes.running()
    staff = Client()
    staff.force_login(scene.users["organiser"])
    path = f"/t/{scene.tournament.slug}/print/diplomas.pdf"
    for places in ("", "1,2", "first", "1 2", "999999999999"):
        assert staff.get(path, {"places": places}).status_code == 404  # nothing is closed
    assert staff.get(path, {"stage": "x"}).status_code == 404


def test_no_paper_for_everybody_holds_a_code() -> None:
    scene = scenes.running()
    codes = list(scene.tournament.entries.values_list("code", flat=True))
    page = f"/t/{scene.tournament.slug}/print/"
    papers = ("rounds/1/all.pdf", "standings.pdf", "crosstable.pdf")
    for path in papers:
        text = "\n".join(words_of(Client().get(page + path).content))
        assert not [code for code in codes if code in text]
    assert "codes.pdf" not in Client().get(page).content.decode()


def test_a_printed_code_is_filled_in_and_not_taken_before_it_is_sent() -> None:
    scene = scenes.running()
    entry = scene.tournament.entries.get(number=1)
    staff = Client()
    staff.force_login(scene.users["arbiter"])
    slips = "\n".join(words_of(staff.get(f"/t/{scene.tournament.slug}/print/codes.pdf").content))
    assert entry.code in slips
    client, path = Client(), f"/t/{scene.tournament.slug}/come/"
    page = client.get(path, {"code": entry.code}).content.decode()
    assert f'value="{entry.code}"' in page
    assert f'value="{entry.code}"' not in client.get(path).content.decode()


def test_the_pages_of_a_round_and_of_standings_lead_to_print() -> None:
    scene = scenes.running()
    slug = scene.tournament.slug
    staff = Client()
    staff.force_login(scene.users["arbiter"])
    assert f"/t/{slug}/print/rounds/1/all.pdf" in staff.get(f"/t/{slug}/rounds/1/").content.decode()
    assert f"/t/{slug}/print/" in Client().get(f"/t/{slug}/").content.decode()


def test_the_staff_is_warned_when_printed_links_lead_to_this_machine_alone() -> None:
    scene = scenes.running()
    staff = Client(headers={"Accept-Language": "es"})
    staff.force_login(scene.users["organiser"])
    path = f"/t/{scene.tournament.slug}/print/"
    assert "--host 0.0.0.0" in staff.get(path, headers={"host": "127.0.0.1:8000"}).content.decode()
    assert "--host 0.0.0.0" not in staff.get(path).content.decode()

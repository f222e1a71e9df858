"""What anyone can download from a tournament, and what an organiser uploads."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.clubs import SYSTEM, play_the_club_night, the_liguilla
from tests.exchange.test_imports import elsewhere
from tests.support import scenes
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.trf import read_trf
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.exports import export_of
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def read(path: str, client: Client | None = None, status: int = 200) -> bytes:
    answer = (client or Client()).get(path, headers={"accept-language": "en"})
    assert answer.status_code == status
    return answer.content


def test_a_stranger_takes_the_proof_and_it_holds() -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    for query, rounds in (("", 7), ("?round=3", 3)):
        bundle = bundle_from_bytes(read(f"/t/{tournament.slug}/proof/{query}"))
        assert all_hold(verify(bundle))
        assert len(bundle.rows.stages[0].rounds) == rounds


def test_files_are_attachments_with_a_name() -> None:
    tournament = the_liguilla(published=1)
    response = Client().get(f"/t/{tournament.slug}/proof/?round=1")
    text = f'attachment; filename="{tournament.slug}.1.proof.json"'
    assert response["Content-Disposition"] == text


def test_a_round_that_is_a_draft_has_no_proof() -> None:
    tournament = the_liguilla(published=1)
    read(f"/t/{tournament.slug}/proof/?round=2", status=404)
    read(f"/t/{tournament.slug}/proof/?round=x", status=422)
    rows = json.loads(read(f"/t/{tournament.slug}/file/"))
    assert [r["number"] for r in rows["stages"][0]["rounds"]] == [1]


def test_no_file_but_the_export_holds_the_codes_of_entries() -> None:
    tournament = the_liguilla(published=1)
    codes = list(tournament.entries.values_list("code", flat=True))
    for name in ("file", "proof", "trf"):
        content = read(f"/t/{tournament.slug}/{name}/").decode()
        assert not [code for code in codes if code in content]


def test_the_report_is_one_that_can_be_read() -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    rows, _ = read_trf(read(f"/t/{tournament.slug}/trf/?stage=1"))
    assert len(rows.entrants) == 8
    read(f"/t/{tournament.slug}/trf/?stage=2", status=404)


def test_the_page_says_what_a_report_does_not_hold() -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    page = read(f"/t/{tournament.slug}/files/").decode()
    assert "a TRF does not hold the members of a pair" in page
    assert "Export everything" not in page


def test_a_draft_has_nothing_to_take_away_yet() -> None:
    scene = scenes.drawn()
    page = read(f"/t/{scene.tournament.slug}/files/").decode()
    assert "No files yet" in page


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("012 Copa\n001    1 m    Ana\n", "FIDE report (TRF)"),
        ("\ufeff### Copa\n012 Copa\n", "baza trf FILE"),
        ("jugador1;jugador2\nAna;Bea\n", "“Enter a list”"),
        ('{"format": "baza-export/1"', "not JSON"),
    ],
)
def test_what_is_brought_instead_of_an_export_is_named(file: str, words: str) -> None:
    club, client = elsewhere(), Client()
    client.force_login(scenes.user_named("marta", is_superuser=True))
    response = client.post(
        f"/clubs/{club.slug}/tournaments/import/",
        {"file": SimpleUploadedFile("copa", file.encode())},
        headers={"accept-language": "en"},
    )
    assert response.status_code == 422
    assert words in response.content.decode()


def test_an_organiser_exports_here_and_brings_it_there() -> None:
    tournament = the_liguilla(published=1)
    document, slug = export_of(tournament.slug, SYSTEM), tournament.slug
    club = elsewhere()
    client = Client()
    client.force_login(scenes.user_named("marta", is_superuser=True))
    path = f"/clubs/{club.slug}/tournaments/import/"
    broken = SimpleUploadedFile("broken.json", document.replace(b"parejas-online", b"mus"))
    response = client.post(path, {"file": broken}, headers={"accept-language": "en"})
    assert response.status_code == 422
    assert "/tournament/ruleset" in response.content.decode()
    saved_on_windows = SimpleUploadedFile("export.json", document.decode().encode("utf-16"))
    response = client.post(path, {"file": saved_on_windows}, headers={"accept-language": "en"})
    assert response["Location"] == f"/t/{slug}/"
    assert "The file was read as UTF-16." in read(f"/t/{slug}/", client).decode()
    assert Tournament.objects.get().club == club
    exported = read(f"/t/{slug}/export/", client)
    assert json.loads(exported)["entries"] == json.loads(document)["entries"]

"""Programs read files and seasons as people do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.clubs import SYSTEM, play_the_club_night, the_liguilla, the_round
from tests.support.caller import Caller
from tests.support.scene_rows import reuse_rows
from tournaments.director.services.tournaments import close_round, finish
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.trf import read_trf
from tournaments.domain.verification import all_hold, verify
from tournaments.standings.services.seasons import add_tournament, create_season

if TYPE_CHECKING:
    from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(db: None) -> Tournament:
    return finished()


@reuse_rows()
def finished() -> Tournament:
    """The club night, played to its end."""
    tournament = the_liguilla()
    play_the_club_night(tournament)
    for number in range(1, 8):
        close_round(SYSTEM, the_round(tournament, number))
    return finish(SYSTEM, tournament)


def test_a_program_checks_the_proof(tournament: Tournament) -> None:
    response = Caller().get(f"tournaments/{tournament.slug}/proof/?round=4")
    assert response["Content-Type"] == "application/json"
    assert response["ETag"]
    bundle = bundle_from_bytes(response.content)
    assert all_hold(verify(bundle))
    assert len(bundle.rows.stages[0].rounds) == 4


def test_a_program_reads_the_fide_report(tournament: Tournament) -> None:
    response = Caller().get(f"tournaments/{tournament.slug}/trf/?stage=1")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert len(read_trf(response.content)[0].entrants) == 8


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("proof/?round=x", 400, "bad_parameter"),
        ("proof/?round=9", 404, "not_found"),
        ("trf/?stage=2", 404, "not_found"),
        ("file/?round=1", 400, "bad_parameter"),
    ],
)
def test_what_there_is_not_is_refused(
    tournament: Tournament, path: str, status: int, code: str
) -> None:
    response = Caller().get(f"tournaments/{tournament.slug}/{path}")
    assert (response.status_code, json.loads(response.content)["code"]) == (status, code)


def test_a_season_is_read_with_what_each_took(tournament: Tournament) -> None:
    club = tournament.club
    season = create_season(SYSTEM, club, name="Temporada 2026", best=2)
    add_tournament(SYSTEM, season, tournament, weight="1.5")
    (card,) = Caller().read(f"clubs/{club.slug}/seasons/")["seasons"]
    assert (card["slug"], card["state"], card["tournaments"]) == ("temporada-2026", "open", 1)
    page = Caller().read(f"clubs/{club.slug}/seasons/temporada-2026/")
    first = page["lines"][0]
    assert (first["rank"], first["total"], first["wins"]) == (1, 27.0, 1)
    assert first["taken"] == [{"rank": 1, "worth": 27.0, "counts": True}]
    assert page["tournaments"][0]["weight"] == 1.5

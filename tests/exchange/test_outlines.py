"""A tournament file or a FIDE report becomes a draft of the club, after a look at what is in it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

import engine
from tests.clubs import SYSTEM, a_club, organiser, user
from tests.domain.test_trf import REPORT
from tests.support.caller import problem
from tests.support.day import a_day, play_round
from tournaments.core.permissions import Actor
from tournaments.domain.file.reading import MAX_BYTES
from tournaments.environment import ROOT
from tournaments.exchange.queries.exports import tournament_file
from tournaments.exchange.services.outlines import create_draft, read_outline
from tournaments.models import Club, Player, Tournament
from tournaments.people.services.clubs import import_pairs, import_players

if TYPE_CHECKING:
    from tests.conftest import Issue
    from tests.support.scenes import Scene

pytestmark = pytest.mark.django_db
FRIENDS = (ROOT / "docs/examples/four-friends.json").read_bytes()


def desk_of(club: Club) -> Client:
    organiser(club)
    client = Client(headers={"accept-language": "en"})
    client.force_login(user("olga"))
    return client


def read(client: Client, club: Club, content: bytes) -> Any:
    file = SimpleUploadedFile("torneo", content)
    return client.post(reverse("from-file", args=[club.slug]), {"file": file})


def test_a_file_beyond_the_limit_is_refused() -> None:
    club = a_club()
    page = read(desk_of(club), club, b" " * (MAX_BYTES + 2))
    assert page.status_code == 422
    assert "16 MB" in page.content.decode() or str(MAX_BYTES) in page.content.decode()


def make(client: Client, club: Club, page: Any, ruleset: str) -> Any:
    outline = page.context["outline"].file
    data = {"outline": outline, "ruleset": ruleset}
    return client.post(reverse("from-file", args=[club.slug]), data)


def test_a_file_of_one_s_own_comes_back_as_a_draft_with_pairs_and_plan() -> None:
    played = a_day(entered=6, late=0)
    play_round(played, 1)
    source = tournament_file(played.slug, Actor.system())
    club = a_club("Otro club")
    client = desk_of(club)
    page = read(client, club, source)
    assert page.status_code == 200
    assert "6 entries" in page.content.decode()
    assert not Tournament.objects.filter(club=club).exists(), "the first step only shows"
    assert make(client, club, page, played.ruleset).status_code == 302
    draft = Tournament.objects.get(club=club)
    assert (draft.state, draft.name, draft.options) == ("draft", played.name, played.options)
    assert [stage.format for stage in draft.stages.all()] == ["swiss"]
    before, now = (
        [(entry.number, entry.name, [p.name for p in entry.players]) for entry in entries]
        for entries in (
            tournament.entries.with_players().order_by("number") for tournament in (played, draft)
        )
    )
    assert now == before


def test_over_the_api_a_report_becomes_a_draft_under_the_ruleset_that_is_named(
    issue: Issue, scene: Scene
) -> None:
    path, desk = f"clubs/{scene.club.slug}/tournaments/from-file/", issue("organiser")
    told = problem(desk.submit(path, json.dumps({"file": REPORT})), 422, "unknown_ruleset")
    assert "mano-a-mano" in told["allowed"]
    body = json.dumps({"file": REPORT, "ruleset": "mano-a-mano", "if_in_doubt": "new"})
    made = desk.submit(path, body, "second")
    assert made.status_code == 201, made.content
    draft = Tournament.objects.get(slug=json.loads(made.content)["slug"])
    assert draft.entries.count() == len(read_outline(REPORT).rows.entrants) > 0
    assert problem(desk.submit(path, '{"file": "x"}', "third"), 422, "bad_export")
    arbiter = issue("arbiter")
    problem(arbiter.submit(path, body), 403, "forbidden")


def test_who_is_nearly_a_player_of_the_club_is_asked_about() -> None:
    club = a_club()
    client = desk_of(club)
    page = read(client, club, FRIENDS)
    outline = page.context["outline"]
    name = outline.rows.entrants[0].name
    Player.objects.create(club=club, code="J1", name=name.upper() + ".", folded=f"{name}.".lower())
    asked = make(client, club, page, "mano-a-mano")
    assert asked.status_code == 422
    assert f"Line 1: who is {name}?" in asked.content.decode()
    assert not Tournament.objects.filter(club=club).exists()
    (question,) = asked.context["form"].questions
    answer = {f"who-{question.key}": f"known:{name.upper()}."}
    data = {"outline": outline.file, "ruleset": "mano-a-mano", **answer}
    assert client.post(reverse("from-file", args=[club.slug]), data).status_code == 302
    entry = Tournament.objects.get(club=club).entries.with_players().get(number=1)
    assert [player.code for player in entry.players] == ["J1"]


def test_the_encoding_of_a_file_is_said() -> None:
    club = a_club()
    page = read(desk_of(club), club, FRIENDS.decode().encode("utf-16"))
    assert "The file was read as UTF-16." in page.content.decode()


def test_a_fide_report_becomes_a_draft_of_single_players() -> None:
    club = a_club()
    client = desk_of(club)
    page = read(client, club, REPORT.encode())
    assert "left out" in page.content.decode()
    assert make(client, club, page, "parejas-online").status_code == 422, "pairs would play"
    assert make(client, club, page, "mano-a-mano").status_code == 302
    draft = Tournament.objects.get(club=club)
    assert draft.entries.count() == len(page.context["outline"].rows.entrants) > 1
    assert draft.unit == Tournament.Unit.PLAYER


def test_what_is_no_tournament_is_refused_with_its_place() -> None:
    club = a_club()
    client = desk_of(club)
    broken = {**json.loads(FRIENDS), "stages": [{"format": "bridge"}]}
    for content, place in (
        (json.dumps(broken).encode(), "/stages/0/format"),
        (b"Ana - Bea", "the file as a whole"),
    ):
        page = read(client, club, content)
        assert page.status_code == 422
        assert place in page.content.decode() or "line 1" in page.content.decode()
    assert not Tournament.objects.filter(club=club).exists()


def test_only_organisers_bring_files() -> None:
    club = a_club()
    assert read(Client(), club, FRIENDS).status_code in {302, 401, 403}


def test_an_entrant_with_the_name_of_a_pair_of_the_club_is_that_pair() -> None:
    club = a_club()
    players = "id,nombre\nJ1,Ana Gil\nJ2,Luis Sanz\nJ3,Eva 3\nJ4,Pau\n"
    import_players(SYSTEM, club, players, as_written=True)
    import_pairs(SYSTEM, club, "pareja,nombre,jugador1,jugador2\nP1,Las 40,J1,J2\nP2,Dos,J3,J4\n")
    stage = {"format": "swiss", "seed": "00", "rules": {"rounds": 3}}
    file: dict[str, Any] = {"format": "baza-tournament/1", "name": "T", "stages": [stage]}
    file["entrants"] = [{"name": "Las 40"}, {"name": "Dos"}]
    outline = read_outline(json.dumps(file))
    draft = create_draft(SYSTEM, club, outline, "cuatro")
    names = [entry.seat_names for entry in draft.entries.with_players().order_by("number")]
    assert names == [("Ana Gil", "Luis Sanz"), ("Eva 3", "Pau")]


def test_only_rulesets_that_fit_are_offered_and_a_refusal_says_why() -> None:
    club = a_club()
    client = desk_of(club)
    page = read(client, club, FRIENDS)
    offered = [name for name, _label in page.context["form"].fields["ruleset"].choices]
    refused = set(engine.RULESETS) - set(offered)
    assert offered
    assert refused
    for ruleset in refused:
        answer = make(client, club, page, ruleset)
        assert answer.status_code == 422
        assert "notice--bad" in answer.content.decode()
    assert make(client, club, page, offered[0]).status_code == 302

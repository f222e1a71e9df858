"""Everything that the pages show can be read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

import engine
from tests.support.caller import Caller
from tests.support.scenes import Scene, record_between, records_of
from tournaments.arena.services import dispatch, playing
from tournaments.director.services import entries, tournaments
from tournaments.director.services.draws import draw
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import close_round
from tournaments.models import Bot, Round

if TYPE_CHECKING:
    from tests.conftest import Issue


def test_a_club_with_its_people(scene: Scene) -> None:
    caller = Caller()
    (card,) = caller.read("clubs/")["results"]
    assert (card["slug"], card["players"], card["tournaments"]) == (scene.club.slug, 8, 1)
    club = caller.read(f"clubs/{scene.club.slug}/")
    assert club["players"][0] == {
        "code": "J01",
        "name": "Pilar Martínez",
        "same_as": None,
    }
    assert club["pairs"][0]["name"] == "Las Cuarenta"
    assert [t["slug"] for t in club["tournaments"]] == [scene.tournament.slug]


def test_a_tournament_and_how_far_it_has_come(scene: Scene) -> None:
    caller, slug = Caller(), scene.tournament.slug
    (card,) = caller.read("tournaments/")["results"]
    assert (card["slug"], card["state"], card["current_round"]) == (slug, "running", 1)
    head = caller.read(f"tournaments/{slug}/")
    assert (head["entries"], head["matches"], head["decided"]) == (4, 2, 1)  # drafts do not count
    entries = caller.read(f"tournaments/{slug}/entries/")
    assert entries["entries"][0]["players"] == ["Pilar Martínez", "Jesús Ibáñez"]
    assert {bot["kind"] for bot in entries["bots"]} == {*engine.HOUSE_BOTS}


def test_a_draft_is_listed_for_its_club_alone(scene: Scene, issue: Issue) -> None:
    tournaments.create_tournament(scene.organiser, scene.club, "Copa", slug="copa")
    for caller, expected in ((issue(), True), (Caller(), False), (issue("player"), False)):
        slugs = [row["slug"] for row in caller.read("tournaments/")["results"]]
        assert ("copa" in slugs) is expected


def test_the_table_and_everybody_against_everybody(scene: Scene) -> None:
    caller, slug = Caller(), scene.tournament.slug
    standings = caller.read(f"tournaments/{slug}/standings/")
    assert standings["provisional"] is False
    assert [row["played"] for row in standings["rows"]].count(1) == 2
    crosstable = caller.read(f"tournaments/{slug}/crosstable/")
    assert [name["name"] for name in crosstable["names"]] == [
        row["name"] for row in standings["rows"]
    ]
    (played,) = (
        cell
        for row in crosstable["rows"]
        for cells in row["cells"]
        for cell in cells
        if cell["outcome"] == "won"
    )
    assert played["match"] == scene.matches()[0].pk


def test_rounds_and_when_their_seed_is_reported(scene: Scene) -> None:
    caller, slug = Caller(), scene.tournament.slug
    (round_row,) = caller.read(f"tournaments/{slug}/rounds/")["rounds"]
    assert (round_row["number"], round_row["seed"], len(round_row["matches"])) == (1, "", 2)
    scene.submit(scene.matches()[1])
    close_round(scene.organiser, scene.rounds[0])
    closed = caller.read(f"tournaments/{slug}/rounds/1/")["round"]
    assert closed["state"] == "closed"
    label = f"{slug}/1"
    assert engine.commitment(label, bytes.fromhex(closed["seed"])) == closed["commitment"]


def test_a_match_with_its_hands(scene: Scene) -> None:
    match = scene.matches()[0]
    text = json.loads(record_between(match, records_of("records")))
    page = Caller().read(f"matches/{match.pk}/")
    assert page["match"]["state"] == "accepted"
    assert page["seats"] == text["seats"]
    assert [hand["number"] for hand in page["hands"]] == list(range(1, len(text["hands"]) + 1))
    side = page["home_side"]
    assert page["hands"][0]["home_points"] == text["hands"][0]["points"][side]
    assert page["record"]["state"] == "accepted"
    assert page["results"][0]["live"] is True


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_hand_step_by_step(scene: Scene, language: str) -> None:
    match = scene.matches()[0]
    text = record_between(match, records_of("records"))
    hand = Caller(language=language).read(f"matches/{match.pk}/hands/1/")
    tokens = json.loads(text)["hands"][0]["play"].split()
    assert [frame["token"] for frame in hand["frames"]] == [None, *tokens]
    frames = engine.frames(engine.parse_record(text), 0)
    for body_frame, frame in zip(hand["frames"], frames, strict=True):
        assert body_frame["legal"] == list(frame.legal)
        assert body_frame["hands"] == {seat: list(cards) for seat, cards in frame.hands.items()}
        assert body_frame["table"] == [list(play) for play in frame.table]
    assert len(hand["tricks"]) == 10
    assert hand["verdict"]["points"] == hand["points"]


def test_a_hand_that_was_not_played_is_not_there(scene: Scene) -> None:
    match = scene.matches()[0]
    for number in (0, 99, 10**30):
        assert Caller().get(f"matches/{match.pk}/hands/{number}/").status_code == 404


def test_how_far_the_bots_have_come(scene: Scene) -> None:
    league = tournaments.create_tournament(
        scene.organiser,
        scene.club,
        "Liga de bots",
        NewTournament(GameSettings(options={"deals": 1})),
        slug="bots",
    )
    entries.enter_newcomers(
        scene.organiser, league, list(Bot.objects.filter(kind__in=("random", "simple")))
    )
    draw(scene.organiser, league)
    round_ = Round.objects.get(stage__tournament=league, number=1)
    tournaments.publish_round(scene.organiser, round_)
    path = "tournaments/bots/rounds/1/"
    before = Caller().read(path)["progress"]
    assert (before["total"], before["played"], before["asked"]) == (1, 0, False)
    dispatch.play_round(scene.organiser, round_)
    (match,) = round_.matches.all()
    playing.play_match(match.pk)
    after = Caller().read(path)["progress"]
    assert (after["played"], after["finished"]) == (1, True)
    (seated,) = Caller().read(path)["round"]["matches"]
    assert seated["home"]["is_bot"] is True


def test_the_history_shows_who_did_what(scene: Scene, organiser: Caller) -> None:
    events = organiser.read(f"tournaments/{scene.tournament.slug}/history/")["results"]
    verbs = {event["verb"] for event in events}
    assert {"tournament.created", "record.accepted"} <= verbs


def test_what_has_not_changed_is_not_sent_again(scene: Scene) -> None:
    path = f"tournaments/{scene.tournament.slug}/standings/"
    first = Caller().get(path)
    etag = first.headers["ETag"]
    assert not etag.startswith("W/")
    second = Caller().get(path, **{"If-None-Match": etag})
    assert (second.status_code, second.content) == (304, b"")
    other = Caller(language="es").get(path)
    assert other.headers["ETag"] != etag  # the criteria have their names in it
    scene.submit(scene.matches()[1])
    assert Caller().get(path, **{"If-None-Match": etag}).status_code == 200


@pytest.mark.parametrize("path", ["clubs/", "tournaments/liguilla-de-otono/standings/"])
def test_a_head_has_the_tag_of_the_get(scene: Scene, path: str) -> None:
    etag = Caller().get(path).headers["ETag"]
    head = Caller().call("HEAD", path)
    assert (head.status_code, head.headers["ETag"], head.content) == (200, etag, b"")
    assert Caller().call("HEAD", path, headers={"If-None-Match": etag}).status_code == 304


def test_a_record_in_another_language_is_another_answer(scene: Scene) -> None:
    path = f"records/{scene.matches()[0].records.get().pk}/"
    answers = {language: Caller(language=language).get(path) for language in ("es", "en")}
    notices = {
        language: json.loads(response.content)["verdict"]["notices"]
        for language, response in answers.items()
    }
    same_notices = notices["es"] == notices["en"]
    assert (answers["es"].headers["ETag"] == answers["en"].headers["ETag"]) is same_notices


def test_the_head_of_an_answer_can_be_asked_for(scene: Scene) -> None:
    whole = Caller().get("clubs/")
    head = Caller().call("HEAD", "clubs/")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["Content-Length"] == str(len(whole.content))


def test_more_rows_cost_no_more_queries(scene: Scene) -> None:
    path = f"tournaments/{scene.tournament.slug}/rounds/"
    with CaptureQueriesContext(connection) as first:
        Caller().read(path)
    scene.submit(scene.matches()[1])
    tournaments.publish_round(scene.organiser, scene.rounds[1])
    with CaptureQueriesContext(connection) as second:
        Caller().read(path)
    assert len(second) <= len(first)

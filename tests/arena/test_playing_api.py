"""Bots over the API: entered, asked to play, paused, and sent on by their schedule."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.arena.test_schedules import a_ladder
from tests.clubs import SYSTEM, a_club, organiser, user
from tests.support.bot_tables import a_bot_round, house_bot
from tests.support.caller import Caller, problem
from tournaments.accounts.services.invitations import issue_token
from tournaments.arena.services.playing import play_match
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament
from tournaments.models import Bot, Club, Round, Tournament
from tournaments.people.services.bots import register_bot, retire
from tournaments.results.services.leases import claim_match

pytestmark = pytest.mark.django_db


def caller(club: Club, *scopes: str) -> Caller:
    organiser(club)
    _row, key = issue_token(SYSTEM, club, user("olga"), name="mesa", scopes=["games:read", *scopes])
    return Caller(key)


def say(caller: Caller, path: str, body: object = None, key: str = "") -> Any:
    return caller.submit(path, json.dumps(body or {}), key or path)


def switched(caller: Caller, round_: Round, verb: str, key: str = "") -> Any:
    slug = round_.stage.tournament.slug
    return say(caller, f"tournaments/{slug}/rounds/{round_.number}/{verb}/", key=key)


def is_paused(round_: Round) -> bool:
    slug = round_.stage.tournament.slug
    progress = Caller().read(f"tournaments/{slug}/rounds/{round_.number}/progress/")
    return bool(progress["paused"])


def a_list_of_bots() -> Tournament:
    return create_tournament(
        SYSTEM, a_club(), "Liga", NewTournament(GameSettings(options={"to": 1}))
    )


def test_a_bot_is_entered_as_often_as_it_is_named() -> None:
    tournament = a_list_of_bots()
    bot, other = house_bot("random"), house_bot("simple")
    desk = caller(tournament.club, "tournaments:manage")
    body = {"bots": [bot.slug, other.slug, bot.slug]}
    path = f"tournaments/{tournament.slug}/entries/bots/"
    assert say(desk, path, body).status_code == 201
    bots = tournament.entries.order_by("number").values_list("bot__slug", flat=True)
    assert list(bots) == body["bots"]
    assert tournament.entries.values("name").distinct().count() == 3
    assert say(desk, path, body).headers["Idempotency-Replayed"] == "true"
    assert tournament.entries.count() == 3


def test_with_one_bot_that_cannot_come_nobody_is_entered() -> None:
    tournament = a_list_of_bots()
    desk = caller(tournament.club, "tournaments:manage")
    bot = register_bot(SYSTEM, tournament.club, name="De lejos", kind="remote")
    retire(SYSTEM, bot)
    Bot.objects.create(name="Ajeno", slug="ajeno", kind="random", club=a_club("Otra"))
    path = f"tournaments/{tournament.slug}/entries/bots/"
    house = house_bot("random").slug
    for wrong, status, code in (
        (bot.slug, 409, "bot_retired"),
        ("ajeno", 404, "not_found"),
        ("nadie", 404, "not_found"),
        (7, 400, "bad_parameter"),
    ):
        problem(say(desk, path, {"bots": [house, wrong]}, str(wrong)), status, code)
    problem(say(desk, path, {}, "nothing"), 400, "bad_parameter")
    problem(say(desk, path, {"bots": []}, "empty"), 422, "nothing_listed")
    assert not tournament.entries.exists()


def test_the_bots_of_a_round_play_pause_and_play_on() -> None:
    round_ = a_bot_round(house_bot("random", 1), house_bot("random", 2))
    match = round_.matches.get()
    actor = caller(round_.stage.tournament.club, "bots:run")
    assert switched(actor, round_, "pause").status_code == 201
    assert is_paused(round_)
    problem(switched(actor, round_, "pause", "again"), 409, "already_paused")
    assert claim_match(match.pk) is None
    assert switched(actor, round_, "resume").status_code == 201
    assert not is_paused(round_)
    problem(switched(actor, round_, "resume", "again"), 409, "not_paused")
    Round.objects.update(play_requested_at=None)
    assert switched(actor, round_, "play").status_code == 201
    assert Round.objects.get(pk=round_.pk).play_requested_at is not None
    play_match(match.pk)
    assert Caller().read(f"matches/{match.pk}/")["match"]["state"] == "accepted"


def test_the_next_round_of_a_schedule_is_begun_at_once() -> None:
    tournament = a_ladder()
    path = f"tournaments/{tournament.slug}/schedule/run/"
    for scope in ("tournaments:manage", "bots:run"):
        problem(say(caller(tournament.club, scope), path), 403, "forbidden")
    desk = caller(tournament.club, "tournaments:manage", "bots:run")
    body = json.loads(say(desk, path).content)
    assert body["state"] == "running"
    (round_,) = Caller().read(f"tournaments/{tournament.slug}/rounds/")["rounds"]
    assert (round_["number"], round_["state"]) == (1, "published")
    problem(say(desk, path, key="again"), 409, "round_unfinished")


def test_bots_are_asked_to_play_by_a_token_for_bots_alone() -> None:
    round_ = a_bot_round(house_bot("random", 1), house_bot("random", 2))
    desk = caller(round_.stage.tournament.club, "tournaments:manage")
    for verb in ("play", "pause", "resume"):
        problem(switched(desk, round_, verb), 403, "forbidden")

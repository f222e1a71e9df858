"""Bots that play some rulesets alone: checked, offered and entered for these."""

from __future__ import annotations

import json

import pytest

from tests.clubs import SYSTEM, a_bot_liguilla, a_club, a_draft, the_round
from tests.conftest import Issue
from tests.support.caller import Caller, problem
from tests.support.refusals import refusal
from tests.support.scenes import Scene
from tournaments.arena.services.dispatch import play_round
from tournaments.arena.services.playing import play_match
from tournaments.core.errors import Reason
from tournaments.director.queries.entries import entries_page
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.plan import set_plan
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import change_tournament, close_round
from tournaments.models import Bot, BotVersion, Club
from tournaments.people.services.bots import register_bot, submit_bot
from tournaments.people.services.programs import CheckOutcome, check_version, checks_of

pytestmark = pytest.mark.django_db

ONE_GAME = """\
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        if m["ruleset"] != "cuatro":
            sys.exit(1)
        out = {"type": "ready", "protocol": m["protocol"]}
    elif m["type"] == "ask":
        out = {"id": m["id"], "say": m["legal"][0]}
    elif m["type"] == "bye":
        break
    else:
        continue
    print(json.dumps(out), flush=True)
"""


@pytest.fixture
def club() -> Club:
    return a_club()


def brought(club: Club, *rulesets: str) -> BotVersion:
    return submit_bot(
        SYSTEM, club, name="Un juego", language="python", source=ONE_GAME, rulesets=rulesets
    )


def checked(version: BotVersion) -> CheckOutcome:
    outcome = CheckOutcome.PARTLY
    while outcome == CheckOutcome.PARTLY:
        outcome = check_version(version.pk)
    return outcome


def test_a_bot_of_one_ruleset_passes_where_it_says_so(club: Club) -> None:
    assert checked(brought(club)) == CheckOutcome.REFUSED
    Bot.objects.all().delete()
    version = brought(club, "cuatro")
    assert checked(version) == CheckOutcome.READY
    whole = len(checks_of(brought(a_club("otro"))))
    assert len(checks_of(version)) == whole - 15  # the seats of the other five: 2, 2, 4, 4 and 3
    version.refresh_from_db()
    assert {line["state"] for line in version.report["lines"]} <= {"ok", "advice"}


def test_it_is_entered_and_offered_for_its_rulesets_alone(club: Club) -> None:
    bot = brought(club, "cuatro").bot
    bot.versions.update(state=BotVersion.State.READY)
    other, own = a_draft(club), a_draft(club, "Otra", ruleset="cuatro")
    with refusal(Reason.NOT_ITS_RULESET):
        enter_newcomers(SYSTEM, other, [bot])
    assert [entry.bot for entry in enter_newcomers(SYSTEM, own, [bot])] == [bot]
    offered = {t: [row.slug for row in entries_page(t.slug, SYSTEM).bots] for t in (own, other)}
    assert bot.slug in offered[own]
    assert bot.slug not in offered[other]


def test_a_draft_with_it_is_not_changed_to_a_game_that_it_does_not_play(club: Club) -> None:
    bot = brought(club, "cuatro").bot
    bot.versions.update(state=BotVersion.State.READY)
    tournament = a_draft(club, ruleset="cuatro")
    enter_newcomers(SYSTEM, tournament, [bot])
    with refusal(Reason.NOT_ITS_RULESET):
        change_tournament(SYSTEM, tournament, {"ruleset": "parejas"})
    with refusal(Reason.NOT_ITS_RULESET):
        set_plan(SYSTEM, tournament, NewTournament(GameSettings(ruleset="parejas")))


def test_the_api_takes_rulesets_and_shows_them(scene: Scene, issue: Issue) -> None:
    path, caller = f"clubs/{scene.club.slug}/bots/", issue()
    body = {"name": "Un juego", "kind": "program", "language": "python", "source": ONE_GAME}
    caller.submit(path, json.dumps({**body, "rulesets": ["cuatro"]}))
    assert caller.read("bots/un-juego/")["rulesets"] == ["cuatro"]
    wrong = caller.submit(path, json.dumps({**body, "rulesets": ["mus"]}), key="mus")
    problem(wrong, 400, "bad_parameter")
    with refusal(Reason.UNKNOWN_RULESET):
        register_bot(SYSTEM, scene.club, name="Mus", kind="remote", rulesets=["mus"])


def test_a_bots_matches_and_records_are_listed(anonymous: Caller) -> None:
    tournament = a_bot_liguilla()
    round_ = the_round(tournament, 1)
    play_round(SYSTEM, round_)
    for match in round_.matches.all():
        play_match(match.pk)
    page = anonymous.read("bots/azar/matches/?page_size=1")
    (row,) = page["results"]
    assert row["tournament"] == tournament.slug
    assert row["ruleset"] == tournament.ruleset
    assert row["match"]["state"] == "accepted"
    assert row["versions"] == {}
    assert page["next"]
    address = "/api/v1/bots/azar/records/export/"
    assert len(anonymous.client.get(address).getvalue().splitlines()) == 1  # the round is open
    close_round(SYSTEM, round_)
    *records, end = map(json.loads, anonymous.client.get(address).getvalue().splitlines())
    assert [record["format"] for record in records] == ["baza/1"] * 2
    assert end["end"] is True

"""Bots over the API: read with their reports and forfeits, brought with a token."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from tests.arena.test_bots_pages import ADVICE, FELL, LINE, a_forfeit, checked
from tests.people.test_bots_brought import FIRST_STEPS, no_sandbox
from tests.support.caller import Caller, problem
from tournaments.models import Bot, BotVersion
from tournaments.people.services.bots import register_bot, submit_bot

if TYPE_CHECKING:
    from tests.conftest import Issue
    from tests.support.scenes import Scene

pytestmark = pytest.mark.django_db

BASE = "http://testserver/api/v1/"
PROGRAM = {"name": "Primeros pasos", "kind": "program", "language": "python"}


@pytest.fixture
def version(scene: Scene) -> BotVersion:
    return submit_bot(
        scene.organiser, scene.club, name="Ensayo", language="python", source=FIRST_STEPS
    )


def body(**fields: Any) -> str:
    return json.dumps({**PROGRAM, "source": FIRST_STEPS, **fields})


def test_bots_come_in_pages_by_their_short_names(version: BotVersion, anonymous: Caller) -> None:
    first = anonymous.read("bots/?page_size=2")
    assert [bot["slug"] for bot in first["results"]] == ["azar", "ensayo"]
    assert first["results"][1]["state"] == "checking"
    rest = anonymous.read(first["next"])
    slugs = [bot["slug"] for bot in rest["results"]]
    assert slugs == sorted(slugs)
    assert len(slugs) == min(2, Bot.objects.count() - 2)


def test_a_version_is_polled_until_its_report_is_complete(
    version: BotVersion, anonymous: Caller
) -> None:
    assert anonymous.read("bots/ensayo/versions/1/")["report"] == []
    checked(version, "refused", LINE, FELL, ADVICE, of=3)
    version_body = anonymous.read("bots/ensayo/versions/1/")
    assert (version_body["state"], version_body["done"], version_body["of"]) == ("refused", 3, 3)
    assert version_body["report"][1] == {
        "number": 2,
        "check": "it ends after bye",
        "state": "failed",
        "code": "hang",
        "message": "it was still there",
        "required": True,
        "reply": "",
        "stderr": "",
    }
    spanish = Caller(language="es").read("bots/ensayo/versions/1/")
    assert spanish["report"][1]["check"] == "termina cuando se le despide"
    (version_row,) = anonymous.read("bots/ensayo/")["versions"]
    assert version_row == {key: value for key, value in version_body.items() if key != "report"}
    problem(anonymous.get("bots/ensayo/versions/2/"), 404, "not_found")


def test_forfeits_tell_everything_but_stderr_which_is_the_authors(
    scene: Scene, anonymous: Caller, issue: Issue
) -> None:
    bot = register_bot(scene.organiser, scene.club, name="De lejos", kind="remote")
    match = scene.matches()[0]
    a_forfeit(match, bot)
    a_forfeit(match, bot, hand=3, code="crash", facts={"ending": "signal SIGSEGV"})
    page = anonymous.read("bots/de-lejos/forfeits/?page_size=1")
    (latest,) = page["results"]
    assert latest["message"] == "ended in the middle of the match (signal SIGSEGV)"
    (first,) = anonymous.read(page["next"])["results"]
    assert (first["code"], first["legal"], first["stderr"]) == ("illegal_play", "2o 3o", "")
    own_forfeits = issue("organiser").read("bots/de-lejos/forfeits/")
    assert {row["stderr"] for row in own_forfeits["results"]} == {"Traceback: secreto"}
    assert anonymous.read("bots/de-lejos/")["forfeits"] == 2


def test_a_program_is_brought_and_the_answer_says_where_its_check_can_be_followed(
    scene: Scene, issue: Issue
) -> None:
    author = issue("player")
    response = author.submit(f"clubs/{scene.club.slug}/bots/", body())
    assert response.status_code == 201
    document = json.loads(response.content)
    assert response.headers["Location"] == document["version"]
    assert author.read(document["version"])["state"] == "checking"
    assert author.read(document["bot"])["owner"] == "player"
    second_response = author.submit(f"clubs/{scene.club.slug}/bots/", body())
    assert second_response.headers["Idempotency-Replayed"] == "true"
    assert json.loads(second_response.content) == document
    assert Bot.objects.filter(kind="program").count() == 1


def test_a_later_version_follows_and_the_same_text_is_no_new_one(
    version: BotVersion, issue: Issue
) -> None:
    caller = issue("organiser")
    for key, number in (("first", 1), ("second", 2)):
        text = FIRST_STEPS if number == 1 else "print()"
        body = json.dumps({"language": "python", "source": text})
        response = caller.submit("bots/ensayo/versions/", body, key=key)
        assert json.loads(response.content)["version"].endswith(f"/versions/{number}/")


def test_the_largest_text_fits_into_a_body(scene: Scene, issue: Issue) -> None:
    path = f"clubs/{scene.club.slug}/bots/"
    text = '"' * (256 << 10)  # twice as many bytes in JSON
    assert issue().submit(path, body(source=text)).status_code == 201
    response = issue("arbiter").submit(path, body(source=text + "#"))
    problem(response, 422, "bad_program")
    problem(issue().submit(path, b"x" * ((1 << 20) + 1), key="large"), 413, "too_large")


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"kind": "simple"}, 400, "bad_parameter"),
        ({"kind": 3}, 400, "bad_parameter"),
        ({"language": "cobol"}, 422, "bad_program"),
        ({"source": " "}, 422, "bad_program"),
        ({"source": None}, 400, "bad_parameter"),
        ({"name": ""}, 422, "bad_name"),
        ({"colour": "red"}, 400, "bad_parameter"),
        ({"kind": "remote"}, 400, "bad_parameter"),
    ],
)
def test_what_is_wrong_is_refused_by_its_code(
    scene: Scene, issue: Issue, fields: dict[str, Any], status: int, code: str
) -> None:
    response = issue().submit(f"clubs/{scene.club.slug}/bots/", body(**fields))
    problem(response, status, code)
    assert not Bot.objects.filter(kind__in=("program", "remote")).exists()


def test_a_bot_comes_from_the_bench_and_retires_for_good(scene: Scene, issue: Issue) -> None:
    bot = register_bot(scene.organiser, scene.club, name="De lejos", kind="remote")
    caller = issue("organiser", ("bots:run",))
    problem(caller.submit("bots/de-lejos/unbench/", "{}"), 409, "bot_not_benched")
    Bot.objects.filter(pk=bot.pk).update(benched_at=timezone.now())
    response = caller.submit("bots/de-lejos/unbench/", "{}")
    assert (response.status_code, response.headers["Location"]) == (201, BASE + "bots/de-lejos/")
    assert Bot.objects.get(pk=bot.pk).benched_at is None
    assert caller.submit("bots/de-lejos/retire/", "{}", key="retire").status_code == 201
    assert caller.read("bots/de-lejos/")["state"] == "retired"
    problem(caller.submit("bots/de-lejos/retire/", "{}", key="again"), 409, "bot_retired")


def test_a_version_that_was_refused_is_checked_again(version: BotVersion, issue: Issue) -> None:
    caller = issue("organiser", ("bots:run",))
    path = "bots/ensayo/versions/1/check/"
    problem(caller.submit(path, "{}"), 409, "nothing_to_check")
    checked(version, "refused", LINE, FELL, ADVICE, of=3)
    document = json.loads(caller.submit(path, "{}").content)
    assert caller.read(document["version"])["state"] == "checking"
    assert caller.read(document["version"])["report"] == []


@pytest.mark.parametrize("path", ["unbench/", "retire/", "versions/1/check/"])
def test_a_bot_is_its_authors_and_their_tokens_for_bots(
    version: BotVersion, issue: Issue, path: str
) -> None:
    reader = issue("organiser", ("games:read", "tournaments:manage"))
    for caller in (reader, issue("player"), issue("arbiter")):
        problem(caller.submit(f"bots/ensayo/{path}", "{}"), 403, "forbidden")


def test_a_token_without_the_scope_brings_nothing(scene: Scene, issue: Issue) -> None:
    caller = issue("organiser", ("games:read", "tournaments:manage"))
    problem(caller.submit(f"clubs/{scene.club.slug}/bots/", body()), 403, "forbidden")


def test_without_a_sandbox_the_reasons_are_reported(
    scene: Scene, issue: Issue, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_sandbox(monkeypatch)
    response = issue().submit(f"clubs/{scene.club.slug}/bots/", body())
    document = problem(response, 409, "sandbox_missing")
    assert "the kernel has no Landlock" in document["detail"]

"""Webhooks over the API: added with their secret, tried, paused, read and sent again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.webhook_scenes import OtherSide, reply_with
from tournaments.models import Webhook
from tournaments.webhooks.services.deliveries import send_due
from tournaments.webhooks.services.webhooks import secret_text

if TYPE_CHECKING:
    from tests.conftest import Issue
    from tests.support.caller import Caller
    from tests.support.scenes import Scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def keeper(issue: Issue) -> Caller:
    return issue("organiser", ("tournaments:manage",))


def base(scene: Scene) -> str:
    return f"clubs/{scene.club.slug}/webhooks/"


def added(keeper: Caller, scene: Scene, **fields: Any) -> dict[str, Any]:
    body = {"url": "https://club.example/baza", **fields}
    response = keeper.submit(base(scene), json.dumps(body), key=f"key-{len(fields)}")
    assert response.status_code == 201, response.content
    values_by_name: dict[str, Any] = json.loads(response.content)
    return values_by_name


def call_verb(keeper: Caller, scene: Scene, pk: int, verb: str, body: str = "{}") -> dict[str, Any]:
    response = keeper.submit(f"{base(scene)}{pk}/{verb}/", body, key=f"{verb}-{len(body)}")
    assert response.status_code == 200, response.content
    fields: dict[str, Any] = json.loads(response.content)
    return fields


def test_a_webhook_is_added_with_a_secret_that_is_shown_once(keeper: Caller, scene: Scene) -> None:
    fields = added(keeper, scene, types=["round.published"], tournament=scene.tournament.slug)
    row = Webhook.objects.get()
    assert fields["secret"] == secret_text(row)
    assert fields["webhook"]["types"] == ["round.published"]
    assert fields["webhook"]["tournament_slug"] == scene.tournament.slug
    body = keeper.read(base(scene))
    assert [webhook["id"] for webhook in body["results"]] == [row.pk]
    assert fields["secret"] not in json.dumps(body)
    assert "secret" not in keeper.read(f"{base(scene)}{row.pk}/")


def test_a_lost_answer_is_given_again_and_adds_nothing(keeper: Caller, scene: Scene) -> None:
    first, second = added(keeper, scene), added(keeper, scene)
    assert first == second
    assert Webhook.objects.count() == 1


def test_a_webhook_lives_over_the_api(
    keeper: Caller, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    other_side = OtherSide(says=lambda _: reply_with(500, b"roto")).install(monkeypatch)
    fields = added(keeper, scene)
    pk, secret = fields["webhook"]["id"], fields["secret"]
    assert call_verb(keeper, scene, pk, "ping")["messages"] == 1
    send_due(scene.club.pk)
    (delivery,) = keeper.read(f"{base(scene)}{pk}/deliveries/")["results"]
    assert (delivery["status"], delivery["answer"], delivery["state"]) == (500, "roto", "waiting")
    assert keeper.read(f"{base(scene)}{pk}/")["failing_since"]
    other_side.says = lambda _: reply_with(204)
    assert (
        call_verb(keeper, scene, pk, "redeliver", '{"since": "2020-01-01T00:00:00Z"}')["messages"]
        == 1
    )
    send_due(scene.club.pk)
    assert keeper.read(f"{base(scene)}{pk}/")["arrived"] == 1
    second_response = keeper.submit(
        f"{base(scene)}{pk}/deliveries/{delivery['id']}/redeliver/", "{}"
    )
    assert json.loads(second_response.content)["state"] == "waiting"
    assert call_verb(keeper, scene, pk, "pause")["webhook"]["state"] == "paused"
    assert call_verb(keeper, scene, pk, "resume")["webhook"]["state"] == "active"
    changed = call_verb(keeper, scene, pk, "secret")["secret"]
    assert changed.startswith("whsec_")
    assert changed != secret
    assert call_verb(keeper, scene, pk, "remove")["webhook"] is None
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"url": "http://club.example/"}, 422, "bad_webhook_address"),
        ({"url": "https://169.254.169.254/"}, 422, "bad_webhook_address"),
        ({"url": "https://club.example/", "types": ["nonsense"]}, 422, "unknown_event"),
        ({"url": "https://club.example/", "types": "round.published"}, 400, "bad_parameter"),
        ({"url": 7}, 400, "bad_parameter"),
        ({"url": "https://club.example/", "secret": "mine"}, 400, None),
        ({"url": "https://club.example/", "tournament": "nowhere"}, 404, "not_found"),
        ({}, 400, "bad_parameter"),
    ],
)
def test_what_is_no_webhook_is_refused_with_its_code(
    keeper: Caller, scene: Scene, body: dict[str, Any], status: int, code: str | None
) -> None:
    response = keeper.submit(base(scene), json.dumps(body))
    assert response.status_code == status, response.content
    assert code in {None, json.loads(response.content)["code"]}
    assert not Webhook.objects.exists()


@pytest.mark.parametrize("since", ['"yesterday"', '"2026-01-01T00:00:00"', "7"])
def test_since_is_a_moment_with_its_zone(keeper: Caller, scene: Scene, since: str) -> None:
    pk = added(keeper, scene)["webhook"]["id"]
    response = keeper.submit(f"{base(scene)}{pk}/redeliver/", f'{{"since": {since}}}')
    assert (response.status_code, json.loads(response.content)["code"]) == (400, "bad_parameter")

"""A stage has minutes of its own for its rounds, and its clock warns before their end."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from tests.conftest import Issue
from tests.support import scenes
from tests.support.caller import Caller, problem
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.views import ENTRY_CODES
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.repeating import repeat_tournament
from tournaments.director.services.rounds import start_clock
from tournaments.director.services.stage_times import time_stages
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.file.writing import rows_to_bytes
from tournaments.models import AuditEvent, Round, Stage, Tournament

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}
WARNING = re.compile(r'data-warning="5"( hidden)?>')


@pytest.fixture
def scene() -> scenes.Scene:
    """Round 1 published, in a stage of 55 minutes that warns five minutes before the end."""
    scene = scenes.drawn()
    publish_round(scene.organiser, scene.rounds[0])
    times = {"number": 1, "round_minutes": 55, "warn_minutes": 5}
    time_stages(scene.organiser, scene.tournament, [times])
    return scene


def boss(scene: scenes.Scene) -> Client:
    client = Client(headers=ENGLISH)
    client.force_login(scene.users["organiser"])
    return client


def phone(scene: scenes.Scene) -> Client:
    client = Client(headers=ENGLISH)
    session = client.session
    session[ENTRY_CODES] = {scene.tournament.slug: scene.matches()[0].home.code}
    session.save()
    return client


def test_the_clock_proposes_the_minutes_of_the_stage(scene: scenes.Scene) -> None:
    page = boss(scene).get(f"/t/{scene.tournament.slug}/rounds/1/")
    assert page.context["clock"].minutes == 55


@pytest.mark.parametrize(("gone", "hidden"), [(10, " hidden"), (51, "")])
def test_clock_projector_and_phones_say_that_the_end_is_near(
    scene: scenes.Scene, gone: int, hidden: str
) -> None:
    slug = scene.tournament.slug
    start_clock(scene.organiser, scene.rounds[0], 55)
    begun = timezone.now() - timedelta(minutes=gone)
    Round.objects.filter(pk=scene.rounds[0].pk).update(clock_started_at=begun)
    pages = {
        f"/t/{slug}/rounds/1/": Client(headers=ENGLISH),
        f"/t/{slug}/screen/?show=clock": Client(headers=ENGLISH),
        f"/t/{slug}/table/": phone(scene),
    }
    for path, client in pages.items():
        text = client.get(path).content.decode()
        assert WARNING.findall(text) == [hidden], path
        assert "The last 5 min" in text


def test_a_stage_without_a_warning_has_none(scene: scenes.Scene) -> None:
    time_stages(scene.organiser, scene.tournament, [{"number": 1, "warn_minutes": None}])
    start_clock(scene.organiser, scene.rounds[0], 55)
    page = Client().get(f"/t/{scene.tournament.slug}/rounds/1/").content.decode()
    assert "data-warning" not in page


def test_the_times_are_set_on_the_page_of_the_settings(scene: scenes.Scene) -> None:
    path = f"/t/{scene.tournament.slug}/settings/"
    assert 'name="stage_1_warn_minutes" value="5"' in boss(scene).get(path).content.decode()
    form = {"name": "Otra", "stage_1_warn_minutes": "10"}
    assert boss(scene).post(path, form).status_code == 302
    stage = Stage.objects.get()
    assert (stage.round_minutes, stage.warn_minutes) == (55, 10)
    event = AuditEvent.objects.filter(verb="tournament.changed").latest("pk")
    assert event.facts["after"]["stages"][0]["warn_minutes"] == 10


def change(caller: Caller, path: str, body: dict[str, Any]) -> HttpResponse:
    text = json.dumps(body).encode()
    return caller.call("PATCH", path, text, {"If-Match": "*"}, "application/json")


def test_programs_set_and_read_them(issue: Issue, scene: scenes.Scene) -> None:
    caller, path = issue("organiser"), f"tournaments/{scene.tournament.slug}/"
    body = {"stages": [{"number": 1, "round_minutes": 40, "warn_minutes": None}]}
    assert change(caller, path, body).status_code == 200
    (stage,) = caller.read(f"{path}stages/")["stages"]
    assert (stage["round_minutes"], stage["warn_minutes"]) == (40, None)
    unknown = {"stages": [{"number": 9, "warn_minutes": 5}]}
    problem(change(caller, path, unknown), 422, "bad_options")


def test_a_program_plans_them_with_the_stages(issue: Issue, scene: scenes.Scene) -> None:
    stage = {"format": "liguilla", "round_minutes": 55, "warn_minutes": 10}
    body = json.dumps({"name": "Copa", "stages": [stage]})
    made = issue("organiser").submit(f"clubs/{scene.club.slug}/tournaments/", body, "one")
    assert made.status_code == 201, made.content
    first = Tournament.objects.get(slug=json.loads(made.content)["slug"]).stages.get()
    assert (first.round_minutes, first.warn_minutes) == (55, 10)


def test_a_tournament_played_again_keeps_them_and_its_file_has_none(scene: scenes.Scene) -> None:
    again = repeat_tournament(scene.organiser, scene.tournament, "Otra")
    assert (again.stages.get().round_minutes, again.stages.get().warn_minutes) == (55, 5)
    assert b"minutes" not in rows_to_bytes(rows_of(scene.tournament))


def test_no_warning_is_longer_than_a_day(scene: scenes.Scene) -> None:
    with refusal(Reason.BAD_OPTIONS):
        time_stages(scene.organiser, scene.tournament, [{"number": 1, "warn_minutes": 1441}])

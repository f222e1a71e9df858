"""A tournament is made over the API with everything that the form asks, by the file's own rules."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

import engine
from tests.support.caller import document, problem
from tournaments.domain.file import FileError, rules_from_dict, rules_schema, rules_to_dict
from tournaments.domain.pairing import FORMATS
from tournaments.domain.plans import PLANS
from tournaments.domain.rows import StageRules
from tournaments.models import Tournament

if TYPE_CHECKING:
    from tests.conftest import Issue
    from tests.support.caller import Caller
    from tests.support.scenes import Scene

pytestmark = pytest.mark.django_db

WHOLE: dict[str, Any] = {
    "name": "De otoño",
    "ruleset": "cuatro",
    "options": {"to": 2},
    "cotos": 2,
    "stages": [
        {"format": "swiss", "name": "Sábado", "rules": {"rounds": 3, "scale": {"tie": "1/3"}}},
        {"format": "knockout", "rules": {"take": 4, "third_place": True}},
    ],
    "confirmation": False,
    "confirm_minutes": 20,
    "round_minutes": 45,
    "bye_quota": 0,
    "no_show_minutes": 5,
    "late_minutes": 2,
    "grace_minutes": 10,
    "self_check_in": False,
    "points_required": True,
    "sides_agree_days": False,
    "visibility": "private",
    "begins_at": "2026-12-05T17:00:00+01:00",
    "place": "Casa Lac",
    "prizes": "Un jamón",
    "rules_text": "Se juega a la ciega.",
    "seeding": "lot",
    "seeded": 2,
}


def make(caller: Caller, scene: Scene, key: str = "first", **fields: Any) -> Any:
    body = json.dumps({"name": "De otoño", **fields})
    return caller.submit(f"clubs/{scene.club.slug}/tournaments/", body, key)


def test_everything_that_the_form_asks_can_be_said(issue: Issue, scene: Scene) -> None:
    answer = make(issue("organiser"), scene, **WHOLE)
    assert answer.status_code == 201, answer.content
    row = Tournament.objects.get(slug=json.loads(answer.content)["slug"])
    others = {"name", "stages", "begins_at", "seeding", "seeded"}
    same = {name: value for name, value in WHOLE.items() if name not in others}
    assert {name: getattr(row, name) for name in same} == same
    assert row.begins_at == datetime(2026, 12, 5, 16, tzinfo=UTC)
    swiss, knockout = row.stages.order_by("number")
    assert (swiss.format, swiss.name, swiss.rules.rounds) == ("swiss", "Sábado", 3)
    assert str(swiss.rules.scale.tie) == "1/3"
    assert (swiss.rules.seeding, swiss.rules.seeded) == ("lot", 2)
    assert (knockout.format, knockout.rules.take, knockout.rules.third_place) == (
        "knockout",
        4,
        True,
    )


@pytest.mark.parametrize(
    ("stage", "pointer"),
    [
        ({"format": "swiss", "rules": {"rounds": 0}}, "/stages/1/rules/rounds"),
        ({"format": "swiss", "rules": {"colour": 1}}, "/stages/1/rules/colour"),
        ({"format": "swiss", "rules": {"scale": {"win": []}}}, "/stages/1/rules/scale/win"),
        ({"format": "swiss", "rules": {"order": ["luck"]}}, "/stages/1/rules/order/0"),
    ],
)
def test_a_rule_that_is_not_possible_is_pointed_at(
    issue: Issue, scene: Scene, stage: dict[str, Any], pointer: str
) -> None:
    answer = make(issue("organiser"), scene, stages=[{"format": "liguilla"}, stage])
    assert problem(answer, 422, "bad_stage")["pointer"] == pointer


def test_stages_are_refused_as_the_rest_of_a_body(issue: Issue, scene: Scene) -> None:
    organiser = issue("organiser")
    told = problem(make(organiser, scene, stages=[]), 400, "bad_parameter")
    assert told["pointer"] == "/stages"
    told = problem(make(organiser, scene, stages=[{"rules": {}}]), 400, "bad_parameter")
    assert (told["reason"], told["pointer"]) == ("missing", "/stages/0/format")
    told = problem(
        make(organiser, scene, stages=[{"format": "swiss", "rule": 1}]), 400, "bad_parameter"
    )
    assert told["reason"] == "unknown"
    assert told["allowed"] == ["format", "name", "rules", "round_minutes", "warn_minutes"]
    told = problem(make(organiser, scene, stages=[{"format": "bridge"}]), 422, "unknown_format")
    assert told["allowed"] == list(FORMATS)
    told = problem(make(organiser, scene, ruleset="mus"), 422, "unknown_ruleset")
    assert told["allowed"] == list(engine.RULESETS)
    problem(make(organiser, scene, cotos=11), 422, "bad_options")
    hidden = [{"format": "swiss", "name": "a\u202eb"}]
    problem(make(organiser, scene, stages=hidden), 422, "bad_reason")


def test_the_document_has_the_rules_that_the_file_reads() -> None:
    schema = document()["components"]["schemas"]["PlannedStage"]["properties"]["rules"]
    validator = Draft202012Validator(schema)
    assert set(schema["properties"]) == set(rules_schema(StageRules())["properties"])
    for plan in PLANS.values():
        for stage in plan.stages({}):
            assert validator.is_valid(stage["rules"])
    for kind in FORMATS.values():
        assert validator.is_valid(rules_to_dict(kind.rules, None)), kind.name
    wrong: list[dict[str, Any]] = [
        *({"rounds": 0}, {"turns": 11}, {"colour": 1}, {"third_place": 1}, {"movement": "x"}),
        *({"order": ["luck"]}, {"late": "never"}, {"scale": {"win": []}}, {"table_points": 3}),
    ]
    for rules in wrong:
        assert not validator.is_valid(rules), rules
        with pytest.raises(FileError):
            rules_from_dict(rules, StageRules())

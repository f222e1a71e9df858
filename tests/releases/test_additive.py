"""Every migration since the last release leaves that release working."""

from typing import Any

import pytest
from django.db import models
from django.db.migrations import Migration, operations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState
from django.db.models import Q

from tests.releases.additive import faults
from tests.releases.released import CONTRACT, RELEASED
from tournaments.domain.proof import PROGRAM

APP = "tournaments"


def since_the_release() -> tuple[list[Migration], ProjectState]:
    """Return the migrations after the last release, in order, and the state that they follow."""
    loader = MigrationLoader(None)
    (leaf,) = loader.graph.leaf_nodes(APP)
    plan = [key for key in loader.graph.forwards_plan(leaf) if key[0] == APP]
    first = plan.index((APP, RELEASED)) + 1
    return [loader.disk_migrations[key] for key in plan[first:]], loader.project_state(
        [(APP, RELEASED)]
    )


def test_the_release_before_survives_every_migration_since() -> None:
    migrations, state = since_the_release()
    assert list(faults(migrations, state, CONTRACT)) == []


def test_a_step_that_takes_away_is_still_there_and_of_this_release() -> None:
    migrations, _ = since_the_release()
    steps = {
        (migration.name, step.describe())
        for migration in migrations
        for step in migration.operations
    }
    for step, release in CONTRACT.items():
        assert step in steps
        assert release == PROGRAM.removeprefix("baza ").partition(".dev")[0], step


def after(*steps: Operation) -> list[str]:
    """Return what is found in one migration of a table that the release before writes."""
    columns: list[tuple[str, models.Field[Any, Any]]] = [
        ("id", models.AutoField(primary_key=True)),
        ("name", models.CharField(max_length=40)),
        ("city", models.CharField(max_length=40, null=True)),
        ("left", models.IntegerField(db_default=0)),
    ]
    state = ProjectState()
    state.add_model(ModelState(APP, "Hall", columns))
    later = type("Later", (Migration,), {"operations": list(steps)})
    return list(faults([later("0099_later", APP)], state))


def text(**options: Any) -> "models.CharField[Any, Any]":
    return models.CharField(max_length=options.pop("max_length", 40), **options)


def constraint(condition: Q) -> models.CheckConstraint:
    return models.CheckConstraint(condition=condition, name="a_hall_is_right")


@pytest.mark.parametrize(
    "step",
    [
        operations.AddField("hall", "door", text(null=True)),
        operations.AddField("hall", "door", text(default="", db_default="")),
        operations.AlterField("hall", "name", text(max_length=80)),
        operations.AlterField("hall", "name", text(null=True)),
        operations.CreateModel("Chair", [("id", models.AutoField(primary_key=True))]),
        operations.AddIndex("hall", models.Index(fields=["name"], name="by_name")),
        operations.RunPython(operations.RunPython.noop, operations.RunPython.noop),
    ],
    ids=lambda step: step.describe(),
)
def test_what_is_only_added_is_survived(step: Operation) -> None:
    assert after(step) == []


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (operations.AddField("hall", "door", text()), "default in the database"),
        (operations.AddField("hall", "door", text(default="")), "default in the database"),
        (operations.AddField("hall", "door", text(db_default="", unique=True)), "two rows alike"),
        (operations.AlterField("hall", "name", text(max_length=20)), "shorter"),
        (operations.AlterField("hall", "name", text(unique=True)), "unique"),
        (operations.AlterField("hall", "name", models.TextField()), "type"),
        (operations.AlterField("hall", "city", text(default="")), "null"),
        (operations.AlterField("hall", "left", models.IntegerField(default=0)), "loses"),
        (operations.RemoveField("hall", "name"), "takes away"),
        (operations.RenameField("hall", "name", "title"), "takes away"),
        (operations.DeleteModel("Hall"), "takes away"),
        (operations.RenameModel("Hall", "Room"), "takes away"),
        (operations.AlterUniqueTogether("hall", {("name", "city")}), "takes away"),
        (operations.AddConstraint("hall", constraint(~Q(name=""))), "refuses rows"),
        (
            operations.AddConstraint(
                "hall", models.UniqueConstraint(fields=["name"], name="one_hall_per_name")
            ),
            "refuses rows",
        ),
        (operations.RunPython(operations.RunPython.noop), "taken back"),
        (operations.RunSQL("SELECT 1"), "around Django"),
    ],
    ids=lambda one: one if isinstance(one, str) else one.describe(),
)
def test_what_the_release_before_would_not_survive_is_found(step: Operation, why: str) -> None:
    (fault,) = after(step)
    assert fault.startswith("0099_later: ")
    assert why in fault


def test_another_name_in_python_alone_is_survived() -> None:
    field = text(db_column="name")
    assert (
        after(
            operations.AlterModelTable("hall", f"{APP}_hall"),
            operations.RenameModel("Hall", "Room"),
            operations.AlterField("room", "name", field),
            operations.RenameField("room", "name", "title"),
        )
        == []
    )


def test_a_new_column_may_be_held_to_its_own_words() -> None:
    door = operations.AddField("hall", "door", text(default="in", db_default="in"))
    own_constraint = operations.AddConstraint("hall", constraint(Q(door__in=["in", "out"])))
    joint_constraint = operations.AddConstraint("hall", constraint(Q(door="in") | Q(name="")))
    assert after(door, own_constraint) == []
    assert len(after(door, joint_constraint)) == 1


def test_a_table_that_the_release_before_has_never_seen_may_change() -> None:
    chair = [("id", models.AutoField(primary_key=True)), ("wood", text())]
    assert (
        after(
            operations.CreateModel("Chair", chair),
            operations.AddField("chair", "seat", text(default="")),
            operations.RemoveField("chair", "wood"),
        )
        == []
    )

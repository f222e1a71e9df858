"""Records from before there were cotos, and cotos on the way back to one record a match."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

BEFORE, AFTER = ("tournaments", "0008_seasons"), ("tournaments", "0009_cotos_and_deals")


@pytest.fixture
def at_the_latest(transactional_db: None) -> Iterator[None]:
    """Leave the database as the other tests expect it, whatever happens."""
    yield
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes("tournaments"))


def migrated(target: tuple[str, str]) -> Apps:
    MigrationExecutor(connection).migrate([target])
    apps: Apps = MigrationExecutor(connection).loader.project_state([target]).apps
    return apps


def make(apps: Apps, model: str, **fields: Any) -> Any:
    return apps.get_model("tournaments", model).objects.create(**fields)


def a_record(apps: Apps, match: Any, **fields: Any) -> Any:
    facts = {"digest": "sha256:1", "home_side": "AC", "verdict": {}, "submitter": "test"}
    values = {"source": "web", "text": "{}", "sha256": "0" * 64, "state": "accepted"}
    return make(apps, "Record", match=match, **facts, **values, **fields)


@pytest.mark.slow
def test_a_record_of_before_is_a_single_coto_and_back_a_match_keeps_its_last(
    at_the_latest: None,
) -> None:
    apps = migrated(BEFORE)
    club = make(apps, "Club", name="Peña", slug="pena")
    league = make(apps, "Tournament", club=club, name="Liga", slug="liga", ruleset="parejas-online")
    bot = make(apps, "Bot", slug="liebre", name="Liebre", kind="random")
    entries = [
        make(
            apps,
            "Entry",
            tournament=league,
            number=n,
            name=f"Azar {n}",
            folded=f"azar {n}",
            bot=bot,
            code=f"C{n}",
        )
        for n in (1, 2)
    ]
    stage = make(apps, "Stage", tournament=league, number=1, format="liguilla")
    round_ = make(apps, "Round", stage=stage, number=1, seed="0" * 64, commitment="1" * 64)
    match = make(apps, "Match", round=round_, table=1, home=entries[0], away=entries[1])
    first = a_record(apps, match)
    apps = migrated(AFTER)
    record = apps.get_model("tournaments", "Record").objects.get()
    assert (record.coto, record.said_by) == (1, [])
    assert apps.get_model("tournaments", "Tournament").objects.get().cotos == 1
    second = a_record(apps, record.match, coto=2)
    records = migrated(BEFORE).get_model("tournaments", "Record").objects
    assert dict(records.values_list("pk", "state")) == {
        first.pk: "superseded",
        second.pk: "accepted",
    }

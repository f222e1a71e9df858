"""A liguilla of the release before is there, whole, after the migrations, and before them again."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

BEFORE = ("tournaments", "0002_house_bots")


@pytest.fixture
def at_the_latest(transactional_db: None) -> Iterator[None]:
    """Leave the database as the other tests expect it, whatever happens."""
    yield
    latest()


def migrated(target: tuple[str, str]) -> Apps:
    executor = MigrationExecutor(connection)
    executor.migrate([target])
    return MigrationExecutor(connection).loader.project_state([target]).apps


def latest() -> Apps:
    executor = MigrationExecutor(connection)
    leaves = executor.loader.graph.leaf_nodes("tournaments")
    executor.migrate(leaves)
    return MigrationExecutor(connection).loader.project_state(leaves).apps


def a_liguilla(apps: Apps) -> None:
    """Two bots, two turns, a match with its result, a bye."""

    def make(model: str, **fields: Any) -> Any:
        return apps.get_model("tournaments", model).objects.create(**fields)

    club = make("Club", name="Peña", slug="pena")
    league = make(
        "Tournament", club=club, name="Liguilla", slug="liguilla", ruleset="cuatro", state="running"
    )
    bot = make("Bot", slug="liebre", name="Liebre", kind="random")
    entries = [
        make("Entry", tournament=league, number=n, name=f"Azar {n}", folded=f"azar {n}", bot=bot)
        for n in (1, 2, 3)
    ]
    stage = make("Stage", tournament=league, number=1, format="liguilla", turns=2)
    round_ = make("Round", stage=stage, number=1, seed="0" * 64, commitment="1" * 64)
    match = make("Match", round=round_, table=1, home=entries[0], away=entries[1], state="accepted")
    make("Match", round=round_, table=2, home=entries[2], state="bye")
    make(
        "Result",
        match=match,
        version=1,
        home_hands=3,
        away_hands=1,
        home_points=300,
        away_points=200,
        winner="home",
        reason="the arbiter's word",
        made_by="test",
    )


@pytest.mark.slow
def test_what_was_there_counts_as_before(at_the_latest: None) -> None:
    a_liguilla(migrated(BEFORE))
    apps = latest()
    stage = apps.get_model("tournaments", "Stage").objects.get()
    assert stage.settings == {"turns": 2}
    assert (stage.entrants, len(stage.seed)) == ([1, 2, 3], 64)
    result = apps.get_model("tournaments", "Result").objects.get()
    assert (result.depth, result.counts_from, result.counts_until) == ("ruling", 1, None)
    assert apps.get_model("tournaments", "Match").objects.get(table=2).bye == "pairing"
    codes = apps.get_model("tournaments", "Entry").objects.values_list("code", flat=True)
    assert len(set(codes)) == 3


@pytest.mark.slow
def test_and_goes_back_to_what_it_was(at_the_latest: None) -> None:
    a_liguilla(migrated(BEFORE))
    latest()
    apps = migrated(BEFORE)
    stage: Any = apps.get_model("tournaments", "Stage").objects.get()
    assert stage.turns == 2
    assert apps.get_model("tournaments", "Result").objects.get().winner == "home"

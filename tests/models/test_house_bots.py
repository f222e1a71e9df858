"""The bots that are there from the first migration."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

import engine
from tournaments.models import Bot
from tournaments.models.bots import SUBMITTED_KINDS


@pytest.mark.django_db
def test_each_house_bot_of_the_engine_can_be_entered() -> None:
    assert {bot.kind for bot in Bot.objects.filter(club=None)} == set(engine.HOUSE_BOTS)
    assert set(Bot.Kind.values) - {*SUBMITTED_KINDS} == set(engine.HOUSE_BOTS)


@pytest.fixture
def at_the_latest(transactional_db: None) -> Iterator[None]:
    """Leave the database as the other tests expect it, whatever happens."""
    yield
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes("tournaments"))


@pytest.mark.slow
def test_the_migration_of_the_house_bots_can_be_undone_and_done_again(at_the_latest: None) -> None:
    executor = MigrationExecutor(connection)
    executor.migrate([("tournaments", "0001_initial")])
    assert not Bot.objects.exists()
    executor = MigrationExecutor(connection)
    executor.migrate([("tournaments", "0002_house_bots")])
    assert Bot.objects.count() == 2

"""PostgreSQL's timeouts are the role's: they hold behind a pgbouncer too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from django.db import connection, transaction
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from tournaments.core.db import missing_timeouts, store_timeouts
from tournaments.environment import postgresql
from tournaments.operations.services import archives, readiness

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.django_db

BOTH = {"idle_in_transaction_session_timeout": "1min", "lock_timeout": "3s"}


def described(url: str, *, is_pooled: bool) -> dict[str, Any]:
    return postgresql(urlsplit(url), "baza", is_pooled=is_pooled)


@pytest.fixture
def pooled(postgres_url: str, pgbouncer_url: str) -> Iterator[None]:
    """The default database is one behind a pgbouncer in transaction mode."""
    direct = described(postgres_url, is_pooled=False)
    with archives.on_database(**direct), connection.cursor() as cursor:
        cursor.execute("ALTER ROLE baza IN DATABASE baza RESET ALL")
    with (
        override_settings(DIRECT_DATABASE=direct),
        archives.on_database(**described(pgbouncer_url, is_pooled=True)),
    ):
        yield


def timeouts() -> dict[str, str]:
    settings = {}
    with connection.cursor() as cursor:
        for name in BOTH:
            cursor.execute(f"SHOW {name}")
            settings[name] = cursor.fetchone()[0]
    return settings


@pytest.mark.usefixtures("pooled")
def test_what_migrate_sets_on_the_role_holds_behind_pgbouncer(postgres_url: str) -> None:
    assert missing_timeouts() == sorted(BOTH)
    store_timeouts("default")
    with archives.on_database(**described(postgres_url, is_pooled=False)):
        assert timeouts() == BOTH
        assert missing_timeouts() == []
    with CaptureQueriesContext(connection) as queries:
        store_timeouts("default")
    assert not any("ALTER" in query["sql"] for query in queries), "it was set already"


@pytest.mark.usefixtures("pooled")
def test_readiness_names_the_timeouts_that_are_off() -> None:
    assert [check.ok for check in readiness._timeouts()] == [False]
    store_timeouts("default")
    with transaction.atomic(), connection.cursor() as cursor:
        for name in BOTH:  # the pooled connection is older than the role's settings
            cursor.execute(f"SET LOCAL {name} = '1s'")
        assert [check.ok for check in readiness._timeouts()] == [True]


@pytest.mark.usefixtures("pooled")
def test_a_backup_goes_past_pgbouncer_and_has_no_timeouts() -> None:
    store_timeouts("default")
    with archives.on_own_connection():
        assert connection.settings_dict["PORT"] != 6432
        assert set(timeouts().values()) == {"0"}

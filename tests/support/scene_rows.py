"""Scenes whose rows are made once in a process and inserted for each test that needs them.

The services take a tenth of a second and more to make a scene; its rows are inserted in some
milliseconds. It is Django's `setUpTestData`, but for all modules at once; the scenes of a module of
tests are made before the first of its tests (`scenes_of_the_module` in `tests/conftest.py`).
"""

from __future__ import annotations

import pickle
from collections import defaultdict
from dataclasses import dataclass
from functools import partial, wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import time_machine
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection, transaction

from tournaments.models import AuditEvent, Club

if TYPE_CHECKING:
    from collections.abc import Callable

Arguments = ParamSpec("Arguments")
Made = TypeVar("Made")
Row = tuple[Any, ...]


@dataclass(frozen=True)
class StoredScene:
    """What a function returned, pickled, and the rows that it made, by table."""

    returned: bytes
    rows: dict[str, list[Row]]


makers: dict[str, dict[str, Callable[[], Any]]] = defaultdict(dict)
"""By module: functions by the call that they stand for, such as `running()`."""
scene_cache: dict[str, StoredScene] = {}
"""What they made, since `keep_scenes` has been called."""


def reuse_rows(
    *calls: dict[str, Any],
) -> Callable[[Callable[Arguments, Made]], Callable[Arguments, Made]]:
    """Make the rows of these calls of a function once; without any, those of the bare call.

    They are inserted in a test that runs in a transaction, at the real time, and has made no club,
    user or event yet. In any other test the function is called.
    """

    def decorate(function: Callable[Arguments, Made]) -> Callable[Arguments, Made]:
        for call in calls or ({},):
            makers[function.__module__][key_of(function, call)] = partial(function, **call)

        @wraps(function)
        def make(*arguments: Arguments.args, **keywords: Arguments.kwargs) -> Made:
            scene = scene_cache.get(key_of(function, keywords, *arguments))
            if scene is None or not is_untouched():
                return function(*arguments, **keywords)
            insert(scene.rows)
            returned: Made = pickle.loads(scene.returned)  # noqa: S301 - made by this process
            return returned

        return make

    return decorate


def key_of(function: Callable[..., Any], keywords: dict[str, Any], *arguments: Any) -> str:
    """Write a call as text, the same one however its arguments are given."""
    bound = signature(function).bind(*arguments, **keywords)
    bound.apply_defaults()
    return f"{function.__module__}.{function.__name__}({bound.arguments})"


def is_untouched() -> bool:
    """Return whether the test has made nothing yet, and what it makes is rolled back."""
    return (
        connection.in_atomic_block
        and not time_machine.escape_hatch.is_travelling()
        and not any(model.objects.exists() for model in (Club, User, AuditEvent))
    )


def keep_common_scenes() -> None:
    """Keep the scenes of all modules but those of tests."""
    for module in makers:
        if ".test_" not in module:
            keep_scenes(module)


def keep_scenes(module: str) -> None:
    """Make each scene of a module in the empty database, keep its rows, and take them back.

    This is done before the first test, so that no test's settings or patches are kept.
    """
    before = all_rows()
    for call, make in makers[module].items():
        with transaction.atomic():
            returned = make()
            rows = {
                table: [row for row in result if row not in before[table]]
                for table, result in all_rows().items()
                if result != before[table]
            }
            transaction.set_rollback(True)
        scene_cache[call] = StoredScene(pickle.dumps(returned), rows)


def all_rows() -> dict[str, list[Row]]:
    """Read every table of every model as the database stores it."""
    tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    rows_by_table = {}
    with connection.cursor() as cursor:
        for table in sorted(tables):
            cursor.execute(f"SELECT * FROM {table}")  # noqa: S608 - the name of a table of ours
            rows_by_table[table] = cursor.fetchall()
    return rows_by_table


def insert(rows: dict[str, list[Row]]) -> None:
    """Insert rows as they were read; foreign keys are checked when the test ends."""
    with connection.cursor() as cursor:
        for table, table_rows in rows.items():
            places = ", ".join(["%s"] * len(table_rows[0]))
            cursor.executemany(f"INSERT INTO {table} VALUES ({places})", table_rows)  # noqa: S608

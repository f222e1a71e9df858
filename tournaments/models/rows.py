"""Reading one row, and writing many new ones at once, by the shortest way that there is."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Final, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.models.query import ModelIterable

AS_IT_IS: Final = frozenset(
    {
        *(models.BooleanField, models.CharField, models.TextField, models.DateTimeField),
        *(models.PositiveSmallIntegerField, models.PositiveIntegerField, models.IntegerField),
        *(models.PositiveBigIntegerField, models.BigAutoField),
        *(models.ForeignKey, models.OneToOneField),
    }
)
"""Kinds of fields whose values a database takes as rows have them."""

LARGEST: Final = (1 << 63) - 1
"""The largest whole number that a database knows."""

MARK: Final = 32_001
"""Where a statement has this, or one of the next, a value comes; the smallest columns hold it."""

FEW: Final = 20
"""Rows for which a statement that names them all is as short."""


Row = TypeVar("Row", bound=models.Model)


def only(rows: models.QuerySet[Row]) -> Row | None:
    """Return the row of a query that finds one at most; nothing is sorted, as it is for `first`.

    Writing down the order of a row with many columns costs as much as all the rest.
    """
    return next(iter(rows.order_by()), None)


class Question(Generic[Row]):
    """What is asked again and again for one row, of other values each time.

    Django writes a statement anew at every asking, which takes longer than the answer where tables
    are joined. This one is written once a thread. ``rows`` makes the query of its values; ``kinds``
    are theirs, whole numbers or words, and each stands in it once.
    """

    def __init__(self, rows: Callable[..., models.QuerySet[Row]], *kinds: type[int | str]):
        self._rows = rows
        self._marks = [kind(MARK + place) for place, kind in enumerate(kinds)]
        self._here = threading.local()

    def ask(self, *values: int | str) -> Row | None:
        """Return the row of these values, or any of several."""
        if any(isinstance(value, int) and value > LARGEST for value in values):
            return None
        rows = self._written()
        self._here.values = values
        return next(iter(ModelIterable(rows)), None)

    def _written(self) -> models.QuerySet[Row]:
        """Return this thread's query, whose statement is there and takes the values from here."""
        here = self._here
        if getattr(here, "connection", None) is not connections[DEFAULT_DB_ALIAS]:
            rows = self._rows(*self._marks).order_by()
            compiler = rows.query.get_compiler(rows.db)
            statement, marks = compiler.as_sql()
            places = [self._marks.index(mark) for mark in marks]
            said = lambda: (statement, tuple(here.values[place] for place in places))  # noqa: E731
            vars(compiler)["as_sql"] = said
            vars(rows.query)["get_compiler"] = lambda using: compiler  # noqa: ARG005
            here.rows, here.connection = rows, compiler.connection
        return here.rows  # type: ignore[no-any-return]


def write_rows(rows: Sequence[models.Model], few: int = FEW) -> None:
    """Insert new rows of one model, and give them their keys.

    PostgreSQL takes them as a stream (`COPY`), which spares both sides the reading of a statement
    with all values in it, unless they are fewer than ``few``; its constraints and triggers hold as
    ever. Raises IntegrityError as `bulk_create`.
    """
    if not rows:
        return
    model = type(rows[0])
    if connection.vendor != "postgresql" or len(rows) < few:
        model._default_manager.bulk_create(rows)  # noqa: SLF001 - Django's own word for it
        return
    table, fields = model._meta.db_table, model._meta.concrete_fields
    values = [_reader(field) for field in fields]
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in fields)
    with connection.cursor() as cursor:
        for row, key in zip(rows, _keys(cursor, table, len(rows)), strict=True):
            row.pk = key
        stream: Any = cursor.cursor
        statement = f"COPY {quote(table)} ({columns}) FROM STDIN"
        with connection.wrap_database_errors, stream.copy(statement) as copy:
            for row in rows:
                copy.write_row([value(row) for value in values])
    for row in rows:
        row._state.adding, row._state.db = False, connection.alias  # noqa: SLF001


def _keys(cursor: Any, table: str, count: int) -> list[int]:
    """Take keys for new rows from the sequence of a table."""
    cursor.execute(
        "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
        [table, count],
    )
    return [key for (key,) in cursor.fetchall()]


def _reader(field: models.Field[Any, Any]) -> Callable[[models.Model], Any]:
    """Return what reads a field of a row as the database takes it."""
    if type(field) in AS_IT_IS:
        return attrgetter(field.attname)

    def read(row: models.Model) -> Any:
        return field.get_db_prep_save(field.pre_save(row, add=True), connection)

    return read

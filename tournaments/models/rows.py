"""Reading one row, and writing many new ones at once, by the shortest way that there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Final, TypeVar

from django.db import connection, models

AS_IT_IS: Final = frozenset(
    {
        *(models.BooleanField, models.CharField, models.TextField, models.DateTimeField),
        *(models.PositiveSmallIntegerField, models.PositiveIntegerField, models.IntegerField),
        *(models.PositiveBigIntegerField, models.BigAutoField),
        *(models.ForeignKey, models.OneToOneField),
    }
)
"""Kinds of fields whose values a database takes as rows have them."""

FEW: Final = 20
"""Rows for which a statement that names them all is as short."""


Row = TypeVar("Row", bound=models.Model)


def only(rows: models.QuerySet[Row]) -> Row | None:
    """Return the row of a query that finds one at most; nothing is sorted, as it is for `first`.

    Writing down the order of a row with many columns costs as much as all the rest.
    """
    return next(iter(rows.order_by()), None)


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

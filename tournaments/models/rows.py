"""Reads single rows."""

from typing import TypeVar

from django.db import models

Row = TypeVar("Row", bound=models.Model)


def one_or_none(rows: models.QuerySet[Row]) -> Row | None:
    """Return the row of a query that finds one at most.

    Unlike ``first`` it does not sort: ordering a row with many columns costs more than reading it.
    """
    return next(iter(rows.order_by()), None)

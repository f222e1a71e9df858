"""Finding the rows in which somebody may be named."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from django.db.models import Model, Q, QuerySet, TextField
from django.db.models.functions import Cast

from tournaments.domain.personal_data import CLUB_OF
from tournaments.domain.pseudonyms import Renaming
from tournaments.models import Club

TOGETHER: Final = 200
"""Rows that are read at a time."""


def all_of(model: type[Model]) -> QuerySet[Any]:
    """Return all rows of a model."""
    return model._default_manager.all()  # noqa: SLF001 - what every model has


def rows_naming(
    model: type[Model], columns: Collection[str], renaming: Renaming, club: Club | None
) -> Iterator[Any]:
    """Yield the rows that may hold one of the names in a column; in the order of their keys."""
    rows = all_of(model).order_by("pk")
    path = CLUB_OF.get(model.__name__)
    if club is not None and path is not None:
        rows = rows.filter(**{path: club})
    rows = holding(rows, columns, renaming)
    keys = list(rows.values_list("pk", flat=True))
    for start in range(0, len(keys), TOGETHER):
        some = all_of(model).in_bulk(keys[start : start + TOGETHER])
        yield from (some[key] for key in sorted(some))


def holding(
    rows: QuerySet[Any], columns: Collection[str], renaming: Renaming, other: Q | None = None
) -> QuerySet[Any]:
    """Keep the rows with letters of a name in one of the columns, or that ``other`` keeps."""
    marks = renaming.marks
    if not all(marks):
        return rows
    texts = {f"said_{name}": Cast(name, TextField()) for name in columns}
    wanted = other or Q()
    for text in texts:
        for mark in marks:
            wanted |= Q(**{f"{text}__icontains": mark})
    kept: QuerySet[Any] = rows.alias(**texts).filter(wanted)
    return kept

"""The counted rows, which the audit compares with the events that wrote them."""

from collections.abc import Iterator
from typing import Any, Final

from django.apps import apps
from django.apps.registry import Apps

FETCHED: Final = 2000
"""Rows fetched at a time."""

OF_TOURNAMENT: Final = {
    "tournament": "pk",
    "stage": "tournament",
    "entry": "tournament",
    "penalty": "entry__tournament",
    "record": "match__round__stage__tournament",
    "result": "match__round__stage__tournament",
    "dispute": "match__round__stage__tournament",
}


def audited_rows(kind: str, tournament_pk: int, known: Apps = apps) -> Iterator[Any]:
    """Yield the counted rows of a kind in a tournament, ordered by key.

    Refused records do not count. ``known`` is the registry of models; a migration has its own.
    """
    model = known.get_model("tournaments", kind)
    rows = model.objects.filter(**{OF_TOURNAMENT[kind]: tournament_pk}).order_by("pk")
    if kind == "record":
        rows = rows.exclude(state="refused").defer("text", "verdict", "params", "said_by")
    if kind == "result":
        rows = rows.select_related("match")
    return rows.iterator(chunk_size=FETCHED)  # type: ignore[no-any-return]

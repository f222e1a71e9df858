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
    "prizeline": "tournament",
    "signuprequest": "signup__tournament",
    "signupperson": "request__signup__tournament",
    "cashentry": "tournament",
}

OF_CLUB: Final = {
    "season": "club",
    "seasonevent": "season__club",
    "player": "club",
    "pair": "club",
    "prizeline": "season__club",
}


def audited_rows(kind: str, tournament_pk: int, known: Apps = apps) -> Iterator[Any]:
    """Yield the counted rows of a kind in a tournament, ordered by key.

    Refused records do not count. ``known`` is the registry of models; a migration has its own,
    which lacks those of later tables.
    """
    if kind not in known.all_models["tournaments"]:
        return
    model = known.get_model("tournaments", kind)
    rows = model.objects.filter(**{OF_TOURNAMENT[kind]: tournament_pk}).order_by("pk")
    if kind == "record":
        rows = rows.exclude(state="refused").defer("text", "verdict", "params", "said_by")
    if kind == "result":
        rows = rows.select_related("match")
    yield from rows.iterator(chunk_size=FETCHED)


def audited_rows_of_club(kind: str, club_pk: int, known: Apps = apps) -> Iterator[Any]:
    """Yield the counted rows of a kind that belong to a club itself, ordered by key.

    Of players and pairs those alone that are merged.
    """
    model = known.get_model("tournaments", kind)
    rows = model.objects.filter(**{OF_CLUB[kind]: club_pk}).order_by("pk")
    if kind in {"player", "pair"}:
        rows = rows.exclude(same_as=None)
    yield from rows.iterator(chunk_size=FETCHED)

"""All that an installation knows as lines of JSON, whatever its database: for another installation.

Rows keep their keys, because the history names rows by them; so its chain is the same, byte for
byte. Left behind is what lets somebody in, and what only a running service knows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Final

from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import Field, Model
from django.utils import timezone

from tournaments.domain.proof import PROGRAM
from tournaments.queries.trails import own_key
from tournaments.queries.whole import all_standings, applied_migrations, histories

FORMAT: Final = "baza-everything/1"

APP: Final = "tournaments"

FETCHED: Final = 500
"""Rows that are fetched at a time."""

LEFT: Final[Mapping[str, str]] = {
    "tournaments.ApiToken": "lets a program in",
    "tournaments.NewAddress": "lets somebody in: a link that was mailed",
    "tournaments.Mail": "to be sent with a link that lets somebody in",
    "tournaments.SecondFactor": "lets somebody in, and is sealed with this installation's key",
    "tournaments.RecoveryCode": "lets somebody in",
    "tournaments.SignIn": "belongs to a session",
    "tournaments.Invitation": "lets somebody in",
    "tournaments.Submission": "answers to requests of the last day",
    "tournaments.EvidenceDay": "counts of the day",
    "tournaments.Delivery": "messages under way",
    "tournaments.Pulse": "signs of life of workers",
}
"""Models whose rows are not taken along, each with the reason."""

SECRET: Final[Mapping[str, Mapping[str, Any]]] = {
    "auth.User": {"password": "", "last_login": None},
    "tournaments.Webhook": {"salt": "", "mark": "", "old_salt": "", "old_until": None},
}
"""What stands instead of what nobody else may have, by model and column."""


def carried() -> list[type[Model]]:
    """Return the models whose rows are taken along."""
    models = apps.get_app_config(APP).get_models()
    return [User, *(model for model in models if model._meta.label not in LEFT)]


def columns(model: type[Model]) -> dict[str, Field[Any, Any]]:
    """Return the columns of a model that are taken along, by name."""
    return {field.attname: field for field in model._meta.concrete_fields if not field.generated}


def schema() -> str:
    """Name the last migration of the database."""
    return max(name for name in applied_migrations() if name.startswith(f"{APP}."))


def everything() -> Iterator[bytes]:
    """Yield all lines but the one that ends them: what it is, the rows, what they come to."""
    yield line(
        {
            "format": FORMAT,
            "made_by": PROGRAM,
            "made_at": timezone.now().isoformat(),
            "schema": schema(),
            "audit_key": own_key(),
        }
    )
    for model in carried():
        yield from _rows(model)
    yield line({"state": {"histories": histories(), "standings": all_standings()}})


def _rows(model: type[Model]) -> Iterator[bytes]:
    named, label = columns(model), model._meta.label
    away = {name: None for name in named if _leads_away(named[name])}
    for row in model._meta.base_manager.order_by("pk").values(*named).iterator(FETCHED):
        yield line(
            {
                "row": label,
                **{name: plain(row[name]) for name in named},
                **away,
                **SECRET.get(label, {}),
            }
        )


def _leads_away(field: Field[Any, Any]) -> bool:
    """Tell whether a column names a row that is left behind."""
    model = field.related_model
    return isinstance(model, type) and model._meta.label in LEFT


def plain(value: Any) -> Any:
    """Return a value as JSON writes it, nothing of it lost."""
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value


def line(document: Mapping[str, Any]) -> bytes:
    """Write a line."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"

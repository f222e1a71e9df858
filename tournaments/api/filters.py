"""What a long list may be narrowed to; what is not possible is refused, never passed over."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.utils.dateparse import parse_datetime
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from tournaments.domain.moments import in_utc
from tournaments.errors import Reason, Refusal

MOST_NUMBER: Final = 9999
MOST_TEXT: Final = 100


@dataclass(frozen=True, slots=True)
class Filter:
    """A parameter that narrows a list: how it is described, and how its text is read.

    ``read`` returns ``None`` for what is not possible.
    """

    name: str
    schema: dict[str, Any]
    description: str
    read: Callable[[str], Any]

    @property
    def parameter(self) -> OpenApiParameter:
        """Describe it in the document."""
        return OpenApiParameter(self.name, self.schema, description=self.description)


def one_of(name: str, words: Sequence[str], description: str) -> Filter:
    """Narrow to one of a list of words."""
    known = frozenset(words)
    schema = {"type": "string", "enum": list(words)}
    return Filter(name, schema, description, lambda text: text if text in known else None)


def short_name(name: str, description: str) -> Filter:
    """Narrow to what has or belongs to a short name; there need be nothing of that name."""
    pattern = "^[-a-zA-Z0-9_]{1,50}$"
    schema = {"type": "string", "pattern": pattern}
    return Filter(name, schema, description, lambda text: _like(pattern, text))


def verb(name: str, description: str) -> Filter:
    """Narrow to a kind of event."""
    pattern = r"^[a-z_]{1,40}(\.[a-z_]{1,40})?$"
    schema = {"type": "string", "pattern": pattern}
    return Filter(name, schema, description, lambda text: _like(pattern, text))


def number(name: str, description: str) -> Filter:
    """Narrow to a number from 1."""
    schema = {"type": "integer", "minimum": 1, "maximum": MOST_NUMBER}
    return Filter(name, schema, description, _number)


def words(name: str, description: str) -> Filter:
    """Narrow to what has a text in its name."""
    schema = {"type": "string", "minLength": 1, "maxLength": MOST_TEXT, "pattern": "^[^\\x00]+$"}
    return Filter(name, schema, description, _words)


def moment(name: str, description: str) -> Filter:
    """Narrow to what is not older than a moment, which is told with its offset."""
    return Filter(name, {"type": "string", "format": "date-time"}, description, _moment)


def described(filters: Iterable[Filter]) -> tuple[OpenApiParameter, ...]:
    """Describe filters in the document."""
    return tuple(one.parameter for one in filters)


def wanted(request: Request, filters: Iterable[Filter]) -> dict[str, Any]:
    """Return what a list is narrowed to, by the names of the filters; refuses BAD_PARAMETER."""
    found = {}
    for one in filters:
        texts = request.query_params.getlist(one.name)
        if texts:
            value = one.read(texts[0]) if len(texts) == 1 else None
            if value is None:
                raise Refusal(Reason.BAD_PARAMETER, name=one.name)
            found[one.name] = value
    return found


def _like(pattern: str, text: str) -> str | None:
    return text if re.fullmatch(pattern[1:-1], text) else None


def _number(text: str) -> int | None:
    is_plain = text.isascii() and text.isdigit() and len(text) <= len(str(MOST_NUMBER))
    return (int(text) or None) if is_plain else None


def _words(text: str) -> str | None:
    return text if 0 < len(text) <= MOST_TEXT and "\0" not in text and text.strip() else None


def _moment(text: str) -> datetime | None:
    try:
        found = parse_datetime(text)
    except ValueError:
        return None
    return in_utc(found) if found is not None and found.tzinfo is not None else None

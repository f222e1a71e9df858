"""Pages and filters of lists. A page begins after a key, so it stays right while rows are added.

Invalid cursors and filters are refused, never ignored.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Generic, TypeVar
from urllib.parse import urlencode

from django.core.signing import BadSignature, Signer
from django.utils.dateparse import parse_datetime
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from tournaments.core.api.parameters import bad_parameter
from tournaments.domain.datetimes import in_utc

DEFAULT_SIZE: Final = 50
MAX_PAGE_SIZE: Final = 200

Row = TypeVar("Row")

PARAMETERS: Final = (
    OpenApiParameter(
        "cursor",
        OpenApiTypes.STR,
        description="Where the page starts; taken from `next` or the header `Link`, never made up.",
    ),
    OpenApiParameter(
        "page_size",
        {"type": "integer", "minimum": 1, "maximum": MAX_PAGE_SIZE, "default": DEFAULT_SIZE},
        description="Rows a page.",
    ),
)
PAGE_PARAMETERS: Final = frozenset({"cursor", "page_size"})


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Some rows of a list, and the address of the next ones."""

    results: Sequence[Row]
    next: str | None

    @property
    def headers(self) -> dict[str, str]:
        """The address of the next page as RFC 8288 writes it."""
        return {"Link": f'<{self.next}>; rel="next"'} if self.next else {}


def paginate(
    request: Request, fetch: Callable[[str, int], Sequence[Row]], key: Callable[[Row], str]
) -> Page[Row]:
    """Return the requested page: `fetch` returns rows after a key, `key` the key of a row."""
    size = read_page_size(request)
    rows = fetch(cursor_of(request), size + 1)
    if len(rows) <= size:
        return Page(rows, None)
    page = rows[:size]
    cursor = signer_of(request).sign_object(key(page[-1]))
    return Page(page, replace_query_param(request.build_absolute_uri(), "cursor", cursor))


def read_page_size(request: Request) -> int:
    """Return the requested number of rows. Refuses BAD_PARAMETER."""
    text = request.query_params.get("page_size", str(DEFAULT_SIZE))
    if not (text.isascii() and text.isdigit() and len(text) < 5 and 0 < int(text) <= MAX_PAGE_SIZE):
        raise bad_parameter("page_size")
    return int(text)


def cursor_of(request: Request) -> str:
    """Return the key after which the page starts: empty for the first page."""
    cursor = request.query_params.get("cursor")
    if cursor is None:
        return ""
    try:
        return str(signer_of(request).unsign_object(cursor))
    except BadSignature as error:
        raise bad_parameter("cursor", "cursor") from error


def signer_of(request: Request) -> Signer:
    """Return the signer of the cursors of one list with its filters, valid for no other list."""
    narrowed = sorted(
        (name, text)
        for name, texts in request.query_params.lists()
        for text in texts
        if name not in PAGE_PARAMETERS
    )
    salt = f"cursor:{request.path}"
    return Signer(salt=f"{salt}?{urlencode(narrowed)}" if narrowed else salt)


MAX_NUMBER: Final = 9999
MAX_TEXT: Final = 100


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


def filter_choice(name: str, words: Sequence[str], description: str) -> Filter:
    """Filter by one of several values."""
    known = frozenset(words)
    schema = {"type": "string", "enum": list(words)}
    return Filter(name, schema, description, lambda text: text if text in known else None)


def filter_slug(name: str, description: str) -> Filter:
    """Filter by a short name, which need not exist."""
    pattern = "^[-a-zA-Z0-9_]{1,50}$"
    schema = {"type": "string", "pattern": pattern}
    return Filter(name, schema, description, lambda text: _read_pattern(pattern, text))


def filter_verb(name: str, description: str) -> Filter:
    """Filter by the verb of an event."""
    pattern = r"^[a-z_]{1,40}(\.[a-z_]{1,40})?$"
    schema = {"type": "string", "pattern": pattern}
    return Filter(name, schema, description, lambda text: _read_pattern(pattern, text))


def filter_number(name: str, description: str) -> Filter:
    """Filter by a number from 1."""
    schema = {"type": "integer", "minimum": 1, "maximum": MAX_NUMBER}
    return Filter(name, schema, description, _read_number)


def filter_name(name: str, description: str) -> Filter:
    """Filter by a part of the name."""
    schema = {"type": "string", "minLength": 1, "maxLength": MAX_TEXT, "pattern": "^[^\\x00]+$"}
    return Filter(name, schema, description, _read_name)


def filter_moment(name: str, description: str) -> Filter:
    """Filter by a time that the rows are not older than, given with its offset."""
    return Filter(name, {"type": "string", "format": "date-time"}, description, _read_moment)


def filter_parameters(filters: Iterable[Filter]) -> tuple[OpenApiParameter, ...]:
    """Describe filters in the document."""
    return tuple(filter_.parameter for filter_ in filters)


def read_filters(request: Request, filters: Iterable[Filter]) -> dict[str, Any]:
    """Return the values of the filters in a request, by name. Refuses BAD_PARAMETER."""
    values = {}
    for filter_ in filters:
        text = request.query_params.get(filter_.name)
        if text is not None:
            value = filter_.read(text)
            if value is None:
                raise bad_parameter(filter_.name, allowed=filter_.schema.get("enum", ()))
            values[filter_.name] = value
    return values


def _read_pattern(pattern: str, text: str) -> str | None:
    return text if re.fullmatch(pattern[1:-1], text) else None


def _read_number(text: str) -> int | None:
    is_plain = text.isascii() and text.isdigit() and len(text) <= len(str(MAX_NUMBER))
    return (int(text) or None) if is_plain else None


def _read_name(text: str) -> str | None:
    return text if 0 < len(text) <= MAX_TEXT and "\0" not in text and text.strip() else None


def _read_moment(text: str) -> datetime | None:
    try:
        found = parse_datetime(text)
    except ValueError:
        return None
    return in_utc(found) if found is not None and found.tzinfo is not None else None


NAME_FILTER: Final = filter_name("name", "Those with this in their name, as names are compared.")

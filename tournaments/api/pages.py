"""How a long list is cut: by key, so that a page stays right while rows are added."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar
from urllib.parse import urlencode

from django.core.signing import BadSignature, Signer
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from tournaments.errors import Reason, Refusal

DEFAULT_SIZE: Final = 50
LARGEST_SIZE: Final = 200

Row = TypeVar("Row")

PARAMETERS: Final = (
    OpenApiParameter(
        "cursor",
        OpenApiTypes.STR,
        description="Where the page starts; taken from `next` or the header `Link`, never made up.",
    ),
    OpenApiParameter(
        "page_size",
        {"type": "integer", "minimum": 1, "maximum": LARGEST_SIZE, "default": DEFAULT_SIZE},
        description="Rows a page.",
    ),
)
OF_PAGES: Final = frozenset({"cursor", "page_size"})


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Some rows of a list, and the address of the next ones."""

    results: Sequence[Row]
    next: str | None

    @property
    def headers(self) -> dict[str, str]:
        """The address of the next page as RFC 8288 writes it."""
        return {"Link": f'<{self.next}>; rel="next"'} if self.next else {}


def cut(
    request: Request, fetch: Callable[[str, int], Sequence[Row]], key: Callable[[Row], str]
) -> Page[Row]:
    """Return the page asked for: `fetch` gives so many rows after a key, `key` the key of one."""
    size = size_of(request)
    rows = fetch(cursor_of(request), size + 1)
    if len(rows) <= size:
        return Page(rows, None)
    page = rows[:size]
    cursor = signer_of(request).sign_object(key(page[-1]))
    return Page(page, replace_query_param(request.build_absolute_uri(), "cursor", cursor))


def size_of(request: Request) -> int:
    """Return how many rows are asked for."""
    text = request.query_params.get("page_size", str(DEFAULT_SIZE))
    if not (text.isascii() and text.isdigit() and len(text) < 5 and 0 < int(text) <= LARGEST_SIZE):
        raise Refusal(Reason.BAD_PARAMETER, name="page_size")
    return int(text)


def cursor_of(request: Request) -> str:
    """Return the key after which the page starts: empty for the first page."""
    cursor = request.query_params.get("cursor")
    if cursor is None:
        return ""
    try:
        return str(signer_of(request).unsign_object(cursor))
    except BadSignature as error:
        raise Refusal(Reason.BAD_PARAMETER, name="cursor") from error


def signer_of(request: Request) -> Signer:
    """Sign cursors for this list alone, narrowed as it is: none is made up or carried off."""
    narrowed = sorted(
        (name, text)
        for name, texts in request.query_params.lists()
        for text in texts
        if name not in OF_PAGES
    )
    salt = f"cursor:{request.path}"
    return Signer(salt=f"{salt}?{urlencode(narrowed)}" if narrowed else salt)

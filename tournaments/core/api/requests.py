"""Reads the parameters and bodies of the API's requests, and refuses what they may not hold."""

from email.message import Message
from io import BytesIO
from typing import Any, Final

from django.db.models import Model
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

import engine
from tournaments.core.api.serializers import StrictSerializer
from tournaments.core.errors import Reason, Refusal

MEDIA_TYPE: Final = "application/json"
LINES: Final = "application/x-ndjson"
UNCHANGED: Final = frozenset({"", "identity"})
"""The content encodings that leave a body as it is."""

KEY: Final = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": "^[!-~]{1,200}$"},
    OpenApiParameter.HEADER,
    required=True,
    description="The same with every attempt of one submission: it is then carried out once, and "
    "the first answer is given again with `Idempotency-Replayed: true`.",
)


def refuse_unknown(request: Request, known: frozenset[str]) -> None:
    """Refuse query parameters that the address does not know or that come twice.

    A null character is in no value: PostgreSQL can compare nothing with it.
    """
    for name, values in request.query_params.lists():
        if name not in known or len(values) > 1 or "\0" in values[0]:
            raise Refusal(Reason.BAD_PARAMETER, name=name)


def read_number(request: Request, name: str) -> int | None:
    """Return the number from 1 to 999 that a query parameter gives, if it is there."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 4 and int(text)):
        raise Refusal(Reason.BAD_PARAMETER, name=name)
    return int(text)


def read_flag(request: Request, name: str) -> bool:
    """Return whether a query parameter is 1; it may be left out or 0."""
    text = request.query_params.get(name, "0")
    if text not in {"0", "1"}:
        raise Refusal(Reason.BAD_PARAMETER, name=name)
    return text == "1"


def read_key(request: Request) -> str:
    """Return the idempotency key; the service checks its form."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        raise Refusal(Reason.KEY_MISSING)
    return key.strip()


def read_body(
    request: Request,
    limit: int = engine.MAX_BYTES,
    media_type: str = MEDIA_TYPE,
    *,
    may_be_empty: bool = True,
) -> bytes:
    """Return the body; of one that is too large only as much as shows that it is.

    A request without a body has no media type, and most clients name none.

    A length that the sender states is not believed: never more than the limit and one byte is read.
    What was read is left where a retry can read it again (:mod:`.error_handlers`).
    """
    whole = request._request  # noqa: SLF001 - past DRF's parsers
    raw = bytes(whole.read(limit + 1))
    if raw or request.META.get("CONTENT_TYPE") or not may_be_empty:
        refuse_media_type(request, media_type)
    if not whole._stream.seekable():  # noqa: SLF001 - no public way
        whole._stream = BytesIO(raw)  # noqa: SLF001
    return raw


def refuse_media_type(request: Request, media_type: str) -> None:
    """Refuse everything but plain text of this type in UTF-8: other charsets, compression."""
    header = Message()
    header["Content-Type"] = request.META.get("CONTENT_TYPE") or "application/octet-stream"
    charset = str(header.get_param("charset", "utf-8")).lower()
    encoding = request.headers.get("Content-Encoding", "").strip().lower()
    is_of_it = header.get_content_type() == media_type and charset in {"utf-8", "utf8"}
    if not is_of_it or encoding not in UNCHANGED:
        headers = {"Accept-Post": media_type}
        raise Refusal(Reason.UNSUPPORTED_MEDIA_TYPE, headers=headers, kind=media_type)


def validate(
    serializer: type[StrictSerializer], raw: bytes, limit: int = engine.MAX_BYTES
) -> dict[str, Any]:
    """Return the validated fields of a body; refuses TOO_LARGE, BAD_REQUEST, BAD_PARAMETER."""
    bound = serializer(data=read_object(raw, limit))
    if not bound.is_valid():
        raise Refusal(Reason.BAD_PARAMETER, name=place_of(bound.errors))
    return dict(bound.validated_data)


def read_object(raw: bytes, limit: int) -> dict[str, Any]:
    """Return the object that a body is, read as strictly as a record; an empty body is `{}`."""
    if len(raw) > limit:
        raise Refusal(Reason.TOO_LARGE)
    try:
        body = engine.read_json(raw or b"{}")
    except engine.RecordError as error:
        raise Refusal(
            Reason.BAD_REQUEST, reason=error.reason, line=error.line, column=error.column
        ) from error
    if not isinstance(body, dict):
        raise Refusal(Reason.BAD_REQUEST, reason="expected_object")
    return body


def place_of(errors: Any) -> str:
    """Return the first field with an error; in a list of objects with its index: `entries/3`."""
    name, found = next(iter(errors.items()))
    for index, row in found.items() if isinstance(found, dict) else ():
        if isinstance(row, dict):  # of an object; what is wrong with a text of a list is a list
            return f"{name}/{index}"
    return str(name)


def address(request: Request, name: str, row: Model | None) -> str | None:
    """Return the address of a row in the API; `None` for no row."""
    if row is None:
        return None
    return request.build_absolute_uri(reverse(f"api:{name}", args=[row.pk]))

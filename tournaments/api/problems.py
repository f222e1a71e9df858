"""Every no of the API in one shape: `application/problem+json` (RFC 9457).

Beside `type`, `title`, `status`, `detail` and `instance` a problem carries its stable `code`. What
else it may carry is told in `shapes.problems`.
"""

import logging
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.db import InterfaceError, OperationalError
from django.http import Http404
from django.http.request import UnreadablePostError
from django.urls import reverse
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.codes import Wire, WireRefusal, title
from tournaments.errors import ImportFault, Reason, Refusal
from tournaments.logs import current_number, number_of
from tournaments.queries.lists import ROWS

CONTENT_TYPE: Final = "application/problem+json"
log = logging.getLogger(__name__)


def problem(
    request: Request,
    code: str,
    status: int,
    detail: str,
    *,
    headers: Mapping[str, str] | None = None,
    **members: Any,
) -> Response:
    """Return the answer that says no; members that are `None` are left out."""
    body = {
        "type": f"{request.build_absolute_uri(reverse('api:problems'))}#{code}",
        "title": title(code),
        "status": status,
        "detail": detail,
        "instance": request.path,
        "code": code,
        **{name: value for name, value in members.items() if value is not None},
    }
    return Response(
        body, status=status, content_type=CONTENT_TYPE, headers=_headers(status, headers)
    )


def answer(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Turn what a door raised into a problem (DRF's `EXCEPTION_HANDLER`); a bug is a bare 500.

    What is wrong with the database is raised again, for :mod:`.patience` to decide about.
    """
    request: Request = context["request"]
    if isinstance(error, (OperationalError, InterfaceError)):
        return None
    for kind, reply in REPLIES.items():
        if isinstance(error, kind):
            return reply(request, error)
    return _bug(request, error)


def _headers(status: int, headers: Mapping[str, str] | None) -> dict[str, str]:
    """Forbid keeping the answer, and challenge a 401 (RFC 6750)."""
    challenge = {"WWW-Authenticate": 'Bearer realm="baza"'} if status == 401 else {}
    return {"Cache-Control": "no-store", **challenge, **(headers or {})}


def _refused(request: Request, error: Refusal) -> Response:
    headers = {}
    if error.reason is Reason.BAD_TOKEN:
        headers["WWW-Authenticate"] = 'Bearer realm="baza", error="invalid_token"'
    if "retry_after" in error.params:
        headers["Retry-After"] = str(error.params["retry_after"])
    errors = [fault_of(fault) for fault in error.errors] or None
    return problem(request, error.code, error.status, error.message, headers=headers, errors=errors)


def fault_of(fault: ImportFault) -> dict[str, Any]:
    """Return what is wrong in a list: in the line of a file, or in a row by its index."""
    at = {"index": fault.line - 1} if fault.file == ROWS else {"line": fault.line}
    return {"list": fault.file, **at, "code": fault.code, "detail": fault.message}


def _refused_here(request: Request, error: WireRefusal) -> Response:
    said = {"parameter": "name"} if error.reason is Wire.BAD_PARAMETER else {}
    if error.reason is Wire.BAD_REQUEST:
        said = {member: member for member in ("reason", "line", "column")}
    return problem(
        request,
        error.reason.code,
        error.reason.status,
        error.message,
        headers=error.headers,
        **{member: error.params.get(name) for member, name in said.items()},
    )


def _throttled(request: Request, error: exceptions.Throttled) -> Response:
    seconds = math.ceil(getattr(error, "wait", None) or 1)
    return _refused_here(
        request,
        WireRefusal(Wire.THROTTLED, headers={"Retry-After": str(seconds)}, seconds=seconds),
    )


def _bug(request: Request, error: Exception) -> Response:
    """Write the bug down, tell Django's listeners, and show the request's number alone."""
    number = number_of(current_number())
    log.error("A bug, request %s", number, exc_info=error)
    got_request_exception.send(sender=None, request=request._request)  # noqa: SLF001 - Django's own
    wire = Wire.INTERNAL_ERROR
    return problem(request, wire.code, wire.status, str(wire.text), request_id=number)


def _always(
    refusal: Callable[[Request], Refusal | WireRefusal],
) -> Callable[[Request, Any], Response]:
    """Reply with a refusal of ours to an exception of Django or DRF, whatever that one says."""

    def reply(request: Request, _error: Exception) -> Response:
        said = refusal(request)
        return (
            _refused(request, said) if isinstance(said, Refusal) else _refused_here(request, said)
        )

    return reply


REPLIES: Final[Mapping[type[Exception], Callable[[Request, Any], Response]]] = {
    Refusal: _refused,
    WireRefusal: _refused_here,
    Http404: _always(lambda _: Refusal(Reason.NOT_FOUND)),
    exceptions.NotFound: _always(lambda _: Refusal(Reason.NOT_FOUND)),
    exceptions.NotAuthenticated: _always(lambda _: Refusal(Reason.SIGN_IN)),
    PermissionDenied: _always(lambda _: Refusal(Reason.FORBIDDEN)),
    exceptions.MethodNotAllowed: _always(
        lambda request: WireRefusal(Wire.METHOD_NOT_ALLOWED, method=request.method)
    ),
    exceptions.NotAcceptable: _always(
        lambda _: WireRefusal(Wire.NOT_ACCEPTABLE, kind="application/json")
    ),
    exceptions.Throttled: _throttled,
    RequestDataTooBig: _always(lambda _: WireRefusal(Wire.TOO_LARGE)),
    SuspiciousOperation: _always(lambda _: WireRefusal(Wire.BAD_REQUEST)),
    UnreadablePostError: _always(lambda _: WireRefusal(Wire.BAD_REQUEST)),
    exceptions.ParseError: _always(lambda _: WireRefusal(Wire.BAD_REQUEST)),
}
"""What is raised, and the reply to it; the first kind that fits counts, anything else is a bug."""

"""Problem responses of the API: every refusal as `application/problem+json` (RFC 9457).

Beside `type`, `title`, `status`, `detail` and `instance` a problem carries its stable `code`. What
else it may carry is in `core.api.serializers`.
"""

import logging
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.db import InterfaceError, OperationalError
from django.http import Http404
from django.http.request import UnreadablePostError
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.api.scopes import missing_scopes
from tournaments.core.api.serializers import WhoQuestion
from tournaments.core.errors import PARAMETER, ImportFault, Reason, Refusal, megabytes
from tournaments.core.faults import FAULT_STATUS, RECORD_FAULTS, ROWS
from tournaments.core.logs import current_number, valid_or_new_number

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
    """Return a problem response (RFC 9457); members that are `None` are left out."""
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


def handle_exception(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Turn an exception of a view into a problem (DRF's `EXCEPTION_HANDLER`); a bug is a bare 500.

    What is wrong with the database is raised again, for :mod:`.error_handlers` to decide about.
    """
    request: Request = context["request"]
    if isinstance(error, (OperationalError, InterfaceError)):
        return None
    for kind, reply in REPLIES.items():
        if isinstance(error, kind):
            return reply(request, error)
    return _server_error_response(request, error)


def _headers(status: int, headers: Mapping[str, str] | None) -> dict[str, str]:
    """Return headers that forbid caching and challenge a 401 (RFC 6750)."""
    challenge = {"WWW-Authenticate": 'Bearer realm="baza"'} if status == 401 else {}
    return {"Cache-Control": "no-store", **challenge, **(headers or {})}


ALLOWED: Final = {"allowed": "allowed"}
MEMBERS: Final[Mapping[Reason, Mapping[str, str]]] = {
    Reason.BAD_PARAMETER: {
        "parameter": "name",
        "reason": "reason",
        "allowed": "allowed",
        "pointer": "pointer",
    },
    Reason.BAD_STAGE: {"pointer": "pointer"},
    Reason.BAD_REQUEST: {"reason": "reason", "line": "line", "column": "column"},
    Reason.UNKNOWN_BOT: ALLOWED,
    Reason.UNKNOWN_CHOICE: ALLOWED,
    Reason.UNKNOWN_EVENT: ALLOWED,
    Reason.UNKNOWN_FORMAT: ALLOWED,
    Reason.UNKNOWN_RULESET: ALLOWED,
    Reason.UNKNOWN_RULING: ALLOWED,
    Reason.UNKNOWN_SIDE: ALLOWED,
}
"""Members of a problem that are parameters of its refusal."""

SCOPE_REFUSALS: Final = frozenset({Reason.FORBIDDEN, Reason.NOT_FOUND})
"""Refusals that name the scopes which the operation needs and the token lacks.

NOT_FOUND is also that of what may not be seen; the scopes depend on the address alone, so that
naming them does not say which it is.
"""


def _refusal_response(request: Request, error: Refusal) -> Response:
    headers, detail = dict(error.headers), error.message
    if error.reason is Reason.BAD_TOKEN:
        headers["WWW-Authenticate"] = 'Bearer realm="baza", error="invalid_token"'
    scope = missing_scopes(request) if error.reason in SCOPE_REFUSALS else ""
    if scope and error.reason is Reason.FORBIDDEN:
        challenge = f'Bearer realm="baza", error="insufficient_scope", scope="{scope}"'
        headers["WWW-Authenticate"] = challenge
        detail = _("You may not do this. The token lacks: %(scope)s.") % {"scope": scope}
    if "retry_after" in error.params:
        headers["Retry-After"] = str(error.params["retry_after"])
    members = MEMBERS.get(error.reason, {})
    return problem(
        request,
        error.code,
        error.status,
        detail,
        headers=headers,
        scope=scope or None,
        errors=[import_fault_member(fault) for fault in error.errors] or None,
        who=WhoQuestion(error.params.get("who", ()), many=True).data or None,
        **{member: error.params.get(name) for member, name in members.items()},
    )


def import_fault_member(fault: ImportFault) -> dict[str, Any]:
    """Return a fault of an imported list as JSON: by line of a file, or by index of a row."""
    position = {"index": fault.line - 1} if fault.file == ROWS else {"line": fault.line}
    return {"list": fault.file, **position, "code": fault.code, "detail": fault.message}


def _throttled_response(request: Request, error: exceptions.Throttled) -> Response:
    seconds = math.ceil(getattr(error, "wait", None) or 1)
    headers = {"Retry-After": str(seconds)}
    return _refusal_response(request, Refusal(Reason.THROTTLED, headers=headers, seconds=seconds))


def _server_error_response(request: Request, error: Exception) -> Response:
    """Log the exception, send Django's signal, and show the number of the request alone."""
    number = valid_or_new_number(current_number())
    log.error("A bug, request %s", number, exc_info=error)
    got_request_exception.send(sender=None, request=request._request)  # noqa: SLF001 - Django's own
    bug = Refusal(Reason.INTERNAL_ERROR)
    return problem(request, bug.code, bug.status, bug.message, request_id=number)


def _respond_with(refusal: Callable[[Request], Refusal]) -> Callable[[Request, Any], Response]:
    """Return a handler that answers an exception of Django or DRF with a refusal of ours."""
    return lambda request, _error: _refusal_response(request, refusal(request))


REPLIES: Final[Mapping[type[Exception], Callable[[Request, Any], Response]]] = {
    Refusal: _refusal_response,
    Http404: _respond_with(lambda _: Refusal(Reason.NOT_FOUND)),
    exceptions.NotFound: _respond_with(lambda _: Refusal(Reason.NOT_FOUND)),
    exceptions.NotAuthenticated: _respond_with(lambda _: Refusal(Reason.SIGN_IN)),
    PermissionDenied: _respond_with(lambda _: Refusal(Reason.FORBIDDEN)),
    exceptions.MethodNotAllowed: _respond_with(
        lambda request: Refusal(Reason.METHOD_NOT_ALLOWED, method=request.method)
    ),
    exceptions.NotAcceptable: _respond_with(
        lambda _: Refusal(Reason.NOT_ACCEPTABLE, kind="application/json")
    ),
    exceptions.Throttled: _throttled_response,
    RequestDataTooBig: _respond_with(
        lambda _: Refusal(
            Reason.TOO_LARGE, most=megabytes(settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0)
        )
    ),
    SuspiciousOperation: _respond_with(lambda _: Refusal(Reason.BAD_REQUEST)),
    UnreadablePostError: _respond_with(lambda _: Refusal(Reason.BAD_REQUEST)),
    exceptions.ParseError: _respond_with(lambda _: Refusal(Reason.BAD_REQUEST)),
}
"""What is raised, and the reply to it; the first kind that fits counts, anything else is a bug."""


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """One kind of problem: its code, the statuses it is answered with, what it means."""

    code: str
    status: tuple[int, ...]
    description: str

    @property
    def title(self) -> str:
        """What every problem of this kind is called."""
        return title(self.code)


def title(code: str) -> str:
    """Return a code in words: `play.must_head` is `Play: must head`."""
    words = code.replace("_", " ").replace(".", ": ")
    return words[:1].upper() + words[1:]


def kinds() -> Iterator[ProblemKind]:
    """Yield every kind of problem, described in the language in use."""
    for reason in Reason:
        yield ProblemKind(reason.code, (reason.status,), PARAMETER.sub("…", str(reason.text)))
    for code, text in RECORD_FAULTS.items():
        yield ProblemKind(code, fault_statuses(code), str(text))


def fault_statuses(code: str) -> tuple[int, ...]:
    """Return the statuses under which a record is refused for this fault."""
    if code == "record.limit":
        return (400, 413)
    return (FAULT_STATUS.get(code, 400 if code.startswith("record.") else 422),)

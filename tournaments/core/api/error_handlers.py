"""Answers outside the views: bad addresses, bugs, and a database that does not answer.

Under `/api/` in the API's own shape, elsewhere as a page.
"""

import logging
import sys
from collections.abc import Callable
from typing import Any, Final

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.views import defaults

from tournaments.core.api.problems import CONTENT_TYPE, title
from tournaments.core.db import is_disk_full, retry_transaction
from tournaments.core.errors import Reason
from tournaments.core.logs import current_number, valid_or_new_number

DATABASE_ERRORS: Final = (OperationalError, InterfaceError)
"""What Django raises when the database does not answer."""

RETRY_AFTER: Final = "5"  # seconds

View = Callable[..., HttpResponse]
log = logging.getLogger(__name__)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that Django cannot take, such as one for a host that is not ours."""
    if not _is_api_request(request):
        return defaults.bad_request(request, exception)
    return _problem(request, Reason.BAD_REQUEST)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an address that leads nowhere."""
    if not _is_api_request(request):
        return defaults.page_not_found(request, exception)
    return _problem(request, Reason.NOT_FOUND)


def unavailable(request: HttpRequest, error: BaseException | None = None) -> HttpResponse:
    """Answer while the database does not respond, or locks last too long: 503 and `Retry-After`.

    Where the disk is full, 507. The page runs no query, not even for the signed-in user.
    """
    reason = Reason.DISK_FULL if is_disk_full(error) else Reason.UNAVAILABLE
    if _is_api_request(request):
        answer: HttpResponse = _problem(request, reason)
    else:
        page = render_to_string("503.html", {"is_full": reason is Reason.DISK_FULL})
        answer = HttpResponse(page, status=reason.status)
    answer["Retry-After"] = RETRY_AFTER
    answer["Cache-Control"] = "no-store"
    return answer


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an error outside the views, such as a session that could not be saved."""
    error = sys.exc_info()[1]
    if isinstance(error, DATABASE_ERRORS) or is_disk_full(error):
        return unavailable(request, error)
    number = valid_or_new_number(current_number())
    if not _is_api_request(request):
        return HttpResponse(_bug_page(number), status=Reason.INTERNAL_ERROR.status)
    log.error("A bug, request %s", number, exc_info=error)
    return _problem(request, Reason.INTERNAL_ERROR, request_id=number)


def _bug_page(number: str) -> str:
    """Return the page about a bug: without its frame where the frame itself is what fails."""
    try:
        return render_to_string("500.html", {"request_id": number})
    except Exception:
        log.exception("The page about a bug, request %s", number)
        text = "<!DOCTYPE html><title>500</title><h1>{}</h1><p><code>{}</code></p>"
        return format_html(text, title(Reason.INTERNAL_ERROR.code), number)


def _is_api_request(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def _problem(request: HttpRequest, reason: Reason, **members: str) -> JsonResponse:
    body = {
        "type": "about:blank",  # not built from the request's host, which may be forged
        "title": title(reason.code),
        "status": reason.status,
        "detail": str(reason.text),
        "instance": request.path,
        "code": reason.code,
        **members,
    }
    return JsonResponse(body, status=reason.status, content_type=CONTENT_TYPE)


class RetryMiddleware:
    """Retries a request whose transaction the database has rolled back; then answers 503.

    For pages and for the API alike: a request carries out one verb, whose only effects before the
    commit are in its transaction (:mod:`tournaments.core.db`). Synchronous, as the last middleware:
    under ASGI all those before it are then called synchronously, too, in one thread.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: View, arguments: tuple[Any, ...], named: dict[str, Any]
    ) -> HttpResponse:
        """Call the view and retry it.

        What another transaction has thwarted succeeds the next time, and nothing was answered yet.
        """
        try:
            return retry_transaction(
                lambda: view(request, *arguments, **named), rewind=lambda: rewind(request)
            )
        except DATABASE_ERRORS as error:
            log.exception("The database does not answer: %s", str(error).partition("\n")[0])
            return unavailable(request, error)


def rewind(request: HttpRequest) -> None:
    """Seek to the start of the body and of uploaded files, for a retry."""
    if hasattr(request, "_files"):  # otherwise none was read yet
        for _name, files in request.FILES.lists():
            for file in files:
                file.seek(0)
    if request._stream.seekable():  # noqa: SLF001 - no public way
        request._stream.seek(0)  # noqa: SLF001

"""Logs and counts every request under its number."""

import logging
import time
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from tournaments.core import logs, metrics

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
NUMBER: Final = "X-Request-ID"
QUIET: Final = ("/static/", "/healthz", "/readyz", "/metrics")
"""Addresses polled so often that only their failures are logged."""

log = logging.getLogger("tournaments.web.watch")  # operators filter by this name


class RequestLog:
    """The outermost synchronous middleware: logs each request and sets its number.

    The number comes from `X-Request-ID` if it is valid, and is returned in the answer.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, then log."""
        number = logs.number_of(request.headers.get(NUMBER, ""))
        began = time.monotonic()
        with logs.answering(request, number):
            return log_response(request, self.get_response(request), number, began)


def log_response(
    request: HttpRequest, response: HttpResponseBase, number: str, began: float
) -> HttpResponseBase:
    """Count the answer, log it, and set the number on it."""
    seconds = time.monotonic() - began
    response.headers.setdefault(NUMBER, number)
    route, method = name_of(request), request.method if request.method in METHODS else "OTHER"
    metrics.REQUESTS.labels(route, method, response.status_code).inc()
    metrics.DURATION.labels(route, method).observe(seconds)
    facts = {"status_code": response.status_code, "duration_ms": round(seconds * 1000, 1)}
    if response.status_code >= 500 or not request.path.startswith(QUIET):
        level = logging.WARNING if response.status_code >= 500 else logging.INFO
        text = "%s %s %s %.0f ms"
        where = logs.route_of(request)
        log.log(level, text, method, where, response.status_code, seconds * 1000, extra=facts)
    return response


def name_of(request: HttpRequest) -> str:
    """Return the name of the route: a limited set of labels, whatever addresses are requested."""
    if request.resolver_match is not None:
        return request.resolver_match.view_name or "unnamed"
    first = next((path for path in QUIET if request.path.startswith(path)), "none")
    return first.strip("/")

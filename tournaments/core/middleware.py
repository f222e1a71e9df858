"""The service's own middleware: slots and log of requests, headers, and null characters."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final

from asgiref.sync import markcoroutinefunction, sync_to_async
from django.conf import settings
from django.core.exceptions import BadRequest
from django.db import close_old_connections
from django.http import Http404, HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin

from tournaments.core import logs, metrics


class RequestLimit:
    """The outermost middleware under ASGI: gives `settings.REQUESTS_AT_ONCE` requests a slot each.

    Django reads the body before it calls the middleware and sends the answer afterwards, so a slow
    network holds no slot. All other middleware is synchronous and runs with the view in the one
    thread that Django has for the request.
    """

    sync_capable = False
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Awaitable[HttpResponseBase]]) -> None:
        self.get_response = get_response
        self.slots = asyncio.Semaphore(settings.REQUESTS_AT_ONCE)
        markcoroutinefunction(self)

    async def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Wait for a slot, then answer."""
        async with self.slots:
            try:
                return await self.get_response(request)
            finally:
                # Django does so only once the answer has been sent: a few slow clients would hold
                # all connections of the pool. This runs in the request's own thread, so the slot of
                # a request whose client has gone stays taken until its view has returned.
                await sync_to_async(close_old_connections)()


METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
NUMBER_HEADER: Final = "X-Request-ID"
UNLOGGED_PATHS: Final = ("/static/", "/healthz", "/readyz", "/metrics")
"""Addresses polled so often that only their failures are logged."""

log = logging.getLogger(__name__)


class RequestLog:
    """The outermost synchronous middleware: logs each request and sets its number.

    The number comes from `X-Request-ID` if it is valid, and is returned in the answer.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, then log."""
        number = logs.valid_or_new_number(request.headers.get(NUMBER_HEADER, ""))
        start = time.monotonic()
        with logs.log_request(request, number):
            return log_response(request, self.get_response(request), number, start)


def log_response(
    request: HttpRequest, response: HttpResponseBase, number: str, start: float
) -> HttpResponseBase:
    """Count the answer, log it, and set the number on it."""
    seconds = time.monotonic() - start
    response.headers.setdefault(NUMBER_HEADER, number)
    route, method = route_name(request), request.method if request.method in METHODS else "OTHER"
    metrics.REQUESTS.labels(route, method, response.status_code).inc()
    metrics.DURATION.labels(route, method).observe(seconds)
    facts = {"status_code": response.status_code, "duration_ms": round(seconds * 1000, 1)}
    if response.status_code >= 500 or not request.path.startswith(UNLOGGED_PATHS):
        level = logging.WARNING if response.status_code >= 500 else logging.INFO
        text = "%s %s %s %.0f ms"
        where = logs.route_of(request)
        log.log(level, text, method, where, response.status_code, seconds * 1000, extra=facts)
    return response


def route_name(request: HttpRequest) -> str:
    """Return the name of the route: a limited set of labels, whatever addresses are requested."""
    if request.resolver_match is not None:
        return request.resolver_match.view_name or "unnamed"
    first = next((path for path in UNLOGGED_PATHS if request.path.startswith(path)), "none")
    return first.strip("/")


NULL = "\0"
# Browser features that no page uses.
PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
# Pages that are of one visitor also before a session exists: passwords, links that sign in.
PERSONAL_PATHS = ("/accounts/", "/admin/", "/invitations/")


class SecurityHeaders:
    """Set `Content-Security-Policy` from `settings.SECURE_CSP`, unless the view has set its own.

    No cache keeps an answer to a visitor with a session: only an account or an entry's code opens
    the desk, private tournaments and personal data. Views whose answers have an ETag set their own
    `Cache-Control`.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.policy = "; ".join(
            f"{directive} {' '.join(sources)}" for directive, sources in settings.SECURE_CSP.items()
        )

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer with the headers set."""
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", self.policy)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        if is_personal(request, response):
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response


def is_personal(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Return whether an answer may hold what not every visitor is shown."""
    session = settings.SESSION_COOKIE_NAME
    has_session = session in request.COOKIES or session in response.cookies
    return has_session or request.path.startswith(PERSONAL_PATHS)


API_PATH = "/api/"
EXPOSED_HEADERS = "ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-ID"


class CrossOriginReads:
    """Let pages of any origin read what the API answers to everyone, and nothing else.

    `*` is set on the answer to a GET without token and without cookies. Never with
    `Access-Control-Allow-Credentials`, and no `OPTIONS` request is granted anything: no page of
    another origin can write, send a token, or read what a session opens.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer with the headers set."""
        response = self.get_response(request)
        if not request.path.startswith(API_PATH) or request.method not in {"GET", "HEAD"}:
            return response
        credentials = request.headers.get("Authorization") or request.headers.get("Cookie")
        if not credentials and not response.cookies:
            response.headers["Access-Control-Allow-Origin"] = "*"
            response.headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
        # every Origin is answered alike, so that caches need not tell them apart
        patch_vary_headers(response, ("Authorization", "Cookie"))
        return response


class NullCharacters(MiddlewareMixin):
    """Refuse a null character in an address or a form: PostgreSQL cannot store or compare one.

    In the path the answer is 404, in the query or a form 400. The API refuses null characters
    itself: `core.api.requests`.
    """

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., HttpResponseBase],
        _args: tuple[object, ...],
        kwargs: dict[str, object],
    ) -> None:
        """Check the request once its route is known; the CSRF check has read the form by now."""
        if any(NULL in str(part) for part in kwargs.values()):
            raise Http404
        is_api = getattr(view, "csrf_exempt", False)
        if not is_api and (contains_null(request.GET) or contains_null(request.POST)):
            raise BadRequest


def contains_null(fields: QueryDict) -> bool:
    """Return whether a name or a value holds a null character."""
    return any(NULL in text for name, texts in fields.lists() for text in (name, *texts))

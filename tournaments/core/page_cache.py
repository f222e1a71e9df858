"""Caches whole pages for anonymous visitors, keyed by tournament version and language.

Without the cache every page is rendered.
"""

import threading
import time
from collections.abc import Callable, Mapping
from functools import wraps
from hashlib import sha256
from typing import Any, Concatenate, Final, ParamSpec

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.gzip import gzip_page

from tournaments.core.cache import get_cached, get_or_compute, is_first, set_cached
from tournaments.core.live_version import live_version, live_version_of_match
from tournaments.core.permissions import Actor
from tournaments.core.views import NO_CONTENT, SEEN_PARAMETER

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]

PARAMETERS: Final = frozenset({SEEN_PARAMETER, "stage"})
"""Query parameters of a page that is cached: with any other, visitors could fill the cache."""

PERSONAL_COOKIES: Final = (settings.SESSION_COOKIE_NAME, "messages")
"""Cookies of visitors whose pages differ: an account, entry codes or a message to show."""

POLL_SECONDS: Final = 3
"""Seconds for which polls reuse the version last read. At the end of a round a result comes every
second: this bounds how often a page is rendered for 600 spectators, and spares the database.
"""

REREAD_SECONDS: Final = 2
"""Seconds between two readings of the version for polls that know of a later one from the stream.
At the end of a round, with four results a second and two languages, every version would be rendered
otherwise.
"""

RENDER_SECONDS: Final = 5
"""Seconds in which the first poll renders a new page, while the others are answered UNCHANGED."""

rendering: Final = threading.BoundedSemaphore(1)
"""Held by the poll that renders a page: one in a process, the others are answered LATER. Four at
once are ready no sooner, and those who submit wait for them (docs/decisions/web-server.md).
"""

BOT_PAGES: Final = 30
"""Seconds for which the pages of bots are cached: there is a new match at any time."""

MAX_VERSION_LENGTH: Final = 18
"""Digits of a version in a poll, at most."""

SHARED_SECONDS: Final = 1
"""Seconds for which a proxy may give the answer of a poll to the same poll of another visitor
(`deploy/nginx.conf`).
"""

VERSION_HEADER: Final = "Baza-Version"
"""The header of a poll with the version that the page received from the stream."""

LATER_TRIGGER: Final = "later"
"""The event that has a page's script poll again, as the answer is not of the last version."""


def cached_page(view: View[P], *, every: int = 0) -> View[P]:
    """Cache a tournament's page for anonymous visitors.

    For views of a tournament, named by ``slug``, or of a match, named by ``pk``, that show every
    anonymous visitor the same at one version; a page that shows the time, or what changes without
    a new version such as a request for an analysis,
    is cached for ``every`` seconds. A poll gives the version that the browser has ``seen`` and is
    answered with UNCHANGED unless there is a later one; a proxy may cache what it is answered for
    SHARED_SECONDS. Refuses as the view does.
    """
    page_at = _cached_pages(view, every)

    @wraps(view)
    def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not is_anonymous(request):
            return view(request, *args, **kwargs)
        seen_version = pop_seen_version(request)
        if seen_version is None:
            return page_at(read_version(kwargs), request, args, kwargs, is_poll=False)
        min_version = parse_version(request.headers.get(VERSION_HEADER, "")) or 0
        version = read_version(kwargs, min_version)
        if seen_version >= version:
            response = HttpResponse(status=NO_CONTENT)
        else:
            response = page_at(version, request, args, kwargs, is_poll=True)
        if version < min_version:
            response["HX-Trigger"] = LATER_TRIGGER
        patch_cache_control(response, max_age=0, s_maxage=SHARED_SECONDS)
        patch_vary_headers(response, ("Cookie", VERSION_HEADER))
        return response

    return answer


def cached_club_page(view: View[P], *, read: Callable[..., str], every: int = 60) -> View[P]:
    """Cache a page for anonymous visitors while what ``read`` says of the view's arguments holds.

    Such a page shows days and hours too, and is cached for ``every`` seconds at most. Refuses as
    the view and ``read`` do.
    """
    page_at = _cached_pages(view, every)

    @wraps(view)
    def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if request.GET or not is_anonymous(request):
            return view(request, *args, **kwargs)
        return page_at(read(**kwargs), request, args, kwargs, is_poll=False)

    return answer


def _cached_pages(view: View[P], every: int) -> Callable[..., HttpResponse]:
    """Return the function that answers with a view's cached page of a version, or renders it."""
    # Compressed before it is cached: the crosstable of 150 entries has 2.3 MB, 20 kB of which
    # remain, and a poll would compress it for each of its readers.
    compressed = gzip_page(view)

    def page_at(
        version: int | str, request: HttpRequest, args: Any, kwargs: Any, *, is_poll: bool
    ) -> HttpResponse:
        key = key_of(request, version, every)

        def render() -> HttpResponse:
            # The version was read first: a page may be newer than its key says, but never older.
            response = compressed(request, *args, **kwargs)
            if is_cacheable(request, response):
                patch_vary_headers(response, ("Cookie",))
                set_cached(key, response)
            return response

        return cached_or_rendered(key, render, is_poll=is_poll)

    return page_at


def cached_or_rendered(
    key: str, render: Callable[[], HttpResponse], *, is_poll: bool
) -> HttpResponse:
    """Return the cached page, or render it; a poll is answered LATER while others render."""
    cached: HttpResponse | None = get_cached(key)
    if cached is not None:
        return cached
    if not is_poll:
        return render()
    if rendering.acquire(blocking=False):
        try:
            if is_first(f"{key}:rendering", RENDER_SECONDS):
                return render()
        finally:
            rendering.release()
    return HttpResponse(status=NO_CONTENT, headers={"HX-Trigger": LATER_TRIGGER})


def is_anonymous(request: HttpRequest) -> bool:
    """Return whether the answer depends on the address, the language and the tournament alone."""
    is_known = all(name in PARAMETERS and len(values) == 1 for name, values in request.GET.lists())
    has_own = any(name in request.COOKIES for name in PERSONAL_COOKIES)
    return request.method == "GET" and is_known and not has_own


def pop_seen_version(request: HttpRequest) -> int | None:
    """Remove the version that a poll has ``seen`` from the query and return it, if it is a number.

    The list of a round gives the state of the round before it: `published-117`.
    """
    query = request.GET.copy()
    text = str(query.pop(SEEN_PARAMETER, [""])[-1]).rpartition("-")[2]
    request.GET = query  # type: ignore[assignment]
    request.META["QUERY_STRING"] = query.urlencode()  # pages link to their own address
    return parse_version(text)


def parse_version(text: str) -> int | None:
    """Return a version as a browser sends it, or None."""
    is_version = text.isascii() and text.isdigit() and len(text) <= MAX_VERSION_LENGTH
    return int(text) if is_version else None


def read_version(kwargs: Mapping[str, Any], min_version: int | None = None) -> int:
    """Return the version of the tournament that a view's arguments name, by itself or by a match.

    For a poll, which gives the version ``min_version`` (0 if it knows none), it is up to
    POLL_SECONDS old; if that is older than ``min_version``, up to REREAD_SECONDS.

    Refuses NOT_FOUND where anonymous visitors may not read the tournament.
    """

    def read() -> int:
        viewer = Actor.anonymous()
        if "slug" in kwargs:
            return int(live_version(kwargs["slug"], viewer))
        return int(live_version_of_match(kwargs["pk"], viewer))

    name = kwargs.get("slug") or f"match:{kwargs['pk']}"
    if min_version is None:
        return read()
    version = get_or_compute(key := f"version:{name}", read, seconds=POLL_SECONDS)
    if version < min_version and is_first(f"{key}:reread", REREAD_SECONDS):
        version = read()
        set_cached(key, version, seconds=POLL_SECONDS)
    return version


def key_of(request: HttpRequest, version: int | str, every: int) -> str:
    """Return the cache key of a page; the static files' hash in it changes with an upgrade."""
    parts: tuple[Any, ...] = (
        request.build_absolute_uri(),
        version,
        get_language(),
        "gzip" in request.headers.get("Accept-Encoding", ""),
        getattr(staticfiles_storage, "manifest_hash", ""),
        time.time() // every if every else 0,
    )
    return f"page:{sha256(repr(parts).encode()).hexdigest()}"


def is_cacheable(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether an answer is a page without data of this visitor, above all no token.

    A view keeps a page out of the cache by `Cache-Control: no-store`.
    """
    has_token = request.META.get("CSRF_COOKIE_NEEDS_UPDATE", False)
    sets_cookie = bool(response.cookies) or request.session.modified
    is_whole = response.status_code == 200 and not response.streaming
    is_refused = "no-store" in response.get("Cache-Control", "")
    return is_whole and not (is_refused or has_token or sets_cookie)

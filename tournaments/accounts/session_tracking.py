"""Signs users in and records which sessions are in use."""

import time
from typing import Final

from django.contrib.auth import SESSION_KEY, login
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from tournaments.accounts.services.accounts import SIGN_IN_UPDATE_INTERVAL, note_sign_in
from tournaments.core.limits import address_of

SEEN: Final = "seen_at"
"""Session key of the time when the session was last recorded, in seconds since 1970."""

# `login` needs the name, as there are two backends (axes' own and this one).
BACKEND: Final = "django.contrib.auth.backends.ModelBackend"


def sign_in(request: HttpRequest, user: User) -> None:
    """Sign in a user whose identity is proved, and record the session."""
    login(request, user, backend=BACKEND)
    record_sign_in(request, user)


def record_sign_in(request: HttpRequest, user: User) -> None:
    """Record that the session is in use."""
    if request.session.session_key is None:
        request.session.save()
    note_sign_in(
        user,
        str(request.session.session_key),
        agent=request.headers.get("User-Agent", ""),
        address=address_of(request),
    )
    request.session[SEEN] = int(time.time())


class SessionTracking(MiddlewareMixin):
    """Middleware that records every five minutes that a session is in use, if a view read it."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Record it after the view; the outer session middleware saves the session."""
        session = getattr(request, "session", None)
        if session is None or not session.accessed or SESSION_KEY not in session:
            return response
        stale = time.time() - session.get(SEEN, 0) >= SIGN_IN_UPDATE_INTERVAL.total_seconds()
        if stale and isinstance(request.user, User):
            record_sign_in(request, request.user)
        return response

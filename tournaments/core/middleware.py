"""Security and cache headers on every answer, and no null characters in any request."""

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

NULL = "\0"
# Browser features that no page uses.
PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
# Pages that are of one visitor also before a session exists: passwords, links that sign in.
PERSONAL = ("/accounts/", "/admin/", "/invitations/")


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
    return has_session or request.path.startswith(PERSONAL)


class NullCharacters(MiddlewareMixin):
    """Refuse a null character in an address or a form: PostgreSQL cannot store or compare one.

    In the path the answer is 404, in the query or a form 400. The API refuses null characters
    itself: `core.api.validation`.
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

"""The language of pages and messages, which each visitor chooses."""

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import get_language
from django.views import i18n
from django.views.decorators.cache import never_cache


def active_language() -> str:
    """Return the two letters of the active language; Spanish if none is active."""
    return (get_language() or settings.LANGUAGE_CODE)[:2]


@never_cache
def set_language(request: HttpRequest) -> HttpResponseBase:
    """Store the ``language`` in a cookie and redirect to ``next``, a page of this site.

    A link and not a form, since a form's token would keep public pages out of the cache. Django's
    own view, which answers POST, checks ``next``.
    """
    response: HttpResponseBase = i18n.set_language(request)
    code = request.GET.get("language")
    if request.method == "GET" and code in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            code,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            path=settings.LANGUAGE_COOKIE_PATH,
            domain=settings.LANGUAGE_COOKIE_DOMAIN,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite=settings.LANGUAGE_COOKIE_SAMESITE,
        )
    return response

"""Pages that poll: asked with the version that the browser has ``seen``, they say if it changed.

A page reads its version before anything else. Its script (`js/live.js`) asks again every five
seconds while the page is in sight.
"""

from typing import Final

from django.http import HttpRequest, HttpResponse

SEEN: Final = "seen"
"""The parameter in which a poll says the version that the browser shows."""

UNCHANGED: Final = 204  # htmx leaves the page as it is


def unchanged(request: HttpRequest, version: str) -> HttpResponse | None:
    """Return the answer that nothing has changed since the browser has ``seen`` it, if so."""
    if request.GET.get(SEEN) == version:
        return HttpResponse(status=UNCHANGED)
    return None

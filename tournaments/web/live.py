"""Pages that follow what happens: asked with the word that they ``seen``, they say if it changed.

A page reads `live_word` before anything else. Its script (`js/live.js`) asks again while the page
is in sight, so that a hall full of telephones costs a few small queries each.
"""

from typing import Final

from django.http import HttpRequest, HttpResponse

UNCHANGED: Final = 204  # htmx leaves the page as it is


def unchanged(request: HttpRequest, word: str) -> HttpResponse | None:
    """Return the answer that nothing has changed since the browser has ``seen`` it, if so."""
    if request.GET.get("seen") == word:
        return HttpResponse(status=UNCHANGED)
    return None

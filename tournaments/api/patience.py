"""A request whose transactions the database undid is carried out anew; then the answer is 503.

For pages and for the API alike: what a request asks for is one verb, and a verb that was undone has
done nothing. See :mod:`tournaments.again`.
"""

import logging
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from tournaments.again import again
from tournaments.api.elsewhere import AWAY, unavailable

View = Callable[..., HttpResponse]
log = logging.getLogger(__name__)


class Patience:
    """Calls the view, again where that may help, and answers when the database does not.

    Synchronous alone, as the last middleware: under ASGI all those before it are then called
    synchronously, too, in one thread.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: View, arguments: tuple[Any, ...], named: dict[str, Any]
    ) -> HttpResponse:
        """Answer in the view's place."""
        try:
            return again(lambda: view(request, *arguments, **named), rewind=lambda: rewind(request))
        except AWAY as error:
            log.exception("The database does not answer: %s", str(error).partition("\n")[0])
            return unavailable(request)


def rewind(request: HttpRequest) -> None:
    """Let what was sent be read once more: the body, and the files of a form."""
    if hasattr(request, "_files"):  # otherwise nobody has looked for any yet
        for _name, files in request.FILES.lists():
            for file in files:
                file.seek(0)
    if request._stream.seekable():  # noqa: SLF001 - no public way
        request._stream.seek(0)  # noqa: SLF001

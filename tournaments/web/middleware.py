"""What every answer tells the browser about itself."""

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

Next = Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]
PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


class SecurityHeaders:
    """Set `Content-Security-Policy` from `settings.SECURE_CSP`, unless the view has set its own.

    Async when the next in line is, so that it costs no thread under ASGI.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Next) -> None:
        """Write the policy down once."""
        self.get_response = get_response
        self.policy = "; ".join(
            f"{directive} {' '.join(sources)}" for directive, sources in settings.SECURE_CSP.items()
        )
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Answer with the headers set."""
        response = self.get_response(request)
        if isinstance(response, HttpResponseBase):
            return self.sign(response)
        return self.sign_later(response)

    async def sign_later(self, response: Awaitable[HttpResponseBase]) -> HttpResponseBase:
        """Wait for the answer first."""
        return self.sign(await response)

    def sign(self, response: HttpResponseBase) -> HttpResponseBase:
        """Set what is not set yet."""
        response.headers.setdefault("Content-Security-Policy", self.policy)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        return response

"""What is refused before any door of the API is reached, in the API's own shape."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import re_path
from django.views import defaults

from tournaments.api.codes import Wire, title
from tournaments.api.documentation import Nothing
from tournaments.api.problems import CONTENT_TYPE

urlpatterns = [re_path("", Nothing.as_view())]


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that Django cannot take, such as one for a host that is not ours."""
    if not request.path.startswith("/api/"):
        return defaults.bad_request(request, exception)
    wire = Wire.BAD_REQUEST
    body = {
        "type": "about:blank",  # the host is not to be repeated
        "title": title(wire.code),
        "status": wire.status,
        "detail": str(wire.text),
        "instance": request.path,
        "code": wire.code,
    }
    return JsonResponse(body, status=wire.status, content_type=CONTENT_TYPE)

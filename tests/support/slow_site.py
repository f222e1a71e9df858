"""The service with two views more: `granian … tests.support.slow_site:application`.

Only for a process of its own: it changes the settings. ``BAZA_TEST_RELEASE`` names the file that
releases those who wait.
"""

import os
import time
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from tournaments.asgi import application

from tournaments import urls  # isort: skip - needs the apps that `asgi` has set up

bodies: list[int] = []


@csrf_exempt
def echo(request: HttpRequest) -> HttpResponse:
    """Return what has come, and how long all bodies were."""
    bodies.append(len(request.body))
    body = {"body": request.body.decode(), "bodies": bodies, "query": request.GET.get("q")}
    headers = {name: value for name, value in request.META.items() if name.startswith("HTTP_X")}
    return JsonResponse(body | {"headers": headers})


@csrf_exempt
def wait(_: HttpRequest) -> HttpResponse:
    """Keep a slot until the file is there."""
    while not Path(os.environ["BAZA_TEST_RELEASE"]).exists():
        time.sleep(0.05)
    return HttpResponse("released")


handler400, handler404, handler500 = urls.handler400, urls.handler404, urls.handler500
urlpatterns = [path("echo/", echo), path("wait/", wait), *urls.urlpatterns]
settings.ROOT_URLCONF = __name__
__all__ = ["application"]

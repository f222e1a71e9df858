"""What the button for messages asks for (`js/push.js`): a press subscribes, another ends it."""

from typing import Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.core.find import not_found_unless, or_404
from tournaments.core.limits import Limit, count_one, refuse_too_many
from tournaments.core.push import end_noted, end_subscription, note_subscription
from tournaments.core.views import refusals_as_json, stored_code
from tournaments.director.queries.entries import tournament_for_codes
from tournaments.push.services import Device, sends_messages, subscribe
from tournaments.results.views.own_table import is_waiting, speaker
from tournaments.results.views.records import offline_worker

PUSHES: Final = Limit("pushes", known=20, address=20)
"""Subscriptions, each of which the service sends to an address that a browser states."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@refusals_as_json
def push(request: HttpRequest, slug: str) -> HttpResponse:
    """Subscribe a browser; read, return the token that a form of this page would hold.

    The pages with the button are cached for everybody, so that they hold none. Read, it does not
    tell whether there is such a tournament.
    """
    not_found_unless(sends_messages())
    if request.method != "POST":
        return JsonResponse({"csrf": get_token(request)})
    refuse_too_many(request, PUSHES)
    count_one(request, PUSHES)
    tournament = or_404(tournament_for_codes(slug))
    device = Device(*(request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth")))
    if request.POST.get("own"):
        actor, entry = speaker(request, tournament)
        code = stored_code(request, tournament) if is_waiting(request, tournament) else ""
        if actor.entry is not None:
            code = actor.entry.code
        user = actor.user if entry is not None and not code else None
        not_found_unless(bool(code) or user is not None)
        subscribe(tournament, device, code=code or "", user=user)
        note_subscription(request.session, slug, device.endpoint)
    else:
        subscribe(tournament, device)
    return JsonResponse({}, status=201)


@require_POST
@refusals_as_json
def end(request: HttpRequest, slug: str) -> HttpResponse:
    """End the messages to a browser."""
    not_found_unless(sends_messages())
    end_subscription(slug, request.POST.get("endpoint", ""))
    end_noted(request.session, slug)
    return JsonResponse({})


@require_safe
def worker(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the service worker that shows the messages; it keeps no page."""
    not_found_unless(sends_messages())
    return offline_worker(request, reverse("push", args=[slug]), (), f"baza-push-{slug}.")

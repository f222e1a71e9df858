"""Django's admin behind the pages' own sign-in."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from tournaments.permissions import Actor, is_held_back


class Site(admin.AdminSite):
    """The admin behind the same door as the pages: password, throttle, second factor."""

    def has_permission(self, request: HttpRequest) -> bool:
        """Let the staff in, with a second factor where one is required."""
        return super().has_permission(request) and not is_held_back(Actor.of(request.user))

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Send people to the pages' own sign-in."""
        del extra_context
        if is_held_back(Actor.of(request.user)):
            return redirect("set-up-factor")
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next", request.path))

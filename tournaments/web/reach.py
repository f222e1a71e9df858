"""Whether the addresses that a page gives away lead here from other people's telephones."""

from urllib.parse import urlsplit

from django.http import HttpRequest

from tournaments.environment import THIS_MACHINE


def is_only_here(request: HttpRequest) -> bool:
    """Tell whether the address that was asked for means this very machine, for whoever opens it."""
    host = urlsplit(request.build_absolute_uri("/")).hostname or ""
    return host in {name.strip("[]") for name in THIS_MACHINE}

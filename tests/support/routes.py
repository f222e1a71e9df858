"""The routes of the service: those of pages, and those of the API."""

from collections.abc import Iterable, Iterator

from django.urls import URLPattern, URLResolver

from tournaments import urls
from tournaments.api import urls as api_urls


def flatten(parts: Iterable[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    """Yield the patterns of URL lists with those that they include."""
    for part in parts:
        if isinstance(part, URLResolver):
            yield from flatten(part.url_patterns)
        else:
            yield part


def addresses_of(parts: Iterable[URLPattern | URLResolver], above: str = "") -> Iterator[str]:
    """Yield the whole address of each pattern of URL lists, with those that they include."""
    for part in parts:
        address = above + str(part.pattern)
        if isinstance(part, URLResolver):
            yield from addresses_of(part.url_patterns, address)
        else:
            yield address


page_patterns = [
    pattern
    for part in urls.urlpatterns
    if str(part.pattern) == ""
    for pattern in flatten([part])
    if pattern.name  # addresses of earlier releases have none (tests/director/test_one_word.py)
]
api_patterns = list(flatten(api_urls.urlpatterns))
api_addresses = list(addresses_of(api_urls.urlpatterns))

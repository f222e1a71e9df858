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


page_patterns = [
    pattern for part in urls.urlpatterns if str(part.pattern) == "" for pattern in flatten([part])
]
api_patterns = list(flatten(api_urls.urlpatterns))

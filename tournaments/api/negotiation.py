"""Answers that are not JSON: whoever accepts their kind gets them; a no is always a problem."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from tournaments.errors import Reason, Refusal


def answers_in(*kinds: str) -> Callable[[Any], Any]:
    """Make a view of the API answer those who accept one of these kinds, and nobody else.

    Its problems are JSON all the same, as DRF's first renderer writes them.
    """

    class Negotiation(BaseContentNegotiation):
        def select_renderer(
            self,
            request: Request,
            renderers: Iterable[BaseRenderer],
            format_suffix: str | None = None,  # noqa: ARG002
        ) -> tuple[BaseRenderer, str]:
            if not any(map(request._request.accepts, kinds)):  # noqa: SLF001 - Django reads it
                raise Refusal(Reason.NOT_ACCEPTABLE, kind=", ".join(kinds))
            first = next(iter(renderers))
            return first, first.media_type

    def make(view: Any) -> Any:
        view.cls.content_negotiation_class = Negotiation
        return view

    return make

"""The API about itself: the OpenAPI document, a page that draws it, the kinds of problem."""

from collections.abc import Iterable

from django.http import HttpResponse
from django.shortcuts import render
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from tournaments.api.codes import Kind, kinds
from tournaments.api.doors import reads
from tournaments.api.shapes.problems import ProblemKind
from tournaments.errors import Reason, Refusal


@reads(ProblemKind, tag="problems", name="list_problems", many=True)
def problems(_request: Request) -> list[Kind]:
    """All kinds of problem, by the code that an answer carries; each is a problem's `type`."""
    return list(kinds())


class OpenApi(SpectacularJSONAPIView):
    """The OpenAPI document."""


class FirstRenderer(BaseContentNegotiation):
    """Whatever is accepted: for what is no JSON anyway."""

    def select_renderer(
        self,
        request: Request,  # noqa: ARG002
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,  # noqa: ARG002
    ) -> tuple[BaseRenderer, str]:
        """Take the first one; it writes the problems, if there are any."""
        first = next(iter(renderers))
        return first, first.media_type


@extend_schema(exclude=True)
class Docs(APIView):
    """The OpenAPI document drawn as a page."""

    content_negotiation_class = FirstRenderer

    def get(self, request: Request) -> HttpResponse:
        """Show the page."""
        return render(request._request, "api/docs.html")  # noqa: SLF001 - a page is Django's


@extend_schema(exclude=True)
class Nothing(APIView):
    """Every address of the API that leads nowhere."""

    content_negotiation_class = FirstRenderer

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:  # noqa: ARG002
        """Say so, whatever was asked and by whom."""
        raise Refusal(Reason.NOT_FOUND)

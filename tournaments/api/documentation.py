"""The API about itself: the OpenAPI document, a page that draws it, the kinds of problem."""

import gzip
from collections.abc import Iterable
from functools import cache
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework import serializers
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from tournaments.core.api import serializers as serializers_api
from tournaments.core.api.problems import ProblemKind, kinds
from tournaments.core.api.views import read_view
from tournaments.core.errors import Reason, Refusal


@read_view(serializers_api.ProblemKind, tag="problems", name="list_problems", many=True)
def problems(_request: Request) -> list[ProblemKind]:
    """All kinds of problem, by the code that an answer carries; each is a problem's `type`."""
    return list(kinds())


class Root(serializers.Serializer[object]):
    """The addresses of what there is."""

    tournaments = serializers.URLField()
    clubs = serializers.URLField()
    bots = serializers.URLField()
    rulesets = serializers.URLField()
    formats = serializers.URLField()
    criteria = serializers.URLField()
    token = serializers.URLField(help_text="What the token of a request may do.")
    problems = serializers.URLField(help_text="A sentence for each code of a refusal.")
    openapi = serializers.URLField(help_text="The OpenAPI document.")
    docs = serializers.URLField(help_text="The document as a page.")
    help = serializers.URLField()


@read_view(Root, tag="problems", name="read_root")
def root(request: Request) -> dict[str, str]:
    """What there is: the lists, what tournaments are made of, this document, and help."""
    names = [str(name) for name in Root().fields]
    paths = {name: reverse(name if name == "help" else f"api:{name}") for name in names}
    return {name: request.build_absolute_uri(path) for name, path in paths.items()}


@cache
def openapi_document(*, compressed: bool) -> bytes:
    """Return the OpenAPI document as JSON, generated once a process; it is the same for everybody.

    Generating it takes some 140 ms and compressing its megabyte 20 ms: a client that asked for it
    in a loop kept a processor busy.
    """
    if compressed:
        return gzip.compress(openapi_document(compressed=False))
    generator: Any = SchemaGenerator  # which has no types
    schema = generator().get_schema(request=None, public=True)
    return bytes(OpenApiJsonRenderer().render(schema))


class OpenApiView(SpectacularJSONAPIView):
    """The OpenAPI document, from memory."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        """Send it in the media type that was asked for."""
        compressed = "gzip" in request.headers.get("Accept-Encoding", "")
        return HttpResponse(
            openapi_document(compressed=compressed),
            content_type=request.accepted_renderer.media_type,
            headers={
                "Content-Disposition": 'inline; filename="Baza.json"',
                "Vary": "Accept-Encoding",
                **({"Content-Encoding": "gzip"} if compressed else {}),
            },
        )


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
class DocumentationView(APIView):
    """The OpenAPI document drawn as a page."""

    content_negotiation_class = FirstRenderer

    def get(self, request: Request) -> HttpResponse:
        """Show the page."""
        return render(request._request, "api/docs.html")  # noqa: SLF001 - a page is Django's


@extend_schema(exclude=True)
class NotFoundView(APIView):
    """Answers every unknown address of the API with NOT_FOUND."""

    authentication_classes = ()  # the refusal asks for the token's scopes: a bad token is none
    content_negotiation_class = FirstRenderer

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:  # noqa: ARG002
        """Refuse before the method, the token and the quota are looked at."""
        raise Refusal(Reason.NOT_FOUND)

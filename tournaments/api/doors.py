"""What every reading door has in common: who asks, which parameters it knows, how it answers."""

from collections.abc import Callable, Sequence
from hashlib import md5
from typing import Any, Concatenate, ParamSpec, TypeVar

from django.db.models import Model
from django.http.response import HttpResponseBase
from django.middleware.http import ConditionalGetMiddleware
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.decorators import decorator_from_middleware
from django.utils.encoding import force_bytes
from django.utils.http import parse_etags, quote_etag
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from tournaments.api.pages import Page
from tournaments.api.schema import described
from tournaments.errors import Reason, Refusal

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer", bound=HttpResponseBase)
Door = Callable[Concatenate[Request, Asked], object]
View = Callable[..., HttpResponseBase]
Shape = type[BaseSerializer[object]]

IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of what was read and is to be changed; wanted once there is something.",
)
with_etag = decorator_from_middleware(ConditionalGetMiddleware)


def reads(
    shape: Shape,
    *,
    tag: str,
    name: str,
    many: bool = False,
    parameters: Sequence[OpenApiParameter] = (),
) -> Callable[[Door[Asked]], View]:
    """Make a view that answers a GET with what the function returns, in the given shape.

    The function's docstring is the operation's description, `name` its name in the document.
    The answer carries a strong ETag of its content, so that asking again costs no transfer.
    """
    known = frozenset(parameter.name for parameter in parameters)

    def make(door: Door[Asked]) -> View:
        @extend_schema(
            operation_id=name,
            **described(door),
            tags=[tag],
            parameters=list(parameters),
            responses=shape(many=many),
        )
        @api_view(["GET", "HEAD"])
        def view(request: Request, /, *args: Asked.args, **kwargs: Asked.kwargs) -> Response:
            refuse_unknown(request, known)
            found = door(request, *args, **kwargs)
            headers = found.headers if isinstance(found, Page) else None
            return keep_fresh(Response(shape(found, many=many).data, headers=headers))

        return with_etag(view)

    return make


def together(read: View, write: View) -> View:
    """Make one view of two that share an address: one that is read, one that is posted to."""
    of_reading, of_writing = (getattr(view, "cls") for view in (read, write))  # noqa: B009 - DRF's
    methods = {"post": of_writing.post, "http_method_names": ["get", "head", "post", "options"]}
    both: Any = type("Both", (of_reading,), methods)
    return with_etag(both.as_view())


def refuse_unknown(request: Request, known: frozenset[str]) -> None:
    """Refuse a parameter that the address does not know, rather than ignore a wish.

    A null character is in no value: PostgreSQL can compare nothing with it.
    """
    for name, values in request.query_params.lists():
        if name not in known or any("\0" in value for value in values):
            raise Refusal(Reason.BAD_PARAMETER, name=name)


def refuse_stale(request: Request, current: object | None) -> None:
    """Refuse to change what the caller has not seen as it is: `If-Match` has to name its ETag.

    ``current`` is what a GET by the same caller tells now; where nothing is there yet, nothing has
    to be named. A tag counts whether its answer came compressed or not: its content is the same.
    """
    said = request.headers.get("If-Match")
    if current is None and said is None:
        return
    if said is None:
        raise Refusal(Reason.PRECONDITION_REQUIRED)
    if current is None or not {"*", tag_of(request, current)} & set(parse_tags(said)):
        raise Refusal(Reason.PRECONDITION_FAILED)


def parse_tags(said: str) -> list[str]:
    """Return the tags of an `If-Match`, strong ones and those of compressed answers alike."""
    return [tag.removeprefix("W/") for tag in parse_etags(said)]


def tag_of(request: Request, told: object) -> str:
    """Return the ETag that a GET by the same caller gives to what is told."""
    renderer, kind = request.accepted_renderer, request.accepted_media_type
    content = renderer.render(told, kind, {})
    return quote_etag(md5(force_bytes(content), usedforsecurity=False).hexdigest())


def keep_fresh(response: Answer) -> Answer:
    """Let it be kept, but not used again without asking: it depends on who asks and how."""
    patch_cache_control(response, no_cache=True, private=True)
    patch_vary_headers(response, ("Authorization", "Accept-Language"))
    return response


def address(request: Request, name: str, row: Model | None) -> str | None:
    """Return where a row is found in the API; `None` for no row."""
    if row is None:
        return None
    return request.build_absolute_uri(reverse(f"api:{name}", args=[row.pk]))

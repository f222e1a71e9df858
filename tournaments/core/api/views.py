"""Makes endpoints of plain functions: `read_view`, `write_view`; ETags, content negotiation."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import wraps
from hashlib import md5
from inspect import getdoc
from typing import Any, Concatenate, Final, ParamSpec, TypedDict, TypeVar

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.http import ConditionalGetMiddleware
from django.utils.cache import (
    get_conditional_response,
    patch_cache_control,
    patch_vary_headers,
    set_response_etag,
)
from django.utils.decorators import decorator_from_middleware
from django.utils.encoding import force_bytes
from django.utils.http import http_date, parse_etags, quote_etag
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

import engine
from tournaments.core.api.pagination import Page
from tournaments.core.api.problems import CONTENT_TYPE
from tournaments.core.api.requests import (
    KEY,
    MEDIA_TYPE,
    read_body,
    read_flag,
    read_key,
    refuse_unknown,
    require_actor,
    validate,
)
from tournaments.core.api.scopes import READ_METHODS, needs_scope, scopes_by_method
from tournaments.core.api.serializers import Problem, StrictSerializer
from tournaments.core.cache import get_or_compute
from tournaments.core.errors import Reason, Refusal
from tournaments.core.idempotency import Answer, run_once
from tournaments.core.permissions import Actor, Scope

PathArguments = ParamSpec("PathArguments")
Value = TypeVar("Value")
ResponseType = TypeVar("ResponseType", bound=HttpResponseBase)
Data = dict[str, Any]
"""The validated fields of a body."""

View = Callable[..., HttpResponseBase]
Read = Callable[Concatenate[Request, PathArguments], object]
Write = Callable[Concatenate[Actor, Data, PathArguments], Value]
Serializer = type[BaseSerializer[Any]]
Responses = dict[tuple[int, str], OpenApiResponse]

OPTIONAL_KEY: Final = OpenApiParameter(
    KEY.name, KEY.type, OpenApiParameter.HEADER, description=KEY.description
)

DRY_RUN: Final = OpenApiParameter(
    "dry_run",
    {"type": "integer", "minimum": 0, "maximum": 1, "default": 0},
    description="1: say what it would change and write nothing. No `Idempotency-Key` is wanted "
    "then.",
)

IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    required=True,
    description="The ETag of what was read and is to be changed.",
)
IF_MATCH_ONCE_THERE = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of what was read and is to be changed; required once there is something.",
)
ACTION_REFUSALS: Final = {
    400: "It cannot be read, or the key is missing.",
    409: "The tournament or its round is not so far, or further, or the key is in use.",
    413: "It is too large.",
    422: "It is not possible; or the key was used for another request.",
}


DEPRECATED_AT: Final = datetime(2026, 11, 27, tzinfo=UTC)
"""The release of 0.3.0, which gave the verbs of `alias` their present addresses."""

SUNSET_AT: Final = datetime(2027, 5, 27, tzinfo=UTC)
"""Half a year later: earlier no address goes (docs/programs/api.md)."""


class ConditionalRead(ConditionalGetMiddleware):
    """Django's conditional GET, for HEAD too: the view renders the whole answer for both."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Set the ETag of a GET; Django's own leaves HEAD out."""
        if request.method != "HEAD" or not isinstance(response, HttpResponse):  # a stream has none
            return super().process_response(request, response)
        if self.needs_etag(response):
            set_response_etag(response)
        etag = response.get("ETag")
        return get_conditional_response(request, etag=etag, response=response) or response


with_etag = decorator_from_middleware(ConditionalRead)


class OperationTexts(TypedDict):
    """The texts of an operation in the document."""

    summary: str
    description: str


def operation_texts(function: Callable[..., object]) -> OperationTexts:
    """Return the summary and the description that a function's docstring gives its operation."""
    summary, _, rest = (getdoc(function) or "").partition("\n\n")
    return {"summary": summary.rstrip("."), "description": rest or summary}


def problems_of(refusals: Mapping[int, str], serializer: Serializer = Problem) -> Responses:
    """Describe the refusals of an operation, by status, in the document."""
    return {
        (status, CONTENT_TYPE): OpenApiResponse(serializer, text)
        for status, text in refusals.items()
    }


def read_view(
    serializer: Serializer,
    *,
    tag: str,
    name: str,
    many: bool = False,
    parameters: Sequence[OpenApiParameter] = (),
    scope: str = "",
    key: Callable[..., str] | None = None,
) -> Callable[[Read[PathArguments]], View]:
    """Make a view that answers a GET with what the function returns, serialized.

    The function's docstring is the operation's description, `name` its name in the document.
    The answer carries a strong ETag of its content, so that asking again costs no transfer. A
    ``scope`` is that which members of the club need, where it is for them alone. With a ``key``,
    which is called as the function is and refuses as it does, the data are cached under it.
    """
    known_names = frozenset(parameter.name for parameter in parameters)

    def make(function: Read[PathArguments]) -> View:
        @needs_scope(*filter(None, (scope,)), methods=READ_METHODS)
        @extend_schema(
            operation_id=name,
            **operation_texts(function),
            tags=[tag],
            parameters=list(parameters),
            responses=serializer(many=many),
        )
        @api_view(["GET", "HEAD"])
        def view(
            request: Request, /, *args: PathArguments.args, **kwargs: PathArguments.kwargs
        ) -> Response:
            refuse_unknown(request, known_names)
            if key is not None:
                data = get_or_compute(
                    key(request, *args, **kwargs),
                    lambda: serializer(function(request, *args, **kwargs), many=many).data,
                )
                return require_revalidation(Response(data))
            result = function(request, *args, **kwargs)
            headers = result.headers if isinstance(result, Page) else None
            return require_revalidation(
                Response(serializer(result, many=many).data, headers=headers)
            )

        return with_etag(view)

    return make


def write_view(
    serializer: type[StrictSerializer],
    *,
    name: str,
    tag: str,
    responses: Mapping[int, OpenApiResponse],
    to_answer: Callable[[Value], Answer],
    to_response: Callable[[Request, Answer], Response],
    refusals: Mapping[int, str] = ACTION_REFUSALS,
    limit: int = engine.MAX_BYTES,
    examples: Sequence[OpenApiExample] = (),
    scopes: Sequence[str] = (Scope.MANAGE,),
    preview: Write[PathArguments, Response] | None = None,
) -> Callable[[Write[PathArguments, Value]], View]:
    """Make a view that validates the body of a POST and carries it out once for its key.

    ``to_answer`` returns what is stored of the outcome, and ``to_response`` makes a response of it,
    the first time and for every repeated request. With ``?dry_run=1`` the request is answered by
    ``preview``, if the view has one. Any one of the ``scopes`` is enough.
    """

    def make(function: Write[PathArguments, Value]) -> View:
        @needs_scope(*scopes)
        @extend_schema(
            operation_id=name,
            **operation_texts(function),
            tags=[tag],
            parameters=[OPTIONAL_KEY, DRY_RUN] if preview else [KEY],
            request={MEDIA_TYPE: serializer},
            examples=list(examples),
            responses={**responses, **problems_of(refusals)},
        )
        @api_view(["POST"])
        def view(
            request: Request, /, *args: PathArguments.args, **kwargs: PathArguments.kwargs
        ) -> Response:
            actor = require_actor(request)
            refuse_unknown(request, frozenset({DRY_RUN.name} if preview else ()))
            if preview is not None and read_flag(request, DRY_RUN.name):
                data = validate(serializer, read_body(request, limit), limit)
                response = preview(actor, data, *args, **kwargs)
                response.headers["Cache-Control"] = "no-store"
                return response
            key, raw = read_key(request), read_body(request, limit)
            data = validate(serializer, raw, limit)

            def act() -> Answer:
                return to_answer(function(actor, data, *args, **kwargs))

            answer = run_once(actor, key, f"{name} {kwargs}", raw, act)
            response = to_response(request, answer)
            response.headers["Cache-Control"] = "no-store"
            if answer.replayed:
                response.headers["Idempotency-Replayed"] = "true"
            return response

        return view

    return make


def combine(read: View, write: View) -> View:
    """Make one view of two that share an address: one for GET, one for POST."""
    reading: Any = getattr(read, "cls")  # noqa: B009 - DRF's
    writing: Any = getattr(write, "cls")  # noqa: B009 - DRF's

    class ReadWrite(reading):  # type: ignore[misc]  # `api_view` makes the class that it is based on
        post = writing.post
        http_method_names: Final = ("get", "head", "post", "options")
        scopes: Final = scopes_by_method(reading) | scopes_by_method(writing)

    return with_etag(ReadWrite.as_view())


def alias(view: Any, name: str, successor: str) -> View:
    """Return a view of the API under its earlier address: the same verb, marked as deprecated.

    ``successor`` is the last part of its present address, beside the earlier one. All answers have
    the headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` (RFC 8288).
    """
    headers = {
        "Deprecation": f"@{int(DEPRECATED_AT.timestamp())}",
        "Sunset": http_date(SUNSET_AT.timestamp()),
        "Link": f'<../{successor}/>; rel="successor-version"',
    }

    @wraps(view.cls.post)  # one of its own: the schema is kept at the method
    def post(self: Any, request: Request, *args: Any, **kwargs: Any) -> Any:
        return view.cls.post(self, request, *args, **kwargs)

    def finalize_response(self: Any, request: Request, response: Any, *args: Any, **kw: Any) -> Any:
        final = view.cls.finalize_response(self, request, response, *args, **kw)
        for header, value in headers.items():
            final.headers[header] = value
        return final

    methods = {"post": post, "finalize_response": finalize_response}
    kind: Any = type(view.cls.__name__, (view.cls,), methods)
    earlier: View = extend_schema(operation_id=name, deprecated=True)(kind.as_view())
    return earlier


def accept_only(*kinds: str) -> Callable[[Any], Any]:
    """Make a view of the API refuse requests that accept none of these media types.

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


def refuse_stale(request: Request, current: object | None) -> None:
    """Refuse a change unless `If-Match` has the ETag of the present state.

    ``current`` is what a GET by the same caller answers now; where nothing is there yet, nothing
    has to be named. A tag counts whether its answer came compressed or not: its content is the
    same. Refuses PRECONDITION_REQUIRED, PRECONDITION_FAILED.
    """
    header = request.headers.get("If-Match")
    if current is None and header is None:
        return
    if header is None:
        raise Refusal(Reason.PRECONDITION_REQUIRED)
    tags = {tag.removeprefix("W/") for tag in parse_etags(header)}
    if current is None or not {"*", etag_of(request, current)} & tags:
        raise Refusal(Reason.PRECONDITION_FAILED)


def etag_of(request: Request, data: object) -> str:
    """Return the ETag that a GET by the same caller gives to this data."""
    renderer, kind = request.accepted_renderer, request.accepted_media_type
    content = renderer.render(data, kind, {})
    return quote_etag(md5(force_bytes(content), usedforsecurity=False).hexdigest())


def require_revalidation(response: ResponseType) -> ResponseType:
    """Let a client cache the answer and revalidate it: it differs by token and language."""
    patch_cache_control(response, no_cache=True, private=True)
    patch_vary_headers(response, ("Authorization", "Accept-Language"))
    return response

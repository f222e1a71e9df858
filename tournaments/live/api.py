"""The live events of a tournament: page by page, or as a stream that stays open."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.authentication import get_authorization_header
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from tournaments.core.api.pagination import PARAMETERS, Page, read_page_size
from tournaments.core.api.parameters import bad_parameter
from tournaments.core.api.problems import CONTENT_TYPE
from tournaments.core.api.requests import actor_from_header, actor_of, refuse_unknown
from tournaments.core.api.serializers import Problem
from tournaments.core.api.views import accept_only, operation_texts, read_view
from tournaments.core.errors import Refusal
from tournaments.core.limits import network_of
from tournaments.live import serializers
from tournaments.live.queries.feed import Feed, events_after, open_feed, sequence_of, token_of
from tournaments.live.streams import NDJSON, SCOPE_KEY, SSE, EventStream, StreamRequest, event_dict

SINCE: Final = OpenApiParameter(
    "since",
    OpenApiTypes.STR,
    description="The token of an event: go on after it. Without one, from the beginning.",
)

LAST_EVENT_ID: Final = OpenApiParameter(
    "Last-Event-ID",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The token of the last event that came, which a browser sends when it comes back; "
    "it goes before `since`.",
)

MAX_EVENTS: Final = 1000
"""Events of an answer, at most, where the server cannot keep it open."""


@dataclass(frozen=True, slots=True)
class Events(Page[dict[str, Any]]):
    """Some events, and the token of the last."""

    token: str


@read_view(
    serializers.LiveEvents,
    tag="events",
    name="read_events",
    parameters=[
        SINCE,
        next(parameter for parameter in PARAMETERS if parameter.name == "page_size"),
    ],
)
def events(request: Request, slug: str) -> Events:
    """What has happened in a tournament, oldest first, to be asked for again with `since`.

    No event is missed, whichever token it goes on from, and all come in the order in which they
    happened. What each is about is read at its `url`.
    """
    feed, size = open_feed(slug, actor_of(request)), read_page_size(request)
    since = first_token_number(feed, {SINCE.name: request.query_params.get(SINCE.name)})
    rows = events_after(feed, since, size + 1)
    page = rows[:size]
    token = token_of(feed.tournament, page[-1].sequence if page else since)
    address = replace_query_param(request.build_absolute_uri(), "since", token)
    root = api_root(request)
    results = [event_dict(feed, root, event) for event in page]
    return Events(results, address if len(rows) > size else None, token)


def _stream(request: Request, slug: str) -> HttpResponse:
    """The same events as they happen, in an answer that stays open.

    As `text/event-stream`, or `application/x-ndjson` for who accepts that. After 15 seconds of
    silence comes a comment (an empty line); after ten minutes the answer ends, to be asked for
    again with the last token.
    """
    refuse_unknown(request, frozenset({SINCE.name}))
    feed = open_feed(slug, actor_of(request))
    http_request = request._request  # noqa: SLF001 - Django's own, which knows the server's scope
    kind = http_request.get_preferred_type([SSE, NDJSON]) or SSE
    last, since = request.headers.get(LAST_EVENT_ID.name), request.query_params.get(SINCE.name)
    after = first_token_number(feed, {LAST_EVENT_ID.name: last, SINCE.name: since})
    permission = (
        partial(may_follow, slug, get_authorization_header(request)) if feed.hidden else None
    )
    events = EventStream(feed, after, kind, api_root(request), permission)
    stream_request: StreamRequest | None = getattr(http_request, "scope", {}).get(SCOPE_KEY)
    body = b""
    if stream_request is None:
        backlog = events_after(feed, after, MAX_EVENTS)
        body = events.opening() + b"".join(map(events.serialize, backlog))
    else:
        stream_request.open(events, network_of(http_request))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return HttpResponse(body, content_type=kind, headers=headers)


stream = extend_schema(
    operation_id="follow_events",
    **operation_texts(_stream),
    tags=["events"],
    parameters=[SINCE, LAST_EVENT_ID],
    responses={
        (200, SSE): OpenApiTypes.STR,
        (200, NDJSON): OpenApiTypes.STR,
        (503, CONTENT_TYPE): OpenApiResponse(
            Problem, "No place for another stream, or no database; `Retry-After` says how long."
        ),
    },
)(accept_only(SSE, NDJSON)(api_view(["GET"])(_stream)))


def may_follow(slug: str, header: bytes) -> bool:
    """Return whether a token is still valid and has the right to a tournament."""
    try:
        open_feed(slug, actor_from_header(header))
    except Refusal:
        return False
    return True


def first_token_number(feed: Feed, tokens: Mapping[str, str | None]) -> int:
    """Return the number after which to go on: that of the first token given.

    Refuses BAD_PARAMETER for a token of another feed.
    """
    for name, token in tokens.items():
        if token is not None:
            sequence = sequence_of(feed.tournament, token)
            if sequence is None or sequence > feed.last:
                raise bad_parameter(name, "cursor")
            return sequence
    return 0


def api_root(request: Request) -> str:
    """Return the address of the API, with the host of the request."""
    return request.build_absolute_uri(reverse("api:nothing"))

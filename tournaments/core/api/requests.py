"""Reads requests of the API: the actor of the token, its quota, parameters and bodies."""

from __future__ import annotations

import logging
import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from email.message import Message
from functools import cache as once
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import redis
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.cache import cache
from django.db.models import Model
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle

import engine
from tournaments.core.api.parameters import bad_parameter, first_invalid_field
from tournaments.core.api.scopes import has_scope
from tournaments.core.api.serializers import StrictSerializer
from tournaments.core.db import one_or_none
from tournaments.core.errors import Reason, Refusal, refuse_large_body
from tournaments.core.limits import network_of
from tournaments.core.permissions import Actor
from tournaments.models import ApiToken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rest_framework.views import APIView  # it imports this module, by the settings


# --- Bearer tokens --------------------------------------------------------------------------------


SCHEME = "Bearer"
TOKEN: Final = re.compile(r"baza_([0-9a-f]{16})_([A-Za-z0-9_-]{43})")
# At most one write a minute for a token in constant use.
TOKEN_USE_INTERVAL: Final = timedelta(minutes=1)


class BearerToken(BaseAuthentication):
    """`Authorization: Bearer baza_…`; without that header the request is anonymous."""

    def authenticate(self, request: Request) -> tuple[User | AnonymousUser, Actor] | None:
        """Return the token's user and actor. Refuses BAD_TOKEN."""
        actor = actor_from_header(get_authorization_header(request))
        return None if actor.is_anonymous else (actor.user or AnonymousUser(), actor)

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002
        """Return the `WWW-Authenticate` header of a 401."""
        return f'{SCHEME} realm="baza"'


def actor_from_header(header: bytes) -> Actor:
    """Return the actor of an `Authorization` header, anonymous if empty. Refuses BAD_TOKEN."""
    scheme, _, credentials = header.partition(b" ")
    if not scheme:
        return Actor.anonymous()
    if scheme.lower() != SCHEME.lower().encode():
        raise Refusal(Reason.BAD_TOKEN)
    return authenticate_token(decode_token(credentials.strip()))


def decode_token(credentials: bytes) -> str:
    """Decode a token. Refuses BAD_TOKEN for bytes that are not printable ASCII."""
    text = credentials.decode("latin-1")
    if not (text.isascii() and text.isprintable()):
        raise Refusal(Reason.BAD_TOKEN)
    return text


def authenticate_token(text: str) -> Actor:
    """Return the actor of a token, and store the time of its use, to the minute.

    Refuses BAD_TOKEN unless it is a live token of an active user.
    """
    if (parts := TOKEN.fullmatch(text)) is None:
        raise Refusal(Reason.BAD_TOKEN)
    key, secret = parts.groups()
    token = one_or_none(ApiToken.objects.select_related("user").filter(key=key))
    if token is None or not token.has_secret(secret):
        raise Refusal(Reason.BAD_TOKEN)
    if token.revoked_at is not None or not token.user.is_active:
        raise Refusal(Reason.BAD_TOKEN)
    now = timezone.now()
    if token.expires_at is not None and token.expires_at <= now:
        raise Refusal(Reason.BAD_TOKEN)
    # Of the present key, so that a token in use survives a change of keys.
    digest = ApiToken.digest_of(key, secret)
    is_old = digest != token.digest
    if is_old or token.last_used_at is None or now - token.last_used_at > TOKEN_USE_INTERVAL:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now, digest=digest)
    return Actor.from_token(token)


def actor_of(request: Request) -> Actor:
    """Return the actor of a request, anonymous without a token."""
    return request.auth if isinstance(request.auth, Actor) else Actor.anonymous()


def require_actor(request: Request) -> Actor:
    """Return the actor of a request. Refuses SIGN_IN without a token."""
    actor = actor_of(request)
    if actor.is_anonymous:
        raise Refusal(Reason.SIGN_IN)
    return actor


# --- Parameters and bodies ------------------------------------------------------------------------


MEDIA_TYPE: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
TUTE: Final = "application/x-tute"
"""Records in text, ``.tute`` (docs/programs/notation.md)."""
IDENTITY_ENCODINGS: Final = frozenset({"", "identity"})
"""The content encodings that leave a body as it is."""

KEY: Final = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": "^[!-~]{1,200}$"},
    OpenApiParameter.HEADER,
    required=True,
    description="The same with every attempt of one submission: it is then carried out once, and "
    "the first answer is given again with `Idempotency-Replayed: true`.",
)


def refuse_unknown(request: Request, known_names: frozenset[str]) -> None:
    """Refuse query parameters that the address does not know or that come twice.

    A null character is in no value: PostgreSQL can compare nothing with it.
    """
    for name, values in request.query_params.lists():
        if name not in known_names:
            raise bad_parameter(name, "unknown", allowed=sorted(known_names))
        if len(values) > 1 or "\0" in values[0]:
            raise bad_parameter(name)


def read_number(request: Request, name: str) -> int | None:
    """Return the number from 1 to 999 that a query parameter gives, if it is there."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 4 and int(text)):
        raise bad_parameter(name)
    return int(text)


def read_flag(request: Request, name: str) -> bool:
    """Return whether a query parameter is 1; it may be left out or 0."""
    text = request.query_params.get(name, "0")
    if text not in {"0", "1"}:
        raise bad_parameter(name, allowed=("0", "1"))
    return text == "1"


def read_key(request: Request) -> str:
    """Return the idempotency key; the service checks its form."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        raise Refusal(Reason.KEY_MISSING)
    return key.strip()


def read_body(
    request: Request,
    limit: int = engine.MAX_BYTES,
    media_types: Sequence[str] = (MEDIA_TYPE,),
    *,
    may_be_empty: bool = True,
) -> bytes:
    """Return the body; of one that is too large only ``limit`` and one bytes.

    A request without a body has no media type, and most clients name none.

    `Content-Length` is not trusted: never more than the limit and one byte is read. The body can be
    read again by a retry (:mod:`.error_handlers`). Refuses FORBIDDEN to a token without the scope
    before anything is read.
    """
    if not has_scope(request):
        raise Refusal(Reason.FORBIDDEN)
    http_request = request._request  # noqa: SLF001 - past DRF's parsers
    raw = bytes(http_request.read(limit + 1))
    if raw or request.META.get("CONTENT_TYPE") or not may_be_empty:
        refuse_media_type(request, media_types)
    if not http_request._stream.seekable():  # noqa: SLF001 - no public way
        http_request._stream = BytesIO(raw)  # noqa: SLF001
    return raw


def refuse_media_type(request: Request, media_types: Sequence[str]) -> None:
    """Refuse everything but plain text of these types in UTF-8: other charsets, compression."""
    header = _content_type(request)
    charset = str(header.get_param("charset", "utf-8")).lower()
    encoding = request.headers.get("Content-Encoding", "").strip().lower()
    is_of_it = header.get_content_type() in media_types and charset in {"utf-8", "utf8"}
    if not is_of_it or encoding not in IDENTITY_ENCODINGS:
        raise unsupported_media_type(media_types)


def unsupported_media_type(media_types: Sequence[str]) -> Refusal:
    """Return the refusal of a body of another type; its header names the usual one."""
    headers, kind = {"Accept-Post": media_types[0]}, " / ".join(media_types)
    return Refusal(Reason.UNSUPPORTED_MEDIA_TYPE, headers=headers, kind=kind)


def media_type_of(request: Request) -> str:
    """Return the media type of the body, without its parameters."""
    return _content_type(request).get_content_type()


def _content_type(request: Request) -> Message:
    header = Message()
    header["Content-Type"] = request.META.get("CONTENT_TYPE") or "application/octet-stream"
    return header


def validate(
    serializer: type[StrictSerializer], raw: bytes, limit: int = engine.MAX_BYTES
) -> dict[str, Any]:
    """Return the validated fields of a body; refuses TOO_LARGE, BAD_REQUEST, BAD_PARAMETER."""
    bound_serializer = serializer(data=read_object(raw, limit))
    if not bound_serializer.is_valid():
        raise first_invalid_field(bound_serializer, bound_serializer.errors)
    return dict(bound_serializer.validated_data)


def read_object(raw: bytes, limit: int) -> dict[str, Any]:
    """Return the object that a body is, read as strictly as a record; an empty body is `{}`."""
    refuse_large_body(raw, limit)
    try:
        body = engine.read_json(raw or b"{}")
    except engine.RecordError as error:
        raise Refusal(
            Reason.BAD_REQUEST, reason=error.reason, line=error.line, column=error.column
        ) from error
    if not isinstance(body, dict):
        raise Refusal(Reason.BAD_REQUEST, reason="expected_object")
    return body


def address(request: Request, name: str, row: Model | None) -> str | None:
    """Return the address of a row in the API; `None` for no row."""
    if row is None:
        return None
    return request.build_absolute_uri(reverse(f"api:{name}", args=[row.pk]))


# --- Quotas ---------------------------------------------------------------------------------------
# A counter a minute in the cache, raised atomically, so that parallel requests are counted exactly.
# While the cache does not answer, every request passes: a lost Redis must not close the club.


MINUTE = 60  # seconds
QUOTA_USE = "baza.quota_use"
"""Key in `request.META` of what a request has used of its quota."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class QuotaUse:
    """What is left of a quota: its name, the requests that it allows a minute, those made in it."""

    name: str
    limit: int
    used: int

    @property
    def headers(self) -> dict[str, str]:
        """The headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers)."""
        left = max(self.limit - self.used, 0)
        return {
            "RateLimit-Policy": f'"{self.name}";q={self.limit};w={MINUTE}',
            "RateLimit": f'"{self.name}";r={left};t={math.ceil(seconds_left())}',
        }


class Quota(BaseThrottle):
    """`DEFAULT_THROTTLE_RATES` requests a minute for a `token` or an `anonymous` address."""

    def allow_request(self, request: Request, view: APIView) -> bool:  # noqa: ARG002
        """Count this request once, also when it is retried; return if it is within the quota."""
        meta = request._request.META  # noqa: SLF001 - shared by the retries
        if QUOTA_USE not in meta:
            meta[QUOTA_USE] = self._count(request)
        use: QuotaUse | None = meta[QUOTA_USE]
        return use is None or use.used <= use.limit

    def _count(self, request: Request) -> QuotaUse | None:
        token = actor_of(request).token
        kind, ident = ("token", token.key) if token else ("anonymous", network_of(request))
        limit = api_settings.DEFAULT_THROTTLE_RATES[kind]
        if not limit:
            return None
        try:
            return QuotaUse(kind, int(limit), count_request(f"quota:{kind}:{ident}"))
        except redis.RedisError:
            log.warning("The cache does not answer: a request passes uncounted.")
            return None

    def wait(self) -> float:
        """Return the seconds until the next minute starts."""
        return seconds_left()


def seconds_left() -> float:
    """Return the seconds until the next minute starts."""
    return MINUTE - time.time() % MINUTE


class QuotaHeaders:
    """Set on each counted answer of the API what is left of the quota."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer with the headers set."""
        response = self.get_response(request)
        use: QuotaUse | None = request.META.get(QUOTA_USE)
        for name, value in (use.headers if use else {}).items():
            response.headers[name] = value
        return response


def count_request(name: str) -> int:
    """Raise the counter of the running minute and return it, in one round trip to the cache."""
    key = cache.make_key(f"{name}:{int(time.time() // MINUTE)}")
    with cache_client().pipeline(transaction=False) as trip:
        trip.incr(key)
        trip.expire(key, 2 * MINUTE)
        return int(trip.execute()[0])


def cache_client() -> redis.Redis:
    """Return the process's one client of the cache's server, with its connections.

    Made under a lock: of two clients made at once one would be dropped, and closes its connections
    while other threads use them.
    """
    with client_lock:
        return make_cache_client()


client_lock: Final = Lock()


@once
def make_cache_client() -> redis.Redis:
    """Make the client."""
    return redis.Redis.from_url(settings.ENVIRONMENT.redis_url)

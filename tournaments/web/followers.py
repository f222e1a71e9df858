"""Those who follow a page, answered before Django is asked: the same for a hall as for one of it.

A page that follows asks every few seconds whether there is news, and most times there is none. What
Django has said to the first of them it need not be asked again for the moment in which a word
counts as the last one (`editions.RECENT`): this layer around it says the same to the others who
look at the same page in the same language, and are not signed in. While one asks, the others hear
that there is no news yet.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl

from django.conf import settings
from django.http import HttpRequest, parse_cookie

from tournaments import logs, metrics
from tournaments.web.watch import NUMBER, name_of

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

FOLLOWER: Final = "baza.follower"
"""Where a view finds, in the scope of its request, whom to tell how long its answer is good."""

SEEN: Final = "seen"
"""The parameter in which a page that follows says what it has."""

MOST: Final = 1000
"""Answers that a process remembers."""

LARGEST: Final = 256 * 1024
"""Bytes of an answer that is remembered."""

LONGEST: Final = 19
"""Digits; no word has as many."""

SAME: Final = (b"host", b"x-forwarded-host", b"x-forwarded-proto", b"accept-language")
"""Headers in which two who get the same answer are alike."""

OWN: Final = ("messages",)
"""Cookies, beside the session's, with which somebody gets a page of his own."""


def has_own(cookies: Mapping[str, str]) -> bool:
    """Tell whether more is known of who asks than his language."""
    return any(name in cookies for name in (settings.SESSION_COOKIE_NAME, *OWN))


def word_of(said: str) -> int | None:
    """Return the word that a page has seen; nothing if it says none.

    The list of a round says the state of the round before it: `published-117`.
    """
    word = said.rpartition("-")[2]
    return int(word) if word.isascii() and word.isdigit() and len(word) < LONGEST else None


@dataclass(slots=True)
class Follower:
    """What a view says of its answer, if it may be repeated: its word, until when, its route."""

    word: int = 0
    until: float = 0.0
    route: str = ""


def good_until(request: HttpRequest, word: int, until: float) -> None:
    """Have an answer to one who follows given to all who do, until then (`time.monotonic`)."""
    follower: Follower | None = getattr(request, "scope", {}).get(FOLLOWER)
    if follower is not None:
        follower.word, follower.until, follower.route = word, until, name_of(request)


class Asked(NamedTuple):
    """A page that follows: what makes its answer the same as another's, and what it has."""

    page: tuple[Any, ...]
    has: int
    number: str


@dataclass(slots=True)
class Kept:
    """The answers to who has a word already (no news, whatever the word), and to who has not."""

    word: int
    until: float
    route: str
    answers: dict[bool, list[Message]] = field(default_factory=dict)


class Followers:
    """An ASGI application around another: repeats its answers to those who follow."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.kept: dict[tuple[Any, ...], Kept] = {}
        self.asking: set[tuple[Any, ...]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Say again what was said a moment ago, or ask within."""
        asked = asked_by(scope)
        if asked is None:
            await self.application(scope, receive, send)
            return
        kept = self.kept.get(asked.page)
        if kept is not None and (answer := self.known(asked, kept)) is not None:
            await repeat(answer, asked, kept.route, send)
            return
        follower, messages = Follower(), list[Message]()

        async def note(message: Message) -> None:
            messages.append(message)
            await send(message)

        self.asking.add(asked.page)
        try:
            await self.application({**scope, FOLLOWER: follower}, receive, note)
        finally:
            self.asking.discard(asked.page)
        self.keep(asked, follower, messages)

    def known(self, asked: Asked, kept: Kept) -> list[Message] | None:
        """Return the answer that is still good, or no news while somebody asks what there is."""
        is_good = time.monotonic() < kept.until
        answer = kept.answers.get(asked.has >= kept.word) if is_good else None
        if answer is None and asked.page in self.asking:
            return kept.answers.get(True)
        return answer

    def keep(self, asked: Asked, follower: Follower, messages: list[Message]) -> None:
        """Remember an answer that is good for others, beside the other one of the same word."""
        if not follower.until or not is_whole(messages):
            return
        before = self.kept.pop(asked.page, None)
        kept = Kept(follower.word, follower.until, follower.route)
        if before is not None:
            same = before.word == kept.word
            kept.answers |= {has: said for has, said in before.answers.items() if has or same}
        kept.answers[asked.has >= kept.word] = messages
        if len(self.kept) >= MOST:
            self.kept.clear()
        if sum(len(one.get("body", b"")) for one in messages) <= LARGEST:
            self.kept[asked.page] = kept


def asked_by(scope: Scope) -> Asked | None:
    """Return what a page asks that follows, if it is one and nobody's own."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    query = scope.get("query_string", b"")
    if SEEN.encode() not in query:
        return None
    pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    seen = [value for name, value in pairs if name == SEEN]
    has = word_of(seen[-1]) if seen else None
    headers: dict[bytes, str] = {}
    for name, value in scope["headers"]:
        if headers.setdefault(name.lower(), said := value.decode("latin-1")) != said:
            return None  # said in two ways: Django may take it otherwise
    cookies = parse_cookie(headers.get(b"cookie", ""))
    if has is None or has_own(cookies):
        return None
    page = (
        *(scope.get("scheme"), scope["path"], scope.get("root_path")),
        tuple(pair for pair in pairs if pair[0] != SEEN),
        *(headers.get(name) for name in SAME),
        cookies.get(settings.LANGUAGE_COOKIE_NAME),
        "gzip" in headers.get(b"accept-encoding", ""),
    )
    return Asked(page, has, headers.get(NUMBER.lower().encode(), ""))


def is_whole(messages: list[Message]) -> bool:
    """Tell whether an answer was sent to its end, and sets nothing in one browser."""
    return (
        len(messages) > 1
        and not messages[-1].get("more_body")
        and all(name.lower() != b"set-cookie" for name, _ in messages[0]["headers"])
    )


async def repeat(answer: list[Message], asked: Asked, route: str, send: Send) -> None:
    """Send an answer again, under a number of its own, and count it; it is not written down."""
    start, *rest = answer
    number = logs.number_of(asked.number)
    headers = [pair for pair in start["headers"] if pair[0].lower() != NUMBER.lower().encode()]
    headers.append((NUMBER.lower().encode(), number.encode()))
    metrics.REQUESTS.labels(route, "GET", start["status"]).inc()
    metrics.DURATION.labels(route, "GET").observe(0.0)
    await send({**start, "headers": headers})
    for message in rest:
        await send(message)

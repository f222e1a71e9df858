"""Pages that are the same for all who are not signed in: written once, sent to a whole hall.

An *edition* is such a page as it was at a word (`live_word`). Whoever opens the page gets an
edition of this very word or a later one, or has it written; of many who want the same, one has it
written, and the others get the one before if that is a moment old, or wait. A page that follows,
asking every few seconds, always takes one that is a moment old, if it is newer than what it has: a
round's end, when every second has its result, is then written once in a while and not for every
result and spectator. Nor is the database asked for the word by everybody who follows, but by each
process once in a while.
"""

from __future__ import annotations

import gzip
import re
import struct
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from functools import wraps
from math import inf
from typing import Concatenate, Final, NamedTuple, ParamSpec

from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from tournaments.permissions import Actor
from tournaments.queries.cached import is_first, keep, recall
from tournaments.queries.live import live_word
from tournaments.web.followers import SEEN, good_until, has_own, word_of
from tournaments.web.live import UNCHANGED

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]

RECENT: Final = 2.0
"""Seconds for which a process takes a word for the last one, when a page that follows asks."""

MOST: Final = 1000
"""Tournaments whose words a process remembers."""

LATE: Final = 2.0
"""Seconds that an edition may be behind for a page that follows, at least."""

REST: Final = 60
"""How many times as long as its writing an edition is good for pages that follow: however fast
results come, a page in a language keeps no processor busier than a sixtieth."""

LATEST: Final = 10.0
"""Seconds that an edition may be behind for a page that follows, at most."""

LOCKS: Final = tuple(threading.Lock() for _ in range(64))
"""Of which a page being written holds one; two that share one by chance wait for each other."""

WRITING: Final = 5
"""Seconds for which pages that follow leave the writing of an edition to the one that began."""

STAGE: Final = "stage"
PARAMETERS: Final = frozenset({SEEN, STAGE})
"""What may stand behind the address of a page that is kept; with anything else it is not."""

TOKEN: Final = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")[^"]*')
"""What differs in the forms of every page, and is put in for each visitor who opens one."""

HTML: Final = "text/html; charset=utf-8"

FORM: Final = 2
"""Part of the keys of editions: to be moved on when their shape changes."""

HEAD: Final = bytes((0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255))
"""What stands above a compressed page (RFC 1952): no name, no time, no system."""


words: dict[str, tuple[float, int]] = {}
"""The words that this process has read last, by the name of the tournament, and when."""


class Edition(NamedTuple):
    """A page without tokens, compressed, at a word.

    ``at`` is when it was written (Unix time), ``took`` the seconds that it took. ``gaps`` are the
    places of the tokens, in the compressed bytes and in the page's own; a page without a form has
    none, and all get the very same bytes.
    """

    word: int
    at: float
    took: float
    body: bytes
    gaps: tuple[tuple[int, int], ...] = ()


def for_all(view: View[P], *, every: int = 0) -> View[P]:
    """Have a page of a tournament, whose ``slug`` is named, written once for the whole hall.

    What tells the time is written anew ``every`` so many seconds. For views that follow `live_word`
    and show to all who are not signed in the same. Who is signed in, or has given an entry's code,
    gets a page of his own. Refuses as the view does.
    """

    @wraps(view)
    def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not is_anybody(request):
            return view(request, *args, **kwargs)
        has = asked_with(request)
        slug = str(kwargs["slug"])
        read, word = last_word(slug, 0 if has is None else RECENT)
        if has is not None and has >= word:
            good_until(request, word, read + RECENT)
            return HttpResponse(status=UNCHANGED)
        key = f"{key_of(request)}:{time.time() // every if every else 0:.0f}"
        found: Edition | None = recall(key)
        if found is None or not will_do(found, word, has):
            if has is not None and not is_first(f"{key}:writing", WRITING):
                return HttpResponse(status=UNCHANGED)  # it comes with the next look
            new = written(key, word, lambda: view(request, *args, **kwargs))
            if isinstance(new, HttpResponse):
                return new
            found = new
        if has is not None:
            good_until(request, found.word, read + RECENT)
            if found.word <= has:
                return HttpResponse(status=UNCHANGED)
        return sent(request, found, follows=has is not None)

    return answer


def last_word(slug: str, recent: float) -> tuple[float, int]:
    """Return the word of a tournament as it was ``recent`` seconds ago, or later, and when.

    Refuses NOT_FOUND for what not everybody may see.
    """
    now = time.monotonic()
    at, word = words.get(slug, (-inf, 0))
    if now - at >= recent:
        words.pop(slug, None)  # it may be private now
        word = int(live_word(slug, Actor.anonymous()))
        if len(words) >= MOST:
            words.clear()
        at, words[slug] = now, (now, word)
    return at, word


def written(key: str, word: int, write: Callable[[], HttpResponse]) -> Edition | HttpResponse:
    """Write and keep an edition, unless somebody has done so meanwhile; or return what is none.

    While another writes it, the one before does if it is a moment old. Whoever has to wait gives
    the connection back: it would be missing to those who submit.
    """
    lock = LOCKS[zlib.crc32(key.encode()) % len(LOCKS)]
    holds = lock.acquire(blocking=False)
    if not holds:
        before: Edition | None = recall(key)
        if before is not None and is_of_the_moment(before):
            return before
        connection.close()
        holds = lock.acquire(timeout=WRITING)
    try:
        found: Edition | None = recall(key)
        if found is not None and found.word >= word:
            return found
        began = time.time()
        page = write()
        if not is_page(page):
            return page
        now = time.time()
        edition = Edition(word, now, now - began, *without_tokens(page))
        keep(key, edition)
        return edition
    finally:
        if holds:
            lock.release()


def is_anybody(request: HttpRequest) -> bool:
    """Tell whether nothing is known of who asks but the language, nor anything else asked for."""
    is_known = PARAMETERS.issuperset(request.GET)
    return request.method == "GET" and is_known and not has_own(request.COOKIES)


def asked_with(request: HttpRequest) -> int | None:
    """Return the word that a page which follows has ``seen``, and take it out of the request."""
    values = request.GET.copy()
    said = str(values.pop(SEEN, [""])[-1])
    request.GET = values  # type: ignore[assignment]
    request.META["QUERY_STRING"] = values.urlencode()
    return word_of(said)


def key_of(request: HttpRequest) -> str:
    """Return the key of what is asked for: an address, a language, the files that go with it."""
    files = getattr(staticfiles_storage, "manifest_hash", "")
    address = f"{request.build_absolute_uri(request.path)}?{request.GET.get(STAGE, '')}"
    return f"edition:{FORM}:{files}:{get_language()}:{address}"


def will_do(found: Edition, word: int, has: int | None) -> bool:
    """Tell whether an edition may be sent to one who opens the page, or who follows it."""
    return found.word >= word or (has is not None and is_of_the_moment(found))


def is_of_the_moment(found: Edition) -> bool:
    """Tell whether an edition is as old as one may be that was written in so long."""
    return time.time() - found.at < min(max(LATE, REST * found.took), LATEST)


def is_page(answer: HttpResponse) -> bool:
    """Tell whether an answer is one that all may have."""
    return answer.status_code == 200 and answer.headers.get("Content-Type") == HTML


def without_tokens(page: HttpResponse) -> tuple[bytes, tuple[tuple[int, int], ...]]:
    """Return the page as it is kept, and the gaps that its tokens leave.

    What stands behind a gap is compressed without a look at what stands before it, so that a token
    can be put in between and nothing need be compressed again (RFC 1951, 3.2.4).
    """
    first, *others = (part.encode() for part in TOKEN.split(page.content.decode()))
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed, read, gaps = bytearray(HEAD) + packer.compress(first), len(first), []
    for part in others:
        packed += packer.flush(zlib.Z_FULL_FLUSH)
        gaps.append((len(packed), read))
        packed += packer.compress(part)
        read += len(part)
    packed += packer.flush()
    return bytes(packed) + foot(b"".join((first, *others))), tuple(gaps)


def foot(page: bytes) -> bytes:
    """Return what stands below a compressed page: its checksum and its length."""
    return struct.pack("<II", zlib.crc32(page), len(page) & 0xFFFFFFFF)


def with_token(edition: Edition, token: bytes) -> tuple[bytes, bytes]:
    """Return a page with a token in its forms: compressed, and as it is read."""
    kept, said = edition.body[: -len(foot(b""))], gzip.decompress(edition.body)
    put = struct.pack("<BHH", 0, len(token), len(token) ^ 0xFFFF) + token  # uncompressed
    packed = put.join(kept[start:end] for start, end in spans([at for at, _ in edition.gaps]))
    page = token.join(said[start:end] for start, end in spans([at for _, at in edition.gaps]))
    return packed + foot(page), page


def spans(cuts: list[int]) -> Iterator[tuple[int, int | None]]:
    """Yield where the parts between cuts start and end."""
    return zip((0, *cuts), (*cuts, None), strict=True)


def sent(request: HttpRequest, edition: Edition, *, follows: bool) -> HttpResponse:
    """Answer with an edition; who follows takes a part of it alone, and no form."""
    packed = edition.body
    page = None
    if edition.gaps and not follows:
        packed, page = with_token(edition, get_token(request).encode())
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        answer = HttpResponse(packed, headers={"Content-Encoding": "gzip"})
    else:
        answer = HttpResponse(page or gzip.decompress(packed))
    patch_vary_headers(answer, ("Accept-Encoding", "Accept-Language", "Cookie"))
    return answer

"""Papers: the page that lists them, each as a PDF, and the pictures to share."""

from collections.abc import Callable
from contextlib import nullcontext
from hashlib import sha256
from io import BytesIO
from typing import Any, Final

import segno
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import is_valid_path, reverse
from django.utils.cache import get_conditional_response
from django.utils.dateparse import parse_date
from django.utils.http import quote_etag
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournaments.core.cache import get_cached, set_cached
from tournaments.core.find import not_found_unless
from tournaments.core.limits import PAPERS, Capacity, count_one, refuse_too_many
from tournaments.core.views import actor_from, is_localhost, origin_of, read_stage
from tournaments.printing import deals
from tournaments.printing.queries import announcements, listing, rounds, stages
from tournaments.printing.queries.papers import Addresses, PrintFile
from tournaments.sheets import LAYOUT_VERSION, draw_share_card, render_papers
from tournaments.sheets.rows import ShareCard

DRAWING_CAPACITY: Final = Capacity(at_once=1, queue_size=1)
"""Limit of drawings for anonymous visitors in each web process; each of them, waiting or drawing,
occupies one of `settings.REQUESTS_AT_ONCE`.
"""

MAX_PATH: Final = 200
"""Characters of a path that is drawn as a QR code, at most: more would be too fine for a phone."""

MAX_PLACES: Final = 60
"""Places in one request for diplomas, at most."""


@require_safe
def print_page(request: HttpRequest, slug: str) -> HttpResponse:
    """List what can be printed now."""
    actor = actor_from(request)
    page = listing.print_page(slug, actor)
    changed = {}
    for one in page.stages:
        digests = request.session.get(f"guides:{one.guides}") if one.guides else None
        if digests:
            numbers = stages.changed_guides(slug, actor, one.stage.number, digests)
            changed[one.stage.number] = ",".join(map(str, numbers))
    context = {"page": page, "head": page.head, "changed": changed}
    context["is_localhost"] = is_localhost(request)
    return render(request, "printing/print/page.html", context)


@require_safe
def round_papers(request: HttpRequest, slug: str, number: int, what: str) -> HttpResponse:
    """Return the papers of a round as PDF: all in one, or one kind.

    With ``?together=1`` with those of the rounds that are played beside it.
    """
    addresses = addresses_in(request, slug)
    printed = rounds.round_papers(
        slug,
        number,
        actor_from(request),
        what,
        get_language(),
        addresses,
        together="together" in request.GET,
    )
    return pdf(request, printed)


@require_safe
def codes(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a slip with the code of each entry as PDF; never cached."""
    addresses = addresses_in(request, slug)
    return pdf(
        request,
        rounds.codes_paper(slug, actor_from(request), get_language(), addresses),
        keep=False,
    )


@require_safe
def poster(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the poster as PDF, with a QR code of its address, public or as it was asked."""
    address = f"{origin_of(request)}{reverse('tournament', args=[slug])}"
    return pdf(
        request, announcements.poster_paper(slug, actor_from(request), get_language(), address)
    )


@require_safe
def week(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the matches of seven days as PDF, from the day ``from`` on or the next day of play."""
    try:
        first = parse_date(request.GET.get("from", ""))
    except ValueError:  # written as a day, but of no calendar
        first = None
    return pdf(request, announcements.week_paper(slug, actor_from(request), first, get_language()))


@require_safe
def money(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the money of a tournament for the treasurer as PDF."""
    return pdf(request, announcements.money_paper(slug, actor_from(request), get_language()))


@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the standings of a stage as PDF."""
    stage = read_stage(request)
    return pdf(request, stages.standings_paper(slug, actor_from(request), stage, get_language()))


@require_safe
def crosstable(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a crosstable, a table by rounds, or a bracket as PDF."""
    stage = read_stage(request)
    return pdf(request, stages.crosstable_paper(slug, actor_from(request), stage, get_language()))


@require_safe
def guides(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a guide card for each entry as PDF, or for the ``entries`` in the query.

    The session of a member of the club's staff remembers what was printed, so that after a change
    only the changed ones are printed again.
    """
    actor, stage = actor_from(request), read_stage(request)
    entries = read_numbers(request, "entries")
    printed = stages.guides_paper(slug, actor, stage, get_language(), entries)
    if request.user.is_authenticated:
        key = f"guides:{printed.name}"
        known = request.session.get(key, {})
        request.session[key] = {**known, **stages.guide_digests(printed)}
    return pdf(request, printed)


@require_safe
def travelling_slips(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a slip for each deal of a duplicate as PDF."""
    stage = read_stage(request)
    actor = actor_from(request)
    return pdf(request, deals.travelling_slips_paper(slug, actor, stage, get_language()))


@require_safe
def deal_record(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the cards of all deals as PDF; never cached, as they may be secret."""
    printed = deals.deal_record_paper(
        slug, actor_from(request), read_stage(request), get_language()
    )
    return pdf(request, printed, keep=False)


@require_safe
def seat_slips(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a slip with the cards of each seat as PDF; never cached, as they may be secret."""
    printed = deals.seat_slips_paper(slug, actor_from(request), read_stage(request), get_language())
    return pdf(request, printed, keep=False)


@require_safe
def personal_sheets(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the deals of the entry in the query beside the field, or of all, as PDF."""
    text = request.GET.get("entry", "")
    entry = int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else None
    actor, stage = actor_from(request), read_stage(request)
    printed = deals.personal_sheets_paper(slug, actor, stage, entry, get_language())
    return pdf(request, printed, keep=False)


@require_safe
def diplomas(request: HttpRequest, slug: str) -> HttpResponse:
    """Return diplomas as PDF, for the first three or the ``places`` in the query."""
    stage, places = read_stage(request), read_places(request)
    return pdf(
        request, stages.diplomas_paper(slug, actor_from(request), stage, places, get_language())
    )


def addresses_in(request: HttpRequest, slug: str) -> Addresses:
    """Return the addresses for QR codes, absolute by the host of the request."""
    table, come = (reverse(name, args=[slug]) for name in ("own-table", "come"))
    return Addresses(request.build_absolute_uri(table), request.build_absolute_uri(come))


def read_places(request: HttpRequest) -> tuple[int, ...]:
    """Return the places in the query, the first three without any."""
    return read_numbers(request, "places")[:MAX_PLACES] or stages.FIRST_THREE


def read_numbers(request: HttpRequest, name: str) -> tuple[int, ...]:
    """Return the numbers in the query, ``places=1,2,5``; parts that are no number are ignored."""
    parts = request.GET.get(name, "").replace(" ", ",").split(",")
    return tuple(
        int(part) for part in parts if part.isascii() and part.isdecimal() and len(part) < 6
    )


@require_safe
def address_code(request: HttpRequest) -> HttpResponse:
    """Return the QR code of the page at the path ``to`` as SVG. Refuses NOT_FOUND."""
    path = request.GET.get("to", "")
    not_found_unless(len(path) <= MAX_PATH and bool(is_valid_path(path)))
    code = segno.make_qr(f"{origin_of(request)}{path}", error="m")
    picture = BytesIO()
    code.save(picture, kind="svg", border=4, light="#fff", xmldecl=False)
    answer = HttpResponse(picture.getvalue(), content_type="image/svg+xml")
    answer["Cache-Control"] = "public, max-age=86400"
    return answer


def share_card(card_of: Callable[..., ShareCard]) -> Callable[..., HttpResponse]:
    """Make the view of a picture that is shown where an address is shared.

    It is for everybody or not at all: of a private tournament not even its people get it. It is
    drawn once for what it says, so a name that is corrected or erased gives another. Refuses
    NOT_FOUND, TOO_MANY_TRIES, BUSY.
    """

    @require_safe
    def view(request: HttpRequest, **address: Any) -> HttpResponse:
        card = card_of(**address)
        digest = sha256(repr((LAYOUT_VERSION, card)).encode()).hexdigest()[:32]
        tag = quote_etag(digest)
        answer = get_conditional_response(request, etag=tag)
        if answer is None:
            body = get_cached(f"card:{digest}")
            if body is None:
                refuse_too_many(request, PAPERS)
                count_one(request, PAPERS)
                with DRAWING_CAPACITY.slot():
                    body = get_cached(f"card:{digest}") or draw_share_card(card)
                    set_cached(f"card:{digest}", body)
            answer = HttpResponse(body, content_type="image/png")
        answer["ETag"] = tag
        answer["Cache-Control"] = "public, max-age=60"
        return answer

    return view


def pdf(request: HttpRequest, printed: PrintFile, *, keep: bool = True) -> HttpResponse:
    """Return a PDF response; 304 without drawing when the browser has the same paper.

    Its rows come from queries that are cached by the tournament's version; the drawn PDF is cached
    under the digest of its rows, so that it is drawn once for all. ``keep=False`` turns that off,
    for papers with codes. Refuses TOO_MANY_TRIES, BUSY.
    """
    language = get_language()
    content = repr((LAYOUT_VERSION, language, printed)).encode()
    tag = quote_etag(sha256(content).hexdigest()[:32])
    answer = get_conditional_response(request, etag=tag)
    if answer is None:
        body = get_cached(f"paper:{tag}") if keep else None
        if body is None:
            body = draw(request, printed, language)
            if keep:
                set_cached(f"paper:{tag}", body)
        answer = HttpResponse(body, content_type="application/pdf")
        answer["Content-Disposition"] = f'inline; filename="{printed.name}.pdf"'
    answer["ETag"] = tag
    answer["Cache-Control"] = "private, no-cache"
    return answer


def draw(request: HttpRequest, printed: PrintFile, language: str) -> bytes:
    """Draw a paper, for anonymous visitors one at a time. Refuses TOO_MANY_TRIES, BUSY.

    It takes some 500 ms of processor; signed-in people do not wait for anonymous visitors.
    """
    refuse_too_many(request, PAPERS)
    count_one(request, PAPERS)
    with nullcontext() if request.user.is_authenticated else DRAWING_CAPACITY.slot():
        return render_papers(printed.sheets, language, printed.title)

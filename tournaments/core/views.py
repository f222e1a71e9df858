"""Helpers of every page: the actor of a request, refusals as pages, confirmations, the language."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Concatenate, Final, ParamSpec
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, is_valid_path, path, reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views import View, i18n
from django.views.decorators.cache import never_cache

import engine
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import find_match
from tournaments.core.idempotency import CONFLICT, Answer, run_form_once, run_once
from tournaments.core.permissions import Actor, is_member
from tournaments.core.push import end_noted
from tournaments.environment import THIS_MACHINE
from tournaments.models import Entry, Tournament

# --- Host name ------------------------------------------------------------------------------------
# The address that links begin with, and whether other devices can open those that a page shows.


def origin_of(request: HttpRequest) -> str:
    """Return the public origin of the service, else the one that was asked."""
    public: str = settings.ENVIRONMENT.public_url
    return public or f"{request.scheme}://{request.get_host()}"


def is_localhost(request: HttpRequest) -> bool:
    """Return whether the requested host name means the visitor's own machine (localhost)."""
    host = urlsplit(request.build_absolute_uri("/")).hostname or ""
    return host in {name.strip("[]") for name in THIS_MACHINE}


# --- Live -----------------------------------------------------------------------------------------
# Pages that poll send the version that the browser has ``seen``, and learn if it changed.
#
# A page reads its version before anything else. Its script (`js/live.js`) asks again every five
# seconds while the page is visible.


SEEN_PARAMETER: Final = "seen"
"""The parameter of a poll with the version that the browser shows."""

NO_CONTENT: Final = 204  # htmx leaves the page as it is


def unchanged_response(request: HttpRequest, version: str) -> HttpResponse | None:
    """Return a 204 when nothing has changed since the version that the browser has ``seen``."""
    if request.GET.get(SEEN_PARAMETER) == version:
        return HttpResponse(status=NO_CONTENT)
    return None


# --- Answers --------------------------------------------------------------------------------------
# The actor of a request, refusals as pages, and confirmation steps.


ACTOR_REFUSALS = (Reason.SIGN_IN, Reason.SECOND_FACTOR, Reason.FORBIDDEN, Reason.NOT_FOUND)
"""Refusals that concern the actor or the address, not the fields of a form."""

JSON = "application/json"
TEXT = "text/plain; charset=utf-8"
NDJSON = "application/x-ndjson"

ENTRY_CODES = "entry_codes"
"""The session's entry codes: tournament's slug to entry's code."""

REFUSED = "baza.refused"
"""Key in `request.META` that is set when a refusal is answered with a redirect, by which alone it
looks like a form that was carried out."""

FORM_KEY = "form_key"
"""The field with the key of a form that is carried out once."""
IDEMPOTENCY_KEY = "Idempotency-Key"
"""The header with the key of a script's request that is carried out once."""

P = ParamSpec("P")
Page = Callable[Concatenate[HttpRequest, P], HttpResponse]
"""A view: a request and the parts of its address in, an answer out."""


def actor_from(request: HttpRequest) -> Actor:
    """Return the actor of a request."""
    return Actor.for_user(request.user, request.session.get(ENTRY_CODES))


def entry_actor(request: HttpRequest, tournament: Tournament) -> Actor:
    """Return the actor in a tournament: the user, or the entry whose code was given.

    The club's own staff act for themselves, also when they have given a code.
    """
    actor = actor_from(request)
    code = stored_code(request, tournament)
    if code is None or (not actor.is_anonymous and is_member(actor, tournament.club)):
        return actor
    entries = tournament.entries.with_players().select_related("tournament__club")
    entry = entries.filter(code=code).first()
    return actor if entry is None else Actor.for_entry(entry)


def actor_at_match(request: HttpRequest, match_pk: int) -> Actor:
    """Return the actor at a match, in the sense of :func:`entry_actor`. Refuses NOT_FOUND."""
    actor = actor_from(request)
    if not request.session.get(ENTRY_CODES):
        return actor
    return entry_actor(request, find_match(match_pk, actor).tournament)


def stored_code(request: HttpRequest, tournament: Tournament) -> str | None:
    """Return the entry's code stored in this session, or None."""
    code: str | None = request.session.get(ENTRY_CODES, {}).get(tournament.slug)
    return code


def remember_code(request: HttpRequest, tournament: Tournament, code: str) -> None:
    """Store an entry's code in the session, so that its holder acts for the entry.

    Messages to this browser end with the code that was there.
    """
    codes = request.session.get(ENTRY_CODES, {})
    if codes.get(tournament.slug) != code:
        end_noted(request.session, tournament.slug)
    request.session[ENTRY_CODES] = {**codes, tournament.slug: code}


def forget_code(request: HttpRequest, tournament: Tournament) -> None:
    """Remove an entry's code from the session, and end its messages to this browser."""
    end_noted(request.session, tournament.slug)
    codes = request.session.get(ENTRY_CODES, {})
    request.session[ENTRY_CODES] = {k: v for k, v in codes.items() if k != tournament.slug}


def refusals_as_pages(view: Page[P]) -> Page[P]:
    """Render a refusal as a page with its reason; carry a form with a key out once.

    The template tag ``form_key`` writes the key into the form.
    """

    @wraps(view)
    def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        def respond() -> HttpResponse:
            try:
                return view(request, *args, **kwargs)
            except Refusal as refusal:
                return refusal_page(request, refusal)

        is_keyed = request.method == "POST" and FORM_KEY in request.POST
        session = request.session.session_key if is_keyed else None
        return respond() if session is None else respond_to_form_once(request, session, respond)

    return answer


def respond_to_form_once(
    request: HttpRequest, session: str, respond: Callable[[], HttpResponse]
) -> HttpResponse:
    """Answer a form that has a key; its repetition is redirected to the first answer.

    The key counts together with the session, the address and all fields: a form that was changed
    after going back in the browser is another one.
    """
    response: HttpResponse | None = None

    def act() -> Answer:
        nonlocal response
        request.META.pop(REFUSED, None)  # of an attempt that the database rolled back
        response = respond()
        status = CONFLICT if REFUSED in request.META else response.status_code
        return Answer(status, {"place": response.headers.get("Location", "")})

    scope = "form:" + sha256(session.encode()).hexdigest()[:32]
    answer = run_form_once(scope, digest_of(request), act)
    if response is not None:
        return response
    if not answer.content["place"]:
        return refusal_page(request, Refusal(Reason.FORM_SENT))
    messages.info(request, _("This was done once, although the form was sent twice."))
    return redirect(answer.content["place"])


def say_encoding(request: HttpRequest, source: bytes | str) -> None:
    """Tell the user in which encoding a file was read, unless it is plain UTF-8."""
    encoding = engine.decode_text(source)[1] if isinstance(source, bytes) else ""
    if encoding not in {"", "utf-8"}:
        text = _("The file was read as %(encoding)s.")
        messages.info(request, text % {"encoding": engine.ENCODING_NAMES[encoding]})


def digest_of(request: HttpRequest) -> str:
    """Return a digest of a form: its address, its fields and its files."""
    digest = sha256(repr((request.path, sorted(request.POST.lists()))).encode())
    for name, files in sorted(request.FILES.lists()):
        for file in files:
            digest.update(repr((name, file.name)).encode())
            for chunk in file.chunks():
                digest.update(chunk)
            file.seek(0)
    return digest.hexdigest()


def refusals_as_json(view: Page[P]) -> Page[P]:
    """Render a refusal as JSON with its code and message, for a page's script to show."""

    @wraps(view)
    def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Refusal as refusal:
            body = {"code": refusal.code, "message": refusal.message}
            return JsonResponse(body, status=refusal.status)

    return answer


@dataclass(frozen=True, slots=True)
class ScriptAnswer:
    """The answer to a form that a page's script has queued until it could send it.

    ``kind`` is ``good``, ``warn``, ``bad`` (refused) or ``ask`` (refused until it is sent as sure).
    ``url`` is the page of the row that it is about; None where the script needs no address.
    """

    kind: str
    text: str
    url: str | None = None


def refuse_other_entry(request: HttpRequest, entry: Entry | None) -> None:
    """Refuse FORBIDDEN for a queued form of another entry than the session's present one."""
    number = request.POST.get("entry")
    if number is not None and (entry is None or number != str(entry.number)):
        raise Refusal(Reason.FORBIDDEN)


@refusals_as_json
def respond_to_script_once(
    request: HttpRequest, actor: Actor, target: str, action: Callable[[], ScriptAnswer]
) -> HttpResponse:
    """Carry a form out once for the idempotency key of a script, and answer in JSON.

    A refusal is stored under its key, too: a copy of the request that was delayed in the network
    must not be accepted later. Refusals that concern the actor are not: the script sends the form
    again after the user has signed in.
    """

    def respond() -> Answer:
        try:
            line = action()
        except Refusal as refusal:
            if refusal.reason in ACTOR_REFUSALS:
                raise
            line = ScriptAnswer("bad", refusal.message)
        content = {name: value for name, value in asdict(line).items() if value is not None}
        return Answer(422 if line.kind in {"bad", "ask"} else 200, content)

    body = request.POST.urlencode().encode()
    answer = run_once(actor, request.headers[IDEMPOTENCY_KEY], target, body, respond)
    return JsonResponse(dict(answer.content), status=answer.status)


def refusal_page(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """Render a refusal with its status; anonymous visitors are asked to sign in."""
    request.META[REFUSED] = True
    if refusal.reason is Reason.SIGN_IN:
        if request.method == "POST":
            messages.warning(request, _("Nothing was saved. Sign in and send the form again."))
        return redirect_page(request, redirect_to_login(page_after_sign_in(request)).url)
    if refusal.reason is Reason.SECOND_FACTOR:
        query = urlencode({"next": page_after_sign_in(request)})
        return redirect_page(request, f"{reverse('set-up-factor')}?{query}")
    return render(request, "refusal.html", {"refusal": refusal}, status=refusal.status)


class RefusalMixin(View):
    """Makes one of Django's views render refusals as :func:`refusals_as_pages` does."""

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        """Answer the request."""
        try:
            return super().dispatch(request, *args, **kwargs)
        except Refusal as refusal:
            return refusal_page(request, refusal)


def page_after_sign_in(request: HttpRequest) -> str:
    """Return the address that a visitor is redirected to after signing in.

    Of a form it is the page of the form, which is there or above it (:func:`parent_page`).
    """
    if "HX-Request" in request.headers:  # a part was asked for, by a script of this page
        try:
            page = urlsplit(request.headers.get("HX-Current-URL", "/"))
        except ValueError:  # not an address
            return "/"
        return page._replace(scheme="", netloc="", fragment="").geturl()
    return request.get_full_path()


def redirect_page(request: HttpRequest, to: str) -> HttpResponse:
    """Redirect a browser to another page: the whole page, also when a part was requested."""
    if "HX-Request" in request.headers:
        return HttpResponse(status=NO_CONTENT, headers={"HX-Redirect": to})
    return redirect(to)


def page_after(request: HttpRequest, slug: str, default: str, *, number: int | None = None) -> str:
    """Return the address to redirect to after a form: ``default``, or the control room.

    The control room if the form, or the address of its page (`keep_back`), has ``back=control``: a
    fixed word and no address, so it is no open redirect. ``number`` is a round to be shown there.
    """
    if "control" not in (request.POST.get("back"), request.GET.get("back")):
        return default
    return reverse("control", args=[slug]) + ("" if number is None else f"?round={number}")


@dataclass(frozen=True, slots=True)
class ConfirmedAction:
    """A step that cannot be undone: ``act`` does it, the other fields describe it.

    ``closed`` is why it is not possible now, as a sentence; empty while it is possible.
    """

    act: Callable[[], object]
    done: str
    back: str
    closed: str = ""


def confirm_page(
    request: HttpRequest, template: str, context: Mapping[str, Any], step: ConfirmedAction
) -> HttpResponse:
    """Ask for confirmation on GET, act on POST; a refusal is shown on the same page."""
    refusal = None
    if request.method == "POST":
        try:
            step.act()
        except Refusal as raised:
            if raised.reason in ACTOR_REFUSALS:
                raise
            refusal = raised
        else:
            messages.success(request, step.done)
            return redirect(step.back)
    values = {**context, "step": step, "refusal": refusal}
    return render(request, template, values, status=refusal.status if refusal else 200)


def run_action(
    request: HttpRequest, action: Callable[[], object], message: str | Promise = ""
) -> bool:
    """Carry out the action of a button; the next page shows ``message``, or why it was refused.

    Returns whether it was done. Raises the refusals that concern the actor or the address.
    """
    try:
        action()
    except Refusal as refusal:
        show_on_next_page(request, refusal)
        return False
    if message:
        messages.success(request, str(message))
    return True


def show_on_next_page(request: HttpRequest, refusal: Refusal) -> None:
    """Have the next page show a refusal. Raises those that concern the actor or the address."""
    if refusal.reason in ACTOR_REFUSALS:
        raise refusal
    request.META[REFUSED] = True
    messages.error(request, refusal.message)


def page(
    route: str, view: Callable[..., Any], name: str | None = None, **arguments: str
) -> URLPattern:
    """Return the path of a page whose refusals are rendered as pages (:func:`refusals_as_pages`).

    The view also gets ``arguments``. An address of earlier releases has no name.

    Read at an address that takes only POST, it redirects to the nearest page above.
    """
    page_view = refusals_as_pages(view)

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = page_view(request, *args, **kwargs)
        is_read = request.method in ("GET", "HEAD")
        if is_read and response.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            return redirect(parent_page(request.path_info))
        return response

    return path(route, answer, arguments, name=name)


def out_of_search(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Ask search engines to leave a page of people out (docs/operators/privacy.md)."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return leave_out_of_search(view(request, *args, **kwargs))

    return answer


def leave_out_of_search(response: HttpResponse) -> HttpResponse:
    """Ask search engines to leave this page out."""
    response["X-Robots-Tag"] = "noindex"
    return response


def parent_page(address: str) -> str:
    """Return the nearest address above that leads to a page; the front page at last.

    For reloads of an address that takes forms only, and redirects to one after signing in.
    """
    parent = address.rstrip("/").rpartition("/")[0] + "/"
    return parent if is_valid_path(parent) else parent_page(parent)


# --- Language -------------------------------------------------------------------------------------


@never_cache
def set_language(request: HttpRequest) -> HttpResponseBase:
    """Store the ``language`` in a cookie and redirect to ``next``, a page of this site.

    A link and not a form, since a form's token would keep public pages out of the cache. Django's
    own view, which answers POST, checks ``next``.
    """
    response: HttpResponseBase = i18n.set_language(request)
    code = request.GET.get("language")
    if request.method == "GET" and code in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            code,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            path=settings.LANGUAGE_COOKIE_PATH,
            domain=settings.LANGUAGE_COOKIE_DOMAIN,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite=settings.LANGUAGE_COOKIE_SAMESITE,
        )
    return response


MAX_STAGE_NUMBER = 10_000
"""Greater than the number of any stage."""


def read_stage(request: HttpRequest) -> int | None:
    """Return the stage in the query, if any; refuses NOT_FOUND for what is no number."""
    text = request.GET.get("stage")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < len(str(MAX_STAGE_NUMBER))):
        raise Refusal(Reason.NOT_FOUND)
    return int(text)


def download_response(content: bytes, name: str, kind: str) -> HttpResponse:
    """Return a file as a download; caches may not share it, since it depends on the viewer."""
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-cache"
    return response

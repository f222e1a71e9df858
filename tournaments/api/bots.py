"""Bots: read them, their checks and their forfeits; bring one, and say what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Concatenate, Final, ParamSpec

from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from tournaments.api import filters
from tournaments.api.doors import View, reads, refuse_unknown
from tournaments.api.pages import PARAMETERS, Page, cut
from tournaments.api.problems import CONTENT_TYPE
from tournaments.api.reports import Body, strict
from tournaments.api.schema import described
from tournaments.api.shapes import bots as shapes
from tournaments.api.shapes.organising import Nothing
from tournaments.api.shapes.problems import Problem
from tournaments.api.submissions import KEY, MEDIA_TYPE, read_body, read_key
from tournaments.api.tokens import actor_of, signed_in
from tournaments.errors import Reason, Refusal
from tournaments.models import Bot, BotVersion
from tournaments.permissions import Actor
from tournaments.queries import bots as queries
from tournaments.queries.find import find_club
from tournaments.services import bots as services
from tournaments.services.compliance import check_again
from tournaments.services.repeats import Answer, once

Asked = ParamSpec("Asked")
Door = Callable[Concatenate[Actor, Body, Asked], BotVersion | Bot]

LARGEST_BODY: Final = 1 << 20
"""Bytes of a body: a text as JSON writes it."""

TEXT: Final = "#!/usr/bin/env python3\nimport json, sys\n…"
PROGRAM: Final = OpenApiExample(
    "A program",
    value={"name": "First steps", "kind": "program", "language": "python", "source": TEXT},
    request_only=True,
)
ELSEWHERE: Final = OpenApiExample(
    "A bot that runs elsewhere", value={"name": "Far away", "kind": "remote"}, request_only=True
)
VERSION: Final = OpenApiExample(
    "Another version", value={"language": "python", "source": TEXT}, request_only=True
)
NARROWED: Final = (
    filters.one_of("kind", Bot.Kind.values, "Bots of this kind alone."),
    filters.one_of("state", shapes.STATES, "Bots in this state alone."),
    filters.short_name("club", "Those that this club has brought alone."),
)
REFUSALS: Final = {
    400: "It cannot be read, or the key is missing.",
    409: "There is no sandbox here, the bot has retired, takes no versions or is not on the bench, "
    "no check has to be asked for, or the key is in use.",
    413: "It is too large.",
    422: "This is no program, or no name; or the key was used for another request.",
}


@reads(
    shapes.Bots,
    tag="bots",
    name="list_bots",
    parameters=(*PARAMETERS, *filters.described(NARROWED)),
)
def bots(request: Request) -> Page[queries.BotCard]:
    """All bots."""
    fetch = partial(queries.bots_after, wanted=filters.wanted(request, NARROWED))
    return cut(request, fetch, lambda bot: bot.slug)


@reads(shapes.BotPage, tag="bots", name="read_bot")
def bot(request: Request, slug: str) -> queries.BotPage:
    """One bot with its versions and how they stand."""
    return queries.bot_page(slug, actor_of(request))


@reads(shapes.BotReport, tag="bots", name="read_bot_version")
def version(request: Request, slug: str, number: int) -> queries.VersionRow:
    """One version of a bot with the report on it, line by line."""
    return queries.version_row(queries.find_version(slug, number, actor_of(request)))


@reads(shapes.Forfeits, tag="bots", name="list_bot_forfeits", parameters=PARAMETERS)
def forfeits(request: Request, slug: str) -> Page[queries.ForfeitRow]:
    """The hands that a bot lost by what it did, the latest first."""
    viewer = actor_of(request)

    def fetch(before: str, count: int) -> tuple[queries.ForfeitRow, ...]:
        return queries.forfeits_after(slug, before, count, viewer)

    return cut(request, fetch, lambda row: str(row.pk))


def brings(
    shape: type[Serializer[object]],
    *examples: OpenApiExample,
    name: str,
    done: str = "It is there; a program is being checked.",
) -> Callable[[Door[Asked]], View]:
    """Make a view that by POST takes a bot or a version, or does something with it: `done`."""

    def make(door: Door[Asked]) -> View:
        @extend_schema(
            operation_id=name,
            **described(door),
            tags=["bots"],
            parameters=[KEY],
            request={MEDIA_TYPE: shape},
            examples=list(examples),
            responses={
                201: OpenApiResponse(shapes.Brought, done),
                **{
                    (status, CONTENT_TYPE): OpenApiResponse(Problem, text)
                    for status, text in REFUSALS.items()
                },
            },
        )
        @api_view(["POST"])
        def view(request: Request, /, *args: Asked.args, **kwargs: Asked.kwargs) -> Response:
            actor = signed_in(request)
            refuse_unknown(request, frozenset())
            key, raw = read_key(request), read_body(request, LARGEST_BODY)
            body = strict(raw, frozenset(shape().get_fields()), LARGEST_BODY)
            target = f"{name} {kwargs}"

            def act() -> Answer:
                return Answer(201, told(door(actor, body, *args, **kwargs)))

            return answered(request, once(actor, key, target, raw, act))

        return view

    return make


@brings(shapes.NewBot, PROGRAM, ELSEWHERE, name="bring_bot")
def bring(actor: Actor, body: Body, slug: str) -> BotVersion | Bot:
    """Bring a bot to a club: a program with its first version, or one that runs elsewhere.

    A program is checked in the sandbox, and can be entered once it has passed. Needs a token with
    the scope `bots:run` of somebody of the club's staff, or of a player of it.
    """
    club = find_club(slug, actor)
    name, about = text(body, "name"), text(body, "about", "")
    if text(body, "kind") == Bot.Kind.PROGRAM:
        program = {"language": text(body, "language"), "source": text(body, "source")}
        return services.bring_bot(actor, club, name=name, about=about, **program)
    if text(body, "kind") != Bot.Kind.REMOTE:
        raise Refusal(Reason.BAD_PARAMETER, name="kind")
    return services.register_bot(actor, club, name=name, kind=Bot.Kind.REMOTE, about=about)


@brings(shapes.NewVersion, VERSION, name="bring_bot_version")
def bring_version(actor: Actor, body: Body, slug: str) -> BotVersion | Bot:
    """Bring another version of a program; the text that is the newest already stays that version.

    Needs a token with the scope `bots:run` of the bot's author, or of an organiser of its club.
    """
    row = queries.find_bot(slug, actor)
    return services.bring_version(
        actor, row, language=text(body, "language"), source=text(body, "source")
    )


@brings(Nothing, name="put_bot_back", done="It may be entered again.")
def put_back(actor: Actor, _body: Body, slug: str) -> BotVersion | Bot:
    """Take a bot from the bench. Needs a token as for another version."""
    return services.put_back(actor, queries.find_bot(slug, actor))


@brings(Nothing, name="retire_bot", done="It can be entered no more.")
def retire(actor: Actor, _body: Body, slug: str) -> BotVersion | Bot:
    """Let a bot be entered no more, for good; what it has played stays.

    Needs a token as for another version.
    """
    return services.retire(actor, queries.find_bot(slug, actor))


@brings(Nothing, name="check_bot_version", done="It is being checked.")
def check_version(actor: Actor, _body: Body, slug: str, number: int) -> BotVersion | Bot:
    """Check a version again that was refused, or whose check was broken off.

    Needs a token as for another version.
    """
    return check_again(actor, queries.find_version(slug, number, actor))


def text(body: Body, name: str, default: str | None = None) -> str:
    """Return a text of a body; refuses what is none, and a missing one without a default."""
    value = body.get(name, default)
    if not isinstance(value, str):
        raise Refusal(Reason.BAD_PARAMETER, name=name)
    return value


def told(made: BotVersion | Bot) -> dict[str, Any]:
    """Return what is kept of an answer."""
    if isinstance(made, BotVersion):
        return {"bot": made.bot.slug, "version": made.number}
    return {"bot": made.slug, "version": None}


def answered(request: Request, answer: Answer) -> Response:
    """Answer a program: where the bot and its version are."""
    slug, number = answer.told["bot"], answer.told["version"]
    place = request.build_absolute_uri(reverse("api:bot", args=[slug]))
    version_place = None
    if number is not None:
        path = reverse("api:bot-version", args=[slug, number])
        version_place = request.build_absolute_uri(path)
    headers = {"Location": version_place or place, "Cache-Control": "no-store"}
    if answer.replayed:
        headers["Idempotency-Replayed"] = "true"
    body = shapes.Brought({"bot": place, "version": version_place}).data
    return Response(body, status=answer.status, headers=headers)

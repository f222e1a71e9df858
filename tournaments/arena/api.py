"""Endpoints of bots, their versions, forfeits and turns, and of rounds that bots play."""

import re
from collections.abc import Callable
from datetime import time
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.urls import reverse
from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.arena import serializers
from tournaments.arena.queries import bots as bots_queries
from tournaments.arena.queries import comparisons as comparisons_queries
from tournaments.arena.queries import turns as turns_queries
from tournaments.arena.queries.arena import ArenaPage, arena_page
from tournaments.arena.queries.status import read_schedule
from tournaments.arena.queries.turns import round_file
from tournaments.arena.services import arena, comparisons, ladders
from tournaments.arena.services.arena import set_schedule, store_reply
from tournaments.arena.services.dispatch import play_round
from tournaments.core import find
from tournaments.core.api.pagination import (
    NAME_FILTER,
    PARAMETERS,
    Page,
    filter_choice,
    filter_parameters,
    filter_slug,
    paginate,
    read_filters,
)
from tournaments.core.api.parameters import bad_parameter
from tournaments.core.api.problems import CONTENT_TYPE
from tournaments.core.api.requests import (
    MEDIA_TYPE,
    NDJSON,
    actor_of,
    read_body,
    read_flag,
    refuse_unknown,
    require_actor,
    validate,
)
from tournaments.core.api.scopes import needs_scope
from tournaments.core.api.serializers import Nothing, Problem, StrictSerializer
from tournaments.core.api.views import (
    IF_MATCH_ONCE_THERE,
    Data,
    PathArguments,
    View,
    Write,
    operation_texts,
    read_view,
    refuse_stale,
    require_revalidation,
    with_etag,
    write_view,
)
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import find_club, lock_tournament
from tournaments.core.idempotency import Answer
from tournaments.core.permissions import Actor, Scope
from tournaments.director.api.directing import on_round, on_tournament
from tournaments.director.queries.forfeits import ForfeitRow
from tournaments.director.queries.state import current_round, round_states

# --- Bots -----------------------------------------------------------------------------------------
from tournaments.exchange.api import file_view, lines_view
from tournaments.models import (
    Bot,
    BotTurn,
    BotVersion,
    Entry,
    Round,
    Tournament,
    VersionComparison,
)
from tournaments.people.services import bots as bots_services
from tournaments.people.services.programs import check_again
from tournaments.results.queries.records import RecordsFile
from tournaments.results.services.turns import stored_failure

MAX_BODY_BYTES: Final = 1 << 20
"""Bytes of a body: a text as JSON writes it."""

TEXT: Final = "#!/usr/bin/env python3\nimport json, sys\n…"

PROGRAM: Final = OpenApiExample(
    "A program",
    value={"name": "First steps", "kind": "program", "language": "python", "source": TEXT},
    request_only=True,
)

REMOTE_BOT: Final = OpenApiExample(
    "A bot that runs elsewhere", value={"name": "Far away", "kind": "remote"}, request_only=True
)

VERSION: Final = OpenApiExample(
    "Another version", value={"language": "python", "source": TEXT}, request_only=True
)

FILTERS: Final = (
    filter_choice("kind", Bot.Kind.values, "Bots of this kind alone."),
    filter_choice("state", serializers.STATES, "Bots in this state alone."),
    filter_slug("club", "Those that this club has brought alone."),
    NAME_FILTER,
)

REFUSALS: Final = {
    400: "It cannot be read, or the key is missing.",
    409: "There is no sandbox here, the bot has retired, takes no versions or is not on the bench, "
    "no check has to be asked for, versions are being compared, or the key is in use.",
    413: "It is too large.",
    422: "This is no program, or no name; or the key was used for another request.",
}


@read_view(
    serializers.Bots,
    tag="bots",
    name="list_bots",
    parameters=(*PARAMETERS, *filter_parameters(FILTERS)),
)
def bots(request: Request) -> Page[bots_queries.BotCard]:
    """All bots."""
    fetch = partial(bots_queries.bots_after, params=read_filters(request, FILTERS))
    return paginate(request, fetch, lambda bot: bot.slug)


@read_view(serializers.BotPage, tag="bots", name="read_bot")
def bot(request: Request, slug: str) -> bots_queries.BotPage:
    """One bot with its versions and how they stand."""
    return bots_queries.bot_page(slug, actor_of(request))


@read_view(serializers.BotReport, tag="bots", name="read_bot_version")
def version(request: Request, slug: str, number: int) -> bots_queries.VersionRow:
    """One version of a bot with the report on it, line by line."""
    return bots_queries.version_page(slug, number, actor_of(request))


@read_view(serializers.Forfeits, tag="bots", name="list_bot_forfeits", parameters=PARAMETERS)
def forfeits(request: Request, slug: str) -> Page[ForfeitRow]:
    """The hands that a bot lost by what it did, the latest first."""
    viewer = actor_of(request)

    def fetch(before: str, count: int) -> tuple[ForfeitRow, ...]:
        return bots_queries.forfeits_after(slug, before, count, viewer)

    return paginate(request, fetch, lambda row: str(row.pk))


@read_view(serializers.BotMatches, tag="bots", name="list_bot_matches", parameters=PARAMETERS)
def matches(request: Request, slug: str) -> Page[bots_queries.BotMatch]:
    """The matches of a bot that you may see, the latest first."""
    viewer = actor_of(request)

    def fetch(before: str, count: int) -> tuple[bots_queries.BotMatch, ...]:
        return bots_queries.matches_after(slug, before, count, viewer)

    return paginate(request, fetch, lambda row: str(row.match.pk))


@lines_view(name="export_bot_records", tag="bots")
def records(request: Request, slug: str) -> RecordsFile:
    """The accepted records of a bot's matches in closed rounds, one a line, the oldest first.

    The last line is that of every export: `{"end": true, "count": …, "sha256": …}`.
    """
    return bots_queries.records_of(slug, actor_of(request))


def stored_answer(row: BotVersion | Bot) -> Answer:
    """Return the answer that is stored under the idempotency key."""
    if isinstance(row, BotVersion):
        return Answer(201, {"bot": row.bot.slug, "version": row.number})
    return Answer(201, {"bot": row.slug, "version": None})


def bot_response(request: Request, answer: Answer) -> Response:
    """Answer with the addresses of the bot and its version."""
    slug, number = answer.content["bot"], answer.content["version"]
    bot_url = request.build_absolute_uri(reverse("api:bot", args=[slug]))
    version_url = None
    if number is not None:
        path = reverse("api:bot-version", args=[slug, number])
        version_url = request.build_absolute_uri(path)
    headers = {"Location": version_url or bot_url}
    body = serializers.SubmittedBot({"bot": bot_url, "version": version_url}).data
    return Response(body, status=answer.status, headers=headers)


def bot_action(
    serializer: type[StrictSerializer],
    *examples: OpenApiExample,
    name: str,
    description: str = "It is there; a program is being checked.",
) -> Callable[[Write[PathArguments, BotVersion | Bot]], View]:
    """Make a view that takes a bot or a version by POST, or does something with it: `done`."""
    return write_view(
        serializer,
        name=name,
        tag="bots",
        responses={201: OpenApiResponse(serializers.SubmittedBot, description)},
        to_answer=stored_answer,
        to_response=bot_response,
        refusals=REFUSALS,
        limit=MAX_BODY_BYTES,
        examples=examples,
        scopes=(Scope.BOTS,),
    )


@bot_action(serializers.NewBot, PROGRAM, REMOTE_BOT, name="bring_bot")
def submit_bot(actor: Actor, data: Data, slug: str) -> BotVersion | Bot:
    """Bring a bot to a club: a program with its first version, or one that runs elsewhere.

    A program is checked in the sandbox, and can be entered once it has passed. Needs a token with
    the scope `bots:run` of one of the club's staff, or of a player of it.
    """
    club, name = find_club(slug), data["name"]
    facts = {"about": data.get("about", ""), "rulesets": data.get("rulesets", ())}
    is_program = data["kind"] == Bot.Kind.PROGRAM
    for field in ("language", "source"):
        if (field in data) != is_program:
            reason = "missing" if is_program else "unknown"
            raise bad_parameter(field, reason, pointer=f"/{field}")
    if not is_program:
        return bots_services.register_bot(actor, club, name=name, kind=data["kind"], **facts)
    program = {"language": data["language"], "source": data["source"]}
    return bots_services.submit_bot(actor, club, name=name, **facts, **program)


@bot_action(serializers.NewVersion, VERSION, name="bring_bot_version")
def submit_version(actor: Actor, data: Data, slug: str) -> BotVersion | Bot:
    """Bring another version of a program; the text that is the newest already stays that version.

    Needs a token with the scope `bots:run` of the bot's author, or of an organiser of its club.
    """
    return bots_services.submit_version(actor, bots_queries.find_bot(slug), **data)


@bot_action(Nothing, name="unbench_bot", description="It may be entered again.")
def unbench(actor: Actor, _data: Data, slug: str) -> BotVersion | Bot:
    """Take a bot from the bench. Needs a token as for another version."""
    return bots_services.unbench(actor, bots_queries.find_bot(slug))


@bot_action(Nothing, name="retire_bot", description="It can be entered no more.")
def retire(actor: Actor, _data: Data, slug: str) -> BotVersion | Bot:
    """Let a bot be entered no more, for good; what it has played stays.

    Needs a token as for another version.
    """
    return bots_services.retire(actor, bots_queries.find_bot(slug))


@bot_action(Nothing, name="check_bot_version", description="It is being checked.")
def check_version(actor: Actor, _data: Data, slug: str, number: int) -> BotVersion | Bot:
    """Check a version again that was refused, or whose check was broken off.

    Needs a token as for another version.
    """
    return check_again(actor, bots_queries.find_version(slug, number))


def stored_entry(entry: Entry) -> Answer:
    """Return the answer that is stored under the idempotency key."""
    number = current_round(round_states(entry.tournament))
    return Answer(
        201, {"tournament": entry.tournament.slug, "entry": entry.number, "round": number}
    )


def entry_response(request: Request, answer: Answer) -> Response:
    """Answer with the address of the ladder and the number of the entry."""
    url = request.build_absolute_uri(reverse("api:tournament", args=[answer.content["tournament"]]))
    body = serializers.EnteredBot({**answer.content, "tournament": url}).data
    return Response(body, status=answer.status, headers={"Location": url})


on_ladder = partial(
    write_view,
    serializers.OnLadder,
    tag="bots",
    responses={201: OpenApiResponse(serializers.EnteredBot, "It is done.")},
    to_answer=stored_entry,
    to_response=entry_response,
    scopes=(Scope.BOTS,),
)
"""Make a view of what a bot does on the ladder of a ruleset."""


@on_ladder(name="enter_bot")
def enter(actor: Actor, data: Data, slug: str) -> Entry:
    """Enter a bot on the ladder of its club under a ruleset; the first one makes the ladder.

    A round begins at once if none is open, the others by the ladder's schedule. A bot that runs
    elsewhere plays only while its client asks for turns: a round that begins two minutes after it
    last did is drawn without it. Needs a token as for another version.
    """
    return ladders.enter_bot(actor, bots_queries.find_bot(slug), data["ruleset"])


@on_ladder(name="withdraw_bot")
def withdraw(actor: Actor, data: Data, slug: str) -> Entry:
    """Withdraw a bot from a ladder from the next round on; entered again it comes back.

    Needs a token as for another version.
    """
    return ladders.withdraw_bot(actor, bots_queries.find_bot(slug), data["ruleset"])


# --- Comparisons ----------------------------------------------------------------------------------

COMPARISON: Final = OpenApiExample(
    "Version 2 against version 1",
    value={"version": 2, "base": 1, "ruleset": "parejas-online"},
    request_only=True,
)


def comparison_action(
    serializer: type[StrictSerializer], *examples: OpenApiExample, name: str
) -> Callable[[Write[PathArguments, VersionComparison]], View]:
    """Make a view that does something with a comparison by POST, and answers with its address."""

    def respond(request: Request, answer: Answer) -> Response:
        path = reverse("api:bot-comparison", args=[answer.content["bot"], answer.content["pk"]])
        body = {"comparison": request.build_absolute_uri(path)}
        return Response(body, status=answer.status, headers={"Location": body["comparison"]})

    return write_view(
        serializer,
        name=name,
        tag="bots",
        responses={201: OpenApiResponse(serializers.ComparisonAddress, "It is done.")},
        to_answer=lambda row: Answer(201, {"bot": row.bot.slug, "pk": row.pk}),
        to_response=respond,
        refusals=REFUSALS,
        examples=examples,
        scopes=(Scope.BOTS,),
    )


@read_view(
    serializers.Comparisons,
    tag="bots",
    name="list_comparisons",
    parameters=PARAMETERS,
    scope=Scope.BOTS,
)
def list_comparisons(request: Request, slug: str) -> Page[comparisons_queries.ComparisonRow]:
    """The comparisons of versions of a bot, the latest first.

    As all about them it needs a token with the scope `bots:run` of the bot's author, or of an
    organiser of its club.
    """
    viewer = actor_of(request)

    def fetch(before: str, count: int) -> tuple[comparisons_queries.ComparisonRow, ...]:
        return comparisons_queries.comparisons_after(slug, before, count, viewer)

    return paginate(request, fetch, lambda row: str(row.pk))


@comparison_action(serializers.NewComparison, COMPARISON, name="compare_versions")
def compare_versions(actor: Actor, data: Data, slug: str) -> VersionComparison:
    """Let a version of a program play another one until a sequential test has decided.

    They play deal sets, behind the rounds of tournaments; it is no tournament, and unrated. One
    comparison of a bot goes on at a time; it is deleted 30 days after its end unless it is kept.
    """
    bot = bots_queries.find_bot(slug)
    versions = [bots_queries.find_version(slug, data.pop(name)) for name in ("version", "base")]
    return comparisons.compare_versions(actor, bot, *versions, **data)


@read_view(serializers.ComparisonPage, tag="bots", name="read_comparison", scope=Scope.BOTS)
def read_comparison(request: Request, slug: str, pk: int) -> comparisons_queries.ComparisonPage:
    """A comparison of two versions: how far it is, its LLR with the bounds, its intervals."""
    return comparisons_queries.comparison_page(slug, pk, actor_of(request))


@comparison_action(Nothing, name="stop_comparison")
def stop_comparison(actor: Actor, _data: Data, slug: str, pk: int) -> VersionComparison:
    """End a comparison as it stands; said again, nothing changes."""
    found = comparisons_queries.find_comparison(slug, pk, actor)
    return comparisons.stop_comparison(actor, found)


@comparison_action(serializers.KeptComparison, name="keep_comparison")
def keep_comparison(actor: Actor, data: Data, slug: str, pk: int) -> VersionComparison:
    """Keep a comparison for good, five of a bot at most; or let it be deleted in its time."""
    found = comparisons_queries.find_comparison(slug, pk, actor)
    return comparisons.keep_comparison(actor, found, kept=data["kept"])


@lines_view(name="export_comparison_records", tag="bots", scope=Scope.BOTS)
def comparison_records(request: Request, slug: str, pk: int) -> RecordsFile:
    """The records of a comparison, one a line, and the line that ends every export."""
    return comparisons_queries.comparison_records(slug, pk, actor_of(request))


# --- Turns ----------------------------------------------------------------------------------------

WHOLE_PARAMETER: Final = OpenApiParameter(
    "whole",
    {"type": "integer", "minimum": 0, "maximum": 1, "default": 0},
    description="1: tell every turn as to a bot that has just been started.",
)


@read_view(
    serializers.Turns,
    tag="bots",
    name="list_turns",
    parameters=(WHOLE_PARAMETER,),
    scope=Scope.BOTS,
)
def turns(request: Request, slug: str) -> turns_queries.TurnsPage:
    """What a bot that runs elsewhere has to answer now.

    It answers at once, with `poll_after` seconds until it is worth to ask again; `If-None-Match`
    saves the transfer while nothing has changed. Needs a token with the scope `bots:run` of the
    bot's author, or of an organiser of its club.
    """
    page = turns_queries.turns_page(
        slug, actor_of(request), after_restart=read_flag(request, WHOLE_PARAMETER.name)
    )
    ladders.note_client(page.bot)
    return page


def reply(request: Request, slug: str, pk: int) -> Response:
    """Answer a turn with the bot's line.

    The line is judged at once. One that is no legal answer loses the hand and is answered with its
    `failure`. The same line again is answered alike. Needs a token as for reading the turns.
    """
    actor = require_actor(request)
    refuse_unknown(request, frozenset())
    turn = turns_queries.find_turn(slug, pk, actor)
    return Response(reply_outcome(store_reply(actor, turn, read_body(request, may_be_empty=False))))


ANSWER: Final = OpenApiExample("A card", value={"id": 3, "say": "5o"}, request_only=True)

answer = extend_schema(
    operation_id="answer_turn",
    **operation_texts(reply),
    tags=["bots"],
    request={MEDIA_TYPE: serializers.Line},
    examples=[ANSWER],
    responses={
        200: OpenApiResponse(serializers.Replied, "Taken: the match goes on."),
        (409, CONTENT_TYPE): OpenApiResponse(Problem, "It was answered before, or is over."),
    },
)(needs_scope(Scope.BOTS)(api_view(["POST"])(reply)))


def reply_outcome(turn: BotTurn) -> dict[str, object]:
    """Return the answer to the line of a bot: the turn with its failure, if it is one."""
    language = get_language()
    wrong = stored_failure(turn).message_in(language) if turn.failure else ""
    position = {"match": turn.match_id, "part": turn.part, "seat": turn.seat}
    reply = {"pk": turn.pk, "say": turn.say, "failure": turn.failure, "message": wrong}
    return dict(serializers.Replied(position | reply).data)


# --- Arena ----------------------------------------------------------------------------------------


@read_view(serializers.Arena, tag="tournaments", name="read_arena")
def comparison(request: Request, slug: str) -> ArenaPage:
    """The bots compared: each with all whom it met, and pair by pair, with 95 % intervals."""
    return arena_page(slug, actor_of(request))


@on_round(Nothing, name="play_round", scopes=(Scope.BOTS,))
def play(actor: Actor, _data: Data, round_: Round) -> None:
    """Have the bots of a published round play; again, those of the matches left undone.

    As pausing them it needs a token with the scope `bots:run` of an organiser.
    """
    play_round(actor, round_)


@on_round(Nothing, name="pause_round", scopes=(Scope.BOTS,))
def pause(actor: Actor, _data: Data, round_: Round) -> None:
    """Let the bots of a round finish the matches that they are at, and begin no other."""
    arena.pause_round(actor, round_)


@on_round(Nothing, name="resume_round", scopes=(Scope.BOTS,))
def resume(actor: Actor, _data: Data, round_: Round) -> None:
    """Let the bots of a round that was paused play on."""
    arena.resume_round(actor, round_)


@on_tournament(Nothing, name="run_schedule", scopes=(f"{Scope.MANAGE} {Scope.BOTS}",))
def run(actor: Actor, _data: Data, tournament: Tournament) -> None:
    """Do at once what the schedule of a tournament of bots would do when it is due.

    What is complete is closed, and the next round drawn, published and played. Needs a token with
    the scopes `tournaments:manage` and `bots:run`.
    """
    arena.run_now(actor, tournament)


CLOCK: Final = re.compile(r"[0-2][0-9]:[0-5][0-9]")


@with_etag
@extend_schema(
    methods=["GET"],
    operation_id="read_schedule",
    summary="When the rounds of bots play themselves",
    description="When the rounds of bots play themselves, and what became of the last time; 404 "
    "where there is no schedule.",
    tags=["tournaments"],
    responses=serializers.Schedule,
)
@extend_schema(
    methods=["PUT"],
    operation_id="set_schedule",
    summary="Say when the rounds of bots play themselves",
    description="Say when the rounds of bots play themselves, or switch that off. Said again, "
    "nothing changes. Needs a token with the scopes `tournaments:manage` and `bots:run`.",
    tags=["tournaments"],
    parameters=[IF_MATCH_ONCE_THERE],
    request={MEDIA_TYPE: serializers.ScheduleTimes},
    responses={
        200: OpenApiResponse(serializers.Schedule, "The schedule as it is now."),
        (409, CONTENT_TYPE): OpenApiResponse(Problem, "People play in it, or it is over."),
        (412, CONTENT_TYPE): OpenApiResponse(Problem, "It has changed since it was read."),
        (413, CONTENT_TYPE): OpenApiResponse(Problem, "It is too large."),
        (422, CONTENT_TYPE): OpenApiResponse(Problem, "It cannot be a schedule."),
        (428, CONTENT_TYPE): OpenApiResponse(Problem, "There is one already: send `If-Match`."),
    },
)
@needs_scope(f"{Scope.MANAGE} {Scope.BOTS}", methods=("PUT",))
@api_view(["GET", "HEAD", "PUT"])
def schedule(request: Request, slug: str) -> Response:
    """Read the schedule, or set it."""
    refuse_unknown(request, frozenset())
    if request.method != "PUT":
        return require_revalidation(
            Response(serializers.Schedule(read_schedule(slug, actor_of(request))).data)
        )
    actor = require_actor(request)
    tournament = find.find_tournament(slug, actor)
    terms = terms_of(validate(serializers.ScheduleTimes, read_body(request)))
    with transaction.atomic():
        lock_tournament(tournament)
        refuse_stale(request, schedule_or_none(slug, actor))
        set_schedule(actor, tournament, **terms)
    return require_revalidation(Response(serializers.Schedule(read_schedule(slug, actor)).data))


def schedule_or_none(slug: str, actor: Actor) -> object | None:
    """Return the schedule of a tournament as the API shows it, or `None` without one."""
    try:
        return serializers.Schedule(read_schedule(slug, actor)).data
    except Refusal:
        return None


def terms_of(data: Data) -> dict[str, Any]:
    """Return the terms of a schedule as the service takes them."""
    try:
        start_time = time.fromisoformat(data["at"])
    except ValueError as error:
        if CLOCK.fullmatch(data["at"]):  # of the form that is asked for, and no time of a day
            raise Refusal(Reason.BAD_SCHEDULE, text="at") from error
        raise bad_parameter("at", pointer="/at") from error
    return {"is_on": data["on"], "at": start_time, "zone": data["zone"], "days": data["days"]}


@file_view(NDJSON, name="read_round_deals")
def round_deals(request: Request, slug: str, number: int) -> bytes:
    """The seed of a closed round of bots and its records, as `baza verify-round` reads them."""
    return round_file(slug, number, actor_of(request))

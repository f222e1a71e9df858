"""Endpoints that direct a tournament: draws, rounds, drafts, the clock, check-in, and entries."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from functools import partial, wraps
from typing import Any, TypeVar

from django.db import transaction
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.api.parameters import bad_parameter
from tournaments.core.api.requests import (
    MEDIA_TYPE,
    actor_of,
    read_body,
    refuse_unknown,
    require_actor,
    validate,
)
from tournaments.core.api.scopes import READ_METHODS, needs_scope
from tournaments.core.api.serializers import Nothing, StrictSerializer
from tournaments.core.api.views import (
    IF_MATCH,
    Data,
    View,
    operation_texts,
    problems_of,
    read_view,
    refuse_stale,
    require_revalidation,
    with_etag,
    write_view,
)
from tournaments.core.errors import Reason, Refusal, refuse_unless_known
from tournaments.core.find import (
    find_bot,
    find_club,
    find_entry,
    find_match,
    find_named_players,
    find_restore_point,
    find_round,
    find_stage,
    find_tournament,
    lock_tournament,
    not_found_unless,
    or_404,
)
from tournaments.core.idempotency import Answer
from tournaments.core.permissions import Actor, Scope, is_member, may_manage, refuse_unless
from tournaments.director.queries import tournaments as tournaments_queries
from tournaments.director.queries.entries import entry_page
from tournaments.director.queries.lists import person_meant
from tournaments.director.queries.repeating import repeat_proposal
from tournaments.director.queries.state import round_states
from tournaments.director.serializers import directing
from tournaments.director.services import (
    absences,
    draws,
    entries,
    late_seats,
    mass_acts,
    plan,
    posting,
    repeating,
    replanning,
    restoring,
    rounds,
    substitutions,
    tournaments,
)
from tournaments.director.services.settings import (
    ANNOUNCED,
    TERM_FIELDS,
    GameSettings,
    NewTournament,
    Terms,
    game_of,
)
from tournaments.domain.names import fold_name
from tournaments.domain.roster import ListedEntrant, Reading, Source, WhoAnswer
from tournaments.domain.sides import PLACES
from tournaments.models import Entry, Match, Player, Round, Stage, Tournament
from tournaments.people.queries import profile_of
from tournaments.people.serializers import answers_of

# --- Director -------------------------------------------------------------------------------------


def stored_answer(tournament: Tournament) -> Answer:
    """Return the answer that is stored under the idempotency key: the tournament's state."""
    state = str(tournament.state)
    return Answer(201, {"slug": tournament.slug, "state": state, "version": tournament.version})


def tournament_response(
    request: Request,
    answer: Answer,
    serializer: type[directing.ChangedTournament] = directing.ChangedTournament,
) -> Response:
    """Answer how the tournament stood when it was done."""
    path = reverse("api:tournament", args=[answer.content["slug"]])
    location = request.build_absolute_uri(path)
    body = serializer({"tournament": location, **answer.content}).data
    return Response(body, status=answer.status, headers={"Location": location})


tournament_action = partial(
    write_view,
    tag="organising",
    responses={201: OpenApiResponse(directing.ChangedTournament, "It is done.")},
    to_answer=stored_answer,
    to_response=tournament_response,
)
"""Make a view of a function that returns a tournament, and answers how it stands then."""

Row = TypeVar("Row")


def _answer_with_more(outcome: tuple[Tournament, Data]) -> Answer:
    tournament, more = outcome
    answer = stored_answer(tournament)
    return Answer(answer.status, {**answer.content, **more})


def action_on(
    find: Callable[..., Row], keys: tuple[str, ...], tournament_of: Callable[[Row], Tournament]
) -> Callable[..., Callable[[Callable[..., Data | None]], View]]:
    """Return a decorator that makes a view of a function that acts on a row of a tournament.

    ``find`` returns the row for the ``keys`` of the address and the actor; other parts of the
    address are passed on. The view answers how the tournament stands then, and what the function
    returns: the further fields of ``answer``. They are stored under the key: they hold no names.
    """

    def action(
        serializer: type[StrictSerializer],
        *,
        name: str,
        scopes: Sequence[str] = (Scope.MANAGE,),
        answer: type[directing.ChangedTournament] = directing.ChangedTournament,
    ) -> Callable[[Callable[..., Data | None]], View]:
        def make(function: Callable[..., Data | None]) -> View:
            @wraps(function)
            def act(actor: Actor, data: Data, /, **url_kwargs: Any) -> tuple[Tournament, Data]:
                row = find(*(url_kwargs.pop(key) for key in keys), actor)
                more = function(actor, data, row, **url_kwargs)
                return find_tournament(tournament_of(row).slug, actor), more or {}

            return write_view(
                serializer,
                name=name,
                tag="organising",
                scopes=scopes,
                responses={201: OpenApiResponse(answer, "It is done.")},
                to_answer=_answer_with_more,
                to_response=partial(tournament_response, serializer=answer),
            )(act)

        return make

    return action


GAME_FIELDS = tuple(field.name for field in fields(GameSettings))

STAFF_OR_OWN = (Scope.MANAGE, Scope.SUBMIT)
"""The scopes for what the club's staff and the people of an entry do."""

on_tournament = action_on(find_tournament, ("slug",), lambda tournament: tournament)
on_stage = action_on(find_stage, ("slug", "number"), lambda stage: stage.tournament)
on_round = action_on(find_round, ("slug", "number"), lambda round_: round_.stage.tournament)
on_entry = action_on(find_entry, ("slug", "number"), lambda entry: entry.tournament)
on_match = action_on(find_match, ("pk",), lambda match: match.tournament)


@tournament_action(directing.NewTournament, name="create_tournament")
def create(actor: Actor, data: Data, slug: str) -> Tournament:
    """Make a tournament of a club, as a draft that takes entries.

    Its stages follow one another, as in a tournament file; where a rule is not possible, `pointer`
    says which. As all that organises it needs a token with the scope `tournaments:manage` of an
    organiser.
    """
    club = find_club(slug)
    new = NewTournament(
        game=GameSettings(**values_of(data, GAME_FIELDS)),
        stages=data.get("stages") or [{"format": data["format"]}],
        terms=Terms(**values_of(data, (*TERM_FIELDS, "visibility"))),
        announcement={"rules_text": profile_of(club).house_terms, **values_of(data, ANNOUNCED)},
        seeding=data["seeding"],
        seeded=data["seeded"],
    )
    return tournaments.create_tournament(actor, club, data["name"], new, slug=data.get("slug"))


def values_of(data: Data, names: Iterable[str]) -> dict[str, Any]:
    """Return the fields of these names that a body has."""
    return {name: data[name] for name in names if name in data}


@on_tournament(directing.NewPlan, name="set_plan")
def set_plan(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Set another plan of a draft, until its first draw.

    Entries, tickets and payments stay; prizes and minutes of a stage move to the stage of the same
    name. What has no place in the plan is named by `plan_leaves_out`, unless `leave_out`.
    """
    game = replace(game_of(tournament), **values_of(data, GAME_FIELDS))
    new = NewTournament(
        game=game, stages=data["stages"], seeding=data["seeding"], seeded=data["seeded"]
    )
    moves = {row["stage"]: row["to"] for row in data.get("prize_stages", ())}
    plan.set_plan(actor, tournament, new, prize_stages=moves, leave_out=data["leave_out"])


@tournament_action(directing.Repeat, name="repeat_tournament")
def repeat(actor: Actor, data: Data, slug: str) -> Tournament:
    """Make a tournament as another one was, as a draft.

    Format, stages with their rules, length of a match, house rules, terms, sign-up, fee and prizes
    are those of the one before, and days as far apart; of entries that come again also seeding,
    origin, labels and fixed table.
    """
    tournament = find_tournament(slug, actor)
    proposal = repeat_proposal(tournament)
    numbers = {
        "none": (),
        "present": proposal.staying,
        "all": tuple(entry.number for entry in proposal.entries),
    }
    choice = data["entries"]
    refuse_unless_known(Reason.UNKNOWN_CHOICE, choice, numbers)
    return repeating.repeat_tournament(
        actor,
        tournament,
        data.get("name", proposal.name),
        slug=data.get("slug"),
        begins_at=data.get("begins_at", proposal.begins_at),
        place=data.get("place", proposal.place),
        entries=numbers[choice],
    )


@on_tournament(directing.Visibility, name="show_tournament")
def set_visibility(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Say who sees a tournament, at any time: everybody, or its club and those who play in it.

    For everybody else a private one is not there, and what is played in it counts in no rating.
    """
    tournaments.set_visibility(actor, tournament, data["visibility"])


def draw_answer(round_: Round) -> Data:
    """Return what is answered of a draw: its first round, and which entries sit at which table."""
    numbers = (f"{place}__number" for place in PLACES)
    rows = round_.matches.order_by("table").values_list("pk", "table", *numbers)
    tables = [
        {"match": pk, "table": table, "entries": [number for number in seated if number]}
        for pk, table, *seated in rows
    ]
    return {"round": round_.number, "tables": tables}


@on_tournament(directing.Draw, name="draw", answer=directing.Drawn)
def draw(actor: Actor, data: Data, tournament: Tournament) -> Data:
    """Draw the first round of a tournament, or the one after a round, as a draft.

    Formats that can draw all their rounds do so at once. Where several stages can get a round,
    `stage` says which of them.
    """
    after, order = data.get("after"), data.get("order", ())
    if after is not None and after >= 1000:
        raise bad_parameter("after", pointer="/after")
    is_running = tournament.state == Tournament.State.RUNNING
    if after is None and is_running and not round_states(tournament):
        after = 0  # the only draft was thrown away: the first round is drawn again
    if after or (after == 0 and is_running):
        stage = data.get("stage")
        return draw_answer(
            draws.draw_next(actor, tournament, after=after, stage=stage, order=order)
        )
    if after is None and is_running:
        refuse_unless(may_manage(actor, tournament.club), actor)
        raise Refusal(Reason.AFTER_MISSING)
    draws.draw(actor, tournament, order=order, reason=data.get("reason", ""))
    return draw_answer(Round.objects.get(stage__tournament=tournament, number=1))


@on_round(directing.RoundPublication, name="publish_round")
def publish(actor: Actor, data: Data, round_: Round) -> None:
    """Publish a round: everybody sees it, and it takes records.

    An outdated draft is refused (`draft_outdated`) unless `as_is` says that it is meant. With
    `together` the next rounds of the stages that are played beside it are published at the same
    moment, and have one clock.
    """
    tournaments.publish_round(actor, round_, **data)


@on_round(Nothing, name="replan_rounds")
def replan(actor: Actor, _data: Data, round_: Round) -> None:
    """Plan a published round and the later ones again, from those who are there now.

    For formats that draw all rounds at once, until one of these rounds has play. They are
    published at once.
    """
    replanning.replan(actor, round_)


@on_round(Nothing, name="close_round")
def close(actor: Actor, _data: Data, round_: Round) -> None:
    """Close a round whose matches all have their results or are postponed."""
    tournaments.close_round(actor, round_)


@on_tournament(directing.Finish, name="finish_tournament")
def finish(actor: Actor, data: Data, tournament: Tournament) -> None:
    """End a tournament whose rounds are all closed; with `early`, also before all are drawn."""
    tournaments.finish(actor, tournament, **data)


@on_tournament(directing.CheckInOpening, name="open_check_in")
def open_check_in(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Open the check-in again."""
    absences.open_check_in(actor, tournament, **data)


@on_tournament(Nothing, name="check_in_all")
def check_in_all(actor: Actor, _data: Data, tournament: Tournament) -> None:
    """Say that all entries that are missing have come; those that have left stay away."""
    absences.check_in_all(actor, tournament)


@on_tournament(Nothing, name="take_back_act")
def take_back_act(actor: Actor, _data: Data, tournament: Tournament) -> None:
    """Take back the last act on many entries, until the next round is published.

    A closed check-in, all who came, a check-in opened afresh, a list that was entered. Entries that
    have changed since stay as they are.
    """
    mass_acts.take_back_act(actor, tournament)


@on_tournament(directing.CheckInClosing, name="close_check_in")
def close_check_in(actor: Actor, data: Data, tournament: Tournament) -> None:
    """End the check-in: who has not come is withdrawn, or rests in the coming round."""
    absences.close_check_in(actor, tournament, **data)


@on_tournament(Nothing, name="post_tournament")
def post(actor: Actor, _data: Data, tournament: Tournament) -> None:
    """Show the poster of a draft to everybody; one that was cancelled takes place after all."""
    posting.post_tournament(actor, tournament)


@on_tournament(Nothing, name="unpost_tournament")
def unpost(actor: Actor, _data: Data, tournament: Tournament) -> None:
    """Hide the poster of a draft and the form of its sign-up."""
    posting.unpost_tournament(actor, tournament)


@on_tournament(directing.StatedReason, name="cancel_tournament")
def cancel(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Cancel a tournament before its first round is published; its poster shows the reason."""
    posting.cancel_tournament(actor, tournament, data["reason"])


@on_tournament(directing.Announcement, name="announce")
def announce(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Tell the hall something: on phones, pages and the projector, until the next or an empty text.

    Also an arbiter may.
    """
    tournaments.announce(actor, tournament, data["text"])


@on_round(Nothing, name="draw_lots")
def draw_lots(actor: Actor, _data: Data, round_: Round) -> None:
    """Draw the lots of a round's stage, where they decide what nothing else does."""
    restoring.draw_lots(actor, round_.stage)


@on_stage(directing.SeedingChoice, name="set_seeding")
def set_seeding(actor: Actor, data: Data, stage: Stage) -> None:
    """Choose how a stage is seeded, until it is drawn; what is left out is the usual."""
    draws.set_seeding(actor, stage, data["seeding"], data["seeded"])


@on_stage(directing.StageRedraw, name="draw_again_of_stage", answer=directing.Drawn)
def draw_stage_again(actor: Actor, data: Data, stage: Stage) -> Data:
    """Draw a stage again with the next seed, until a round of it is published.

    Number, seed and reason of every draw stay for everybody to see.
    """
    return draw_answer(draws.draw_again(actor, stage, **data))


@on_round(directing.DraftRedraw, name="draw_again_of_round", answer=directing.Drawn)
def draw_again(actor: Actor, data: Data, round_: Round) -> Data:
    """Draw a draft again around the tables that are pinned."""
    return draw_answer(rounds.draw_again(actor, round_, **data))


@on_round(Nothing, name="throw_round_away")
def discard_round(actor: Actor, _data: Data, round_: Round) -> None:
    """Throw a draft away."""
    rounds.discard_round(actor, round_)


def _find_two_entries(round_: Round, data: Data, actor: Actor) -> tuple[Entry, Entry]:
    slug = round_.stage.tournament.slug
    return find_entry(slug, data["one"], actor), find_entry(slug, data["other"], actor)


@on_round(directing.TwoEntries, name="swap_entries")
def swap(actor: Actor, data: Data, round_: Round) -> None:
    """Let two entries of a draft change places."""
    entry, other = _find_two_entries(round_, data, actor)
    seen = data.get("arrangement", "")
    rounds.change_as_seen(actor, round_, seen, lambda: rounds.swap(actor, round_, entry, other))


@on_round(directing.TwoEntries, name="pair_entries")
def pair(actor: Actor, data: Data, round_: Round) -> None:
    """Seat two entries of a draft that have no table at one."""
    entry, other = _find_two_entries(round_, data, actor)
    seen = data.get("arrangement", "")
    rounds.change_as_seen(actor, round_, seen, lambda: rounds.pair(actor, round_, entry, other))


@on_round(directing.DraftBye, name="give_bye")
def give_bye(actor: Actor, data: Data, round_: Round) -> None:
    """Give a bye to an entry of a draft that has no table."""
    slug = round_.stage.tournament.slug
    entry = find_entry(slug, data.pop("entry"), actor)
    seen = data.pop("arrangement", "")
    give = partial(rounds.give_bye, actor, round_, entry, **data)
    rounds.change_as_seen(actor, round_, seen, give)


@on_match(directing.TablePin, name="pin_match")
def pin(actor: Actor, data: Data, match: Match) -> None:
    """Keep a table of a draft as it is when the draft is drawn again; or no longer."""
    rounds.pin(actor, match, **data)


@on_match(Nothing, name="unpair_match")
def unpair(actor: Actor, _data: Data, match: Match) -> None:
    """Take a table of a draft apart."""
    rounds.unpair(actor, match)


@on_round(directing.Minutes, name="start_clock")
def start_clock(actor: Actor, data: Data, round_: Round) -> None:
    """Start a round's clock."""
    rounds.start_clock(actor, round_, **data)


@on_round(Nothing, name="stop_clock")
def stop_clock(actor: Actor, _data: Data, round_: Round) -> None:
    """Stop a round's clock."""
    rounds.stop_clock(actor, round_)


@on_round(Nothing, name="resume_clock")
def resume_clock(actor: Actor, _data: Data, round_: Round) -> None:
    """Let a round's clock go on."""
    rounds.resume_clock(actor, round_)


# --- Entries --------------------------------------------------------------------------------------
# Their lists, check-in, absences, substitutes and penalties; and the points to go back to.


def entered_answer(made: Iterable[Entry]) -> Data:
    """Return what is answered of an act that makes entries: their numbers."""
    return {"entered": [entry.number for entry in made]}


@on_tournament(directing.Lists, name="import_entries", answer=directing.Entered)
def import_csv(actor: Actor, data: Data, tournament: Tournament) -> Data:
    """Bring players and pairs to the club, and enter the pairs in the order of their list.

    Entries that are there already stay as they are. New names of players that are nearly those of
    others are refused (`who_is_this`), and answered by `who`, by the lines of `players`.
    """
    made = entries.import_entries(
        actor,
        tournament,
        data["players"],
        data["pairs"],
        as_written=data.get("as_written", False),
        reading=answers_of(data),
    )
    return entered_answer(made)


@on_tournament(directing.BotEntries, name="enter_bots", answer=directing.Entered)
def enter_bots(actor: Actor, data: Data, tournament: Tournament) -> Data:
    """Enter bots of the house or of the club into a draft; the same one as often as it is named."""
    names = data["bots"]
    bots = {name: find_bot(tournament.slug, name, actor) for name in dict.fromkeys(names)}
    made = entries.enter_newcomers(actor, tournament, [bots[name] for name in names])
    return entered_answer(made)


@on_match(directing.LateSeat, name="seat_late")
def seat_late(actor: Actor, data: Data, match: Match) -> None:
    """Seat a late entry in the place of one that has not come, which rests without points.

    In a running round, until the match has a result; by their numbers.
    """
    numbers = (data["absent"], data["late"])
    absent, late = (find_entry(match.tournament.slug, number, actor) for number in numbers)
    late_seats.seat_late(actor, match, absent=absent, late=late)


CHANGE_REFUSALS = {
    409: "It has been drawn: its rating stays.",
    412: "It has changed since it was read.",
    413: "It is too large.",
    422: "It is not possible.",
    428: "Send `If-Match`.",
}
PREVIEW_REFUSALS = {
    400: "It cannot be read.",
    409: "The tournament is over.",
    413: "It is too large.",
    422: "Something is wrong in the list: `errors` tells all of it.",
}


@on_tournament(directing.EntryList, name="import_list", answer=directing.Entered)
def enter_list(actor: Actor, data: Data, tournament: Tournament) -> Data:
    """Enter everybody of a list, making the players and pairs that are new, or nobody.

    Into a tournament that is running they come late. What is wrong is listed in `errors`: of CSV by
    line, of rows by index. Where names may mean several persons, 422 `who_is_this` has the
    questions in `who`, and nothing is stored; the same body with `who` answers them.
    """
    made = entries.enter_list(actor, tournament, source_of(data), reading_of(data))
    return entered_answer(made)


def _preview(request: Request, slug: str) -> Response:
    """Say what a list would do, and do nothing: who would be entered, who is new to the club.

    It is refused as entering it would be. Needs a token with the scope `tournaments:manage` of an
    organiser, and no key.
    """
    actor = require_actor(request)
    refuse_unknown(request, frozenset())
    data = validate(directing.EntryList, read_body(request))
    tournament = find_tournament(slug, actor)
    plan = entries.preview_list(actor, tournament, source_of(data), reading_of(data))
    return Response(directing.EntryPlan(plan).data, headers={"Cache-Control": "no-store"})


preview = extend_schema(
    operation_id="preview_list",
    **operation_texts(_preview),
    tags=["organising"],
    request={MEDIA_TYPE: directing.EntryList},
    responses={
        200: OpenApiResponse(directing.EntryPlan, "What entering it would do."),
        **problems_of(PREVIEW_REFUSALS),
    },
)(needs_scope(Scope.MANAGE)(api_view(["POST"])(_preview)))


def source_of(data: Data) -> Source:
    """Return the list that a body holds."""
    if "csv" in data:
        return str(data["csv"])
    return [ListedEntrant(**{**row, "players": tuple(row["players"])}) for row in data["entries"]]


def reading_of(data: Data) -> Reading:
    """Return how the list of a body is to be read."""
    return replace(
        answers_of(data),
        columns=tuple(data.get("columns", ())),
        first_line=data.get("first_line", 0),
        decimal_mark=data.get("decimal_mark", ""),
        same={fold_name(name): person for name, person in data.get("same", {}).items()},
        lines={answer["line"]: tuple(answer["players"]) for answer in data.get("lines", ())},
        repair=data.get("repair", False),
    )


@on_entry(Nothing, name="check_in", scopes=STAFF_OR_OWN)
def check_in(actor: Actor, _data: Data, entry: Entry) -> None:
    """Say that an entry has come."""
    absences.check_in(actor, entry)


@on_entry(Nothing, name="undo_check_in_of_entry")
def undo_check_in(actor: Actor, _data: Data, entry: Entry) -> None:
    """Say that an entry has not come after all."""
    absences.undo_check_in(actor, entry)


@on_entry(directing.Leave, name="withdraw_entry", scopes=STAFF_OR_OWN)
def withdraw(actor: Actor, data: Data, entry: Entry) -> None:
    """Let an entry leave; it may come back."""
    absences.withdraw(actor, entry, **data)


@on_entry(directing.StatedReason, name="expel_entry")
def expel(actor: Actor, data: Data, entry: Entry) -> None:
    """Send an entry away, until that is revoked."""
    absences.expel(actor, entry, **data)


@on_entry(directing.StatedReason, name="revoke_expulsion")
def revoke_expulsion(actor: Actor, data: Data, entry: Entry) -> None:
    """Revoke the expulsion of an entry: it plays again from the next round on."""
    absences.revoke_expulsion(actor, entry, **data)


@on_entry(Nothing, name="readmit_entry")
def readmit(actor: Actor, _data: Data, entry: Entry) -> None:
    """Let an entry that left play again from the next round on."""
    absences.readmit(actor, entry)


@on_entry(directing.Bye, name="request_bye_of_entry", scopes=STAFF_OR_OWN)
def request_bye(actor: Actor, data: Data, entry: Entry) -> None:
    """Ask for a bye of an entry in a round that is not published yet."""
    absences.request_bye(actor, entry, data["round"], data["kind"])


@on_entry(directing.NewPenalty, name="penalise_entry")
def penalise(actor: Actor, data: Data, entry: Entry) -> None:
    """Take match points, hands or points from an entry; negative numbers give."""
    absences.penalise(actor, entry, round_number=data.pop("round"), **data)


@on_entry(
    directing.Substitution, name="substitute_player", scopes=(f"{Scope.MANAGE} {Scope.READ}",)
)
def substitute(actor: Actor, data: Data, entry: Entry) -> None:
    """Let a substitute play in the place of a player of the entry.

    A name that may mean several persons is refused (`who_is_this`): a code means one, and `who`
    answers for line 1, seat 1.
    """
    text, reading = data.pop("comes"), answers_of(data)
    values = {name: data[name] for name in data if name not in ("leaves", "who", "if_in_doubt")}
    (leaves,) = find_named_players(entry.tournament.slug, [data["leaves"]], actor)
    comes, answer = _person_meant(actor, entry.tournament, text, reading)
    substitutions.substitute(actor, entry, leaves=leaves, comes=comes, who=answer, **values)


def _person_meant(
    actor: Actor, tournament: Tournament, text: str, reading: Reading
) -> tuple[Player | str, WhoAnswer | None]:
    """Return the player of a code, or a name with the answer whom it means.

    A name that nobody has is that of a new person only if that is said. Refuses UNKNOWN_PLAYER, and
    WHO_IS_THIS for one that is nearly that of others.
    """
    answer = reading.who.get((1, 1))
    try:
        (player,) = find_named_players(tournament.slug, [text], actor)
    except Refusal:
        if answer is None and not reading.is_new_in_doubt:
            person_meant(tournament, text)
            raise
        return text, answer or WhoAnswer()
    return (player.name, answer) if fold_name(text) == player.folded else (player, None)


@needs_scope(Scope.MANAGE, methods=(*READ_METHODS, "PATCH"))
@with_etag
@extend_schema(
    methods=["GET"],
    operation_id="read_entry",
    summary="One entry",
    description="One entry: what the draw knows of it, and what was decided about it; for the "
    "staff, by a token with the scope `tournaments:manage`.",
    tags=["tournaments"],
    responses=directing.EntryDetail,
)
@extend_schema(
    methods=["PATCH"],
    operation_id="describe_entry",
    summary="Say what the draw should know of an entry",
    description="Say what the draw should know of an entry: its seeding rating, where it comes "
    "from, whom it may not meet, at which table it always sits. What is left out stays. Needs a "
    "token with the scope `tournaments:manage` of an organiser.",
    tags=["tournaments"],
    parameters=[IF_MATCH],
    request={MEDIA_TYPE: directing.Description},
    responses={
        200: OpenApiResponse(directing.EntryDetail, "The entry as it is now."),
        **problems_of(CHANGE_REFUSALS),
    },
)
@api_view(["GET", "HEAD", "PATCH"])
def entry(request: Request, slug: str, number: int) -> Response:
    """Read an entry, or say what the draw should know of it."""
    refuse_unknown(request, frozenset())
    if request.method != "PATCH":
        return require_revalidation(Response(entry_detail(slug, number, actor_of(request))))
    actor = require_actor(request)
    data = validate(directing.Description, read_body(request))
    with transaction.atomic():
        row = find_entry(slug, number, actor)
        lock_tournament(row.tournament)
        refuse_unless(may_manage(actor, row.tournament.club), actor)
        refuse_stale(request, entry_detail(slug, number, actor))
        entries.describe_entry(actor, row, **data)
        body = entry_detail(slug, number, actor)
    return require_revalidation(Response(body))


def entry_detail(slug: str, number: int, viewer: Actor) -> Any:
    """Return an entry as the API shows it to the staff; refuses NOT_FOUND for all others."""
    page = entry_page(slug, number, viewer)
    not_found_unless(page.head.may.arbitrate)
    return directing.EntryDetail(page).data


@on_entry(directing.Removal, name="remove_entry")
def remove(actor: Actor, data: Data, entry: Entry) -> None:
    """Take an entry off the list of a draft; the others keep their numbers.

    Its ticket leaves the list of the sign-up too, so that the next one moves up; with `keep` it
    waits for an entry again.
    """
    entries.remove_entry(actor, entry, keeps_ticket=data.get("ticket") == directing.KEEP)


@on_entry(Nothing, name="cancel_bye")
def cancel_bye(actor: Actor, _data: Data, entry: Entry, pk: int) -> None:
    """Take back a bye that was asked for."""
    absences.cancel_bye(actor, or_404(entry.bye_requests.filter(pk=pk).first()))


@on_entry(directing.Revocation, name="revoke_penalty")
def revoke(actor: Actor, data: Data, entry: Entry, pk: int) -> None:
    """Take a penalty back; it stays written down."""
    penalty = or_404(entry.penalties.filter(pk=pk).first())
    absences.revoke_penalty(actor, penalty, **data)


@on_entry(directing.EndOfSubstitution, name="end_substitution")
def end_substitution(actor: Actor, data: Data, entry: Entry, pk: int) -> None:
    """Let the one who was replaced play again from a round on."""
    substitution = or_404(entry.substitutions.filter(pk=pk).first())
    substitutions.end_substitution(actor, substitution, **data)


@read_view(
    directing.RestorePoint,
    tag="organising",
    name="list_restore_points",
    many=True,
    scope=Scope.READ,
)
def restore_points(request: Request, slug: str) -> tuple[tournaments_queries.PointRow, ...]:
    """The moments that a tournament can be taken back to, the latest first.

    Needs a token with the scope `games:read` of a member of the club.
    """
    viewer = actor_of(request)
    tournament = find_tournament(slug, viewer)
    not_found_unless(is_member(viewer, tournament.club))
    return tournaments_queries.restore_points(tournament)


@tournament_action(Nothing, name="restore")
def go_back(actor: Actor, _data: Data, slug: str, pk: int) -> Tournament:
    """Take a tournament back to before something was done; that, too, can be undone.

    What was played is never lost: where a match that has a result would go, it is refused.
    """
    return restoring.go_back(actor, find_restore_point(slug, pk, actor))

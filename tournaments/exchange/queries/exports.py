"""The export of a tournament as one JSON document, and its other files for download."""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, replace
from datetime import date, time
from decimal import Decimal
from typing import Any, Final

from django.db.models import Model, Q, QuerySet
from django.utils.translation import get_language, gettext

from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import find_tournament, not_found_unless
from tournaments.core.permissions import Actor, hidden_matches, may_manage, refuse_unless
from tournaments.director.queries.public_rows import public_rows
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.queries.tournaments import TournamentHead, open_tournament
from tournaments.domain.file import FileError, rows_to_bytes
from tournaments.domain.file.writing import text_of
from tournaments.domain.messages import message
from tournaments.domain.proof import PROGRAM, digest_of
from tournaments.domain.ranking import CannotRank
from tournaments.domain.rows import Round as RoundRows
from tournaments.domain.rows import TournamentRows
from tournaments.domain.sides import PLACES, SCORES
from tournaments.domain.signed_proof import SIGNED
from tournaments.domain.trail.rows import BASELINE, ROWS
from tournaments.domain.trf import loss_messages, rows_to_trf
from tournaments.exchange.queries.proofs import proof_file
from tournaments.models import (
    Absence,
    AuditEvent,
    Bot,
    ByeRequest,
    Dispute,
    Entry,
    Match,
    Pair,
    Penalty,
    Player,
    Record,
    Result,
    Round,
    Stage,
    Substitution,
    Tournament,
)

# --- Exports --------------------------------------------------------------------------------------
# A whole tournament as one JSON document, which `import_tournament` reads on any installation.
#
# `docs/programs/export.md` describes the format. Rows have numbers within the document, never their
# keys in the database. The order of each list depends on its rows alone, so the export of an
# imported tournament has the same lists.


FORMAT: Final = "baza-export/1"
"""The value of the document's ``format``."""

TOURNAMENT: Final = (
    "name",
    "slug",
    "ruleset",
    "options",
    "cotos",
    "deal_sets",
    "stop",
    "unit",
    "state",
    "version",
    "confirmation",
    "visibility",
    "confirm_after",
    "confirm_minutes",
    "round_minutes",
    "bye_quota",
    "no_show_minutes",
    "late_minutes",
    "grace_minutes",
    "self_check_in",
    "points_required",
    "sides_agree_days",
    "check_in_closed_at",
    "created_at",
    "begins_at",
    "place",
    "prizes",
    "rules_text",
    "cancelled_at",
    "cancel_reason",
    "prizes_meant_for",
    "prizes_scale_up",
    "prizes_unit",
)

EVENT: Final = ("verb", "actor", "subject_type", "subject", "facts", "at")

Ids = Mapping[type[Model], Mapping[int, int]]
"""Numbers within the document, by model and by key."""


@dataclass(frozen=True, slots=True)
class ListKind:
    """A list of the document: the rows of one model, their ``fields`` and references.

    ``refs`` are the fields that refer to a row of another list, which comes before this one.
    """

    name: str
    model: type[Model]
    fields: tuple[str, ...]
    refs: Mapping[str, str]
    rows: Callable[[Tournament], QuerySet[Any]]


def _of_entries(model: type[Any], *order: str) -> Callable[[Tournament], QuerySet[Any]]:
    """Return a function that selects rows of a tournament's entries."""
    return lambda tournament: model.objects.filter(entry__tournament=tournament).order_by(
        "entry__number", *order, "pk"
    )


def _of_matches(model: type[Any], *order: str) -> Callable[[Tournament], QuerySet[Any]]:
    """Return a function that selects rows of a tournament's matches."""
    return lambda tournament: model.objects.filter(
        match__round__stage__tournament=tournament
    ).order_by("match__round__number", "match__table", *order, "pk")


def _players(tournament: Tournament) -> QuerySet[Player]:
    """Return all players of a tournament, past ones and stand-ins included."""
    lineups = Match.objects.filter(round__stage__tournament=tournament).exclude(lineup={})
    lineup_pks = [
        pk
        for lineup in lineups.values_list("lineup", flat=True)
        for side in lineup.values()
        for pk in side["players"]
    ]
    is_player = (
        Q(entries__tournament=tournament)
        | Q(pairs_as_first__entries__tournament=tournament)
        | Q(pairs_as_second__entries__tournament=tournament)
        | Q(replaced_in__entry__tournament=tournament)
        | Q(substitutions__entry__tournament=tournament)
        | Q(pk__in=lineup_pks)
    )
    return Player.objects.filter(is_player).distinct().order_by("code")


_MADE: Final = ("made_by", "made_at")

KINDS: Final[tuple[ListKind, ...]] = (
    ListKind("players", Player, ("code", "name", "earlier"), {}, _players),
    ListKind(
        "pairs",
        Pair,
        ("code", "name"),
        {"first": "players", "second": "players"},
        lambda t: Pair.objects.filter(entries__tournament=t).distinct().order_by("code"),
    ),
    ListKind(
        "bots",
        Bot,
        ("name", "slug", "kind"),
        {},
        lambda t: Bot.objects.filter(entries__tournament=t).distinct().order_by("slug"),
    ),
    ListKind(
        "entries",
        Entry,
        (
            "number",
            "name",
            "seats",
            "rating",
            "origin",
            "apart",
            "code",
            "joined_round",
            "checked_in_at",
            "fixed_table",
        ),
        {"pair": "pairs", "player": "players", "bot": "bots"},
        lambda t: t.entries.order_by("number"),
    ),
    ListKind(
        "absences",
        Absence,
        ("kind", "from_round", "until_round", "reason", *_MADE),
        {"entry": "entries"},
        _of_entries(Absence, "from_round"),
    ),
    ListKind(
        "bye_requests",
        ByeRequest,
        ("round_number", "kind", *_MADE),
        {"entry": "entries"},
        _of_entries(ByeRequest, "round_number"),
    ),
    ListKind(
        "substitutions",
        Substitution,
        ("from_round", "until_round", "reason", *_MADE),
        {"entry": "entries", "leaves": "players", "comes": "players"},
        _of_entries(Substitution, "from_round"),
    ),
    ListKind(
        "penalties",
        Penalty,
        (
            "round_number",
            "match_points",
            "hands",
            "points",
            "reason",
            *_MADE,
            "revoked_at",
            "revoked_by",
            "revocation",
        ),
        {"entry": "entries"},
        _of_entries(Penalty, "round_number"),
    ),
    ListKind(
        "stages",
        Stage,
        (
            "number",
            "name",
            "format",
            "settings",
            "entrants",
            "seed",
            "lots",
            "begun_at",
            "round_minutes",
            "warn_minutes",
            "deal_seed",
            "commitment",
            "draws",
        ),
        {},
        lambda t: t.stages.order_by("number"),
    ),
    ListKind(
        "rounds",
        Round,
        (
            "number",
            "state",
            "seed",
            "commitment",
            "published_at",
            "closed_at",
            "play_requested_at",
            "drawn",
            "minutes",
            "clock_started_at",
            "clock_stopped_at",
        ),
        {"stage": "stages"},
        lambda t: Round.objects.filter(stage__tournament=t).order_by("number"),
    ),
    ListKind(
        "matches",
        Match,
        (
            "table",
            "state",
            "bye",
            "lineup",
            "boards",
            "whys",
            "pinned",
            "edited",
            "postponed_to",
            "proposed_day",
            "day_proposed_by",
            "attempts",
            "abandoned_at",
        ),
        {
            "round": "rounds",
            **dict.fromkeys(PLACES, "entries"),
        },
        lambda t: Match.objects.filter(round__stage__tournament=t).order_by(
            "round__number", "table"
        ),
    ),
    ListKind(
        "records",
        Record,
        (
            "state",
            "source",
            "text",
            "sha256",
            "digest",
            "home_side",
            "verdict",
            "code",
            "params",
            "submitter",
            "created_at",
            "coto",
            "said_by",
        ),
        {"match": "matches"},
        lambda t: _of_matches(Record, "created_at")(t).exclude(text=""),
    ),
    ListKind(
        "results",
        Result,
        (
            "version",
            "live",
            "counts_from",
            "counts_until",
            "depth",
            *SCORES,
            "places",
            "winner",
            "forfeits",
            "decided",
            "cut",
            "hand_scores",
            "reported_for",
            "confirmed_by",
            "confirmed_at",
            "reason",
            *_MADE,
        ),
        {"match": "matches", "record": "records"},
        _of_matches(Result, "version"),
    ),
    ListKind(
        "disputes",
        Dispute,
        (
            "reason",
            "opened_by",
            "opened_at",
            "reviewed_by",
            "reviewed_at",
            "state",
            "ruling",
            "ruled_by",
            "ruled_at",
        ),
        {"match": "matches", "record": "records", "result": "results"},
        _of_matches(Dispute, "opened_at"),
    ),
)
"""The lists of the document, each after those that it refers to."""

BY_TYPE: Final[Mapping[str, str]] = {kind.model._meta.model_name or "": kind.name for kind in KINDS}
"""Names of the lists by the model name in an event (`subject_type`)."""


def export_of(slug: str, viewer: Actor) -> bytes:
    """Return the whole export of a tournament; for organisers, as it has entry codes and seeds.

    Refuses SIGN_IN, FORBIDDEN, NOT_FOUND. A query for each list and a few more.
    """
    tournament = find_tournament(slug, viewer)
    refuse_unless(may_manage(viewer, tournament.club), viewer)
    return text_of(export_document(tournament)).encode()


def export_document(tournament: Tournament) -> dict[str, Any]:
    """Return the export of a tournament in JSON types."""
    club = tournament.club
    ids: dict[type[Model], dict[int, int]] = {}
    document: dict[str, Any] = {
        "format": FORMAT,
        "made_by": PROGRAM,
        "club": {"name": club.name, "slug": club.slug, "city": club.city},
        "tournament": {name: to_json_value(getattr(tournament, name)) for name in TOURNAMENT},
        "digest": digest_of(rows_of(tournament)),
    }
    for kind in KINDS:
        rows = list(kind.rows(tournament))
        ids[kind.model] = {row.pk: number for number, row in enumerate(rows, start=1)}
        document[kind.name] = [_row(kind, row, number, ids) for number, row in enumerate(rows, 1)]
    events = tournament.events.exclude(verb__in=(BASELINE, SIGNED)).order_by("sequence")
    document["events"] = [_event(event, ids) for event in events]
    return document


def _row(kind: ListKind, row: Model, number: int, ids: Ids) -> dict[str, Any]:
    document = {"id": number} | {name: to_json_value(getattr(row, name)) for name in kind.fields}
    for name, where in kind.refs.items():
        key = getattr(row, f"{name}_id")
        document[name] = None if key is None else ids[MODELS[where]][key]
    if isinstance(row, Match):
        document["lineup"] = map_players(row.lineup, ids[Player])
    return document


def map_players(lineup: Mapping[str, Any], names: Mapping[int, int]) -> dict[str, Any]:
    """Return a line-up with the numbers of its players mapped by ``names``."""
    return {
        side: {**people, "players": [names[player] for player in people["players"]]}
        for side, people in lineup.items()
    }


def _event(event: AuditEvent, ids: Ids) -> dict[str, Any]:
    """Return an event in JSON types; ``about`` is ``None`` when its row is deleted.

    The digests of audited rows are left out: their keys mean nothing elsewhere.
    """
    document = {name: to_json_value(getattr(event, name)) for name in EVENT}
    document["facts"] = {name: value for name, value in event.facts.items() if name != ROWS}
    where = BY_TYPE.get(event.subject_type)
    numbers = ids[MODELS[where]] if where else {}
    return document | {"about": numbers.get(event.subject_pk)}


def to_json_value(value: Any) -> Any:
    """Return a value in JSON types: dates and times in ISO 8601, exact decimals as text."""
    if isinstance(value, date | time):  # a datetime is a date
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value


MODELS: Final[Mapping[str, type[Model]]] = {kind.name: kind.model for kind in KINDS}
"""Models by the name of their list."""


# --- Faults ---------------------------------------------------------------------------------------
# A fault of a file as a refusal, with its message in the language in use.


def file_refusal(error: FileError, reason: Reason) -> Refusal:
    """Return the refusal for a fault of a file: ``where`` is its place, ``why`` its message."""
    language = get_language()
    text = error.explain(language)
    line = error.facts.get("line")
    place = gettext("line %(line)s") % {"line": line} if line else gettext("the file as a whole")
    return Refusal(reason, where=error.path or place, why=text)


# --- Files ----------------------------------------------------------------------------------------
# Public files of a tournament: its rows, its proof, its FIDE reports.


@dataclass(frozen=True, slots=True)
class Report:
    """A stage's FIDE report: what it leaves out, or why there is none (``refusal``)."""

    stage: int
    name: str
    losses: tuple[str, ...]
    refusal: str


@dataclass(frozen=True, slots=True)
class FilesPage:
    """The files that can be downloaded; ``rounds`` are the numbers of the published rounds.

    ``proofs`` are the rounds up to which the viewer can have the proof: those before the first
    whose deals are still to be played elsewhere.
    """

    head: TournamentHead
    rounds: tuple[int, ...]
    proofs: tuple[int, ...]
    reports: tuple[Report, ...]
    has_records: bool


def files_page(slug: str, viewer: Actor, language: str) -> FilesPage:
    """Return the files of a tournament: five queries more than its rows need."""
    access = open_tournament(slug, viewer)
    rows = public_rows(access.tournament)
    rounds = tuple(r.number for stage in rows.stages for r in stage.rounds)
    secret = _secret_tables(access.tournament, viewer)
    return FilesPage(
        head=access.head,
        rounds=rounds,
        proofs=tuple(number for number in rounds if all(number < first for first, _ in secret)),
        reports=tuple(
            _report(rows, stage.number, language) for stage in rows.stages if stage.published
        ),
        has_records=Record.objects.accepted()
        .filter(match__round__stage__tournament=access.tournament)
        .exists(),
    )


def tournament_file(slug: str, viewer: Actor) -> bytes:
    """Return the tournament file of the published rounds; refuses NOT_FOUND.

    Points of deals that the viewer may not see are left out.
    """
    tournament = find_tournament(slug, viewer)
    secret = _secret_tables(tournament, viewer)
    return rows_to_bytes(_without_board_points(public_rows(tournament), secret))


def proof(slug: str, viewer: Actor, after: int | None = None) -> bytes:
    """Return the proof bundle, of all published rounds or up to ``after``.

    Refuses NOT_FOUND, and DEALS_SECRET where the viewer may not see a deal of these rounds: without
    its points the standings could not be computed again.
    """
    tournament = find_tournament(slug, viewer)
    if after is not None:
        rounds = Round.objects.filter(stage__tournament=tournament, number=after)
        not_found_unless(rounds.exclude(state=Round.State.DRAFT).exists())
    secret = _secret_tables(tournament, viewer)
    if any(after is None or round_ <= after for round_, _ in secret):
        raise Refusal(Reason.DEALS_SECRET)
    return proof_file(tournament, after)


def _secret_tables(tournament: Tournament, viewer: Actor) -> set[tuple[int, int]]:
    """Return the round and number of each published table whose deals the viewer may not see."""
    return {
        (match.round.number, match.table)
        for match in hidden_matches(viewer, tournament)
        if match.round.state != Round.State.DRAFT
    }


def _without_board_points(
    rows: TournamentRows, tables: Container[tuple[int, int]]
) -> TournamentRows:
    def without(round_: RoundRows) -> RoundRows:
        round_tables = (
            replace(table, board_points=()) if (round_.number, table.number) in tables else table
            for table in round_.tables
        )
        return replace(round_, tables=tuple(round_tables))

    stages = (replace(stage, rounds=tuple(map(without, stage.rounds))) for stage in rows.stages)
    return replace(rows, stages=tuple(stages))


def report(slug: str, viewer: Actor, stage: int | None = None) -> bytes:
    """Return the FIDE report of a stage, by default the last one that has begun.

    Refuses NOT_FOUND, and NO_REPORT with the reason why there is none.
    """
    rows = public_rows(find_tournament(slug, viewer))
    numbers = [stage_row.number for stage_row in rows.stages if stage_row.published]
    if stage is None:
        stage = numbers[-1] if numbers else None
    not_found_unless(stage in numbers)
    try:
        return rows_to_trf(rows, stage)
    except FileError as error:
        raise file_refusal(error, Reason.NO_REPORT) from error
    except CannotRank as error:
        raise Refusal(Reason.NO_REPORT, where=f"/stages/{stage}", why=error.code) from error


def _report(rows: TournamentRows, number: int, language: str) -> Report:
    """Return what the report of a stage would leave out, or why there is none."""
    stage = next(stage for stage in rows.stages if stage.number == number)
    losses: tuple[str, ...] = ()
    refusal = ""
    try:
        rows_to_trf(rows, number)
        losses = loss_messages(rows, number, language)
    except FileError as error:
        refusal = str(file_refusal(error, Reason.NO_REPORT).params["why"])
    except CannotRank as error:
        refusal = error.code
    name = stage.name or message(language, f"format.{stage.format}")
    return Report(number, name[:1].upper() + name[1:], losses, refusal)

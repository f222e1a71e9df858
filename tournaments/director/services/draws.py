"""Draws rounds: seeds a stage, begins it, and draws its next round as a draft."""

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

import engine
from tournaments.core.audit import write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_tournament, or_404, raise_version
from tournaments.core.names import validate_remark
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.director.queries.outdated import draw_refusal
from tournaments.director.queries.rows import names_of
from tournaments.director.queries.seats import refuse_two_seats
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.queries.state import (
    refuse_closed,
    round_states,
    stage_facts,
    tournament_facts,
)
from tournaments.director.services.days import give_days_to_rounds
from tournaments.director.services.posting import renew_sources
from tournaments.director.services.restore_points import store_restore_point
from tournaments.director.services.substitutions import set_all_lineups
from tournaments.domain.beside import tables_in_use
from tournaments.domain.drafts import entrants_now, numbers_from
from tournaments.domain.file import FileError, rules_from_dict
from tournaments.domain.file.codec import entrant_facts
from tournaments.domain.next_stages import stage_to_begin_beside
from tournaments.domain.pairing import CannotDraw, Draw, PairingReason
from tournaments.domain.rows import Seeding, State, Table, TournamentRows
from tournaments.domain.sides import PLACES_BY_SIDE
from tournaments.domain.stages import (
    begin_stage,
    draw_all,
    is_ready,
    next_draw,
    next_round,
    seeding_of,
    source_of,
    stage_of,
    with_round,
    with_stage,
)
from tournaments.domain.state import TournamentFacts
from tournaments.models import Entry, Match, Round, Stage, Tournament

# --- Draws ----------------------------------------------------------------------------------------
# `director.queries.snapshot` reads the rows that a round is drawn from; `domain.stages` decides who
# meets whom. The facts that the draw used are stored with the round (`Round.drawn`), so that the
# draw can be repeated and checked by anybody.


# Characters; a longer reason is cut, not refused.
MAX_DRAW_REASON_LENGTH: Final = 200

WHOLE_ROUND: Final = 0
"""Table number of a reason that is about the round as a whole."""


@transaction.atomic
def draw(
    actor: Actor, tournament: Tournament, *, order: Sequence[int] = (), reason: str = ""
) -> Tournament:
    """Begin a tournament: fill its first stage with all entries and draw its first rounds.

    A format whose rounds do not depend on results is drawn whole. ``order`` lists entry numbers as
    drawn by hand; without it the seeding of the stage decides. ``reason`` explains why a stage that
    had been drawn is drawn again. Refuses FORBIDDEN, NOT_A_DRAFT, TOO_FEW_ENTRIES,
    TOO_MANY_ENTRIES, CANNOT_DRAW, BAD_ORDER, BAD_REASON; PLAYER_TWICE if the club's list of pairs
    has changed so since they entered.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    refuse_closed("draw", tournament_facts(tournament))
    refuse_two_seats(tournament, tournament.entries.all())
    stage = tournament.stages.select_related("tournament").get(number=1)
    store_restore_point(actor, tournament, "tournament.drawn")
    tournament.state = Tournament.State.RUNNING
    tournament.save(update_fields=["state"])
    begin(tournament, stage, order=order, reason=_checked_reason(reason))
    rounds = draw_rounds(tournament, stage)
    write_tournament_event(
        actor,
        "tournament.drawn",
        tournament,
        tournament,
        entries=len(stage.entrants),
        rounds=len(rounds),
        matches=Match.objects.filter(round__in=rounds).count(),
        **deals_facts(stage),
        **draw_facts(stage),
    )
    if tournament.posted_at is None:
        renew_sources(actor, tournament)
    return tournament


@transaction.atomic
def draw_next(
    actor: Actor,
    tournament: Tournament,
    *,
    after: int,
    stage: int | None = None,
    order: Sequence[int] = (),
) -> Round:
    """Draw the round that follows round ``after``, as a draft; begin the next stage when due.

    ``stage`` is the number of the stage that gets it, by default the first that can get one.
    Idempotent: if that round has been drawn already, it is returned, also to concurrent callers.
    ``order`` lists the entry numbers, drawn by hand, of a stage that begins with this round.
    Refuses FORBIDDEN, NOT_RUNNING, ROUND_UNFINISHED, NOTHING_TO_DRAW, NOT_FOUND, CANNOT_DRAW,
    BAD_ORDER.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    rounds = Round.objects.filter(stage__tournament=tournament).select_related("stage__tournament")
    if stage is not None:
        rounds = rounds.filter(stage__number=stage)
    existing_round = rounds.filter(number__gt=after).order_by("number").first()
    if existing_round is not None and tournament.state == Tournament.State.RUNNING:
        return existing_round
    facts = tournament_facts(tournament)
    if stage is not None and stage not in facts.to_draw:
        facts = _facts_of_stage(facts, tournament, stage)
    refuse_closed("draw_next", facts)
    store_restore_point(actor, tournament, "round.drawn", after + 1)
    stage_row, begins = _stage_to_draw(tournament, stage or facts.to_draw[0], order)
    first, *_ = draw_rounds(tournament, stage_row)
    write_tournament_event(
        actor,
        "round.drawn",
        first,
        tournament,
        round=first.number,
        stage=stage_row.number,
        matches=first.matches.count(),
        **deals_facts(stage_row),
        **draw_facts(stage_row) if begins else {},
    )
    return first


def _facts_of_stage(facts: TournamentFacts, tournament: Tournament, number: int) -> TournamentFacts:
    """Return the facts of a tournament with the open rounds of one stage that cannot be drawn now.

    Refuses NOT_FOUND, and CANNOT_DRAW where the stage that fills it goes on.
    """
    or_404(tournament.stages.filter(number=number).first())
    if facts.state == Tournament.State.RUNNING:
        rows = rows_of(tournament)
        stage = stage_of(rows, number)
        source = source_of(rows, stage)
        if source is not None and not stage.entrants and not is_ready(rows, stage):
            open_source = CannotDraw("source_open", stage=source.number)
            raise draw_refusal(open_source, names_of(tournament.pk))
    own = tuple(
        (round_.number, round_.undecided)
        for round_ in round_states(tournament)
        if round_.stage == number and round_.state != Round.State.CLOSED
    )
    return replace(facts, open_rounds=own or facts.open_rounds, to_draw=())


@transaction.atomic
def draw_again(actor: Actor, stage: Stage, *, reason: str, order: Sequence[int] = ()) -> Round:
    """Draw the seeding order of a stage again, with the next seed, before anything is published.

    Every draw keeps its number, its seed and its reason, and all of them are public. Refuses
    FORBIDDEN, NOT_RUNNING, STAGE_NOT_DRAWN, STAGE_PUBLISHED, REASON_MISSING, BAD_REASON,
    CANNOT_DRAW, BAD_ORDER.
    """
    refuse_unless(may_manage(actor, stage.tournament.club), actor)
    tournament = lock_tournament(stage.tournament)
    stage = tournament.stages.select_related("tournament").get(pk=stage.pk)
    refuse_closed("draw_again", stage_facts(stage))
    if not reason.strip():
        raise Refusal(Reason.REASON_MISSING)
    store_restore_point(actor, tournament, "stage.drawn_again")
    seed = stage.seed
    days = dict(stage.rounds.values_list("number", "day"))
    stage.rounds.all().delete()
    _forget_manual_order(stage)
    begin(tournament, stage, order=order, reason=_checked_reason(reason))
    first, *_ = draw_rounds(tournament, stage, days=days)
    write_tournament_event(
        actor,
        "stage.drawn_again",
        stage,
        tournament,
        stage=stage.number,
        seed_before=seed,
        **deals_facts(stage),
        **draw_facts(stage),
    )
    return first


def _checked_reason(reason: str) -> str:
    """Return the reason of a draw, one line cut to its limit; refuses BAD_REASON."""
    if not reason.isprintable():
        raise Refusal(Reason.BAD_REASON)
    return validate_remark(reason)[:MAX_DRAW_REASON_LENGTH]


def _stage_to_draw(tournament: Tournament, number: int, order: Sequence[int]) -> tuple[Stage, bool]:
    """Return the stage of the next round and whether it begins now; begins it if so."""
    rows = rows_of(tournament)
    stage = tournament.stages.select_related("tournament").get(number=number)
    if stage.begun_at is None:
        begin(tournament, stage, order=order)
        return stage, True
    try:
        return stage, begin_again(tournament, stage, rows, order=order)
    except CannotDraw as refusal:
        raise draw_refusal(refusal, names_of(tournament.pk)) from refusal


def begin_again(
    tournament: Tournament, stage: Stage, rows: TournamentRows, *, order: Sequence[int] = ()
) -> bool:
    """Give a begun stage that has no published round its entrants again if others qualify now.

    ``rows`` have no drafts of it. Returns whether it has begun again. Raises CannotDraw where it is
    not known who qualifies; refuses BAD_ORDER.
    """
    entrants = entrants_now(rows, stage.number)
    if entrants == stage_of(rows, stage.number).entrants:
        return False
    _forget_manual_order(stage)
    begin(tournament, stage, order=order)
    if late := [number for number in entrants if number not in stage.entrants]:
        stage.entrants = [*stage.entrants, *late]
        stage.save(update_fields=["entrants"])
    return True


def _forget_manual_order(stage: Stage) -> None:
    """Leave the seeding of a stage to the service; with an order, `begin` notes it as manual."""
    if stage.begun_at is not None and stage.rules.seeding is Seeding.MANUAL:
        stage.settings = {**stage.settings, "seeding": Seeding.AUTO.value}


def begin(
    tournament: Tournament, stage: Stage, *, order: Sequence[int] = (), reason: str = ""
) -> None:
    """Give a stage of a locked tournament its seed and its entrants in seeding order.

    The seed is the one whose commitment was published before. ``order`` lists the entry numbers if
    they were drawn by hand. Where all tables play the same deals, the deals get a seed and a
    commitment of their own. Refuses CANNOT_DRAW, BAD_ORDER.
    """
    stage.next_seed = stage.next_seed or secrets.token_hex(32)
    rows = rows_of(tournament)
    beside = stage_to_begin_beside(rows, stage_of(rows, stage.number))
    # The stage has rules that are not stored yet, such as another seeding.
    without = stage_of(rows, stage.number).rules.without
    stage_rules = replace(stage.rules, beside=beside, without=without)
    planned = replace(stage_of(rows, stage.number), seed=stage.next_seed, rules=stage_rules)
    if order:  # only the set of entrants is needed, and MANUAL would be refused
        planned = replace(planned, rules=replace(planned.rules, seeding=Seeding.RATING))
    rows = with_stage(rows, planned)
    try:
        seeding = Seeding.MANUAL if order else seeding_of(rows, stage.number)
        entrants = begin_stage(rows, stage.number)
    except CannotDraw as refusal:
        raise draw_refusal(refusal, names_of(tournament.pk)) from refusal
    if order and sorted(order) != sorted(entrants):
        raise Refusal(Reason.BAD_ORDER)
    stage.rules = replace(stage_rules, seeding=seeding)
    stage.entrants = list(order or entrants)
    _note_draw(stage, seeding, reason, rows)
    stage.begun_at = timezone.now()
    if stage.kind.same_deals:
        stage.deal_seed = secrets.token_hex(32)
        stage.commitment = engine.commitment(stage.label, bytes.fromhex(stage.deal_seed))
    stage.save(
        update_fields=[
            "entrants",
            "seed",
            "begun_at",
            "deal_seed",
            "commitment",
            "settings",
            "draws",
            "next_seed",
        ]
    )
    raise_version(tournament)


def _note_draw(stage: Stage, seeding: Seeding, reason: str, rows: TournamentRows) -> None:
    """Append the draw of a stage that has its entrants, and create the seed of the next draw."""
    # The next seed is made now, so that its commitment is public before anybody asks for a draw.
    new_draw = {
        "number": len(stage.draws) + 1,
        "seed": stage.next_seed,
        "commitment": stage.next_commitment,
        "seeding": seeding.value,
        "entrants": stage.entrants,
        # Those of the first round's draft may differ: it is drawn again when an entry changes.
        "facts": _facts_of(rows),
        "at": timezone.now().isoformat(),
        "reason": reason,
    }
    stage.seed, stage.next_seed = stage.next_seed, secrets.token_hex(32)
    stage.draws = [*stage.draws, new_draw]


def draw_facts(stage: Stage) -> dict[str, Any]:
    """Return the facts of a stage's last draw, for its event.

    ``next_commitment`` binds the seed of the draw that follows if this one is undone.
    """
    last_draw = stage.draws[-1]
    facts = {"draw": last_draw["number"], "seeding": last_draw["seeding"]}
    facts |= {"draw_commitment": last_draw["commitment"], "next_commitment": stage.next_commitment}
    return facts | ({"reason": last_draw["reason"]} if last_draw["reason"] else {})


def deals_facts(stage: Stage) -> dict[str, str]:
    """Return the commitment to the deals of a stage for its event, if it has one."""
    return {"deals_commitment": stage.commitment} if stage.commitment else {}


def draw_rounds(
    tournament: Tournament, stage: Stage, *, days: Mapping[int, int | None] | None = None
) -> tuple[Round, ...]:
    """Draw the next round of a begun stage of a locked tournament, as a draft.

    Where no round depends on a result, all remaining rounds are drawn. Existing drafts count as
    published. ``days`` has the days (their keys) that rounds are to have, by number; the others get
    the next free ones. Refuses CANNOT_DRAW.
    """
    rows = rows_of(tournament)
    in_use = tables_in_use(rows, stage.number)
    rows = _with_drafts(rows)
    try:
        draws: tuple[Draw, ...] = (next_draw(rows, stage=stage.number, in_use=in_use),)
        if stage.is_drawn_ahead:
            begun = with_round(rows, stage.number, draws[0].tables)
            draws += draw_all(begun, stage.number, in_use)
    except CannotDraw as refusal:
        raise draw_refusal(refusal, names_of(tournament.pk)) from refusal
    numbers = numbers_from(rows, stage.number, next_round(rows, stage.number))
    rounds = tuple(
        _drawn_round(rows, stage, number, round_draw)
        for number, round_draw in zip(numbers, draws, strict=False)
    )
    for round_ in rounds:
        round_.day_id = (days or {}).get(round_.number)
    store_rounds(tournament, rounds, draws)
    return rounds


def draw_round(
    rows: TournamentRows,
    stage: Stage,
    number: int,
    round_draw: Draw,
    pinned_tables: Sequence[Table] = (),
    *,
    day: int | None = None,
    cause: str = "",
) -> Round:
    """Store a round of a stage as a draft; ``rows`` are those that it was drawn from.

    ``day`` is the key of the day that it keeps; without one it gets the next free day. ``cause`` is
    the change after which the service has drawn it again by itself.
    """
    round_ = _drawn_round(rows, stage, number, round_draw, pinned_tables)
    round_.day_id = day
    if cause:
        round_.drawn["again"] = cause
    store_rounds(stage.tournament, (round_,), (round_draw,))
    return round_


def store_rounds(tournament: Tournament, rounds: Sequence[Round], draws: Sequence[Draw]) -> None:
    """Store new drafts with their matches, lineups and days."""
    Round.objects.bulk_create(rounds)
    entries = {entry.number: entry for entry in tournament.entries.all()}
    matches = Match.objects.bulk_create(
        match_of(round_, table, round_draw.reasons, entries)
        for round_, round_draw in zip(rounds, draws, strict=True)
        for table in round_draw.tables
    )
    set_all_lineups(tournament, matches)
    give_days_to_rounds(tournament)


def _with_drafts(rows: TournamentRows) -> TournamentRows:
    """Return the rows with their drafts as if they were published."""
    stages = [
        replace(
            stage,
            rounds=tuple(
                replace(round_, state=State.PUBLISHED) if round_.state is State.DRAFT else round_
                for round_ in stage.rounds
            ),
        )
        for stage in rows.stages
    ]
    return replace(rows, stages=tuple(stages))


def _drawn_round(
    rows: TournamentRows,
    stage: Stage,
    number: int,
    round_draw: Draw,
    pinned_tables: Sequence[Table] = (),
) -> Round:
    """Return a draft with a fresh seed, its commitment, and the facts that its draw used."""
    round_ = Round(stage=stage, number=number, seed=secrets.token_hex(32))
    round_.commitment = engine.commitment(round_.label, bytes.fromhex(round_.seed))
    entrants = rows.by_number
    numbers = [n for n in stage.entrants if entrants[n].is_here(number)]
    byes = {str(n): str(bye) for n in numbers if (bye := entrants[n].bye_in(number)) is not None}
    round_.drawn = {
        "version": stage.tournament.version,
        "here": [n for n in numbers if str(n) not in byes],
        "byes": byes,
        "pinned": [[list(side) for side in table.sides] for table in pinned_tables],
        "kept": [
            [table.number, [list(side) for side in table.sides], table.bye, list(table.boards)]
            for table in pinned_tables
        ],
        "digest": digest_of_draw(round_draw),
        "entrants": _facts_of(rows),
        "quality": dict(round_draw.quality),
        "whys": [
            reason_facts(reason) for reason in round_draw.reasons if reason.table == WHOLE_ROUND
        ],
    }
    if round_draw.in_use:
        round_.drawn["in_use"] = list(round_draw.in_use)
    return round_


def digest_of_draw(round_draw: Draw) -> str:
    """Return the SHA-256 of the tables and reasons of a draw, to compare it with a later one."""
    document = {
        "tables": sorted(
            [table.number, table.sides, table.bye, table.boards] for table in round_draw.tables
        ),
        "reasons": [[reason.table, reason_facts(reason)] for reason in round_draw.reasons],
    }
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def _facts_of(rows: TournamentRows) -> dict[str, dict[str, Any]]:
    """Return the facts of the entrants by their numbers; those without any are left out."""
    return {
        str(entrant.number): facts for entrant in rows.entrants if (facts := entrant_facts(entrant))
    }


def match_of(
    round_: Round, table: Table, reasons: Sequence[PairingReason], entries: Mapping[int, Entry]
) -> Match:
    """Return the unsaved match of one table, with the reasons of its pairing."""
    seated = {
        place: entries[entrant]
        for places, side in zip(PLACES_BY_SIDE, table.sides, strict=False)
        for place, entrant in zip(places, side, strict=False)
    }
    return Match(
        round=round_,
        table=table.number,
        **seated,
        state=Match.State.BYE if table.is_bye else Match.State.PENDING,
        bye=str(table.bye) if table.bye else "",
        boards=list(table.boards),
        pinned=table.pinned,
        whys=[reason_facts(reason) for reason in reasons if reason.table == table.number],
    )


def reason_facts(reason: PairingReason) -> dict[str, Any]:
    """Return a reason as the mapping that is stored with a match."""
    return {"code": reason.code, "entrants": list(reason.entrants), "facts": dict(reason.facts)}


# --- Seeding --------------------------------------------------------------------------------------
# Choosing how a stage is seeded, before it is drawn.


@transaction.atomic
def set_seeding(actor: Actor, stage: Stage, seeding: str, seeded: int = 0) -> Stage:
    """Choose how a stage that has not begun is seeded (`Seeding`); ``seeded`` counts seeded places.

    Refuses FORBIDDEN, STAGE_BEGUN, BAD_STAGE.
    """
    refuse_unless(may_manage(actor, stage.tournament.club), actor)
    tournament = lock_tournament(stage.tournament)
    stage = tournament.stages.select_related("tournament").get(pk=stage.pk)
    refuse_closed("set_seeding", stage_facts(stage))
    try:
        seeding_rules = rules_from_dict({"seeding": seeding, "seeded": seeded}, stage.rules)
    except FileError as error:
        raise Refusal(Reason.BAD_STAGE, text=str(error)[:200]) from error
    stage.rules = replace(stage.rules, seeding=seeding_rules.seeding, seeded=seeding_rules.seeded)
    stage.next_seed = stage.next_seed or secrets.token_hex(32)
    stage.save(update_fields=["settings", "next_seed"])
    raise_version(tournament)
    write_tournament_event(
        actor,
        "stage.seeding_set",
        stage,
        tournament,
        stage=stage.number,
        seeding=seeding_rules.seeding.value,
        seeded=seeding_rules.seeded,
        commitment=stage.next_commitment,
    )
    return stage

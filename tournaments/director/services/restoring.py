"""Restores a tournament to an earlier point, and draws lots for shared places."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from tournaments.core.audit import Deleted, deleted_rows, write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_tournament, raise_version, refresh_row
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.director.queries.seats import refuse_two_seats
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.queries.state import refuse_closed
from tournaments.director.queries.tournaments import (
    Structure,
    effects,
    entries_added_since,
    played_matches,
    restore_point_rows,
)
from tournaments.director.services.days import give_days_to_rounds
from tournaments.director.services.drafts import refresh_drafts
from tournaments.director.services.posting import renew_sources
from tournaments.director.services.restore_points import store_restore_point
from tournaments.director.services.substitutions import set_all_lineups
from tournaments.director.services.tickets import return_with_entries
from tournaments.domain.ranking import StandingsLine, tables
from tournaments.domain.sides import PLACES
from tournaments.domain.stages import stage_of
from tournaments.domain.state import PointFacts
from tournaments.domain.trail.rows import row_state
from tournaments.models import Entry, Match, RestorePoint, Round, SignUpRequest, Stage, Tournament

# --- Restoring ------------------------------------------------------------------------------------
# A restore point is kept before every step that may be undone (`restore_points`).
#
# It holds the structure of a tournament: its state, entries, stages, rounds and matches. Entries
# removed since come back; the other entries keep their later changes. Results, records and disputes
# are never undone: restoring is refused if it would delete a match that has any. Rounds that stay
# public go on: their clocks, bots and postponed matches are not undone.


ROUND_IN_PLAY: Final = (
    "minutes",
    "clock_started_at",
    "clock_stopped_at",
    "play_requested_at",
    "paused_at",
)
"""Columns of the clock and the bots of a round; a round that stays public keeps them."""


@transaction.atomic
def go_back(actor: Actor, point: RestorePoint) -> Tournament:
    """Restore a tournament to a restore point; a new point is kept first, so this can be undone.

    Refuses FORBIDDEN, UNDO_LIVE when a match with results, records or disputes would go,
    UNDO_REDRAWN when a draw would come back after which the stage was drawn again, and PLAYER_TWICE
    when an entry would come back of a person who sits for another by now.
    """
    refuse_unless(may_manage(actor, point.tournament.club), actor)
    tournament = lock_tournament(point.tournament)
    point = refresh_row(tournament.restore_points.all(), point)
    follows = effects(tournament, point)
    refuse_closed("go_back", PointFacts(follows.live, follows.redrawn))
    store_restore_point(actor, tournament, "tournament.restored")
    rows = _write(tournament, point)
    refuse_two_seats(tournament, [row for row in rows if isinstance(row, Entry)])
    tournament.state = point.snapshot["state"]
    tournament.save(update_fields=["state"])
    raise_version(tournament)
    point.used_at = timezone.now()
    point.save(update_fields=["used_at"])
    write_tournament_event(
        actor,
        "tournament.restored",
        tournament,
        tournament,
        before=point.verb,
        made_at=point.made_at.isoformat(),
        removed=list(follows.removed),
        withdrawn=list(follows.withdrawn),
        reopened=list(follows.reopened),
        restored=list(follows.restored),
        rows=rows,
    )
    refresh_drafts(tournament, "restored")
    if tournament.posted_at is None:
        renew_sources(actor, tournament)
    return tournament


def _write(
    tournament: Tournament, point: RestorePoint
) -> list[Entry | SignUpRequest | Stage | Deleted]:
    """Write the structure of a restore point back; matches that have been played stay as they are.

    Returns the entries that were deleted, those that came back with their requests, and the stages
    with other rules.
    """
    rows = restore_point_rows(point)
    kept_rounds = _rounds_kept(tournament, rows)
    kept_matches = _delete_tables(tournament, rows, kept_rounds)
    newcomers = entries_added_since(tournament, rows)  # no table names them any more
    removed = deleted_rows(newcomers)
    newcomers.delete()
    numbers = dict(tournament.entries.values_list("pk", "number"))
    entries = _write_entries([row for row in rows if isinstance(row, Entry)], numbers)
    stages = [row for row in rows if isinstance(row, Stage)]
    changed_stages = _write_stages(tournament, stages, numbers.values())
    _write_rounds(tournament, [row for row in rows if isinstance(row, Round)], kept_rounds)
    give_days_to_rounds(tournament)
    _write_matches([row for row in rows if isinstance(row, Match)], kept_matches)
    set_all_lineups(tournament)
    return [*removed, *entries, *changed_stages]


def _delete_tables(
    tournament: Tournament, rows: Sequence[Structure], kept_rounds: Collection[int]
) -> set[int]:
    """Delete the matches and rounds that a point does not have, and the matches to write again.

    Returns the keys of the matches that stay as they are: those that have been played, and those of
    ``kept_rounds`` with the table and entries of the point, which may be postponed or in play.
    """
    keys = {model: {row.pk for row in rows if isinstance(row, model)} for model in (Round, Match)}
    matches = Match.objects.filter(round__stage__tournament=tournament)
    played_pks = set(played_matches(matches).values_list("pk", flat=True))
    matches.exclude(pk__in=keys[Match] | played_pks).delete()
    rounds = Round.objects.filter(stage__tournament=tournament)
    rounds.exclude(pk__in=keys[Round]).delete()
    # A match that changed is written again: an entry may have one match in a round, so two matches
    # that exchanged entries could not be saved one after the other. The others keep what their bots
    # were asked: a bot that runs elsewhere is told that it is over, or plays on.
    unchanged_pks = _unchanged_tables(matches, rows)
    matches.exclude(pk__in=played_pks | unchanged_pks).delete()
    in_play = matches.filter(pk__in=unchanged_pks, round__in=kept_rounds)
    return played_pks | set(in_play.values_list("pk", flat=True))


def _write_entries(
    entries: Iterable[Entry], present_pks: Collection[int]
) -> list[Entry | SignUpRequest]:
    """Write the entries that were removed since; those present keep their later changes.

    Returns them and the requests that came back with them.
    """
    removed = [entry for entry in entries if entry.pk not in present_pks]
    for entry in removed:
        entry.save()
    return [*removed, *return_with_entries(removed)]


def _write_stages(
    tournament: Tournament, stages: Sequence[Stage], numbers: Collection[int]
) -> list[Stage]:
    """Write the stages, and return those that have other rules now.

    ``numbers`` are those of the entries that stay. A plan that was set since stays: nothing had
    been drawn then.
    """
    now = {stage.pk: stage for stage in tournament.stages.all()}
    if now.keys() != {stage.pk for stage in stages}:
        stages = [_not_begun(stage) for stage in tournament.stages.all()]
    changed = []
    for stage in stages:
        if stage.pk in now:
            _keep_later_changes(stage, now[stage.pk], numbers)
            if row_state("stage", stage) != row_state("stage", now[stage.pk]):
                changed.append(stage)
        stage.save()
    return changed


def _not_begun(stage: Stage) -> Stage:
    """Return a stage as it was before its draw."""
    stage.entrants, stage.lots, stage.begun_at = [], {}, None
    stage.seed = stage.deal_seed = stage.commitment = ""
    return stage


def _write_rounds(
    tournament: Tournament, rounds: Iterable[Round], kept_rounds: Mapping[int, Round]
) -> None:
    """Write the rounds; those that stay public keep their clock and what their bots do.

    Days are not undone: rounds that are there now keep theirs, others take it where it is left.
    """
    now = dict(Round.objects.filter(stage__tournament=tournament).values_list("pk", "day"))
    days = set(tournament.days.values_list("pk", flat=True))
    for round_ in rounds:
        day = now.get(round_.pk, round_.day_id)
        round_.day_id = day if day in days else None
        if round_.pk in kept_rounds:
            for name in ROUND_IN_PLAY:
                setattr(round_, name, getattr(kept_rounds[round_.pk], name))
        round_.save()


def _write_matches(matches: Iterable[Match], kept_pks: Collection[int]) -> None:
    """Write the matches that do not stay as they are."""
    for match in matches:
        if match.pk not in kept_pks:
            match.save()


def _rounds_kept(tournament: Tournament, rows: Iterable[Structure]) -> dict[int, Round]:
    """Return the rounds, as they are now, that are no drafts now and at a point."""
    public = Round.objects.filter(stage__tournament=tournament).exclude(state=Round.State.DRAFT)
    is_draft = {row.pk: row.state == Round.State.DRAFT for row in rows if isinstance(row, Round)}
    return {row.pk: row for row in public if not is_draft.get(row.pk, True)}


def _keep_later_changes(row: Stage, now: Stage, numbers: Collection[int]) -> None:
    """Keep in a stage of a point its draws since, the entries that came back and how it is seeded.

    A draw that was made stays public. ``numbers`` are those of the entries that stay. The choice of
    the seeding is kept where the stage began neither before the point nor since.
    """
    row.draws, row.next_seed = now.draws, now.next_seed
    if row.begun_at is None and now.begun_at is None:
        row.settings = now.settings
    if row.entrants:
        came_back = [n for n in now.entrants if n in numbers and n not in row.entrants]
        row.entrants = [*row.entrants, *came_back]


def _unchanged_tables(matches: QuerySet[Match], rows: Iterable[Structure]) -> set[int]:
    """Return the keys of matches that have the same table and entries in the rows of a point."""
    columns = ("pk", "round_id", "table", *(f"{place}_id" for place in PLACES))
    before = {
        tuple(getattr(row, name) for name in columns) for row in rows if isinstance(row, Match)
    }
    return {values[0] for values in matches.values_list(*columns) if values in before}


# --- Lots -----------------------------------------------------------------------------------------
# Lots decide the order among entries that no criterion separates.


@transaction.atomic
def draw_lots(actor: Actor, stage: Stage) -> Stage:
    """Draw lots, once, for every shared place of a stage.

    The lots follow from the stage's seed, so that anybody can repeat them once it is revealed.
    Refuses FORBIDDEN, NO_SHARED_PLACE.
    """
    refuse_unless(may_manage(actor, stage.tournament.club), actor)
    tournament = lock_tournament(stage.tournament)
    stage = refresh_row(tournament.stages.all(), stage)
    rows = rows_of(tournament)
    lines = [line for table in tables(rows, stage_of(rows, stage.number)) for line in table.lines]
    shared = [line for line in lines if line.shared and str(line.entrant) not in stage.lots]
    if not shared:
        raise Refusal(Reason.NO_SHARED_PLACE)
    store_restore_point(actor, tournament, "lots.drawn")
    lots = dict(stage.lots)

    def lot(line: StandingsLine) -> bytes:
        return hashlib.sha256(f"{stage.seed}|lot|{line.entrant}".encode()).digest()

    for number, line in enumerate(sorted(shared, key=lot), start=len(lots) + 1):
        lots[str(line.entrant)] = number
    stage.lots = lots
    stage.settings = {**stage.settings, "lots": True}
    stage.save(update_fields=["lots", "settings"])
    raise_version(tournament)
    write_tournament_event(actor, "lots.drawn", stage, tournament, lots=lots)
    refresh_drafts(tournament, "lots")
    return stage

"""Edits drafts by hand, and runs the clock of a round."""

from collections.abc import Callable, Iterable
from itertools import count
from typing import Any, Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from tournaments.core.audit import write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_round, refresh_row
from tournaments.core.permissions import Actor, may_arbitrate, may_manage, refuse_unless
from tournaments.director.queries.drafts import draft_tables, last_move
from tournaments.director.queries.rows import arrangement_of
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.queries.state import refuse_closed, round_facts
from tournaments.director.services.drafts import refresh_later_drafts, replace_draft
from tournaments.director.services.restore_points import store_restore_point
from tournaments.director.services.restoring import go_back
from tournaments.director.services.substitutions import set_all_lineups
from tournaments.domain.beside import tables_beside, tables_in_use
from tournaments.domain.pairing.duplicate import deals_for
from tournaments.domain.pairing.numbering import swapped_numbers
from tournaments.domain.rows import Bye, Table
from tournaments.domain.sides import PLACES
from tournaments.domain.stages import stage_of
from tournaments.models import Entry, Match, Round

# --- Drafts ---------------------------------------------------------------------------------------
# Each verb locks the tournament, keeps a restore point, and marks the tables it makes as edited by
# hand. Rules that the arrangement breaks are shown as warnings
# (`director.queries.drafts.warnings_of`); only an impossible round cannot be published.


@transaction.atomic
def change_as_seen(actor: Actor, round_: Round, seen: str, change: Callable[[], object]) -> None:
    """Make a change of a draft for a viewer who saw it arranged so (`arrangement_of`; empty: any).

    Refuses FORBIDDEN, DRAFT_CHANGED, and as the change does.
    """
    refuse_unless(may_manage(actor, round_.stage.tournament.club), actor)
    if seen and seen != arrangement_of(lock_round(round_).matches.all()):
        raise Refusal(Reason.DRAFT_CHANGED)
    change()


@transaction.atomic
def swap(actor: Actor, round_: Round, entry: Entry, other: Entry) -> Round:
    """Swap the places of two entries in a draft; one of them may have no table.

    Refuses FORBIDDEN, ROUND_NOT_DRAFT, NOT_IN_ROUND.
    """
    round_ = _lock_draft(actor, round_, "draft.swapped")
    places = [(_place(round_, entry), entry, other), (_place(round_, other), other, entry)]
    if all(place is None for place, _, _ in places) or entry == other:
        raise Refusal(Reason.NOT_IN_ROUND, text=f"{entry.name}, {other.name}")
    matches = {match.pk: match for match in round_.matches.all()}
    for place, _, occupant in places:
        if place is not None:
            setattr(matches[place[0]], place[1], occupant)
            _mark_edited(matches[place[0]])
    _rewrite(matches[pk] for pk in {place[0] for place, _, _ in places if place is not None})
    _finish_tables(round_)
    _note(actor, "draft.swapped", round_, one=entry.name, other=other.name)
    refresh_later_drafts(round_)
    return round_


@transaction.atomic
def pin(actor: Actor, match: Match, *, pinned: bool = True) -> Match:
    """Pin a table, so that it is kept when the draft is drawn again, or unpin it.

    Refuses FORBIDDEN, ROUND_NOT_DRAFT.
    """
    round_ = _lock_draft(actor, match.round, None)
    match = refresh_row(round_.matches.all(), match)
    match.pinned = pinned
    match.save(update_fields=["pinned"])
    _note(actor, "draft.pinned" if pinned else "draft.unpinned", round_, table=match.table)
    return match


@transaction.atomic
def unpair(actor: Actor, match: Match) -> Round:
    """Remove a table of a draft; its entries have none until they are paired again.

    Refuses FORBIDDEN, ROUND_NOT_DRAFT.
    """
    round_ = _lock_draft(actor, match.round, "draft.parted")
    match = refresh_row(round_.matches.all(), match)
    names = [entry.name for side in match.sides for entry in side]
    match.delete()
    round_.drawn = {**round_.drawn, "parted": True}
    round_.save(update_fields=["drawn"])
    _note(actor, "draft.parted", round_, entries=names)
    refresh_later_drafts(round_)
    return round_


@transaction.atomic
def pair(actor: Actor, round_: Round, home: Entry, away: Entry) -> Match:
    """Seat two entries without a table at a new one.

    Refuses FORBIDDEN, ROUND_NOT_DRAFT; ALREADY_SEATED also for an entry against itself.
    """
    round_ = _lock_draft(actor, round_, "draft.paired")
    _refuse_seated(round_, home, away)
    if home == away:
        raise Refusal(Reason.ALREADY_SEATED, text=home.name)
    match = Match(round=round_, table=_new_table(round_), home=home, away=away)
    if round_.stage.kind.same_deals:
        stage = stage_of(rows_of(round_.stage.tournament), round_.stage.number)
        match.boards = list(deals_for(stage, round_.number, (home.number, away.number)))
    _mark_edited(match)
    match.save()
    _finish_tables(round_)
    _note(actor, "draft.paired", round_, entries=[home.name, away.name])
    refresh_later_drafts(round_)
    return refresh_row(round_.matches.all(), match)


@transaction.atomic
def give_bye(actor: Actor, round_: Round, entry: Entry, bye: str = Bye.PAIRING) -> Match:
    """Give a bye to an entry without a table. Refuses as :func:`pair`."""
    round_ = _lock_draft(actor, round_, "draft.rested")
    _refuse_seated(round_, entry)
    table = _new_table(round_)
    match = Match(round=round_, table=table, home=entry, state=Match.State.BYE, bye=str(Bye(bye)))
    _mark_edited(match)
    match.save()
    _finish_tables(round_)
    _note(actor, "draft.rested", round_, entries=[entry.name], bye=match.bye)
    refresh_later_drafts(round_)
    return match


@transaction.atomic
def draw_again(actor: Actor, round_: Round, *, keep_all: bool = False) -> Round:
    """Draw a draft again around its pinned tables, or with ``keep_all`` around all that remain.

    A table with an entry that cannot play is not kept, nor is a bye that nobody gave by hand unless
    it is pinned. The first round of a stage takes those who qualify now; later drafts follow.
    Refuses FORBIDDEN, ROUND_NOT_DRAFT, CANNOT_DRAW.
    """
    round_ = _lock_draft(actor, round_, "draft.drawn_again")
    matches = list(round_.matches.all())
    fixed = [m for m in matches if m.pinned or (keep_all and (m.away_id or m.edited))]
    tables = _tables(round_, {match.table for match in fixed})
    by_hand = {match.table for match in fixed if match.edited}
    new_draft = replace_draft(round_, tables)
    kept = new_draft.matches.filter(pinned=True)
    kept.filter(table__in=by_hand).update(edited=True)
    _note(actor, "draft.drawn_again", new_draft, kept=kept.count())
    return new_draft


@transaction.atomic
def discard_round(actor: Actor, round_: Round) -> None:
    """Delete a draft and all later drafts of its stage. Refuses FORBIDDEN, ROUND_NOT_DRAFT."""
    round_ = _lock_draft(actor, round_, "draft.thrown_away")
    _note(actor, "draft.thrown_away", round_)
    Round.objects.filter(stage=round_.stage, number__gte=round_.number).delete()


@transaction.atomic
def undo_move(actor: Actor, round_: Round) -> None:
    """Take the last change of a draft back, and with every further call the one before it.

    Refuses FORBIDDEN, ROUND_NOT_DRAFT, NOTHING_TO_UNDO.
    """
    round_ = _lock_draft(actor, round_, None)
    point = last_move(round_.stage.tournament, round_.number)
    if point is None:
        raise Refusal(Reason.NOTHING_TO_UNDO)
    go_back(actor, point)


def _lock_draft(actor: Actor, round_: Round, verb: str | None) -> Round:
    """Check the right to arrange a draft and lock it; keep a restore point before ``verb``."""
    refuse_unless(may_manage(actor, round_.stage.tournament.club), actor)
    round_ = lock_round(round_)
    refuse_closed("arrange", round_facts(round_))
    if verb is not None:
        store_restore_point(actor, round_.stage.tournament, verb, round_.number)
    return round_


def _place(round_: Round, entry: Entry) -> tuple[int, str] | None:
    """Return the match and the place at which an entry sits."""
    for match in round_.matches.all():
        for place in PLACES:
            if getattr(match, f"{place}_id") == entry.pk:
                return match.pk, place
    return None


def _refuse_seated(round_: Round, *entries: Entry) -> None:
    for entry in entries:
        if _place(round_, entry) is not None:
            raise Refusal(Reason.ALREADY_SEATED, text=entry.name)


def _new_table(round_: Round) -> int:
    """Return the number after the last table, in an empty round after those beside its stage.

    One that no table of another stage has now.
    """
    rows, number = rows_of(round_.stage.tournament), round_.stage.number
    last: int | None = round_.matches.aggregate(last=Max("table"))["last"]
    if last is None:
        last = tables_beside(rows, stage_of(rows, number))
    in_use = tables_in_use(rows, number)
    return next(table for table in count(last + 1) if table not in in_use)


def _mark_edited(match: Match) -> None:
    """Mark a table as edited by hand; it loses the reasons of its draw, and its lineups.

    `_finish_tables` stores the lineups again.
    """
    match.edited, match.whys, match.lineup = True, [], {}


def _rewrite(matches: Iterable[Match]) -> None:
    """Save matches that exchanged entries.

    They are all deleted first: an entry saved at its new table while it still sits at the old one
    would break the constraints.
    """
    changed = list(matches)
    for match in changed:
        Match.objects.filter(pk=match.pk).delete()
    for match in changed:
        match.save(force_insert=True)


def _finish_tables(round_: Round) -> None:
    """Number tables for entries that keep one, and store who plays for those with substitutes."""
    _apply_fixed_tables(round_)
    set_all_lineups(round_.stage.tournament, list(round_.matches.select_related("round")))


def _apply_fixed_tables(round_: Round) -> None:
    """Exchange numbers of a draft's tables for the entries that keep one (`swapped_numbers`)."""
    tournament = round_.stage.tournament
    if round_.stage.kind.same_deals or not tournament.entries.filter(fixed_table__gt=0).exists():
        return
    rows = rows_of(tournament)
    numbers = swapped_numbers(draft_tables(rows, round_), rows.by_number)
    matches = list(round_.matches.filter(table__in=numbers))
    for match in matches:
        match.table = numbers[match.table]
    _rewrite(matches)


def _tables(round_: Round, numbers: set[int]) -> tuple[Table, ...]:
    """Return the tables of a round with these numbers, pinned."""
    return tuple(
        Table(table.number, table.sides, table.bye, boards=table.boards, pinned=True)
        for table in draft_tables(rows_of(round_.stage.tournament), round_)
        if table.number in numbers
    )


def _note(actor: Actor, verb: str, round_: Round, **facts: Any) -> None:
    tournament = round_.stage.tournament
    write_tournament_event(actor, verb, round_, tournament, round=round_.number, **facts)


# --- Clock ----------------------------------------------------------------------------------------
# The clock of a round: minutes of play, counted from its start.


MAX_ROUND_MINUTES: Final = 24 * 60
"""Minutes."""


@transaction.atomic
def start_clock(actor: Actor, round_: Round, minutes: int) -> Round:
    """Start or restart the clock of a round that is being played.

    Refuses FORBIDDEN, ROUND_NOT_OPEN, BAD_MINUTES.
    """
    rounds = _lock_for_clock(actor, round_, "start_clock")
    if not 1 <= minutes <= MAX_ROUND_MINUTES:
        raise Refusal(Reason.BAD_MINUTES, most=MAX_ROUND_MINUTES)
    started_at = timezone.now()
    for one in rounds:
        one.minutes, one.clock_started_at = minutes, started_at
        one.clock_stopped_at = None
    return _save_clocks(actor, rounds, "clock.started")


@transaction.atomic
def stop_clock(actor: Actor, round_: Round) -> Round:
    """Stop the clock. Refuses FORBIDDEN, ROUND_NOT_OPEN, CLOCK_NOT_RUNNING."""
    rounds = _lock_for_clock(actor, round_, "stop_clock")
    stopped_at = timezone.now()
    for one in rounds:
        one.clock_stopped_at = stopped_at
    return _save_clocks(actor, rounds, "clock.stopped")


@transaction.atomic
def resume_clock(actor: Actor, round_: Round) -> Round:
    """Resume a stopped clock with its remaining time. Refuses as `stop_clock`."""
    rounds = _lock_for_clock(actor, round_, "resume_clock")
    now = timezone.now()
    for one in rounds:
        if one.clock_started_at and one.clock_stopped_at:
            # The start moves by the length of the pause, so that the pause does not count.
            one.clock_started_at += now - one.clock_stopped_at
        one.clock_stopped_at = None
    return _save_clocks(actor, rounds, "clock.resumed")


def _lock_for_clock(actor: Actor, round_: Round, verb: str) -> list[Round]:
    """Lock a round and those that have one clock with it, and check that the verb is open.

    One clock have the rounds in play that were published together.
    """
    refuse_unless(may_arbitrate(actor, round_.stage.tournament.club), actor)
    round_ = lock_round(round_)
    refuse_closed(verb, round_facts(round_))
    rounds = Round.objects.filter(
        stage__tournament=round_.stage.tournament,
        state=Round.State.PUBLISHED,
        published_at=round_.published_at,
    )
    beside = rounds.exclude(stage=round_.stage).select_related("stage__tournament")
    return [round_, *beside.order_by("number")]


def _save_clocks(actor: Actor, rounds: list[Round], verb: str) -> Round:
    for one in rounds:
        one.save(update_fields=["minutes", "clock_started_at", "clock_stopped_at"])
        _note(actor, verb, one, minutes=one.minutes)
    return rounds[0]

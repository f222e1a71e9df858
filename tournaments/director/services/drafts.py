"""Keeps drafts in step with what they were drawn from.

One rule for every change of a result, an entry, a penalty or a lot, for going back, and for a
change by hand of an earlier draft. A draft that nobody has changed by hand is drawn again. One that
was changed by hand (places, pins, byes) keeps its tables, and is marked as outdated
(`Round.drawn["outdated"]`, the cause) as long as it would be drawn otherwise now; so is one that
cannot be drawn until a result comes. A round that is no longer to be played is deleted.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import QuerySet

from tournaments.core.audit import write_tournament_event
from tournaments.core.permissions import Actor
from tournaments.director.queries.drafts import draft_tables
from tournaments.director.queries.outdated import (
    draw_refusal,
    is_by_hand,
    tables_around,
    tables_kept,
)
from tournaments.director.queries.rows import names_of
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.draws import (
    begin_again,
    deals_facts,
    digest_of_draw,
    draw_facts,
    draw_round,
)
from tournaments.domain.drafts import draw_again, numbers_from, rows_before, staying
from tournaments.domain.pairing import CannotDraw
from tournaments.domain.rows import Table, TournamentRows
from tournaments.domain.stages import with_round
from tournaments.models import Round, Stage, Tournament

# --- After a change -------------------------------------------------------------------------------


def refresh_drafts(tournament: Tournament, cause: str) -> None:
    """Draw the drafts of a locked tournament again, or mark them, after a change.

    ``cause`` is ``result``, ``entry``, ``penalty``, ``lots`` or ``restored``. Those of each stage
    by themselves; one query where there is no draft, or where it cannot depend on a result.
    """
    drafts = Round.objects.filter(stage__tournament=tournament, state=Round.State.DRAFT)
    firsts: dict[int, Round] = {}
    for draft in drafts.select_related("stage__tournament").order_by("number"):
        firsts.setdefault(draft.stage_id, draft)
    for first in firsts.values():
        if not (cause == "result" and _is_planned(first)):
            _follow(first.stage, first.number, cause)


def refresh_later_drafts(round_: Round) -> None:
    """Plan the drafts after a changed one again, where a stage draws several rounds ahead."""
    if round_.stage.is_drawn_ahead:
        _follow(round_.stage, round_.number + 1, "draft")


def _is_planned(draft: Round) -> bool:
    """Return whether no result decides a draft: its stage has begun, with all rounds drawn ahead.

    Each report of an evening comes by here, and the drafts of an individual are many.
    """
    others = draft.stage.rounds.exclude(state=Round.State.DRAFT)
    return draft.stage.is_drawn_ahead and (draft.stage.number == 1 or others.exists())


def _follow(stage: Stage, first: int, cause: str) -> None:
    """Go through the drafts of a stage from round ``first`` on, each after those before it."""
    tournament = stage.tournament
    drafts = {draft.number: draft for draft in _drafts(stage).filter(number__gte=first)}
    all_rows = rows_of(tournament)
    rows, redrawn = rows_before(all_rows, first), []
    for number in numbers_from(all_rows, stage.number, first):
        draft = drafts.get(number)
        if draft is None and not stage.is_drawn_ahead:
            break
        tables = () if draft is None else draft_tables(all_rows, draft)
        by_hand = draft is not None and is_by_hand(draft)
        try:
            if not by_hand and _begin_again(stage, rows, cause):
                rows = rows_before(rows_of(tournament), number)
            kept = tables_kept(draft) if draft is not None and by_hand else ()
            in_use = tables_around(all_rows, stage.number, draft)
            drawn, _ = draw_again(rows, number, stage.number, kept, in_use)
        except CannotDraw as refusal:
            rest = [draft for draft in drafts.values() if draft.number >= number]
            if refusal.code == "stage_over":
                _discard(rest, cause)
            else:
                _mark(rest, cause)
            break
        is_same = draft is not None and draft.drawn.get("digest") == digest_of_draw(drawn)
        if draft is not None and (is_same or by_hand):
            _mark([draft], "" if is_same else cause)
        else:
            _drafts(stage).filter(number=number).delete()
            day = None if draft is None else draft.day_id
            draw_round(rows, stage, number, drawn, day=day, cause=cause)
            tables = drawn.tables
            redrawn.append(number)
        rows = with_round(rows, stage.number, tables, number)
    if redrawn:
        _note("draft.drawn_again", _drafts(stage).get(number=redrawn[0]), cause, rounds=redrawn)


def _begin_again(stage: Stage, rows: TournamentRows, cause: str) -> bool:
    """Begin a stage again if others qualify now, as `begin_again`; its draw is in the history."""
    seed = stage.seed
    if not begin_again(stage.tournament, stage, rows):
        return False
    facts = {"stage": stage.number, "cause": cause, "seed_before": seed}
    facts |= {**deals_facts(stage), **draw_facts(stage)}
    write_tournament_event(Actor.system(), "stage.drawn_again", stage, stage.tournament, **facts)
    return True


def _drafts(stage: Stage) -> QuerySet[Round]:
    drafts = Round.objects.filter(stage=stage, state=Round.State.DRAFT)
    return drafts.select_related("stage__tournament").prefetch_related("matches").order_by("number")


def _mark(drafts: Iterable[Round], cause: str) -> None:
    """Mark drafts as outdated by a change, or with an empty ``cause`` as in step again."""
    for draft in drafts:
        was_outdated = "outdated" in draft.drawn
        if was_outdated == bool(cause):
            continue  # the first cause stays
        facts = {name: value for name, value in draft.drawn.items() if name != "outdated"}
        draft.drawn = facts | ({"outdated": cause} if cause else {})
        draft.save(update_fields=["drawn"])
        if cause:
            _note("draft.outdated", draft, cause)


def _discard(drafts: Iterable[Round], cause: str) -> None:
    """Delete drafts of rounds that are no longer to be played."""
    for draft in drafts:
        _note("draft.thrown_away", draft, cause)
        draft.delete()


def _note(verb: str, draft: Round, cause: str, **facts: Any) -> None:
    """Write the event of what the service does by itself with a draft."""
    facts = {"round": draft.number, "cause": cause, **facts}
    write_tournament_event(Actor.system(), verb, draft, draft.stage.tournament, **facts)


# --- At a request ---------------------------------------------------------------------------------


def replace_draft(draft: Round, tables: Sequence[Table]) -> Round:
    """Draw a draft of a locked tournament again, around those of ``tables`` that can stay.

    The first round of a stage takes those who qualify now. Later drafts follow. Refuses
    CANNOT_DRAW.
    """
    stage, number = draft.stage, draft.number
    tournament = stage.tournament
    try:
        if _begin_again(stage, rows_before(rows_of(tournament), number), "request"):
            stage.refresh_from_db()
        all_rows = rows_of(tournament)
        rows = rows_before(all_rows, number)
        in_use = tables_around(all_rows, stage.number, draft)
        drawn, field = draw_again(rows, number, stage.number, tables, in_use)
    except CannotDraw as refusal:
        raise draw_refusal(refusal, names_of(tournament.pk)) from refusal
    draft.delete()
    kept = staying(tables, field)
    new_draft = draw_round(rows, stage, number, drawn, kept, day=draft.day_id)
    refresh_later_drafts(new_draft)
    return new_draft

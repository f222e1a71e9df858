"""Changes the plan of a draft: its stages with their rules, and what a match is."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import get_language, gettext

from tournaments.core.audit import Deleted, write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_tournament, raise_version
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.director.queries.plan import PlanLosses, plan_losses, same_stages
from tournaments.director.queries.state import refuse_closed, tournament_facts
from tournaments.director.services.settings import (
    STAGE_TIMES,
    NewTournament,
    checked_plan,
    refuse_bots_where_typed,
    stage_facts,
)
from tournaments.director.services.tournaments import refuse_unfit_requests
from tournaments.models import PrizeLine, Stage, Tournament
from tournaments.people.services.bots import refuse_ruleset_of_bots

GAME_COLUMNS = ("ruleset", "options", "cotos", "deal_sets", "stop", "unit")
"""Columns of a tournament that its plan sets."""


@transaction.atomic
def set_plan(
    actor: Actor,
    tournament: Tournament,
    new: NewTournament,
    *,
    prize_stages: Mapping[int, int | None] | None = None,
    leave_out: bool = False,
) -> Tournament:
    """Set stages, their rules, game and seeding of a draft, as `create_tournament` does.

    Entries, tickets, terms and announcement stay. Prizes and minutes of a stage move to the stage
    of the same name, prizes of others as ``prize_stages`` says (None: they go); days after the last
    round go. Refuses FORBIDDEN, ROUNDS_DRAWN, what a new plan refuses, WRONG_UNIT with entries of
    the other kind, BOTS_ONLY, TYPED_ONLY, NOT_ITS_RULESET, REQUESTS_DO_NOT_FIT, PRIZE_HANDED_OUT,
    and without ``leave_out`` PLAN_LEAVES_OUT.
    """
    tournament = lock_tournament(tournament)
    refuse_unless(may_manage(actor, tournament.club), actor)
    refuse_closed("set_plan", tournament_facts(tournament))
    stages, columns = checked_plan(new)
    _refuse_unfit(tournament, columns, stages)
    before = list(tournament.stages.order_by("number"))
    moved = _checked_moves(prize_stages or {}, stages)
    losses = plan_losses(tournament, stages, moved, get_language() or "")
    if losses and not leave_out:
        raise Refusal(Reason.PLAN_LEAVES_OUT, text=text_of(losses))
    facts = {"before": _facts(tournament, before)}
    gone = [Deleted("stage", stage.pk) for stage in before]
    _replace_stages(tournament, before, stages)
    prizes = _move_prizes(tournament, {**same_stages(before, stages), **moved})
    tournament.days.filter(pk__in=[day.pk for day in losses.days]).delete()
    for name, value in columns.items():
        setattr(tournament, name, value)
    tournament.save(update_fields=list(columns))
    raise_version(tournament)
    facts["after"] = _facts(tournament, stages)
    write_tournament_event(
        actor,
        "tournament.plan_set",
        tournament,
        tournament,
        **facts,
        prizes_gone=[row.stage for row in losses.prizes],
        days_gone=list(losses.day_dates),
        rows=[tournament, *stages, *gone, *prizes],
    )
    return tournament


def text_of(losses: PlanLosses) -> str:
    """Return what goes with another plan, as a list in words."""
    prizes = [gettext("prizes of %(stage)s") % {"stage": row.name} for row in losses.prizes]
    days = [gettext("the day %(day)s") % {"day": day} for day in losses.day_dates]
    return ", ".join([*prizes, *days])


def _checked_moves(
    moves: Mapping[int, int | None], stages: Sequence[Stage]
) -> dict[int, int | None]:
    """Return where prizes of stages move to. Refuses UNKNOWN_CHOICE for a stage that is not."""
    numbers = {None, *(stage.number for stage in stages)}
    for number in moves.values():
        if number not in numbers:
            raise Refusal(Reason.UNKNOWN_CHOICE, text=str(number))
    return dict(moves)


def _refuse_unfit(
    tournament: Tournament, columns: Mapping[str, Any], stages: Sequence[Stage]
) -> None:
    """Refuse a plan that entries or tickets of now do not fit."""
    entry = tournament.entries.order_by("number").first()
    if columns["unit"] != tournament.unit:
        if entry is not None:
            label = str(Tournament.Unit(columns["unit"]).label)
            raise Refusal(Reason.WRONG_UNIT, text=entry.name, unit=label)
        refuse_unfit_requests(tournament, columns["unit"])
    refuse_ruleset_of_bots(tournament, columns["ruleset"])
    if tournament.entries.exclude(bot=None).exists():
        refuse_bots_where_typed(stages)
    person = tournament.entries.filter(bot=None).order_by("number").first()
    if columns["deal_sets"] and person is not None:
        raise Refusal(Reason.BOTS_ONLY, text=person.name)


def _replace_stages(
    tournament: Tournament, before: Sequence[Stage], stages: Sequence[Stage]
) -> None:
    """Store the stages in place of those of before, with their minutes and committed seeds."""
    seeds = {stage.number: stage.next_seed for stage in before}
    counterpart = {now: was for was, now in reversed(same_stages(before, stages).items())}
    times = {stage.number: stage for stage in before}
    tournament.stages.all().delete()
    for stage in stages:
        stage.tournament = tournament
        stage.next_seed = seeds.get(stage.number) or secrets.token_hex(32)
        old = times.get(counterpart.get(stage.number, 0))
        for name in STAGE_TIMES:
            if old is not None and getattr(stage, name) is None:
                setattr(stage, name, getattr(old, name))
        stage.save()


def _move_prizes(
    tournament: Tournament, new_stage: Mapping[int, int | None]
) -> list[PrizeLine | Deleted]:
    """Give prizes of stages their stage in the new plan; delete those that have none.

    The stage of a line never changes: a line that moves is another one. Refuses PRIZE_HANDED_OUT.
    """
    rows: list[PrizeLine | Deleted] = []
    for line in tournament.prize_lines.exclude(stage=None):
        number = new_stage.get(line.stage or 0)
        if number == line.stage:
            continue
        if line.cash_entries.exists():
            text = line.text or f"{line.first}–{line.last}"
            raise Refusal(Reason.PRIZE_HANDED_OUT, text=text)
        rows.append(Deleted("prizeline", line.pk))
        line.delete()
        if number is not None:
            line.pk, line.stage = None, number
            line.save()
            rows.append(line)
    return rows


def _facts(tournament: Tournament, stages: Sequence[Stage]) -> dict[str, Any]:
    game = {name: getattr(tournament, name) for name in GAME_COLUMNS}
    return {**game, "unit": str(tournament.unit), "stages": [stage_facts(s) for s in stages]}

"""Plans rounds again that were drawn ahead and published, after entries have changed."""

from dataclasses import replace

from django.db import transaction

from tournaments.core.audit import write_tournament_event
from tournaments.core.find import lock_round, raise_version
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.director.queries.replanning import has_begun
from tournaments.director.queries.state import refuse_closed, round_facts
from tournaments.director.services.drafts import refresh_drafts
from tournaments.director.services.restore_points import store_restore_point
from tournaments.director.services.tournaments import publish_now
from tournaments.models import Absence, Entry, Match, Round, Stage


@transaction.atomic
def replan(actor: Actor, round_: Round) -> list[int]:
    """Plan a published round and the later ones again, and publish them; return their numbers.

    They are drawn from those who are there now: who has left is away from this round on, who came
    late plays from it on. Rounds before it stay. Refuses FORBIDDEN, NOT_RUNNING, ROUND_NOT_OPEN,
    NOT_PLANNED_AHEAD, ROUND_BEGUN; DRAFT_OUTDATED if too few are left to draw them.
    """
    refuse_unless(may_manage(actor, round_.stage.tournament.club), actor)
    round_ = lock_round(round_)
    tournament, first = round_.stage.tournament, round_.number
    refuse_closed("replan", replace(round_facts(round_), begun=has_begun(round_)))
    store_restore_point(actor, tournament, "rounds.replanned", first)
    stage_rounds = Round.objects.filter(stage=round_.stage)
    numbers = _take_back(round_.stage, first)
    entries = _change_from(round_.stage, first)
    raise_version(tournament)
    write_tournament_event(
        actor, "rounds.replanned", round_, tournament, round=first, rounds=numbers, rows=entries
    )
    refresh_drafts(tournament, "entry")
    drawn = stage_rounds.filter(number__in=numbers).select_related("stage__tournament__club")
    for again in drawn.order_by("number"):
        refuse_closed("publish", round_facts(again))
        publish_now(actor, again)
    return numbers


def _take_back(stage: Stage, first: int) -> list[int]:
    """Make drafts of a stage's published rounds from ``first`` on, without changes by hand."""
    rounds = stage.rounds.filter(number__gte=first, state=Round.State.PUBLISHED)
    numbers = list(rounds.order_by("number").values_list("number", flat=True))
    rounds.update(state=Round.State.DRAFT, published_at=None)
    drafts = stage.rounds.filter(number__in=numbers)
    Match.objects.filter(round__in=drafts).update(edited=False, pinned=False)
    for draft in drafts:
        draft.drawn = {k: v for k, v in draft.drawn.items() if k not in ("parted", "outdated")}
        draft.save(update_fields=["drawn"])
    return numbers


def _change_from(stage: Stage, first: int) -> list[Entry]:
    """Let who has left be away, and who came late be there, from a round on; return the late."""
    entries = stage.tournament.entries.filter(number__in=stage.entrants)
    away = Absence.objects.filter(entry__in=entries, from_round__gt=first)
    away.filter(until_round__isnull=True).update(from_round=first)
    late = list(entries.filter(joined_round__gt=first))
    for entry in late:
        entry.joined_round = first
        entry.save(update_fields=["joined_round"])
    return late

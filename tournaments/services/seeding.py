"""How a stage is seeded, chosen before it is drawn."""

import secrets
from dataclasses import replace

from django.db import transaction

from tournaments.audit import write_event
from tournaments.domain.file import FileError, rules_from_dict, rules_to_dict
from tournaments.errors import Reason, Refusal
from tournaments.models import Stage
from tournaments.permissions import Actor, may_manage, refuse_unless
from tournaments.queries.state import refuse_closed, stage_facts
from tournaments.services.locks import bump, lock_tournament


@transaction.atomic
def set_seeding(actor: Actor, stage: Stage, seeding: str, seeded: int = 0) -> Stage:
    """Choose how a stage that has not begun is seeded (`Seeding`), with so many places seeded.

    Refuses FORBIDDEN, STAGE_BEGUN, BAD_STAGE.
    """
    refuse_unless(may_manage(actor, stage.tournament.club), actor)
    tournament = lock_tournament(stage.tournament)
    stage = tournament.stages.select_related("tournament").get(pk=stage.pk)
    refuse_closed("set_seeding", stage_facts(stage))
    try:
        told = rules_from_dict({"seeding": seeding, "seeded": seeded}, stage.rules)
    except FileError as error:
        raise Refusal(Reason.BAD_STAGE, text=str(error)[:200]) from error
    rules = replace(stage.rules, seeding=told.seeding, seeded=told.seeded)
    stage.settings = rules_to_dict(rules, stage.kind.rules)
    stage.next_seed = stage.next_seed or secrets.token_hex(32)
    stage.save(update_fields=["settings", "next_seed"])
    bump(tournament)
    write_event(
        actor,
        "stage.seeding_set",
        stage,
        club=tournament.club,
        tournament=tournament,
        stage=stage.number,
        seeding=rules.seeding.value,
        seeded=rules.seeded,
        commitment=stage.next_commitment,
    )
    return stage

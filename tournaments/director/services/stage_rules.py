"""Gives the stages of a running tournament a rule of new ones (`NEW_RULES`)."""

from django.db import transaction

from tournaments.core.audit import write_tournament_event
from tournaments.core.find import lock_tournament, raise_version
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.director.queries.stage_rules import rule_offers
from tournaments.director.queries.state import refuse_closed, tournament_facts
from tournaments.director.services.drafts import refresh_drafts
from tournaments.domain.rows import StageRules
from tournaments.models import Round, Tournament


@transaction.atomic
def adopt_rule(actor: Actor, tournament: Tournament, rule: str) -> Tournament:
    """Give a rule its new value in the stages of its offer (`rule_offers`).

    Rounds that were drawn before keep the value of their draw (`Round.drawn`), for the proof.
    Where no stage is offered it nothing changes. Refuses FORBIDDEN, TOURNAMENT_OVER.
    """
    tournament = lock_tournament(tournament)
    refuse_unless(may_manage(actor, tournament.club), actor)
    refuse_closed("rename", tournament_facts(tournament))
    offer = next((offer for offer in rule_offers(tournament) if offer.rule == rule), None)
    if offer is None:
        return tournament
    before = {rule: str(getattr(StageRules(), rule))}
    stages = list(tournament.stages.filter(number__in=offer.stages))
    for stage in stages:
        for round_ in stage.rounds.exclude(state=Round.State.DRAFT):
            round_.drawn = {**round_.drawn, **before}
            round_.save(update_fields=["drawn"])
        stage.settings = {**stage.settings, rule: offer.value}
        stage.save(update_fields=["settings"])
    raise_version(tournament)
    refresh_drafts(tournament, "result")
    facts = {"before": before, "after": {rule: offer.value}}
    write_tournament_event(
        actor, "tournament.changed", tournament, tournament, **facts, rows=stages
    )
    return tournament

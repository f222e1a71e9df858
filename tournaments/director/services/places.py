"""Changes the rule by which a running tournament gives its places (`PlaceRule`)."""

from django.db import transaction

from tournaments.core.audit import write_tournament_event
from tournaments.core.find import lock_tournament, raise_version
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.director.queries.places import place_offer
from tournaments.director.queries.state import refuse_closed, tournament_facts
from tournaments.director.services.drafts import refresh_drafts
from tournaments.domain.rows import PlaceRule
from tournaments.models import Round, Tournament


@transaction.atomic
def place_by_play(actor: Actor, tournament: Tournament) -> Tournament:
    """Give the places of a tournament by what was played, in the stages of `place_offer`.

    Rounds that were drawn before keep the rule of their draw (`Round.drawn["places"]`), for the
    proof. Where no stage is offered nothing changes. Refuses FORBIDDEN, TOURNAMENT_OVER.
    """
    tournament = lock_tournament(tournament)
    refuse_unless(may_manage(actor, tournament.club), actor)
    refuse_closed("rename", tournament_facts(tournament))
    stages = list(tournament.stages.filter(number__in=place_offer(tournament).stages))
    if not stages:
        return tournament
    for stage in stages:
        for round_ in stage.rounds.exclude(state=Round.State.DRAFT):
            round_.drawn = {**round_.drawn, "places": PlaceRule.LISTED.value}
            round_.save(update_fields=["drawn"])
        stage.settings = {**stage.settings, "places": PlaceRule.PLAYED.value}
        stage.save(update_fields=["settings"])
    raise_version(tournament)
    refresh_drafts(tournament, "result")
    facts = {
        "before": {"places": PlaceRule.LISTED.value},
        "after": {"places": PlaceRule.PLAYED.value},
    }
    write_tournament_event(
        actor, "tournament.changed", tournament, tournament, **facts, rows=stages
    )
    return tournament

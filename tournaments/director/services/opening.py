"""Draws a tournament and publishes its first round in one step."""

from django.db import transaction

from tournaments.core.permissions import Actor
from tournaments.director.services.draws import draw
from tournaments.director.services.tournaments import publish_round
from tournaments.models import Round, Tournament


@transaction.atomic
def draw_and_publish(actor: Actor, tournament: Tournament) -> Round:
    """Draw the first rounds of a tournament and publish the first. Refuses as both verbs do."""
    draw(actor, tournament)
    return publish_round(actor, Round.objects.get(stage__tournament=tournament, number=1))

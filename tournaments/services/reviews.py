"""An arbiter notes that he has looked at somebody's play. Nothing of it is public."""

from django.db import transaction

from tournaments.audit import write_event
from tournaments.models import Club, Player, Review
from tournaments.permissions import Actor, may_arbitrate, refuse_unless

LONGEST_NOTE = 2000


@transaction.atomic
def note_review(actor: Actor, club: Club, player: Player, *, hands: int, note: str) -> Review:
    """Note that a player's play over so many hands was looked at; the note may be empty.

    Refuses SIGN_IN, FORBIDDEN; also who would note something about himself.
    """
    is_himself = actor.user is not None and player.user_id == actor.user.pk
    refuse_unless(may_arbitrate(actor, club) and not is_himself, actor)
    review = Review.objects.create(
        club=club,
        player=player,
        hands=hands,
        note=note.strip()[:LONGEST_NOTE],
        made_by=actor.label[:200],
    )
    write_event(actor, "play.reviewed", review, club=club, player=player.code, hands=hands)
    return review

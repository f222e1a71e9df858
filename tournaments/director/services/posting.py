"""Posts a draft, so that strangers see its poster; takes the poster down; cancels a tournament."""

from django.db import transaction
from django.utils import timezone

from tournaments.core.audit import write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_tournament, raise_version
from tournaments.core.names import validate_reason
from tournaments.core.permissions import (
    NOBODY,
    Actor,
    may_manage,
    may_see_poster,
    refuse_unless,
)
from tournaments.director.queries.state import refuse_closed, tournament_facts
from tournaments.models import SignUp, SignUpSource, Tournament
from tournaments.models.tournaments import MAX_LINE_LENGTH


@transaction.atomic
def post_tournament(actor: Actor, tournament: Tournament) -> Tournament:
    """Show the poster of a draft to everybody; one that was cancelled takes place after all.

    It opens a sign-up that is to open with it (``opens_when_posted``).
    Refuses FORBIDDEN, ROUNDS_DRAWN, ALREADY_POSTED.
    """
    tournament = _lock(actor, tournament, "post")
    tournament.posted_at = tournament.posted_at or timezone.now()
    tournament.cancelled_at, tournament.cancel_reason = None, ""
    SignUp.objects.filter(tournament=tournament, opens_when_posted=True).update(
        opens_at=tournament.posted_at
    )
    tournament = _save(actor, tournament, "tournament.posted")
    renew_sources(actor, tournament)
    return tournament


@transaction.atomic
def unpost_tournament(actor: Actor, tournament: Tournament) -> Tournament:
    """Hide the poster of a draft and the form of its sign-up; own pages of requests stay.

    Refuses FORBIDDEN, ROUNDS_DRAWN, NOT_POSTED.
    """
    tournament = _lock(actor, tournament, "unpost")
    tournament.posted_at = None
    tournament = _save(actor, tournament, "tournament.unposted")
    renew_sources(actor, tournament)
    return tournament


@transaction.atomic
def cancel_tournament(actor: Actor, tournament: Tournament, reason: str) -> Tournament:
    """Cancel a tournament before its first round is published; its poster shows the reason.

    Refuses FORBIDDEN, TOURNAMENT_BEGUN, ALREADY_CANCELLED, REASON_MISSING, REASON_TOO_LONG.
    """
    reason = " ".join(validate_reason(reason).split())
    if len(reason) > MAX_LINE_LENGTH:
        raise Refusal(Reason.REASON_TOO_LONG, most=MAX_LINE_LENGTH)
    tournament = _lock(actor, tournament, "cancel")
    tournament.cancelled_at, tournament.cancel_reason = timezone.now(), reason
    return _save(actor, tournament, "tournament.cancelled", reason=reason)


def renew_sources(actor: Actor, final: Tournament) -> None:
    """Note in the sources of a final that everybody may see it by now, or no longer (``take`` 0).

    Their pages, which are cached by their events, lead to the final. One query without sources.
    """
    is_open = may_see_poster(NOBODY, final) and final.discarded_at is None
    rows = SignUpSource.objects.filter(signup__tournament=final)
    for source in rows.select_related("tournament__club").order_by("order", "pk"):
        there, take = source.tournament, source.take if is_open else 0
        facts = {"final": final.slug, "take": take}
        write_tournament_event(actor, "tournament.leads_on", there, there, **facts)


def _lock(actor: Actor, tournament: Tournament, verb: str) -> Tournament:
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    refuse_closed(verb, tournament_facts(tournament))
    return tournament


def _save(actor: Actor, tournament: Tournament, verb: str, **facts: str) -> Tournament:
    tournament.save(update_fields=["posted_at", "cancelled_at", "cancel_reason"])
    raise_version(tournament)
    write_tournament_event(actor, verb, tournament, tournament, **facts)
    return tournament

"""Makes and revokes the secret links with which bars and centres sign up their own."""

import secrets
from hashlib import sha256
from typing import Final

from django.db import transaction
from django.utils import timezone

from tournaments.core.audit import write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_tournament, or_404, refresh_row
from tournaments.core.names import validate_name
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.director.queries.state import refuse_closed
from tournaments.models import SignUpLink, Tournament
from tournaments.signup.queries.places import sign_up_facts
from tournaments.signup.services.requests import MAX_PLACES, sign_up_of

SECRET_BYTES: Final = 16
"""Random bytes of a link: not to be guessed."""


@transaction.atomic
def make_link(
    actor: Actor, tournament: Tournament, origin: str, quota: int
) -> tuple[SignUpLink, str]:
    """Make a link for a bar or centre; returns it with its secret, which is shown once.

    Refuses FORBIDDEN, TOURNAMENT_OVER, BAD_NAME, BAD_SIGN_UP.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    origin = validate_name(origin)
    tournament = lock_tournament(tournament)
    signup = sign_up_of(tournament)
    refuse_closed("change_links", sign_up_facts(tournament, signup))
    if not 1 <= quota <= MAX_PLACES:
        raise Refusal(Reason.BAD_SIGN_UP, text="quota")
    secret = secrets.token_urlsafe(SECRET_BYTES)
    link = signup.links.create(origin=origin, quota=quota, digest=digest_of(secret))
    write_tournament_event(
        actor, "sign_up.link_made", tournament, tournament, link=link.pk, origin=origin, quota=quota
    )
    return link, secret


@transaction.atomic
def revoke_link(actor: Actor, link: SignUpLink) -> SignUpLink:
    """Revoke a link; what it signed up stays. Refuses FORBIDDEN, TOURNAMENT_OVER."""
    tournament = link.signup.tournament
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    link = refresh_row(SignUpLink.objects.select_related("signup"), link)
    refuse_closed("change_links", sign_up_facts(tournament, link.signup))
    if link.revoked_at is None:
        link.revoked_at = timezone.now()
        link.save(update_fields=["revoked_at"])
        write_tournament_event(
            actor, "sign_up.link_revoked", tournament, tournament, link=link.pk, origin=link.origin
        )
    return link


def find_link(slug: str, secret: str) -> SignUpLink:
    """Return the link of a tournament with this secret; refuses NOT_FOUND, also once revoked."""
    links = SignUpLink.objects.select_related("signup__tournament__club")
    rows = links.filter(
        signup__tournament__slug=slug,
        signup__tournament__discarded_at=None,
        digest=digest_of(secret),
        revoked_at=None,
    )
    return or_404(rows.first())


def digest_of(secret: str) -> str:
    """Return the digest under which a secret is stored."""
    return sha256(secret.encode()).hexdigest()

"""Names in doubt that were confirmed when they were signed up: they are not asked about again."""

from typing import Final

from tournaments.models import AuditEvent, Tournament

CONFIRMED: Final = "as_written"
"""The fact of an event about the names of a ticket: some are in doubt, and right as written."""


def confirmed_tickets(tournament: Tournament) -> frozenset[int]:
    """Return the tickets with names in doubt that were confirmed; one query.

    A name in doubt is stored only if it was confirmed. Events of earlier releases do not say so.
    """
    events = AuditEvent.objects.filter(
        tournament=tournament,
        verb__in=("sign_up.requested", "sign_up.changed"),
        **{f"facts__{CONFIRMED}": True},
    )
    return frozenset(facts["ticket"] for facts in events.values_list("facts", flat=True))

"""How a tournament is described outside its pages: in a sentence, and as an event (schema.org)."""

from typing import Any

from django.utils import timezone
from django.utils.formats import date_format

from tournaments.director.queries.tournaments import TournamentHead
from tournaments.domain.state.facts import DRAFT


def describe(head: TournamentHead) -> str:
    """Return day, place, club and prizes of a tournament, in the language of the page."""
    parts = [head.place, head.club_name, head.prizes]
    if head.begins_at is not None:
        begins_at = timezone.localtime(head.begins_at)
        day, hour = date_format(begins_at, "DATE_FORMAT"), date_format(begins_at, "H:i")
        parts.insert(0, f"{day}, {hour}")
    return ". ".join(part for part in parts if part)


def sports_event(head: TournamentHead, origin: str, path: str) -> dict[str, Any] | None:
    """Return a public tournament as a `SportsEvent`; None without day or place.

    ``origin`` and ``path`` are the address of the page.
    """
    if head.is_private or head.begins_at is None or not head.place:
        return None
    state = "EventCancelled" if head.cancelled_at else "EventScheduled"
    event = {
        "@context": "https://schema.org",
        "@type": "SportsEvent",
        "name": head.name,
        "sport": "Tute",
        "url": f"{origin}{path}",
        "startDate": head.begins_at.isoformat(),
        "eventStatus": f"https://schema.org/{state}",
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        "location": {"@type": "Place", "name": head.place, "address": head.place},
        "organizer": {
            "@type": "SportsOrganization",
            "name": head.club_name,
            "url": f"{origin}/clubs/{head.club_slug}/",
        },
        "description": describe(head),
    }
    if head.state != DRAFT:
        event["image"] = f"{origin}/t/{head.slug}/card.png"
    return event

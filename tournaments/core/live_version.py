"""The version of a tournament: every change that its public pages show raises it."""

from collections.abc import Collection
from typing import Any, Final

from django.db.models import Max, OuterRef, QuerySet, Subquery, Sum

from tournaments.core.find import not_found_unless, or_404
from tournaments.core.permissions import Actor, may_see
from tournaments.models import AuditCounter, AuditEvent, HandAnalysis, RatingLedger, Tournament

VERSION_COLUMNS: Final = ("version", "state", "visibility", "club__slug")
"""Columns read of a tournament: its version, and those that its visibility follows from."""


def live_version(slug: str, viewer: Actor) -> str:
    """Return the version of the tournament ``slug``, a whole number. Refuses NOT_FOUND."""
    return _version(viewer, slug=slug)


def live_version_of_match(match: int, viewer: Actor) -> str:
    """Return the version of the tournament of a match, a whole number. Refuses NOT_FOUND."""
    return _version(viewer, stages__rounds__matches=match)


def live_versions(slugs: Collection[str]) -> dict[str, str]:
    """Return the versions of tournaments that their reader may see, by short name; one query."""
    rows = with_last_event(Tournament.objects.filter(slug__in=slugs).only("slug", "version"))
    return {row.slug: _version_of(row) for row in rows}


def with_last_event(tournaments: QuerySet[Tournament]) -> QuerySet[Any]:
    """Add ``last_event`` to tournaments: the number of the last event of each, or None."""
    latest = AuditEvent.objects.filter(tournament=OuterRef("pk")).order_by("-sequence")
    return tournaments.annotate(last_event=Subquery(latest.values("sequence")[:1]))


def club_version(**lookup: str | int) -> str:
    """Return what changes with the public pages of a club, or of all clubs; three small queries.

    ``lookup`` finds the counter of the club's events, such as ``club__slug``.
    It is made of the last event that is not of a bot's record, the ratings, and the time of the
    last analysis that was written: neither ratings nor analyses write events.
    """
    rated = RatingLedger.objects.aggregate(matches=Sum("matches"), versions=Sum("versions"))
    parts = (
        AuditCounter.objects.filter(**lookup).aggregate(all=Sum("shown"))["all"],
        *rated.values(),
        HandAnalysis.objects.aggregate(last=Max("made_at"))["last"],
    )
    return "-".join(map(str, parts))


def _version(viewer: Actor, **lookup: str | int) -> str:
    """Return a tournament's version by one small query.

    It is the sum of the standings' version and the number of the last event, so every change
    raises it. Event numbers follow the order of commits: the greater version is the later one.
    """
    tournaments = with_last_event(Tournament.objects.select_related("club").only(*VERSION_COLUMNS))
    tournament = or_404(tournaments.filter(**lookup).first())
    not_found_unless(may_see(viewer, tournament))
    return _version_of(tournament)


def _version_of(tournament: Any) -> str:
    return str(tournament.version + (tournament.last_event or 0))

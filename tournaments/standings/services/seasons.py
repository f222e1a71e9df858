"""Create seasons, add and remove tournaments of the club, close seasons."""

from decimal import Decimal, InvalidOperation
from typing import Any, Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

import engine
from tournaments.core.audit import write_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_tournament, refresh_row
from tournaments.core.names import create_with_slug, validate_name
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.director.queries.state import refuse_closed
from tournaments.domain.state import SeasonFacts
from tournaments.models import Club, Season, SeasonEvent, Tournament

MAX_RESULTS: Final = 100
"""Results of each pair or player that a season can count, at most."""

WEIGHTS: Final = (Decimal("0.1"), Decimal(10))
"""The least and the greatest weight of a tournament."""


@transaction.atomic
def create_season(
    actor: Actor,
    club: Club,
    *,
    name: str,
    scale: str = Season.Scale.FIXED,
    by: str = Season.Competitors.ENTRY,
    best: int | None = None,
    ruleset: str = "",
    slug: str | None = None,
) -> Season:
    """Create a season of the club; ``best`` is the number of results that count, ``None`` for all.

    Refuses FORBIDDEN, BAD_NAME, BAD_SLUG, SLUG_TAKEN, UNKNOWN_CHOICE, BAD_BEST, UNKNOWN_RULESET.
    """
    refuse_unless(may_manage(actor, club), actor)
    name = validate_name(name)
    for word, choices in ((scale, Season.Scale.values), (by, Season.Competitors.values)):
        if word not in choices:
            raise Refusal(Reason.UNKNOWN_CHOICE, text=str(word)[:60])
    if best is not None and not 1 <= best <= MAX_RESULTS:
        raise Refusal(Reason.BAD_BEST, most=MAX_RESULTS)
    if ruleset and ruleset not in engine.RULESETS:
        raise Refusal(Reason.UNKNOWN_RULESET, text=ruleset[:60])
    season = create_with_slug(
        Season.objects.filter(club=club),
        name,
        slug,
        club=club,
        ruleset=ruleset,
        scale=scale,
        by=by,
        best=best,
    )
    facts: dict[str, Any] = {"scale": str(scale), "by": str(by), "best": best, "ruleset": ruleset}
    write_event(actor, "season.created", season, club=club, **facts)
    return season


def _checked_weight(text: Decimal | str | int) -> Decimal:
    min_weight, max_weight = WEIGHTS
    try:
        weight = Decimal(text)
    except InvalidOperation:
        weight = Decimal("NaN")
    if not (weight.is_finite() and min_weight <= weight <= max_weight):
        raise Refusal(Reason.BAD_WEIGHT, least=min_weight, most=max_weight)
    return weight


@transaction.atomic
def add_tournament(
    actor: Actor, season: Season, tournament: Tournament, *, weight: Decimal | str | int = 1
) -> SeasonEvent:
    """Add a tournament of the club to a season, after those already in it.

    Refuses FORBIDDEN, SEASON_CLOSED, OTHER_CLUB, OTHER_RULES, ALREADY_IN_SEASON, BAD_WEIGHT, and
    NOT_FOUND for a draft that was just discarded.
    """
    tournament = lock_tournament(tournament)
    season = lock_season(actor, season, "add")
    weight = _checked_weight(weight)
    if tournament.club_id != season.club_id:
        raise Refusal(Reason.OTHER_CLUB, text=tournament.name)
    if season.ruleset and tournament.ruleset != season.ruleset:
        raise Refusal(Reason.OTHER_RULES, text=tournament.name)
    if season.events.filter(tournament=tournament).exists():
        raise Refusal(Reason.ALREADY_IN_SEASON, text=tournament.name)
    last = season.events.aggregate(last=Max("order"))["last"] or 0
    event = SeasonEvent.objects.create(
        season=season, tournament=tournament, order=last + 1, weight=weight
    )
    facts: dict[str, Any] = {"played": tournament.slug, "weight": str(weight)}
    write_event(actor, "season.tournament_added", season, club=season.club, **facts)
    return event


@transaction.atomic
def remove_tournament(actor: Actor, season: Season, tournament: Tournament) -> None:
    """Remove a tournament from a season. Refuses FORBIDDEN, SEASON_CLOSED, NOT_IN_SEASON."""
    season = lock_season(actor, season, "remove")
    event = season.events.filter(tournament=tournament).first()
    if event is None:
        raise Refusal(Reason.NOT_IN_SEASON, text=tournament.name)
    event.delete()
    facts: dict[str, Any] = {"played": tournament.slug}
    write_event(actor, "season.tournament_removed", season, club=season.club, **facts)


@transaction.atomic
def close_season(actor: Actor, season: Season) -> Season:
    """Close a season: no tournaments can be added or removed. Refuses FORBIDDEN, SEASON_CLOSED."""
    season = lock_season(actor, season, "close")
    season.state = Season.State.CLOSED
    season.closed_at = timezone.now()
    season.save(update_fields=["state", "closed_at"])
    write_event(actor, "season.closed", season, club=season.club)
    return season


def lock_season(actor: Actor, season: Season, verb: str) -> Season:
    """Lock a season and read it again; refuses a verb that its state does not allow."""
    refuse_unless(may_manage(actor, season.club), actor)
    seasons = Season.objects.select_related("club")
    season = refresh_row(seasons.select_for_update(of=("self",), no_key=True), season)
    refuse_closed(verb, SeasonFacts(season.state))
    return season

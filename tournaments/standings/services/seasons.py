"""Create seasons, set their rules, add and remove tournaments of the club, close seasons."""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from itertools import pairwise
from typing import Any, Final, TypedDict, Unpack

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

import engine
from tournaments.core.audit import Deleted, write_event
from tournaments.core.errors import Reason, Refusal, refuse_unless_known
from tournaments.core.find import lock_tournament, refresh_row
from tournaments.core.names import create_with_slug, validate_name, validate_reason
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.director.queries.state import refuse_closed
from tournaments.domain.season import MAX_COUNTBACK, SeasonCriterion
from tournaments.domain.state import SeasonFacts
from tournaments.models import Club, Season, SeasonEvent, Tournament

MAX_RESULTS: Final = 100
"""Results of each pair or player that a season can count, at most."""

MAX_POINTS: Final = 10_000
"""Points of a place in a season's own scale, at most."""

WEIGHTS: Final = (Decimal("0.1"), Decimal(10))
"""The least and the greatest weight of a tournament."""


class RulesOfSeason(TypedDict, total=False):
    """How a season counts, as `tournaments.domain.season.SeasonRules`."""

    scale: str
    own_scale: Sequence[int]
    best: int | None
    mean_of: int | None
    missed_as_zero: bool
    criteria: Sequence[str]


@transaction.atomic
def create_season(
    actor: Actor,
    club: Club,
    *,
    name: str,
    slug: str | None = None,
    by: str = Season.Competitors.ENTRY,
    ruleset: str = "",
    **rules: Unpack[RulesOfSeason],
) -> Season:
    """Create a season of the club, with its rules.

    Refuses FORBIDDEN, BAD_NAME, BAD_SLUG, SLUG_TAKEN, UNKNOWN_CHOICE, BAD_BEST, BAD_SCALE,
    UNKNOWN_RULESET.
    """
    refuse_unless(may_manage(actor, club), actor)
    name = validate_name(name)
    refuse_unless_known(Reason.UNKNOWN_CHOICE, str(by), Season.Competitors.values)
    columns = checked_rules(**rules)
    if ruleset:
        refuse_unless_known(Reason.UNKNOWN_RULESET, ruleset, engine.RULESETS)
    seasons = Season.objects.filter(club=club)
    season = create_with_slug(seasons, name, slug, club=club, ruleset=ruleset, by=by, **columns)
    facts: dict[str, Any] = {"by": str(by), "ruleset": ruleset, **columns, "rows": [season]}
    write_event(actor, "season.created", season, club=club, **facts)
    return season


def checked_rules(
    *,
    scale: str = Season.Scale.FIXED,
    own_scale: Sequence[int] = (),
    best: int | None = None,
    mean_of: int | None = None,
    missed_as_zero: bool = False,
    criteria: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the columns of a season's rules. Refuses UNKNOWN_CHOICE, BAD_BEST, BAD_SCALE."""
    for code in criteria:
        refuse_unless_known(Reason.UNKNOWN_CHOICE, code, SeasonCriterion)
    refuse_unless_known(Reason.UNKNOWN_CHOICE, str(scale), Season.Scale.values)
    if not all(number is None or 1 <= number <= MAX_RESULTS for number in (best, mean_of)):
        raise Refusal(Reason.BAD_BEST, most=MAX_RESULTS)
    falls = all(higher >= lower for higher, lower in pairwise(own_scale))
    in_range = all(0 <= points <= MAX_POINTS for points in own_scale)
    if not (falls and in_range and len(own_scale) <= MAX_COUNTBACK):
        raise Refusal(Reason.BAD_SCALE, places=MAX_COUNTBACK, most=MAX_POINTS)
    return {
        "scale": str(scale),
        "own_scale": " ".join(map(str, own_scale)),
        "best": best,
        "mean_of": mean_of,
        "missed_as_zero": missed_as_zero,
        "criteria": " ".join(dict.fromkeys(criteria)),
    }


@transaction.atomic
def set_season_rules(
    actor: Actor, season: Season, *, reason: str = "", **rules: Unpack[RulesOfSeason]
) -> Season:
    """Set the rules of a season, all at once; what is left out returns to its default.

    Once a tournament counts this is a ruling, which needs a reason.
    Refuses FORBIDDEN, SEASON_CLOSED, UNKNOWN_CHOICE, BAD_BEST, BAD_SCALE, REASON_MISSING.
    """
    season = lock_season(actor, season, "set_season_rules")
    columns = checked_rules(**rules)
    counts = season.events.filter(tournament__state=Tournament.State.FINISHED).exists()
    reason = validate_reason(reason, required=counts)
    before = {name: getattr(season, name) for name in columns}
    Season.objects.filter(pk=season.pk).update(**columns)
    season.refresh_from_db()
    facts: dict[str, Any] = {**columns, "before": before, "reason": reason, "rows": [season]}
    write_event(actor, "season.rules_set", season, club=season.club, **facts)
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
    facts: dict[str, Any] = {"played": tournament.slug, "weight": str(weight), "rows": [event]}
    write_event(actor, "season.tournament_added", season, club=season.club, **facts)
    return event


@transaction.atomic
def remove_tournament(actor: Actor, season: Season, tournament: Tournament) -> None:
    """Remove a tournament from a season. Refuses FORBIDDEN, SEASON_CLOSED, NOT_IN_SEASON."""
    season = lock_season(actor, season, "remove")
    event = season.events.filter(tournament=tournament).first()
    if event is None:
        raise Refusal(Reason.NOT_IN_SEASON, text=tournament.name)
    facts: dict[str, Any] = {"played": tournament.slug, "rows": [Deleted("seasonevent", event.pk)]}
    event.delete()
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

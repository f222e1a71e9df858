"""Endpoints of the days of a tournament."""

from rest_framework.request import Request

from tournaments.core.api.requests import actor_of
from tournaments.core.api.serializers import Nothing
from tournaments.core.api.views import Data, read_view
from tournaments.core.permissions import Actor
from tournaments.director.api.directing import action_on, on_tournament
from tournaments.director.queries import days as queries
from tournaments.director.serializers import days as serializers
from tournaments.director.services import days as services
from tournaments.models import Day, Tournament

on_day = action_on(queries.find_day, ("slug", "number"), lambda day: day.tournament)


@read_view(serializers.Days, tag="tournaments", name="read_days")
def days(request: Request, slug: str) -> queries.DaysPage:
    """The days on which the rounds are played, and for arbiters the matches that are overdue."""
    return queries.days_page(slug, actor_of(request))


@on_tournament(serializers.DayPlan, name="plan_days")
def plan_days(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Plan the days on which the rounds are played, before the draw or later.

    Days of published rounds stay, the others are replaced. Rounds without a day take the new ones.
    """
    data["on"] = tuple(data["on"])
    data["pauses"] = [(pause["first"], pause["last"]) for pause in data.get("pauses", ())]
    services.plan_days(actor, tournament, services.DayPlan(**{"at": None, **data}))


@on_tournament(serializers.NewDay, name="add_day")
def add_day(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Add a day; rounds that have none take it."""
    services.add_day(actor, tournament, services.NewDay(**data))


@on_day(serializers.DayChange, name="change_day")
def change_day(actor: Actor, data: Data, day: Day) -> None:
    """Move a day, or change what it says.

    A poster, pages and the club's calendar follow by themselves; `announcement` also says it.
    """
    rounds, announcement = data.pop("rounds", None), data.pop("announcement", "")
    services.change_day(actor, day, data, rounds=rounds, announcement=announcement)


@on_day(Nothing, name="remove_day")
def remove_day(actor: Actor, _data: Data, day: Day) -> None:
    """Remove a day; its rounds that are not closed take the next one that is free."""
    services.remove_day(actor, day)

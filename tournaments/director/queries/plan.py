"""What a draft loses by another plan, and for how many entries the plan is made."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils import timezone

from tournaments.director.queries.days import ordered_days
from tournaments.director.queries.tickets import LIVE, active_entries
from tournaments.domain.messages import message
from tournaments.domain.pairing import CannotDraw
from tournaments.domain.plans import outline, rounds_in_time
from tournaments.models import Day, SignUp, Stage, Tournament


class LostPrizes(NamedTuple):
    """Prizes of a stage that has no counterpart in another plan: its number and its name."""

    stage: int
    name: str


@dataclass(frozen=True, slots=True)
class PlanLosses:
    """What has no place in another plan: prizes by stage, and the days after its last round."""

    prizes: tuple[LostPrizes, ...]
    days: tuple[Day, ...]

    def __bool__(self) -> bool:
        """Whether anything goes."""
        return bool(self.prizes or self.days)

    @property
    def key(self) -> str:
        """What identifies the losses, for a page that has shown them; empty without any."""
        return ",".join(
            [*(f"p{row.stage}" for row in self.prizes), *(f"d{d.pk}" for d in self.days)]
        )

    @property
    def day_dates(self) -> tuple[str, ...]:
        """The dates of the days."""
        moments = [(day.starts_at, day.play_by) for day in self.days]
        return tuple(str(play_by or timezone.localdate(at)) for at, play_by in moments)


def expected_entries(tournament: Tournament) -> int:
    """Return how many would enter now: entries, and tickets within the places; three queries."""
    signup = SignUp.objects.filter(tournament=tournament).first()
    count = active_entries(tournament).count()
    if signup is None:
        return count
    count += signup.requests.filter(LIVE).count()
    return count if signup.places is None else min(count, signup.places)


def same_stages(before: Iterable[Stage], now: Iterable[Stage]) -> dict[int, int]:
    """Return the number of each stage's counterpart: the first stage of the same name.

    A stage without a name has that of its format.
    """
    numbers: dict[str, int] = {}
    for stage in now:
        numbers.setdefault(stage.name or stage.format, stage.number)
    return {
        stage.number: numbers[name]
        for stage in before
        if (name := stage.name or stage.format) in numbers
    }


def plan_losses(
    tournament: Tournament, stages: Sequence[Stage], moved: Mapping[int, int | None], language: str
) -> PlanLosses:
    """Return what a draft loses by these stages; ``moved`` are those that its prizes move to.

    Days are only lost where the number of rounds is known for those who have signed up. Six
    queries.
    """
    before = list(tournament.stages.order_by("number"))
    new_stage = {**same_stages(before, stages), **moved}
    with_prizes = set(tournament.prize_lines.values_list("stage", flat=True))
    return PlanLosses(
        prizes=tuple(
            LostPrizes(stage.number, stage.name or message(language, f"format.{stage.format}"))
            for stage in before
            if stage.number in with_prizes and new_stage.get(stage.number) is None
        ),
        days=_days_after(tournament, stages),
    )


def _days_after(tournament: Tournament, stages: Sequence[Stage]) -> tuple[Day, ...]:
    """Return the days that are left when all rounds of these stages have one."""
    days = ordered_days(tournament)
    planned = [{"format": stage.format, "rules": stage.settings} for stage in stages]
    try:
        sizes = outline(planned, expected_entries(tournament)) if days else ()
    except CannotDraw:
        return ()
    rounds = [size.rounds for size in sizes if size.rounds is not None]
    if not days or len(rounds) < len(stages):
        return ()
    left = rounds_in_time(planned, rounds)
    for index, day in enumerate(days):
        if left <= 0:
            return tuple(days[index:])
        left -= day.holds
    return ()

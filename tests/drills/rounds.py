"""Rounds of bots for drills, and what is compared of them afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tests.clubs import SYSTEM, new_tournament
from tests.support.bot_tables import house_bot, the_club
from tournaments.arena.services.playing import play_match
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.models import (
    Attempt,
    Bot,
    BotForfeit,
    Match,
    Rating,
    Record,
    Result,
    Round,
    Tournament,
)
from tournaments.ratings.services import rebuild_ratings
from tournaments.standings.queries.standings import standings_page

if TYPE_CHECKING:
    from collections.abc import Mapping

DIFFERENT = 14
"""Bots of either kind, each with as many entries as the round needs."""


class Outcome(NamedTuple):
    """What a round comes to: the accepted texts and results by label, and the standings."""

    texts: Mapping[str, tuple[str, ...]]
    results: Mapping[str, tuple[int, ...]]
    standings: object


def a_round_of(matches: int, *bots: Bot, **more: Any) -> Round:
    """Return a published round of `matches` matches of bots, not requested yet."""
    more = {"options": {"deals": 1}, "stages": [{"format": "swiss", "rules": {"rounds": 1}}]} | more
    tournament = create_tournament(
        SYSTEM, the_club(), f"Simulacro {Tournament.objects.count() + 1}", new_tournament(**more)
    )
    enter_newcomers(SYSTEM, tournament, bots or house_bots_for(2 * matches))
    draw(SYSTEM, tournament)
    rounds = Round.objects.select_related("stage__tournament__club")
    return publish_round(SYSTEM, rounds.get(stage__tournament=tournament, number=1))


def house_bots_for(entries: int) -> list[Bot]:
    """Return bots of the house for `entries` entries."""
    kinds = ("random", "simple")
    return [house_bot(kinds[n % 2], n % DIFFERENT + 1) for n in range(entries)]


def outcome_of(round_: Round) -> Outcome:
    """Read what a round comes to, its matches by label and their records in order."""
    texts, results = {}, {}
    for match in round_.matches.with_names():
        accepted = match.records.filter(state=Record.State.ACCEPTED).order_by("coto")
        texts[match.label] = tuple(accepted.values_list("text", flat=True))
        result = match.results.live().get()
        results[match.label] = (
            *(result.home_hands, result.away_hands),
            *(result.home_points, result.away_points),
        )
    return Outcome(texts, results, standings_page(round_.stage.tournament.slug, SYSTEM).groups)


def ratings_of(ruleset: str = "parejas-online") -> list[tuple[Any, ...]]:
    """Return the ratings of all bots, worked out afresh."""
    rebuild_ratings(ruleset)
    return sorted(Rating.objects.values_list("bot", "mu", "variance", "matches"))


def undisturbed(*rounds: Round) -> tuple[list[Outcome], list[tuple[Any, ...]]]:
    """Play rounds that were asked for here and now, match after match, and take them back."""
    for key in Match.objects.filter(round__in=rounds).values_list("pk", flat=True):
        while Match.objects.due().filter(pk=key).exists():
            play_match(key)
    outcomes, ratings = [outcome_of(round_) for round_ in rounds], ratings_of()
    for round_ in rounds:
        take_back(round_)
    return outcomes, ratings


def take_back(round_: Round) -> None:
    """Let a round be as if nobody had played it."""
    for rows in (BotForfeit, Attempt, Result, Record):
        rows.objects.filter(match__round=round_).delete()
    Bot.objects.update(benched_at=None, benched_for={})
    round_.matches.filter(state=Match.State.ACCEPTED).update(
        state=Match.State.PENDING,
        attempts=0,
        lease_until=None,
        lease_token="",
        woken_at=None,
        versions={},
    )


def left(round_: Round) -> int:
    """Return how many matches of a round are not decided."""
    return round_.matches.undecided().count()


def assert_each_counts_once(round_: Round) -> None:
    """Every match has one result that counts, and no record twice."""
    for match in round_.matches.all():
        assert match.results.live().count() == 1, match.table
        accepted = match.records.filter(state=Record.State.ACCEPTED)
        numbers = sorted(accepted.values_list("coto", flat=True))
        assert numbers == list(range(1, len(numbers) + 1))

"""Statistics of a club: matches by month, rulesets, margins, declarations, busiest entries."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db.models import Count, F, Q
from django.db.models.functions import Abs

import engine
from tournaments.core.cache import get_or_compute
from tournaments.core.find import find_club, main_pairs, main_players
from tournaments.core.permissions import public_condition
from tournaments.domain.sides import PLACES
from tournaments.models import Club, Hand, Record, Result
from tournaments.models.matches import day_played
from tournaments.profiles.queries.meetings import results_version

MONTHS: Final = 24
"""Months in the chart: the latest."""

MAX_RECORDS: Final = 1000
"""Records whose declarations are counted: the latest."""

MAX_PEOPLE: Final = 15
"""Limit of the list of the busiest entries."""

MARGINS: Final = 8
"""Margin in hands from which all matches share one bar."""

CALLS: Final = ("40", "20", "tute")


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a chart: label and count."""

    label: str
    count: int


class Statistics(NamedTuple):
    """The cached statistics of a club. ``dealer``: share of hands won by the dealer's side.

    ``months`` are ``2026-11`` without gaps, ``margins`` differences of hands won, ``calls`` the
    number of each declaration in a hundred hands.
    """

    matches: int
    hands: int
    months: tuple[Bar, ...]
    rulesets: tuple[Bar, ...]
    margins: tuple[Bar, ...]
    calls: tuple[tuple[str, float], ...]
    with_cards: int
    dealer: engine.Interval | None
    busiest: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class StatisticsPage:
    """The statistics of a club."""

    club: str
    club_slug: str
    statistics: Statistics


def statistics_page(slug: str) -> StatisticsPage:
    """Return the statistics of a club: two queries with a warm cache, nine more without."""
    club = find_club(slug)
    key = f"statistics:{club.pk}:{results_version(club.pk)}"
    return StatisticsPage(club.name, club.slug, get_or_compute(key, lambda: _computed(club)))


def _computed(club: Club) -> Statistics:
    results = Result.objects.counting().filter(
        public_condition("match__round__stage__tournament__"),
        match__away__isnull=False,
        match__round__stage__tournament__club=club,
    )
    played_results = results.exclude(depth=Result.Depth.FORFEIT)
    hands = Hand.objects.filter(
        public_condition("record__match__round__stage__tournament__"),
        record__state=Record.State.ACCEPTED,
        record__match__round__stage__tournament__club=club,
        record__match__results__counts_from__isnull=False,
        record__match__results__counts_until__isnull=True,
    )
    rulesets = _counts(hands, F("record__match__round__stage__tournament__ruleset"))
    looked = list(_audited_declarations(hands))
    return Statistics(
        matches=played_results.count(),
        hands=sum(bar.count for bar in rulesets),
        months=_months(played_results),
        rulesets=rulesets,
        margins=_margins(played_results),
        calls=_calls(looked),
        with_cards=len(looked),
        dealer=_dealer(hands),
        busiest=_busiest(played_results, club),
    )


def _counts(rows: Any, expression: F) -> tuple[Bar, ...]:
    counted = (
        rows.order_by().values(by=expression).annotate(count=Count("pk")).values_list("by", "count")
    )
    return tuple(Bar(*row) for row in sorted(counted, key=lambda row: (-row[1], row[0])))


def _months(results: Any) -> tuple[Bar, ...]:
    """Return the matches played in each of the latest months, months without any included."""
    rows = results.annotate(day=day_played("match__")).order_by().values_list("day")
    counts: Counter[int] = Counter()
    for day, count in rows.annotate(count=Count("pk")):
        if day is not None:
            counts[day.year * 12 + day.month - 1] += count
    if not counts:
        return ()
    last = max(counts)
    months = range(max(min(counts), last - MONTHS + 1), last + 1)
    return tuple(Bar(f"{n // 12}-{n % 12 + 1:02}", counts[n]) for n in months)


def _margins(results: Any) -> tuple[Bar, ...]:
    """Return the number of two-sided matches by margin in hands, from 0."""
    rows = (
        results.filter(third_hands__isnull=True)
        .annotate(margin=Abs(F("home_hands") - F("away_hands")))
        .order_by()
        .values_list("margin")
        .annotate(count=Count("pk"))
    )
    counts: Counter[int] = Counter()
    for margin, count in rows:
        counts[min(margin, MARGINS)] += count
    if not counts:
        return ()
    top = max(counts)
    return tuple(Bar(f"{n}+" if n == MARGINS else str(n), counts[n]) for n in range(top + 1))


def _audited_declarations(hands: Any) -> Iterator[tuple[str, ...]]:
    """Yield the declarations in each hand with known cards of the latest records."""
    latest = hands.order_by("-record").values_list("record", flat=True).distinct()
    records = Record.objects.filter(pk__in=list(latest[:MAX_RECORDS]))
    for verdict in records.values_list("verdict", flat=True):
        for hand in verdict.get("hands", ()):
            if hand["audited"]:
                yield tuple(token.partition(":")[2] for token in hand["declarations"])


def _calls(looked: list[tuple[str, ...]]) -> tuple[tuple[str, float], ...]:
    """Return the number of each declaration in a hundred hands."""
    if not looked:
        return ()
    calls = [declaration for hand in looked for declaration in hand]
    return tuple(
        (
            call,
            round(
                100 * sum(declaration.startswith(call) for declaration in calls) / len(looked), 1
            ),
        )
        for call in CALLS
    )


def _dealer(hands: Any) -> engine.Interval | None:
    """Return the share of two-sided hands that the dealer's side won, with its interval."""
    sides = ("AC", "BD", "A", "B")
    pairs = hands.filter(winner__in=sides, record__match__third=None).order_by()
    dealer_wins = Q(*(Q(winner=side, dealer__in=list(side)) for side in sides), _connector=Q.OR)
    counts = pairs.aggregate(all=Count("pk"), won=Count("pk", filter=dealer_wins))
    if not counts["all"]:
        return None
    return engine.share_interval([1.0] * counts["won"] + [0.0] * (counts["all"] - counts["won"]))


def _busiest(results: Any, club: Club) -> tuple[Bar, ...]:
    """Return the names of entries with the most matches: pairs, players and bots alike.

    Merged players and pairs have the name of their main one.
    """
    players, pairs = main_players(club.pk), main_pairs(club.pk)
    counts: Counter[str] = Counter()
    for place in PLACES:
        rows = results.filter(**{f"match__{place}__isnull": False}).order_by()
        columns = (f"match__{place}__{field}" for field in ("name", "player", "pair"))
        for name, player, pair, count in rows.values_list(*columns).annotate(count=Count("pk")):
            main = players.get(player) or pairs.get(pair)
            counts[name if main is None else main.name] += count
    busiest = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    return tuple(Bar(*row) for row in busiest[:MAX_PEOPLE])

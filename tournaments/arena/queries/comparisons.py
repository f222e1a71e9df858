"""Comparisons of two versions of a bot: their list, one with its test, their records."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Count, QuerySet

import engine
from tournaments.core.find import not_found_unless, or_404
from tournaments.core.permissions import Actor, may_compare_versions
from tournaments.domain.contest import ComparedMatch, Test, tally_of, test_of
from tournaments.models import Bot, ComparedSet, VersionComparison
from tournaments.models.comparisons import KEEP_DAYS
from tournaments.results.queries.records import RecordsFile, write_lines_file

RECORDS_A_SET: Final = 2


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """A comparison in a list: ``version`` against ``base``, by their numbers.

    ``played`` of ``sets`` deal sets; ``outcome`` is empty until it ends, at ``ended_at``.
    """

    pk: int
    version: int
    base: int
    ruleset: str
    sets: int
    played: int
    outcome: str
    kept: bool
    made_at: datetime
    ended_at: datetime | None

    @property
    def deleted_at(self) -> datetime | None:
        """When it is deleted, as it stands."""
        if self.kept or self.ended_at is None:
            return None
        return self.ended_at + timedelta(days=KEEP_DAYS)


@dataclass(frozen=True, slots=True)
class ComparisonPage:
    """A comparison with its figures, from the side of the version.

    ``margin`` is in points a record, ``won`` the share of deal sets won: each with its 95 %
    interval over deal sets, missing before the first. ``forfeits`` count hands lost by faults, by
    code: those of the version, those of the base.
    """

    bot: str
    slug: str
    row: ComparisonRow
    test: Test
    margin: engine.Interval | None
    won: engine.Interval | None
    forfeits: tuple[Mapping[str, int], Mapping[str, int]]
    fault: str


def test_of_sets(stop: Mapping[str, Any], sets: Iterable[tuple[int, int]]) -> Test:
    """Return the state of the test after deal sets: the points of the version, of the base."""
    margins = [(points - base_points) / RECORDS_A_SET for points, base_points in sets]
    return test_of(stop, margins, ())


def find_comparison(slug: str, pk: int, viewer: Actor) -> VersionComparison:
    """Return a comparison with its bot, for those who may compare. Refuses NOT_FOUND."""
    rows = VersionComparison.objects.select_related("bot__club", "version", "base")
    comparison = or_404(rows.filter(bot__slug=slug, pk=pk).first())
    not_found_unless(may_compare_versions(viewer, comparison.bot))
    return comparison


def comparison_page(slug: str, pk: int, viewer: Actor) -> ComparisonPage:
    """Return a comparison with its figures; two queries besides the right's."""
    comparison = find_comparison(slug, pk, viewer)
    rows = comparison.played.values_list("version_points", "base_points", "forfeits")
    sets = list(rows)
    points = [(version, base) for version, base, _ in sets]
    winners = [tuple(side for side in (0, 1) if each[side] == max(each)) for each in points]
    observed = tuple(zip(points, winners, strict=True))
    tally = tally_of(("", ""), [ComparedMatch(0, (0, 1), observed, RECORDS_A_SET)])
    lost: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for _, _, forfeits in sets:
        for side, codes in zip(lost, forfeits, strict=True):
            side.update(codes)
    return ComparisonPage(
        bot=comparison.bot.name,
        slug=slug,
        row=_row(comparison, len(sets)),
        test=test_of_sets(comparison.stop, points),
        margin=tally.margin(0) if sets else None,
        won=tally.won(0) if sets else None,
        forfeits=(dict(lost[0]), dict(lost[1])),
        fault=comparison.fault,
    )


def comparisons_after(
    slug: str, before: str, count: int, viewer: Actor
) -> tuple[ComparisonRow, ...]:
    """Return comparisons of a bot, latest first, with keys below ``before`` unless it is empty.

    Refuses NOT_FOUND.
    """
    bot = or_404(Bot.objects.select_related("club").filter(slug=slug).first())
    not_found_unless(may_compare_versions(viewer, bot))
    rows = bot.comparisons.filter(pk__lt=int(before)) if before else bot.comparisons.all()
    return comparison_rows(rows[:count])


def comparison_rows(comparisons: QuerySet[VersionComparison]) -> tuple[ComparisonRow, ...]:
    """Return the rows of comparisons; one query."""
    rows = comparisons.select_related("version", "base").annotate(count=Count("played"))
    return tuple(_row(row, row.count) for row in rows)


def comparison_records(slug: str, pk: int, viewer: Actor) -> RecordsFile:
    """Write the records of a comparison, in their order, and the trailer. Refuses NOT_FOUND."""
    comparison = find_comparison(slug, pk, viewer)
    return write_lines_file(lambda: _lines(comparison))


def _lines(comparison: VersionComparison) -> Iterator[bytes]:
    sets = ComparedSet.objects.filter(comparison=comparison).order_by("number")
    for records in sets.values_list("records", flat=True).iterator():
        yield from zlib.decompress(records).splitlines(keepends=True)


def _row(comparison: VersionComparison, played: int) -> ComparisonRow:
    return ComparisonRow(
        pk=comparison.pk,
        version=comparison.version.number,
        base=comparison.base.number,
        ruleset=comparison.ruleset,
        sets=comparison.sets,
        played=played,
        outcome=comparison.outcome,
        kept=comparison.kept,
        made_at=comparison.made_at,
        ended_at=comparison.ended_at,
    )

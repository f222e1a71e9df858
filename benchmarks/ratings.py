"""Ratings: a history computed from its first match, beside openskill over the same matches."""

from __future__ import annotations

from random import Random
from typing import Any

from openskill.models import BradleyTerryFull

from benchmarks.sections import Section, best_of
from tournaments.domain.ratings import KAPPA, MU, SIGMA, MatchToRate, Ratings

COLUMNS = ["measured", "figure", "÷ openskill", "aim", "met"]
PEOPLE = 2000
MATCHES, TABLES, PEER_MATCHES = 1_000_000, 200_000, 10_000
PAIRS_AIM = 5.0  # seconds for MATCHES


def history(matches: int, sides: int, seats: int) -> list[MatchToRate]:
    """Return matches of strangers, won by up to three hands or tied."""
    random = Random("ratings")
    games = []
    for _ in range(matches):
        people = random.sample(range(PEOPLE), sides * seats)
        seated = tuple(tuple(people[side::sides]) for side in range(sides))
        games.append(MatchToRate(seated, tuple(random.randint(0, 3) for _ in range(sides))))
    return games


def by_openskill(matches: list[MatchToRate]) -> list[Any]:
    """Rate the same matches with the library."""
    model: Any = BradleyTerryFull(mu=MU, sigma=SIGMA, beta=SIGMA / 2, kappa=KAPPA, tau=0.0)
    people = [model.rating() for _ in range(PEOPLE)]
    for sides, marks in matches:
        teams = [[people[person] for person in side] for side in sides]
        rated = model.rate(teams, ranks=[-mark for mark in marks])
        for side, team in zip(sides, rated, strict=True):
            for person, rating in zip(side, team, strict=True):
                people[person] = rating
    return people


def rated(matches: list[MatchToRate]) -> Ratings:
    """Rate matches from the first."""
    ratings = Ratings(PEOPLE)
    for match in matches:
        ratings.add(match)
    return ratings


def check_agreement(matches: list[MatchToRate]) -> None:
    """Both must have done the same work."""
    ratings, peer_ratings = rated(matches), by_openskill(matches)
    worst = max(abs(ratings.mu[person] - peer_ratings[person].mu) for person in range(PEOPLE))
    if worst > 1e-9:
        raise SystemExit(f"openskill disagrees by {worst}")


def section() -> Section:
    """Measure pairs and tables of three."""
    lines = []
    for kind, count, sides, seats, aim in (
        ("matches of pairs", MATCHES, 2, 2, PAIRS_AIM),
        ("tables of three", TABLES, 3, 1, None),
    ):
        matches = history(count, sides, seats)
        check_agreement(matches[:PEER_MATCHES])
        seconds = best_of(lambda matches=matches: rated(matches)) / count  # type: ignore[misc]
        few = matches[:PEER_MATCHES]
        peer_seconds = best_of(lambda few=few: by_openskill(few)) / PEER_MATCHES  # type: ignore[misc]
        label = f"{count:,} {kind}, from the first"
        ratio = f"{peer_seconds / seconds:.0f} times as fast"
        verdict = ("yes" if seconds * count <= aim else "no") if aim else ""
        limit = f"≤ {aim:.0f} s" if aim else ""
        lines.append(
            [label, f"{seconds * count:.2f} s, {1 / seconds:,.0f} a second", ratio, limit, verdict]
        )
    return Section(
        "Ratings",
        [COLUMNS, *lines],
        f"Plain Python over flat lists, {PEOPLE:,} people. The peer is openskill's "
        "`BradleyTerryFull` (compiled where its wheel is); it comes to the same ratings.",
    )

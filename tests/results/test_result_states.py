"""After any verbs in any order: what was accepted counts, and nothing else."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from tests.clubs import SYSTEM, arbiter, club_night_lines, the_liguilla, the_match
from tests.quick import slow
from tests.support.event_tables import age, assert_exactly_the_accepted_count, by_code, lines_of
from tournaments.core.errors import Refusal
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.tournaments import close_round
from tournaments.domain.scores import Score
from tournaments.models import Dispute, Match, Result, Tournament
from tournaments.results.services.matches import (
    correct_result,
    decide,
    dispute_result,
    forfeit,
    postpone,
    resume,
    rule_on_dispute,
    take_up,
)
from tournaments.results.services.reports import confirm_due, confirm_result, report_result
from tournaments.results.services.submit import submit_record

if TYPE_CHECKING:
    from collections.abc import Callable

    from tournaments.core.permissions import Actor

pytestmark = pytest.mark.django_db

SCORES = (Score(3, 0, 300, 90), Score(1, 3, 210, 360), Score(3, 2, 0, 0))
LATER = datetime(2026, 12, 6, 17, 0, tzinfo=UTC)
SEEDS = [0, *slow(range(1, 5))]
STEPS = 30


class Day:
    """A day at the club on which anything may happen, drawn from a seed."""

    def __init__(self, tournament: Tournament, seed: int) -> None:
        self.tournament = tournament
        self.random = random.Random(seed)
        self.judge = arbiter(tournament.club)
        self.done = 0

    def step(self) -> None:
        """Try one verb; a refusal is an answer too."""
        match = the_match(self.tournament, 1, self.random.randint(1, 4))
        verb = self.random.choice(self.verbs())
        try:
            verb(match)
        except Refusal:
            return
        self.done += 1

    def verbs(self) -> tuple[Callable[[Match], object], ...]:
        return (
            lambda m: report_result(self.any_reporter(m), m, score=self.score()),
            lambda m: report_result(self.any_reporter(m), m, score=self.score()),
            lambda m: submit_record(self.any_reporter(m), m, club_night_lines()[m.table - 1]),
            lambda m: confirm_result(self.any_reporter(m), m),
            lambda m: dispute_result(self.any_reporter(m), m, "Mal."),
            lambda m: take_up(self.judge, self.dispute(m)),
            lambda m: rule_on_dispute(self.judge, self.dispute(m), "uphold", reason="Vale."),
            lambda m: rule_on_dispute(self.judge, self.dispute(m), "void", reason="Otra vez."),
            self.amend,
            lambda m: correct_result(self.judge, m, self.score(), reason="Mal contado."),
            lambda m: correct_result(self.judge, m, Score(1, 1, 0, 0), reason="Luz."),
            lambda m: decide(self.judge, m, "away", reason="Desempate."),
            lambda m: forfeit(self.judge, m, ["home"], reason="No vino."),
            lambda m: postpone(self.judge, m, LATER),
            lambda m: resume(self.judge, m),
            self.wait,
            self.close,
        )

    def close(self, match: Match) -> None:
        close_round(SYSTEM, match.round)

    def any_reporter(self, match: Match) -> Actor:
        return self.random.choice((self.judge, by_code(match, "home"), by_code(match, "away")))

    def score(self) -> Score:
        return self.random.choice(SCORES)

    def dispute(self, match: Match) -> Dispute:
        result = match.disputes.open().first() or match.disputes.first()
        return result or dispute_result(self.judge, match, "Por si acaso.")

    def amend(self, match: Match) -> None:
        dispute = self.dispute(match)
        fields = {"record": dispute.record, "result": dispute.result}
        ways = {name: value for name, value in fields.items() if value is not None}
        if ways:
            rule_on_dispute(self.judge, dispute, "amend", reason="Así fue.", **ways)  # type: ignore[arg-type]
        else:
            rule_on_dispute(self.judge, dispute, "amend", reason="Así.", score=self.score())

    def wait(self, match: Match) -> None:
        age(match, 100)
        confirm_due()


@pytest.mark.parametrize("seed", SEEDS)
def test_exactly_the_accepted_matches_count_whatever_happens(seed: int) -> None:
    tournament = the_liguilla(published=1)
    day = Day(tournament, seed)
    for _ in range(STEPS):
        before = lines_of(tournament)
        result_pks = set(Result.objects.counting().values_list("pk", flat=True))
        version = Tournament.objects.get().version
        day.step()
        assert_exactly_the_accepted_count(tournament)
        if set(Result.objects.counting().values_list("pk", flat=True)) == result_pks:
            assert lines_of(tournament) == before, "something that does not count moved the table"
        else:
            assert Tournament.objects.get().version > version
    assert day.done > STEPS // 8, "hardly anything happened"


@pytest.mark.parametrize("seed", [0, *slow([1])])
def test_what_counted_in_an_earlier_version_can_be_reported_for_ever(seed: int) -> None:
    tournament = the_liguilla(published=1)
    day = Day(tournament, 100 + seed)
    states = {}
    for _ in range(STEPS):
        day.step()
        tournament.refresh_from_db()
        states[tournament.version] = [
            table.marks for stage in rows_of(tournament).stages for _, table in stage.tables()
        ]
    for version, marks in states.items():
        rows = rows_of(tournament, at_version=version)
        assert [t.marks for stage in rows.stages for _, t in stage.tables()] == marks


def test_versions_are_numbered_and_one_is_live() -> None:
    tournament = the_liguilla(published=1)
    day = Day(tournament, 7)
    for _ in range(2 * STEPS):
        day.step()
    for match in Match.objects.filter(round__number=1):
        versions = list(match.results.order_by("version"))
        assert [r.version for r in versions] == list(range(1, len(versions) + 1))
        has_result = match.state in {"reported", "accepted", "disputed"}
        assert sum(r.live for r in versions) == has_result

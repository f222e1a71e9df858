"""Days on which everything happens, in any order: what must hold holds after every round."""

import os
import random

import pytest

from tests.clubs import SYSTEM, the_round
from tests.services.day import the_people
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.ranking import Line, ranking
from tournaments.domain.scores import Score
from tournaments.domain.verification import holds, verify
from tournaments.errors import Refusal
from tournaments.models import Entry, Match, Pair, Result, Round, Tournament
from tournaments.permissions import Actor
from tournaments.queries.drafts import warnings_of
from tournaments.queries.papers import rows_of
from tournaments.queries.proofs import proof_file
from tournaments.services.absences import bring_back, request_bye, withdraw
from tournaments.services.draws import draw, draw_next
from tournaments.services.entries import enter_pairs
from tournaments.services.forfeits import forfeit
from tournaments.services.latecomers import enter_late
from tournaments.services.matches import (
    correct_result,
    open_dispute,
    postpone,
    rule_on_dispute,
)
from tournaments.services.penalties import penalise
from tournaments.services.reports import confirm_result, report_result
from tournaments.services.tournaments import close_round, create_tournament, publish_round

pytestmark = pytest.mark.django_db

DAYS = int(os.environ.get("BAZA_RANDOM_DAYS", "1"))
"""Events of each format; `./baza test --long` plays more."""

UNAVOIDABLE = {
    "swiss": {"check_rematch", "check_second_bye"},
    "liguilla": {"check_second_bye", "check_two_byes"},
}
"""What even the best round may break when there is no better one: in a schedule nobody meets
twice, but whoever was to meet somebody who left rests."""


class Day:
    """One event with its own chance."""

    def __init__(self, format_: str, entered: int, late: int, rounds: int, seed: int) -> None:
        self.chance = random.Random(f"{format_} {entered} {seed}")
        club, pairs = the_people(entered + late)
        rules = {"rounds": rounds} if format_ == "swiss" else {}
        self.tournament = create_tournament(
            SYSTEM,
            club,
            name="Día revuelto",
            options={"to": 3},
            stages=[{"format": format_, "rules": rules}],
        )
        enter_pairs(SYSTEM, self.tournament, pairs[:entered])
        self.newcomers = pairs[entered:]
        draw(SYSTEM, self.tournament)

    def entries(self) -> list[Entry]:
        entries = self.tournament.entries.with_players().select_related("tournament__club")
        return list(entries.order_by("number"))

    def matches(self, **which: object) -> list[Match]:
        matches = Match.objects.with_names().filter(round__stage__tournament=self.tournament)
        return list(matches.filter(**which).order_by("round__number", "table"))

    def score(self) -> Score:
        lost = self.chance.randrange(3)
        won, other = self.chance.randrange(200, 330), self.chance.randrange(60, 200)
        home_wins = self.chance.random() < 0.5
        return Score(3, lost, won, other) if home_wins else Score(lost, 3, other, won)

    def somebody(self) -> Entry:
        return self.chance.choice(self.entries())

    def before_a_round(self, number: int) -> None:
        """Some leave, some return, some ask for a bye, one comes late; refusals are answers."""
        acts = [
            lambda: withdraw(SYSTEM, self.somebody()),
            lambda: bring_back(SYSTEM, self.somebody()),
            lambda: request_bye(SYSTEM, self.somebody(), number, "half"),
            self.somebody_comes,
        ]
        for act in self.chance.choices(acts, k=2):
            tried(act)

    def somebody_comes(self) -> None:
        if self.newcomers:
            enter_late(SYSTEM, self.tournament, self.newcomers[-1])
            self.newcomers.pop()

    def play(self, round_: Round) -> None:
        """Results come in every way there is."""
        for match in self.matches(round=round_, state="pending"):
            self.end(match)
        tried(self.somebody_comes)
        for match in self.matches(round=round_, state="pending"):
            self.end(match)

    def end(self, match: Match) -> None:
        way = self.chance.random()
        if way < 0.1:
            forfeit(SYSTEM, match, [self.chance.choice(["home", "away"])], reason="not there")
        elif way < 0.2:
            postpone(SYSTEM, match, None)
        else:
            report_result(self.speaker(match.home), match, score=self.score())
            confirm_result(self.speaker(match.away), match)
        if way > 0.9:
            dispute = open_dispute(self.speaker(match.away), match, "no, it was not so")
            ruling = self.chance.choice(["uphold", "amend"])
            score = self.score() if ruling == "amend" else None
            rule_on_dispute(SYSTEM, dispute, ruling, reason="heard both", score=score)

    def speaker(self, entry: Entry | None) -> Actor:
        assert entry is not None
        return Actor.of_entry(next(one for one in self.entries() if one.pk == entry.pk))

    def after_a_round(self) -> None:
        """The arbiter corrects, punishes, and somebody plays what was postponed."""
        decided = self.matches(state="accepted", round__state="closed")
        if decided and self.chance.random() < 0.5:
            match = self.chance.choice(decided)
            tried(lambda: correct_result(SYSTEM, match, self.score(), reason="a slip"))
        for match in self.matches(state="postponed"):
            if self.chance.random() < 0.5:
                report_result(SYSTEM, match, score=self.score())
        if self.chance.random() < 0.3:
            penalise(SYSTEM, self.somebody(), round_number=1, match_points="0.5", reason="noise")

    def lines(self) -> tuple[Line, ...]:
        rows = rows_of(self.tournament)
        return ranking(rows, rows.stages[0])


def tried(act: object) -> None:
    """Do what may be refused."""
    try:
        act()  # type: ignore[operator]
    except Refusal:
        return


def assert_sound(day: Day, round_: Round) -> None:
    """Everybody who is there sits once, and what breaks a rule could not be helped."""
    found = {why.code for why in warnings_of(round_)}
    assert found <= UNAVOIDABLE[round_.stage.format], found
    seated = [n for match in day.matches(round=round_) for n in sides(match)]
    assert len(seated) == len(set(seated))


def sides(match: Match) -> list[int]:
    return [entry.number for side in match.sides for entry in side]


def assert_only_what_is_accepted_counts(tournament: Tournament) -> None:
    counting = Result.objects.counting().filter(match__round__stage__tournament=tournament)
    accepted = Match.objects.filter(round__stage__tournament=tournament, state="accepted")
    assert set(counting.values_list("match", flat=True)) == set(
        accepted.values_list("pk", flat=True)
    )


@pytest.mark.parametrize("seed", range(DAYS))
@pytest.mark.parametrize(("format_", "entered"), [("swiss", 9), ("liguilla", 5)])
def test_whatever_happens_rounds_are_sound_and_the_proof_holds(
    format_: str, entered: int, seed: int
) -> None:
    day = Day(format_, entered, late=2, rounds=5, seed=seed)
    assert Pair.objects.filter(club=day.tournament.club).count() == entered + 2
    number = 0
    while (round_ := next_draft(day, number)) is not None:
        number = round_.number
        day.before_a_round(number)
        round_ = the_round(day.tournament, number) if drafted(day, number) else round_
        if not drafted(day, number):
            break
        assert_sound(day, round_)
        publish_round(SYSTEM, round_)
        day.play(the_round(day.tournament, number))
        close_round(SYSTEM, the_round(day.tournament, number))
        day.after_a_round()
        assert_only_what_is_accepted_counts(day.tournament)
    table = day.lines()
    assert [line.entrant for line in table] == [line.entrant for line in day.lines()]
    assert len(table) == day.tournament.entries.count()
    findings = verify(bundle_from_bytes(proof_file(day.tournament)))
    assert holds(findings), [finding for finding in findings if not finding.holds]


def drafted(day: Day, number: int) -> bool:
    rounds = Round.objects.filter(stage__tournament=day.tournament, number=number)
    return rounds.filter(state="draft").exists()


def next_draft(day: Day, after: int) -> Round | None:
    """Return the next round, drawn if it has to be; nothing when there is none."""
    day.tournament.refresh_from_db()
    try:
        round_ = draw_next(SYSTEM, day.tournament, after=after)
    except Refusal:
        return None
    return the_round(day.tournament, round_.number)

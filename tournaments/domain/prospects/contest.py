"""The matches that are left of a stage, with the results that each can have."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import product
from typing import Any, Final, NamedTuple

from tournaments.domain.awards import Key
from tournaments.domain.ledger import Game, Number, ledger
from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.base import CannotDraw
from tournaments.domain.ranking import order_of, tally_of, with_corrections
from tournaments.domain.rows import (
    SCORED_BY_HANDS,
    LevelCut,
    Mark,
    Scoring,
    Stage,
    StageRules,
    TournamentRows,
)
from tournaments.domain.scores import Length, Score
from tournaments.domain.stages import draw_all, source_of, stage_of, with_round, with_stage
from tournaments.domain.tiebreaks import Tally

MAX_CASES: Final = 1_300
"""Cases of all matches left of a stage that are looked at one by one, its groups sharing them:
six matches by winner, or the last two rounds of 16 groups of four, 0.25 s. Without sharing, ten
groups of six took 2.9 s for each version."""

MAX_UNDRAWN: Final = 3
"""Rounds of a fixed schedule still to be drawn: with more of them nearly nothing is certain."""


class Verdict(StrEnum):
    """What is certain of an entrant's place in the next stage."""

    THROUGH = "through"
    """It goes on, whatever the matches left give."""
    OUT = "out"
    """It cannot go on."""
    WIN = "win"
    """It goes on if it wins its next match, whatever the others give."""
    DEPENDS = "depends"
    """Some results let it go on and some do not; those of ``tables`` make the difference."""


class TableKey(NamedTuple):
    """A table by its number and its round's."""

    round: int
    table: int


class Prospect(NamedTuple):
    """What is certain of an entrant's place in a later stage, by the number of this ``stage``.

    ``decided_by`` is the criterion that separates it from the others at the line, the last of the
    order that any result needs; empty where none can be named. ``match`` is the table of its next
    match, if that is drawn. ``tables`` are those whose result alone can make the difference, the
    other results being equal, its own among them.
    """

    verdict: Verdict
    stage: int
    decided_by: str = ""
    match: TableKey | None = None
    tables: tuple[TableKey, ...] = ()


class Schedule(NamedTuple):
    """A stage with the rounds that are certain to come; ``unknown`` is how many others do."""

    rows: TournamentRows
    stage: Stage
    unknown: int


def filled_by(rows: TournamentRows, stage: Stage) -> Stage | None:
    """Return the stage that takes the best of this one and has not begun; None without one."""
    for other in rows.stages:
        source = source_of(rows, other)
        takes_best = other.rules.take > 0 and other.rules.take_from == 0
        if source is not None and source.number == stage.number and takes_best:
            return None if other.published else other
    return None


def schedule_of(rows: TournamentRows, stage: Stage) -> Schedule | None:
    """Return a stage with its rounds to come; None where nothing can be said of them."""
    format_, rules = FORMATS[stage.format], stage.rules
    stage = replace(stage, rounds=stage.published)
    rows = with_stage(rows, stage)
    if (
        not stage.rounds
        or format_.ranking is not None
        or format_.is_endless
        or format_.seats != 2
        or rules.scoring not in SCORED_BY_HANDS
        or rules.drop_rounds
        or any(rows.by_number[n].joined > stage.next_round for n in stage.entrants)
    ):
        return None
    planned = format_.rounds(len(stage.entrants), rules) or 0
    unknown = max(0, planned - len(stage.rounds))
    if not format_.is_preset:
        return Schedule(rows, stage, unknown)
    if format_.is_over(stage, rows.by_number):
        return Schedule(rows, stage, 0)
    if unknown > MAX_UNDRAWN:
        return None
    try:
        draws = draw_all(rows, stage.number)
    except CannotDraw:
        return None
    for draw in draws:
        rows = with_round(rows, stage.number, draw.tables)
    return Schedule(rows, stage_of(rows, stage.number), 0)


def parts_of(stage: Stage) -> Iterator[Stage]:
    """Yield the stage, or each of its groups as the liguilla that it is."""
    groups_of, order = FORMATS[stage.format].groups, order_of(stage)
    if groups_of is None:
        yield stage
        return
    for members in groups_of(stage):
        of_group = tuple(
            replace(
                round_,
                tables=tuple(t for t in round_.tables if set(t.entrants) <= set(members)),
            )
            for round_ in stage.rounds
        )
        rules = replace(stage.rules, groups=1, order=order)
        yield replace(stage, format="liguilla", rules=rules, entrants=members, rounds=of_group)


Outcome = Mapping[str, Any]
"""A result of a match: the fields of its `Table`."""


def outcomes_of(
    rules: StageRules, length: Length, *, margins: bool, forfeits: bool
) -> tuple[Outcome, ...]:
    """Return the results that a match can have, one for each winner, difference or score.

    All scores differ where the hands are the match points. A score that no length ends with is of a
    match that time ended.
    """
    found: dict[Any, Outcome] = {}
    for hands in product(range(length.most_of_a_side + 1), repeat=2):
        score = Score.of(hands, (0, 0))
        has_ended = length.ends_with(score)
        if not has_ended and not length.allows(replace(score, cut=True)):
            continue
        marks, cut = tuple(map(Mark, hands)), not has_ended
        for winner in _winners(score, rules.level_cut, has_ended=has_ended):
            decided = winner if score.winner is None else None
            key: Any = hands if rules.scoring is Scoring.HANDS else margins and hands[0] - hands[1]
            found.setdefault((key, winner), {"marks": marks, "decided": decided, "cut": cut})
    results = list(found.values())
    if forfeits:
        results += [{"forfeits": (0,)}, {"forfeits": (1,)}]
    return tuple(results)


def _winners(score: Score, rule: LevelCut, *, has_ended: bool) -> tuple[int | None, ...]:
    """Return the sides that can have won with these hands; None for a tie."""
    if score.winner is not None:
        return (score.winner,)
    if has_ended or rule is LevelCut.TIE:
        return (None,)
    return () if rule is LevelCut.HAND else (None, 0, 1)


class Contest:
    """The places of one table of standings that go on: of a stage, or of one of its groups.

    ``here`` are those who have not left. ``open`` are the matches that are left, by round and
    table; ``next_match`` is the first of an entrant in a drawn round.
    """

    def __init__(
        self,
        rows: TournamentRows,
        stage: Stage,
        target: Stage,
        here: frozenset[int],
        drawn: frozenset[int],
    ) -> None:
        self.rows, self.stage, self.here, self.drawn = rows, stage, here, drawn
        self.places, self.target = target.rules.take, target.number
        self.open = {
            (round_, table.number): table for round_, table in stage.tables() if not table.counts
        }
        self.matches: dict[int, list[Key]] = {n: [] for n in stage.entrants}
        for key, table in sorted(self.open.items()):
            for entrant in table.entrants:
                self.matches[entrant].append(key)

    def next_match(self, entrant: int) -> TableKey | None:
        """Return an entrant's next match, if it is drawn."""
        keys = self.matches[entrant][:1]
        return TableKey(*keys[0]) if keys and keys[0][0] in self.drawn else None

    def prospect(
        self, entrant: int, verdict: Verdict, decided_by: str = "", tables_: Iterable[Key] = ()
    ) -> Prospect:
        """Return the prospect of an entrant."""
        match = self.next_match(entrant)
        return Prospect(
            verdict, self.target, decided_by, match, tuple(TableKey(*key) for key in tables_)
        )


class ResultLines:
    """The lines of the ledger of a contest with each result of each match that is left.

    ``fixed`` are the sums with the first of them everywhere, ``totals`` the match points without
    any of them, ``games`` the lines by match, entrant and result.
    """

    def __init__(self, contest: Contest, outcomes: Sequence[Outcome]) -> None:
        rows, stage, open_ = contest.rows, contest.stage, contest.open
        self.outcomes, self.open = outcomes, open_
        first = {key: replace(table, **outcomes[0]) for key, table in open_.items()}
        self.fixed = tally_of(rows, with_corrections(stage, first))
        of_open = replace(
            stage,
            rounds=tuple(
                replace(
                    round_,
                    tables=tuple(t for t in round_.tables if (round_.number, t.number) in open_),
                )
                for round_ in stage.rounds
            ),
        )
        self.games: dict[Key, dict[int, list[Game]]] = {
            key: {n: [] for n in table.entrants} for key, table in open_.items()
        }
        for outcome in outcomes:
            changes = {key: replace(table, **outcome) for key, table in open_.items()}
            changed = with_corrections(of_open, changes)
            for entrant, games in ledger(rows, changed, fill_absences=False).games.items():
                for game in games:
                    if (game.round, game.table) in open_:
                        self.games[game.round, game.table][entrant].append(game)
        self.totals: dict[int, Number] = dict(self.fixed.match.totals)
        for of_match in self.games.values():
            for entrant, games_ in of_match.items():
                self.totals[entrant] -= games_[0].match_points

    def points(self, key: Key, entrant: int) -> list[Number]:
        """Return the match points of an entrant by the results of a match."""
        return [game.match_points for game in self.games[key][entrant]]

    def wins(self, key: Key, entrant: int) -> list[bool]:
        """Return by which results of a match an entrant wins it."""
        table = self.open[key]
        results = (replace(table, **outcome) for outcome in self.outcomes)
        return [result.winner == table.side_of(entrant) for result in results]

    def tally(self, chosen: Mapping[Key, int]) -> Tally:
        """Return the sums with the results that are chosen, by their indices."""
        lines = self.fixed.ledger
        games = dict(lines.games)
        for key, index in chosen.items():
            for entrant, of_match in self.games[key].items():
                games[entrant] = tuple(
                    of_match[index] if (game.round, game.table) == key else game
                    for game in games[entrant]
                )
        return Tally(replace(lines, games=games), is_preset=self.fixed.is_preset)

"""Standings after another result of a match, computed before the result is given."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tournaments.core.find import find_match, not_found_unless
from tournaments.core.permissions import Actor
from tournaments.director.queries.rows import (
    MatchRow,
    ScoreRow,
    counted_in,
    match_row,
    score_in,
    score_row,
    shown_names,
)
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.queries.tournaments import (
    StageHead,
    TournamentHead,
    open_fetched_tournament,
    open_tournament,
)
from tournaments.domain.names import PARTNERS
from tournaments.domain.pairing.tree import OvertakenMatch
from tournaments.domain.ranking import Effect, StandingsLine, overtaken_matches
from tournaments.domain.rows import PlaceRule
from tournaments.domain.scores import Score
from tournaments.domain.sides import PLACES, PLACES_BY_SIDE
from tournaments.domain.stages import stage_of
from tournaments.domain.standing_rows import Number
from tournaments.models import Entry, Match
from tournaments.results.queries.effects import RulingOutcome, correction_effect
from tournaments.standings.queries.standings import rounded


class OpenMatch(NamedTuple):
    """A match that the form offers; ``sides`` are the names of the sides."""

    round: int
    table: int
    pk: int
    sides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EffectRow:
    """An entry's place and match points before and after; ``group`` is 0 without groups.

    ``qualifies`` is ``in`` if the entry would now go on to the next stage, ``out`` if it no longer
    would, else empty.
    """

    number: int
    name: str
    group: int
    before: int
    after: int
    points_before: Number
    points_after: Number
    qualifies: str

    @property
    def has_changed(self) -> bool:
        """Its place or its points would change."""
        return (self.before, self.points_before) != (self.after, self.points_after)

    @property
    def climbs(self) -> int:
        """How many places it would climb; negative when it falls."""
        return self.before - self.after

    @property
    def falls(self) -> int:
        """How many places it would fall; negative when it climbs."""
        return self.after - self.before


class PlayedOnRow(NamedTuple):
    """Says that the next match of a bracket was played by the other side than a result has it.

    ``winner`` goes on by the result (None: nobody), ``plays`` played on at ``next_table`` of
    ``next_round``; both by name, and by number in ``winner_number`` and ``plays_number``.
    ``stays``: the place follows from what was played, so that ``plays`` stays in the bracket; else
    the bracket contradicts itself, and the tournament cannot be finished.
    """

    winner: str
    winner_number: int | None
    plays: str
    plays_number: int
    next_round: int
    next_table: int
    stays: bool


@dataclass(frozen=True, slots=True)
class EffectPage:
    """The table of the match's stage with the other result, in its new order.

    ``filled`` are the later stages that keep their entries though others would qualify.
    """

    head: TournamentHead
    stage: StageHead
    match: MatchRow
    score: Score
    rows: tuple[EffectRow, ...]
    played_on: tuple[PlayedOnRow, ...] = ()
    filled: tuple[int, ...] = ()

    @property
    def version(self) -> str:
        """A digest of the tables before and after, which changes whenever either does."""
        content = repr((self.head.version, self.score, self.rows, self.played_on))
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    @property
    def counted(self) -> tuple[int, ...]:
        """What is shown of the other result side by side."""
        return counted_in(self.score)

    @property
    def changes_places(self) -> bool:
        """An entry would have another place."""
        return any(row.climbs for row in self.rows)

    @property
    def comes_in(self) -> tuple[EffectRow, ...]:
        """The entries that would now go on to the next stage."""
        return tuple(row for row in self.rows if row.qualifies == "in")

    @property
    def drops_out(self) -> tuple[EffectRow, ...]:
        """The entries that would no longer go on to the next stage."""
        return tuple(row for row in self.rows if row.qualifies == "out")


def choices(slug: str, viewer: Actor) -> tuple[OpenMatch, ...]:
    """Return the matches with two sides or more, by round and table: the head's queries and two."""
    access = open_tournament(slug, viewer)
    entries = Entry.objects.filter(tournament=access.tournament).with_players()
    names = {entry.pk: entry.shown_name for entry in entries}
    matches = Match.objects.filter(
        round__stage__tournament=access.tournament,
        round__number__in=access.visible_rounds,
        away__isnull=False,
    )
    rows = matches.order_by("round__number", "table").values(
        "round__number", "table", "pk", *(f"{place}_id" for place in PLACES)
    )
    return tuple(
        OpenMatch(row["round__number"], row["table"], row["pk"], _side_names(row, names))
        for row in rows
    )


def _side_names(row: Mapping[str, int | None], names: Mapping[int, str]) -> tuple[str, ...]:
    """Return the names of the sides, with both names where single players form a pair."""
    keys = ([row[f"{place}_id"] for place in side] for side in PLACES_BY_SIDE)
    sides = ([names[key] for key in side if key is not None] for side in keys)
    return tuple(PARTNERS.join(side) for side in sides if side)


def effect_page(
    pk: int,
    viewer: Actor,
    score: Score,
    hand_scores: Sequence[Mapping[str, Any]] = (),
    *,
    forfeits: Sequence[str] = (),
) -> EffectPage:
    """Return the effect of a result of a match, for members and for who may rule on it.

    Refuses NOT_FOUND to all others.

    ``hand_scores`` are those of a match whose deals are compared, in the order of its deals.
    """
    match = find_match(pk, viewer)
    access = open_fetched_tournament(match.tournament, viewer)
    not_found_unless(access.powers.member or access.powers.arbitrate)
    effect = correction_effect(
        match.tournament, match, score, forfeits=forfeits, hand_scores=hand_scores
    )
    names = shown_names(access.tournament.pk)
    before = {line.entrant: line for table in effect.before for line in table.lines}
    rows = tuple(
        EffectRow(
            number=line.entrant,
            name=names[line.entrant],
            group=table.group,
            before=before[line.entrant].rank,
            after=line.rank,
            points_before=rounded(before[line.entrant].match_points),
            points_after=rounded(line.match_points),
            qualifies=_qualifies(effect, line),
        )
        for table in effect.after
        for line in table.lines
    )
    return EffectPage(
        head=access.head,
        stage=access.head.stage(match.round.stage.number),
        match=match_row(match, match.results.live().first()),
        score=score,
        rows=rows,
        played_on=played_on_rows(match, effect.overtaken, names),
        filled=effect.filled if effect.comes_in or effect.drops_out else (),
    )


def played_on_of(match: Match) -> tuple[PlayedOnRow, ...]:
    """Return what is to be said of a match, with its present result, that was played on."""
    rows = rows_of(match.tournament)
    stage = stage_of(rows, match.round.stage.number)
    place = match.round.number, match.table
    overtaken = [row for row in overtaken_matches(rows, stage) if (row.round, row.table) == place]
    return played_on_rows(match, overtaken, shown_names(match.tournament.pk))


def played_on_rows(
    match: Match, overtaken: Sequence[OvertakenMatch], names: Mapping[int, str]
) -> tuple[PlayedOnRow, ...]:
    """Return what is to be said of a match of a bracket that was played on otherwise."""
    stays = match.round.stage.rules.places is PlaceRule.PLAYED
    return tuple(
        PlayedOnRow(
            winner="" if row.winner is None else names[row.winner],
            winner_number=row.winner,
            plays=names[row.plays],
            plays_number=row.plays,
            next_round=row.next_round,
            next_table=row.next_table,
            stays=stays,
        )
        for row in overtaken
    )


@dataclass(frozen=True, slots=True)
class RulingPreview:
    """The score of the match ``before`` and ``after`` a ruling, None for no result, and its effect.

    ``effect`` is None if the match has no result after the ruling; ``goes_on`` is then the score at
    which a match of several cotos goes on. ``surplus``: later cotos no longer count.
    """

    before: ScoreRow | None
    after: ScoreRow | None
    effect: EffectPage | None
    goes_on: str
    surplus: bool

    @property
    def version(self) -> str:
        """A digest of what the preview shows, which changes whenever that does."""
        return self.effect.version if self.effect else f"{self.before!r}|{self.goes_on}"


def ruling_preview(pk: int, viewer: Actor, outcome: RulingOutcome) -> RulingPreview:
    """Return what a ruling changes, from the results of the match before and after it."""
    effect, after = None, outcome.after
    if after is not None:
        hands, forfeits = after.hand_scores, after.forfeits
        effect = effect_page(pk, viewer, score_in(after), hands, forfeits=forfeits)
    before, after_score = (score_row(score) if score else None for score in (outcome.before, after))
    cotos = "–".join(map(str, outcome.goes_on.hands)) if outcome.goes_on else ""
    return RulingPreview(before, after_score, effect, cotos, outcome.surplus)


def _qualifies(effect: Effect, line: StandingsLine) -> str:
    if line.entrant in effect.comes_in:
        return "in"
    return "out" if line.entrant in effect.drops_out else ""

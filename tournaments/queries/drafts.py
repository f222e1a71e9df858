"""A round that is still a draft, as the one who arranges it by hand sees it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tournaments.domain.messages import explain
from tournaments.domain.pairing.base import Field, Why
from tournaments.domain.pairing.checks import IMPOSSIBLE, objections
from tournaments.domain.rows import State, Table, TournamentRows
from tournaments.domain.stages import field_for
from tournaments.models import Match, Round
from tournaments.permissions import Actor
from tournaments.queries.find import found, visible
from tournaments.queries.heads import TournamentHead, open_tournament
from tournaments.queries.papers import rows_of


@dataclass(frozen=True, slots=True)
class Warned:
    """A rule that the draft breaks; ``forbids`` to publish it, or only warns. No table is 0."""

    text: str
    table: int
    forbids: bool


@dataclass(frozen=True, slots=True)
class DraftTable:
    """A table of a draft: the names of its sides, and why they meet."""

    pk: int
    table: int
    sides: tuple[str, ...]
    bye: str
    pinned: bool
    edited: bool
    whys: tuple[str, ...]
    warnings: tuple[Warned, ...]


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody who can be moved; ``table`` is 0 for one who has none."""

    number: int
    name: str
    table: int


@dataclass(frozen=True, slots=True)
class DraftPage:
    """A draft to be arranged: its tables, who sits nowhere, and what it breaks."""

    head: TournamentHead
    round: int
    whys: tuple[str, ...]
    tables: tuple[DraftTable, ...]
    seats: tuple[Seat, ...]
    warnings: tuple[Warned, ...]

    @property
    def idle(self) -> tuple[Seat, ...]:
        """Those without a table."""
        return tuple(seat for seat in self.seats if not seat.table)

    @property
    def publishable(self) -> bool:
        """Nothing forbids to publish it."""
        return not any(warning.forbids for warning in self.warnings)


def next_to_draw(head: TournamentHead) -> int | None:
    """Return the number of the round that can be drawn now, for those who may draw it."""
    return head.rounds_closed + 1 if head.may.verbs["draw_next"] else None


def draft_field(rows: TournamentRows, round_: Round) -> Field:
    """Return who is there for a draft, and what was played before it."""
    before = tuple(
        replace(
            stage,
            rounds=tuple(
                replace(drawn, state=State.PUBLISHED)
                for drawn in stage.rounds
                if drawn.number < round_.number
            ),
        )
        for stage in rows.stages
    )
    return field_for(replace(rows, stages=before), round_.stage.number)


def draft_tables(rows: TournamentRows, round_: Round) -> tuple[Table, ...]:
    """Return the tables of a round."""
    drawn = (r for stage in rows.stages for r in stage.rounds if r.number == round_.number)
    return next((r.tables for r in drawn), ())


def warnings_of(round_: Round) -> tuple[Why, ...]:
    """Return what a draft breaks, the impossible first; nine queries."""
    rows = rows_of(round_.stage.tournament)
    return objections(draft_field(rows, round_), draft_tables(rows, round_))


def impossible(whys: tuple[Why, ...]) -> tuple[Why, ...]:
    """Keep those that forbid to publish the round."""
    return tuple(why for why in whys if why.code in IMPOSSIBLE)


def draft_page(slug: str, number: int, viewer: Actor, language: str) -> DraftPage:
    """Return a draft as it can be arranged; for those who run the tournament."""
    this = open_tournament(slug, viewer)
    visible(this.powers.member)
    rounds = Round.objects.filter(stage__tournament=this.tournament, number=number)
    round_ = found(rounds.select_related("stage__tournament").first())
    visible(round_.state == Round.State.DRAFT)
    rows = rows_of(this.tournament)
    names = {entrant.number: entrant.name for entrant in rows.entrants}
    field, tables = draft_field(rows, round_), draft_tables(rows, round_)
    broken = tuple(
        Warned(_worded(why, names, language), why.table, why.code in IMPOSSIBLE)
        for why in objections(field, tables)
    )
    at = {who: table.number for table in tables for who in table.entrants}
    seats = sorted({*field.here, *field.byes, *at})
    return DraftPage(
        head=this.head,
        round=number,
        whys=reasons(round_.drawn.get("whys", ()), names, language),
        tables=_tables(round_, names, broken, language),
        seats=tuple(Seat(who, names.get(who, str(who)), at.get(who, 0)) for who in seats),
        warnings=broken,
    )


def _tables(
    round_: Round, names: Mapping[int, str], broken: tuple[Warned, ...], language: str
) -> tuple[DraftTable, ...]:
    matches = Match.objects.with_names().filter(round=round_).order_by("table")
    return tuple(
        DraftTable(
            pk=match.pk,
            table=match.table,
            sides=tuple(" · ".join(entry.name for entry in side) for side in match.sides),
            bye=match.bye,
            pinned=match.pinned,
            edited=match.edited,
            whys=reasons(match.whys, names, language),
            warnings=tuple(warning for warning in broken if warning.table == match.table),
        )
        for match in matches
    )


def reasons(
    kept: Iterable[Mapping[str, Any]], names: Mapping[int, str], language: str
) -> tuple[str, ...]:
    """Return reasons as sentences, from how they are kept with a match or a round."""
    whys = (Why(one["code"], 0, tuple(one["entrants"]), one["facts"]) for one in kept)
    return tuple(_worded(why, names, language) for why in whys)


def _worded(why: Why, names: Mapping[int, str], language: str) -> str:
    return explain(why, lambda number: names.get(number, str(number)), language)

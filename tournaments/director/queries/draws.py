"""How the stages of a tournament are and were drawn: method, commitments, seeds and orders."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from tournaments.core.find import not_found_unless, or_404
from tournaments.core.permissions import Actor
from tournaments.director.queries.rows import names_of, shown_names
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.queries.state import (
    closed_to,
    refusal_of,
)
from tournaments.director.queries.tournaments import (
    StageHead,
    TournamentHead,
    VisibleTournament,
    open_tournament,
)
from tournaments.domain.beside import stages_beside
from tournaments.domain.file import rows_to_bytes
from tournaments.domain.pairing import CannotDraw
from tournaments.domain.rows import Seeding, TournamentRows
from tournaments.domain.sides import SIDES
from tournaments.domain.stages import begin_stage, seeding_of, stage_of, with_stage
from tournaments.domain.state import StageFacts, closed_reason
from tournaments.models import Match, Stage


@dataclass(frozen=True, slots=True)
class DrawnEntry:
    """An entry at its place in the order; ``table`` and ``against`` are those of the first round.

    Without a table the entry has a bye; ``against`` are names.
    """

    place: int
    number: int
    name: str
    table: int | None = None
    against: str = ""


@dataclass(frozen=True, slots=True)
class DrawRow:
    """One draw of a stage; ``seed`` and ``order`` are empty while only organisers know them."""

    number: int
    at: datetime
    seeding: str
    reason: str
    commitment: str
    seed: str
    order: tuple[DrawnEntry, ...]
    is_in_force: bool


@dataclass(frozen=True, slots=True)
class StageDraws:
    """A stage with its draws, the last first.

    ``seeding`` is the setting and ``comes_to`` the method that results for the present entries:
    ``rated`` of ``entries`` have a rating. ``commitment`` binds the seed of the next draw.
    ``is_public``: a round is published, and everybody sees seed and order. ``closed`` says why it
    cannot be drawn now, or drawn again; empty where it can.
    """

    head: StageHead
    seeding: str
    comes_to: str
    seeded: int
    entries: int
    rated: int
    commitment: str
    is_public: bool
    draws: tuple[DrawRow, ...]
    may_set: bool
    may_draw: bool
    may_draw_again: bool
    closed: str


@dataclass(frozen=True, slots=True)
class DrawsPage:
    """The draws of a tournament, stage by stage."""

    head: TournamentHead
    stages: tuple[StageDraws, ...]

    def stage(self, number: int) -> StageDraws:
        """Return a stage; refuses NOT_FOUND."""
        return or_404(next((stage for stage in self.stages if stage.head.number == number), None))


def draws_page(
    slug: str, viewer: Actor, names_by: Callable[[int], dict[int, str]] = shown_names
) -> DrawsPage:
    """Return how every stage is drawn: the head's queries and some twelve more."""
    access = open_tournament(slug, viewer)
    rows, names = rows_of(access.tournament), names_by(access.tournament.pk)
    stages = access.tournament.stages.select_related("tournament").order_by("number")
    return DrawsPage(access.head, tuple(_stage(access, rows, stage, names) for stage in stages))


def stage_draws(slug: str, number: int, viewer: Actor) -> StageDraws:
    """Return how one stage was drawn, with stored names; NOT_FOUND for an unknown stage."""
    return draws_page(slug, viewer, names_of).stage(number)


def _stage(
    access: VisibleTournament, rows: TournamentRows, stage: Stage, names: Mapping[int, str]
) -> StageDraws:
    head = access.head.stage(stage.number)
    is_public = bool(stage_of(rows, stage.number).published)
    manages = access.head.may.manage
    comes_to = stage.rules.seeding
    if stage.begun_at is None:
        comes_to = seeding_of(rows, stage.number)
    in_force = stage.draws[-1] if stage.draws and stage.begun_at is not None else None
    verb = "draw" if stage.number == 1 else "draw_next"
    facts = StageFacts(access.head.state, drawn=stage.begun_at is not None, shown=is_public)
    closed = (
        refusal_of("draw_again", facts) if facts.drawn else closed_to(access.head.may.verbs, verb)
    )
    may_draw = manages and closed is None
    return StageDraws(
        head=head,
        seeding=stage.rules.seeding.value,
        comes_to=comes_to.value,
        seeded=stage.rules.seeded,
        entries=len(rows.entrants),
        rated=sum(entrant.rating > 0 for entrant in rows.entrants),
        commitment=stage.next_commitment,
        is_public=is_public,
        draws=tuple(
            _draw(
                draw, names, shows=is_public or manages or draw is not in_force, in_force=in_force
            )
            for draw in reversed(stage.draws)
        ),
        may_set=manages and closed_reason("set_seeding", facts) is None,
        may_draw=may_draw
        and not facts.drawn
        and (stage.number == 1 or stage.number in access.head.to_draw),
        may_draw_again=may_draw and facts.drawn,
        closed="" if closed is None else closed.message,
    )


def _draw(
    draw: Mapping[str, Any],
    names: Mapping[int, str],
    *,
    shows: bool,
    in_force: Mapping[str, Any] | None,
) -> DrawRow:
    order = tuple(
        DrawnEntry(place, number, names.get(number, str(number)))
        for place, number in enumerate(draw["entrants"], start=1)
    )
    return DrawRow(
        number=draw["number"],
        at=datetime.fromisoformat(draw["at"]),
        seeding=draw["seeding"],
        reason=draw["reason"],
        commitment=draw["commitment"],
        seed=draw["seed"] if shows else "",
        order=order if shows else (),
        is_in_force=draw is in_force,
    )


def candidates(slug: str, viewer: Actor, number: int) -> tuple[DrawnEntry, ...]:
    """Return who enters a stage, by entry number; empty while that is not known."""
    access = open_tournament(slug, viewer)
    rows, names = rows_of(access.tournament), shown_names(access.tournament.pk)
    not_found_unless(any(stage.number == number for stage in rows.stages))
    stage = stage_of(rows, number)
    # Only the set of entrants is needed, not its order, which has not been drawn yet.
    by_rating = replace(stage.rules, seeding=Seeding.RATING)
    try:
        entrants = begin_stage(with_stage(rows, replace(stage, rules=by_rating)), number)
    except CannotDraw:
        return ()
    return tuple(DrawnEntry(0, entrant, names[entrant]) for entrant in sorted(entrants))


@dataclass(frozen=True, slots=True)
class DrawStepPage:
    """The draw of a stage for a projector: the first ``shown`` names of its order.

    ``entry`` is the one drawn last, ``earlier`` the ones before it, the latest first.
    """

    head: TournamentHead
    stage: StageDraws
    shown: int
    count: int
    entry: DrawnEntry | None
    earlier: tuple[DrawnEntry, ...]


def draw_step_page(slug: str, viewer: Actor, number: int, count: int) -> DrawStepPage:
    """Return one step of showing a draw; NOT_FOUND for an unknown stage."""
    page = draws_page(slug, viewer)
    stage = page.stage(number)
    order = stage.draws[0].order if stage.draws and stage.draws[0].is_in_force else ()
    count = max(0, min(count, len(order)))
    first_tables = _first_round_tables(page.head.pk, number)
    names = {entry.number: entry.name for entry in order}
    drawn_numbers = {entry.number for entry in order[:count]}
    entries = [
        replace(
            entry, table=table, against=", ".join(names[n] for n in others if n in drawn_numbers)
        )
        for entry in order[:count]
        for table, others in [first_tables.get(entry.number, (None, ()))]
    ]
    last = entries[-1] if entries else None
    return DrawStepPage(page.head, stage, count, len(order), last, tuple(reversed(entries[:-1])))


def _first_round_tables(
    tournament: int, number: int
) -> dict[int, tuple[int | None, tuple[int, ...]]]:
    """Return table and opponents in the first round of a stage, by entry; one query."""
    of_stage = Match.objects.filter(
        round__stage__tournament=tournament, round__stage__number=number, home_partner=None
    )
    rows = of_stage.order_by("round__number", "table").values_list(
        "round__number", "table", *(f"{side}__number" for side in SIDES)
    )
    first_tables: dict[int, tuple[int | None, tuple[int, ...]]] = {}
    first: int | None = None
    for round_, table, *people in rows:
        first = round_ if first is None else first
        entries = list(filter(None, people))
        for entry in entries if round_ == first else ():
            others = tuple(other for other in entries if other != entry)
            first_tables[entry] = (table if others else None, others)
    return first_tables


def draw_file(slug: str, viewer: Actor, number: int) -> bytes:
    """Return the tournament file from before a stage was drawn, with the seed, for `baza pair`.

    NOT_FOUND until a round of the stage is published; for its organisers until it is drawn.
    """
    access = open_tournament(slug, viewer)
    stage = or_404(access.tournament.stages.filter(number=number).first())
    rows = rows_of(access.tournament)
    stage_rows = stage_of(rows, number)
    may_see = bool(stage_rows.published) or access.head.may.manage
    not_found_unless(bool(stage.draws) and stage.begun_at is not None and may_see)
    draw = stage.draws[-1]
    beside = {other_stage.number for other_stage in stages_beside(rows, stage_rows)}
    beside.update(stage_rows.rules.without)
    others = [other for other in rows.stages if other.number < number or other.number in beside]
    bare = replace(stage_rows, entrants=(), rounds=(), drawn=None, lots={}, seed=draw["seed"])
    if draw["seeding"] == Seeding.MANUAL:
        bare = replace(bare, entrants=tuple(draw["entrants"]))
    entrants = rows.entrants
    if not others:
        drawn_numbers = set(draw["entrants"])
        entrants = tuple(
            replace(entrant, absences=(), byes=())
            for entrant in entrants
            if entrant.number in drawn_numbers
        )
    stages = sorted([*others, bare], key=lambda one: one.number)
    return rows_to_bytes(replace(rows, entrants=entrants, stages=tuple(stages), penalties=()))

"""How the stages of a tournament are and were drawn: method, commitments, seeds and orders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from tournaments.domain.file import rows_to_bytes
from tournaments.domain.pairing import CannotDraw
from tournaments.domain.ranking import ranking
from tournaments.domain.rows import Seeding, State, TournamentRows
from tournaments.domain.stages import begin_stage, seeding_of, stage_of, with_stage
from tournaments.domain.state import StageFacts, why_closed
from tournaments.models import Match, Stage
from tournaments.permissions import Actor
from tournaments.queries.find import found, visible
from tournaments.queries.heads import Opened, StageHead, TournamentHead, open_tournament
from tournaments.queries.papers import rows_of
from tournaments.queries.rows import names_of


@dataclass(frozen=True, slots=True)
class DrawnEntry:
    """An entry at its place in the order; ``table`` and ``against`` are those of the first round.

    Without a table the entry sits out; ``against`` are names.
    """

    place: int
    number: int
    name: str
    table: int | None = None
    against: str = ""


@dataclass(frozen=True, slots=True)
class DrawRow:
    """One drawing of a stage; ``seed`` and ``order`` are empty while only organisers know them."""

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
    """A stage with its drawings, the last first.

    ``seeding`` is the setting and ``comes_to`` what that means for those entered now; of so many
    ``entries`` so many are ``rated``. ``commitment`` binds the seed of the next drawing.
    ``is_told``: a round is published, and everybody sees seed and order.
    """

    head: StageHead
    seeding: str
    comes_to: str
    seeded: int
    entries: int
    rated: int
    commitment: str
    is_told: bool
    draws: tuple[DrawRow, ...]
    may_set: bool
    may_draw: bool
    may_draw_again: bool


@dataclass(frozen=True, slots=True)
class DrawsPage:
    """The draws of a tournament, stage by stage."""

    head: TournamentHead
    stages: tuple[StageDraws, ...]


def draws_page(slug: str, viewer: Actor) -> DrawsPage:
    """Return how every stage is drawn: the head's queries and some twelve more."""
    this = open_tournament(slug, viewer)
    rows, names = rows_of(this.tournament), names_of(this.tournament.pk)
    stages = this.tournament.stages.select_related("tournament").order_by("number")
    return DrawsPage(this.head, tuple(_stage(this, rows, stage, names) for stage in stages))


def _stage(
    this: Opened, rows: TournamentRows, stage: Stage, names: Mapping[int, str]
) -> StageDraws:
    head = this.head.stage(stage.number)
    states = [round_.state for round_ in stage_of(rows, stage.number).rounds]
    is_told = any(state is not State.DRAFT for state in states)
    manages = this.head.may.manage
    comes_to = stage.rules.seeding
    if stage.begun_at is None:
        comes_to = seeding_of(rows, stage.number)
    in_force = stage.draws[-1] if stage.draws and stage.begun_at is not None else None
    may_draw = this.head.may.verbs["draw" if stage.number == 1 else "draw_next"]
    facts = StageFacts(this.head.state, drawn=stage.begun_at is not None, shown=is_told)
    return StageDraws(
        head=head,
        seeding=stage.rules.seeding.value,
        comes_to=comes_to.value,
        seeded=stage.rules.seeded,
        entries=len(rows.entrants),
        rated=sum(entrant.rating > 0 for entrant in rows.entrants),
        commitment=stage.next_commitment,
        is_told=is_told,
        draws=tuple(
            _draw(one, names, shows=is_told or manages or one is not in_force, in_force=in_force)
            for one in reversed(stage.draws)
        ),
        may_set=manages and why_closed("set_seeding", facts) is None,
        may_draw=manages and not facts.drawn and may_draw,
        may_draw_again=manages and why_closed("draw_again", facts) is None,
    )


def _draw(
    drawn: Mapping[str, Any],
    names: Mapping[int, str],
    *,
    shows: bool,
    in_force: Mapping[str, Any] | None,
) -> DrawRow:
    order = tuple(
        DrawnEntry(place, number, names.get(number, str(number)))
        for place, number in enumerate(drawn["entrants"], start=1)
    )
    return DrawRow(
        number=drawn["number"],
        at=datetime.fromisoformat(drawn["at"]),
        seeding=drawn["seeding"],
        reason=drawn["reason"],
        commitment=drawn["commitment"],
        seed=drawn["seed"] if shows else "",
        order=order if shows else (),
        is_in_force=drawn is in_force,
    )


def candidates(slug: str, viewer: Actor, number: int) -> tuple[DrawnEntry, ...]:
    """Return who comes into a stage, by entry number; nobody while that is not known."""
    this = open_tournament(slug, viewer)
    rows, names = rows_of(this.tournament), names_of(this.tournament.pk)
    visible(any(stage.number == number for stage in rows.stages))
    stage = stage_of(rows, number)
    told = replace(stage.rules, seeding=Seeding.RATING)
    try:
        coming = begin_stage(with_stage(rows, replace(stage, rules=told)), number, ranking)
    except CannotDraw:
        return ()
    return tuple(DrawnEntry(0, who, names[who]) for who in sorted(coming))


@dataclass(frozen=True, slots=True)
class HallPage:
    """The draw of a stage for a projector: the first ``shown`` names of its order.

    ``entry`` is the one drawn last, ``earlier`` the ones before it, the latest first.
    """

    head: TournamentHead
    stage: StageDraws
    shown: int
    count: int
    entry: DrawnEntry | None
    earlier: tuple[DrawnEntry, ...]


def hall_page(slug: str, viewer: Actor, number: int, shown: int) -> HallPage:
    """Return one step of showing a draw; NOT_FOUND for a stage that there is not."""
    page = draws_page(slug, viewer)
    stage = found(next((one for one in page.stages if one.head.number == number), None))
    order = stage.draws[0].order if stage.draws and stage.draws[0].is_in_force else ()
    shown = max(0, min(shown, len(order)))
    seated = _seated(page.head.pk, number)
    names = {one.number: one.name for one in order}
    told = {one.number for one in order[:shown]}
    drawn = [
        replace(one, table=table, against=", ".join(names[n] for n in others if n in told))
        for one in order[:shown]
        for table, others in [seated.get(one.number, (None, ()))]
    ]
    last = drawn[-1] if drawn else None
    return HallPage(page.head, stage, shown, len(order), last, tuple(reversed(drawn[:-1])))


def _seated(tournament: int, number: int) -> dict[int, tuple[int | None, tuple[int, ...]]]:
    """Return table and opponents in the first round of a stage, by entry; one query."""
    of_stage = Match.objects.filter(
        round__stage__tournament=tournament, round__stage__number=number, home_partner=None
    )
    rows = of_stage.order_by("round__number", "table").values_list(
        "round__number", "table", "home__number", "away__number", "third__number"
    )
    seated: dict[int, tuple[int | None, tuple[int, ...]]] = {}
    first: int | None = None
    for round_, table, *people in rows:
        first = round_ if first is None else first
        here = list(filter(None, people))
        for who in here if round_ == first else ():
            others = tuple(other for other in here if other != who)
            seated[who] = (table if others else None, others)
    return seated


def draw_file(slug: str, viewer: Actor, number: int) -> bytes:
    """Return the tournament as it was before a stage was drawn, with the seed, for `baza pair`.

    NOT_FOUND until a round of the stage is published, but for its organisers once it is drawn.
    """
    this = open_tournament(slug, viewer)
    stage = found(this.tournament.stages.filter(number=number).first())
    rows = rows_of(this.tournament)
    own = stage_of(rows, number)
    is_told = any(round_.state is not State.DRAFT for round_ in own.rounds)
    visible(bool(stage.draws) and stage.begun_at is not None and (is_told or this.head.may.manage))
    drawn = stage.draws[-1]
    earlier = tuple(one for one in rows.stages if one.number < number)
    bare = replace(own, entrants=(), rounds=(), drawn=None, lots={}, seed=drawn["seed"])
    if drawn["seeding"] == Seeding.MANUAL:
        bare = replace(bare, entrants=tuple(drawn["entrants"]))
    entrants = rows.entrants
    if not earlier:
        here = set(drawn["entrants"])
        entrants = tuple(
            replace(one, absences=(), byes=()) for one in entrants if one.number in here
        )
    return rows_to_bytes(replace(rows, entrants=entrants, stages=(*earlier, bare), penalties=()))

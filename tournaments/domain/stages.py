"""Advances a tournament: its current stage, the entrants of the next one, and the next round.

`next_draw` is the only way to a round: the service, `baza pair` and the checker of a proof all ask
it. It looks only at rounds that are no drafts and come before the one to be drawn, so a round
that was drawn once can be drawn again.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, count, groupby, takewhile
from typing import Final, NamedTuple

from tournaments.domain.beside import stages_beside, tables_beside
from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.base import CannotDraw, Draw, Field, PairingReason
from tournaments.domain.pairing.numbering import at_fixed_tables, off_tables_in_use
from tournaments.domain.ranking import CannotRank, StandingsLine, ranking, tables
from tournaments.domain.rows import (
    MAX_ROUNDS,
    Entrant,
    PairedBy,
    Round,
    SeatedBy,
    Seeding,
    Stage,
    StageRules,
    State,
    Table,
    TournamentRows,
)
from tournaments.domain.seeding import (
    Pot,
    Tiers,
    cross_pots,
    lot,
    order_by_lots,
    seed_tiers,
    separate_equals,
    separate_in_groups,
    serpentine,
)


class UnsoundDraw(RuntimeError):  # noqa: N818 - a bug's name says what was found
    """A format drew an entrant twice, or one who is not there: a bug, never a refusal."""


def is_finished(rows: TournamentRows, stage: Stage) -> bool:
    """Tell whether a stage has nothing left to draw and every result that it needs."""
    stage = replace(stage, rounds=stage.published)
    if not stage.entrants or open_tables(stage):
        return False
    return FORMATS[stage.format].is_over(stage, rows.by_number)


def current_stage(rows: TournamentRows) -> Stage | None:
    """Return the stage that is being played or is to begin next; None when all are over."""
    return next((stage for stage in rows.stages if not is_finished(rows, stage)), None)


def stage_of(rows: TournamentRows, number: int) -> Stage:
    """Return a stage by its number; LookupError when there is none."""
    return rows.stage_of(number)


def source_of(rows: TournamentRows, stage: Stage) -> Stage | None:
    """Return the stage whose table fills this one; None for the first."""
    return rows.source_of(stage)


def sources_of(rows: TournamentRows, stage: Stage) -> tuple[Stage, ...]:
    """Return the stages through which the entrants of a stage came, the nearest first."""
    source = source_of(rows, stage)
    return () if source is None else (source, *sources_of(rows, source))


def takes_those_out(stage: Stage, source: Stage) -> bool:
    """Return whether those come into a stage who are out of the one that fills it."""
    return FORMATS[source.format].out_is_placed or stage.rules.take_out


def is_ready(rows: TournamentRows, stage: Stage) -> bool:
    """Tell whether it is certain who comes into a stage.

    Its source is finished, or a tree in which all those are out whose places it takes; of a stage
    that takes those who are out of its source (`StageRules.take_out`), enough of them are.
    """
    source = source_of(rows, stage)
    if source is not None and stage.rules.take_out:
        return bool(_out_of(rows, stage, source)) and is_ready(rows, source)
    if source is None or is_finished(rows, source):
        return source is None or is_ready(rows, source)
    return bool(_still_in(rows, stage, source)) and is_ready(rows, source)


def _still_in(rows: TournamentRows, stage: Stage, source: Stage) -> frozenset[int]:
    """Return who is still in a tree that fills a stage with some who are out already.

    Empty where those whose places the stage takes are not all out.
    """
    format_ = FORMATS[source.format]
    played = replace(source, rounds=source.published)
    if not format_.out_is_placed or not played.rounds or format_.ranking is None:
        return frozenset()
    still_in = format_.ranking(played, rows.by_number)[0]
    return frozenset(still_in if len(still_in) <= stage.rules.take_from else ())


def _out_of(rows: TournamentRows, stage: Stage, source: Stage) -> frozenset[int]:
    """Return who was out of a stage's source when at most ``take_from`` were first still in.

    By its rounds before the first that is open. Empty while more are in, or too few are out.
    """
    to_pair, entrants = FORMATS[source.format].to_pair, rows.by_number
    if to_pair is None:
        return frozenset()
    is_open = {number for number, _ in open_tables(source)}
    closed = tuple(takewhile(lambda round_: round_.number not in is_open, source.published))
    for rounds in range(1, len(closed) + 1):
        played = replace(source, rounds=closed[:rounds])
        still_in = to_pair(played, entrants, played.next_round)
        came = {n for n in source.entrants if entrants[n].joined < played.next_round}
        out = frozenset(came.difference(still_in))
        is_enough = len(out) >= FORMATS[stage.format].min_entrants
        if is_enough and len(came.intersection(still_in)) <= stage.rules.take_from:
            return out
    return frozenset()


def open_tables(stage: Stage) -> tuple[tuple[int, int], ...]:
    """Return the published tables of a stage that count for nothing yet: (round, table)."""
    return tuple((number, table.number) for number, table in stage.tables() if not table.counts)


def next_round(rows: TournamentRows, number: int | None = None) -> int:
    """Return the number of the round after the last that is no draft.

    Of a stage with ``number`` it is the first free one after its own rounds, those of the stages
    that fill it and of the boards of those who are out of it: where a draft was discarded, a stage
    beside it may have a later one.
    """
    numbers = {round_.number for stage in rows.stages for round_ in stage.published}
    if number is None:
        return max(numbers, default=0) + 1
    stage = stage_of(rows, number)
    around = (stage, *sources_of(rows, stage), *_boards_of_those_out(rows, stage))
    before = [r.number for one in around for r in one.published]
    return next(free for free in count(max(before, default=0) + 1) if free not in numbers)


def rules_to_begin(rules: StageRules) -> StageRules:
    """Return the rules of a stage for another one, without what was decided when it began.

    An order by hand would be asked for again.
    """
    seeding = Seeding.AUTO if rules.seeding is Seeding.MANUAL else rules.seeding
    return replace(rules, beside=None, without=(), seeding=seeding)


def begin_stage(rows: TournamentRows, number: int, *, by_beside: bool = False) -> tuple[int, ...]:
    """Return the entrants of a stage, in seeding order.

    The first stage takes the entry list, best rated first and latecomers last. A later one takes
    places ``take_from`` + 1 to ``take_from`` + ``take`` of its source's table, or of each of its
    groups; who has left the tournament makes room for the next. The entrants of the stages that it
    is filled ``without`` stay there (``by_beside``: those of the stages beside which it began, as
    boards were filled until November 2026). Where `seeding_of` says so, equals
    or all are put in order by lots from the stage's seed. Into a tree, those of one group
    come as far apart as can be (`cross_pots`); into groups, those of one club
    (`separate_in_groups`); among those drawn by lot two of one origin do not meet in the first
    round where that can be.

    Raises CannotDraw: ``waiting`` while the source does not say it, ``shared_place`` when the last
    place that goes on is shared with one that does not, ``order_missing`` for a seeding by hand.
    """
    stage, seeding = stage_of(rows, number), seeding_of(rows, number)
    if seeding is Seeding.MANUAL:
        raise CannotDraw("order_missing")
    source = source_of(rows, stage)
    by_lot = seeding is not Seeding.ORDER
    pots = None
    if source is not None:
        taken = _taken_by_beside(rows, stage) if by_beside else _taken_places(rows, stage)
        pots = _qualified(rows, stage, source, taken, by_lot=by_lot)
    is_crossed = _is_cross_seeded(stage, source) and seeding is not Seeding.LOT
    tiers = _tiers(rows, stage, seeding, pots)
    if pots is not None and is_crossed:
        order = cross_pots([_order_by_lot(pot, stage.seed) for pot in pots] if by_lot else pots)
    else:
        order = order_by_lots(tiers, stage.seed) if by_lot else tuple(chain(*tiers))
    if FORMATS[stage.format].groups is not None:
        clubs = {entrant.number: entrant.club for entrant in rows.entrants}
        order = separate_in_groups(order, stage.rules.groups, clubs)
    if not by_lot or is_crossed:
        return order
    return _separate_origins(rows, stage, order, tiers, pots or ())


def qualified_entrants(
    rows: TournamentRows, number: int, *, by_beside: bool = False
) -> tuple[int, ...]:
    """Return the entrants with which a stage would begin now; arguments as of :func:`begin_stage`.

    Those of a stage whose order was drawn by hand come in the order of the table.
    """
    stage = stage_of(rows, number)
    if stage.rules.seeding is Seeding.MANUAL:
        stage = replace(stage, rules=replace(stage.rules, seeding=Seeding.RATING))
    return begin_stage(with_stage(rows, replace(stage, entrants=())), number, by_beside=by_beside)


class QualifiersChanged(NamedTuple):
    """The entrants who come into a stage and who drop out of it by another table."""

    comes_in: tuple[int, ...]
    drops_out: tuple[int, ...]


def qualifiers_changed(
    then: TournamentRows, now: TournamentRows, number: int
) -> QualifiersChanged | None:
    """Return the difference between the qualifiers of a stage by two tables; None without one.

    By the places alone, whatever line is fixed. Where a place is shared at the line, nobody
    qualifies.
    """
    before, after = (_qualified_by_places(rows, number) for rows in (then, now))
    if set(before) == set(after):
        return None
    return QualifiersChanged(
        tuple(entrant for entrant in after if entrant not in before),
        tuple(entrant for entrant in before if entrant not in after),
    )


def _qualified_by_places(rows: TournamentRows, number: int) -> tuple[int, ...]:
    stage = stage_of(rows, number)
    by_places = replace(stage, rules=replace(stage.rules, without=()))
    try:
        return qualified_entrants(with_stage(rows, by_places), number)
    except (CannotDraw, CannotRank):
        return ()


def seeding_of(rows: TournamentRows, number: int) -> Seeding:
    """Return the seeding method of a stage; where it is left to the service, the one that applies.

    A first stage is then drawn by lot if fewer than half of those who come have a rating.
    """
    stage = stage_of(rows, number)
    if stage.rules.seeding is not Seeding.AUTO:
        return stage.rules.seeding
    if source_of(rows, stage) is not None:
        return Seeding.RATING
    entrants = rows.by_number
    candidates = [entrant for tier in _entry_tiers(rows) for entrant in tier.entrants]
    rated = sum(entrants[entrant].rating > 0 for entrant in candidates)
    return Seeding.LOT if 2 * rated < len(candidates) else Seeding.RATING


def field_for(rows: TournamentRows, number: int | None = None, round_: int | None = None) -> Field:
    """Return the input of the stage's format for a round, by default the next.

    ``number`` is the stage's, by default the current one. Those who are here and asked for no
    bye are to be paired, as far as the format pairs them in that round. Raises CannotDraw:
    ``stage_over`` when the tournament has no stage left.
    """
    stage = _requested_stage(rows, number)
    round_, entrants = round_ or next_round(rows, stage.number), rows.by_number
    published = replace(stage, rounds=stage.published)
    to_pair = FORMATS[stage.format].to_pair
    playing = published.entrants if to_pair is None else to_pair(published, entrants, round_)
    gone = _gone_over(rows, stage, round_)
    present_entrants = [
        entrants[player]
        for player in playing
        if player not in gone and entrants[player].is_here(round_)
    ]
    byes = {entrant.number: entrant.bye_in(round_) for entrant in present_entrants}
    return Field(
        stage=published,
        entrants=entrants,
        round=round_,
        present=tuple(player for player, bye in byes.items() if bye is None),
        byes={player: bye for player, bye in byes.items() if bye is not None},
        standing=_standing(rows, published),
    )


def _boards_of_those_out(rows: TournamentRows, stage: Stage) -> Iterator[Stage]:
    """Yield the stages with a published round that took those who are out of one."""
    for other in rows.stages:
        if other.rules.take_out and other.published and source_of(rows, other) == stage:
            yield other


def _gone_over(rows: TournamentRows, stage: Stage, round_: int) -> frozenset[int]:
    """Return who plays on a board of those who are out of a stage, from before a round on.

    They stay there once its first round is closed (drafts may stand as published here), also where
    a corrected result would bring them back.
    """
    return frozenset(
        entrant
        for board in _boards_of_those_out(rows, stage)
        if any(r.state is State.CLOSED and r.number < round_ for r in board.rounds)
        for entrant in board.entrants
    )


def _standing(rows: TournamentRows, stage: Stage) -> tuple[int, ...]:
    """Return the entrants in the order of the table, where the stage is paired by it.

    Without penalties and the lots for shared places, which may come after the draw; those who share
    a place by seeding order.
    """
    rules = stage.rules
    if rules.paired_by is not PairedBy.TABLE and rules.seated_by is not SeatedBy.STANDING:
        return ()
    lines = ranking(replace(rows, penalties=()), replace(stage, lots={}))
    places = {line.entrant: line.rank for line in lines}
    return tuple(sorted(stage.entrants, key=places.__getitem__))


def next_draw(
    rows: TournamentRows,
    pinned_tables: Sequence[Table] = (),
    round_: int | None = None,
    stage: int | None = None,
    in_use: Collection[int] = (),
) -> Draw:
    """Draw the next round, or ``round_`` again as it was drawn before it was played.

    ``pinned_tables`` are tables that stay; ``stage`` the number of a stage other than the current
    one, where two are played side by side (`domain.beside`), ``in_use`` the tables of the others
    (`tables_in_use`). A stage that has not begun takes its entrants first (`begin_stage`). The byes
    that were asked for come last.

    Raises CannotDraw with the codes that it lists.
    """
    if round_ is not None:
        stage = _stage_with_round(rows, round_) if stage is None else stage
        rows = _rows_before_round(rows, round_)
    rows, stage = begin_if_needed(rows, _requested_stage(rows, stage))
    field = replace(field_for(rows, stage, round_), pinned_tables=tuple(pinned_tables))
    _check_size(field)
    format_ = FORMATS[field.stage.format]
    before = tables_beside(rows, field.stage)
    draw = _draw_after_tables(field, before)
    draw = at_fixed_tables(draw, field, before, same_deals=format_.same_deals)
    draw = _with_byes(off_tables_in_use(draw, field, in_use), field)
    _check(draw, field)
    reasons = (*draw.reasons, *_seeding_reasons(draw, field), *_line_reasons(rows, field.stage))
    return replace(draw, reasons=reasons)


def draw_all(
    rows: TournamentRows, number: int | None = None, in_use: Collection[int] = ()
) -> tuple[Draw, ...]:
    """Draw all rounds that are left of a stage, where none depends on a result.

    Only where `Format.is_drawn_ahead`; who is away later is away in those rounds. ``number`` is
    the stage's, by default the current one; ``in_use`` as of `next_draw`. Raises CannotDraw:
    ``too_many_rounds``, and what `next_draw` raises.
    """
    rows, number = begin_if_needed(rows, _requested_stage(rows, number))
    draws: list[Draw] = []
    while not FORMATS[stage_of(rows, number).format].is_over(
        stage_of(rows, number), rows.by_number
    ):
        draws.append(next_draw(rows, stage=number, in_use=in_use))
        rows = with_round(rows, number, draws[-1].tables)
    return tuple(draws)


def with_round(
    rows: TournamentRows, number: int, tables: tuple[Table, ...], round_: int | None = None
) -> TournamentRows:
    """Return the rows with one more published round in a stage, by default its next."""
    stage = stage_of(rows, number)
    new_round = Round(round_ or next_round(rows, number), tables, State.PUBLISHED)
    return with_stage(rows, replace(stage, rounds=(*stage.published, new_round)))


def with_stage(rows: TournamentRows, stage: Stage) -> TournamentRows:
    """Return the rows with a stage in place of the one with its number."""
    stages = tuple(stage if old.number == stage.number else old for old in rows.stages)
    return replace(rows, stages=stages)


def eliminated_entrants(
    rows: TournamentRows, stage: Stage, round_: int, entrants: Sequence[int]
) -> tuple[int, ...]:
    """Return those of ``entrants`` in a round of brackets whom earlier results eliminate.

    So after a correction of a result that the round was drawn from. Empty outside of brackets, and
    while a result before the round is missing.
    """
    to_pair = FORMATS[stage.format].to_pair
    if to_pair is None or not FORMATS[stage.format].in_brackets:
        return ()
    before = replace(stage, rounds=tuple(r for r in stage.published if r.number < round_))
    survivors = to_pair(before, rows.by_number, round_)
    return tuple(entrant for entrant in entrants if entrant not in survivors) if survivors else ()


# --- which stage, and as it was when -----------------------------------------------------------


def _requested_stage(rows: TournamentRows, number: int | None) -> Stage:
    """Return the stage that is asked for, by default the current one."""
    stage = current_stage(rows) if number is None else stage_of(rows, number)
    if stage is None:
        raise CannotDraw("stage_over")
    return stage


def _stage_with_round(rows: TournamentRows, round_: int) -> int | None:
    """Return the number of the stage that has a round, drafts included."""
    for stage in rows.stages:
        if any(stage_round.number == round_ for stage_round in stage.rounds):
            return stage.number
    return None


def _rows_before_round(rows: TournamentRows, round_: int) -> TournamentRows:
    """Return the rows as they were before a round was drawn."""
    return replace(
        rows,
        stages=tuple(
            replace(stage, rounds=tuple(r for r in stage.rounds if r.number < round_))
            for stage in rows.stages
        ),
    )


def begin_if_needed(rows: TournamentRows, stage: Stage) -> tuple[TournamentRows, int]:
    """Return the rows with the stage's entrants and its seeding in it, and its number."""
    if not stage.entrants:
        rules = replace(stage.rules, seeding=seeding_of(rows, stage.number))
        entrants = begin_stage(rows, stage.number)
        stage = replace(stage, entrants=entrants, rules=rules)
        rows = with_stage(rows, stage)
    return rows, stage.number


# --- who comes in ------------------------------------------------------------------------------


class _Tier(NamedTuple):
    """Entrants of the list who come in the same round with the same rating, as entered."""

    joined: int
    entrants: tuple[int, ...]


def _entry_tiers(rows: TournamentRows) -> tuple[_Tier, ...]:
    """Return the entrants who have not left: by rating, those who come later after them."""
    round_ = next_round(rows)
    entrants = [entrant for entrant in rows.entrants if not entrant.has_left(round_)]

    def seed(entrant: Entrant) -> tuple[int, float]:
        return max(entrant.joined, round_), -entrant.rating

    entrants.sort(key=lambda entrant: (*seed(entrant), entrant.number))
    return tuple(
        _Tier(joined, tuple(entrant.number for entrant in equals))
        for (joined, _), equals in groupby(entrants, key=seed)
    )


def _tiers(
    rows: TournamentRows, stage: Stage, seeding: Seeding, pots: Sequence[Pot] | None
) -> Tiers:
    """Return the qualifiers, best first: those of one tier are equals, whose order is drawn."""
    late_tiers: list[Sequence[int]] = []
    if pots is None:
        listed, round_ = _entry_tiers(rows), next_round(rows)
        tiers: list[Sequence[int]] = [tier.entrants for tier in listed if tier.joined == round_]
        late_tiers = [tier.entrants for tier in listed if tier.joined != round_]
    else:
        tiers = [[entrant for entrant, _ in pot] for pot in pots]
    if seeding is Seeding.LOT:
        return (*seed_tiers(tiers, stage.rules.seeded, stage.seed), *late_tiers)
    return (*tiers, *late_tiers)


def _is_cross_seeded(stage: Stage, source: Stage | None) -> bool:
    """Tell whether the best of several groups go into a tree."""
    is_parted = source is not None and FORMATS[source.format].groups is not None
    return is_parted and FORMATS[stage.format].in_brackets


def _order_by_lot(pot: Pot, seed: str) -> Pot:
    return sorted(pot, key=lambda qualifier: lot(seed, qualifier[0]))


APART: Final = 100
SAME_GROUP: Final = 10
SAME_CLUB: Final = 1
"""What a meeting in the first round costs: of two to be kept apart, from one group, of one club."""


def _separate_origins(
    rows: TournamentRows, stage: Stage, order: tuple[int, ...], tiers: Tiers, pots: Sequence[Pot]
) -> tuple[int, ...]:
    """Return the order with equals exchanged so that few of one origin meet in the first round.

    Looks at ratings and origins only, not at absences and byes, so that the order stays provable.
    """
    labels = {entrant: _labels(rows.by_number[entrant]) for entrant in order}
    if len({group for pot in pots for _, group in pot}) > 1:
        for entrant, group in chain(*pots):
            labels[entrant] = {**labels[entrant], f"group {group}": SAME_GROUP}
    own_of_all = [label for entrant_labels in labels.values() for label in entrant_labels]
    if not FORMATS[stage.format].paired_by_place or len(own_of_all) == len(set(own_of_all)):
        return order

    def cost(first: int, other: int) -> int:
        return sum(
            label_cost for label, label_cost in labels[first].items() if label in labels[other]
        )

    tier_of = {entrant: number for number, tier in enumerate(tiers) for entrant in tier}
    pools = {place: (tier_of[entrant], 0) for place, entrant in enumerate(order)}
    if FORMATS[stage.format].groups is not None:
        for group, places in enumerate(serpentine(len(order), stage.rules.groups)):
            pools.update({place: (tier_of[order[place]], group) for place in places})
    return separate_equals(order, _first_meetings(rows, stage, order), pools, cost, stage.seed)


def _labels(entrant: Entrant) -> dict[str, int]:
    """Return the labels that an entrant may share with others, and the cost of sharing each."""
    labels = {f"apart {label}": APART for label in entrant.apart}
    return labels | ({f"club {entrant.club}": SAME_CLUB} if entrant.club else {})


def _first_meetings(
    rows: TournamentRows, stage: Stage, order: Sequence[int]
) -> list[tuple[int, int]]:
    """Return the meetings in the first round of a stage, as places in the order, from 0."""
    round_, entrants = next_round(rows), rows.by_number
    unnamed = {
        place: Entrant(place, joined=entrants[entrant].joined)
        for place, entrant in enumerate(order, start=1)
    }
    field = Field(
        stage=replace(stage, entrants=tuple(unnamed), rounds=()),
        entrants=unnamed,
        round=round_,
        present=tuple(place for place, entrant in unnamed.items() if entrant.joined <= round_),
    )
    _check_size(field)
    tables = FORMATS[stage.format].draw(field).tables
    pairs = (table.entrants for table in tables if not table.is_bye)
    return [(place - 1, other - 1) for place, other in pairs]


class _Taken(NamedTuple):
    """The entrants that other stages filled from the same table keep, by the places of these.

    ``places`` are those before the stage's own; None: as many as the table has of ``entrants``.
    """

    entrants: frozenset[int]
    places: int | None


def _taken_places(rows: TournamentRows, stage: Stage) -> _Taken:
    """Return what the stages keep that had a published round before this one."""
    others = [stage_of(rows, number) for number in stage.rules.without]
    return _Taken(
        frozenset(chain.from_iterable(other.entrants for other in others)),
        sum(other.rules.take for other in others if other.rules.take_from < stage.rules.take_from),
    )


def _taken_by_beside(rows: TournamentRows, stage: Stage) -> _Taken:
    """Return what the stages keep beside which this one began, drawn or published.

    Those that took later places were counted among the places before, so that of three boards
    drawn from the last to the first the second got the entrants of the first. Files of then are
    verified by it.
    """
    sources = sources_of(rows, stage)
    others = (other for other in stages_beside(rows, stage) if other not in sources)
    return _Taken(frozenset(chain.from_iterable(other.entrants for other in others)), None)


def _qualified(
    rows: TournamentRows, stage: Stage, source: Stage, taken: _Taken, *, by_lot: bool
) -> list[Pot]:
    """Return those who come from a finished stage: winners of its tables, then seconds.

    Those of one table who share a place are put in order by lot where ``by_lot`` says so.
    """
    if stage.rules.take_out:
        out = _out_of(rows, stage, source)
        if not out:
            raise CannotDraw("waiting", stage=source.number, tables=open_tables(source))
        lines = [line for line in ranking(rows, source) if line.entrant in out]
        of_all = replace(stage, rules=replace(stage.rules, take_from=0))
        return _pots([_qualifiers_of(rows, of_all, lines, taken, by_lot=by_lot)])
    if not is_finished(rows, source):
        still_in = _still_in(rows, stage, source)
        if not still_in:
            raise CannotDraw("waiting", stage=source.number, tables=open_tables(source))
        taken = _Taken(taken.entrants | still_in, len(still_in) + (taken.places or 0))
    if FORMATS[source.format].groups is None:
        ranked = [ranking(rows, source)]
    else:
        ranked = [group.lines for group in tables(rows, source)]
    return _pots([_qualifiers_of(rows, stage, lines, taken, by_lot=by_lot) for lines in ranked])


def _qualifiers_of(
    rows: TournamentRows,
    stage: Stage,
    lines: Sequence[StandingsLine],
    taken: _Taken,
    *,
    by_lot: bool,
) -> list[int]:
    """Return the qualifiers from one table, best first."""
    round_, entrants = next_round(rows), rows.by_number
    gone = {line.entrant for line in lines if line.entrant in taken.entrants}
    lines = sorted(
        (
            line
            for line in lines
            if line.entrant not in gone and not entrants[line.entrant].has_left(round_)
        ),
        key=lambda line: (line.rank, lot(stage.seed, line.entrant) if by_lot else ""),
    )
    rules = stage.rules
    first = max(0, rules.take_from - (len(gone) if taken.places is None else taken.places))
    last = first + rules.take if rules.take else len(lines)
    for cut in (first, last):
        if 0 < cut < len(lines) and lines[cut - 1].rank == lines[cut].rank:
            shared = [line.entrant for line in lines if line.rank == lines[cut].rank]
            raise CannotDraw("shared_place", entrants=tuple(shared), place=lines[cut].rank)
    return [line.entrant for line in lines[first:last]]


def _pots(qualifiers: Sequence[Sequence[int]]) -> list[Pot]:
    """Return the winners of the tables, then the seconds, and so on, with their tables' numbers."""
    max_places = max(map(len, qualifiers), default=0)
    return [
        [
            (entrants[place], number)
            for number, entrants in enumerate(qualifiers)
            if place < len(entrants)
        ]
        for place in range(max_places)
    ]


# --- the round ---------------------------------------------------------------------------------


def _check_size(field: Field) -> None:
    """Refuse a first round of too few or too many entrants, and more rounds than a file holds."""
    format_, count = FORMATS[field.stage.format], len(field.present)
    if len(field.stage.rounds) >= MAX_ROUNDS:
        raise CannotDraw("too_many_rounds", most=MAX_ROUNDS)
    if field.stage.rounds:
        return
    if count < format_.min_entrants:
        raise CannotDraw("too_few", least=format_.min_entrants)
    if count > format_.max_entrants:
        raise CannotDraw("too_many", most=format_.max_entrants)


def _seeding_reasons(draw: Draw, field: Field) -> Iterator[PairingReason]:
    """Yield how the first round of a stage was seeded, and where two of one origin meet in it."""
    stage, entrants = field.stage, field.entrants
    if stage.rounds or stage.rules.seeding in (Seeding.ORDER, Seeding.AUTO):
        return
    yield PairingReason(f"seeding_{stage.rules.seeding}", 0, (), {"seeded": stage.rules.seeded})
    if not FORMATS[stage.format].paired_by_place:
        return
    for table in draw.tables:
        labels = [set(_labels(entrants[entrant])) for entrant in table.entrants]
        common = set.intersection(*labels) if len(labels) > 1 else set()
        if common:
            origins = ", ".join(sorted({label.partition(" ")[2] for label in common}))
            yield PairingReason("same_origin", table.number, table.entrants, {"origin": origins})


def _line_reasons(rows: TournamentRows, stage: Stage) -> Iterator[PairingReason]:
    """Yield who would come into a stage by the table now, but plays in another one already."""
    others = [stage_of(rows, number) for number in stage.rules.without]
    if stage.rounds or not others:
        return
    qualified = _qualified_by_places(rows, stage.number)
    for other in others:
        for entrant in qualified:
            if entrant in other.entrants:
                facts = {"stage": other.number}
                yield PairingReason("plays_elsewhere", 0, (entrant,), facts)


def _draw_after_tables(field: Field, before: int) -> Draw:
    """Draw a round by its format, with table numbers after those of the stages beside it."""
    draw = FORMATS[field.stage.format].draw
    if not before:
        return draw(field)
    pinned = tuple(replace(table, number=table.number - before) for table in field.pinned_tables)
    drawn = draw(replace(field, pinned_tables=pinned))
    return replace(
        drawn,
        tables=tuple(replace(table, number=table.number + before) for table in drawn.tables),
        reasons=tuple(
            replace(reason, table=reason.table + before) if reason.table else reason
            for reason in drawn.reasons
        ),
    )


def _with_byes(draw: Draw, field: Field) -> Draw:
    """Add a table for each bye that was asked for, after all others."""
    number = max((table.number for table in draw.tables), default=0)
    tables, reasons = list(draw.tables), list(draw.reasons)
    for entrant, bye in sorted(field.byes.items()):
        number += 1
        tables.append(Table(number, ((entrant,),), bye=bye))
        reasons.append(PairingReason("asked_bye", number, (entrant,), {"bye": bye.value}))
    return replace(draw, tables=tuple(tables), reasons=tuple(reasons))


def _check(draw: Draw, field: Field) -> None:
    """Make sure that nobody was drawn twice or without being there, and every pin is kept."""
    entrants = [entrant for table in draw.tables for entrant in table.entrants]
    strangers = set(entrants) - set(field.present) - set(field.byes)
    numbers = [table.number for table in draw.tables]
    sound = (
        len(set(entrants)) == len(entrants) and len(set(numbers)) == len(numbers) and not strangers
    )
    if not sound or not set(field.pinned_tables) <= set(draw.tables):
        raise UnsoundDraw(f"{field.stage.format}, round {field.round}: {draw.tables}")

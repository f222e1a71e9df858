"""A round that is still a draft, as the organiser who arranges it sees it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from tournaments.core.find import not_found_unless, or_404
from tournaments.core.permissions import Actor
from tournaments.director.queries.outdated import DraftDifferences, draft_differences
from tournaments.director.queries.rows import arrangement_of
from tournaments.director.queries.seats import two_seats_objections
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.queries.state import (
    first_draft_before,
    role_of,
)
from tournaments.director.queries.tournaments import (
    StageHead,
    TournamentHead,
    open_tournament,
)
from tournaments.domain.drafts import draft_objections, rows_before
from tournaments.domain.messages import explain
from tournaments.domain.names import sort_key
from tournaments.domain.pairing.base import Field, PairingReason
from tournaments.domain.pairing.checks import IMPOSSIBLE, move_objections
from tournaments.domain.pairing.past import TWO_SIDES, stage_history
from tournaments.domain.pairing.swiss import join_values, points_text
from tournaments.domain.rows import Entrant, Table, TournamentRows
from tournaments.domain.stages import field_for
from tournaments.domain.state import RoundFacts, Verbs, closed_reason, verbs
from tournaments.models import Match, RestorePoint, Round, Tournament


@dataclass(frozen=True, slots=True)
class DraftWarning:
    """A rule that the draft breaks; ``forbids`` publishing, or only warns. Table 0 means none."""

    text: str
    table: int
    forbids: bool


@dataclass(frozen=True, slots=True)
class Seat:
    """An entry that can be moved; ``table`` is 0 for one without a table.

    ``points`` are its match points, ``float`` whether it met fewer ("down") or more ("up") in the
    last round, ``byes`` in which rounds it had a bye: all as the draw counts. ``met`` are those
    whom it has met, with the rounds; ``apart`` the labels of those it is not to meet.
    """

    number: int
    name: str
    table: int
    points: str = ""
    float: str = ""
    byes: tuple[int, ...] = ()
    met: tuple[str, ...] = ()
    club: str = ""
    apart: tuple[str, ...] = ()
    fixed_table: int = 0


@dataclass(frozen=True, slots=True)
class DraftTable:
    """A table of a draft: the entries of its sides, and the reasons of the pairing."""

    pk: int
    table: int
    sides: tuple[tuple[Seat, ...], ...]
    bye: str
    pinned: bool
    edited: bool
    whys: tuple[str, ...]
    warnings: tuple[DraftWarning, ...]


@dataclass(frozen=True, slots=True)
class DraftPage:
    """A draft to be arranged: its tables, its entries, and the rules it breaks.

    ``foreseen`` is what moves would break, for the page's script: see :func:`_move_warnings`.
    ``move`` is the verb of the last change that can be undone, or empty; ``may`` is the round's.
    ``again`` is the change after which the service has drawn it again, ``outdated`` the one since
    which it would be drawn otherwise; ``may_as_is``: it can be published as it is.
    ``arrangement`` is the digest of its places, by which a change of an old view is refused.
    """

    head: TournamentHead
    round: int
    whys: tuple[str, ...]
    tables: tuple[DraftTable, ...]
    seats: tuple[Seat, ...]
    warnings: tuple[DraftWarning, ...]
    foreseen: Mapping[str, Mapping[str, list[str]]]
    move: str
    may: Verbs
    arrangement: str
    again: str = ""
    outdated: str = ""
    differences: DraftDifferences | None = None
    may_as_is: bool = False

    @property
    def idle(self) -> tuple[Seat, ...]:
        """The entries without a table."""
        return tuple(seat for seat in self.seats if not seat.table)

    @property
    def by_name(self) -> tuple[Seat, ...]:
        """The entries in the order of a list to choose from."""
        return tuple(sorted(self.seats, key=lambda seat: sort_key(seat.name)))

    @property
    def columns(self) -> range:
        """The numbers of the sides of its largest table, from 1."""
        return range(1, max((len(table.sides) for table in self.tables), default=TWO_SIDES) + 1)

    @property
    def is_publishable(self) -> bool:
        """Whether nothing forbids publishing it."""
        return self.may["publish"] and not any(warning.forbids for warning in self.warnings)


MAX_FORESEEN: Final = 300
"""Entries up to which a page carries what moves would break: 45,000 twos cost some 0.2 s."""

MOVES: Final = ("draft.swapped", "draft.paired", "draft.parted", "draft.rested")
"""Changes of a draft by hand, each with a restore point before it."""

UNDOABLE_VERBS: Final = (*MOVES, "draft.drawn_again")


@dataclass(frozen=True, slots=True)
class NextRound:
    """A round that can be drawn now: its number, and its stage where there is a choice.

    ``after`` is the number of the last round that was drawn.
    """

    number: int
    after: int
    stage: StageHead | None = None


def next_to_draw(head: TournamentHead) -> tuple[NextRound, ...]:
    """Return the rounds that can be drawn now, one a stage, for those who may draw them."""
    if not head.may.verbs["draw_next"]:
        return ()
    after = head.rounds_drawn
    if not head.is_side_by_side:
        return (NextRound(after + 1, after),)
    return tuple(NextRound(after + 1, after, head.stage(number)) for number in head.to_draw)


def drafts_beside(round_: Round) -> list[Round]:
    """Return the next drafts of the other stages, of those that are playing no round; one query."""
    rounds = Round.objects.filter(stage__tournament=round_.stage.tournament)
    rounds = rounds.exclude(stage=round_.stage).exclude(state=Round.State.CLOSED)
    firsts: dict[int, Round] = {}
    for one in rounds.select_related("stage__tournament__club").order_by("state", "number"):
        playing = firsts.get(one.stage_id)
        if playing is None or one.state == Round.State.PUBLISHED:
            firsts[one.stage_id] = one
    return [one for one in firsts.values() if one.state == Round.State.DRAFT]


def draft_field(rows: TournamentRows, round_: Round) -> Field:
    """Return the entrants present for a draft, and what was played before it."""
    return field_for(rows_before(rows, round_.number), round_.stage.number, round_.number)


def draft_tables(rows: TournamentRows, round_: Round) -> tuple[Table, ...]:
    """Return the tables of a round."""
    rounds = (r for stage in rows.stages for r in stage.rounds if r.number == round_.number)
    return next((r.tables for r in rounds), ())


def warnings_of(round_: Round) -> tuple[PairingReason, ...]:
    """Return the rules that a draft breaks, impossibilities first; twelve queries."""
    rows = rows_of(round_.stage.tournament)
    tables = draft_tables(rows, round_)
    two_seats = two_seats_objections(round_.stage.tournament, tables, round_.number)
    of_draft = draft_objections(rows, round_.number, round_.stage.number, tables)
    return (*two_seats, *of_draft)


def forbidding_warnings(warnings: tuple[PairingReason, ...]) -> tuple[PairingReason, ...]:
    """Return the warnings that forbid publishing the round."""
    return tuple(warning for warning in warnings if warning.code in IMPOSSIBLE)


def draft_page(slug: str, number: int, viewer: Actor, language: str) -> DraftPage:
    """Return a draft for its editor; NOT_FOUND to all but the club's people, or if published."""
    access = open_tournament(slug, viewer)
    not_found_unless(access.powers.member)
    rounds = Round.objects.filter(stage__tournament=access.tournament, number=number)
    round_ = or_404(rounds.select_related("stage__tournament").first())
    not_found_unless(round_.state == Round.State.DRAFT)
    rows = rows_of(access.tournament)
    names = rows.shown_names
    field, tables = draft_field(rows, round_), draft_tables(rows, round_)
    broken = tuple(
        DraftWarning(_reason_text(reason, names, language), reason.table, reason.code in IMPOSSIBLE)
        for reason in (
            *two_seats_objections(access.tournament, tables, number),
            *draft_objections(rows, number, round_.stage.number, tables),
        )
    )
    table_numbers = {entrant: table.number for table in tables for entrant in table.entrants}
    numbers = sorted({*field.present, *field.byes, *table_numbers})
    seats = {seat.number: seat for seat in _seats(field, numbers, table_numbers, names)}
    point = last_move(access.tournament, number)
    facts = RoundFacts(
        access.head.state,
        number,
        round_.state,
        earlier_draft=first_draft_before(access.rounds, number),
        outdated=round_.is_outdated,
    )
    may_as_is = closed_reason("publish", replace(facts, outdated=False)) is None
    return DraftPage(
        head=access.head,
        round=number,
        whys=reasons(round_.drawn.get("whys", ()), names, language),
        tables=_tables(round_, tables, seats, names, broken, language),
        seats=tuple(seats.values()),
        warnings=broken,
        foreseen=_move_warnings(field, numbers, tables, names, language),
        arrangement=arrangement_of(round_.matches.all()),
        move="" if point is None else point.verb,
        may=verbs(facts, role_of(viewer, access.powers)),
        again=round_.drawn.get("again", ""),
        outdated=round_.drawn.get("outdated", ""),
        differences=draft_differences(rows, round_, tables) if round_.is_outdated else None,
        may_as_is=may_as_is and not any(warning.forbids for warning in broken),
    )


def _seats(
    field: Field, numbers: Iterable[int], table_numbers: Mapping[int, int], names: Mapping[int, str]
) -> Iterator[Seat]:
    """Yield the entries of a draft with what the draw knew of them."""
    before, has_begun = stage_history(field.stage, field.entrants), bool(field.stage.rounds)
    opponents: dict[int, list[str]] = {}
    for two, rounds in sorted(before.meeting_rounds.items(), key=lambda item: item[1]):
        for number, other in (two, two[::-1]):
            opponents.setdefault(number, []).append(
                f"{names.get(other, other)} ({join_values(rounds)})"
            )
    for number in numbers:
        entrant = field.entrants.get(number, Entrant(number))
        floated = "down" if number in before.down else "up" if number in before.up else ""
        yield Seat(
            number=number,
            name=names.get(number, str(number)),
            table=table_numbers.get(number, 0),
            points=points_text(before.score(number)) if has_begun else "",
            float=floated,
            byes=before.byes.get(number, ()),
            met=tuple(opponents.get(number, ())),
            club=entrant.club,
            apart=entrant.apart,
            fixed_table=entrant.fixed_table,
        )


def _move_warnings(
    field: Field,
    numbers: Sequence[int],
    tables: Sequence[Table],
    names: Mapping[int, str],
    language: str,
) -> dict[str, dict[str, list[str]]]:
    """Return what moves would break as sentences, by situation and by entry numbers ("3-7").

    Deals that would be played again are by entry and table ("3@1").

    Empty in large rounds, where only the draft as it is arranged is judged.
    """
    if len(numbers) > MAX_FORESEEN:
        return {}
    breaches = move_objections(field, numbers, tables)
    sentences: dict[str, dict[str, list[str]]] = {}
    for situation in ("together", "playing", "resting", "nowhere"):
        of_one = sentences.setdefault(situation, {})
        for reason in getattr(breaches, situation):
            key = "-".join(map(str, reason.entrants))
            of_one.setdefault(key, []).append(_reason_text(reason, names, language))
    of_tables = sentences.setdefault("deals", {})
    for reason in breaches.deals:
        text = _reason_text(reason, names, language)
        of_tables.setdefault(f"{reason.entrants[0]}@{reason.table}", []).append(text)
    return sentences


def last_move(tournament: Tournament, number: int) -> RestorePoint | None:
    """Return the point before the last change of a draft that was not undone, if it was the last.

    Points of changes that were undone with an earlier one are passed over: one that is older than
    such a point was restored after it.
    """
    points = tournament.restore_points.order_by("-pk").defer("snapshot")
    restored = [(point.pk, point.used_at) for point in points if point.used_at is not None]
    for point in points:
        is_restore = point.verb == "tournament.restored"
        if is_restore and point.used_at is not None:
            return None  # what was undone has come back: which move was the last is not known
        is_undone = any(pk <= point.pk and used >= point.made_at for pk, used in restored)
        if is_undone or is_restore:
            continue
        is_move = point.verb in UNDOABLE_VERBS and point.round_number == number
        return point if is_move else None
    return None


def _tables(
    round_: Round,
    tables: Sequence[Table],
    seats: Mapping[int, Seat],
    names: Mapping[int, str],
    broken: Sequence[DraftWarning],
    language: str,
) -> tuple[DraftTable, ...]:
    matches = {match.table: match for match in Match.objects.filter(round=round_)}
    return tuple(
        DraftTable(
            pk=matches[table.number].pk,
            table=table.number,
            sides=tuple(tuple(seats[number] for number in side) for side in table.sides),
            bye=matches[table.number].bye,
            pinned=table.pinned,
            edited=matches[table.number].edited,
            whys=reasons(matches[table.number].whys, names, language),
            warnings=tuple(warning for warning in broken if warning.table == table.number),
        )
        for table in tables
    )


def reasons(
    documents: Iterable[Mapping[str, Any]], names: Mapping[int, str], language: str
) -> tuple[str, ...]:
    """Return the reasons stored with a match or a round as sentences."""
    pairing_reasons = (
        PairingReason(document["code"], 0, tuple(document["entrants"]), document["facts"])
        for document in documents
    )
    return tuple(_reason_text(reason, names, language) for reason in pairing_reasons)


def _reason_text(reason: PairingReason, names: Mapping[int, str], language: str) -> str:
    return explain(reason, lambda number: names.get(number, str(number)), language)

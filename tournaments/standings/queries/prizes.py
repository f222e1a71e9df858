"""Prizes of a tournament or season: the list, who gets what, and what was handed out.

Who gets a prize follows from the standings, and nothing of it is stored. Those who were expelled
or left without having played get none, nor do bots: the next move up.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from tournaments.core.cache import get_or_compute
from tournaments.core.db import row_of
from tournaments.core.permissions import Actor, refuse_unless
from tournaments.director.queries.expected import present_entries
from tournaments.director.queries.snapshot import TournamentSnapshot, key_of, tournament_snapshot
from tournaments.director.queries.tournaments import TournamentHead, open_tournament
from tournaments.domain.names import ShownNames
from tournaments.domain.prizes import (
    Award,
    PlacedEntry,
    PrizeRow,
    PrizeTerms,
    amount_of,
    awards,
    close_gaps,
    prize_lots,
    raffle_winners,
)
from tournaments.domain.ranking import tables
from tournaments.domain.season import final_places
from tournaments.models import CashEntry, PrizeLine, Season, Tournament
from tournaments.signup.queries.cash import takings_of
from tournaments.signup.queries.places import seats_of
from tournaments.standings.queries.seasons import SeasonStanding

Placed = Mapping[int, int]
"""Places by entry number, of those who can get a prize."""


class Places(NamedTuple):
    """The places of a tournament: the final ones, and those of each group of its stages.

    ``stages`` are by number; a stage without groups has one table, whose group is 0. ``seeds`` are
    by stage, that of the last under None: the final places are drawn from it.
    """

    final: Placed
    stages: Mapping[int, Sequence[tuple[int, Placed]]]
    seeds: Mapping[int | None, str]
    people: Mapping[int, tuple[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class PrizeLineRow:
    """A line of the list: each of the places ``first`` to ``last`` has it, of a ``stage`` if set.

    ``amount`` is its money as it stands, in cents; None before the draw and where it is goods.
    """

    pk: int
    stage: int | None
    first: int
    last: int
    per: str
    cents: int | None
    percent: int | None
    text: str
    times: int = 0
    raffled: bool = False
    amount: int | None = None

    @property
    def is_for_all(self) -> bool:
        """Whether everybody gets it."""
        return self.first == 0 and not self.raffled

    @property
    def is_per_person(self) -> bool:
        """Whether each person of an entry gets it."""
        return self.per == PrizeLine.Per.PERSON

    def goods_of(self, seats: int) -> str:
        """Return the goods of an entry of so many people: ``2 × Ham``."""
        return f"{seats} × {self.text}" if self.is_per_person and seats > 1 else self.text

    @property
    def row(self) -> PrizeRow:
        """The line as the rules of prizes read it."""
        return PrizeRow(
            self.pk,
            self.first,
            self.last,
            self.cents,
            self.percent,
            self.text,
            per_person=self.is_per_person,
        )


@dataclass(frozen=True, slots=True)
class Recipient(ShownNames):
    """An entry with the prize of its place; ``stage`` is None for the final places.

    ``goods`` are texts, ``goods_lines`` the lines they come from; ``money_line`` is the first line
    with money, 0 without. ``shared`` is the number of entries that share the place, ``by_lot`` says
    that a lot decided about goods. ``raffled`` says that it won some of them in the raffle;
    an entry that has no other prize has place 0.
    """

    stage: int | None
    group: int
    place: int
    number: int
    name: str
    players: tuple[str, ...]
    cents: int = 0
    goods: tuple[str, ...] = ()
    goods_lines: tuple[int, ...] = ()
    money_line: int = 0
    shared: int = 1
    by_lot: bool = False
    raffled: bool = False
    is_bot: bool = False

    @property
    def is_due(self) -> bool:
        """Whether it gets something now."""
        return self.place > 0 or self.raffled


@dataclass(frozen=True, slots=True)
class PrizeList:
    """The prizes of a tournament, and who gets them as it stands; nobody before the draw.

    Amounts are meant for ``meant_for`` entries; ``entries`` is how many there are.
    """

    lines: tuple[PrizeLineRow, ...]
    recipients: tuple[Recipient, ...] = ()
    entries: int = 0
    meant_for: int | None = None
    scale_up: bool = False
    unit: int = 100
    is_final: bool = False

    @property
    def for_all(self) -> tuple[PrizeLineRow, ...]:
        """The lines that everybody gets."""
        return tuple(line for line in self.lines if line.is_for_all)

    @property
    def to_raffle(self) -> tuple[PrizeLineRow, ...]:
        """The lines that are raffled once the tournament is finished."""
        return () if self.is_final else tuple(line for line in self.lines if line.raffled)

    @property
    def by_lot(self) -> bool:
        """Whether a lot decided about goods."""
        return any(one.by_lot for one in self.recipients)


# --- The list -------------------------------------------------------------------------------------


def prize_list(tournament: Tournament) -> PrizeList:
    """Return the prizes of a tournament, and who gets them as it stands.

    One query without lines and before the draw, then two and those of the standings; one more for
    who is present, where something was raffled: that is drawn once the tournament is finished.
    """
    listed = _listed(tournament)
    lines = listed.lines
    if not lines or tournament.state == Tournament.State.DRAFT:
        return listed
    snapshot = tournament_snapshot(tournament)
    terms = PrizeTerms(
        entries=len(snapshot.rows.entrants),
        takings=takings_of(tournament) if any(line.percent for line in lines) else 0,
        meant_for=tournament.prizes_meant_for,
        scale_up=tournament.prizes_scale_up,
        unit=tournament.prizes_unit,
    )
    places = get_or_compute(key_of("prize-places", tournament, 0), lambda: _places(snapshot))
    lines, seats = tuple(_with_amount(line, terms) for line in lines), seats_of(tournament)
    recipients = tuple(_recipients(lines, places, terms, seats))
    if listed.is_final and any(line.raffled for line in lines):
        recipients = _with_raffle(recipients, lines, places, present_entries(tournament), seats)
    return replace(
        listed,
        lines=lines,
        recipients=recipients,
        entries=terms.entries,
    )


def prizes_on_poster(pk: int) -> PrizeList:
    """Return the prizes of a tournament as they were announced; two queries."""
    return _listed(Tournament.objects.get(pk=pk))


def _listed(tournament: Tournament) -> PrizeList:
    return PrizeList(
        tuple(row_of(PrizeLineRow, line, amount=None) for line in tournament.prize_lines.all()),
        meant_for=tournament.prizes_meant_for,
        scale_up=tournament.prizes_scale_up,
        unit=tournament.prizes_unit,
        is_final=tournament.state == Tournament.State.FINISHED,
    )


def _with_amount(line: PrizeLineRow, terms: PrizeTerms) -> PrizeLineRow:
    is_money = line.cents is not None or line.percent is not None
    amount = amount_of(line.row, terms) if is_money else None
    return row_of(PrizeLineRow, line, amount=amount)


def _places(snapshot: TournamentSnapshot) -> Places:
    """Return the places of those who can get a prize; one query."""
    rows = snapshot.rows
    published = [stage for stage in rows.stages if stage.published]
    left_out = {n for n, who in snapshot.competitor_refs.items() if who.startswith("bot-")}
    left_out |= snapshot.expelled
    stages = {stage.number: tables(rows, stage) for stage in published}
    for groups in stages.values():
        left_out.update(
            line.entrant for table in groups for line in table.lines if not line.on_podium
        )
    final = [(place.who, place.rank) for place in final_places(rows)]
    seeds: dict[int | None, str] = {stage.number: stage.seed for stage in published}
    return Places(
        close_gaps(final, left_out),
        {
            number: [
                (
                    table.group,
                    close_gaps([(line.entrant, line.rank) for line in table.lines], left_out),
                )
                for table in groups
            ]
            for number, groups in stages.items()
        },
        seeds | {None: published[-1].seed if published else ""},
        {entrant.number: (entrant.name, entrant.players) for entrant in rows.entrants},
    )


def _recipients(
    lines: Sequence[PrizeLineRow], places: Places, terms: PrizeTerms, seats: int
) -> Iterable[Recipient]:
    """Yield who gets what: of the final places, then of the places of each stage."""
    by_pk = {line.pk: line for line in lines}
    scopes: dict[int | None, list[PrizeRow]] = defaultdict(list)
    for line in lines:
        scopes[line.stage].append(line.row)
    for stage in sorted(scopes, key=lambda number: number or 0):
        of_stage = [(0, places.final)] if stage is None else places.stages.get(stage, ())
        for group, placed in of_stage:
            table = [PlacedEntry(number, place, seats) for number, place in placed.items()]
            lots = prize_lots(places.seeds[stage], {number: number for number in placed})
            for award in awards(scopes[stage], table, terms, lots):
                people = places.people[award.number]
                yield _recipient(award, stage, group, people, by_pk, seats)


def _with_raffle(
    recipients: Sequence[Recipient],
    lines: Sequence[PrizeLineRow],
    places: Places,
    present: Sequence[int],
    seats: int,
) -> tuple[Recipient, ...]:
    """Return the recipients with what was raffled among those present, drawn from the stage's seed.

    A winner with a prize of the final places keeps one line, which the ceremony calls once.
    """
    raffled = [line for line in lines if line.raffled]
    by_entry = {(one.number, one.stage): one for one in recipients}
    winners = raffle_winners(places.seeds[None], len(raffled), present)
    for line, number in zip(raffled, winners, strict=False):
        name, players = places.people[number]
        one = by_entry.get((number, None)) or Recipient(None, 0, 0, number, name, players)
        by_entry[number, None] = replace(
            one,
            goods=(*one.goods, line.goods_of(seats)),
            goods_lines=(*one.goods_lines, line.pk),
            raffled=True,
        )
    return tuple(by_entry.values())


def _recipient(
    award: Award,
    stage: int | None,
    group: int,
    people: tuple[str, tuple[str, ...]],
    lines: Mapping[int, PrizeLineRow],
    seats: int,
) -> Recipient:
    name, players = people
    money = (pk for pk in award.lines if lines[pk].amount is not None)
    return row_of(
        Recipient,
        award,
        stage=stage,
        group=group,
        name=name,
        players=players,
        goods=tuple(lines[pk].goods_of(seats) for pk in award.goods),
        goods_lines=award.goods,
        money_line=next(money, 0),
        raffled=False,
        is_bot=False,
    )


# --- The ceremony ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HandedOut:
    """A note that money (``cents``) or else goods were handed out to ``payee``."""

    pk: int
    cents: int
    goods: tuple[str, ...]
    line: int
    payee: str
    made_by: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class CeremonyRow:
    """An entry that is called, what it gets and what it has got of it.

    ``cents_left`` is negative, and ``goods_over`` are named, where it has got more than it gets
    now: a result was corrected since. A row without a place gets nothing any more.
    """

    recipient: Recipient
    given: tuple[HandedOut, ...]
    goods_left: tuple[tuple[int, str], ...]
    goods_over: tuple[str, ...]

    @property
    def cents_left(self) -> int:
        """The money that is still to be handed out."""
        return self.recipient.cents - sum(one.cents for one in self.given)

    @property
    def cents_over(self) -> int:
        """The money that was handed out beyond what it gets now."""
        return max(0, -self.cents_left)

    @property
    def is_open(self) -> bool:
        """Whether something is still to be handed out."""
        return self.cents_left > 0 or (bool(self.goods_left) and not self.cents_over)

    @property
    def is_changed(self) -> bool:
        """Whether it gets something else now than what was handed out."""
        return bool(self.given) and bool(self.cents_left or self.goods_left or self.goods_over)


@dataclass(frozen=True, slots=True)
class CeremonyPage:
    """Who is called to the ceremony, the last first; ``others`` have got what they do not get."""

    head: TournamentHead
    prizes: PrizeList
    rows: tuple[CeremonyRow, ...]
    others: tuple[CeremonyRow, ...]


def ceremony_page(slug: str, viewer: Actor) -> CeremonyPage:
    """Return who is called to the ceremony. Refuses SIGN_IN, FORBIDDEN, NOT_FOUND."""
    access = open_tournament(slug, viewer)
    refuse_unless(access.head.may.arbitrate, viewer)
    prizes = prize_list(access.tournament)
    rows = ceremony_rows(access.tournament, prizes)
    return CeremonyPage(
        access.head,
        prizes,
        tuple(row for row in rows if row.recipient.is_due),
        tuple(row for row in rows if not row.recipient.is_due),
    )


def ceremony_rows(tournament: Tournament, prizes: PrizeList) -> tuple[CeremonyRow, ...]:
    """Return who is called, the last first, and then who has got what they do not get; one query.

    Places of stages come before the final places.
    """
    notes, names = _notes(tournament)
    texts = {line.pk: line.text for line in prizes.lines}
    due = {(one.number, one.stage): one for one in prizes.recipients}
    called = sorted(
        prizes.recipients,
        key=lambda one: (one.stage or 0, one.group, one.place, one.number),
        reverse=True,
    )
    gone = [
        Recipient(stage, 0, 0, number, names[number, stage], ())
        for number, stage in notes
        if (number, stage) not in due
    ]
    return tuple(
        _row(one, notes.get((one.number, one.stage), ()), texts) for one in (*called, *gone)
    )


def _notes(
    tournament: Tournament,
) -> tuple[dict[tuple[int, int | None], list[HandedOut]], dict[tuple[int, int | None], str]]:
    """Return the notes that stand, by entry number and stage, and to whom they were made.

    The number is 0 where the entry is no longer there.
    """
    rows = CashEntry.objects.filter(
        tournament=tournament, kind=CashEntry.Kind.PRIZE, reverses=None, reversal=None
    )
    notes: dict[tuple[int, int | None], list[HandedOut]] = defaultdict(list)
    names: dict[tuple[int, int | None], str] = {}
    for row in rows.select_related("prize", "request__entry").order_by("pk"):
        line, entry = row.prize, getattr(row.request, "entry", None)
        if line is None:
            continue
        key = (0 if entry is None else entry.number, line.stage)
        names[key] = row.payee if entry is None else entry.shown_name
        notes[key].append(
            row_of(
                HandedOut,
                row,
                cents=-row.cents,
                goods=() if row.cents else (line.text,),
                line=line.pk,
            )
        )
    return notes, names


def _row(one: Recipient, given: Sequence[HandedOut], texts: Mapping[int, str]) -> CeremonyRow:
    got = Counter(note.line for note in given if not note.cents)
    gets = Counter(one.goods_lines)
    return CeremonyRow(
        one,
        tuple(given),
        tuple((pk, texts[pk]) for pk in (gets - got).elements()),
        tuple(texts[pk] for pk in (got - gets).elements()),
    )


# --- Seasons --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeasonPrize(ShownNames):
    """A pair or player with the prize of its place in the table of a season.

    ``times`` is how often it had to come for a prize without a place (0).
    """

    place: int
    name: str
    players: tuple[str, ...]
    cents: int
    goods: tuple[str, ...]
    shared: int = 1
    by_lot: bool = False
    times: int = 0
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class SeasonPrizes:
    """The prizes of a season, and who gets them as it stands."""

    lines: tuple[PrizeLineRow, ...]
    recipients: tuple[SeasonPrize, ...]

    @property
    def for_all(self) -> tuple[PrizeLineRow, ...]:
        """The lines that everybody gets."""
        return tuple(line for line in self.lines if line.is_for_all)

    @property
    def by_lot(self) -> bool:
        """Whether a lot decided."""
        return any(one.by_lot for one in self.recipients)


def season_prizes(season: Season, table: Sequence[SeasonStanding]) -> SeasonPrizes:
    """Return the prizes of a season, and who gets them by its table; one query.

    The lot of a season is drawn from the moment it was opened: it has no seed.
    """
    lines = tuple(
        row_of(PrizeLineRow, line, amount=line.cents) for line in season.prize_lines.all()
    )
    texts = {line.pk: line.text for line in lines}
    placed = [PlacedEntry(number, line.rank) for number, line in enumerate(table)]
    lots = prize_lots(str(season.created_at), {n: line.key for n, line in enumerate(table)})
    found = awards([line.row for line in lines], placed, PrizeTerms(len(table)), lots)
    by_place = [
        row_of(
            SeasonPrize,
            table[award.number],
            place=award.place,
            cents=award.cents,
            goods=tuple(texts[pk] for pk in award.goods),
            shared=award.shared,
            by_lot=award.by_lot,
            times=0,
            is_bot=False,
        )
        for award in found
    ]
    return SeasonPrizes(lines, (*by_place, *_prizes_of_attendance(lines, table)))


def _prizes_of_attendance(
    lines: Iterable[PrizeLineRow], table: Sequence[SeasonStanding]
) -> Iterable[SeasonPrize]:
    """Yield who came to as many tournaments as a line asks for, in the order of the table."""
    for line in lines:
        for one in table:
            if line.times and sum(result.rank > 0 for result in one.taken) >= line.times:
                yield SeasonPrize(0, one.name, one.players, 0, (line.text,), times=line.times)

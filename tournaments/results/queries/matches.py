"""Pages of a match, of its hands, of its deal sets, and of the recorder of its hands."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import count, permutations
from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet

import engine
from tournaments.core.db import row_of
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import find_match, not_found_unless
from tournaments.core.permissions import Actor, may_see_deals, own_players_at, side_of
from tournaments.director.queries.rows import (
    DisputeRow,
    MatchRow,
    RecordRow,
    ScoreRow,
    cotos_won,
    dispute_row,
    match_row,
    record_row,
    score_row,
    table_sides,
)
from tournaments.director.queries.state import (
    hands_lost,
    last_day_to_agree,
    match_facts,
    minutes_to_wait,
    no_show_time,
    refuse_unless_open,
    role_of,
)
from tournaments.director.queries.tournaments import (
    TournamentHead,
    VisibleTournament,
    open_fetched_tournament,
)
from tournaments.domain.match_parts import part_of, sets_of
from tournaments.domain.match_race import RaceHand, RaceStep, race_of
from tournaments.domain.scores import Length, sides_of
from tournaments.domain.sides import SIDES
from tournaments.domain.state import Verbs, verbs
from tournaments.models import Dispute, Hand, Match, Record, Result
from tournaments.results.queries.effects import AttemptRow, attempts_of
from tournaments.results.queries.records import COUNTED, TrickRemarks, trick_remarks

# --- Sets -----------------------------------------------------------------------------------------
# The deal sets of a match: their points, and their records.


@dataclass(frozen=True, slots=True)
class PlayedRecord:
    """A record of a set: its key, and the number of its first hand within the match."""

    pk: int
    first_hand: int


@dataclass(frozen=True, slots=True)
class SideOfSet:
    """A side's points in a set, and whether it won the set."""

    points: int
    won: bool


@dataclass(frozen=True, slots=True)
class SetRow:
    """A set, from 1: the points of each side in all its records, and its winner, if any."""

    number: int
    points: tuple[int, ...]
    winner: str
    records: tuple[PlayedRecord, ...]

    @property
    def sides(self) -> tuple[SideOfSet, ...]:
        """Each side's points, and whether it won the set."""
        points_by_side = zip(SIDES, self.points, strict=False)
        return tuple(SideOfSet(points, side == self.winner) for side, points in points_by_side)


def set_rows_of(match: Match) -> tuple[SetRow, ...]:
    """Return the sets that are complete: two queries."""
    hands: dict[int, list[Mapping[str, int]]] = defaultdict(list)
    accepted_hands = Hand.objects.filter(record__match=match, record__state="accepted")
    for pk, points in accepted_hands.order_by().values_list("record", "points"):
        hands[pk].append(points)
    accepted = match.records.accepted().order_by("coto")
    parts, records, first_hand = [], [], 1
    for pk, score, side in accepted.values_list("pk", "verdict__score", "home_side"):
        parts.append(part_of(score, hands[pk], side))
        records.append(PlayedRecord(pk, first_hand))
        first_hand += len(hands[pk])
    sides = len(match.sides)
    return tuple(
        SetRow(
            number=index + 1,
            points=deal_set.points,
            winner="" if deal_set.winner is None else SIDES[deal_set.winner],
            records=tuple(records[index * sides : (index + 1) * sides]),
        )
        for index, deal_set in enumerate(sets_of(parts))
    )


# --- Matches --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HandRow:
    """A hand of an accepted record; ``winner`` and ``last_trick`` are ``home`` or ``away``.

    Where several cotos make a match, its hands are numbered through all of them. ``declarations``
    are tokens such as ``A:40``, ``capote`` says that one was announced. A hand that is not
    ``audited`` lacks its play.
    """

    number: int
    dealer: str
    trump: str
    home_points: int
    away_points: int
    winner: str
    audited: bool
    last_trick: str
    declarations: tuple[str, ...]
    third_points: int | None = None
    fourth_points: int | None = None
    fifth_points: int | None = None
    coto: int = 1
    capote: bool = False

    @property
    def points(self) -> tuple[int, ...]:
        """The points of each side."""
        points = (getattr(self, f"{side}_points") for side in SIDES)
        return tuple(number for number in points if number is not None)


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A version of the result; the ``live`` one is shown, and ``counts`` when confirmed.

    ``depth`` is the kind of its evidence, ``reported_for`` the side that reported it (empty: the
    club), ``hands`` the points of each hand where only those were reported, side by side.
    ``contradicts``: it was reported against an existing result.
    """

    version: int
    live: bool
    score: ScoreRow
    reason: str
    made_by: str
    made_at: datetime
    depth: str = ""
    counts: bool = False
    reported_for: str = ""
    confirmed_by: str = ""
    confirmed_at: datetime | None = None
    pk: int = 0
    hands: tuple[tuple[int, ...], ...] = ()
    contradicts: bool = False

    @property
    def is_superseded(self) -> bool:
        """Another version replaced it."""
        return not self.live and not self.contradicts


@dataclass(frozen=True, slots=True)
class PendingConfirmation:
    """A result that waits for confirmation: the sides that can confirm it, and its deadline."""

    reported_by: str
    confirmed_by: tuple[str, ...]
    until: datetime


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A match with all its rows.

    ``record`` is the accepted one, of several cotos the last; ``records`` those that the viewer
    may see, the newest first; ``results`` the newest version first, of them ``live`` is the one
    that is shown, and ``waiting`` names the sides that have still to confirm it. ``dispute`` is
    the open one, ``contested`` the report that opened it. ``seats`` are the names in the accepted
    record, ``home_side`` the seats of home in it. ``own_side`` is the viewer's. A match of deal
    sets shows its ``sets``, and of its records only those not accepted; the ``attempts`` of bots
    are for the club. While its deals are still to be played at other tables, it ``hides_deals``:
    no hands, no points of each, no records. Where it ``compares_deals``, a report has to name the
    points of each hand, and the points of each side where it ``needs_points``. Where it is
    ``typed_only`` its result is places or points, without hands and records.
    """

    head: TournamentHead
    match: MatchRow
    label: str
    round_state: str
    hands: tuple[HandRow, ...]
    record: RecordRow | None
    records: tuple[RecordRow, ...]
    results: tuple[ResultRow, ...]
    disputes: tuple[DisputeRow, ...]
    home_side: str
    seats: tuple[str, ...]
    may: Verbs
    length: Length
    own_side: str = ""
    waiting: PendingConfirmation | None = None
    postponed_to: datetime | None = None
    proposed_day: datetime | None = None
    last_day: date | None = None
    no_show_from: datetime | None = None
    no_show_minutes: int = 0
    hands_lost: int = 0
    hides_deals: bool = False
    compares_deals: bool = False
    needs_points: bool = False
    typed_only: bool = False
    sets: tuple[SetRow, ...] = ()
    attempts: tuple[AttemptRow, ...] = ()

    @property
    def race(self) -> tuple[RaceStep, ...]:
        """The hands as they are drawn, each with the score after it."""
        seats = tuple(sides_of(self.home_side)) if self.home_side else ()
        return race_of(
            [
                RaceHand(
                    number=hand.number,
                    points=hand.points,
                    winner=SIDES.index(hand.winner) if hand.winner else None,
                    coto=hand.coto,
                    trump=hand.trump,
                    calls=hand.declarations,
                    seats=seats if self.head.cotos == 1 else (),
                    capote=hand.capote,
                )
                for hand in self.hands
            ]
        )

    @property
    def live(self) -> ResultRow | None:
        """The live result."""
        return next((result for result in self.results if result.live), None)

    @property
    def has_hand_to_move(self) -> bool:
        """Whether a hand of its score can go to the other side: of two, its hands not known."""
        is_whole = self.length.cotos == 1 and not self.length.sets and not self.compares_deals
        return is_whole and self.match.score is not None and not self.known_hands

    @property
    def known_hands(self) -> tuple[tuple[int, ...], ...]:
        """The points of each hand of the live result, side by side, where they are known."""
        if self.live is None or self.head.cotos > 1 or self.sets:
            return ()
        if self.live.hands or self.live.depth != Result.Depth.RECORD:
            return self.live.hands
        return tuple(hand.points for hand in self.hands)

    @property
    def dispute(self) -> DisputeRow | None:
        """The dispute that waits for its final ruling."""
        return next((dispute for dispute in self.disputes if dispute.is_unsettled), None)

    @property
    def contested(self) -> ResultRow | None:
        """The report that opened the dispute, if one did."""
        key = self.dispute.result_pk if self.dispute else None
        return next((result for result in self.results if result.pk == key), None)


@dataclass(frozen=True, slots=True)
class TrickRow:
    """A trick: its leader, the cards in playing order, its winner."""

    number: int
    leader: str
    cards: tuple[tuple[str, str], ...]
    winner: str


@dataclass(frozen=True, slots=True)
class HandPage:
    """One hand of the accepted record, step by step.

    ``frames`` starts before the first card; it is empty for a hand without its play. ``sides``
    names the entry at each side; ``verdict`` is the hand's part of the record's, ``explained`` what
    bound each card and what could have been declared.
    """

    head: TournamentHead
    match: MatchRow
    number: int
    total: int
    previous: int | None
    next: int | None
    seats: Mapping[str, str]
    sides: Mapping[str, str]
    dealer: str
    trump: str
    deal: Mapping[str, tuple[str, ...]]
    frames: tuple[engine.Frame, ...]
    tricks: tuple[TrickRow, ...]
    declarations: tuple[str, ...]
    points: Mapping[str, int]
    winner: str
    digest: str
    record_pk: int
    verdict: Mapping[str, Any]
    explained: tuple[TrickRemarks, ...]
    coto: int = 1


def match_page(pk: int, viewer: Actor) -> MatchPage:
    """Return the page of a match: twelve queries at most."""
    return page_of(find_match(pk, viewer), viewer)


def page_of(match: Match, viewer: Actor, access: VisibleTournament | None = None) -> MatchPage:
    """Return the page of a match found for the viewer: ten queries at most.

    Fewer queries where ``access``, its tournament for the same viewer, was read before.
    """
    access = access or open_fetched_tournament(match.tournament, viewer)
    own_side = side_of(viewer, match, own_players_at(viewer, match))
    results = list(match.results.all())
    live = next((result for result in results if result.live), None)
    hides = not may_see_deals(viewer, match)
    of_sets = match.tournament.deal_sets > 0
    cotos = [] if hides else list(_accepted(match))
    accepted = cotos[-1] if cotos else None
    records = _records(
        match, viewer, all_of_them=access.powers.member or bool(own_side), hides=hides
    )
    disputes = list(match.disputes.all())
    last_day = last_day_to_agree(match)
    row = match_row(match, live, cotos_won([match]).get(match.pk, ""))
    in_dispute = next((dispute for dispute in disputes if dispute.is_unsettled), None)
    return MatchPage(
        head=access.head,
        match=row,
        label=match.label,
        round_state=match.round.state,
        hands=() if of_sets else tuple(_hands(cotos)),
        record=None if accepted is None else record_row(accepted),
        records=tuple(record_row(record) for record in records),
        results=tuple(_result_row(result, disputes, hides=hides) for result in results),
        disputes=tuple(dispute_row(dispute) for dispute in disputes),
        home_side=accepted.home_side if accepted else "",
        seats=_seats(match, accepted) if accepted else (),
        may=verbs(
            match_facts(match, live, in_dispute, in_play=bool(row.in_play), last_day=last_day),
            role_of(viewer, access.powers, side=own_side),
        ),
        length=match.length,
        own_side=own_side,
        waiting=_pending_confirmation(match, live),
        postponed_to=match.postponed_to,
        proposed_day=match.proposed_day,
        last_day=last_day,
        no_show_from=no_show_time(match),
        no_show_minutes=minutes_to_wait(match),
        hands_lost=hands_lost(match),
        hides_deals=hides,
        compares_deals=match.compares_deals,
        needs_points=match.needs_points,
        typed_only=match.round.stage.rules.typed_only,
        sets=set_rows_of(match) if of_sets else (),
        attempts=attempts_of(match) if access.powers.member and match.is_of_bots else (),
    )


def hand_page(pk: int, number: int, viewer: Actor) -> HandPage:
    """Return a hand of a match's accepted record: eight queries at most."""
    match = find_match(pk, viewer)
    not_found_unless(may_see_deals(viewer, match))
    access = open_fetched_tournament(match.tournament, viewer)
    records = match.records.accepted().order_by("coto")
    places = [
        (pk, index)
        for pk, hands in records.annotate(played=Count("hands")).values_list("pk", "played")
        for index in range(hands)
    ]
    total = len(places)
    not_found_unless(1 <= number <= total)
    pk, index = places[number - 1]
    record = records.get(pk=pk)
    parsed = engine.parse_record(record.text)
    hand, verdict = parsed.hands[index], record.verdict["hands"][index]
    frames = engine.frames(parsed, index)
    seats = dict(zip(parsed.ruleset.seats, match.current_names(parsed.seats), strict=True))
    return HandPage(
        head=access.head,
        match=match_row(match, match.results.live().first()),
        number=number,
        total=total,
        previous=number - 1 if number > 1 else None,
        next=number + 1 if number < total else None,
        seats=seats,
        sides=_sides(match, record.home_side),
        dealer=hand.dealer,
        trump=hand.trump or "",
        deal={seat: tuple(cards.split()) for seat, cards in (hand.deal or {}).items()},
        frames=frames,
        tricks=_tricks(frames),
        declarations=tuple(verdict["declarations"]),
        points=verdict["points"] or {},
        winner=verdict["winner"] or "",
        digest=record.digest,
        record_pk=record.pk,
        verdict=verdict,
        explained=trick_remarks(parsed, index + 1),
        coto=record.coto,
    )


def _accepted(match: Match) -> QuerySet[Record]:
    """Return the records of the result, with their hands; of deal sets the last one alone."""
    records = match.records.accepted().order_by("coto")
    if match.tournament.deal_sets:
        return records.order_by("-coto")[:1]
    hands = Hand.objects.only(
        "record_id", "number", "dealer", "trump", "points", "winner"
    ).annotate(capote=Q(play__contains=":capote"))
    return records.prefetch_related(Prefetch("hands", hands))


def _records(match: Match, viewer: Actor, *, all_of_them: bool, hides: bool) -> QuerySet[Record]:
    """Return the records that the viewer may see, without their texts and verdicts."""
    if hides:
        return match.records.none()
    records = match.records.defer("text", "verdict")
    if match.tournament.deal_sets:
        records = records.exclude(state=Record.State.ACCEPTED)
    if all_of_them:
        return records
    if viewer.user is None:
        return records.filter(state__in=COUNTED)
    return records.filter(Q(state__in=COUNTED) | Q(submitted_by=viewer.user))


def _hands(cotos: Iterable[Record]) -> Iterator[HandRow]:
    """Yield the hands of the accepted records with their verdicts."""
    numbers = count(1)
    for record in cotos:
        sides = sides_of(record.home_side)
        side_names = {"": "", **dict(zip(sides, SIDES, strict=False))}
        verdicts = {hand["number"]: hand for hand in record.verdict["hands"]}
        for hand in record.hands.all():
            points: dict[str, Any] = {
                f"{side}_points": hand.points.get(name, 0)
                for side, name in zip(SIDES, sides, strict=False)
            }
            yield HandRow(
                number=next(numbers),
                dealer=hand.dealer,
                trump=hand.trump,
                **points,
                winner=side_names[hand.winner],
                audited=verdicts[hand.number]["audited"],
                last_trick=side_names[verdicts[hand.number]["last_trick"] or ""],
                declarations=tuple(verdicts[hand.number]["declarations"]),
                coto=record.coto,
                capote=bool(hand.capote),  # type: ignore[attr-defined]  # annotated
            )


def _seats(match: Match, record: Record) -> tuple[str, ...]:
    """Return the names at the seats in the record, with later corrections of names."""
    return match.current_names(engine.parse_record(record.text).seats)


def _sides(match: Match, home_side: str) -> dict[str, str]:
    """Return the names of the entries by the seats of their side."""
    names = (" + ".join(entry.name for entry in side) for side in match.sides)
    return dict(sorted(zip(sides_of(home_side), names, strict=False)))


def _result_row(result: Result, disputes: Iterable[Dispute], *, hides: bool) -> ResultRow:
    rows = () if hides else result.hand_scores
    return row_of(
        ResultRow,
        result,
        score=score_row(result),
        hands=tuple(tuple(hand[side] for side in SIDES if side in hand) for hand in rows),
        contradicts=any(dispute.result_id == result.pk for dispute in disputes),
    )


def _pending_confirmation(match: Match, live: Result | None) -> PendingConfirmation | None:
    """Return the sides that have to confirm a reported result, and until when."""
    if match.state != Match.State.REPORTED or live is None:
        return None
    names = {side.side: side.shown_name for side in table_sides(match, None)}
    return PendingConfirmation(
        reported_by=names.get(live.reported_for, ""),
        confirmed_by=tuple(name for word, name in names.items() if word != live.reported_for),
        until=live.made_at + timedelta(minutes=match.tournament.minutes_to_object),
    )


def _tricks(frames: Iterable[engine.Frame]) -> tuple[TrickRow, ...]:
    """Return the complete tricks."""
    return tuple(
        TrickRow(frame.trick, frame.table[0][0], frame.table, frame.won)
        for frame in frames
        if frame.won is not None
    )


# --- Recorder -------------------------------------------------------------------------------------
# The table of a match, of which the recorder makes its record.


@dataclass(frozen=True, slots=True)
class RecorderPage:
    """The start of the recorder: ``orders`` are the ways to sit, names in playing order.

    ``ruleset``, ``options`` and ``tags`` are those of the record. Where several cotos make a match,
    ``coto`` is the next one and ``most_cotos`` the last one that there can be; else both are 0.
    """

    match: MatchPage
    ruleset: str
    options: Mapping[str, Any]
    tags: Mapping[str, str]
    orders: tuple[tuple[str, ...], ...]
    coto: int = 0
    most_cotos: int = 0


def recorder_page(pk: int, viewer: Actor) -> RecorderPage:
    """Return the page to record the hands of a match: a match page's queries and one.

    Refuses NOT_FOUND, NOTHING_TO_PLAY, TYPED_ONLY, and SIGN_IN or FORBIDDEN to people who may not
    submit a record.
    """
    page = match_page(pk, viewer)
    refuse_unless_open(page.may, "submit", viewer)
    match = find_match(pk, viewer)
    if match.away is None:
        raise Refusal(Reason.NOTHING_TO_PLAY)
    tournament = match.tournament
    tags = {
        "event": tournament.name,
        "round": str(match.round.number),
        "table": str(match.table),
    }
    start = RecorderPage(page, tournament.ruleset, match.options, tags, seating_orders(match))
    if match.length.cotos == 1:
        return start
    max_cotos = match.length.most_cotos(len(match.sides))
    last_coto = max((hand.coto for hand in page.hands), default=0)
    return replace(start, coto=min(last_coto + 1, max_cotos), most_cotos=max_cotos)


def seating_orders(match: Match) -> tuple[tuple[str, ...], ...]:
    """Return the ways to sit at a table in playing order, home first: two for pairs.

    Of single players one for two, two for three, six for four. The dealer is recorded separately,
    so rotations count as one way.
    """
    home, *others = match.names
    if len(home) > 1:
        (first, third), ((second, fourth),) = home, others
        return (first, second, third, fourth), (first, fourth, third, second)
    return tuple((*home, *(name for (name,) in order)) for order in permutations(others))


def match_rows(pks: Collection[int]) -> dict[int, MatchRow]:
    """Return matches as they are listed, without their results."""
    matches = Match.objects.filter(pk__in=pks).list_with_names()
    return {match.pk: match_row(match, None) for match in matches}

"""Rows that several pages share, and functions that build them from fetched models."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from tournaments.core.db import row_of
from tournaments.core.errors import Reason
from tournaments.domain.names import PARTNERS, ShownNames, players_below
from tournaments.domain.pairing import PairingReason
from tournaments.domain.scores import Score, sides_of
from tournaments.domain.sides import PLACES, SCORES, SIDES
from tournaments.models import Dispute, Entry, Match, Record, Result
from tournaments.models.results import UNRULED_STATES, UNSETTLED_STATES

CONFLICTS: Final = (Reason.CONFLICTING_LOG, Reason.CONFLICTING_REPORT, Reason.CARDS_DIFFER)
"""Reasons of the disputes that are opened automatically."""


@dataclass(frozen=True, slots=True)
class Side(ShownNames):
    """One entry in a match; ``who`` identifies the pair, player or bot (`competitor_ref`)."""

    number: int
    name: str
    players: tuple[str, ...]
    is_bot: bool
    who: str = ""


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A result; ``winner`` is one of `WINNERS`.

    ``forfeits`` are the sides that did not play, ``decided`` the side that goes on from a tie;
    ``cut``: time ended the match; ``places`` are those of the sides, where they were stated.
    """

    home_hands: int
    away_hands: int
    home_points: int
    away_points: int
    winner: str
    third_hands: int | None = None
    third_points: int | None = None
    fourth_hands: int | None = None
    fourth_points: int | None = None
    fifth_hands: int | None = None
    fifth_points: int | None = None
    places: tuple[int, ...] | None = None
    forfeits: tuple[str, ...] = ()
    decided: str = ""
    cut: bool = False

    @property
    def text(self) -> str:
        """The hands of all sides: ``3–1``, ``2–1–0``; or what was typed (`counted_in`)."""
        return "–".join(map(str, self.counted))

    @property
    def counted(self) -> tuple[int, ...]:
        """What is shown side by side."""
        return counted_in(self)

    @property
    def points_text(self) -> str:
        """The points of all sides: ``360–210``; empty where none were recorded."""
        points = _numbers(self, "points")
        return "–".join(map(str, points)) if any(points) else ""

    @property
    def is_decided_by_points(self) -> bool:
        """Time ended the match level in hands, and the side with most points goes on."""
        if not (self.cut and self.decided):
            return False
        points = _numbers(self, "points")
        return points[SIDES.index(self.decided)] == max(points)


@dataclass(frozen=True, slots=True)
class TableSide:
    """A side of a table: ``side`` is one of `SIDES`.

    ``name`` is that of its entry, or of both where single players make a pair, ``shown_name`` the
    same on pages; ``players`` are who plays, substitutes included; ``who`` are the entries, each as
    `competitor_ref` and shown name. ``hands``, ``points`` and what is shown (`counted_in`) are
    None until there is a result.
    """

    side: str
    name: str
    players: tuple[str, ...]
    is_bot: bool
    won: bool = False
    absent: bool = False
    hands: int | None = None
    points: int | None = None
    counted: int | None = None
    entries: tuple[int, ...] = ()
    who: tuple[tuple[str, str], ...] = ()
    shown_name: str = ""

    @property
    def shown_players(self) -> tuple[str, ...]:
        """Who plays, to be shown below the name unless it says so."""
        return () if self.is_bot else players_below(self.shown_name, self.players)


def arrangement_of(matches: Iterable[Match]) -> str:
    """Return a digest of who sits where in a round: another one after every change of places."""
    places = [f"{place}_id" for place in PLACES]
    tables = sorted(
        (match.table, match.bye, *(getattr(match, p) for p in places)) for match in matches
    )
    return hashlib.sha256(json.dumps(tables).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match of a list; ``away`` is None in a bye, ``score`` until there is a result.

    ``needs_arbiter``: bots used up their attempts, or the match is in dispute. ``whys`` are the
    reasons of the pairing, ``edited`` marks one made by hand. ``in_play`` is the number of cotos
    each side has won (``1–0``), in a match of several without a result yet. ``postponed_to`` is
    its own new day, ``proposed_day`` one that a side proposes.
    """

    pk: int
    round: int
    table: int
    home: Side
    away: Side | None
    state: str
    score: ScoreRow | None
    needs_arbiter: bool
    sides: tuple[TableSide, ...] = ()
    whys: tuple[PairingReason, ...] = ()
    edited: bool = False
    in_play: str = ""
    postponed_to: datetime | None = None
    proposed_day: datetime | None = None

    @property
    def names(self) -> str:
        """The names of the sides."""
        return " – ".join(side.shown_name for side in self.sides)

    @property
    def headline(self) -> str:
        """The names of the sides with the score, once there is one, between or behind them."""
        if self.score is None:
            return self.names
        if len(self.sides) != 2:
            return f"{self.names} {self.score.text}"
        return f" {self.score.text} ".join(side.shown_name for side in self.sides)

    @property
    def is_of_bots(self) -> bool:
        """Whether all entries are bots, so that no code is shown to scan."""
        return all(side.is_bot for side in self.sides)


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A record of a list; ``code`` says why it was refused or contested.

    ``coto`` is the number of its coto, unless it was refused. ``redacted_at`` is when a name was
    removed from its text, if that was done.
    """

    pk: int
    coto: int
    state: str
    source: str
    code: str
    digest: str
    submitted_by: str
    created_at: datetime
    redacted_at: datetime | None


@dataclass(frozen=True, slots=True)
class DisputeRow:
    """A dispute; ``record_pk`` and ``result_pk`` are what contradicted the live result, if any."""

    pk: int
    state: str
    reason: str
    opened_by: str
    opened_at: datetime
    ruling: str
    ruled_by: str
    ruled_at: datetime | None
    record_pk: int | None
    result_pk: int | None = None
    reviewed_by: str = ""

    @property
    def is_open(self) -> bool:
        """Whether no arbiter has ruled on it."""
        return self.state in UNRULED_STATES

    @property
    def is_unsettled(self) -> bool:
        """Whether it waits for its last ruling."""
        return self.state in UNSETTLED_STATES


def side(entry: Entry) -> Side:
    """Return an entry fetched with its players."""
    return Side(
        entry.number, entry.name, entry.seat_names, entry.bot_id is not None, competitor_ref(entry)
    )


def competitor_ref(entry: Entry) -> str:
    """Return the reference of an entry fetched with its bot: ``player-12``, ``bot-azar``."""
    if entry.bot is not None:
        return f"bot-{entry.bot.slug}"
    return f"pair-{entry.pair_id}" if entry.player_id is None else f"player-{entry.player_id}"


def score_row(result: Result) -> ScoreRow:
    """Return the score of a result."""
    places = None if result.places is None else tuple(result.places)
    return row_of(ScoreRow, result, forfeits=tuple(result.forfeits), places=places)


def score_in(result: Result | ScoreRow) -> Score:
    """Return the score of a version, or of one that a page shows."""
    places = None if result.places is None else tuple(result.places)
    counted = {name: getattr(result, name) for name in SCORES}
    return Score(**counted, cut=result.cut, places=places)


def counted_in(result: Result | ScoreRow | Score) -> tuple[int, ...]:
    """Return what is shown side by side: the places, where these were typed, else the hands."""
    return _numbers(result, "hands") if result.places is None else tuple(result.places)


def _numbers(result: Result | ScoreRow | Score, counted: str) -> tuple[int, ...]:
    numbers = (getattr(result, f"{side}_{counted}") for side in SIDES)
    return tuple(number for number in numbers if number is not None)


def table_sides(match: Match, result: Result | None) -> tuple[TableSide, ...]:
    """Return the sides of a match fetched with its names, in the order of the seats.

    ``won`` is false for all before the result counts: it may be disputed, or wait for a
    confirmation.
    """
    counts = match.state == Match.State.ACCEPTED
    counted = () if result is None else counted_in(result)
    return tuple(
        TableSide(
            side=name,
            name=" + ".join(entry.name for entry in entries),
            players=players,
            is_bot=entries[0].bot_id is not None,
            won=counts and result is not None and result.winner == name,
            absent=result is not None and name in result.forfeits,
            hands=getattr(result, f"{name}_hands", None),
            points=getattr(result, f"{name}_points", None),
            counted=counted[n] if n < len(counted) else None,
            entries=tuple(entry.number for entry in entries),
            who=tuple((competitor_ref(entry), entry.shown_name) for entry in entries),
            shown_name=PARTNERS.join(entry.shown_name for entry in entries),
        )
        for n, (name, entries, players) in enumerate(
            zip(SIDES, match.sides, match.names, strict=False)
        )
    )


def match_row(match: Match, result: Result | None, in_play: str = "") -> MatchRow:
    """Return a match fetched with its names, its live result, and its cotos without one."""
    in_dispute = match.state == Match.State.DISPUTED
    given_up = match.state == Match.State.PENDING and match.abandoned_at is not None
    return MatchRow(
        pk=match.pk,
        round=match.round.number,
        table=match.table,
        home=side(match.home),
        away=None if match.away is None else side(match.away),
        state=match.state,
        score=None if result is None else score_row(result),
        needs_arbiter=in_dispute or given_up,
        sides=table_sides(match, result),
        whys=tuple(
            PairingReason(reason["code"], match.table, tuple(reason["entrants"]), reason["facts"])
            for reason in match.whys
        ),
        edited=match.edited,
        in_play="" if result is not None else in_play,
        postponed_to=match.postponed_to,
        proposed_day=match.proposed_day,
    )


def names_of(tournament: int) -> dict[int, str]:
    """Return entry names by number, for the tournament of this primary key; one query."""
    return dict(Entry.objects.filter(tournament=tournament).values_list("number", "name"))


def shown_names(tournament: int) -> dict[int, str]:
    """Return entry names as pages show them, by number; one query."""
    entries = Entry.objects.filter(tournament=tournament).with_players()
    return {entry.number: entry.shown_name for entry in entries}


def live_results(matches: Iterable[Match]) -> Mapping[int, Result]:
    """Return the live results of matches, by match; one query."""
    keys = [match.pk for match in matches]
    return {result.match_id: result for result in Result.objects.live().filter(match__in=keys)}


def cotos_won(matches: Iterable[Match]) -> Mapping[int, str]:
    """Return the cotos that each side has won so far, by match: ``1–0``.

    One query for matches of several cotos, none for others.
    """
    of_cotos = {match.pk: len(match.sides) for match in matches if match.tournament.cotos > 1}
    if not of_cotos:
        return {}
    cotos_by_match = {pk: [0] * sides for pk, sides in of_cotos.items()}
    records = Record.objects.accepted().filter(match__in=of_cotos)
    for pk, side, score in records.values_list("match", "home_side", "verdict__score"):
        hands = [score[name] for name in sides_of(side)]
        cotos_by_match[pk][hands.index(max(hands))] += 1
    return {pk: "–".join(map(str, cotos)) for pk, cotos in cotos_by_match.items() if any(cotos)}


def record_row(record: Record) -> RecordRow:
    """Return a record as a row."""
    return row_of(RecordRow, record, submitted_by=record.submitter)


def dispute_row(dispute: Dispute) -> DisputeRow:
    """Return a dispute as a row; one opened automatically has the text of that refusal."""
    texts = {reason.code: str(reason.text) for reason in CONFLICTS}
    return row_of(
        DisputeRow,
        dispute,
        reason=texts.get(dispute.reason, dispute.reason),
        record_pk=dispute.record_id,
        result_pk=dispute.result_id,
    )

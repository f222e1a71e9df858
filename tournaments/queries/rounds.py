"""The rounds of a tournament, and one of them: who meets whom at which table, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any, Final

from django.db.models import Q

from tournaments.domain.state import Verbs, verbs
from tournaments.models import Match, Record, Round, Tournament
from tournaments.permissions import Actor
from tournaments.queries.find import visible
from tournaments.queries.heads import StageHead, TournamentHead, open_tournament
from tournaments.queries.progress import Progress, progress_of
from tournaments.queries.rows import MatchRow, in_play, live_results, match_row, names_of
from tournaments.queries.state import facts_of_round, role_of

PLACES: Final = ("home", "home_partner", "away", "away_partner", "third")
"""Where entries sit at a match."""


UNFINISHED: Final = (Match.State.PENDING, Match.State.REPORTED, Match.State.DISPUTED)
"""States of a match without a result that counts; a postponed one does not hold its round open."""


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round; its ``seed`` is shown once it is closed, its ``commitment`` once it is published."""

    number: int
    state: str
    published_at: datetime | None
    closed_at: datetime | None
    commitment: str
    seed: str
    matches: tuple[MatchRow, ...]


@dataclass(frozen=True, slots=True)
class RoundsPage:
    """The rounds that the viewer may see."""

    head: TournamentHead
    rounds: tuple[RoundRow, ...]


@dataclass(frozen=True, slots=True)
class RoundPage:
    """One round of ``stage``; ``progress`` is missing when no match of it is between bots.

    An ``opened`` round has a file of bots' records that anybody can check against its seed.
    ``names`` are those of all entries by number, for the reasons of the pairings.
    """

    head: TournamentHead
    stage: StageHead
    names: Mapping[int, str]
    round: RoundRow
    previous: int | None
    next: int | None
    progress: Progress | None
    may: Verbs
    opened: bool = False

    @property
    def disputed(self) -> tuple[MatchRow, ...]:
        """The matches of a published round that hold it open until an arbiter has ruled."""
        if self.round.state != Round.State.PUBLISHED:
            return ()
        return tuple(one for one in self.round.matches if one.state == Match.State.DISPUTED)

    @property
    def unfinished(self) -> tuple[MatchRow, ...]:
        """The matches that the round has to wait for."""
        return tuple(one for one in self.round.matches if one.state in UNFINISHED)


def rounds_page(slug: str, viewer: Actor) -> RoundsPage:
    """Return the rounds with their matches: the head's queries and four."""
    this = open_tournament(slug, viewer)
    numbers = this.visible_rounds
    drawn = Round.objects.filter(stage__tournament=this.tournament, number__in=numbers)
    rounds = list(drawn.select_related("stage__tournament").order_by("number"))
    matches = _seated(rounds, this.tournament)
    results, playing = live_results(matches), in_play(matches)
    shown: dict[int, list[MatchRow]] = {}
    for match in matches:
        row = match_row(match, results.get(match.pk), playing.get(match.pk, ""))
        shown.setdefault(match.round_id, []).append(row)
    return RoundsPage(
        this.head,
        tuple(_round_row(round_, tuple(shown.get(round_.pk, ()))) for round_ in rounds),
    )


def matches_after(
    slug: str, after: tuple[int, int], count: int, viewer: Actor, wanted: Mapping[str, Any]
) -> tuple[MatchRow, ...]:
    """Return the next matches after a round and a table: the head's queries and four.

    ``wanted`` may narrow them to a ``round``, a ``table``, a ``state``, and to an ``entry`` by its
    number, wherever it sits.
    """
    this = open_tournament(slug, viewer)
    number, table = after
    later = Q(round__number__gt=number) | Q(round__number=number, table__gt=table)
    rows = Match.objects.filter(
        later, round__stage__tournament=this.tournament, round__number__in=this.visible_rounds
    )
    for name, field in (("round", "round__number"), ("table", "table"), ("state", "state")):
        if name in wanted:
            rows = rows.filter(**{field: wanted[name]})
    if "entry" in wanted:
        seats = (Q(**{f"{place}__number": wanted["entry"]}) for place in PLACES)
        rows = rows.filter(reduce(or_, seats))
    keys = list(rows.order_by("round__number", "table").values_list("pk", flat=True)[:count])
    matches = list(
        Match.objects.with_names().filter(pk__in=keys).order_by("round__number", "table")
    )
    results, playing = live_results(matches), in_play(matches)
    return tuple(
        match_row(match, results.get(match.pk), playing.get(match.pk, "")) for match in matches
    )


def _seated(rounds: Sequence[Round], tournament: Tournament) -> list[Match]:
    """Return the matches of many rounds by table, as fetched with their names; two queries.

    Each entry is read once and put where it sits, instead of once for every match of its own.
    """
    entries = tournament.entries.with_players().in_bulk()
    by_key = {round_.pk: round_ for round_ in rounds}
    matches = list(Match.objects.filter(round__in=by_key).order_by("table"))
    for match in matches:
        match.round = by_key[match.round_id]
        for place in PLACES:
            key = getattr(match, f"{place}_id")
            if key is not None:
                setattr(match, place, entries[key])
    return matches


def is_for_bots(slug: str, number: int) -> bool:
    """Tell whether a round has matches between bots, whose progress is shown as they play."""
    matches = Match.objects.filter(round__stage__tournament__slug=slug, round__number=number)
    return matches.of_bots().exists()


def round_page(slug: str, number: int, viewer: Actor) -> RoundPage:
    """Return one round: the head's queries and four, five more while bots play in it."""
    this = open_tournament(slug, viewer)
    numbers = this.visible_rounds
    visible(number in numbers)
    rounds = Round.objects.select_related("stage__tournament")
    round_ = rounds.get(stage__tournament=this.tournament, number=number)
    matches = list(Match.objects.with_names().filter(round=round_).order_by("table"))
    results, playing = live_results(matches), in_play(matches)
    rows = tuple(
        match_row(match, results.get(match.pk), playing.get(match.pk, "")) for match in matches
    )
    progress = progress_of(round_) if any(map(_is_of_bots, rows)) else None
    place = numbers.index(number)
    state = next(one for one in this.rounds if one.number == number)
    return RoundPage(
        head=this.head,
        stage=this.head.stage(state.stage),
        names=names_of(this.tournament.pk),
        round=_round_row(round_, rows),
        previous=numbers[place - 1] if place else None,
        next=numbers[place + 1] if place + 1 < len(numbers) else None,
        progress=progress,
        may=verbs(
            facts_of_round(
                round_,
                unfinished=state.unfinished,
                disputed=state.disputed,
                bots=progress is not None,
            ),
            role_of(viewer, this.powers),
        ),
        opened=round_.state == Round.State.CLOSED and _has_bots_records(matches),
    )


def _round_row(round_: Round, matches: tuple[MatchRow, ...]) -> RoundRow:
    is_draft = round_.state == Round.State.DRAFT
    is_closed = round_.state == Round.State.CLOSED
    return RoundRow(
        number=round_.number,
        state=round_.state,
        published_at=round_.published_at,
        closed_at=round_.closed_at,
        commitment="" if is_draft else round_.commitment,
        seed=round_.seed if is_closed else "",
        matches=matches,
    )


def _has_bots_records(matches: list[Match]) -> bool:
    """Tell whether bots have played matches whose deals are the round's own: one query at most."""
    own = [match.pk for match in matches if match.is_of_bots and not match.boards]
    records = Record.objects.accepted().filter(match__in=own, source=Record.Source.BOT)
    return bool(own) and records.exists()


def _is_of_bots(match: MatchRow) -> bool:
    return match.away is not None and match.home.is_bot and match.away.is_bot

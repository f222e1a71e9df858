"""The rounds of a tournament, and one of them: who meets whom at which table, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from tournaments.models import Match, Round, Tournament
from tournaments.permissions import Actor
from tournaments.queries.find import visible
from tournaments.queries.heads import Opened, StageHead, TournamentHead, open_tournament
from tournaments.queries.rows import MatchRow, in_play, live_results, match_row, names_of


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
class Progress:
    """How far the bot matches of a round have got.

    ``running`` are in a worker's hands, ``stuck`` left to the arbiter, ``waiting`` the rest.
    """

    total: int
    played: int
    running: int
    waiting: int
    stuck: int
    asked: bool
    finished: bool


@dataclass(frozen=True, slots=True)
class RoundMay:
    """What the viewer may do with the round now."""

    publish: bool
    close: bool
    play: bool


@dataclass(frozen=True, slots=True)
class RoundPage:
    """One round of ``stage``; ``progress`` is missing when no match of it is between bots.

    ``names`` are those of all entries by number, for the reasons of the pairings.
    """

    head: TournamentHead
    stage: StageHead
    names: Mapping[int, str]
    round: RoundRow
    previous: int | None
    next: int | None
    progress: Progress | None
    may: RoundMay


def rounds_page(slug: str, viewer: Actor) -> RoundsPage:
    """Return the rounds with their matches: the head's queries and three."""
    this = open_tournament(slug, viewer)
    numbers = this.visible_rounds
    rounds = Round.objects.filter(stage__tournament=this.tournament, number__in=numbers)
    matches = list(Match.objects.with_names().filter(round__in=rounds).order_by("table"))
    results, playing = live_results(matches), in_play(matches)
    shown: dict[int, list[MatchRow]] = {}
    for match in matches:
        row = match_row(match, results.get(match.pk), playing.get(match.pk, ""))
        shown.setdefault(match.round_id, []).append(row)
    return RoundsPage(
        this.head,
        tuple(
            _round_row(round_, tuple(shown.get(round_.pk, ())))
            for round_ in rounds.order_by("number")
        ),
    )


def round_page(slug: str, number: int, viewer: Actor) -> RoundPage:
    """Return one round: the head's queries and five."""
    this = open_tournament(slug, viewer)
    numbers = this.visible_rounds
    visible(number in numbers)
    round_ = Round.objects.get(stage__tournament=this.tournament, number=number)
    matches = list(Match.objects.with_names().filter(round=round_).order_by("table"))
    results, playing = live_results(matches), in_play(matches)
    rows = tuple(
        match_row(match, results.get(match.pk), playing.get(match.pk, "")) for match in matches
    )
    leased = set(round_.matches.leased().values_list("pk", flat=True))
    progress = _progress(round_, rows, leased)
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
        may=_round_may(this, round_, rows, progress),
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


def _progress(round_: Round, matches: tuple[MatchRow, ...], leased: set[int]) -> Progress | None:
    bots = [m for m in matches if m.away is not None and m.home.is_bot and m.away.is_bot]
    if not bots:
        return None
    open_ = [match for match in bots if match.state == Match.State.PENDING]
    stuck = sum(match.needs_arbiter for match in open_)
    running = sum(match.pk in leased for match in open_)
    return Progress(
        total=len(bots),
        played=len(bots) - len(open_),
        running=running,
        waiting=len(open_) - stuck - running,
        stuck=stuck,
        asked=round_.play_requested_at is not None,
        finished=not open_,
    )


def _round_may(
    this: Opened, round_: Round, matches: tuple[MatchRow, ...], progress: Progress | None
) -> RoundMay:
    is_running = this.tournament.state == Tournament.State.RUNNING
    is_open = is_running and round_.state == Round.State.PUBLISHED
    undecided = {Match.State.PENDING, Match.State.REPORTED, Match.State.DISPUTED}
    is_decided = not any(match.state in undecided for match in matches)
    can_play = progress is not None and not progress.finished
    needs_asking = progress is not None and (not progress.asked or progress.stuck > 0)
    return RoundMay(
        publish=this.powers.manage and is_running and round_.state == Round.State.DRAFT,
        close=this.powers.manage and is_open and is_decided,
        play=this.powers.run_bots and is_open and can_play and needs_asking,
    )

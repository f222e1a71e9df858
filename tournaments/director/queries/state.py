"""Builds the facts that `domain.state` needs about a tournament, round, match or entry.

For rows locked by the caller the facts hold until the transaction ends; for a page they are what it
shows. Services and pages both use this module, so that a button is shown exactly when its verb
would not be refused.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime, timedelta
from itertools import count
from typing import Final, NamedTuple

from django.db.models import Count, Max, Q
from django.utils import timezone

from tournaments.core.errors import REASONS, Reason, Refusal
from tournaments.core.permissions import Actor, ClubRights, refuse_unless
from tournaments.director.queries.snapshot import rows_of
from tournaments.domain import state
from tournaments.domain.next_stages import is_forked, stages_to_draw
from tournaments.domain.rights import RIGHTS
from tournaments.domain.state import (
    EntryFacts,
    Facts,
    MatchFacts,
    Role,
    RoundFacts,
    StageFacts,
    TournamentFacts,
    Verbs,
)
from tournaments.models import Absence, Dispute, Entry, Match, Result, Round, Stage, Tournament
from tournaments.models.matches import at_any_place
from tournaments.models.results import SETTLED_DEPTHS

TWO_SIDED_SEATS: Final = 2
"""`Format.seats` of formats in which two entries meet."""

WAITING = (Match.State.PENDING, Match.State.REPORTED, Match.State.POSTPONED)
"""States of a match whose result is still to come, or to be confirmed."""


def refuse_closed(verb: str, facts: Facts, role: Role | None = None) -> None:
    """Raise the refusal of a verb that is closed to everybody, or to ``role``; rights apart."""
    if (refusal := refusal_of(verb, facts, role)) is not None:
        raise refusal


def refusal_of(verb: str, facts: Facts, role: Role | None = None) -> Refusal | None:
    """Return the refusal that :func:`refuse_closed` raises, or None."""
    reason = state.closed_reason(verb, facts, role)
    return None if reason is None else Refusal(REASONS[reason.code], **reason.facts)


def refuse_unless_open(verbs: Verbs, verb: str, viewer: Actor) -> None:
    """Raise the refusal of a verb that is closed to the viewer of a page."""
    if (refusal := closed_to(verbs, verb)) is not None:
        refuse_unless(refusal.reason is not Reason.FORBIDDEN, viewer)
        raise refusal


def closed_to(verbs: Verbs, verb: str) -> Refusal | None:
    """Return the refusal of a verb that is closed to the viewer of a page, or None."""
    reason = None if verbs[verb] else verbs.closed[verb]
    return None if reason is None else Refusal(REASONS[reason.code], **reason.facts)


def closed_text(verbs: Verbs, verb: str) -> str:
    """Return why a verb is closed to the viewer of a page, as a sentence; empty if it is open."""
    refusal = closed_to(verbs, verb)
    return "" if refusal is None else refusal.message


def role_of(viewer: Actor, allowed: ClubRights, *, side: str = "", own: bool = False) -> Role:
    """Return the viewer's role: ``side`` is theirs in a match, ``own`` is set for their entry."""
    rights = {field.name for field in fields(ClubRights) if getattr(allowed, field.name)}
    rights |= {name for name in ("play", "speak") if viewer.has_scope_for(RIGHTS[name])}
    return Role(frozenset(rights), side, own)


# --- tournaments and rounds -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RoundState:
    """Counts of one round; ``stage`` is its stage's number."""

    number: int
    state: str
    stage: int
    matches: int
    open: int
    reported: int
    disputed: int
    postponed: int

    @property
    def decided(self) -> int:
        """Matches with a result that counts."""
        return self.matches - self.undecided

    @property
    def undecided(self) -> int:
        """Matches without a result that counts."""
        return self.open + self.disputed

    @property
    def unfinished(self) -> int:
        """Matches without a result that counts that keep the round open."""
        return self.undecided - self.postponed

    @property
    def to_play(self) -> int:
        """Matches still to be played in the round: neither reported nor postponed."""
        return self.open - self.reported - self.postponed


def round_states(tournament: Tournament) -> tuple[RoundState, ...]:
    """Return the rounds in order, with counts of their matches; one query."""
    states = Match.State
    rows = (
        Round.objects.filter(stage__tournament=tournament)
        .order_by("number")
        .annotate(
            total=Count("matches", filter=~Q(matches__state=states.BYE)),
            open=Count("matches", filter=Q(matches__state__in=WAITING)),
            reported=Count("matches", filter=Q(matches__state=states.REPORTED)),
            disputed=Count("matches", filter=Q(matches__state=states.DISPUTED)),
            postponed=Count("matches", filter=Q(matches__state=states.POSTPONED)),
        )
        .values_list(
            "number", "state", "stage__number", "total", "open", "reported", "disputed", "postponed"
        )
    )
    return tuple(RoundState(*row) for row in rows)


def open_round(tournament: Tournament) -> int:
    """Return the number of the first round that is not published yet; one query."""
    shown = Round.objects.filter(stage__tournament=tournament).exclude(state=Round.State.DRAFT)
    return int(shown.aggregate(last=Max("number"))["last"] or 0) + 1


class NextRounds(NamedTuple):
    """The next rounds of an entry: the first that it can be away from, and that it can sit in.

    They differ where the number in between is that of a round of a stage beside its own.
    """

    to_leave: int
    to_play: int


def open_round_of(entry: Entry) -> int:
    """Return the number of the first round of an entry that is not published yet; two queries."""
    return next_rounds(entry.tournament, (entry.number,))[entry.number].to_leave


def next_rounds(tournament: Tournament, numbers: Iterable[int]) -> dict[int, NextRounds]:
    """Return the next rounds of entries, by number; two queries.

    Where stages are played side by side, only the rounds of its own stages count: of one that came
    late into a stage without a published round it is the first draft.
    """
    stages = list(tournament.stages.all())
    rounds = Round.objects.filter(stage__tournament=tournament).order_by("number")
    drawn = list(rounds.values_list("stage", "number", "state"))
    parted = stages if can_play_side_by_side(stages) else ()
    found = {}
    for entry in numbers:
        own = {stage.pk for stage in parted if entry in stage.entrants}
        own -= _left_stages(parted, own, drawn)
        first = _open_round_in(own, drawn)
        others = {number for stage, number, _ in drawn if own and stage not in own}
        found[entry] = NextRounds(first, next(n for n in count(first) if n not in others))
    return found


def _left_stages(
    stages: Iterable[Stage], own: Collection[int], rounds: Sequence[tuple[int, int, str]]
) -> set[int]:
    """Return those of an entry's stages that others play on while it plays in a later one."""
    numbers = {stage.rules.source or stage.number - 1 for stage in stages if stage.pk in own}
    playing = {stage for stage, _, state in rounds if state != Round.State.CLOSED}
    return {stage.pk for stage in stages if stage.number in numbers and stage.pk in playing}


def _open_round_in(own: Collection[int], rounds: Sequence[tuple[int, int, str]]) -> int:
    """Return the first round to publish of the stages ``own``, or else of all (stage, number)."""
    of_own = [(number, state) for stage, number, state in rounds if stage in own]
    shown = [number for number, state in of_own if state != Round.State.DRAFT]
    if of_own and not shown:
        return of_own[0][0]
    shown = shown or [number for _, number, state in rounds if state != Round.State.DRAFT]
    return max(shown, default=0) + 1


def is_of_another_stage(entry: Entry, round_: int) -> bool:
    """Return whether a round was drawn for a stage in which the entry is not; one query."""
    stages = entry.tournament.stages.filter(rounds__number=round_)
    return any(entry.number not in stage.entrants for stage in stages)


def can_play_side_by_side(stages: Iterable[Stage]) -> bool:
    """Return whether two of the stages of a tournament can be played at the same time."""
    stages = tuple(stages)
    is_placing = any(stage.rules.take_from for stage in stages)
    return is_placing or is_forked({stage.number: stage.rules.source for stage in stages})


def current_round(rounds: Sequence[RoundState]) -> int | None:
    """Return the first published round with a match still to be played, else the last published.

    A match that only waits for its confirmation or for a ruling does not count: everybody is shown
    the round in which they play now. The same rule in SQL: `cards.playing_round`.
    """
    published = [round_ for round_ in rounds if round_.state == Round.State.PUBLISHED]
    playing = (round_.number for round_ in published if round_.to_play)
    return next(playing, published[-1].number if published else None)


def rounds_at_play(rounds: Sequence[RoundState], stages: Sequence[Stage]) -> tuple[int, ...]:
    """Return the rounds being played: of each stage, where several are played side by side."""
    if not can_play_side_by_side(stages):
        current = current_round(rounds)
        return () if current is None else (current,)
    numbers = {round_.stage for round_ in rounds}
    of_stages = (current_round([r for r in rounds if r.stage == n]) for n in sorted(numbers))
    return tuple(sorted(number for number in of_stages if number is not None))


def planned_rounds(
    tournament: Tournament, stages: Sequence[Stage], public_count: int
) -> tuple[int, bool]:
    """Return how many rounds a tournament is to have, and whether that is known yet.

    ``public_count`` is the number of published rounds: the minimum, and the total once the
    tournament is over. Stages whose number depends on results or on who enters them are not
    counted.
    """
    if tournament.state == Tournament.State.FINISHED:
        return public_count, True
    plans = [stage.planned_rounds for stage in stages]
    known_plans = [planned for planned in plans if planned is not None]
    return max(public_count, sum(known_plans)), len(known_plans) == len(plans)


def last_round(tournament: Tournament) -> int | None:
    """Return the number of the last round that a tournament can have; None while that is open."""
    plans = [
        stage.planned_rounds
        if stage.entrants or "rounds" not in stage.kind.settings
        else stage.rules.rounds
        for stage in tournament.stages.all()
    ]
    known_plans = [planned for planned in plans if planned is not None]
    drawn = Round.objects.filter(stage__tournament=tournament).count()
    return max(drawn, sum(known_plans)) if len(known_plans) == len(plans) else None


def tournament_facts(tournament: Tournament) -> TournamentFacts:
    """Return the facts of a tournament: three queries, nine more where a round may be drawn."""
    stages = tuple(tournament.stages.order_by("number"))
    return facts_of(tournament, stages, round_states(tournament), tournament.entries.count())


def facts_of(
    tournament: Tournament,
    stages: Sequence[Stage],
    rounds: Sequence[RoundState],
    entries: int,
    *,
    asks_formats: bool = True,
) -> TournamentFacts:
    """Return the facts of a tournament whose stages, rounds and entry count have been read.

    Once all rounds are closed, or where stages can be played side by side, its formats decide
    whether another is to be drawn, which takes nine queries: ``asks_formats`` is off for viewers to
    whom no verb of it is open.
    """
    open_rounds = tuple((r.number, r.undecided) for r in rounds if r.state != Round.State.CLOSED)
    is_running = tournament.state == Tournament.State.RUNNING
    may_draw = asks_formats and is_running and (not open_rounds or can_play_side_by_side(stages))
    to_draw = stages_to_draw(rows_of(tournament)) if may_draw else ()
    return TournamentFacts(
        state=tournament.state,
        entries=entries,
        min_entries=stages[0].kind.min_entrants,
        max_entries=stages[0].kind.max_entrants,
        open_rounds=open_rounds,
        undecided=sum(round_.undecided for round_ in rounds),
        to_draw=tuple(stage.number for stage in to_draw),
        takes_latecomers=stage_for_latecomers(stages, rounds) is not None,
        check_in_closed=tournament.check_in_closed_at is not None,
        posted=tournament.posted_at is not None,
        cancelled=tournament.cancelled_at is not None,
        shown=any(round_.state != Round.State.DRAFT for round_ in rounds),
        drawn=any(stage.draws for stage in stages),
    )


def stage_for_latecomers(stages: Sequence[Stage], rounds: Sequence[RoundState]) -> Stage | None:
    """Return the stage that a late entry joins: the last in play that takes one, or None.

    That is the last that has begun, or where stages are played side by side, of those from which
    none has been filled yet one with an open round.
    """
    begun = [stage for stage in stages if stage.begun_at is not None]
    sources = {stage.rules.source or stage.number - 1 for stage in begun}
    playing = {round_.stage for round_ in rounds if round_.state != Round.State.CLOSED}
    beside = [s for s in begun if s.number not in sources and s.number in playing]
    taking = [stage for stage in beside or begun[-1:] if takes_latecomers(stage)]
    return taking[-1] if taking else None


def takes_latecomers(stage: Stage) -> bool:
    """Return whether an entry can still join a stage that has begun."""
    return not stage.kind.in_brackets and stage.kind.groups is None


def takes_late_seats(stage: Stage) -> bool:
    """Return whether a late entry can take the place of an absent one in a published round."""
    kind = stage.kind
    has_plan = stage.is_drawn_ahead or kind.is_preset or kind.same_deals
    return takes_latecomers(stage) and kind.seats == TWO_SIDED_SEATS and not has_plan


def stage_facts(stage: Stage) -> StageFacts:
    """Return the facts of a stage: one query."""
    is_shown = stage.rounds.exclude(state=Round.State.DRAFT).exists()
    return StageFacts(stage.tournament.state, drawn=stage.begun_at is not None, shown=is_shown)


def round_facts(round_: Round) -> RoundFacts:
    """Return the facts of a round: three queries, four of a draft."""
    unfinished = round_.matches.unfinished()
    is_draft = round_.state == Round.State.DRAFT
    earlier = 0
    if is_draft:
        earlier = first_draft_before(round_states(round_.stage.tournament), round_.number)
    return facts_of_round(
        round_,
        unfinished=unfinished.count(),
        disputed=unfinished.filter(state=Match.State.DISPUTED).count(),
        bots=round_.matches.of_bots().exists(),
        earlier_draft=earlier,
    )


def first_draft_before(rounds: Sequence[RoundState], number: int) -> int:
    """Return the number of the first draft to be published before a round, 0 if there is none.

    Those are the earlier ones of its stage; before the first of a stage also those of others that
    have not been shown, as their entrants are no longer free for it.
    """
    shown = {one.stage for one in rounds if one.state != Round.State.DRAFT}
    stage = next((one.stage for one in rounds if one.number == number), 0)
    earlier = (one for one in rounds if one.state == Round.State.DRAFT and one.number < number)
    is_first = stage not in shown
    before = (
        one.number for one in earlier if one.stage == stage or (is_first and one.stage not in shown)
    )
    return next(before, 0)


def facts_of_round(
    round_: Round,
    *,
    unfinished: int,
    disputed: int,
    bots: bool,
    earlier_draft: int,
    begun: bool = False,
) -> RoundFacts:
    """Return the facts of a round whose matches have been read.

    ``begun`` costs queries of its own (`replanning.has_begun`) and decides only about `replan`.
    """
    clock = ""
    if round_.clock_started_at is not None:
        clock = "running" if round_.clock_stopped_at is None else "stopped"
    return RoundFacts(
        tournament=round_.stage.tournament.state,
        number=round_.number,
        state=round_.state,
        unfinished=unfinished,
        disputed=disputed,
        bots=bots,
        paused=round_.paused_at is not None,
        clock=clock,
        earlier_draft=earlier_draft,
        outdated=round_.is_outdated,
        cancelled=round_.stage.tournament.cancelled_at is not None,
        planned=round_.stage.is_drawn_ahead,
        begun=begun,
    )


# --- matches --------------------------------------------------------------------------------------


def match_facts(
    match: Match,
    live: Result | None = None,
    dispute: Dispute | None = None,
    *,
    in_play: bool = False,
    last_day: date | None = None,
) -> MatchFacts:
    """Return the facts of a match that was read with its names; no query.

    ``live`` is its last result, ``dispute`` the one that waits for its last ruling; ``in_play`` is
    set for a match of several cotos that has some of them and no result; ``last_day`` is that of
    `last_day_to_agree`, for the verbs about another day.
    """
    minutes = minutes_to_wait(match)
    return MatchFacts(
        tournament=match.tournament.state,
        round=match.round.number,
        round_state=match.round.state,
        state=match.state,
        has_result=live is not None,
        reported_for="" if live is None else live.reported_for,
        is_level=live is not None and live.winner == Result.Winner.TIE,
        settled=live is not None and live.depth in SETTLED_DEPTHS,
        in_brackets=match.round.stage.kind.in_brackets,
        planned=not takes_late_seats(match.round.stage),
        in_play=in_play,
        of_bots=match.is_of_bots,
        typed_only=match.round.stage.rules.typed_only,
        dispute=dispute.state if dispute is not None else "",
        reviewed_by=dispute.reviewed_by if dispute is not None else "",
        waited=_elapsed(match.round) >= timedelta(minutes=minutes),
        wait=minutes,
        sides_agree_days=last_day is not None and timezone.localdate() <= last_day,
        day_proposed_by=match.day_proposed_by,
    )


def last_day_to_agree(match: Match) -> date | None:
    """Return the last day to which the two sides of a match may move it; None: to none.

    That is the day by which the matches of its round are to be played. One query where the round
    has a day.
    """
    may_agree = match.tournament.sides_agree_days and match.away_id and match.third_id is None
    day = match.round.day if may_agree else None
    return None if day is None else day.play_by


def minutes_to_wait(match: Match) -> int:
    """Return after how many minutes absent sides can forfeit, with those of grace."""
    return match.tournament.no_show_minutes + _grace(match)


def hands_lost(match: Match) -> int:
    """Return how many hands a side has lost by now that has not come yet; 0 without such a term."""
    late = match.tournament.late_minutes
    if not late or match.round.published_at is None:
        return 0
    late_by = _elapsed(match.round) - timedelta(minutes=_grace(match))
    return min(max(0, late_by // timedelta(minutes=late)), match.length.most_of_a_side)


def _grace(match: Match) -> int:
    """Return the minutes of a match before lateness counts: those of the first round."""
    return (match.tournament.grace_minutes or 0) if match.round.number == 1 else 0


def _elapsed(round_: Round) -> timedelta:
    """Return how long a round has been going on: by its clock, else since its publication."""
    now = timezone.now()
    if round_.clock_started_at is not None:
        return (round_.clock_stopped_at or now) - round_.clock_started_at
    return now - (round_.published_at or now)


def no_show_time(match: Match) -> datetime | None:
    """Return from when absent sides can forfeit; None while the clock is stopped.

    The time runs from the start of the round's clock, or else from its publication.
    """
    round_ = match.round
    if round_.clock_started_at is not None and round_.clock_stopped_at is not None:
        return None
    started = round_.clock_started_at or round_.published_at
    return started and started + timedelta(minutes=minutes_to_wait(match))


# --- entries --------------------------------------------------------------------------------------


def entry_facts(
    entry: Entry, absence: Absence | None = None, *, is_drawn: bool = True
) -> EntryFacts:
    """Return the facts of an entry; ``absence`` is its unfinished one. At most one query.

    ``is_drawn`` costs queries of its own (:func:`is_drawn`), and decides only whether the entry can
    be removed.
    """
    tournament = entry.tournament
    return EntryFacts(
        tournament=tournament.state,
        name=entry.name,
        away="" if absence is None else absence.kind,
        of_people=entry.pair_id is not None or entry.player_id is not None,
        can_join=absence is None or can_join(entry),
        is_drawn=is_drawn,
        self_check_in=tournament.self_check_in,
        check_in_closed=tournament.check_in_closed_at is not None,
    )


def is_drawn(entry: Entry) -> bool:
    """Return whether a stage's draw, a published round or a penalty names an entry; three queries.

    Proofs state them with the numbers of their entries, so such an entry cannot be removed.
    """
    stages = entry.tournament.stages.prefetch_related("rounds")
    number = entry.number
    rounds = [r for stage in stages for r in stage.rounds.all() if r.state != Round.State.DRAFT]
    return (
        any(number in draw["entrants"] for stage in stages for draw in stage.draws)
        or any(number in round_.drawn.get("here", ()) for round_ in rounds)
        or any(str(number) in round_.drawn.get("entrants", {}) for round_ in rounds)
        or entry.penalties.exists()
        or Match.objects.filter(at_any_place(entry), round__in=rounds).exists()
    )


def can_join(entry: Entry) -> bool:
    """Return whether an entry that is away can come back; not if its stage takes no latecomers.

    Those who were present when the first stage began can always come back; one query.
    """
    stages = entry.tournament.stages.filter(begun_at__isnull=False).order_by("number")
    first, *later = stages or [None]
    if first is None or later or entry.number in first.entrants:
        return True
    return takes_latecomers(first)

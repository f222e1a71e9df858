"""Header of a tournament's pages, effects of restoring, and places to be drawn by lot."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core import serializers
from django.db.models import Count, Exists, OuterRef, QuerySet

from tournaments.core.db import row_of
from tournaments.core.find import not_found_unless, or_404
from tournaments.core.permissions import (
    Actor,
    ClubRights,
    club_rights,
    is_public,
    may_see,
    public_condition,
)
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.queries.state import (
    RoundState,
    current_round,
    facts_of,
    planned_rounds,
    role_of,
    round_states,
    rounds_at_play,
)
from tournaments.director.queries.terms import lateness_notes
from tournaments.domain.names import series_name
from tournaments.domain.next_stages import is_forked
from tournaments.domain.pairing import FORMATS
from tournaments.domain.ranking import tables
from tournaments.domain.sides import PLACES
from tournaments.domain.stages import stage_of
from tournaments.domain.state import PointFacts, Verbs, closed_reason, verbs
from tournaments.models import (
    Dispute,
    Entry,
    Match,
    Record,
    RestorePoint,
    Result,
    Round,
    Stage,
    Tournament,
)

# --- Heads ----------------------------------------------------------------------------------------
# The header of a tournament's pages: its settings, its progress, the viewer's rights.


WAITING_STAGE, RUNNING_STAGE, FINISHED_STAGE = "waiting", "running", "finished"


@dataclass(frozen=True, slots=True)
class TournamentRights:
    """The viewer's rights, and the ``verbs`` of the tournament that are open to them."""

    manage: bool
    arbitrate: bool
    history: bool
    verbs: Verbs


@dataclass(frozen=True, slots=True)
class StageHead:
    """Summary of a stage.

    ``state`` is ``waiting`` until it begins, ``finished`` when all its planned rounds are closed, a
    later stage has been filled from it, or the tournament is over; else ``running``. ``rounds`` is
    the planned number, None while that depends on results. ``reported``, ``disputed`` and
    ``postponed`` matches do not count yet. ``for_places``: it, or a stage on the way to it, was
    filled from below the best places. ``round_minutes`` and ``warn_minutes`` are its own times.
    ``source`` is the stage that fills it, where not the one before it. ``length`` is that of its
    matches, where not the tournament's (`StageRules.length`). ``typed_only``: it takes no records.
    ``is_drawn_ahead``: all its rounds are drawn before the first is played.
    """

    number: int
    name: str
    format: str
    state: str
    entries: int
    rounds: int | None
    rounds_closed: int
    reported: int
    disputed: int
    postponed: int
    for_places: bool = False
    round_minutes: int | None = None
    warn_minutes: int | None = None
    source: int | None = None
    length: int | None = None
    typed_only: bool = False
    is_drawn_ahead: bool = False

    @property
    def matches_each(self) -> int | None:
        """The matches of each entry of a liguilla, once they are known; None in other formats."""
        if self.format != "liguilla" or self.rounds is None or not self.entries:
            return None
        has_byes = self.entries % 2 == 1  # one bye in each turn of as many rounds
        return self.rounds - (self.rounds // self.entries if has_byes else 0)

    @property
    def is_provisional(self) -> bool:
        """Whether results that do not count yet are there or still to come."""
        return bool(self.reported or self.disputed or self.postponed)


@dataclass(frozen=True, slots=True)
class TournamentHead:
    """Summary of a tournament. Byes are no matches; ``decided`` ones have a result that counts.

    ``rounds`` is the planned number, as far as it is known (``rounds_known``), else the number of
    published rounds; drafts are not counted. ``current_round`` is the one being played
    (`director.queries.state.current_round`), if any. ``rounds_drawn`` is the number of the last
    round, a draft too, and ``to_draw`` are the numbers of the stages that can get one now, for
    those who may draw it. ``rounds_at_play`` are, where several stages are being played, the
    current rounds of all of them.
    """

    pk: int
    slug: str
    name: str
    club_name: str
    club_slug: str
    state: str
    ruleset: str
    options: Mapping[str, Any]
    version: int
    entries: int
    rounds: int
    rounds_closed: int
    current_round: int | None
    matches: int
    decided: int
    disputed: int
    may: TournamentRights
    rounds_known: bool = True
    rounds_drawn: int = 0
    to_draw: tuple[int, ...] = ()
    rounds_at_play: tuple[int, ...] = ()
    stages: tuple[StageHead, ...] = ()
    cotos: int = 1
    deal_sets: int = 0
    stop: Mapping[str, Any] = field(default_factory=dict)
    bots: int = 0
    open_to_bots: bool = False
    visibility: str = Tournament.Visibility.PUBLIC.value
    confirmation: bool = True
    confirm_minutes: int = 0
    round_minutes: int | None = None
    bye_quota: int = 0
    no_show_minutes: int = 0
    late_minutes: int | None = None
    grace_minutes: int | None = None
    self_check_in: bool = True
    points_required: bool = False
    sides_agree_days: bool = True
    begins_at: datetime | None = None
    place: str = ""
    prizes: str = ""
    rules_text: str = ""
    posted_at: datetime | None = None
    cancelled_at: datetime | None = None
    cancel_reason: str = ""
    announcement: str = ""
    announced_at: datetime | None = None

    @property
    def lateness(self) -> tuple[str, ...]:
        """What lateness costs, in sentences."""
        return tuple(lateness_notes(self.late_minutes, self.no_show_minutes, self.grace_minutes))

    @property
    def has_stages_beside(self) -> bool:
        """Whether two of its stages can be played at the same time."""
        is_placing = any(stage.for_places for stage in self.stages)
        return is_placing or is_forked({stage.number: stage.source for stage in self.stages})

    @property
    def is_side_by_side(self) -> bool:
        """Whether several stages are being played, or can be drawn, at the same time."""
        running = {stage.number for stage in self.stages if stage.state == RUNNING_STAGE}
        return len(running.union(self.to_draw)) > 1

    @property
    def confirm_after(self) -> int:
        """Hours after which silence confirms a result, rounded up."""
        return -(-self.confirm_minutes // 60)

    @property
    def is_private(self) -> bool:
        """Whether only its club and those who play in it see it."""
        return self.visibility == Tournament.Visibility.PRIVATE

    @property
    def is_open(self) -> bool:
        """Whether strangers see its pages, or of a draft its poster."""
        is_shown = self.state != Tournament.State.DRAFT or self.posted_at is not None
        return is_shown and not self.is_private

    @property
    def is_of_bots(self) -> bool:
        """Whether all entries are bots."""
        return 0 < self.entries == self.bots

    @property
    def compares_bots(self) -> bool:
        """Whether bots are compared: not where all stages give them changing partners."""
        return self.bots > 1 and any(FORMATS[stage.format].seats < 4 for stage in self.stages)

    @property
    def has_boards(self) -> bool:
        """Whether all tables play the same deals in a stage that has begun."""
        return any(
            FORMATS[stage.format].same_deals and stage.state != WAITING_STAGE
            for stage in self.stages
        )

    @property
    def takes_records(self) -> bool:
        """Whether the results of a stage may be records."""
        return not all(stage.typed_only for stage in self.stages)

    @property
    def has_brackets(self) -> bool:
        """Whether a stage is a knock-out: who has a bye there does not go on."""
        return any(FORMATS[stage.format].in_brackets for stage in self.stages)

    @property
    def current_stage(self) -> StageHead:
        """The first stage in play, else the last that has begun, else the first.

        Once all is over, the last of those that were played for the first place.
        """
        begun_stages = [stage for stage in self.stages if stage.state != WAITING_STAGE]
        running_stages = (stage for stage in begun_stages if stage.state == RUNNING_STAGE)
        if self.state == Tournament.State.FINISHED:
            begun_stages = [stage for stage in begun_stages if not stage.for_places]
        return next(running_stages, begun_stages[-1] if begun_stages else self.stages[0])

    def stage(self, number: int | None) -> StageHead:
        """Return a stage, by default the current one; refuses NOT_FOUND."""
        if number is None:
            return self.current_stage
        return or_404(next((stage for stage in self.stages if stage.number == number), None))


@dataclass(frozen=True, slots=True)
class VisibleTournament:
    """A tournament that the viewer may see, with the rows that every page about it needs."""

    tournament: Tournament
    head: TournamentHead
    rounds: tuple[RoundState, ...]
    powers: ClubRights

    @property
    def open_round(self) -> int:
        """The number of the first round that is not published yet."""
        published = [r.number for r in self.rounds if r.state != Round.State.DRAFT]
        return max(published, default=0) + 1

    @property
    def visible_rounds(self) -> tuple[int, ...]:
        """The numbers of the rounds that the viewer may see."""
        return tuple(
            round_.number
            for round_ in self.rounds
            if self.powers.member or round_.state != Round.State.DRAFT
        )


def tournament_head(slug: str, viewer: Actor) -> TournamentHead:
    """Return the summary of a tournament: five queries, four for an anonymous viewer."""
    return open_tournament(slug, viewer).head


def open_tournament(slug: str, viewer: Actor) -> VisibleTournament:
    """Return a tournament by its short name: five queries, four for an anonymous viewer."""
    tournaments = Tournament.objects.select_related("club")
    return open_fetched_tournament(or_404(tournaments.filter(slug=slug).first()), viewer)


def open_fetched_tournament(
    tournament: Tournament,
    viewer: Actor,
    *,
    own_entry: Entry | None = None,
    for_poster: bool = False,
) -> VisibleTournament:
    """Return a tournament that has been fetched with its club, with its stages and rounds.

    Those who speak for an entry, their ``own_entry``, see its page also while it is a draft; of a
    poster the caller has asked whether the viewer may see it (`may_see_poster`).
    """
    allowed = club_rights(viewer, tournament.club)
    is_own = own_entry is not None or for_poster
    not_found_unless(is_own or allowed.member or may_see(viewer, tournament))
    rounds = round_states(tournament)
    head = _head(tournament, rounds, allowed, viewer)
    return VisibleTournament(tournament, head, rounds, allowed)


def stage_heads(
    tournament: Tournament, stages: tuple[Stage, ...], rounds: tuple[RoundState, ...]
) -> tuple[StageHead, ...]:
    """Return the summaries of the stages, which are given in order."""
    is_over = tournament.state == Tournament.State.FINISHED
    # A tree goes on while those who are out play for their places.
    playing = {round_.stage for round_ in rounds if round_.state != Round.State.CLOSED}
    source_numbers = {
        stage.rules.source or stage.number - 1 for stage in stages if stage.begun_at is not None
    } - playing
    for_places = _stages_for_places(stages)
    return tuple(
        _stage_head(
            stage,
            tuple(round_ for round_ in rounds if round_.stage == stage.number),
            is_over=is_over or stage.number in source_numbers,
            for_places=stage.number in for_places,
        )
        for stage in stages
    )


def _stages_for_places(stages: tuple[Stage, ...]) -> set[int]:
    """Return the numbers of the stages that are filled from below the best places."""
    numbers: set[int] = set()
    for stage in stages:
        rules = stage.rules
        if rules.take_from or (rules.source or stage.number - 1) in numbers:
            numbers.add(stage.number)
    return numbers


def _stage_head(
    stage: Stage, rounds: tuple[RoundState, ...], *, is_over: bool, for_places: bool
) -> StageHead:
    entries, closed = len(stage.entrants), sum(r.state == Round.State.CLOSED for r in rounds)
    planned = stage.planned_rounds
    state = RUNNING_STAGE
    if stage.begun_at is None:
        state = WAITING_STAGE
    elif is_over or (planned is not None and closed >= planned and closed == len(rounds)):
        state = FINISHED_STAGE
    return row_of(
        StageHead,
        stage,
        state=state,
        entries=entries,
        rounds=planned,
        rounds_closed=closed,
        reported=sum(round_.reported for round_ in rounds),
        disputed=sum(round_.disputed for round_ in rounds),
        postponed=sum(round_.postponed for round_ in rounds),
        for_places=for_places,
        source=stage.rules.source,
        length=stage.rules.length,
        typed_only=stage.rules.typed_only,
        is_drawn_ahead=stage.is_drawn_ahead,
    )


def _head(
    tournament: Tournament, rounds: tuple[RoundState, ...], allowed: ClubRights, viewer: Actor
) -> TournamentHead:
    counts = tournament.entries.aggregate(all=Count("pk"), bots=Count("bot"))
    entries = counts["all"]
    stages = tuple(tournament.stages.order_by("number"))
    public = [round_ for round_ in rounds if round_.state != Round.State.DRAFT]
    planned, is_known = planned_rounds(tournament, stages, len(public))
    facts = facts_of(tournament, stages, rounds, entries, asks_formats=allowed.manage)
    return row_of(
        TournamentHead,
        tournament,
        club_name=tournament.club.name,
        club_slug=tournament.club.slug,
        entries=entries,
        rounds=planned,
        rounds_known=is_known,
        rounds_closed=sum(round_.state == Round.State.CLOSED for round_ in rounds),
        rounds_drawn=rounds[-1].number if rounds else 0,
        to_draw=facts.to_draw,
        rounds_at_play=rounds_at_play(rounds, stages),
        current_round=current_round(rounds),
        matches=sum(round_.matches for round_ in public),
        decided=sum(round_.decided for round_ in public),
        disputed=sum(round_.disputed for round_ in public),
        may=TournamentRights(
            manage=allowed.manage,
            arbitrate=allowed.arbitrate,
            history=allowed.read_history,
            verbs=verbs(facts, role_of(viewer, allowed)),
        ),
        stages=stage_heads(tournament, stages, rounds),
        bots=counts["bots"],
        confirm_minutes=tournament.minutes_to_object,
    )


# --- Restoring ------------------------------------------------------------------------------------
# The effects of going back to a restore point, and the matches that prevent it.


STRUCTURE = ("tournaments.entry", "tournaments.stage", "tournaments.round", "tournaments.match")
"""Models of the rows in a restore point, in the order in which they can be written."""

Structure = Entry | Stage | Round | Match


@dataclass(frozen=True, slots=True)
class PointRow:
    """A restore point: the state before ``verb`` was done."""

    pk: int
    verb: str
    round: int | None
    made_by: str
    made_at: datetime
    used_at: datetime | None


@dataclass(frozen=True, slots=True)
class Effects:
    """Effects of going back to a restore point.

    ``removed`` are the rounds that would be deleted, ``withdrawn`` those that would be drafts
    again, ``reopened`` those closed since, ``restored`` those that come back; ``entries`` are the
    names of later entries, which would be deleted. ``live`` are the labels of the matches of these
    rounds that have results, records or disputes, ``tables`` their rounds and tables; ``redrawn``
    are the stages that have been drawn again since: with any of these, restoring is refused.
    """

    removed: tuple[int, ...]
    withdrawn: tuple[int, ...]
    reopened: tuple[int, ...]
    restored: tuple[int, ...]
    entries: tuple[str, ...]
    live: tuple[str, ...]
    tables: tuple[tuple[int, int], ...]
    redrawn: tuple[int, ...]


def snapshot(tournament: Tournament) -> dict[str, Any]:
    """Return the state, entries, stages, rounds and matches of a tournament, ready for JSON."""
    rows = [
        *tournament.entries.order_by("pk"),
        *tournament.stages.order_by("pk"),
        *Round.objects.filter(stage__tournament=tournament).order_by("pk"),
        *Match.objects.filter(round__stage__tournament=tournament).order_by("pk"),
    ]
    return {"state": tournament.state, "rows": serializers.serialize("json", rows)}


def restore_points(tournament: Tournament) -> tuple[PointRow, ...]:
    """Return the restore points of a tournament, the latest first; one query."""
    points = RestorePoint.objects.filter(tournament=tournament).order_by("-pk")
    return tuple(
        row_of(PointRow, point, round=point.round_number) for point in points.defer("snapshot")
    )


def effects(tournament: Tournament, point: RestorePoint) -> Effects:
    """Return the effects of going back to a point."""
    before = restore_point_rows(point)
    rounds_before = {row.pk: row for row in before if isinstance(row, Round)}
    rounds = {row.pk: row for row in Round.objects.filter(stage__tournament=tournament)}
    removed = [row for pk, row in rounds.items() if pk not in rounds_before]
    withdrawn: list[Round] = []
    reopened: list[Round] = []
    for pk, row in rounds.items():
        row_before = rounds_before.get(pk)
        if row_before is not None and row_before.state != row.state:
            (withdrawn if row_before.state == Round.State.DRAFT else reopened).append(row)
    rows = json.loads(point.snapshot["rows"])
    live = _matches_lost(_matches_with_play(tournament), rows)
    return Effects(
        removed=_numbers(removed),
        withdrawn=_numbers(withdrawn),
        reopened=_numbers(reopened),
        restored=_numbers([row for pk, row in rounds_before.items() if pk not in rounds]),
        entries=tuple(entries_added_since(tournament, before).values_list("name", flat=True)),
        live=tuple(match.label for match in live),
        tables=tuple((match.round.number, match.table) for match in live),
        redrawn=_redrawn(_draws(tournament), rows),
    )


def refused_points(tournament: Tournament) -> frozenset[int]:
    """Return the keys of the points that cannot be gone back to; at most three queries."""
    matches_played, draws = list(_matches_with_play(tournament)), _draws(tournament)
    may_refuse = matches_played or any(len(of_stage) > 1 for of_stage in draws.values())
    points = RestorePoint.objects.filter(tournament=tournament) if may_refuse else ()
    facts = {}
    for point in points:
        rows = json.loads(point.snapshot["rows"])
        live = tuple(match.label for match in _matches_lost(matches_played, rows))
        facts[point.pk] = PointFacts(live, _redrawn(draws, rows))
    return frozenset(pk for pk, of_point in facts.items() if closed_reason("go_back", of_point))


def entries_added_since(tournament: Tournament, before: Sequence[Structure]) -> QuerySet[Entry]:
    """Return the entries that are not among the rows of a point."""
    entry_pks = [row.pk for row in before if isinstance(row, Entry)]
    return tournament.entries.exclude(pk__in=entry_pks).order_by("number")


def played_matches(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Filter the matches that have a result, a record or a dispute."""
    return matches.filter(
        Exists(Result.objects.filter(match=OuterRef("pk")))
        | Exists(Record.objects.filter(match=OuterRef("pk")))
        | Exists(Dispute.objects.filter(match=OuterRef("pk")))
    ).order_by("round__number", "table")


def restore_point_rows(point: RestorePoint) -> Sequence[Structure]:
    """Return the rows of a point, in the order in which they can be written.

    Columns that this release does not know are left out: a newer release may have stored the point
    before an upgrade was taken back.
    """
    stored = serializers.deserialize("json", point.snapshot["rows"], ignorenonexistent=True)
    rows = [item.object for item in stored]
    structure = [row for row in rows if isinstance(row, Entry | Stage | Round | Match)]
    return sorted(structure, key=lambda row: STRUCTURE.index(row._meta.label_lower))


def _matches_with_play(tournament: Tournament) -> QuerySet[Match]:
    matches = Match.objects.filter(round__stage__tournament=tournament)
    return played_matches(matches).select_related("round__stage__tournament")


def _draws(tournament: Tournament) -> dict[int, list[dict[str, Any]]]:
    """Return the draws of each stage, by its key; one query."""
    return dict(tournament.stages.values_list("pk", "draws"))


def _redrawn(
    draws: Mapping[int, Sequence[Mapping[str, Any]]], rows: Iterable[Mapping[str, Any]]
) -> tuple[int, ...]:
    """Return the numbers of the stages that the rows of a point have with an earlier draw."""
    stages = (row for row in rows if row["model"] == "tournaments.stage")
    return tuple(
        row["fields"]["number"]
        for row in stages
        if (history := draws.get(row["pk"]))
        and row["fields"]["seed"] not in {"", history[-1]["seed"]}
    )


def _matches_lost(
    matches_played: Iterable[Match], rows: Sequence[Mapping[str, Any]]
) -> list[Match]:
    """Return the matches with play that a point with these rows would take away.

    They are new since, have other entries at the table, or are in a round that was not published.
    The rows are read without making models of them: a page reads those of fifty points.
    """
    rows_by_model = {model: [row for row in rows if row["model"] == model] for model in STRUCTURE}
    rounds, matches = rows_by_model["tournaments.round"], rows_by_model["tournaments.match"]
    public_pks = {row["pk"] for row in rounds if row["fields"]["state"] != Round.State.DRAFT}
    seats = {row["pk"]: [row["fields"].get(place) for place in PLACES] for row in matches}
    return [
        match
        for match in matches_played
        if match.round_id not in public_pks
        or seats.get(match.pk) != [getattr(match, f"{place}_id") for place in PLACES]
    ]


def _numbers(rounds: Sequence[Round]) -> tuple[int, ...]:
    return tuple(sorted(round_.number for round_ in rounds))


# --- Lots -----------------------------------------------------------------------------------------
# Shared places at the end of a stage, for which lots can be drawn.


@dataclass(frozen=True, slots=True)
class LotsDue:
    """A stage with shared places, and for each of these the names that share it."""

    stage: int
    names: tuple[tuple[str, ...], ...]


def lots_due(head: TournamentHead) -> LotsDue | None:
    """Return the entries that share places, for viewers who may draw lots; else None.

    ``head`` is the viewer's. Lots are due when the last stage played is over and either its rules
    ask for lots or another stage is filled from it, which may have drafts. No query, ten when a
    stage is over.
    """
    if not head.may.manage or head.state != Tournament.State.RUNNING:
        return None
    current = head.current_stage
    is_begun = current.state == RUNNING_STAGE and current.number > 1 and not current.rounds_closed
    if current.state != FINISHED_STAGE and not is_begun:
        return None
    rows = rows_of(Tournament.objects.get(pk=head.pk))
    stage = stage_of(rows, current.number)
    if is_begun:
        if stage.published:
            return None
        stage = stage_of(rows, stage.rules.source or stage.number - 1)
    number = stage.number
    is_followed = is_begun or any(stage.state == WAITING_STAGE for stage in head.stages)
    if not (stage.rules.lots or is_followed):
        return None
    names = rows.shown_names
    shared: dict[tuple[int, int], tuple[str, ...]] = {}
    for table in tables(rows, stage):
        for line in table.lines:
            if line.shared and line.entrant not in stage.lots:
                place = table.group, line.rank
                shared[place] = (*shared.get(place, ()), names[line.entrant])
    return LotsDue(number, tuple(shared.values())) if shared else None


# --- Editions -------------------------------------------------------------------------------------


def has_editions(tournament: Tournament) -> bool:
    """Return whether other editions of a public tournament are over; one query."""
    others = finished_of(tournament.club_id).exclude(pk=tournament.pk)
    names = map(series_name, others.values_list("name", flat=True))
    return is_public(tournament) and series_name(tournament.name) in names


def finished_of(club: int) -> QuerySet[Tournament]:
    """Return the public tournaments of a club that are over, but for those of bots alone."""
    people = Entry.objects.filter(tournament=OuterRef("pk"), bot=None)
    finished = Tournament.objects.filter(club=club, state=Tournament.State.FINISHED)
    return finished.filter(public_condition(), Exists(people))

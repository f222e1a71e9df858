"""The proof of a tournament, made from its rows: what was known when each round was drawn.

A round stores what its draw knew of the entrants (`Round.drawn`); which results counted by then
follows from their versions. Drafts, and stages without a published round, are left out, because
they are not public yet.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

from django.db.models import Q

from tournaments.core.permissions import Actor, may_see_poster
from tournaments.director.queries.public_rows import rows_of_rounds
from tournaments.director.queries.snapshot import penalties_at, rows_of
from tournaments.director.queries.stage_rules import NEW_RULES, with_rule
from tournaments.domain.beside import stages_beside
from tournaments.domain.file.codec import read_draw_facts
from tournaments.domain.file.proofs import bundle_to_bytes
from tournaments.domain.proof import (
    MAX_LINKS,
    Bundle,
    DealCommitment,
    Drawing,
    Edit,
    SignedState,
    SourcePlace,
    StageDraw,
    TableRecord,
    prove,
    rows_before_draw,
)
from tournaments.domain.rows import Entrant, TournamentRows
from tournaments.domain.signed_proof import DIFFERING, SIGNED, last_closed, statement_of
from tournaments.domain.stages import field_for
from tournaments.domain.trail.chain import FIRST, says
from tournaments.domain.verification import breaches
from tournaments.models import (
    AuditCheckpoint,
    AuditEvent,
    Match,
    Penalty,
    Record,
    Result,
    SignUpRequest,
    Tournament,
)
from tournaments.models import Round as RoundRow

T = TypeVar("T")

MANUAL_EVENTS: Final = (
    "draft.swapped",
    "draft.paired",
    "draft.parted",
    "draft.rested",
    "entry.late",
)
"""Events after which a round differs from its draw."""

DISCARDING_EVENTS: Final = (
    "round.drawn",
    "rounds.replanned",
    "draft.thrown_away",
    "tournament.restored",
)
"""Events that discard the manual changes before them."""

COMMITMENT_EVENTS: Final = (
    "round.published",
    "tournament.drawn",
    "round.drawn",
    "stage.drawn_again",
)
"""Events that name a commitment to the seed of deals."""

MAX_STATEMENTS: Final = 3
"""Signed statements that are compared with the rows, the newest first: each costs a digest."""

SIDES_BY_HOME: Final = {"AC": ("AC", "BD"), "BD": ("BD", "AC"), "A": ("A", "B"), "B": ("B", "A")}
"""The sides of a record, home first, by the seats of home."""


def proof_of(tournament: Tournament, after: int | None = None) -> Bundle:
    """Return the proof bundle of a tournament, or of its rounds up to ``after``.

    Nineteen queries at most, and nine for each version in which a round was drawn from other
    results than those that count now.
    """
    rounds = list(
        RoundRow.objects.filter(stage__tournament=tournament)
        .exclude(state=RoundRow.State.DRAFT)
        .select_related("stage")
        .order_by("number")
    )
    included = [row for row in rounds if after is None or row.number <= after]
    rows = rows_of_rounds(rows_of(tournament), included)
    at_draws = _RowsAtDraws(tournament, rows, included)
    before = {row.number: at_draws.rows_before(row) for row in included if "version" in row.drawn}
    in_use = {row.number: tuple(row.drawn.get("in_use", ())) for row in included}
    edits = _edits(tournament, prove(rows, before=before, in_use=in_use), included)
    numbers = {row.number for row in included}
    records = (record for record in _records(tournament) if record.round in numbers)
    bundle = prove(rows, before=before, edits=edits, records=records, in_use=in_use)
    draws, deals = draws_of(tournament, rows)
    signed = _signed(tournament, rows, draws, deals)
    sources = _sources(tournament)
    proof = replace(bundle.proof, draws=draws, deals=deals, sources=sources, signed=signed)
    return replace(bundle, proof=proof)


def proof_file(tournament: Tournament, after: int | None = None) -> bytes:
    """Return the proof bundle as a file."""
    return bundle_to_bytes(proof_of(tournament, after))


class _RowsAtDraws:
    """The rows of a tournament as they were when its rounds were drawn."""

    def __init__(
        self, tournament: Tournament, rows: TournamentRows, rounds: Iterable[RoundRow]
    ) -> None:
        self.tournament, self.rows, self.rounds = tournament, rows, tuple(rounds)
        self.entrants = {entrant.number: entrant for entrant in rows.entrants}
        self.rows_by_version: dict[int, TournamentRows] = {}
        self.first_rounds = {row.stage_id: row.number for row in reversed(self.rounds)}
        counted = Result.objects.filter(
            match__round__stage__tournament=tournament, counts_from__isnull=False
        )
        spans = ("match__round__number", "counts_from", "counts_until")
        self.count_spans: list[tuple[Any, ...]] = list(counted.values_list(*spans))
        self.penalties = list(
            Penalty.objects.filter(entry__tournament=tournament).select_related("entry")
        )

    def rows_before(self, row: RoundRow) -> TournamentRows:
        """Return the rows just before a round was drawn."""
        rows = self._results_before(row)
        drawn_stage = next(stage for stage in rows.stages if stage.number == row.stage.number)
        known_numbers = self._known(row)
        latecomers = {
            n
            for n in drawn_stage.entrants
            if n not in known_numbers or self.entrants[n].joined > row.number
        }
        # Of a stage beside this one the draw used how many sit in it, and knew who came late.
        beside = (n for stage in stages_beside(rows, drawn_stage) for n in stage.entrants)
        latecomers.update(
            n for n in beside if self.entrants[n].joined > 1 and n not in known_numbers
        )
        facts = row.drawn.get("entrants", {})
        entrants = tuple(
            _entrant_at_draw(entrant, facts.get(str(entrant.number), {}))
            for entrant in self.rows.entrants
            if entrant.number not in latecomers
        )
        field = tuple(number for number in drawn_stage.entrants if number not in latecomers)
        rules = drawn_stage.rules
        for rule in NEW_RULES:
            if rule in row.drawn:
                rules = with_rule(rules, rule, row.drawn[rule])
        own = replace(drawn_stage, entrants=field, rules=rules)
        stages = tuple(own if stage is drawn_stage else stage for stage in rows.stages)
        rows = replace(rows, entrants=entrants, stages=stages, penalties=self.rows.penalties)
        if self.first_rounds[row.stage_id] == row.number and row.stage.begun_at is not None:
            penalties = penalties_at(self.penalties, row.stage.begun_at)
            rows = replace(rows, penalties=penalties)
        return rows

    def _known(self, row: RoundRow) -> set[int]:
        """Return the entrants that the draw knew: present, in a bye, or known to be absent."""
        draw = row.drawn
        numbers = (*draw.get("byes", {}), *draw.get("entrants", {}))
        return {*draw.get("here", ()), *(int(number) for number in numbers)}

    def _results_before(self, row: RoundRow) -> TournamentRows:
        """Return the rows with the results that counted at the draw.

        The current rows where the draw used no results, or the same ones.
        """
        version = row.drawn["version"]
        if row.stage.is_drawn_ahead and self.first_rounds[row.stage_id] != row.number:
            return self.rows
        if not any(
            round_ < row.number and _counted_otherwise(version, start, end)
            for round_, start, end in self.count_spans
        ):
            return self.rows
        if version not in self.rows_by_version:
            rows = rows_of(self.tournament, at_version=version)
            self.rows_by_version[version] = rows_of_rounds(rows, self.rounds)
        return self.rows_by_version[version]


def _counted_otherwise(version: int, start: int, end: int | None) -> bool:
    """Return whether a result counted at ``version`` and does not now, or the reverse."""
    counted = start <= version and (end is None or end > version)
    return counted != (end is None)


def _entrant_at_draw(entrant: Entrant, facts: Mapping[str, Any]) -> Entrant:
    """Return an entrant with the facts that a draw knew; a missing fact has its empty value."""
    return replace(entrant, **read_draw_facts(facts))


# --- draws and signatures ----------------------------------------------------------------------


def draws_of(
    tournament: Tournament, rows: TournamentRows
) -> tuple[tuple[StageDraw, ...], tuple[DealCommitment, ...]]:
    """Return every draw of the stages that have a round, and every commitment to deals.

    Two queries. A round that was published, taken back and drawn again has several commitments.
    """
    begun_numbers = {stage.number for stage in rows.stages if stage.rounds}
    published = {r.number: stage.number for stage in rows.stages for r in stage.rounds}
    stages = [row for row in tournament.stages.order_by("number") if row.number in begun_numbers]
    draws = tuple(
        StageDraw(
            row.number,
            draw["number"],
            f"{tournament.slug}/{row.number}/draw/{draw['number']}",
            draw["seeding"],
            draw["seed"],
            draw["commitment"],
            draw["at"],
            draw["reason"],
            _entrants_of(draw),
        )
        for row in stages
        for draw in row.draws
    )
    events = AuditEvent.objects.filter(tournament=tournament, verb__in=COMMITMENT_EVENTS)
    commitments: dict[tuple[int, int], list[DealCommitment]] = {}
    for event in events.order_by("sequence"):
        if event.verb == "round.published":
            round_ = _fact(event, "round", 0)
            place, commitment = (published.get(round_, 0), round_), _fact(event, "commitment", "")
            label = f"{tournament.slug}/{round_}"
        else:
            place, commitment = (
                (_fact(event, "stage", 1), 0),
                _fact(event, "deals_commitment", ""),
            )
            label = f"{tournament.slug}/{place[0]}"
        deals = commitments.setdefault(place, [])
        if (
            place[0] not in begun_numbers
            or not commitment
            or commitment in {c.commitment for c in deals}
        ):
            continue
        (stage, round_), number, timestamp = place, len(deals) + 1, event.at.isoformat()
        deals.append(DealCommitment(stage, number, label, commitment, timestamp, round=round_))
    return draws, tuple(deal for place in sorted(commitments) for deal in commitments[place])


def _entrants_of(draw: Mapping[str, Any]) -> tuple[Entrant, ...] | None:
    """Return the entrants with the facts that a stage's draw used, if these were stored."""
    facts = draw.get("facts")
    if facts is None:
        return None
    return tuple(
        _entrant_at_draw(Entrant(int(number)), facts[number]) for number in sorted(facts, key=int)
    )


def _signed(
    tournament: Tournament,
    rows: TournamentRows,
    draws: tuple[StageDraw, ...],
    deals: tuple[DealCommitment, ...],
) -> SignedState | None:
    """Return the newest signed statement that is true of the rows, if any: four queries.

    A result corrected, or a name put right, after the last checkpoint leaves the proof unsigned
    until the next one.
    """
    last = last_closed(rows)
    events = AuditEvent.objects.filter(tournament=tournament, verb=SIGNED).exclude(salt="")
    events = events.exclude(facts__has_key=DIFFERING)
    newest = [
        statement
        for statement in events.order_by("-sequence")
        if _fact(statement, "after", last + 1) <= last
    ]
    true = (
        statement
        for statement in newest[:MAX_STATEMENTS]
        if statement.facts == statement_of(rows, draws, deals, statement.facts["after"])
    )
    event = next(true, None)
    if event is None:
        return None
    of_club = AuditEvent.objects.filter(club=event.club_id)
    checkpoint = (
        AuditCheckpoint.objects.filter(club=event.club_id, sequence__gte=event.sequence)
        .order_by("number")
        .first()
    )
    if checkpoint is None or checkpoint.sequence - event.sequence > MAX_LINKS:
        return None
    before = of_club.filter(sequence=event.sequence - 1).values_list("digest", flat=True).first()
    linked_events = of_club.filter(sequence__gt=event.sequence, sequence__lte=checkpoint.sequence)
    links = tuple(says(row.to_chain_event()) for row in linked_events.order_by("sequence"))
    return SignedState(event.to_chain_event(), before or FIRST, links, checkpoint.to_checkpoint())


# --- sources ------------------------------------------------------------------------------------


def _sources(tournament: Tournament) -> tuple[SourcePlace, ...]:
    """Return the places by which entries came from other tournaments, by entrant; one query.

    Neither name nor short name of one that is not open to everybody.
    """
    requests = SignUpRequest.objects.filter(entry__tournament=tournament)
    requests = requests.exclude(source_place=None)
    requests = requests.select_related("entry", "source__tournament__club")
    places = []
    for row in requests.order_by("entry__number"):
        number, place = row.entry.number, row.source_place or 0
        if row.source is None:
            places.append(SourcePlace(number, place, name=row.origin))
            continue
        source = row.source.tournament
        is_open = may_see_poster(Actor(), source)
        names = (source.slug, source.name) if is_open else ("", "")
        places.append(SourcePlace(number, place, row.source_entry or 0, row.source_digest, *names))
    return tuple(places)


# --- by hand -----------------------------------------------------------------------------------


def _edits(tournament: Tournament, bundle: Bundle, rounds: Iterable[RoundRow]) -> dict[int, Edit]:
    """Return the manual changes by round: the people, the changes, the rules they broke."""
    edited = Match.objects.filter(round__stage__tournament=tournament, edited=True)
    by_hand: dict[int, set[int]] = {}
    for number, table in edited.values_list("round__number", "table"):
        by_hand.setdefault(number, set()).add(table)
    changes = _manual_changes(tournament)
    edits = {}
    for row in rounds:
        notes = changes.get(row.number, [])
        if row.number not in by_hand and not notes:
            continue
        actor = sorted({event.actor for event in notes})
        accepts = _rules_broken(bundle, row, by_hand.get(row.number, set()))
        edits[row.number] = Edit(", ".join(actor)[:200], _reason(notes), accepts)
    return edits


def _manual_changes(tournament: Tournament) -> dict[int, list[AuditEvent]]:
    """Return the events of manual changes that were not undone, by round."""
    events = AuditEvent.objects.filter(
        tournament=tournament, verb__in=(*MANUAL_EVENTS, *DISCARDING_EVENTS)
    )
    changes: dict[int, list[AuditEvent]] = {}
    for event in events.order_by("sequence"):
        number = _fact(event, "round", 0)
        if event.verb == "tournament.restored":
            empty: list[Any] = []
            numbers = (*_fact(event, "removed", empty), *_fact(event, "restored", empty))
            removed_rounds = {n for n in numbers if isinstance(n, int)}
            changes = {key: notes for key, notes in changes.items() if key not in removed_rounds}
        elif event.verb in DISCARDING_EVENTS:
            changes = {key: notes for key, notes in changes.items() if key < number}
        elif event.verb != "entry.late" or event.facts.get("against") or event.facts.get("rests"):
            changes.setdefault(number, []).append(event)
    return changes


def _reason(events: Iterable[AuditEvent]) -> str:
    """Return what was done, by the verbs of the events and the names in them."""
    return "; ".join(f"{event.verb}: {', '.join(_names(event))}" for event in events)[:1000]


def _names(event: AuditEvent) -> list[str]:
    names = [_fact(event, key, "") for key in ("one", "other", "entry", "against")]
    empty: list[Any] = []
    return [str(name) for name in (*names, *_fact(event, "entries", empty)) if name]


def _fact(event: AuditEvent, name: str, default: T) -> T:
    """Return a fact of an event, or ``default`` unless it has its type: imports bring any JSON."""
    value = event.facts.get(name)
    return value if type(value) is type(default) else default


def _rules_broken(bundle: Bundle, row: RoundRow, by_hand: set[int]) -> tuple[str, ...]:
    """Return the rules that the tables paired by hand break; the page warned of each."""
    plain = Drawing(row.number)
    drawing = next((item for item in bundle.proof.drawings if item.round == row.number), plain)
    rows = rows_before_draw(bundle.rows, drawing)
    field = field_for(rows, row.stage.number, row.number)
    stage = next(stage for stage in bundle.rows.stages if stage.number == row.stage.number)
    round_ = next(round_ for round_ in stage.rounds if round_.number == row.number)
    tables = [table for table in round_.tables if table.number in by_hand]
    return tuple(sorted({breach.rule for breach in breaches(field, round_, tables)}))


# --- records -----------------------------------------------------------------------------------


def _records(tournament: Tournament) -> Iterable[TableRecord]:
    """Yield the digests of the records that each table's result comes from, if any."""
    counting = Result.objects.counting().filter(
        ~Q(record=None), match__round__stage__tournament=tournament, depth=Result.Depth.RECORD
    )
    of_several = tournament.cotos > 1 or tournament.deal_sets > 0
    records = Record.objects.filter(results__in=counting)
    if of_several:
        records = Record.objects.accepted().filter(match__in=counting.values("match"))
    values = records.order_by("match__round__number", "match__table", "coto").values_list(
        "match__round__number", "match__table", "digest", "home_side", "coto"
    )
    for round_, table, digest, home, coto in values:
        sides = SIDES_BY_HOME.get(home, tuple(home))
        part = coto if of_several else 0
        number = (coto - 1) // len(sides) + 1 if tournament.deal_sets else 0
        yield TableRecord(round_, table, digest, sides, part, number)

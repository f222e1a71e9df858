"""The proof of a tournament: its rows, and the facts that each draw depended on.

A round is drawn from facts, and facts are corrected later: a result of round 2 after round 3 was
paired, an entrant who comes late. The rows hold what is true now; a :class:`Drawing` holds, for its
round, only what was different then (:class:`FactsWhenDrawn`). `rows_before_draw` puts both
together, so that `tournaments.domain.verification` can draw every round again from what was known.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Annotated, Any, Final

from tournaments.domain.file.rules import jsonable
from tournaments.domain.file.writing import document_of, text_of
from tournaments.domain.marks import Always, Digits, Items, Length, Range, Words
from tournaments.domain.ranking import StandingsLine, ranking
from tournaments.domain.rows import (
    MAX_AT_A_TABLE,
    MAX_ENTRANTS,
    MAX_PENALTIES,
    MAX_ROUNDS,
    MAX_STAGES,
    MAX_TABLES,
    Entrant,
    Number,
    Penalty,
    Round,
    RoundNumber,
    Seed,
    Seeding,
    Stage,
    StageRules,
    Table,
    TournamentRows,
)
from tournaments.domain.trail.chain import Event
from tournaments.domain.trail.checkpoints import Checkpoint

PROGRAM: Final = "baza 0.5.0.dev0"
"""What draws and ranks here: the version in `pyproject.toml`."""

RULES: Final = (
    "rematch",
    "apart",
    "second_bye",
    "not_here",
    "asked_bye",
    "without_table",
    "qualified",
)
"""What an arbiter may accept (`verification.RULES`, and the qualifiers of a stage)."""

MAX_ALL_ROUNDS: Final = MAX_STAGES * MAX_ROUNDS

MAX_PARTS: Final = 1500
"""Records of one match: three ways of sitting for every deal set that there can be."""

MAX_DRAWS: Final = 1000
"""Draws of one stage, or commitments to the deals of one round."""

MAX_LINKS: Final = 1000
"""Events between the one that states a tournament and the checkpoint that signs it.

A checkpoint signs at most one such event for each tournament that changed since the one before.
"""

StageNumber = Annotated[int, Range(1, MAX_STAGES)]
DrawNumber = Annotated[int, Range(1, MAX_DRAWS)]
Part = Annotated[int, Range(1, MAX_PARTS)]
Hex = Annotated[str, Digits(r"[0-9a-f]{64}", "digest", 64)]
Digest = Annotated[str, Digits(r"sha256:[0-9a-f]{64}", "digest", 80)]
Moment = Annotated[str, Length(40)]
ShortText = Annotated[str, Length(10)]
Rule = Annotated[str, Words(RULES)]
Entrants = Annotated[tuple[Entrant, ...], Items(MAX_ENTRANTS)]
Numbers = Annotated[tuple[Number, ...], Items(MAX_ENTRANTS)]

DOMAIN: Final = "baza-tournament/1\n"
"""Prefix of the text whose hash is the digest of a tournament: no other digest can equal it."""


@dataclass(frozen=True, slots=True)
class Edit:
    """The note that the arbiter changed a round by hand, and why.

    ``accepts`` are the rules broken knowingly, by the codes of `verification`: ``rematch``,
    ``apart``, ``second_bye``, ``not_here``, ``asked_bye``, ``without_table``, ``qualified``.
    """

    by: Annotated[str, Always()] = ""
    reason: Annotated[str, Length(1000), Always()] = ""
    accepts: Annotated[tuple[Rule, ...], Items(len(RULES)), Always()] = ()


@dataclass(frozen=True, slots=True)
class FactsWhenDrawn:
    """The facts that were different when a round was drawn; ``None`` and nothing: as now.

    ``entrants`` are those whose facts have changed since, ``later`` those who were not entered yet.
    ``tables`` are tables of earlier rounds by round, ``rounds`` earlier rounds that had other
    tables. ``field``, ``rules`` and ``seed`` are those of the round's own stage. ``in_use`` are the
    tables of stages beside it around which its own were numbered.
    """

    entrants: Entrants = ()
    later: Numbers = ()
    tables: Annotated[tuple[tuple[int, Table], ...], Items(MAX_TABLES)] = ()
    rounds: Annotated[tuple[Round, ...], Items(MAX_ROUNDS)] = ()
    penalties: Annotated[tuple[Penalty, ...], Items(MAX_PENALTIES)] | None = None
    field: Numbers | None = None
    rules: StageRules | None = None
    seed: Seed | None = None
    in_use: Numbers = ()


@dataclass(frozen=True, slots=True)
class Drawing:
    """The circumstances of a round's draw: seed, facts, changes by hand."""

    round: RoundNumber
    was: FactsWhenDrawn = FactsWhenDrawn()
    edited: Edit | None = None


@dataclass(frozen=True, slots=True)
class PublishedStandings:
    """A table of standings as it was published, in types of JSON; ``after`` is a round's number."""

    stage: StageNumber
    after: RoundNumber
    lines: Annotated[tuple[Mapping[str, Any], ...], Items(MAX_ENTRANTS)]


@dataclass(frozen=True, slots=True)
class TableRecord:
    """The digest of a record (F1) that a table's marks come from.

    ``sides`` are the sides of the record, ``AC`` and ``BD``, in the order of the table's. ``part``
    is its number, from 1, where several make the match; of deal sets, ``set`` which one it is of.
    """

    round: RoundNumber
    table: Number
    digest: Digest
    sides: Annotated[tuple[ShortText, ...], Items(MAX_AT_A_TABLE), Always()] = ("AC", "BD")
    part: Part = 0
    set: Part = 0


@dataclass(frozen=True, slots=True)
class StageDraw:
    """One draw of the seeding order of a stage; the last one is in force.

    ``number`` counts the draws of the stage from 1. ``commitment`` was public before the draw; it
    binds ``seed`` under ``label``. ``reason`` says why the stage was drawn again. ``entrants`` are
    those with facts that the draw used; None where these were not stored.
    """

    stage: StageNumber
    number: DrawNumber
    label: str
    seeding: Annotated[str, Words(tuple(Seeding))]
    seed: Hex
    commitment: Hex
    at: Moment = ""
    reason: Annotated[str, Length(1000)] = ""
    entrants: Entrants | None = None


@dataclass(frozen=True, slots=True)
class DealCommitment:
    """A commitment to the seed of deals: of a ``round`` (0: of the stage) as it was published.

    ``number`` counts those of the round, or of the stage, from 1; the last one is in force.
    """

    stage: StageNumber
    round: RoundNumber = field(default=0, kw_only=True)
    number: DrawNumber
    label: str
    commitment: Hex
    at: Moment = ""


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """The place in another tournament by which an entrant came into this one.

    ``number`` is its number there, ``digest`` that of the other tournament when the place was noted
    (empty where it was noted before digests were). ``slug`` and ``name`` of one that is not open to
    everybody are empty. Without a ``number`` the place in ``name``, a tournament of another club or
    system, was stated by the organiser.
    """

    entrant: Number
    place: Number
    number: Annotated[int, Range(0, 1_000_000)] = 0
    digest: Digest = ""
    slug: Annotated[str, Length(100)] = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class SignedState:
    """An event of the audit history that states the tournament, and its signed checkpoint.

    ``before`` is the digest before the event. ``links`` are the content digests of the events
    between it and the checkpoint, the event of the checkpoint last (`trail.chain.link`).
    """

    event: Event
    before: Hex
    links: Annotated[tuple[Hex, ...], Items(MAX_LINKS)]
    checkpoint: Checkpoint


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof that a tournament file carries beside the tournament.

    ``made_by`` names the program and its version, ``digest`` is the hash of the tournament. A
    round without a drawing was drawn from what is known now. ``draws``, ``deals``, ``sources`` and
    ``signed`` are empty in files of 0.1.0, and where no service made the proof.
    """

    made_by: str = ""
    digest: Digest = ""
    drawings: Annotated[tuple[Drawing, ...], Items(MAX_ALL_ROUNDS)] = ()
    standings: Annotated[tuple[PublishedStandings, ...], Items(MAX_ALL_ROUNDS)] = ()
    records: Annotated[tuple[TableRecord, ...], Items(MAX_STAGES * MAX_TABLES * MAX_PARTS)] = ()
    draws: Annotated[tuple[StageDraw, ...], Items(MAX_STAGES * MAX_DRAWS)] = ()
    deals: Annotated[tuple[DealCommitment, ...], Items(MAX_ALL_ROUNDS)] = ()
    sources: Annotated[tuple[SourcePlace, ...], Items(MAX_ENTRANTS)] = ()
    signed: SignedState | None = None


@dataclass(frozen=True, slots=True)
class Bundle:
    """A tournament with its proof; without one, only what the rows say can be checked."""

    rows: TournamentRows
    proof: Proof = field(default_factory=Proof)


def digest_of(rows: TournamentRows) -> str:
    """Return ``sha256:`` and the hash of a tournament, however its file was typed."""
    text = DOMAIN + text_of(document_of(rows, explicit=True))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def rounds_until(rows: TournamentRows, last: int) -> TournamentRows:
    """Return the rows with the published rounds up to ``last``; stages without one have not begun.

    Penalties of later rounds are left out.
    """
    stages = []
    for stage in rows.stages:
        rounds = tuple(round_ for round_ in stage.published if round_.number <= last)
        stages.append(replace(stage, rounds=rounds) if rounds else not_begun(stage))
    penalties = tuple(penalty for penalty in rows.penalties if penalty.round <= last)
    return replace(rows, stages=tuple(stages), penalties=penalties)


def not_begun(stage: Stage) -> Stage:
    """Return a stage without what it has from its draw."""
    rules = replace(stage.rules, without=())
    return replace(stage, rules=rules, entrants=(), rounds=(), seed="", lots={}, drawn=None)


def prove(
    rows: TournamentRows,
    made_by: str = PROGRAM,
    before: Mapping[int, TournamentRows] | None = None,
    edits: Mapping[int, Edit] | None = None,
    records: Iterable[TableRecord] = (),
    in_use: Mapping[int, tuple[int, ...]] | None = None,
) -> Bundle:
    """Return the proof bundle of a tournament.

    ``before`` are the rows as they were when a round was drawn, by its number, where they were
    kept; only what differs from now is written. ``edits`` are the rounds changed by hand,
    ``in_use`` the tables that a round was numbered around. The standings of every stage that has
    begun are stated after its last round.
    """
    before, edits, in_use = before or {}, edits or {}, in_use or {}
    drawings = []
    for number in sorted(r.number for stage in rows.stages for r in stage.published):
        old_rows = before.get(number)
        facts = FactsWhenDrawn() if old_rows is None else differences(rows, old_rows, number)
        facts = replace(facts, in_use=in_use.get(number, ()))
        if facts != FactsWhenDrawn() or number in edits:
            drawings.append(Drawing(number, facts, edits.get(number)))
    standings = tuple(published_standings(rows, stage) for stage in rows.stages if stage.published)
    proof = Proof(made_by, digest_of(rows), tuple(drawings), standings, tuple(records))
    return Bundle(rows, proof)


def published_standings(
    rows: TournamentRows, stage: Stage, after: int | None = None
) -> PublishedStandings:
    """Return the standings of a stage after one of its rounds, by default the last."""
    last = stage.published[-1].number if after is None else after
    lines = tuple(line_document(line) for line in ranking(rows, stage, last))
    return PublishedStandings(stage.number, last, lines)


def line_document(line: StandingsLine) -> dict[str, Any]:
    """Return a line of standings in types of JSON; every number exact."""
    return {
        "rank": line.rank,
        "shared": line.shared,
        "entrant": line.entrant,
        "decided_by": line.decided_by,
        "match_points": jsonable(line.match_points),
        "hands": [line.hands, line.hands_against],
        "points": [line.points, line.points_against],
        "record": [line.won, line.tied, line.lost, line.byes],
        "values": [
            {"criterion": value.code, "number": _exact(value.number)}
            | ({"among": list(value.among)} if value.among else {})
            for value in line.values
        ],
    }


def _exact(number: Fraction | None) -> int | str | None:
    return None if number is None else jsonable(Fraction(number))


# --- then and now ------------------------------------------------------------------------------


def rows_before_draw(rows: TournamentRows, drawing: Drawing) -> TournamentRows:
    """Return the rows as they were when a round was about to be drawn.

    Only what a draw can depend on: rounds before it, who had entered, their absences and byes.
    """
    facts = drawing.was
    changed = {entrant.number: entrant for entrant in facts.entrants}
    late_numbers = set(facts.later)
    return replace(
        rows,
        entrants=tuple(
            changed.get(e.number, e) for e in rows.entrants if e.number not in late_numbers
        ),
        stages=tuple(_stage_before_draw(stage, drawing) for stage in rows.stages),
        penalties=rows.penalties if facts.penalties is None else facts.penalties,
    )


def _stage_before_draw(stage: Stage, drawing: Drawing) -> Stage:
    facts, number = drawing.was, drawing.round
    is_own = any(round_.number == number for round_ in stage.rounds)
    rounds = {round_.number: round_ for round_ in facts.rounds}
    tables = {(round_, table.number): table for round_, table in facts.tables}
    late_numbers = set(facts.later)
    field_ = facts.field if is_own and facts.field is not None else stage.entrants
    return replace(
        stage,
        entrants=tuple(entrant for entrant in field_ if entrant not in late_numbers),
        rules=facts.rules if is_own and facts.rules is not None else stage.rules,
        seed=facts.seed if is_own and facts.seed is not None else stage.seed,
        rounds=tuple(
            _round_before_draw(rounds.get(round_.number, round_), tables)
            for round_ in stage.published
            if round_.number < number
        ),
    )


def _round_before_draw(round_: Round, tables: Mapping[tuple[int, int], Table]) -> Round:
    old_tables = (tables.get((round_.number, table.number), table) for table in round_.tables)
    return replace(round_, tables=tuple(old_tables))


def differences(rows: TournamentRows, old_rows: TournamentRows, number: int) -> FactsWhenDrawn:
    """Return the facts that differed in ``old_rows``, the rows when round ``number`` was drawn.

    `as_of` of these differences then draws like ``old_rows``.
    """
    old_entrants = {entrant.number: entrant for entrant in old_rows.entrants}
    own_stage = next(s for s in rows.stages if any(r.number == number for r in s.rounds))
    old = next((stage for stage in old_rows.stages if stage.number == own_stage.number), own_stage)
    later = tuple(e.number for e in rows.entrants if e.number not in old_entrants)
    joined = tuple(entrant for entrant in own_stage.entrants if entrant not in later)
    rounds, tables = _differing(rows, old_rows, number)
    return FactsWhenDrawn(
        entrants=tuple(
            old_entrants[now.number]
            for now in rows.entrants
            if now.number in old_entrants
            and _draw_facts(now) != _draw_facts(old_entrants[now.number])
        ),
        later=later,
        tables=tables,
        rounds=rounds,
        penalties=None if old_rows.penalties == rows.penalties else old_rows.penalties,
        field=None if old.entrants in ((), joined) else old.entrants,
        rules=None if old.rules == own_stage.rules else old.rules,
        seed=None if old.seed == own_stage.seed else old.seed,
    )


def _draw_facts(entrant: Entrant) -> Entrant:
    """An entrant without what no draw looks at."""
    return replace(entrant, name="", players=())


def _differing(
    rows: TournamentRows, old_rows: TournamentRows, number: int
) -> tuple[tuple[Round, ...], tuple[tuple[int, Table], ...]]:
    """Return earlier rounds that had other tables, and tables of the others that have changed."""
    old = {r.number: r for stage in old_rows.stages for r in stage.published}
    rounds: list[Round] = []
    tables: list[tuple[int, Table]] = []
    for now in (r for stage in rows.stages for r in stage.published if r.number < number):
        old_round = old.get(now.number, now)
        if [t.number for t in old_round.tables] != [t.number for t in now.tables]:
            rounds.append(old_round)
            continue
        pairs = zip(old_round.tables, now.tables, strict=True)
        tables += [(now.number, table) for table, current_table in pairs if table != current_table]
    return tuple(rounds), tuple(tables)

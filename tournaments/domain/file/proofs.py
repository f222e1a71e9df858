"""The proof that a tournament file may carry: read and written with the tournament.

`tournaments.domain.proof` says what it means; `docs/tournament-file.md` how it is written.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any, Final

from tournaments.domain.file.consistency import check_known, check_table, check_unique
from tournaments.domain.file.places import (
    FileError,
    Reader,
    T,
    child_path,
    choice,
    integer,
    list_of,
    object_of,
    text,
    wrong_type,
)
from tournaments.domain.file.reading import (
    ENTRANT,
    MAX_AT_A_TABLE,
    MAX_ENTRANTS,
    MAX_PENALTIES,
    MAX_STAGES,
    MAX_TABLES,
    ROUND,
    document_from_bytes,
    read_entrant,
    read_penalty,
    read_round,
    read_seed,
    read_table,
    rows_from_document,
)
from tournaments.domain.file.rules import rules_from_dict, rules_to_dict
from tournaments.domain.file.writing import (
    Document,
    document_of,
    entrant_document,
    non_empty,
    penalty_document,
    round_document,
    table_document,
    text_of,
)
from tournaments.domain.pairing.base import MAX_ROUNDS
from tournaments.domain.proof import (
    Bundle,
    DealCommitment,
    Drawing,
    Edit,
    FactsWhenDrawn,
    Proof,
    PublishedStandings,
    SignedState,
    StageDraw,
    TableRecord,
)
from tournaments.domain.rows import Seeding, StageRules, Table, TournamentRows
from tournaments.domain.trail.reading import event_document, read_checkpoint, read_event

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

MAX_PARTS: Final = 1500
"""Records of one match: three ways of sitting for every deal set that there can be."""

MAX_DRAWS: Final = 1000
"""Draws of one stage, or commitments to the deals of one round."""

MAX_LINKS: Final = 1000
"""Events between the one that states a tournament and the checkpoint that signs it.

A checkpoint signs at most one such event for each tournament that changed since the one before.
"""

_HEX: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII)
_PLAIN: Final = StageRules()


def bundle_from_bytes(source: bytes | str) -> Bundle:
    """Read a tournament with its proof; raises :class:`FileError`."""
    document = document_from_bytes(source)
    rows = rows_from_document(document)
    if "proof" not in document:
        return Bundle(rows)
    proof = _proof(document["proof"], "/proof")
    _check(rows, proof)
    return Bundle(rows, proof)


def bundle_to_bytes(bundle: Bundle) -> bytes:
    """Return the file of a tournament with its proof, every rule written out."""
    document = document_of(bundle.rows, explicit=True)
    return text_of(document | {"proof": proof_document(bundle.proof)}).encode()


def proof_document(proof: Proof) -> Document:
    """Return a proof as the file writes it."""
    return non_empty(
        made_by=proof.made_by,
        digest=proof.digest,
        drawings=[_drawing_document(drawing) for drawing in proof.drawings],
        standings=[
            {
                "stage": standings.stage,
                "after": standings.after,
                "lines": [dict(line) for line in standings.lines],
            }
            for standings in proof.standings
        ],
        records=[
            {
                "round": record.round,
                "table": record.table,
                "digest": record.digest,
                "sides": list(record.sides),
            }
            | non_empty(part=record.part or None, set=record.set or None)
            for record in proof.records
        ],
        draws=[stage_draw_document(draw) for draw in proof.draws],
        deals=[deal_commitment_document(deal) for deal in proof.deals],
        signed=None if proof.signed is None else _signed_document(proof.signed),
    )


def stage_draw_document(draw: StageDraw) -> Document:
    """Return a draw of a stage as the file writes it."""
    document = {
        "stage": draw.stage,
        "number": draw.number,
        "label": draw.label,
        "seeding": draw.seeding,
        "seed": draw.seed,
        "commitment": draw.commitment,
    } | non_empty(at=draw.at, reason=draw.reason)
    if draw.entrants is not None:
        document["entrants"] = [entrant_document(entrant) for entrant in draw.entrants]
    return document


def deal_commitment_document(deal: DealCommitment) -> Document:
    """Return a commitment to deals as the file writes it."""
    return {
        "stage": deal.stage,
        "number": deal.number,
        "label": deal.label,
        "commitment": deal.commitment,
    } | non_empty(round=deal.round or None, at=deal.at)


def _signed_document(state: SignedState) -> Document:
    return {
        "event": event_document(state.event),
        "before": state.before,
        "links": list(state.links),
        "checkpoint": state.checkpoint.document(),
    }


def _drawing_document(drawing: Drawing) -> Document:
    facts, edited = drawing.was, {}
    if drawing.edited is not None:
        edited = asdict(drawing.edited) | {"accepts": list(drawing.edited.accepts)}
    return {"round": drawing.round} | non_empty(
        edited=edited,
        was=non_empty(
            entrants=[entrant_document(entrant) for entrant in facts.entrants],
            later=list(facts.later),
            tables=[{"round": number} | table_document(table) for number, table in facts.tables],
            rounds=[round_document(round_) for round_ in facts.rounds],
            rules=None if facts.rules is None else rules_to_dict(facts.rules, None),
        )
        | _facts(facts),
    )


def _facts(facts: FactsWhenDrawn) -> Document:
    """The facts that differed at a draw; empty ones (no penalties, no seed) are written too."""
    fields: Document = {}
    if facts.penalties is not None:
        fields["penalties"] = [penalty_document(penalty) for penalty in facts.penalties]
    if facts.field is not None:
        fields["field"] = list(facts.field)
    if facts.seed is not None:
        fields["seed"] = facts.seed
    return fields


def _check(rows: TournamentRows, proof: Proof) -> None:
    """Raise :class:`FileError` when a drawing speaks of rounds or entrants that are not there."""
    rounds = {round_.number for stage in rows.stages for round_ in stage.rounds}
    entrants = set(rows.by_number)
    check_unique("/proof/drawings", [drawing.round for drawing in proof.drawings], "round")
    for index, drawing in enumerate(proof.drawings):
        path = child_path("/proof/drawings", index)
        if drawing.round not in rounds:
            raise FileError("unknown_round", child_path(path, "round"), found=drawing.round)
        facts = drawing.was
        numbers = [entrant.number for entrant in facts.entrants]
        tables = [table for _, table in facts.tables]
        tables += [table for round_ in facts.rounds for table in round_.tables]
        for table in tables:
            check_table(table, child_path(path, "was"))
            numbers += table.entrants
        numbers += [*facts.later, *(facts.field or ()), *(p.entrant for p in facts.penalties or ())]
        check_known(child_path(path, "was"), numbers, entrants)


# --- readers -----------------------------------------------------------------------------------


def _digest(value: Any, path: str) -> str:
    digest = text(80)(value, path)
    if not _DIGEST.fullmatch(digest):
        raise wrong_type(path, "digest", digest)
    return digest


def _table_of_round(value: Any, path: str) -> tuple[int, Table]:
    if not isinstance(value, Mapping):
        raise wrong_type(path, "object", value)
    if "round" not in value:
        raise FileError("missing_field", path, field="round")
    number = ROUND(value["round"], child_path(path, "round"))
    return number, read_table({k: v for k, v in value.items() if k != "round"}, path)


def _line(value: Any, path: str) -> Mapping[str, Any]:
    """Read a line of standings as it is: it is only ever compared."""
    if not isinstance(value, Mapping):
        raise wrong_type(path, "object", value)
    return dict(value)


def _hex(value: Any, path: str) -> str:
    digits = text(64)(value, path)
    if not _HEX.fullmatch(digits):
        raise wrong_type(path, "digest", digits)
    return digits


def _trail_reader(read: Callable[[Mapping[str, Any], int], T]) -> Reader[T]:
    """A reader of a part of a trail, which has an error of its own for a field that is wrong."""

    def reader(value: Any, path: str) -> T:
        if not isinstance(value, Mapping):
            raise wrong_type(path, "object", value)
        try:
            return read(value, 1)
        except ValueError as error:
            raise wrong_type(path, "object", value) from error

    return reader


_was = object_of(
    FactsWhenDrawn,
    {
        "entrants": list_of(read_entrant, MAX_ENTRANTS),
        "later": list_of(ENTRANT, MAX_ENTRANTS),
        "tables": list_of(_table_of_round, MAX_TABLES),
        "rounds": list_of(read_round, MAX_ROUNDS),
        "penalties": list_of(read_penalty, MAX_PENALTIES),
        "field": list_of(ENTRANT, MAX_ENTRANTS),
        "rules": lambda value, path: rules_from_dict(value, _PLAIN, path),
        "seed": read_seed,
    },
)

_edit = object_of(
    Edit,
    {
        "by": text(),
        "reason": text(1000),
        "accepts": list_of(choice(*RULES), len(RULES)),
    },
)

_drawing = object_of(Drawing, {"round": ROUND, "was": _was, "edited": _edit}, required=("round",))

_stated = object_of(
    PublishedStandings,
    {
        "stage": integer(1, MAX_STAGES),
        "after": ROUND,
        "lines": list_of(_line, MAX_ENTRANTS),
    },
    required=("stage", "after", "lines"),
)

_record = object_of(
    TableRecord,
    {
        "round": ROUND,
        "table": ENTRANT,
        "digest": _digest,
        "sides": list_of(text(10), MAX_AT_A_TABLE),
        "part": integer(1, MAX_PARTS),
        "set": integer(1, MAX_PARTS),
    },
    required=("round", "table", "digest"),
)

_stage_draw = object_of(
    StageDraw,
    {
        "stage": integer(1, MAX_STAGES),
        "number": integer(1, MAX_DRAWS),
        "label": text(),
        "seeding": choice(*Seeding),
        "seed": _hex,
        "commitment": _hex,
        "at": text(40),
        "reason": text(1000),
        "entrants": list_of(read_entrant, MAX_ENTRANTS),
    },
    required=("stage", "number", "label", "seeding", "seed", "commitment"),
)

_deals = object_of(
    partial(DealCommitment, round=0),
    {
        "stage": integer(1, MAX_STAGES),
        "round": ROUND,
        "number": integer(1, MAX_DRAWS),
        "label": text(),
        "commitment": _hex,
        "at": text(40),
    },
    required=("stage", "number", "label", "commitment"),
)

_signed = object_of(
    SignedState,
    {
        "event": _trail_reader(read_event),
        "before": _hex,
        "links": list_of(_hex, MAX_LINKS),
        "checkpoint": _trail_reader(read_checkpoint),
    },
    required=("event", "before", "links", "checkpoint"),
)

_proof = object_of(
    Proof,
    {
        "made_by": text(),
        "digest": _digest,
        "drawings": list_of(_drawing, MAX_STAGES * MAX_ROUNDS),
        "standings": list_of(_stated, MAX_STAGES * MAX_ROUNDS),
        "records": list_of(_record, MAX_STAGES * MAX_TABLES * MAX_PARTS),
        "draws": list_of(_stage_draw, MAX_STAGES * MAX_DRAWS),
        "deals": list_of(_deals, MAX_STAGES * MAX_ROUNDS),
        "signed": _signed,
    },
)

"""The proof that a tournament file may carry: read and written with the tournament.

`tournaments.domain.proof` says what it means; `docs/programs/tournament-file.md` how it is written.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tournaments.domain.file.codec import SPECIAL, Form, reader_of, to_json
from tournaments.domain.file.consistency import check_known, check_table, check_unique
from tournaments.domain.file.places import FileError, Reader, T, child_path, wrong_type
from tournaments.domain.file.reading import ROUND, document_from_bytes, rows_from_document
from tournaments.domain.file.rules import rules_from_dict, rules_to_dict
from tournaments.domain.file.writing import document_of, text_of
from tournaments.domain.proof import Bundle, Proof
from tournaments.domain.rows import StageRules, Table, TournamentRows
from tournaments.domain.trail.chain import Event
from tournaments.domain.trail.checkpoints import Checkpoint
from tournaments.domain.trail.reading import event_document, read_checkpoint, read_event

_PLAIN: Final = StageRules()


def bundle_from_bytes(source: bytes | str) -> Bundle:
    """Read a tournament with its proof; raises :class:`FileError`."""
    document = document_from_bytes(source)
    rows = rows_from_document(document)
    if "proof" not in document:
        return Bundle(rows)
    proof = reader_of(Proof)(document["proof"], "/proof")
    _check(rows, proof)
    return Bundle(rows, proof)


def bundle_to_bytes(bundle: Bundle) -> bytes:
    """Return the file of a tournament with its proof, every rule written out."""
    document = document_of(bundle.rows, explicit=True)
    return text_of(document | {"proof": to_json(bundle.proof)}).encode()


def _check(rows: TournamentRows, proof: Proof) -> None:
    """Raise :class:`FileError` when it speaks of rounds or entrants that are not there."""
    rounds = {round_.number for stage in rows.stages for round_ in stage.rounds}
    entrants = set(rows.by_number)
    check_unique("/proof/drawings", [drawing.round for drawing in proof.drawings], "round")
    came = [source.entrant for source in proof.sources]
    check_unique("/proof/sources", came, "entrant")
    check_known("/proof/sources", came, entrants)
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


def _table_of_round(value: Any, path: str) -> tuple[int, Table]:
    if not isinstance(value, Mapping):
        raise wrong_type(path, "object", value)
    if "round" not in value:
        raise FileError("missing_field", path, field="round")
    number = ROUND(value["round"], child_path(path, "round"))
    return number, reader_of(Table)({k: v for k, v in value.items() if k != "round"}, path)


def _line(value: Any, path: str) -> Mapping[str, Any]:
    """Read a line of standings as it is: it is only ever compared."""
    if not isinstance(value, Mapping):
        raise wrong_type(path, "object", value)
    return dict(value)


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


SPECIAL.update(
    {
        tuple[int, Table]: Form(
            _table_of_round, lambda item: {"round": item[0]} | to_json(item[1])
        ),
        Mapping[str, Any]: Form(_line, dict),
        StageRules: Form(
            lambda value, path: rules_from_dict(value, _PLAIN, path),
            lambda rules: rules_to_dict(rules, None),
        ),
        Event: Form(_trail_reader(read_event), event_document),
        Checkpoint: Form(_trail_reader(read_checkpoint), Checkpoint.document),
    }
)

"""``baza pair``: draws the next round of a tournament file, with the reasons."""

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.cli import CommandError
from tournaments.cli.reading import name_of, read_bundle, refusal_text
from tournaments.cli.standings import in_columns
from tournaments.domain.beside import tables_in_use
from tournaments.domain.file import rows_to_bytes
from tournaments.domain.file.codec import to_json
from tournaments.domain.file.proofs import bundle_to_bytes
from tournaments.domain.messages import explain, message
from tournaments.domain.names import PARTNERS
from tournaments.domain.next_stages import with_fixed_lines
from tournaments.domain.pairing import CannotDraw, Draw
from tournaments.domain.proof import Bundle, Drawing, FactsWhenDrawn, Proof, prove
from tournaments.domain.ranking import CannotRank
from tournaments.domain.rows import Stage, State, Table, TournamentRows
from tournaments.domain.stages import (
    begin_if_needed,
    current_stage,
    next_draw,
    next_round,
    stage_of,
    with_round,
)


def print_round(options: argparse.Namespace) -> int:
    """Print the next round; 1 when none can be drawn, with the reason."""
    bundle = read_bundle(options.file, options.lang)
    try:
        rows, stage = _with_begun_stage(with_fixed_lines(bundle.rows), options.stage)
        in_use = tables_in_use(rows, stage.number)
        draw = next_draw(rows, pinned(stage), stage=stage.number, in_use=in_use)
    except CannotDraw as error:
        facts = _named_facts(bundle.rows, error)
        text = refusal_text(error.code, options.lang, **facts)
        answer = {"cannot_draw": error.code, "text": text}
        print(json.dumps(answer, ensure_ascii=False) if options.json else text)
        return 1
    except CannotRank as error:
        text = refusal_text(error.code, options.lang, criterion=error.criterion)
        raise CommandError(f"{options.file}: {text}") from error
    number = next_round(rows, stage.number)
    if options.output:
        drawing = Drawing(number, FactsWhenDrawn(in_use=draw.in_use))
        drawings = (*bundle.proof.drawings, *([drawing] if draw.in_use else ()))
        _write(options.output, bundle, with_round(rows, stage.number, draw.tables), drawings)
    if options.json:
        print(json.dumps(_document(rows, stage, number, draw, options), ensure_ascii=False))
    else:
        print("\n".join(_pairing_lines(rows, number, draw, options)))
    return 0


def _named_facts(rows: TournamentRows, error: CannotDraw) -> dict[str, Any]:
    """Return the facts of a refusal with names for entrants, and ``round.table`` for tables."""
    facts = dict(error.facts)
    if "entrants" in facts:
        facts["entrants"] = ", ".join(name_of(rows, entrant) for entrant in facts["entrants"])
    if "tables" in facts:
        facts["tables"] = ", ".join(f"{round_}.{table}" for round_, table in facts["tables"])
    return facts


def _with_begun_stage(rows: TournamentRows, number: int | None) -> tuple[TournamentRows, Stage]:
    """Return the rows with a stage begun, its entrants included, and that stage.

    ``number`` is its own, by default that of the current one.
    """
    chosen = (stage for stage in rows.stages if stage.number == number)
    stage = current_stage(rows) if number is None else next(chosen, None)
    if stage is None:
        raise CannotDraw("stage_over")
    rows, number = begin_if_needed(rows, stage)
    return rows, stage_of(rows, number)


def pinned(stage: Stage) -> tuple[Table, ...]:
    """Return the tables that are pinned in a draft of the next round."""
    drafts = [round_ for round_ in stage.rounds if round_.state is State.DRAFT]
    return tuple(table for round_ in drafts[:1] for table in round_.tables if table.pinned)


def _document(
    rows: TournamentRows, stage: Stage, number: int, draw: Draw, options: argparse.Namespace
) -> dict[str, Any]:
    document: dict[str, Any] = {
        "stage": stage.number,
        "round": number,
        "tables": [to_json(table) for table in draw.tables],
        "quality": dict(draw.quality),
    }
    if options.why:
        document["why"] = [
            {
                "code": reason.code,
                "table": reason.table,
                "entrants": list(reason.entrants),
                "text": explain(reason, lambda entrant: name_of(rows, entrant), options.lang),
            }
            for reason in draw.reasons
        ]
    return document


def _pairing_lines(
    rows: TournamentRows, number: int, draw: Draw, options: argparse.Namespace
) -> Iterator[str]:
    yield f"{rows.name} · {message(options.lang, 'cli.round', number=number)}"
    for line, table in zip(in_columns(_cells(rows, draw, options.lang)), draw.tables, strict=True):
        yield line
        for reason in draw.reasons if options.why else ():
            if reason.table == table.number:
                yield "      " + explain(
                    reason, lambda entrant: name_of(rows, entrant), options.lang
                )
    if options.why:
        for reason in draw.reasons:
            if reason.table not in {table.number for table in draw.tables}:
                yield explain(reason, lambda entrant: name_of(rows, entrant), options.lang)
        for name, amount in draw.quality.items():
            yield f"  {_quality(name, options.lang)}: {amount}"


def _quality(name: str, language: str) -> str:
    """Return the name of a sum that the format minimises."""
    base = name.removesuffix("_before")
    text = message(language, f"quality.{base}")
    return text if base == name else message(language, "cli.before", name=text)


def _cells(rows: TournamentRows, draw: Draw, language: str) -> Iterator[list[str]]:
    for table in draw.tables:
        sides = [PARTNERS.join(name_of(rows, entrant) for entrant in side) for side in table.sides]
        if table.bye is not None:
            sides.append(message(language, f"term.{table.bye.value}_bye"))
        yield [str(table.number), " – ".join(sides)]


def _write(name: str, bundle: Bundle, rows: TournamentRows, drawings: tuple[Drawing, ...]) -> None:
    """Write the tournament with its new round, and a new proof with ``drawings`` if it has one.

    The proof's records are kept.
    """
    source = rows_to_bytes(rows)
    if bundle.proof != Proof():
        renewed = prove(rows)
        proof = replace(renewed.proof, drawings=drawings, records=bundle.proof.records)
        source = bundle_to_bytes(replace(renewed, proof=proof))
    try:
        Path(name).write_bytes(source)
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from error

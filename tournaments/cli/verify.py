"""``baza verify-tournament`` and ``baza prove``: verify a tournament, and write its proof."""

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine import MAX_BYTES, Verdict, audit
from engine.cli import CommandError
from tournaments.cli.reading import name_of, read_bundle
from tournaments.domain.file.proofs import bundle_to_bytes
from tournaments.domain.messages import message
from tournaments.domain.proof import prove
from tournaments.domain.ranking import CannotRank
from tournaments.domain.rows import TournamentRows
from tournaments.domain.verification import NOTES, Finding, all_hold, verify


def print_findings(options: argparse.Namespace) -> int:
    """Print the findings of the checks; 0 when all hold, 1 when one does not."""
    bundle = read_bundle(options.file, options.lang)
    verdicts = None if options.records is None else _verdicts(options.records)
    sources = [read_bundle(name, options.lang) for name in options.source or ()]
    findings = verify(bundle, verdicts, [key.lower() for key in options.key or ()], sources)
    sound = all_hold(findings)
    if options.json:
        documents = [_document(bundle.rows, finding, options.lang) for finding in findings]
        print(json.dumps({"holds": sound, "findings": documents}, ensure_ascii=False))
    else:
        for finding in findings:
            print(_describe(bundle.rows, finding, options.lang))
    return 0 if sound else 1


def print_bundle(options: argparse.Namespace) -> int:
    """Print the tournament with a proof of its present state; the rounds' own facts are kept."""
    bundle = read_bundle(options.file, options.lang)
    try:
        proved = prove(bundle.rows)
    except CannotRank as error:
        raise CommandError(f"{options.file}: {error}") from error
    before = bundle.proof
    proof = replace(
        proved.proof,
        drawings=before.drawings,
        records=before.records,
        draws=before.draws,
        deals=before.deals,
        sources=before.sources,
        signed=before.signed,
    )
    sys.stdout.write(bundle_to_bytes(replace(proved, proof=proof)).decode())
    return 0


def _verdicts(name: str) -> dict[str, Verdict]:
    """Audit the records of a file, one a line; return their verdicts by digest."""
    verdicts = {}
    try:
        for number, line in _lines(name):
            verdict = audit(line, f"{Path(name).name}#{number}")
            if verdict.digest is not None:
                verdicts[verdict.digest] = verdict
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from error
    return verdicts


def _lines(name: str) -> Iterator[tuple[int, bytes]]:
    with Path(name).open("rb") as stream:
        for number, line in enumerate(stream, 1):
            if line.strip() and len(line) <= MAX_BYTES:
                yield number, line


def _sentence(rows: TournamentRows, finding: Finding, language: str) -> str:
    names = ", ".join(name_of(rows, entrant) for entrant in finding.entrants)
    return message(language, f"verify.{finding.code}", all=names, **finding.facts)


def _describe(rows: TournamentRows, finding: Finding, language: str) -> str:
    numbers = {"stage": finding.stage, "round": finding.round, "table": finding.table}
    parts = [
        message(language, f"cli.place.{kind}", number=number)
        for kind, number in numbers.items()
        if number
    ]
    where = ", ".join(parts) + ": " if parts else ""
    mark = "✗" if not finding.holds else "·" if finding.code in NOTES else "✓"
    return f"{mark} {where}{_sentence(rows, finding, language)}"


def _document(rows: TournamentRows, finding: Finding, language: str) -> dict[str, Any]:
    return {
        "code": finding.code,
        "holds": finding.holds,
        "stage": finding.stage or None,
        "round": finding.round or None,
        "table": finding.table or None,
        "entrants": list(finding.entrants),
        "facts": dict(finding.facts),
        "text": _sentence(rows, finding, language),
    }

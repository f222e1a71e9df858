"""``baza trf``: converts a tournament file to a FIDE report (TRF), or a report to a file."""

import argparse
import sys
from io import TextIOWrapper

from engine.cli import CommandError
from tournaments.cli.reading import format_fault, source_of
from tournaments.domain.file import FileError, rows_from_bytes, rows_to_bytes
from tournaments.domain.ranking import CannotRank
from tournaments.domain.trf import is_report, loss_messages, read_trf, rows_to_trf


def print_converted(options: argparse.Namespace) -> int:
    """Print the tournament in the other format; losses of a report are printed on stderr."""
    source = source_of(options.file, options.lang)
    if isinstance(sys.stdout, TextIOWrapper):  # both formats are UTF-8 in any locale
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    target_format = options.to or ("json" if is_report(source) else "trf")
    try:
        rows, notes = read_trf(source) if is_report(source) else (rows_from_bytes(source), ())
        for note in notes:
            print(f"{options.file}: {format_fault(note, options.lang)}", file=sys.stderr)
        if target_format == "json":
            sys.stdout.write(rows_to_bytes(rows).decode())
            return 0
        sys.stdout.write(rows_to_trf(rows, options.stage).decode())
    except FileError as error:
        raise CommandError(f"{options.file}: {format_fault(error, options.lang)}") from error
    except CannotRank as error:
        raise CommandError(f"{options.file}: {error}") from error
    for loss in loss_messages(rows, options.stage, options.lang):
        print(f"baza: {loss}", file=sys.stderr)
    return 0

"""``baza verify-audit``: verifies a downloaded history."""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from engine.cli import CommandError
from tournaments.domain.messages import message
from tournaments.domain.trail.checking import document, format_report
from tournaments.domain.trail.reading import MAX_LINE_LENGTH, TrailError, check


def print_faults(options: argparse.Namespace) -> int:
    """Print that everything holds, or the faults; 0 when it holds, 1 when not."""
    keys = [key.lower() for key in options.key or ()]
    try:
        with _open_binary(options.file) as stream:
            head, checkpoints, report = check(
                iter(lambda: stream.readline(MAX_LINE_LENGTH + 1), b""), keys
            )
    except OSError as error:
        raise CommandError(f"{options.file}: {error.strerror}") from error
    except TrailError as error:
        text = message(options.lang, f"trail.{error.code}")
        raise CommandError(f"{options.file}, {error.line}: {text}") from error
    if options.json:
        answer = document(report, options.lang)
        answer |= {"checkpoints": checkpoints, "key": head.key}
        print(json.dumps(answer, ensure_ascii=False))
        return 0 if report.holds else 1
    subject = head.tournament or head.club
    for line in format_report(report, str(subject.get("name")), checkpoints, options.lang):
        print(line)
    if not checkpoints:
        print(message(options.lang, "trail.unsigned"))
    elif not keys:
        print(message(options.lang, "trail.own_key", key=head.key))
    return 0 if report.holds else 1


@contextmanager
def _open_binary(name: str) -> Iterator[IO[bytes]]:
    if name == "-":
        yield sys.stdin.buffer
        return
    with Path(name).open("rb") as stream:
        yield stream

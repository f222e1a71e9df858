"""``baza verify-round``: the offline check of a round that was committed to and opened."""

import argparse
import json
from pathlib import Path

from engine.cli.failure import CommandError
from engine.cli.verify_round import differences


def verify_round(options: argparse.Namespace) -> int:
    """Print what is not as the seed has it; 0 when all is, 1 when something is not."""
    try:
        lines = Path(options.file).read_text(encoding="utf-8").splitlines()
        header = json.loads(lines[0])
        found = list(differences(lines))
        if options.commitment not in (None, header["commitment"]):
            found.insert(0, "the file states another commitment than the one that was published")
        labels = {json.loads(line)["label"] for line in lines[1:]}
        hands = sum(len(json.loads(line)["record"]["hands"]) for line in lines[1:])
    except OSError as error:
        raise CommandError(f"{options.file}: {error.strerror}") from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise CommandError(f"{options.file}: this is no baza-round/1 ({error!r})") from error
    for sentence in found:
        print(sentence)
    counts = f"{len(lines) - 1} matches, {len(labels)} labels, {hands} hands"
    print(f"{header['round']}: {counts}: {len(found)} differences")
    return 1 if found else 0

"""``baza play`` and ``baza verify-round``: their arguments, and the check of a published round.

Their work is in :mod:`engine.cli.play_series` and :mod:`engine.cli.verify_round`, which are
imported when used.
"""

import argparse
import os
from typing import Final

from engine.bots.house import HOUSE_BOTS
from engine.cli.failure import CommandError
from engine.cli.sources import read_bytes
from engine.contest import MODELS, ORDERS
from engine.errors import RecordError
from engine.printable import escape_controls
from engine.rulesets import RULESETS
from engine.strict_json import read_json

UNREADABLE: Final = (
    *(ArithmeticError, AttributeError, LookupError, TypeError, ValueError),
    RuntimeError,  # a drawing among more seats than a byte counts
)
"""What checking a round raises where fields are missing or hold other values."""


def add_play(play: argparse.ArgumentParser) -> None:
    """The arguments of ``baza play``."""
    play.add_argument("--ruleset", choices=RULESETS, required=True, metavar="R")
    play.add_argument(
        "--bots",
        required=True,
        metavar="X,Y[,…]",
        help=f"{', '.join(HOUSE_BOTS)} or cmd:COMMAND, each also as NAME=BOT",
    )
    play.add_argument("--matches", type=int, default=100, metavar="N", help="deal sets a table")
    play.add_argument("--seed", default="1", metavar="S", help="a text; deals follow from it")
    play.add_argument(
        "--duplicate",
        nargs="?",
        choices=ORDERS,
        const=ORDERS[0],
        default="",
        help="play every deal set again with the seats changed",
    )
    play.add_argument("--seats", type=int, metavar="N", help="how many sit at the table")
    length = play.add_mutually_exclusive_group()
    length.add_argument("--to", type=int, metavar="N", help="the number of hands that wins a match")
    length.add_argument("--deals", type=int, metavar="N", help="the number of hands of a match")
    play.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a house rule"
    )
    play.add_argument("--sprt", metavar="LOW,HIGH", help="stop when the first bot is judged")
    play.add_argument("--model", choices=MODELS, default=MODELS[0], help="what LOW and HIGH are")
    play.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J")
    play.add_argument("--output", metavar="FILE", help="write the records, one a line")
    play.add_argument("--reveal", metavar="FILE", help="write what `verify-round` checks")
    play.add_argument("--trusted", action="store_true", help="run programs without the sandbox")
    play.add_argument("--json", action="store_true", help="print the result as JSON")
    play.add_argument("--lang", choices=("en", "es"), default="en", help="language of the result")
    play.set_defaults(run=play_matches)


def add_verify_round(check: argparse.ArgumentParser) -> None:
    """The arguments of ``baza verify-round``."""
    check.add_argument("file", metavar="FILE", help="a round that was opened (baza-round/1)")
    check.add_argument("--commitment", metavar="HASH", help="as it was published before the round")
    check.set_defaults(run=verify_round)


def play_matches(options: argparse.Namespace) -> int:
    """``baza play``."""
    from engine.cli.play_series import play_and_print

    return play_and_print(options)


def verify_round(options: argparse.Namespace) -> int:
    """Print the differences between a round and its seed; exit code 0 without any, else 1."""
    from engine.cli.verify_round import differences

    try:
        lines = _round_lines(options.file)
        header, *matches = map(read_json, lines)
        problems = list(differences(lines))
        if options.commitment not in (None, header["commitment"]):
            problems.insert(0, "the file states another commitment than the one that was published")
        labels = {match["label"] for match in matches}
        hands = sum(len(match["record"]["hands"]) for match in matches)
    except RecordError as error:
        raise CommandError(f"{options.file}: this is no baza-round/1 ({error.reason})") from error
    except UNREADABLE as error:
        raise CommandError(f"{options.file}: this is no baza-round/1 ({error!r})") from error
    for sentence in problems:
        print(escape_controls(sentence))
    if "count" not in header:
        print("the file states no count of its matches: some may be missing")
    counts = f"{len(matches)} matches, {len(labels)} labels, {hands} hands"
    print(escape_controls(f"{header['round']}: {counts}: {len(problems)} differences"))
    return 1 if problems else 0


def _round_lines(name: str) -> list[str]:
    """Return the lines of a file; only a line feed ends one, as records hold other separators."""
    text = read_bytes(name).decode("utf-8")
    return text.removesuffix("\n").split("\n")

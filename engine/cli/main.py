"""Reading the command line and handing over to the commands."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from typing import Any

from engine.cli.analyse import add_analyse
from engine.cli.audit import audit_files
from engine.cli.check_bot import add_check_bot
from engine.cli.completion import SHELLS, print_completion
from engine.cli.conformance import add_conformance
from engine.cli.convert import convert_files
from engine.cli.explain import print_explanation
from engine.cli.failure import CommandError
from engine.cli.play import add_play, add_verify_round
from engine.cli.positions import print_legal, try_tokens
from engine.cli.rulesets import print_rulesets
from engine.cli.sheet import print_sheet
from engine.cli.solve import add_solve
from engine.messages import LANGUAGES
from engine.printable import escape_controls
from engine.rulesets import RULESETS

VALID, INVALID, UNUSABLE, INTERRUPTED = 0, 1, 2, 130
"""Exit codes of every command."""


def main(
    arguments: Sequence[str] | None = None,
    add_commands: Callable[[Any], None] | None = None,
    program: str = "tute",
) -> int:
    """Run one command; exit code 0: in order, 1: something invalid, 2: unusable call or input.

    130: interrupted with Ctrl-C. ``add_commands`` adds the commands of another package to the
    parser's (`add_parser`); ``program`` is the command's name.
    """
    options = _parser(add_commands, program).parse_args(arguments)
    if isinstance(sys.stdout, TextIOWrapper):  # files may have names that are not UTF-8
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        return int(options.run(options))
    except CommandError as error:
        text = escape_controls(str(error), keep="\n")
        print(f"{program}: {text}", file=sys.stderr)
        return UNUSABLE
    except UnicodeEncodeError as error:
        print(f"{program}: {error.object!r} cannot be written in {error.encoding}", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output went away: not an error of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return VALID


def _parser(add_commands: Callable[[Any], None] | None, program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program, description="Rules, records and verdicts of Tute, from the command line."
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_records(commands)
    _add_rules(commands)
    _add_bots(commands)
    if add_commands is not None:
        add_commands(commands)
    shell = commands.add_parser("completion", help="a script that completes commands in a shell")
    shell.add_argument("shell", choices=SHELLS)
    shell.set_defaults(run=print_completion, commands=commands.choices, program=program)
    return parser


def _add_records(commands: Any) -> None:
    """Add the commands that read records and score sheets."""
    audit = commands.add_parser("audit", help="replay records and say what is wrong with them")
    audit.add_argument(
        "files", nargs="+", metavar="FILE", help="JSON, NDJSON or .tute; - reads stdin"
    )
    audit.add_argument("--json", action="store_true", help="print verdicts as NDJSON")
    audit.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the messages")
    audit.add_argument("--hints", action="store_true", help="say what may have been meant")
    audit.add_argument("--quiet", action="store_true", help="print only records with faults")
    audit.add_argument("--first", action="store_true", help="stop at the first record with a fault")
    audit.add_argument(
        *("-j", "--jobs"), type=int, default=0, metavar="N", help="processes; all cores by default"
    )
    audit.set_defaults(run=audit_files)

    other = commands.add_parser("convert", help="write records in the other notation")
    other.add_argument("--to", choices=("json", "tute"), required=True)
    other.add_argument("files", nargs="+", metavar="FILE", help="JSON, NDJSON or .tute; - stdin")
    other.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the messages")
    other.set_defaults(run=convert_files)

    comments = commands.add_parser(
        "explain", help="a hand trick by trick, with the rules that bound it"
    )
    comments.add_argument("file", metavar="FILE", help="JSON, NDJSON or .tute; - stdin")
    comments.add_argument("--hand", type=int, default=1, metavar="N", help="its number, from 1")
    comments.add_argument(
        "--record", type=int, default=1, metavar="N", help="of this record of the file"
    )
    comments.add_argument("--json", action="store_true", help="print JSON")
    comments.add_argument(
        "--lang", choices=LANGUAGES, default="en", help="language of the messages"
    )
    comments.set_defaults(run=print_explanation)

    sheet = commands.add_parser("sheet", help="check the arithmetic of a score sheet")
    sheet.add_argument("file", metavar="FILE", help="CSV or JSON; - reads stdin")
    sheet.add_argument("--ruleset", choices=RULESETS, default="parejas-online", metavar="R")
    sheet.add_argument("--json", action="store_true", help="print the verdict as JSON")
    sheet.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the messages")
    sheet.set_defaults(run=print_sheet)


def _add_rules(commands: Any) -> None:
    """Add the commands that read positions and rulesets."""
    legal = commands.add_parser("legal", help="the legal cards of the seat in turn")
    legal.add_argument("position", metavar="POSITION.json", help="- reads stdin")
    legal.set_defaults(run=print_legal)

    attempt = commands.add_parser("try", help="apply tokens to a position, one by one")
    attempt.add_argument("position", metavar="POSITION.json", help="- reads stdin")
    attempt.add_argument("tokens", nargs="+", metavar="TOKEN")
    attempt.add_argument("--lang", choices=LANGUAGES, default="en")
    attempt.set_defaults(run=try_tokens)

    rulesets = commands.add_parser("rulesets", help="the rulesets and their fields")
    rulesets.add_argument("name", nargs="?", metavar="NAME")
    rulesets.add_argument("--json", action="store_true")
    rulesets.add_argument("--lang", choices=("en", "es"), default="en")
    rulesets.set_defaults(run=print_rulesets)


def _add_bots(commands: Any) -> None:
    """Add the commands that run bots and the solver."""
    compliance = commands.add_parser("check-bot", help="whether a bot keeps the protocol")
    add_check_bot(compliance)

    suite = commands.add_parser(
        "conformance", help="whether a program answers the conformance suite"
    )
    add_conformance(suite)

    matches = commands.add_parser("play", help="play matches between bots and compare them")
    add_play(matches)
    verification = commands.add_parser(
        "verify-round", help="whether a round's deals follow from its seed"
    )
    add_verify_round(verification)

    solve = commands.add_parser("solve", help="the value of open cards, played best by both sides")
    add_solve(solve)

    analyse = commands.add_parser("analyse", help="what each card of records cost, and luck's part")
    add_analyse(analyse)

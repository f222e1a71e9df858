"""``baza check-bot``: whether a bot keeps the protocol, with the arena's own codes."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from engine.cli.failure import CommandError
from engine.messages import LANGUAGES
from engine.printable import escape_controls, printable_json
from engine.rulesets import RULESETS

if TYPE_CHECKING:
    from engine.bots.compliance import BotUnderTest, CheckOutcome

_MARKS = {"ok": "ok", "failed": "FAILED", "advice": "advice"}


def add_check_bot(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("command", metavar="COMMAND", help="the bot's command line, quoted")
    parser.add_argument(
        "--ruleset", action="append", choices=RULESETS, metavar="R", help="again for more; else all"
    )
    parser.add_argument("--deals", type=int, default=10, metavar="N", help="deals a seat")
    parser.add_argument("--folder", type=Path, help="the bot's own folder, if not its program's")
    parser.add_argument("--trusted", action="store_true", help="run it without the sandbox")
    parser.add_argument("--json", action="store_true", help="print each check as a line of JSON")
    parser.add_argument("--lang", choices=LANGUAGES, default="en")
    parser.set_defaults(run=check_bot)


def check_bot(options: argparse.Namespace) -> int:
    """Run the checks; exit code 0: all held, 1: one failed, 2: the bot cannot be run."""
    from engine.bots.compliance import run_checks

    subject = _subject(options)
    failed = False
    for outcome in run_checks(subject, [RULESETS[name] for name in options.ruleset or RULESETS]):
        failed = failed or outcome.state == "failed"
        print(_line(outcome, options), flush=True)
    if failed and not options.json:
        print("The bot does not keep the protocol.", file=sys.stderr)
    return int(failed)


def _subject(options: argparse.Namespace) -> "BotUnderTest":
    from engine.bots import commands, sandbox
    from engine.bots.compliance import BotUnderTest
    from engine.bots.limits import Limits

    if options.deals < 1:
        raise CommandError("--deals is a number from 1")
    try:
        words = commands.split(options.command)
        commands.find_command(words, options.folder)
    except commands.CommandLineError as error:
        raise CommandError(str(error)) from error
    host = sandbox.capabilities()
    if not options.trusted and not host.can_isolate:
        reasons = "; ".join(host.missing)
        raise CommandError(f"no sandbox for it here: {reasons}. --trusted runs it without")
    return BotUnderTest(words, options.folder, Limits(), options.trusted, options.deals)


def _line(outcome: "CheckOutcome", options: argparse.Namespace) -> str:
    title = outcome.what[options.lang]
    words = outcome.words[options.lang] if outcome.words else ""
    if options.json:
        fields = {
            "number": outcome.number,
            "check": title,
            "state": outcome.state,
            "code": outcome.code or None,
            "message": words or None,
            "required": outcome.required,
            "reply": outcome.reply or None,
            "stderr": outcome.stderr or None,
        }
        return printable_json(fields)
    code = f": {outcome.code}" if outcome.code else ""
    line = f"{outcome.number:3} {_MARKS[outcome.state]:7} {title}{code}" + (
        f" - {words}" if words else ""
    )
    streams = (("> ", outcome.reply), ("! ", outcome.stderr))  # what it sent, its standard error
    rows = (prefix + escape_controls(row) for prefix, text in streams for row in text.splitlines())
    return "\n".join((line, *(" " * 12 + row for row in rows)))

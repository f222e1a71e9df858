"""The commands besides the card game's, and their options."""

import argparse
from collections.abc import Sequence
from pkgutil import resolve_name
from typing import Any, Final

from engine import LANGUAGES
from engine.cli import main as run

FILE: Final = "a tournament file or a FIDE report (TRF); - reads stdin"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; exit code 0: in order, 1: something wrong, 2: unusable call or input."""
    return run(arguments, add_commands=add_commands, program="baza")


def add_commands(commands: Any) -> None:
    """Add the commands that read a tournament, and those of a service."""
    _add_files(commands)
    _add_service(commands)


def _add_files(commands: Any) -> None:
    """Add the commands that read a tournament file or a history."""
    ranked = _command(
        commands, "standings", "the standings of a tournament file", "standings:print_standings"
    )
    ranked.add_argument("--stage", type=int, metavar="N", help="of this stage alone")
    ranked.add_argument("--after", type=int, metavar="ROUND", help="as they were after a round")
    ranked.add_argument(
        "--explain", metavar="ENTRANT", help="the addends of this entrant's numbers"
    )
    ranked.add_argument(
        "--output", metavar="FILE", help="write the table of one stage to FILE.csv or FILE.xlsx"
    )

    pair = _command(
        commands, "pair", "draw the next round of a tournament file", "pair:print_round"
    )
    pair.add_argument("--why", action="store_true", help="say why each pairing came about")
    pair.add_argument("--output", metavar="FILE", help="write the tournament with the new round")
    pair.add_argument(
        "--stage", type=int, metavar="N", help="the stage that gets it, where there is a choice"
    )

    checked = _command(
        commands,
        "verify-tournament",
        "draw and rank a tournament file again and compare",
        "verify:print_findings",
        epilog="Exit code 0: everything holds; 1: it does not, or there is no proof; 2: not "
        "readable. tools/verify_export.py checks chain, seeds, digest, points and tie-breaks with "
        "a program that shares no code with this one.",
    )
    checked.add_argument("--records", metavar="FILE", help="its records, to be audited too")
    checked.add_argument(
        "--key", metavar="PUBLICKEY", action="append", help="a key that has to have signed it"
    )
    checked.add_argument(
        "--source", metavar="FILE", nargs="+", help="the files from which entrants came through"
    )

    trail = commands.add_parser(
        "verify-audit",
        help="check the history of a club or tournament",
        epilog="tools/verify_export.py checks it with a program that shares no code with this one.",
    )
    trail.add_argument("file", metavar="FILE", help="as the service exports it; - reads stdin")
    trail.add_argument("--key", metavar="PUBLICKEY", action="append", help="a key that is trusted")
    trail.add_argument("--json", action="store_true", help="print JSON")
    _run(trail, "verify_audit:print_faults")

    proved = commands.add_parser("prove", help="add the proof to a tournament file")
    proved.add_argument("file", metavar="FILE", help=FILE)
    _run(proved, "verify:print_bundle")

    report = commands.add_parser("trf", help="turn a tournament file into a FIDE report, or back")
    report.add_argument("file", metavar="FILE", help=FILE)
    report.add_argument("--to", choices=("trf", "json"), help="by default the other one")
    report.add_argument("--stage", type=int, metavar="N", help="the stage to write")
    _run(report, "trf:print_converted")


def _add_service(commands: Any) -> None:
    """Add the commands that call a service."""
    submit = commands.add_parser(
        "submit",
        help="submit records to a service",
        epilog="Exit code 0: all count; 1: some are at fault; 2: it could not be done; 130: broken "
        "off. Run it again at any time: what was accepted is reported as such and not done twice.",
    )
    submit.add_argument("files", nargs="+", metavar="FILE", help="JSON, NDJSON or .tute; - stdin")
    submit.add_argument("--to", required=True, metavar="URL", help="the service's address")
    submit.add_argument("--token-file", metavar="F", help="the token; else it is in BAZA_TOKEN")
    submit.add_argument("--tournament", metavar="SLUG", help="by default the one that is running")
    submit.add_argument("--dry-run", action="store_true", help="have them judged, write nothing")
    submit.add_argument("--progress", action="store_true", help="tell how far it is, to a file too")
    submit.add_argument("--jobs", type=int, choices=range(1, 9), default=1, metavar="N")
    _run(submit, "submit:submit_files")

    live = commands.add_parser("follow", help="print the live events of a tournament")
    live.add_argument("service", metavar="URL", help="the service's address")
    live.add_argument("tournament", metavar="SLUG", help="the tournament's short name")
    live.add_argument("--since", metavar="TOKEN", default="", help="go on after this event")
    _run(live, "follow:print_events")


def _command(
    commands: Any, name: str, words: str, target: str, epilog: str = ""
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=words, epilog=epilog)
    parser.add_argument("file", metavar="FILE", help=FILE)
    parser.add_argument("--json", action="store_true", help="print JSON")
    _run(parser, target)
    return parser


def _run(parser: argparse.ArgumentParser, target: str) -> None:
    """Have a command run ``module:function``, which is imported only then, as it loads arrays."""

    def command(options: argparse.Namespace) -> int:
        return int(resolve_name(f"tournaments.cli.{target}")(options))

    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the messages")
    parser.set_defaults(run=command)

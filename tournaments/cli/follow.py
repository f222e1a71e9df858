"""``baza follow``: the live events of a tournament, one JSON object a line."""

import argparse
import json
from dataclasses import asdict

from baza_client import Client, Problem, Unreachable
from engine.cli import CommandError

FINISHED = "tournament.finished"


def print_events(options: argparse.Namespace) -> int:
    """Print events as they happen until the tournament is over or Ctrl-C; 2 on a failure."""
    client = Client(options.service, language=options.lang)
    try:
        for event in client.follow(options.tournament, options.since):
            print(json.dumps(asdict(event), ensure_ascii=False), flush=True)
            if event.type == FINISHED:
                break
    except (Problem, Unreachable, ValueError) as error:
        raise CommandError(str(error)) from error
    except KeyboardInterrupt:
        return 0
    return 0

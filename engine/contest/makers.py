"""Makes bots by name: house bots, and programs."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from engine.bots.base import Bot
from engine.bots.house import HOUSE_BOTS
from engine.contest.sets import Maker
from engine.rulesets import Ruleset

PROGRAM: Final = "cmd:"
"""What a kind begins with that is the command of a program (``baza-bot/1``)."""


class Entrant(NamedTuple):
    """A bot that takes part: its name in the results, and what it is.

    ``kind`` names a bot of the house, or a program after ``cmd:``. A program that is not
    ``trusted`` runs in the sandbox.
    """

    name: str
    kind: str
    trusted: bool = False


class UnknownBot(ValueError):  # noqa: N818 - what it is
    """There is no such bot, or its program cannot be run; the message says why."""


def maker_of(entrant: Entrant, options: Mapping[str, Any]) -> Maker:
    """Returns the function that makes an entrant's bots; raises :class:`UnknownBot`."""
    if entrant.kind.startswith(PROGRAM):
        return _program(entrant, options)
    if entrant.kind not in HOUSE_BOTS:
        kinds = ", ".join([*HOUSE_BOTS, f"{PROGRAM}COMMAND"])
        raise UnknownBot(f"there is no bot {entrant.kind}; there are {kinds}")
    return lambda _rules, _seat, seed: HOUSE_BOTS[entrant.kind](seed)


def _program(entrant: Entrant, options: Mapping[str, Any]) -> Maker:
    # Loaded for programs alone: the sandbox knows one system only.
    from engine.bots import commands, sandbox
    from engine.bots.process import ProcessBot
    from engine.bots.reference import reference_runs

    try:
        words = commands.split(entrant.kind.removeprefix(PROGRAM))
        commands.find_command(words)
    except commands.CommandLineError as error:
        raise UnknownBot(f"{entrant.kind}: {error}") from error
    missing = () if entrant.trusted else sandbox.capabilities().missing
    if missing:
        raise UnknownBot(f"{entrant.kind}: untrusted programs are refused: {'; '.join(missing)}")

    def make(rules: Ruleset, seat: str, _seed: bytes) -> Bot:
        return ProcessBot(
            words,
            rules,
            seat,
            options=options,
            trusted=entrant.trusted,
            reference=lambda: reference_runs(trusted=entrant.trusted),
        )

    return make

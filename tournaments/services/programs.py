"""The programs of others as files: each text once, read-only, in a folder that holds nothing else.

What a worker runs is found from the version alone, so any worker of any machine can run it.
"""

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from django.conf import settings

import engine
from tournaments.models import BotVersion

Language = BotVersion.Language

RUN_BY: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {Language.PYTHON: ("python3", "bot.py"), Language.PERL: ("perl", "bot.pl")}
)
"""The interpreter of each language, as a command names it, and how the text's file is called.

It is started as ``baza check-bot "python3 bot.py"`` starts it: in the sandbox there is no
environment and no folder of packages from which Python would have to be kept (``-I``), and
``PYTHONHASHSEED``, which makes a program play the same twice, counts only without it.
"""

READ_ONLY: Final = 0o444


@dataclass(frozen=True, slots=True)
class Program:
    """How a version is run: its command, its own folder, and whether without the sandbox."""

    words: list[str]
    folder: Path | None
    trusted: bool


def program_of(version: BotVersion) -> Program:
    """Return how a version is run here, its text written down.

    A machine on which it cannot be run is at fault, not the bot: :class:`engine.BotFailure` with
    the code ``infrastructure``. Raises OSError where the text cannot be written.
    """
    if version.language == Language.COMMAND:
        program = Program(list(version.command), None, version.trusted)
    else:
        interpreter, name = RUN_BY[version.language]
        path = _kept(version, name)
        program = Program([interpreter, str(path)], path.parent, trusted=False)
    try:
        engine.find_command(program.words, program.folder)
    except (engine.CommandLineError, OSError) as error:
        raise engine.BotFailure("infrastructure", detail=str(error)) from error
    return program


def _kept(version: BotVersion, name: str) -> Path:
    """Return the file of a text; written at once and whole, and again if it was spoiled."""
    bots = Path(settings.VAR) / "bots"
    path = bots / version.sha256 / name
    text = version.source.encode()
    with suppress(FileNotFoundError):
        if path.read_bytes() == text:
            return path
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=bots, prefix=".text-", delete=False) as draft:
        draft.write(text)
        draft.flush()
        os.fsync(draft.fileno())
        os.fchmod(draft.fileno(), READ_ONLY)
    Path(draft.name).replace(path)
    return path

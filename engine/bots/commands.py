"""Resolves a bot's command line: its program, the files that it needs to run, and its folder."""

import os
import shlex
import shutil
import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_LIBRARIES: Final = tuple(
    Path(path)
    for path in (
        "/lib",
        "/lib32",
        "/lib64",
        "/usr/lib",
        "/usr/lib32",
        "/usr/lib64",
        "/usr/local/lib",
        "/usr/share",
        "/etc/ld.so.cache",
        "/etc/ssl/openssl.cnf",
        "/dev/urandom",
    )
)
"""What programs of the system need to read in order to run; nothing in it is a secret."""

_PYTHON: Final = frozenset({"python", "python3"})
_PROGRAM_HEADER: Final = struct.Struct("<IIQQQQQQ")
_INTERPRETER: Final = 3  # PT_INTERP
_MAX_INTERPRETERS: Final = 4  # chosen: ends scripts that name each other as interpreter


class CommandLineError(ValueError):
    """The command cannot be run as a bot; the message says why."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command made plain: nothing is left to look up when it starts."""

    program: Path
    arguments: tuple[str, ...]
    folder: Path
    readable: tuple[Path, ...]
    executable: tuple[Path, ...]


def split(text: str) -> tuple[str, ...]:
    """The words of a command line; raises :class:`CommandLineError` for an open quote or none."""
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise CommandLineError(str(error)) from error
    if not words:
        raise CommandLineError("the command is empty")
    return words


def find_command(words: Sequence[str], folder: Path | None = None) -> Command:
    """Make a command plain; paths in it are meant from the present folder.

    ``python3`` is the interpreter that runs this: the bot needs no other. Scripts are started by
    the interpreter that their first line names. The bot's own folder, the only one of its files
    that it may read, is ``folder`` or wherever the first file in the command lies. Raises
    :class:`CommandLineError` when there is no such program, or that folder would open too much.
    """
    if not words:
        raise CommandLineError("the command is empty")
    program = _find_program(words[0])
    bot_folder = folder or _bot_folder(program, words)
    arguments = [_absolute_path(word) for word in words[1:]]
    for _ in range(_MAX_INTERPRETERS):
        first = _shebang_interpreter(program)
        if first is None:
            break
        arguments = [*first[1:], str(program), *arguments]
        program = _find_program(first[0])
    _refuse_home_folder(bot_folder.resolve())
    loader = _elf_loader(program)
    return Command(
        program=program,
        arguments=(str(program), *arguments),
        folder=bot_folder.resolve(),
        readable=(*_LIBRARIES, *_library_folder(program), bot_folder.resolve()),
        executable=(program, *([loader] if loader else [])),
    )


def _find_program(word: str) -> Path:
    if word in _PYTHON:
        return Path(sys.executable).resolve()
    program = shutil.which(word)
    if program is None:
        raise CommandLineError(f"there is no program {word!r} that can be started")
    return Path(program).resolve()


def _absolute_path(word: str) -> str:
    path = Path(word)
    return str(path.resolve()) if not word.startswith("-") and path.is_file() else word


def _bot_folder(program: Path, words: Sequence[str]) -> Path:
    if "/" in words[0]:
        return program.parent
    for word in words[1:]:
        if not word.startswith("-") and Path(word).is_file():
            return Path(word).resolve().parent
    return program.parent


def _refuse_home_folder(folder: Path) -> None:
    home = Path(os.path.expanduser("~")).resolve()  # noqa: PTH111 - never raises
    if not folder.is_dir():
        raise CommandLineError(f"{folder} is not a folder")
    if folder == home or folder in home.parents:
        raise CommandLineError(
            f"the bot's own folder would be {folder}, with all that is in it: "
            "put the bot in a folder of its own"
        )


def _shebang_interpreter(program: Path) -> list[str] | None:
    """The words after ``#!``, ``env`` looked through."""
    with program.open("rb") as file:
        start = file.read(256)
    if not start.startswith(b"#!"):
        return None
    words = start[2:].partition(b"\n")[0].decode(errors="replace").split(None, 1)
    if not words:
        raise CommandLineError(f"{program} names no interpreter after #!")
    if Path(words[0]).name == "env":
        words = [word for word in words[1].split() if word != "-S"] if len(words) > 1 else []
        if not words:
            raise CommandLineError(f"{program} names no interpreter after env")
    return words


def _library_folder(program: Path) -> tuple[Path, ...]:
    """``lib`` beside the ``bin`` that the program lies in, as a runtime under a prefix has it."""
    if program.parent.name != "bin":
        return ()
    library = program.parent.parent / "lib"
    return (library,) if library.is_dir() else ()


def _elf_loader(program: Path) -> Path | None:
    """The loader that a 64 bit ELF program asks the kernel for; ``None`` when it needs none."""
    with program.open("rb") as file:
        head = file.read(64)
        if len(head) < 64 or head[:5] != b"\x7fELF\x02":
            return None
        (offset,) = struct.unpack_from("<Q", head, 32)
        size, count = struct.unpack_from("<HH", head, 54)
        for number in range(count):
            file.seek(offset + number * size)
            kind, _flags, start, _v, _p, length, *_ = _PROGRAM_HEADER.unpack(
                file.read(_PROGRAM_HEADER.size)
            )
            if kind == _INTERPRETER:
                file.seek(start)
                return Path(os.fsdecode(file.read(length).rstrip(b"\0"))).resolve()
    return None

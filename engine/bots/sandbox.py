"""Detects the sandboxing features of this machine and writes the launcher's specification.

The policy is in this file, :mod:`engine.bots.landlock` and :mod:`engine.bots.seccomp`; the steps
themselves are taken by :mod:`engine.bots.launcher` in the bot's own process.
``docs/bots/sandbox.md`` lists what each mechanism denies.
"""

import os
import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.bots import bubblewrap, landlock, launcher, seccomp
from engine.bots.commands import Command
from engine.bots.limits import Limits

_ADDRESS_SPACE: Final = 32
"""Address space by memory: runtimes reserve far more than they touch, and pages tables cost."""

_STACK: Final = 8 << 20
"""The stack of the first thread; RLIMIT_DATA does not count it."""

_DEVICES: Final = (Path("/dev/null"),)
_LAUNCHER: Final = Path(launcher.__file__)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The sandboxing features of this machine.

    ``landlock`` is the ABI of the kernel, 0 for none; ``bubblewrap`` the path of one that works,
    which is put around as well. ``missing`` says in one sentence each what
    an untrusted bot would need and this machine lacks; such a bot is then not started.
    """

    system: str
    machine: str
    landlock: int
    seccomp: bool
    bubblewrap: str | None
    missing: tuple[str, ...]

    @property
    def can_isolate(self) -> bool:
        """Whether untrusted bots may be started here."""
        return not self.missing


class SandboxError(RuntimeError):
    """An untrusted bot was to be started where nothing can hold it; ``reasons`` say what lacks."""

    def __init__(self, reasons: tuple[str, ...]) -> None:
        super().__init__("untrusted bots are refused: " + "; ".join(reasons))
        self.reasons = reasons


def capabilities() -> Capabilities:
    """Ask the kernel; nothing is remembered, nothing changes."""
    system, machine = sys.platform, platform.machine()
    abi, filters = 0, False
    if system == "linux":
        library = launcher.libc()
        abi, filters = launcher.landlock_version(library), launcher.seccomp_works(library)
    return Capabilities(
        system=system,
        machine=machine,
        landlock=abi,
        seccomp=filters,
        bubblewrap=bubblewrap.find_bubblewrap(),
        missing=_missing(system, machine, abi, filters),
    )


def _missing(system: str, machine: str, abi: int, filters: bool) -> tuple[str, ...]:
    if system != "linux":
        return (f"the sandbox is made of what Linux has, and this is {system}",)
    reasons = []
    if machine not in seccomp.ARCHITECTURES:
        architectures = ", ".join(seccomp.ARCHITECTURES)
        reasons.append(f"there is no table of system calls for {machine}, only for {architectures}")
    if not abi:
        reasons.append("the kernel has no Landlock (Linux 5.13 with lsm=landlock has)")
    if not filters:
        reasons.append("the kernel has no seccomp filters (CONFIG_SECCOMP_FILTER)")
    return tuple(reasons)


def untrusted_spec(command: Command, limits: Limits, host: Capabilities) -> dict[str, Any]:
    """The launcher's specification for an untrusted program; raises :class:`SandboxError`."""
    if not host.can_isolate:
        raise SandboxError(host.missing)
    rules = landlock.rules([*command.readable], [*command.executable], [*_DEVICES])
    wrapped = host.bubblewrap is not None
    return {
        **_base_spec(command, _environment(command.folder)),
        "folder": str(command.folder),
        "wrap": bubblewrap.wrap_command(host.bubblewrap, command, _LAUNCHER)
        if host.bubblewrap
        else [],
        "parent": 0 if wrapped else os.getpid(),
        "steps": ["limits", "rights", "parent", "landlock", "seccomp"],
        "limits": {
            **_limits(limits),
            "RLIMIT_FSIZE": 0,
            "RLIMIT_AS": limits.memory * _ADDRESS_SPACE,
        },
        "landlock": {**landlock.access_rights(host.landlock), "rules": rules},
        "seccomp": seccomp.program(host.machine),
    }


def trusted_spec(
    command: Command, limits: Limits, environment: Mapping[str, str]
) -> dict[str, Any]:
    """The specification for a program of one's own: limits, and no fence."""
    on_linux = sys.platform == "linux"
    return {
        **_base_spec(command, environment),
        "folder": str(Path.cwd()),
        "steps": ["limits", "parent"] if on_linux else [],
        "limits": _limits(limits),
    }


def _base_spec(command: Command, environment: Mapping[str, str]) -> dict[str, Any]:
    return {
        "program": str(command.program),
        "arguments": list(command.arguments),
        "environment": dict(environment),
        "parent": os.getpid(),
    }


def _limits(limits: Limits) -> dict[str, int]:
    return {
        "RLIMIT_CORE": 0,
        "RLIMIT_CPU": limits.match_cpu,
        "RLIMIT_DATA": limits.memory,
        "RLIMIT_NOFILE": limits.files,
        "RLIMIT_STACK": _STACK,
    }


def _environment(folder: Path) -> dict[str, str]:
    """The environment of a bot: a search path and a fixed hash seed, nothing of this process."""
    return {
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PATH": "/usr/bin:/bin",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
    }

"""Puts a program under its limits and becomes it: ``python -I -S launcher.py SPEC``.

This file runs alone, in a process of its own, and knows no policy: the specification lists limits,
files and filter (:mod:`engine.bots.sandbox` writes it). Every step that fails ends the process
before the program has run a single instruction, and writes which step it was to the file
descriptor ``report``; to that same descriptor it first writes its process number. The
descriptor closes by itself when the program starts.
"""

import ctypes
import json
import os
import signal
import struct
import sys
from typing import Any, Final

LANDLOCK_CREATE: Final = 444  # system call numbers, the same on all machines
LANDLOCK_ADD_RULE: Final = 445
LANDLOCK_RESTRICT: Final = 446

_PR_SET_PDEATHSIG: Final = 1  # this and the next from linux/prctl.h, seccomp.h, capability.h
_PR_SET_SECCOMP: Final = 22
_PR_CAPBSET_DROP: Final = 24
_PR_SET_NO_NEW_PRIVS: Final = 38
_SECCOMP_MODE_FILTER: Final = 2
_SIGKILL: Final = 9
_CAPABILITY_VERSION: Final = 0x20080522
_LAST_CAPABILITY: Final = 63  # the highest that two words of 32 bits can name
_RULE_PATH_BENEATH: Final = 1
_FAILED: Final = 126  # as shells exit when a program cannot be run


class StepError(OSError):
    """The kernel refused a step."""


def libc() -> ctypes.CDLL:
    """The C library of this process; a function of its own so that import needs no Linux."""
    return ctypes.CDLL(None, use_errno=True)


def landlock_version(library: ctypes.CDLL) -> int:
    """The Landlock ABI of this kernel, or 0 where it has none."""
    return max(0, int(library.syscall(LANDLOCK_CREATE, None, ctypes.c_size_t(0), 1)))


def seccomp_works(library: ctypes.CDLL) -> bool:
    """Whether the kernel takes filters: handed none it complains of the address, not the mode."""
    failed = library.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, None, 0, 0) != 0
    return failed and ctypes.get_errno() == 14  # EFAULT


def _check_result(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise StepError(number, os.strerror(number))
    return result


def set_resource_limits(limits: dict[str, int]) -> None:
    """Set resource limits, soft and hard alike; for CPU time the hard limit is above the soft one.

    At the hard limit the kernel sends SIGKILL, which has no cause; at the soft one SIGXCPU.
    """
    import resource

    for name, value in limits.items():
        hard = value + 1 if name == "RLIMIT_CPU" else value
        resource.setrlimit(getattr(resource, name), (value, hard))


def drop_privileges(library: ctypes.CDLL) -> None:
    """Drop all capabilities, and forbid gaining any when the program starts."""
    for capability in range(_LAST_CAPABILITY + 1):
        if library.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) < 0:
            break  # beyond the last one, or an ordinary user, who has none to give up
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    _check_result(library.capset(header, bytes(24)))
    _check_result(library.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))


def set_parent_death_signal(library: ctypes.CDLL, parent: int) -> None:
    """Have the kernel kill this process when its parent ends; 0 for an unknown parent."""
    _check_result(library.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0))
    if parent and os.getppid() != parent:
        raise StepError(3, "the parent is gone")  # ESRCH


def restrict_files(library: ctypes.CDLL, landlock: dict[str, Any]) -> None:
    """Restrict file access by Landlock to what the rules name."""
    handled = struct.pack("=QQQ", landlock["files"], landlock["net"], landlock["scopes"])
    handled = handled[: landlock["size"]]
    ruleset = _check_result(
        library.syscall(LANDLOCK_CREATE, handled, ctypes.c_size_t(len(handled)), 0)
    )
    for path, rights in landlock["rules"]:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = struct.pack("=Qi", rights, descriptor)
        _check_result(library.syscall(LANDLOCK_ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0))
        os.close(descriptor)
    _check_result(library.syscall(LANDLOCK_RESTRICT, ruleset, 0))
    os.close(ruleset)


def install_seccomp_filter(library: ctypes.CDLL, instructions: list[Any]) -> None:
    """Install the seccomp filter: from here on only the calls that it allows."""
    placeholders = {"own pid": os.getpid()}
    code = b"".join(
        struct.pack("=HBBI", operation, yes, no, placeholders.get(k, k))
        for operation, yes, no, k in instructions
    )
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("@HP", len(instructions), ctypes.addressof(buffer))
    _check_result(library.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, program, 0, 0))


def confine(spec: dict[str, Any]) -> str:
    """Takes every step but the last; returns the name of the step that comes next."""
    steps = (
        ("limits", lambda _library: set_resource_limits(spec["limits"])),
        ("rights", drop_privileges),
        ("parent", lambda library: set_parent_death_signal(library, spec["parent"])),
        ("landlock", lambda library: restrict_files(library, spec["landlock"])),
        ("seccomp", lambda library: install_seccomp_filter(library, spec["seccomp"])),
    )
    library = libc()
    for name, step in steps:
        if name not in spec["steps"]:
            continue
        try:
            step(library)
        except OSError as error:
            error.filename = name
            raise
    return "start"


def main(spec: dict[str, Any]) -> None:
    """Become the program; comes back only when that failed, with a report of the step."""
    report = spec["report"]
    os.set_inheritable(report, False)
    os.write(report, f"pid {os.getpid()}\n".encode())
    step = "folder"
    try:
        os.chdir(spec["folder"])
        step = "confine"
        step = confine(spec)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and so would the bot
            signal.signal(number, signal.SIG_DFL)
        os.execve(spec["program"], spec["arguments"], spec["environment"])  # noqa: S606
    except OSError as error:
        where = step if step != "confine" else str(error.filename)
        os.write(report, f"failed {where} {error.errno} {error.strerror}\n".encode())
    os._exit(_FAILED)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))

"""The filter of system calls that an untrusted bot runs under, as a program for the kernel.

Classic BPF (Linux ``Documentation/userspace-api/seccomp_filter.rst``): an instruction is
``(code, jump if true, jump if false, k)``. The filter allows what is named in
:mod:`engine.bots.syscalls` and refuses everything else with EPERM, so a call that a newer kernel
brings is refused before anybody has heard of it.
"""

import errno
from collections.abc import Sequence
from typing import Final

from engine.bots.syscalls import FREE, NUMBERS

OWN_PID: Final = "own pid"
"""Placeholder in a filter program for the number of the bot's own process, set by the launcher."""

Instruction = tuple[int, int, int, int | str]

_LOAD: Final = 0x20  # BPF_LD | BPF_W | BPF_ABS
_EQUAL: Final = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_AT_LEAST: Final = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_ANY_BIT: Final = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_RETURN: Final = 0x06  # BPF_RET | BPF_K

_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
"""Offsets in ``struct seccomp_data``; each argument takes eight bytes, the low half first."""

_ALLOW: Final[Instruction] = (_RETURN, 0, 0, 0x7FFF0000)
_KILL: Final[Instruction] = (_RETURN, 0, 0, 0x80000000)
_REFUSE: Final[Instruction] = (_RETURN, 0, 0, 0x00050000 | errno.EPERM)
_UNKNOWN: Final[Instruction] = (_RETURN, 0, 0, 0x00050000 | errno.ENOSYS)

ARCHITECTURES: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""``AUDIT_ARCH_*`` by machine; calls of any other (32 bit code on 64 bit) kill the program."""

_X32: Final = 0x40000000  # __X32_SYSCALL_BIT: the same machine, other numbers

_CLONE_THREAD: Final = 0x00010000  # threads are allowed, processes are not
_CLONE_NEW: Final = 0x7E020000  # CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET
_MAP_SHARED, _MAP_ANONYMOUS = 0x01, 0x20
_MAP_UNCOUNTED: Final = 0x00040100  # MAP_GROWSDOWN, MAP_HUGETLB: memory RLIMIT_DATA does not count
_O_WRONLY, _O_RDWR, _O_TRUNC = 0x1, 0x2, 0x200
_FCNTL: Final = (0, 1, 2, 3, 4, 1030, 1032)  # DUPFD, GETFD…SETFL, DUPFD_CLOEXEC, GETPIPE_SZ
_IOCTL: Final = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS, WINSZ, FIO…
_PRCTL: Final = (15, 16, 0x53564D41)  # PR_SET_NAME, PR_GET_NAME, PR_SET_VMA


def program(machine: str) -> list[Instruction]:
    """The filter for a machine of :data:`ARCHITECTURES`; raises ``KeyError`` for any other."""
    numbers = NUMBERS[machine]
    code: list[Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, ARCHITECTURES[machine]),
        _KILL,
        (_LOAD, 0, 0, _NUMBER),
    ]
    if machine == "x86_64":
        code += [(_AT_LEAST, 0, 1, _X32), _KILL]
    for name, number in sorted(numbers.items(), key=lambda item: item[1]):
        judged = [_ALLOW] if name in FREE else _argument_checks(name)
        code += [(_EQUAL, 0, len(judged), number), *judged]
    return [*code, _REFUSE]


def _argument_checks(name: str) -> list[Instruction]:
    """The filter's instructions for a call that depends on its arguments; ends in a return."""
    rules: dict[str, list[Instruction]] = {
        "clone": [
            _argument(0),
            (_ANY_BIT, 0, 2, _CLONE_THREAD),
            (_ANY_BIT, 1, 0, _CLONE_NEW),
            _ALLOW,
            _REFUSE,
        ],
        "clone3": [_UNKNOWN],  # its flags lie in memory, where a filter cannot look; use clone
        "fcntl": _allow_values(1, _FCNTL),
        "ioctl": _allow_values(1, _IOCTL),
        "kill": _allow_values(0, (OWN_PID,)),
        "mmap": [
            _argument(3),
            (_ANY_BIT, 3, 0, _MAP_UNCOUNTED),
            (_ANY_BIT, 0, 1, _MAP_SHARED),
            (_ANY_BIT, 1, 0, _MAP_ANONYMOUS),
            _ALLOW,
            _REFUSE,
        ],
        "open": _refuse_truncation(1),
        "openat": _refuse_truncation(2),
        "openat2": [_UNKNOWN],  # like those of clone3
        "prctl": _allow_values(0, _PRCTL),
        "prlimit64": _allow_values(0, (0, OWN_PID)),
        "tgkill": _allow_values(0, (OWN_PID,)),
    }
    return rules[name]


def _refuse_truncation(index: int) -> list[Instruction]:
    """Refuse to empty a file that is not opened for writing.

    Landlock judges what is opened for writing; of the rest, before its third ABI, it lets
    whatever may be read, or nothing be done with at all, be emptied.
    """
    return [
        _argument(index),
        (_ANY_BIT, 0, 3, _O_TRUNC),
        (_ANY_BIT, 0, 1, _O_WRONLY),
        (_ANY_BIT, 2, 1, _O_RDWR),
        (_ANY_BIT, 0, 1, _O_RDWR),
        _ALLOW,
        _REFUSE,
    ]


def _argument(index: int) -> Instruction:
    return (_LOAD, 0, 0, _ARGUMENTS + 8 * index)


def _allow_values(index: int, values: Sequence[int | str]) -> list[Instruction]:
    """Allow when the low half of an argument is one of these; the kernel looks at no more."""
    code: list[Instruction] = [_argument(index)]
    for value in values:
        code += [(_EQUAL, 0, 1, value), _ALLOW]
    return [*code, _REFUSE]

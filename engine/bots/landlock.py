"""The file access of an untrusted bot, as rules for Landlock.

Linux ``Documentation/userspace-api/landlock.rst``. Each ABI knows more kinds of access than the one
before; the rules deny all that the running kernel knows of.
"""

import os
import stat
from pathlib import Path
from typing import Any, Final

_EXECUTE: Final = 1 << 0  # LANDLOCK_ACCESS_FS_EXECUTE
_READ_FILE: Final = 1 << 2  # LANDLOCK_ACCESS_FS_READ_FILE
_READ_FOLDER: Final = 1 << 3  # LANDLOCK_ACCESS_FS_READ_DIR
_WRITE_FILE: Final = 1 << 1  # LANDLOCK_ACCESS_FS_WRITE_FILE

_FILE_RIGHTS: Final = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""Rights on files by the ABI that brought the last of them (2: refer, 3: truncate, 5: ioctl)."""

NET_ABI: Final = 4  # the first ABI with rules for TCP
SCOPE_ABI: Final = 6  # the first ABI with scopes
_TCP: Final = 0b11  # bind, connect
_SCOPES: Final = 0b11  # abstract unix sockets, signals


def rules(
    readable: list[Path], executable: list[Path], streams: list[Path]
) -> list[tuple[str, int]]:
    """One rule a place that exists: folders and files to read, programs to start, devices."""
    rights_by_path: dict[str, int] = {}
    for path in readable:
        rights_by_path[str(path)] = _READ_FILE | _READ_FOLDER
    for path in executable:
        rights_by_path[str(path)] = rights_by_path.get(str(path), 0) | _READ_FILE | _EXECUTE
    for path in streams:
        rights_by_path[str(path)] = _READ_FILE | _WRITE_FILE
    return [
        (path, rights if stat.S_ISDIR(mode) else rights & ~_READ_FOLDER)
        for path, rights in rights_by_path.items()
        if (mode := _mode(path))
    ]


def _mode(path: str) -> int:
    try:
        return os.stat(path).st_mode  # noqa: PTH116 - one call, and no difference
    except OSError:
        return 0


def access_rights(abi: int) -> dict[str, Any]:
    """The access rights that the rules cover: all that this ABI knows."""
    max_version = max(version for version in _FILE_RIGHTS if version <= abi)
    return {
        "files": _FILE_RIGHTS[max_version],
        "net": _TCP if abi >= NET_ABI else 0,
        "scopes": _SCOPES if abi >= SCOPE_ABI else 0,
        "size": 24 if abi >= SCOPE_ABI else 16 if abi >= NET_ABI else 8,
    }

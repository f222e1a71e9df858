"""Compiles functions with numba and caches the machine code in a folder of the user's own.

It is compiled once for any processor of a family and kept in a folder of the user's own
(``$NUMBA_CACHE_DIR``, else ``baza`` in ``$XDG_CACHE_HOME`` or ``~/.cache``), so that the next
process only loads it. The folder holds code that is run, so it must be writable by the user alone;
without such a folder every process compiles again. Only :mod:`engine.solver.search` and the strong
bot import this.
"""

import hashlib
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])
FOLDER: Final = "NUMBA_CACHE_DIR"
PROCESSOR: Final = "NUMBA_CPU_NAME"


def cache_folder() -> Path | None:
    """The folder that holds compiled code, made if it is not there; ``None`` if there is none.

    A folder that belongs to another user, or that others may write into, is not used.
    """
    given = os.environ.get(FOLDER)
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        folder = Path(given) if given else Path(home).expanduser() / "baza" / _written()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
    except (OSError, RuntimeError):  # RuntimeError: nobody's home
        return None
    mine = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    shared = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return folder if mine and not shared and os.access(folder, os.W_OK) else None


def _written() -> str:
    """A digest of the files on which the compiled code depends, beside those that numba checks."""
    engine = Path(__file__).parents[1]
    files = [Path(__file__), engine / "cards.py", *sorted(engine.glob("bots/strong/*.py"))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]


def _prepared() -> bool:
    """Sets numba's cache folder before numba is imported; false if there is no safe folder."""
    os.environ.setdefault(PROCESSOR, "generic")
    folder = cache_folder()
    if folder is not None:
        os.environ[FOLDER] = str(folder)
    return folder is not None


_KEEPS: Final = _prepared()

import numba  # noqa: E402 - it reads its settings when it is imported
from llvmlite import ir  # noqa: E402
from numba import uint64 as place  # noqa: E402
from numba.extending import intrinsic  # noqa: E402

__all__ = ["Numbers", "cache_folder", "compiled", "intrinsic", "ir", "part", "place"]


class Numbers(Protocol):
    """A row of int64 as compiled code sees it."""

    def __getitem__(self, at: Any, /) -> int: ...

    def __setitem__(self, at: Any, number: int, /) -> None: ...


_njit: Any = numba.njit
_OPTIONS: Final = {"nogil": True, "_nrt": False}
"""Without the GIL, and without counting references to arrays that live longer than any call: that
alone makes the search two and a half times as fast. Nothing here may make an array."""


def compiled(signature: str) -> Callable[[_Function], _Function]:
    """Compile a function for these types, now or from what is kept; it lets go of the GIL."""
    decorator: Callable[[_Function], _Function] = _njit(signature, cache=_KEEPS, **_OPTIONS)
    return decorator


def part(*, inline: bool = False) -> Callable[[_Function], _Function]:
    """Compile a function with those that call it, and not before; ``inline`` puts it into them."""
    decorator: Callable[[_Function], _Function] = _njit(forceinline=inline, **_OPTIONS)
    return decorator

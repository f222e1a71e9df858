"""Compiles functions with numba where it is installed; elsewhere they run as they are written.

Machine code is made once for any processor of a family and kept in a folder of the user's own
(``$NUMBA_CACHE_DIR``, else ``baza`` in ``$XDG_CACHE_HOME`` or ``~/.cache``), so that the next
process only loads it. The folder holds code that is run, so it must be writable by the user alone;
without such a folder every process compiles again. Importing this module loads numba: only the
solver, the strong bot and the audit of many records do so.
"""

import hashlib
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from engine.fast import is_compiled

_Function = TypeVar("_Function", bound=Callable[..., Any])
FOLDER: Final = "NUMBA_CACHE_DIR"
PROCESSOR: Final = "NUMBA_CPU_NAME"


def cache_folder() -> Path | None:
    """The folder that holds compiled code, made if it is not there; ``None`` if there is none.

    A folder that belongs to another user, or that others may write into, is not used.
    """
    setting = os.environ.get(FOLDER)
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        folder = Path(setting) if setting else Path(home).expanduser() / "baza" / _sources_digest()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
    except (OSError, RuntimeError):  # RuntimeError: nobody's home
        return None
    is_owner = not hasattr(os, "getuid") or status.st_uid == os.getuid()
    shared = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return folder if is_owner and not shared and os.access(folder, os.W_OK) else None


def _sources_digest() -> str:
    """A digest of the files on which the compiled code depends, beside those that numba checks."""
    engine = Path(__file__).parents[1]
    files = sorted([*engine.glob("fast/*.py"), *engine.glob("bots/strong/*.py")])
    return hashlib.sha256(
        b"".join(path.read_bytes() for path in [engine / "cards.py", *files])
    ).hexdigest()[:16]


def _set_cache_folder() -> bool:
    """Sets numba's cache folder before numba is imported; false if there is no safe folder."""
    os.environ.setdefault(PROCESSOR, "generic")
    folder = cache_folder()
    if folder is not None:
        os.environ[FOLDER] = str(folder)
    return folder is not None


class Numbers(Protocol):
    """A row of int64 as compiled code sees it."""

    def __getitem__(self, at: Any, /) -> int: ...

    def __setitem__(self, at: Any, number: int, /) -> None: ...


COMPILED: Final = is_compiled()

if COMPILED:
    _KEEPS: Final = _set_cache_folder()

    import numba
    import numpy as np

    place: Any = numba.uint64
    _njit: Any = numba.njit
    _OPTIONS: Final = {"nogil": True, "_nrt": False}
    """Without the GIL, and without counting references to arrays that live longer than any call:
    that alone makes the search two and a half times as fast. Nothing compiled may make an array."""

    def compiled(signature: str) -> Callable[[_Function], _Function]:
        """Compile a function for these types, now or from what is kept; it lets go of the GIL."""
        decorator: Callable[[_Function], _Function] = _njit(signature, cache=_KEEPS, **_OPTIONS)
        return decorator

    def subroutine(*, inline: bool = False) -> Callable[[_Function], _Function]:
        """Compile a function with those that call it; ``inline`` puts it into them."""
        decorator: Callable[[_Function], _Function] = _njit(forceinline=inline, **_OPTIONS)
        return decorator

    def whole_numbers(numbers: list[int]) -> Any:
        """A row of whole numbers that compiled code reads and writes."""
        return np.array(numbers, np.int64)

    def fractions(numbers: list[float]) -> Any:
        """A row of fractions."""
        return np.array(numbers, np.float64)

else:
    place = int  # the place in a row, which compiled code does not look at for being below 0

    def compiled(signature: str) -> Callable[[_Function], _Function]:
        """Leave a function as it is."""
        del signature
        return subroutine()

    def subroutine(*, inline: bool = False) -> Callable[[_Function], _Function]:
        """Leave a function as it is."""
        del inline
        return lambda function: function

    def whole_numbers(numbers: list[int]) -> Any:
        """A row of whole numbers."""
        return list(numbers)

    def fractions(numbers: list[float]) -> Any:
        """A row of fractions."""
        return list(numbers)

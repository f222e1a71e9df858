"""Whether the workers of this machine are about to go: then nothing new is begun.

The word is said in the process that heads them and read in those that play. They are its children
and share a page of memory with it, since a signal to the head reaches none of them.
"""

import mmap
from typing import Final

_PAGE: Final = mmap.mmap(-1, 1)


def leave(leaving: bool = True) -> None:
    """Say that play is to stop; or, with ``False``, that it is not."""
    _PAGE[0] = leaving


def is_leaving() -> bool:
    """Tell whether play is to stop."""
    return bool(_PAGE[0])

"""Who is alive: processes counted by what their command line names."""

import time
from pathlib import Path


def living(mark: str) -> list[int]:
    """The processes whose command line holds ``mark``, but for those that are ended already."""
    names = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if mark.encode() in words:
            names.append(int(folder.name))
    return names


def started_as(word: str) -> list[int]:
    """Those that have ``word`` for their second word, as an interpreter has its script."""
    return [
        number
        for number in living(word)
        if Path(f"/proc/{number}/cmdline").read_bytes().split(b"\0")[1:2] == [word.encode()]
    ]


def nobody(mark: str, within: float = 10.0) -> bool:
    """Whether nobody is left, waiting for those that are about to end."""
    ends = time.monotonic() + within
    while living(mark):
        if time.monotonic() > ends:
            return False
        time.sleep(0.02)
    return True

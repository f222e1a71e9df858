"""The compiled statement of the rules, and the audit of many records with it.

:mod:`~engine.fast.masks` states the rules of play over bit masks, for the solver, the strong bot
and :mod:`~engine.fast.kernel`, which reads and replays records; :mod:`~engine.fast.auditing` makes
verdicts of what it finds and leaves the rest to the core. All of them load numba.
"""

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from typing import Any, Final

BATCH_RECORDS: Final = 512  # chosen: bounds the memory of a batch and the wait for its answers
BATCH_BYTES: Final = 1 << 20  # chosen: as much as one record may have (`MAX_BYTES`)


def is_compiled() -> bool:
    """Whether numba is installed; asking loads nothing."""
    return find_spec("numba") is not None


def batches(records: Iterable[tuple[str, Any]], most: int) -> Iterator[list[tuple[str, Any]]]:
    """Groups records with their sources, at most ``most`` and about a megabyte at a time."""
    batch: list[tuple[str, Any]] = []
    size = 0
    for source, content in records:
        batch.append((source, content))
        size += len(content) if isinstance(content, bytes) else BATCH_BYTES // BATCH_RECORDS
        if size >= BATCH_BYTES or len(batch) >= most:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch

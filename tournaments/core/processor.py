"""Sets up a process of the service: its garbage collection, and the processor of a web process."""

import fcntl
import gc
import os
from pathlib import Path
from typing import IO, Final

# Python's own (700, 10, 10) makes full collections go through the rows of a large request again
# and again: an eighth of the time of 1,000 records in one request, and nothing is found.
GC_THRESHOLDS: Final = (5_000, 20, 20)


def limit_garbage_collection() -> None:
    """Exclude the objects present now from garbage collection, and collect the others less often.

    A full collection with all modules among the objects takes 120 ms.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def bind_to_one_processor(folder: Path) -> IO[str] | None:
    """Bind this process to a processor that no other web process of ``folder`` is bound to.

    Django hands a request from the event loop to a thread and back several times, and only one
    thread of a process runs Python at a time: on two processors each hand-over waits for the other
    one to wake up, which took two thirds of the throughput (docs/decisions/web-server.md).

    Returns the file whose lock marks the processor as taken, until it is closed or the process
    ends; None, and no binding, when there are more web processes than processors or the system
    cannot bind processes.
    """
    if not hasattr(os, "sched_setaffinity"):
        return None
    for processor in sorted(os.sched_getaffinity(0)):
        lock = (folder / f"web-processor-{processor}.lock").open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            continue
        os.sched_setaffinity(0, {processor})
        return lock
    return None

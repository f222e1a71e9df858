"""Each web process is bound to a processor of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BOUND = """
import os, sys
from pathlib import Path
from tournaments.core.processor import bind_to_one_processor
lock = bind_to_one_processor(Path(sys.argv[1]))
print(*sorted(os.sched_getaffinity(0)), flush=True)
sys.stdin.read()
"""


def start(folder: Path) -> tuple[subprocess.Popen[str], set[int]]:
    """Start a process that binds itself, and return it with the processors that it may use."""
    command = [sys.executable, "-c", BOUND, str(folder)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path.cwd()
    )
    assert process.stdout is not None
    return process, {int(number) for number in process.stdout.readline().split()}


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system binds no process")
def test_as_many_web_processes_as_processors_have_one_each(tmp_path: Path) -> None:
    processors = os.sched_getaffinity(0)
    processes = [start(tmp_path) for _ in range(len(processors) + 1)]
    for process, _ in processes:
        process.communicate("")
    *bound, one_more = [used for _, used in processes]
    assert sorted(bound, key=min) == [{number} for number in sorted(processors)]
    assert one_more == processors


def test_a_processor_is_free_when_its_process_has_ended(tmp_path: Path) -> None:
    first, used = start(tmp_path)
    first.communicate("")
    second, used_then = start(tmp_path)
    second.communicate("")
    assert used == used_then

"""The peers from PyPI, each in a throw-away virtual environment, measured by `benchmarks.peer`."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peer import PEERS

SCRIPT = Path(__file__).with_name("peer.py")
MAX_SECONDS = 300


@dataclass(frozen=True)
class PeerReading:
    """What a peer reached; ``error`` says why there is nothing, if so."""

    name: str
    version: str = ""
    games: float = 0.0
    moves: float = 0.0
    error: str = ""


def measure_all(seconds: float) -> list[PeerReading]:
    """Every peer, installed into one temporary environment and gone with it."""
    with tempfile.TemporaryDirectory(prefix="baza-peers-") as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        refused: dict[str, str] = {}
        for package in dict.fromkeys(package for package, _work in PEERS.values()):
            print(f"installing {package}", file=sys.stderr)
            error = _run([python, "-m", "pip", "install", "--quiet", package])[1]
            if error:
                refused[package] = "cannot be installed here"
        return [
            PeerReading(name, error=refused[package])
            if package in refused
            else _measured(python, name, seconds)
            for name, (package, _work) in PEERS.items()
        ]


def _measured(python: str, name: str, seconds: float) -> PeerReading:
    print(f"measuring {name}", file=sys.stderr)
    output, error = _run([python, str(SCRIPT), name, str(seconds)])
    if error:
        return PeerReading(name, error=error)
    document = json.loads(output.splitlines()[-1])
    return PeerReading(name, document["version"], document["games"], document["moves"])


def _run(command: list[str]) -> tuple[str, str]:
    """What a command printed, and the last thing it complained of if it failed."""
    try:
        run = subprocess.run(
            command, capture_output=True, text=True, timeout=MAX_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return "", f"not done after {MAX_SECONDS} s"
    if not run.returncode:
        return run.stdout, ""
    return "", ([*run.stderr.strip().splitlines()] or ["failed"])[-1][:60]

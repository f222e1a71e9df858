"""Playouts of a hand from its first card, beside the rollouts of OpenSpiel's trick games."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import engine
from benchmarks.sections import Section, best_of

RIVALS = ("oh_hell", "euchre", "spades", "skat", "hearts")
SCRIPT = Path(__file__).with_name("rollouts.py")
OURS, THEIRS = 100_000, 4_000
AIM = 2.0


def peer_section() -> Section:
    """Play hands of all rulesets out, and those of OpenSpiel in an environment of its own."""
    rates = {f"`{name}`": _our_rate(rules) for name, rules in engine.RULESETS.items()}
    with tempfile.TemporaryDirectory(prefix="baza-playouts-") as name:
        venv.create(name, with_pip=True)
        python = str(Path(name) / "bin" / "python")
        words = [python, "-m", "pip", "install", "--quiet", "open_spiel"]
        if subprocess.run(words, check=False, capture_output=True).returncode:
            rivals = {}
        else:
            rivals = {rival: _rival_rate(python, rival) for rival in RIVALS}
    fastest = max(rivals.values(), default=0.0)
    rows = [["game", "hands/s", "÷ OpenSpiel's fastest", "aim", "met"]]
    for game, rate in rates.items():
        ratio = rate / fastest if fastest else 0.0
        met = "yes" if ratio >= AIM else "no"
        rows.append([game, f"{rate:,.0f}", f"{ratio:.1f}" if fastest else "–", f"{AIM:g}", met])
    rows += [[f"OpenSpiel, {rival}", f"{rate:,.0f}", "", "", ""] for rival, rate in rivals.items()]
    notes = (
        "`engine.playouts` from the first card of a hand, one thread, and the C++ rollouts of an "
        "MCTS bot of one simulation; the games differ, so only the order of magnitude compares."
    )
    return Section("Playouts", rows, notes)


def _our_rate(rules: engine.Ruleset) -> float:
    state = next(engine.games(rules, b"benchmark")).state
    return OURS / best_of(lambda: engine.playouts(state, OURS))


def _rival_rate(python: str, name: str) -> float:
    print(f"measuring OpenSpiel, {name}", file=sys.stderr)
    words = [python, str(SCRIPT), name, str(THEIRS)]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout)["hands"])

"""The documents of this project."""

from pathlib import Path

from tournaments.environment import ROOT

MADE = frozenset({"var", "test-results"})


def documents() -> list[Path]:
    """Name every document that was written by hand."""
    return sorted(path for path in ROOT.rglob("*.md") if is_source(path.relative_to(ROOT)))


def is_source(path: Path) -> bool:
    """Return whether it is not in a folder of a tool."""
    return not any(part in MADE or part.startswith(".") for part in path.parts)

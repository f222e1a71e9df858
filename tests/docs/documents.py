"""The documents of this project."""

from pathlib import Path

from tournaments.environment import ROOT

MADE = frozenset({"var", "test-results"})


def documents() -> list[Path]:
    """Name every document that somebody wrote."""
    return sorted(path for path in ROOT.rglob("*.md") if is_written(path.relative_to(ROOT)))


def is_written(path: Path) -> bool:
    """Tell it from what tools leave in their own folders."""
    return not any(part in MADE or part.startswith(".") for part in path.parts)

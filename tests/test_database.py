"""Code that leans on the database is tested on both: the mark `database` of its tests."""

import ast
import re
from pathlib import Path

from tests.database import runs_on_postgresql
from tournaments.environment import ROOT

LEANS = re.compile(
    r"select_for_update|on_commit\(|\.raw\(|\.cursor\(|retry_transaction"
    r"|__contains\b|__has_key|KeyT\w+\(|KT\(|advisory"
)
"""Locks, retries, what waits for a commit, SQL and look-ups in JSON."""
COMMANDS = {path.stem for path in (ROOT / "tournaments/management/commands").glob("*.py")}


def imported_by(path: Path) -> set[str]:
    """Return the modules and names that a module imports, and the commands that it names."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Constant) and node.value in COMMANDS:
            names.add(f"tournaments.management.commands.{node.value}")
    return names


def path_of(name: str) -> Path | None:
    """Return the file of a module of the product, if that is what the name means."""
    path = ROOT / name.replace(".", "/")
    return next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.exists()), None)


def test_what_leans_on_the_database_is_used_by_a_test_that_runs_on_postgresql() -> None:
    tests = [p for p in (ROOT / "tests").rglob("test_*.py") if runs_on_postgresql(p)]
    used = set().union(*map(imported_by, tests))
    products = {path for name in used if name.startswith("tournaments.") if (path := path_of(name))}
    used |= set().union(*map(imported_by, products))
    leaning = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in (ROOT / "tournaments").rglob("*.py")
        if "migrations" not in path.parts and LEANS.search(path.read_text(encoding="utf-8"))
    }
    assert len(leaning) > 20
    assert leaning - used == set()

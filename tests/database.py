"""Which tests run on PostgreSQL too: those that may be answered otherwise by another database.

What a page says, in which words and for whom, does not depend on the database; locks, retries,
JSON, collation, sequences, restoring, exports, migrations and writes at once do. So the mark
`database` is given by what a module is about, as its name says:

| module | on PostgreSQL |
|---|---|
| services, queries, tasks, API | the tests that are not slow |
| `DEEP` | every test |
| pages, papers, words, folders `WITHOUT` | each page once, for an organiser |
| `DRAWN`, `SQLITE` | none |
"""

from __future__ import annotations

from fnmatch import fnmatch
from typing import TYPE_CHECKING, Final

import pytest

from tournaments.environment import ROOT

if TYPE_CHECKING:
    from pathlib import Path

DEEP: Final = (
    "core/test_patience_api.py",
    "director/test_restoring.py",
    "director/test_walks.py",
    "exchange/test_export_api.py",
    "exchange/test_forged_*.py",
    "exchange/test_imports*.py",
    "management/test_*backups.py",
    "management/test_erased.py",
    "management/test_everything.py",
    "management/test_leftovers.py",
    "management/test_taking_elsewhere.py",
    "models/test_*.py",
    "operations/test_*.py",
    "results/test_concurrency.py",
    "results/test_idempotency.py",
    "security/test_null_characters.py",
    "test_audit*.py",
    "test_jobs.py",
    "*_at_once.py",
)
"""Modules about the database itself."""

WITHOUT: Final = frozenset(
    (
        *("cli", "client", "conformance", "docs", "domain", "drills", "e2e", "engine", "front"),
        *("printing", "recording", "releases", "runner", "sheets", "web"),
    )
)
"""Folders of what knows no database, starts its own, or asks one for no more than rows."""

PAGES: Final = ("*_pages.py", "security/test_web_matrix.py", "security/test_hostile_text.py")
"""Modules about pages; `test_web_matrix.py` has one test of each page, marked by itself."""

DRAWN: Final = (
    "director/test_boards_for_places.py",
    "director/test_boards_side_by_side.py",
    "director/test_fixed_lines.py",
    "director/test_planned_drafts.py",
    "exchange/test_proofs_queries.py",
)
"""Modules about who meets whom, and its proof: the domain's answers from rows that are read and
written as in `director/test_walks.py`, which plays two boards and a Swiss on PostgreSQL."""

SQLITE: Final = ("core/test_full_disk.py",)
"""Modules about SQLite alone: the whole run fails where a test is skipped."""


def is_deep(path: Path) -> bool:
    """Return whether every test of a module is about the database."""
    name = path.relative_to(ROOT / "tests").as_posix()
    return any(fnmatch(name, pattern) for pattern in DEEP)


def runs_on_postgresql(path: Path) -> bool:
    """Return whether tests of a module run on PostgreSQL too."""
    name = path.relative_to(ROOT / "tests").as_posix()
    if is_deep(path):
        return True
    return name.partition("/")[0] not in WITHOUT and not any(
        fnmatch(name, p) for p in PAGES + DRAWN + SQLITE
    )


def mark_database(items: list[pytest.Item]) -> None:
    """Mark what runs on PostgreSQL too."""
    for item in items:
        is_slow = item.get_closest_marker("slow") is not None
        if runs_on_postgresql(item.path) and (is_deep(item.path) or not is_slow):
            item.add_marker(pytest.mark.database)

"""Prints the size of the code base: `.venv/bin/python -m tools.count [REVISION]`.

Lines are those of the files in git; a revision is counted as it was committed. Commits are those
since the revision, with the median of their files and the share that say why in a body.
"""

from __future__ import annotations

import ast
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import PurePath

LONG = 70  # lines of a function
WIDE = 12  # files of a commit from which a body says why

SOURCES = ("engine", "tournaments", "baza_client")


def git(*arguments: str) -> str:
    """Return what git prints."""
    return subprocess.run(
        ["git", *arguments], check=True, capture_output=True, text=True, errors="replace"
    ).stdout


def is_source(path: PurePath) -> bool:
    """Return whether a file is Python of the product, migrations left out."""
    return path.suffix == ".py" and path.parts[0] in SOURCES and "migrations" not in path.parts


KINDS: dict[str, Callable[[PurePath], bool]] = {
    "source": is_source,
    "tests": lambda path: path.suffix == ".py" and path.parts[0] == "tests",
    "templates": lambda path: path.suffix == ".html",
    "style sheets": lambda path: path.suffix == ".css" and "vendor" not in path.parts,
    "scripts": lambda path: path.suffix == ".js" and "vendor" not in path.parts,
    "documents": lambda path: path.suffix == ".md",
    "recordings": lambda path: path.parts[:3] == ("tests", "recording", "answers"),
    "compiled catalogues": lambda path: path.suffix == ".mo",
}


def count(revision: str) -> list[tuple[str, int, int, int]]:
    """Return files, lines and bytes of each kind of file of a revision."""
    rows = []
    paths = [PurePath(line) for line in git("ls-tree", "-r", "--name-only", revision).splitlines()]
    for kind, belongs in KINDS.items():
        chosen = [str(path) for path in paths if belongs(path)]
        texts = [git("show", f"{revision}:{path}") for path in chosen]
        rows.append((kind, len(chosen), sum(t.count("\n") for t in texts), sum(map(len, texts))))
    return rows


def long_functions(revision: str) -> int:
    """Count the functions of the product with more than `LONG` lines."""
    paths = git("ls-tree", "-r", "--name-only", revision, *SOURCES).splitlines()
    return sum(
        isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= LONG
        for path in paths
        if is_source(PurePath(path))
        for node in ast.walk(ast.parse(git("show", f"{revision}:{path}")))
    )


def commits(since: str) -> list[tuple[int, bool]]:
    """Return of each commit since a revision its files, and whether a body says why."""
    found = []
    for name in git("rev-list", "--no-merges", f"{since}..HEAD").split():
        files = git("show", "--format=", "--name-only", name).split()
        found.append((len(files), bool(git("show", "-s", "--format=%b", name).strip())))
    return found


def main(arguments: list[str]) -> int:
    """Print the figures of HEAD, and of a revision beside them."""
    before = arguments[0] if arguments else None
    revisions = [*([before] if before else []), "HEAD"]
    tables = [count(revision) for revision in revisions]
    for rows in zip(*tables, strict=True):
        print(f"{rows[0][0]:<20}", *(f"{f:>6} files {n:>8} lines {b:>9} B" for _, f, n, b in rows))
    print(f"{f'functions > {LONG} lines':<20}", *map(long_functions, revisions))
    if before:
        made = commits(before)
        wide = [has_body for files, has_body in made if files >= WIDE]
        print(f"commits {len(made)}, median files {statistics.median(n for n, _ in made)}")
        print(
            f"with a body {sum(b for _, b in made)}; of {WIDE} files on: {sum(wide)} of {len(wide)}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""`python -m tools.removal webhooks`: what a feature leaves behind when it is taken out.

It takes out what is the feature's own, and lists the lines that name it anywhere else: in the
registries, where a feature states itself in one line each, and in other code, which would have to
be changed by thought. Catalogues, documents, migrations and tests are left out, and so are lines of
comments and docstrings.
"""

import argparse
import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent

WORDS: Final = {
    "webhooks": r"webhook|Delivery\b|deliveries\b|courier",
    "signup": r"sign_?up|sign-up|SignUp|CashEntry",
    "live": r"tournaments\.live|\blive\.(queries|views|streams)",
}
"""What names a feature; of any other its own name does."""

REGISTRIES: Final = (
    "tournaments/api/",
    "tournaments/urls.py",
    "tournaments/settings.py",
    "tournaments/environment.py",
    "tournaments/celery.py",
    "tournaments/apps.py",
    "tournaments/models/__init__.py",
    "tournaments/core/errors.py",
    "tournaments/core/faults.py",
    "tournaments/core/jobs.py",
    "tournaments/core/permissions.py",
    "tournaments/core/templatetags.py",
    "tournaments/domain/feed.py",
    "tournaments/domain/personal_data.py",
    "tournaments/domain/rights.py",
    "tournaments/domain/signed_proof.py",
    "tournaments/domain/state/",
    "tournaments/domain/trail/rows.py",
    "tournaments/exchange/queries/exports.py",
    "pyproject.toml",
    "deploy/",
)
"""Files in which features are listed (docs/contributors/new-feature.md)."""

SEARCHED: Final = (".py", ".html", ".txt", ".js", ".css", ".toml", ".yml", ".yaml", ".service")


def own_files(feature: str) -> re.Pattern[str]:
    """Return the pattern of the paths that are a feature's own."""
    return re.compile(
        rf"(tournaments|templates)/{feature}/"
        rf"|tournaments/(models|domain)/{feature}\.py"
        rf"|tournaments/static/.*{feature}"
    )


def is_searched(path: str) -> bool:
    """Return whether lines of a file are counted."""
    return path.endswith(SEARCHED) and path.startswith(
        ("tournaments/", "templates/", "deploy/", "pyproject.toml", "baza_client/", "engine/")
    )


def told_lines(path: str, text: str) -> set[int]:
    """Return the lines of a Python file that are docstrings or comments."""
    if not path.endswith(".py"):
        return set()
    told = {n for n, line in enumerate(text.splitlines(), 1) if line.lstrip().startswith("#")}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            told |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return told


def lines_left(feature: str) -> Iterator[tuple[str, int, str]]:
    """Yield path, number and text of each line that names a feature outside its own files."""
    words = re.compile(WORDS.get(feature, re.escape(feature)), re.IGNORECASE)
    own = own_files(feature)
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, check=True)
    for path in listed.stdout.decode().splitlines():
        if own.match(path) or not is_searched(path) or re.search(r"/(migrations|locale)/", path):
            continue
        text = (ROOT / path).read_text(encoding="utf-8")
        told = told_lines(path, text)
        for number, line in enumerate(text.splitlines(), 1):
            if words.search(line) and number not in told:
                yield path, number, line.strip()


def main(arguments: list[str] | None = None) -> int:
    """Print the lines that are left, those of the registries last."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("feature", help="its folder in tournaments/")
    options = parser.parse_args(arguments)
    left = list(lines_left(options.feature))
    registered = [line for line in left if line[0].startswith(REGISTRIES)]
    others = [line for line in left if line not in registered]
    for title, lines in (("other code", others), ("registries", registered)):
        files = len({path for path, _, _ in lines})
        sys.stdout.write(f"{title}: {len(lines)} lines in {files} files\n")
        sys.stdout.writelines(f"  {path}:{number}: {text}\n" for path, number, text in lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())

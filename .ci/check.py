"""`./baza check` and `./baza fix`: every check that needs no test run, with its verdict and time.

All of them run, whatever fails; the exit code is 1 when any did.
"""

from __future__ import annotations

import argparse
import os
import secrets
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import polib

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from requirements.catalogues import compile_old  # noqa: E402

BIN = Path(sys.executable).parent
NOT_DONE = "not done"
OLD = "old"
PROGRAMS = (
    *("engine", "tournaments", "baza_client", "tools", "deploy", ".ci"),
    *("manage.py", "requirements/bootstrap.py"),
)
DEPLOYED = {
    "BAZA_PUBLIC_URL": "https://baza.example",
    "BAZA_SECRET_KEY": secrets.token_urlsafe(50),
    "BAZA_HSTS": "preload",
}


@dataclass(frozen=True)
class Step:
    """One check: its name and what answers with an exit code and what it has to say."""

    name: str
    run: Callable[[], tuple[int, str]]


def command(name: str, program: str, *arguments: str, **environment: str) -> Step:
    """Make a step of a program of the virtual environment."""

    def run() -> tuple[int, str]:
        answer = subprocess.run(
            [str(BIN / program), *arguments],
            check=False,
            cwd=ROOT,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return answer.returncode, answer.stdout

    return Step(name, run)


def catalogues() -> list[Path]:
    """Name the files of translations."""
    return sorted(ROOT.glob("*/locale/*/LC_MESSAGES/*.po"))


def check_translations() -> tuple[int, str]:
    """Refuse a message without its translation."""
    faults = []
    for path in catalogues():
        catalogue = polib.pofile(str(path))
        name = path.relative_to(ROOT)
        faults += [
            f"{name}:{entry.linenum}: no translation yet: {entry.msgid!r}"
            for entry in [*catalogue.untranslated_entries(), *catalogue.fuzzy_entries()]
        ]
    return int(bool(faults)), "\n".join(faults)


def compile_translations() -> tuple[int, str]:
    """Compile the catalogues whose text is newer."""
    compile_old(ROOT)
    return 0, ""


def audit_dependencies() -> tuple[int, str]:
    """Ask whether a pinned version has a known weakness. Where nobody answers, that is not known.

    Without the network that is no failure, and is said here and at the end of the run; what is
    known to be weak is a failure everywhere.
    """
    locks = [f"--requirement=requirements/{name}.txt" for name in ("base", "dev")]
    code, text = command("", "pip-audit", "--disable-pip", "--require-hashes", *locks).run()
    unknown = text.count("could not be audited")
    if code and "vulnerabilit" in text and "ServiceError" not in text:
        return code, text
    if not code and not unknown:
        return 0, ""
    return 0, f"{NOT_DONE}: nobody answers about {unknown or 'any'} of the pinned packages."


MAX_RECORDINGS = 20
MAX_BESIDE = 5


def count_recordings() -> tuple[int, str]:
    """Refuse a commit of many new recordings beside much else, which nobody reads."""
    answers = "tests/recording/answers/"
    log = subprocess.run(
        ["git", "log", "--no-merges", "--max-count=200", "--name-only", "--format=%x00%h %s"],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if log.returncode:
        return 0, f"{NOT_DONE}: this is no clone with commits."
    faults = []
    for commit in log.stdout.split("\0")[1:]:
        subject, *names = commit.split("\n")
        files = [name for name in names if name]
        recorded = sum(name.startswith(answers) for name in files)
        if recorded > MAX_RECORDINGS and len(files) - recorded > MAX_BESIDE:
            faults.append(f"{subject}: {recorded} recordings beside {len(files) - recorded} files")
    return int(bool(faults)), "\n".join(faults)


CHECKS = [
    command("format", "ruff", "format", "--check", "."),
    command("lint", "ruff", "check", "."),
    command("types", "mypy"),
    # What ruff's rules of the same names (S) leave out; each exception is beside its line.
    command("security", "bandit", "-q", "-ll", "-r", *PROGRAMS),
    Step("dependencies", audit_dependencies),
    command("imports", "lint-imports"),
    command("templates", "djlint", "--lint", "--quiet", "templates"),
    command("template format", "python", ".ci/check.py", "djade"),
    command("system", "python", "manage.py", "check", "--fail-level", "WARNING"),
    command(
        "deployment",
        *("python", "manage.py", "check", "--deploy", "--fail-level", "WARNING"),
        **DEPLOYED,
    ),
    command("migrations", "python", "manage.py", "makemigrations", "--check", "--dry-run"),
    Step("translations", check_translations),
    Step("recordings", count_recordings),
    command("API", "python", "-m", "tests.api.changes"),
    command("pictures", "python", "-m", "tools.pictures"),
    command("docs", "python", "-m", "pytest", "-q", "-p", "no:randomly", "tests/docs"),
]
FIXES = [
    command("format", "ruff", "format", "."),
    command("lint", "ruff", "check", "--fix", "."),
    command("template format", "python", ".ci/check.py", "djade", "--write"),
    Step("translations", compile_translations),
    # After the translations, whose words the descriptions of the document are made of.
    command(
        "API",
        *("python", "manage.py", "spectacular", "--lang", "en", "--format", "openapi-json"),
        *("--file", "docs/openapi.json"),
    ),
]


def run_all(steps: list[Step]) -> int:
    """Run every step and print its verdict; what it said follows when it failed."""
    failed, left_out = [], []
    for step in steps:
        print(f"{step.name:<16} ", end="", flush=True)
        began = time.monotonic()
        code, text = step.run()
        seconds = time.monotonic() - began
        is_left_out = not code and text.startswith(NOT_DONE)
        is_old = not code and text.startswith(OLD)
        verdict = "failed" if code else NOT_DONE if is_left_out else OLD if is_old else "ok"
        print(f"{verdict:<8} {seconds:6.1f} s", flush=True)
        if code:
            failed.append(step.name)
        elif is_left_out:
            left_out.append(step.name)
        if code or is_left_out or is_old:
            print(text.rstrip(), flush=True)
    completed = len(steps) - len(left_out)
    print(f"\nFailed: {', '.join(failed)}." if failed else f"\nAll {completed} are in order.")
    if left_out:
        print(f"Not done: {', '.join(left_out)}.")
    return int(bool(failed))


def format_templates(*, write: bool) -> int:
    """Let djade put Django's template tags into their usual form, or say where they are not."""
    files = [str(path) for path in sorted((ROOT / "templates").rglob("*.html"))]
    options = ["--target-version", "5.2", *([] if write else ["--check"])]
    if not files:
        return 0
    code = subprocess.run([str(BIN / "djade"), *options, *files], check=False).returncode
    return 0 if write else code


def main() -> int:
    """Read which of the two is wanted."""
    parser = argparse.ArgumentParser(prog="baza", description=__doc__)
    parser.add_argument("what", choices=["check", "fix", "djade"])
    parser.add_argument("--write", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.what == "djade":
        return format_templates(write=arguments.write)
    return run_all(CHECKS if arguments.what == "check" else FIXES)


if __name__ == "__main__":
    sys.exit(main())

"""Make or refresh `.venv`: called by the runner `baza` before everything else.

Standard library only, because it runs before anything is installed. Usage::

    python3 requirements/bootstrap.py base    # what the service needs
    python3 requirements/bootstrap.py dev     # the same, and what tests and checks need

A stamp inside `.venv` holds the hash of what it was made from: a second run only reads files.
It speaks on standard error, so that a command's own output stays clean. Every failure ends with one
line there and exit code 1.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOCKS = {"base": ("base",), "dev": ("base", "dev")}
LAYOUT = 2  # raised when this program lays .venv out differently
# The locks name every package, so nothing is resolved: pip 23.2 asks for the newest
# `coverage[toml]` where the lock has `coverage==…`, and fails on the day a newer one is out.
INSTALLER_FLAGS = ("--no-deps", "--require-hashes", "--only-binary", ":all:")

# `/bin/sh` starts it, so a path that is long or holds a space works too.
COMMAND = """\
#!/bin/sh
'''exec' "{python}" "$0" "$@"
' '''
import sys

from tournaments.cli import main

sys.exit(main())
"""


class SetupError(Exception):
    """The environment cannot be made; the text is the one line the user reads."""


def main(arguments: list[str]) -> int:
    """Prepare the environment named by the only argument: 0 is ready, 1 failed, 2 bad usage."""
    if len(arguments) != 1 or arguments[0] not in LOCKS:
        print("usage: bootstrap.py base|dev", file=sys.stderr)
        return 2
    level = arguments[0]
    sys.path.insert(0, str(ROOT))  # -I leaves it out
    from requirements.catalogues import compile_old

    compile_old(ROOT)
    try:
        if not is_ready(level):
            with only_one():
                if not is_ready(level):  # another one may have made it while we waited
                    prepare(level)
    except SetupError as error:
        print(f"baza: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nbaza: stopped; the next run carries on from here.", file=sys.stderr)
        return 130
    return 0


def lock_file(name: str) -> Path:
    return ROOT / "requirements" / f"{name}.txt"


def fingerprint(name: str) -> str:
    """Say what an installed lock came from: its text, our layout, place and interpreter."""
    digest = hashlib.sha256()
    digest.update(lock_file(name).read_bytes())
    digest.update(f"{LAYOUT}\n{ROOT}\n{base_interpreter()}\n{sys.version_info[:2]}".encode())
    return digest.hexdigest()


def stamp_file(name: str) -> Path:
    return VENV / f"baza-{name}.stamp"


def is_installed(name: str) -> bool:
    try:
        return stamp_file(name).read_text() == fingerprint(name)
    except OSError:
        return False


def is_ready(level: str) -> bool:
    return PYTHON.exists() and all(is_installed(name) for name in LOCKS[level])


@contextlib.contextmanager
def only_one() -> Iterator[None]:
    """Hold a lock on the folder of requirements: two runs never install into one another."""
    folder = os.open(ROOT / "requirements", os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Waiting for another run that is preparing .venv …")
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def prepare(level: str) -> None:
    installers = find_installers()
    if not is_installed("base"):
        make_venv()
    for name in LOCKS[level]:
        if not is_installed(name):
            install(name, installers)
            if name == "base":
                link_project()
            stamp_file(name).write_text(fingerprint(name))


def base_interpreter() -> str:
    """Return the interpreter behind a virtual environment, or this one when there is none."""
    return os.path.realpath(getattr(sys, "_base_executable", sys.executable))


def find_installers() -> list[list[str]]:
    """Name what can install into `.venv`, the quickest first: uv, then a pip."""
    found = []
    uv = shutil.which("uv")
    if uv:
        found.append([uv, "pip", "install", "--python", str(PYTHON)])
    python = base_interpreter()
    if has_pip(python):
        found.append([python, "-m", "pip", "--python", str(PYTHON), "install"])
    elif importlib.util.find_spec("ensurepip"):
        found.append([str(PYTHON), "-m", "pip", "install"])
    if not found:
        raise SetupError(
            "this Python has no pip. On Debian and Ubuntu install it with: apt install python3-venv"
        )
    return found


def has_pip(python: str) -> bool:
    """Tell whether `python -m pip --python` works: pip 22.3 or later."""
    answer = subprocess.run(
        [python, "-m", "pip", "--version"], capture_output=True, text=True, check=False
    )
    version = re.match(r"pip (\d+)\.(\d+)", answer.stdout)
    return version is not None and (int(version[1]), int(version[2])) >= (22, 3)


def make_venv() -> None:
    say("Making the virtual environment .venv …")
    python = base_interpreter()
    command = [python, "-m", "venv", "--clear", str(VENV)]
    if has_pip(python) or not importlib.util.find_spec("ensurepip"):
        command.append("--without-pip")  # a pip of its own would take seconds
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode:
        reason = last_line(answer.stderr or answer.stdout)
        raise SetupError(f"cannot make .venv with {python}: {reason}")


def install(name: str, installers: list[list[str]]) -> None:
    """Install one lock, hashes checked, wheels only, with the packages counted as they come."""
    lock = lock_file(name)
    total = len(re.findall(r"^[a-z0-9].*==", lock.read_text(), flags=re.MULTILINE))
    what = {"base": "what the service needs", "dev": "what tests and checks need"}[name]
    say(f"Installing {what}: up to {total} packages, once …")
    for number, installer in enumerate(installers, 1):
        try:
            run_with_progress([*installer, *flags_for(installer), "-r", str(lock)], total)
        except SetupError as error:
            if number == len(installers):
                raise
            say(f"  {Path(installer[0]).name}: {error} Trying pip …")
        else:
            return


def flags_for(installer: list[str]) -> tuple[str, ...]:
    """Return the options; bytecode is made on first import, which for most modules never comes."""
    if Path(installer[0]).name == "uv":
        return INSTALLER_FLAGS
    return (*INSTALLER_FLAGS, "--no-compile", "--no-input", "--progress-bar", "off")


def run_with_progress(command: list[str], total: int) -> None:
    lines: list[str] = []
    count = 0
    environment = {
        **os.environ,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_ROOT_USER_ACTION": "ignore",
    }
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line.rstrip())
            if line.startswith("Collecting "):
                count += 1
                show_count(count, total, line.split()[1].split("==")[0])
            elif line.startswith("Installing collected"):
                say("  unpacking …")
    if process.returncode:
        raise SetupError(explain(lines))


def show_count(count: int, total: int, package: str) -> None:
    if sys.stderr.isatty():
        end = "\n" if count == total else ""
        print(f"\r\033[K  {count}/{total} {package}", end=end, file=sys.stderr, flush=True)
    elif count % 10 == 0 or count == total:
        say(f"  {count}/{total}")


def explain(lines: list[str]) -> str:
    """Turn an installer's output into one line that says what to do."""
    text = "\n".join(lines)
    if re.search(r"hash(es)? (mismatch|do not match)|DO NOT MATCH THE HASHES", text, re.IGNORECASE):
        return f"a downloaded package is not the one that was pinned: {last_error(lines)}"
    if re.search(
        r"NewConnectionError|Temporary failure in name resolution|Connection refused|dns error"
        r"|Failed to fetch|ConnectTimeout|Read timed out|ProxyError|Network is unreachable"
        r"|\(from versions: none\)|SSLError|CERTIFICATE_VERIFY_FAILED|client error \(Connect\)",
        text,
    ):
        return "cannot reach the package index: the first run needs the network."
    if "No space left on device" in text:
        return "the disk is full."
    return f"installing failed: {last_error(lines)}"


def last_error(lines: list[str]) -> str:
    errors = [line for line in lines if re.match(r"\s*(ERROR|error|×)", line)]
    return (errors or lines or ["no output"])[-1].strip()


def last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no reason given"])[-1]


def link_project() -> None:
    """Make the project importable and the command `baza` present, without building anything."""
    site_packages = (
        VENV / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    )
    (site_packages / "baza.pth").write_text(f"{ROOT}\n")
    script = VENV / "bin" / "baza"
    script.write_text(COMMAND.format(python=PYTHON))
    script.chmod(0o755)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

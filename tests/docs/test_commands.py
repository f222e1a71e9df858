"""Every command of the runbook and of "Running it" is there, and takes the words it is given."""

from __future__ import annotations

import importlib.util
import re
import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, get_commands, load_command_class

from tournaments.environment import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGES = ("docs/operators/runbook.md", "docs/operators/running.md", "deploy/README.md")
CODE = re.compile(r"^```sh\n(.*?)^```|`([^`\n]+)`", re.MULTILINE | re.DOTALL)
UNITS = {path.name for path in (ROOT / "deploy/systemd").iterdir()}
OF_THE_MACHINE = {
    "apt",
    "caddy",
    "cd",
    "celery",
    "cp",
    "docker",
    "git",
    "grep",
    "install",
    "journalctl",
    "jq",
    *(
        "nginx",
        "nice",
        "openssl",
        "pg_dump",
        "printf",
        "py-spy",
        "python3",
        "redis-cli",
        "ssh-keygen",
    ),
    "sysctl",
    "systemd-analyze",
    "useradd",
    "usermod",
    "vmstat",
}
"""Programs that are not ours: that a line of them can be read by a shell is all that is asked."""

OURS = {"baza-run", "./baza", "manage.py", "python", ".venv/bin/python", "systemctl"}


def commands(page: str) -> Iterator[list[str]]:
    """Yield the commands of a page in words: blocks for a shell, and code that begins like one."""
    for block, inline in CODE.findall((ROOT / page).read_text(encoding="utf-8")):
        for line in (block or inline).splitlines():
            words = shlex.split(line.replace("\\|", "|"), comments=True)
            if block or (words and words[0] in OURS | OF_THE_MACHINE | {"sudo"}):
                yield from parts(words)


def parts(words: list[str]) -> Iterator[list[str]]:
    """Yield the commands of a line, without what runs them as another user."""
    part: list[str] = []
    for word in [*words, "&&"]:
        if word not in {"&&", "|", ";"}:
            part.append(word)
            continue
        while part and (part[0] == "sudo" or re.fullmatch(r"[A-Z_]+=\S*", part[0])):
            part = part[1:]
        if len(part) > 1:
            yield part
        part = []


ALL = sorted({(page, shlex.join(words)) for page in PAGES for words in commands(page)})


def test_the_pages_have_commands() -> None:
    assert {page for page, _ in ALL} == set(PAGES)
    text = "\n".join(line for _, line in ALL)
    for command in ("baza-run manage.py audit_verify", "systemctl restart baza-prepare"):
        assert command in text


@pytest.mark.parametrize(("page", "line"), ALL)
def test_a_command_of_a_page_is_there_and_takes_its_words(page: str, line: str) -> None:
    program, *words = shlex.split(line)
    if program == "systemctl":
        assert_units_are_there(words)
    elif program in {"baza-run", "python", ".venv/bin/python"}:
        assert_program_is_there(words)
    elif program == "manage.py":
        assert_management_command_takes(words)
    elif program == "./baza":
        verbs = re.findall(r"^    ([a-z| ]+)\)$", (ROOT / "baza").read_text(), re.MULTILINE)
        assert words[0] in {verb.strip() for verbs_ in verbs for verb in verbs_.split("|")}, line
    else:
        assert program in OF_THE_MACHINE, line
        assert_files_are_there(words)


def assert_units_are_there(words: list[str]) -> None:
    """Ours are in `deploy/systemd`; Caddy, nginx and pgbouncer are Debian's."""
    verb, *units = [word for word in words if not word.startswith("--")]
    verbs = {"status", "restart", "reload", "start", "stop", "enable", "daemon-reload"}
    assert verb in verbs
    for unit in units:
        assert {unit, f"{unit}.service"} & UNITS or unit in {"caddy", "nginx", "pgbouncer"}, unit


def assert_program_is_there(words: list[str]) -> None:
    """A module after `-m`, else a file of the repository."""
    if words[0] == "-m":
        assert importlib.util.find_spec(words[1]) is not None
    else:
        assert (ROOT / words[0]).is_file(), words[0]
    if words[0] == "manage.py":
        assert_management_command_takes(words[1:])


def assert_management_command_takes(words: list[str]) -> None:
    """Its parser does: words in capitals stand for what is given, a round is a number."""
    name, *arguments = ["1" if word == "ROUND" else word for word in words]
    parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
    for alternative in alternatives(arguments):
        try:
            parser.parse_args(alternative)
        except CommandError as error:
            raise AssertionError(f"{name} {alternative}: {error}") from error


def alternatives(words: list[str]) -> Iterator[list[str]]:
    """Yield what `[--option]` and `this|that` stand for."""
    text = " ".join(words)
    for whole in (re.sub(r"\[[^]]*\]", "", text), re.sub(r"[\[\]]", "", text)):
        choice = re.search(r"\S+\|\S+", whole)
        if choice is None:
            yield shlex.split(whole)
            continue
        for word in choice[0].split("|"):
            yield shlex.split(whole.replace(choice[0], word))


def assert_files_are_there(words: list[str]) -> None:
    """What a command names under our own folders is in the repository."""
    for word in words:
        path = word.removeprefix("/opt/baza/").replace("*", "")
        if path.startswith(("deploy/", "requirements/")):
            is_installed = path in {"deploy/baza.env", "deploy/.env"}
            assert is_installed or (ROOT / path).exists(), word


def test_what_runs_programs_of_the_service_gives_them_what_the_units_give() -> None:
    """The same user, folder and variables; the shell can read it."""
    script = ROOT / "deploy/baza-run"
    subprocess.run(["sh", "-n", script], check=True)
    text = script.read_text(encoding="utf-8")
    unit = (ROOT / "deploy/systemd/baza-worker.service").read_text(encoding="utf-8")
    for key in ("EnvironmentFile", "UMask"):
        value = re.search(rf"^{key}=(.*)$", unit, re.MULTILINE)
        assert value
        assert f"--property={key}={value[1]}" in text
    assert "--working-directory=/opt/baza" in text
    assert "--uid=baza --gid=baza" in text
    environment = re.search(r"^Environment=(.*)$", unit, re.MULTILINE)
    assert environment
    for name in ("BAZA_VAR", "XDG_CACHE_HOME"):
        (assignment,) = (word for word in environment[1].split() if word.startswith(f"{name}="))
        assert f"--setenv={assignment}" in text

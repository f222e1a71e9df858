"""Every example with curl in the documents is run against the service, and answers as is shown."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command

from tests.docs.documents import documents
from tests.served import WebServer
from tournaments.environment import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django.fixtures import Settings

BLOCK = re.compile(r"^```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
ADDRESS = "http://127.0.0.1:8000"
END = "\x1e"  # printed after each command: what no answer has in it
ANYTHING = "…"


@dataclass(frozen=True)
class Example:
    """A command of a document, and what it is said to answer; nothing where it says nothing."""

    command: str
    shown: str


def examples(document: Path) -> Iterator[Example]:
    """Yield the commands of a document's blocks in which there is any of curl's."""
    for block in BLOCK.finditer(document.read_text(encoding="utf-8")):
        if "curl " in block["text"] and block["kind"] == "console":
            yield from console_examples(block["text"])
        elif "curl " in block["text"] and block["kind"] == "sh":
            yield Example(block["text"], "")


def console_examples(text: str) -> Iterator[Example]:
    """Yield the commands of a console: a line after `$`, those it goes on in, and the answer."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        count = next(n for n, line in enumerate(lines, 1) if not line.endswith("\\"))
        yield Example("\n".join(lines[:count]), "\n".join(lines[count:]))


WITH_CURL = [document for document in documents() if list(examples(document))]


@pytest.fixture
def demo(
    child_environment: dict[str, str], settings: Settings, tmp_path: Path
) -> Iterator[tuple[Path, WebServer]]:
    """The demo club, served, and a folder from which the project is seen as from its root."""
    place = tmp_path / "project"
    (place / "var").mkdir(parents=True)
    settings.VAR = place / "var"
    call_command("demo", no_bots=True, stdout=StringIO())
    for name in ("manage.py", "tournaments"):
        (place / name).symlink_to(ROOT / name)
    with WebServer(child_environment, tmp_path / "granian.log") as service:
        yield place, service


@pytest.mark.slow
@pytest.mark.parametrize("document", WITH_CURL, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_example_with_curl_answers_as_is_shown(
    document: Path, demo: tuple[Path, WebServer]
) -> None:
    place, server = demo
    steps = list(examples(document))
    script = "\n".join(f"{step.command}\nprintf '{END}'" for step in steps)
    script = script.replace(ADDRESS, server.url).replace(".venv/bin/python", sys.executable)
    process = subprocess.run(
        ["/bin/bash", "-u", "-c", script],
        cwd=place,
        env=server.environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert not process.stderr
    answers = process.stdout.replace(server.url, ADDRESS).split(END)
    assert len(answers) == len(steps) + 1
    wrong = [
        (example.command, differs, response[:2000])
        for example, response in zip(steps, answers, strict=False)
        if (differs := list(differences(example.shown, response)))
    ]
    assert not wrong, "\n".join(map(str, wrong))


def differences(expected: str, answer: str) -> Iterator[str]:
    """Yield where an answer is not what is shown; where nothing is, it must be no refusal."""
    if not expected:
        if "/problems/#" in answer:
            yield "it was refused"
        return
    if expected.startswith("{"):
        yield from unlike(json.loads(expected), json.loads(answer), "")
        return
    lines, others = expected.splitlines(), answer.splitlines()
    if len(lines) != len(others) or not all(map(fits, lines, others)):
        yield f"not {expected!r}"


def unlike(expected: Any, value: Any, place: str) -> Iterator[str]:
    """Yield where a value is not the one shown; `…` stands for anything, and for the rest."""
    if expected == ANYTHING:
        return
    if isinstance(expected, dict) and isinstance(value, dict):
        fields = expected.keys() - {ANYTHING}
        if not fields <= value.keys() or (ANYTHING not in expected and fields != value.keys()):
            yield f"{place}: has {', '.join(value)}"
            return
        for name in sorted(fields):
            yield from unlike(expected[name], value[name], f"{place}/{name}")
    elif isinstance(expected, list) and isinstance(value, list):
        first = expected[:-1] if expected[-1:] == [ANYTHING] else expected
        if len(value) < len(first) or (first is expected and len(value) != len(first)):
            yield f"{place}: has {len(value)}"
            return
        for number, item in enumerate(first):
            yield from unlike(item, value[number], f"{place}/{number}")
    elif not (fits(expected, value) if isinstance(expected, str) else expected == value):
        yield f"{place}: is {value!r}"


def fits(expected: str, value: object) -> bool:
    """Return whether a text is the one shown, where `…` may be any part of it."""
    pattern = ".*".join(map(re.escape, expected.split(ANYTHING)))
    return isinstance(value, str) and re.fullmatch(pattern, value, re.DOTALL) is not None


def test_the_documents_show_curl() -> None:
    assert {path.name for path in WITH_CURL} >= {"README.md", "api.md", "api-tour.md"}


def test_a_command_goes_on_and_its_answer_follows() -> None:
    assert list(console_examples("$ one \\\n  two\n$ three\n{}\n")) == [
        Example("one \\\n  two", ""),
        Example("three", "{}"),
    ]


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        ('{"a": 1}', '{"a": 2}'),
        ('{"a": 1}', '{"a": 1, "b": 2}'),
        ('{"a": 1, "…": "…"}', '{"b": 2}'),
        ('{"a": [1]}', '{"a": [1, 2]}'),
        ('{"a": [1, 2, "…"]}', '{"a": [1]}'),
        ('{"a": "x…z"}', '{"a": "xy"}'),
        ("304", "200"),
        ("", '{"type": "http://127.0.0.1/api/v1/problems/#not_found"}'),
    ],
)
def test_an_answer_that_is_another_is_found(expected: str, answer: str) -> None:
    assert list(differences(expected, answer))
    assert not list(differences("", "{}"))
    assert not list(differences('{"a": ["…"], "…": "…"}', '{"a": [1, 2], "b": 3}'))

"""The examples of the documents are run, and must print what they show.

A fenced block of language `console` counts when its commands start with `./baza` or `baza`, or end
in a pipe to one of them, and none is a word of the runner itself (`up`, `test` and so on, which
other tests run). A line `…` in the shown output stands for any lines. A block right below the
comment `<!-- not run -->` is left out.
"""

import os
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.docs.documents import documents
from tournaments.environment import ROOT

FENCE = re.compile(
    r"(?P<mark><!-- not run -->\n+)?^```console\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)
BAZA = r"(?:\./)?baza"
OWN_WORDS = frozenset({"up", "test", "check", "fix", "bench", "drill"})
ANY_LINES = "…"


class Example(NamedTuple):
    """One command and what the document says it prints."""

    place: str
    command: str
    output: str


def examples(document: Path, programs: str = BAZA) -> list[Example]:
    """Return the examples of a document that are to be run: those that call these programs."""
    call = re.compile(rf"(?:^|\| *)(?:{programs}) +(?P<word>\S+)")
    text = document.read_text(encoding="utf-8")
    blocks = []
    for fence in FENCE.finditer(text):
        line = text.count("\n", 0, fence.start("body"))
        steps = re.split(r"^\$ ", fence["body"], flags=re.MULTILINE)[1:]
        calls = [call.search(step.partition("\n")[0]) for step in steps]
        words = {found_call["word"] for found_call in calls if found_call}
        if fence["mark"] or None in calls or not words or words & OWN_WORDS:
            continue
        for step in steps:
            command, _, output = step.partition("\n")
            while output.startswith("> "):
                more, _, output = output[2:].partition("\n")
                command += "\n" + more
            blocks.append(Example(f"{document.relative_to(ROOT)}:{line}", command, output))
    return blocks


EXAMPLES = [example for document in documents() for example in examples(document)]


def matches(expected: str, printed: str) -> bool:
    """Compare line by line, `…` standing for any lines."""
    if not expected:
        return not printed
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == ANY_LINES else re.escape(line.rstrip()) + r" *\n"
        for line in expected.rstrip("\n").splitlines()
    )
    return re.fullmatch(pattern, printed if printed.endswith("\n") else printed + "\n") is not None


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.place)
def test_an_example_prints_what_its_document_shows(example: Example) -> None:
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    answer = subprocess.run(
        ["sh", "-c", example.command],
        cwd=ROOT,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=120,
    )
    if not matches(example.output, answer.stdout):
        pytest.fail(
            f"{example.place}: $ {example.command}\n"
            f"--- shown\n{example.output}\n--- printed\n{answer.stdout}",
            pytrace=False,
        )


def test_an_ellipsis_stands_for_any_lines() -> None:
    assert matches("a\n…\nd\n", "a\nb\nc\nd\n")
    assert matches("a\n…\n", "a\n")
    assert not matches("a\n…\nd\n", "a\nb\nc\n")
    assert not matches("a\n", "a\nb\n")

"""Putting one section into docs/performance.md, whoever wrote the others."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.sections import Section

DOCUMENT = Path(__file__).parents[1] / "docs" / "performance.md"
ELSEWHERE = ("Championship day", "Championship day, embedded", "Growth")
"""Sections that `./baza bench --write` leaves as they are."""


def write_section(section: Section, *, write: bool) -> str:
    """Return a section as Markdown, and with ``write`` put it in place of the one before."""
    from benchmarks.__main__ import part

    text = part(section)
    if write:
        whole = DOCUMENT.read_text(encoding="utf-8")
        DOCUMENT.write_text(placed(whole, section.title, text), encoding="utf-8")
    return text


def placed(document: str, title: str, text: str) -> str:
    """Return the document with the text in place of its section of that title, or at its end."""
    old = re.compile(heading(title), re.DOTALL | re.MULTILINE)
    if old.search(document):
        return old.sub(lambda _: f"{text}\n", document).rstrip("\n") + "\n"
    return f"{document.rstrip()}\n\n{text}"


def keeping(new: str, old: str) -> str:
    """Return the new document with those sections of the old that commands of their own write."""
    for title in ELSEWHERE:
        if found := re.search(heading(title), old, re.DOTALL | re.MULTILINE):
            new = placed(new, title, found[0].rstrip("\n") + "\n")
    return new


def heading(title: str) -> str:
    """Return the pattern of a section, from its heading to the next."""
    return rf"^## {re.escape(title)}\n.*?(?=^## |\Z)"

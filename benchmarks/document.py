"""Puts measured figures into the tables of docs/operators/performance.md."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.sections import in_columns, without_verdicts

if TYPE_CHECKING:
    from benchmarks.sections import Section

DOCUMENT = Path(__file__).parents[1] / "docs" / "operators" / "performance.md"


def write_section(section: Section, *, write: bool) -> str:
    """Return a section as Markdown, and with ``write`` put its figures into the document."""
    if write:
        whole = DOCUMENT.read_text(encoding="utf-8")
        DOCUMENT.write_text(refreshed(whole, section), encoding="utf-8")
    return f"## {section.title}\n\n{in_columns(section.rows)}\n\n{section.notes}\n"


def refreshed(document: str, section: Section) -> str:
    """Return the document with the figures of a section in the table that it has of it.

    The document says which sections, rows and columns are worth reading, and explains them: a row
    is found by its first cell, a column by its heading, and what was not measured stays.
    """
    heading = rf"^#+ {re.escape(section.title)}\n(?:(?!#|\|).*\n)*"
    pattern_match = re.search(rf"{heading}((?:\|.*\n)+)", document, re.MULTILINE)
    if pattern_match is None:
        return document
    head, *measured = without_verdicts(section.rows)
    figures = {_name(row[0]): dict(zip(head, row, strict=True)) for row in measured}
    lines = [line.strip("|").split("|") for line in pattern_match[1].splitlines()]
    columns, _rule, *rows = [[cell.strip() for cell in line] for line in lines]
    table = in_columns(
        [
            columns,
            *(
                [
                    figures.get(_name(row[0]), {}).get(column, cell)
                    for column, cell in zip(columns, row, strict=True)
                ]
                for row in rows
            ),
        ]
    )
    return f"{document[: pattern_match.start(1)]}{table}\n{document[pattern_match.end(1) :]}"


def _name(cell: str) -> str:
    """Return the first cell of a row without the version of a peer."""
    return re.sub(r" [0-9]+(\.[0-9]+)+$", "", cell)

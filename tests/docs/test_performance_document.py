"""Measured figures go into the tables of docs/operators/performance.md; the rest of it stays."""

from benchmarks.document import DOCUMENT, refreshed
from benchmarks.sections import Section

PAGE = """# Performance

Text above.

| measured  | figure | aim |
| --------- | ------ | --- |
| one thing | 1 ms   | 9   |
| by hand   | 2 ms   |     |

Notes below.

## Beside others

| peer       | moves/s |
| ---------- | ------- |
| Peer 1.2.0 | 10      |
"""


def test_a_table_takes_the_rows_and_columns_that_it_has() -> None:
    rows = [
        ["measured", "figure", "records/s", "aim", "met"],
        ["one thing", "3 ms", "7", "2", "no"],
        ["another", "4 ms", "7", "2", "yes"],
    ]
    page = refreshed(PAGE, Section("Performance", rows, "Other notes."))
    assert "| one thing | 3 ms   | 2, **missed** |\n| by hand   | 2 ms   |               |" in page
    assert page.count("Notes below.") == 1
    assert "another" not in page + refreshed(PAGE, Section("Growth", rows, ""))
    assert page.partition("## ")[2] == PAGE.partition("## ")[2]


def test_a_later_version_of_a_peer_is_the_same_row() -> None:
    rows = [["peer", "games/s", "moves/s"], ["Peer 1.10.1", "5", "20"]]
    assert "| Peer 1.10.1 | 20      |" in refreshed(PAGE, Section("Beside others", rows, ""))


def test_the_page_is_written_as_it_is_where_nothing_was_measured() -> None:
    page = DOCUMENT.read_text(encoding="utf-8")
    for heading in [line for line in page.splitlines() if line.startswith("#")]:
        nothing = Section(heading.lstrip("# "), [["measured", "aim", "met"]], "")
        assert refreshed(page, nothing) == page

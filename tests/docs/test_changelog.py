"""The changelog is short, grouped, and of the version that the program names."""

import re

from tests.releases.released import RELEASES
from tournaments.domain.proof import PROGRAM
from tournaments.environment import ROOT

TEXT = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
GROUPS = ["Added", "Changed", "Fixed", "For operators"]
READERS = ["Clubs", "Players and spectators", "Authors of bots", "Programs", "Operators"]
"""The groups of a release's notes."""
MOST_UNRELEASED = 60  # beyond it, entries of one matter become one
MOST_OF_A_RELEASE = 60
LONGEST = 200


def entries(section: str) -> list[str]:
    """Return the lines of a section that are no headings."""
    return [line for line in section.splitlines() if line and not line.startswith("### ")]


def test_it_has_what_is_unreleased_and_the_last_release() -> None:
    unreleased, release = SECTIONS
    assert unreleased == "Unreleased"
    last, _, date = release.partition(", ")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", date)
    version, _, development = PROGRAM.removeprefix("baza ").partition(".dev")
    if development:
        assert parts(version) > parts(last)
    else:
        assert version == last
        assert entries(SECTIONS["Unreleased"]) == []


def parts(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def test_every_section_is_grouped_and_short() -> None:
    headings = [re.findall(r"^### (.+)$", text, re.MULTILINE) for text in SECTIONS.values()]
    assert headings[0] == GROUPS
    assert headings[1] == READERS
    unreleased, release = map(entries, SECTIONS.values())
    assert len(unreleased) <= MOST_UNRELEASED
    assert len(release) <= MOST_OF_A_RELEASE


def test_an_entry_is_one_line_and_said_once() -> None:
    lines = [line for section in SECTIONS.values() for line in entries(section)]
    assert [line for line in lines if not line.startswith("- ") or len(line) > LONGEST] == []
    assert len(lines) == len(set(lines))


def test_earlier_releases_have_pages() -> None:
    for release in RELEASES[:-1]:
        assert f"[{release.version}](docs/releases/{release.version}.md)" in TEXT

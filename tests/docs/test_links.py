"""Every relative link of a document leads somewhere, and every anchor to a heading."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.docs.documents import documents
from tournaments.environment import ROOT

CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(
    r"\]\((?P<target>[^)\s]+)(?:\s+\"[^\"]*\")?\)|<(?:img|a)\s[^>]*?(?:src|href)=\"(?P<attribute>[^\"]+)\""
)
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)


def anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as forges make them."""
    text = document.read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    ids: set[str] = set()
    for heading in HEADING.findall(text):
        words = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)).lower()
        anchor = name = words.replace(" ", "-")
        count = 0
        while anchor in ids:
            count += 1
            anchor = f"{name}-{count}"
        ids.add(anchor)
    return ids


def broken_links(document: Path, root: Path = ROOT) -> list[str]:
    """Name the links of a document that lead nowhere."""
    text = CODE.sub("", document.read_text(encoding="utf-8"))
    broken = []
    for link in LINK.finditer(text):
        target = link["target"] or link["attribute"]
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = unquote(target).partition("#")
        place = (document.parent / name).resolve() if name else document
        is_there = place.exists() and place.is_relative_to(root)
        if not is_there or (anchor and place.suffix == ".md" and anchor not in anchors(place)):
            broken.append(target)
    return broken


@pytest.mark.parametrize("document", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(document: Path) -> None:
    assert broken_links(document) == []


def test_a_link_to_nowhere_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One two\n[a](#one-two) [b](#three) [c](gone.md) [d](https://example.org)\n")
    assert broken_links(page, tmp_path) == ["#three", "gone.md"]

"""The pictures of the documents say when they are older than the style sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.pictures import age, digest_of_styles, note_digest

if TYPE_CHECKING:
    from pathlib import Path


def test_pictures_are_old_once_a_style_sheet_has_changed(tmp_path: Path) -> None:
    note = tmp_path / "styles.sha256"
    assert age(note).startswith("old")
    note_digest(note)
    assert not age(note).startswith("old")
    note.write_text("0" * 64, encoding="utf-8")
    assert age(note).startswith("old")


def test_the_digest_is_of_names_and_texts(tmp_path: Path) -> None:
    sheet = tmp_path / "one.css"
    sheet.write_text("p { margin: 0; }", encoding="utf-8")
    first = digest_of_styles(tmp_path)
    sheet.write_text("p { margin: 1em; }", encoding="utf-8")
    second = digest_of_styles(tmp_path)
    sheet.rename(tmp_path / "two.css")
    assert len({first, second, digest_of_styles(tmp_path)}) == 3

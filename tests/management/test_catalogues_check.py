"""`manage.py check` fails where pages would lack words: a catalogue that is not compiled."""

import os
from pathlib import Path

import pytest

from tournaments import apps


def test_a_missing_and_an_older_compiled_catalogue_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apps, "ROOT", tmp_path)
    for language in ("de", "en", "es"):
        folder = tmp_path / "engine" / "locale" / language / "LC_MESSAGES"
        folder.mkdir(parents=True)
        (folder / "engine.po").touch()
    (tmp_path / "engine/locale/en/LC_MESSAGES/engine.mo").touch()
    os.utime(tmp_path / "engine/locale/en/LC_MESSAGES/engine.mo", (0, 0))
    (tmp_path / "engine/locale/es/LC_MESSAGES/engine.mo").touch()
    assert [error.msg for error in apps.check_catalogues(None)] == [
        f"engine/locale/{language}/LC_MESSAGES/engine.po is not compiled, or newer"
        for language in ("de", "en")
    ]

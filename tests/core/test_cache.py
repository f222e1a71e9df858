"""What is cached belongs to one release."""

from pathlib import Path

import pytest
from django.conf import settings

from tournaments.core.cache import code_digest, get_cached, set_cached


def test_what_another_release_cached_is_not_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    set_cached("row", 40)
    assert get_cached("row") == 40
    monkeypatch.setattr(settings, "BASE_DIR", tmp_path)
    assert get_cached("row") is None


def test_a_changed_program_template_or_message_makes_another_release(tmp_path: Path) -> None:
    digests = {code_digest(tmp_path)}
    for name in ("engine/rules.py", "templates/page.html", "tournaments/django.mo"):
        tmp_path.joinpath(name).parent.mkdir()
        tmp_path.joinpath(name).write_text("forty")
        code_digest.cache_clear()
        digests.add(code_digest(tmp_path))
    assert len(digests) == 4

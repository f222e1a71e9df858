"""Where the code surprises, a comment or docstring says why."""

from tools.surprises import surprises

SILENT: int = 14
"""Functions with many branches and no reason; fewer as they are read, never more."""


def test_each_lock_cursor_and_retry_is_answered_and_the_list_does_not_grow() -> None:
    silent = [one for one in surprises() if not one.is_answered]
    assert [one for one in silent if one.kind != "branches"] == []
    assert len(silent) <= SILENT, silent

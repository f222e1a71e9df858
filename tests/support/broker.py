"""Messages to workers, recorded in place of a broker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.celery import app

if TYPE_CHECKING:
    from collections.abc import Collection

    import pytest

Messages = list[tuple[str, tuple[int, ...]]]
"""Names of tasks with their arguments."""


def record_messages(monkeypatch: pytest.MonkeyPatch, ignored: Collection[str] = ()) -> Messages:
    """Record messages at once, without waiting for the end of the transaction."""
    messages: Messages = []

    def note(name: str, args: tuple[int, ...] = (), **_: object) -> None:
        if name not in ignored:
            messages.append((name, tuple(args)))

    monkeypatch.setattr(app, "send_task", note)
    monkeypatch.setattr("django.db.transaction.on_commit", lambda act: act())
    return messages

"""The background doors: a task receives a primary key and calls one service."""

from tournaments.tasks import (
    analyses,
    backups,
    bots,
    canary,
    history,
    mails,
    privacy,
    programs,
    ratings,
    results,
    schedules,
    submissions,
    webhooks,
)

__all__ = [
    "analyses",
    "backups",
    "bots",
    "canary",
    "history",
    "mails",
    "privacy",
    "programs",
    "ratings",
    "results",
    "schedules",
    "submissions",
    "webhooks",
]

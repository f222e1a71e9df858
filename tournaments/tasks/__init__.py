"""The background doors: a task receives a primary key and calls one service."""

from tournaments.tasks import bots, ratings, results

__all__ = ["bots", "ratings", "results"]

"""The releases so far, and what the one before this knew of the database.

After a release its row is added here, and the contract steps that it has taken are removed.
"""

from typing import Final, NamedTuple


class Release(NamedTuple):
    """A release: its version, the commit that it is, and its last migration."""

    version: str
    commit: str
    migration: str


RELEASES: Final = (
    Release("0.1.0", "22c1085", "0028_earlier_names"),
    Release("0.2.0", "de804b97", "0035_missed_heartbeats"),
    Release("0.3.0", "58af7fb5", "0040_points_required"),
    Release("0.4.0", "e64cf52c", "0072_shown_events"),
)

RELEASED: Final = RELEASES[-1].migration
"""The last migration of the release before; what comes after it has to leave that one working."""

CONTRACT: dict[tuple[str, str], str] = {}
"""Steps that take something away, by migration and description, each with the release it is of.

The release before it must no longer use what goes: (``0031_old_hands``, ``Remove field turns from
stage``) → ``0.4.0``.
"""

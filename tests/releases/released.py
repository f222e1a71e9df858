"""What the release before this one knew of the database.

With each release its last migration is written here, and the contract steps that it has taken
are removed.
"""

RELEASED = "0028_earlier_names"
"""The last migration of the release before; what comes after it has to leave that one working."""

CONTRACT: dict[tuple[str, str], str] = {}
"""Steps that take something away, by migration and description, each with the release it is of.

The release before it must no longer use what goes: (``0031_old_hands``, ``Remove field turns from
stage``) → ``0.4.0``.
"""

"""Password hashing that does not take the processors away from everybody else."""

from typing import Final

from django.contrib.auth.hashers import Argon2PasswordHasher

from tournaments.capacity import Capacity

HASHING: Final = Capacity(at_once=1, waiting=8)
"""In each web process. A hash takes some 190 ms of processor and 100 MiB of memory, so the last
who waits gets an answer after 1.7 s, and 40 threads cannot take 4 GiB."""


class BoundedArgon2PasswordHasher(Argon2PasswordHasher):
    """Django's Argon2, one hash at a time. Both methods refuse BUSY when too many wait."""

    def encode(self, password: str, salt: str) -> str:
        """Hash a password."""
        with HASHING.place():
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        """Check a password."""
        with HASHING.place():
            return super().verify(password, encoded)

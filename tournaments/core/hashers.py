"""Hashes passwords one at a time, to leave the processors to other requests."""

from typing import Final

from django.contrib.auth.hashers import Argon2PasswordHasher

from tournaments.core.limits import Capacity

HASH_CAPACITY: Final = Capacity(at_once=1, queue_size=2)
"""Per web process. A hash takes some 190 ms of processor and 100 MiB of memory. A waiting hash
holds one of `settings.REQUESTS_AT_ONCE` (4): one running and two waiting leave one for everything
else."""


class BoundedArgon2PasswordHasher(Argon2PasswordHasher):
    """Django's Argon2 hasher, one hash at a time. Both methods refuse BUSY when too many wait."""

    def encode(self, password: str, salt: str) -> str:
        """Hash a password."""
        with HASH_CAPACITY.slot():
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        """Check a password."""
        with HASH_CAPACITY.slot():
            return super().verify(password, encoded)

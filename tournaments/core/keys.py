"""What follows from the service's own secret key, and for a while from the one before it.

All that is new is made under `BAZA_SECRET_KEY`. What was made under an older one is good as long as
that is given too (`BAZA_SECRET_KEY_OLD`), so that a key can be changed and nobody is locked out.
Django does the same for sessions and links.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from contextlib import suppress
from typing import Final

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

SEALED: Final = "~"
"""How what was sealed begins; no hex digit."""


def given() -> tuple[str, ...]:
    """Return the secret keys of the service, the present one first."""
    return (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


def digest(salt: str, value: str | bytes, key: str | None = None) -> bytes:
    """Return what follows from a value: 32 bytes, under the present key if none is named."""
    return salted_hmac(salt, value, secret=key or settings.SECRET_KEY, algorithm="sha256").digest()


def digests(salt: str, value: str | bytes) -> tuple[bytes, ...]:
    """Return what follows from a value under each key, the present one first."""
    return tuple(digest(salt, value, key) for key in given())


def fits(salt: str, value: str, kept: str) -> bool:
    """Tell in constant time whether a digest in hex is that of a value, under any of the keys."""
    told = [constant_time_compare(one.hex(), kept) for one in digests(salt, value)]
    return any(told)


def seal(salt: str, secret: bytes) -> str:
    """Return a secret of 32 bytes at most as it may be kept: of no use without the present key."""
    return SEALED + _fernet(salt, settings.SECRET_KEY).encrypt(secret).decode()


def unseal(salt: str, sealed: str) -> tuple[bytes, str] | None:
    """Return the secret and the key that it was sealed with; nothing without that key."""
    for key in given():
        with suppress(InvalidToken):
            return _fernet(salt, key).decrypt(sealed.removeprefix(SEALED)), key
    return None


def _fernet(salt: str, key: str) -> Fernet:
    return Fernet(urlsafe_b64encode(digest(f"{salt}.seal", b"", key)))

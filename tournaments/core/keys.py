"""Derives digests and sealed secrets from the service's secret key and the key before it.

All new values are made under `BAZA_SECRET_KEY`. Values of an older key stay valid while that key is
given too (`BAZA_SECRET_KEY_OLD`), so that the key can be changed without locking users out. Django
does the same for sessions and links.
"""

from base64 import urlsafe_b64encode
from contextlib import suppress
from typing import Final

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

SEAL_PREFIX: Final = "~"
"""First character of a sealed secret; no hex digit."""


def secret_keys() -> tuple[str, ...]:
    """Return the secret keys of the service, the present one first."""
    return (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


def digest(salt: str, value: str | bytes, key: str | None = None) -> bytes:
    """Return the keyed digest of a value: 32 bytes, under the present key by default."""
    return salted_hmac(salt, value, secret=key or settings.SECRET_KEY, algorithm="sha256").digest()


def digests(salt: str, value: str | bytes) -> tuple[bytes, ...]:
    """Return the digests of a value under each key, the present one first."""
    return tuple(digest(salt, value, key) for key in secret_keys())


def is_digest_of(salt: str, value: str, digest: str) -> bool:
    """Return in constant time whether a hex digest is that of a value, under any of the keys."""
    matches = [constant_time_compare(candidate.hex(), digest) for candidate in digests(salt, value)]
    return any(matches)


def seal(salt: str, secret: bytes) -> str:
    """Encrypt a secret of at most 32 bytes for storage under the present key."""
    return SEAL_PREFIX + _fernet(salt, settings.SECRET_KEY).encrypt(secret).decode()


def unseal(salt: str, sealed: str) -> tuple[bytes, str] | None:
    """Return the decrypted secret and its key; None when that key is not given."""
    for key in secret_keys():
        with suppress(InvalidToken):
            return _fernet(salt, key).decrypt(sealed.removeprefix(SEAL_PREFIX)), key
    return None


def _fernet(salt: str, key: str) -> Fernet:
    return Fernet(urlsafe_b64encode(digest(f"{salt}.seal", b"", key)))

"""Signed statements of where a club's history stood: Ed25519 (RFC 8032) over a canonical text."""

import hashlib
from dataclasses import dataclass, replace
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tournaments.domain.trail.chain import canonical

CHECKPOINT: Final = b"baza-checkpoint/1\n"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint: at ``at`` the club's event ``sequence`` was the last and had this ``digest``.

    ``number`` counts a club's checkpoints from 1, ``before`` is the digest of the one before (64
    zeros for the first). ``key`` is the public key, ``signature`` what it signs; both hex digits.
    """

    club: int
    number: int
    sequence: int
    digest: str
    at: str
    before: str
    key: str
    signature: str = ""

    def message(self) -> bytes:
        """Return the bytes that are signed."""
        return CHECKPOINT + canonical(
            {name: value for name, value in self.document().items() if name != "signature"}
        )

    def document(self) -> dict[str, Any]:
        """Return the checkpoint in types of JSON, as it is published."""
        return {name: getattr(self, name) for name in FIELDS}

    def own_digest(self) -> str:
        """Return the hash that the next checkpoint contains of this one."""
        return hashlib.sha256(self.message()).hexdigest()


FIELDS: Final = ("club", "number", "sequence", "digest", "at", "before", "key", "signature")


def public_key(seed: str) -> str:
    """Return the public key of a private one, both as hex digits of 32 bytes."""
    return _private(seed).public_key().public_bytes_raw().hex()


def sign(checkpoint: Checkpoint, seed: str) -> Checkpoint:
    """Return the checkpoint with the key of this seed and its signature."""
    draft = replace(checkpoint, key=public_key(seed))
    return replace(draft, signature=_private(seed).sign(draft.message()).hex())


def is_signed(checkpoint: Checkpoint) -> bool:
    """Tell whether the signature is that of the key the checkpoint names."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(checkpoint.key))
        key.verify(bytes.fromhex(checkpoint.signature), checkpoint.message())
    except (InvalidSignature, ValueError):
        return False
    return True


def _private(seed: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))

"""Signs a webhook's message after Standard Webhooks (standardwebhooks.com), version 1.

What is signed is ``id.timestamp.body`` with HMAC-SHA256; the secret is written as ``whsec_`` and
base64 of its bytes. Several signatures stand side by side while a secret is being changed.
"""

import base64
import hashlib
import hmac
from collections.abc import Sequence
from typing import Final

PREFIX: Final = "whsec_"
SECRET_BYTES: Final = 32
"""The specification asks for 24 to 64."""


def written(secret: bytes) -> str:
    """Return a secret as its owner keeps it: ``whsec_…``."""
    return PREFIX + base64.b64encode(secret).decode()


def signature(secret: bytes, message: str, timestamp: int, body: bytes) -> str:
    """Return one signature: ``v1,`` and base64. ``timestamp`` counts seconds since 1970."""
    signed = f"{message}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode()


def headers(secrets: Sequence[bytes], message: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the three headers of a message, signed with every secret given."""
    signatures = [signature(secret, message, timestamp, body) for secret in secrets]
    return {
        "webhook-id": message,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signatures),
    }

"""The rules of webhooks: signed messages, the pauses after failures, when one is disabled."""

import base64
import hashlib
import hmac
from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import Final

# --- Signatures -----------------------------------------------------------------------------------
# After Standard Webhooks (standardwebhooks.com), version 1. What is signed is ``id.timestamp.body``
# with HMAC-SHA256; the secret is written as ``whsec_`` and base64 of its bytes. Several signatures
# stand side by side while a secret is being changed.


PREFIX: Final = "whsec_"


def encode_secret(secret: bytes) -> str:
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


# --- Retries --------------------------------------------------------------------------------------


PAUSES: Final = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=20),
    timedelta(hours=24),
)
"""After each attempt that failed. When the tenth fails too, three days on, it is given up."""

MAX_HOLD: Final = timedelta(minutes=30)
"""How long at most a webhook rests after a failure, whatever waits for it."""

GIVEN_UP_AFTER: Final = timedelta(days=5)
MIN_FAILURES: Final = 10
"""A webhook is disabled after this number of failures in a row, once they have lasted
`GIVEN_UP_AFTER`."""

JITTER: Final = 0.1
"""Share by which a pause is longer at most, so that not all come back at once."""


def pause_after(tries: int, seed: str) -> timedelta | None:
    """Return the pause after a number of failed attempts at a message; ``None``: it is given up."""
    if tries > len(PAUSES):
        return None
    return _spread(PAUSES[tries - 1], seed)


def rest_after(failures: int, seed: str) -> timedelta:
    """Return how long a webhook rests after a number of failed attempts in a row."""
    return _spread(min(PAUSES[min(failures, len(PAUSES)) - 1], MAX_HOLD), seed)


def is_given_up(failures: int, failing_for: timedelta) -> bool:
    """Tell whether a webhook has failed often and long enough to be disabled."""
    return failures >= MIN_FAILURES and failing_for >= GIVEN_UP_AFTER


def _spread(pause: timedelta, seed: str) -> timedelta:
    return pause * (1 + JITTER * Random(seed).random())  # noqa: S311 - no secret

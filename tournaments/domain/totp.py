"""One-time codes of an authenticator app: RFC 6238, six digits, thirty seconds, HMAC-SHA-1."""

import base64
import hmac
from typing import Final
from urllib.parse import quote

SECONDS: Final = 30
"""Of a time step (RFC 6238, 5.2)."""

DIGITS: Final = 6  # what authenticator apps show
TOLERANCE: Final = 1
"""Steps by which the phone's clock may be early or late."""


def step_at(moment: float) -> int:
    """Return the time step of a moment in seconds since 1970."""
    return int(moment // SECONDS)


def code_of(secret: bytes, step: int, digits: int = DIGITS) -> str:
    """Return the code of a time step (RFC 4226, 5.3: dynamic truncation)."""
    digest = hmac.digest(secret, step.to_bytes(8, "big"), "sha1")
    offset = digest[-1] & 0x0F
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFFFFFF
    return str(number % 10**digits).zfill(digits)


def matching_step(secret: bytes, code: str, now: int, after: int) -> int | None:
    """Return the step that a code is of, near the step ``now`` and later than ``after``, if any.

    Every step is compared, each in constant time.
    """
    digits, matched_step = code.encode(), None
    for step in range(now - TOLERANCE, now + TOLERANCE + 1):
        if hmac.compare_digest(code_of(secret, step).encode(), digits) and step > after:
            matched_step = step
    return matched_step


def format_secret(secret: bytes) -> str:
    """Return a secret as it is typed into an app: base 32 in groups of four."""
    text = base64.b32encode(secret).decode().rstrip("=")
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def otpauth_address(secret: bytes, issuer: str, account: str) -> str:
    """Return the ``otpauth://`` address that an app reads from a QR code."""
    typed = format_secret(secret).replace(" ", "")
    label = f"{quote(issuer)}:{quote(account)}"
    return f"otpauth://totp/{label}?secret={typed}&issuer={quote(issuer)}"

"""Encrypts messages to browsers and signs who sends them (Web Push: RFC 8291, 8188, 8292).

The push service that forwards a message cannot read it: the key follows from one that only the
browser has. Chance and time are given by the caller.
"""

import base64
import json
import struct
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE: Final = ec.SECP256R1()
RECORD_BYTES: Final = 4096
"""Size of the one record of a message, as its header states it; no message is longer."""
SALT_BYTES: Final = 16
AUTH_BYTES: Final = 16
POINT_BYTES: Final = 65  # uncompressed, as browsers state it
LAST_RECORD: Final = b"\x02"
"""The delimiter after the content of the last record (RFC 8188, 2)."""


@dataclass(frozen=True, slots=True)
class Receiver:
    """The keys of a subscription: the browser's public point and its shared secret."""

    point: bytes
    auth: bytes


def read_receiver(p256dh: str, auth: str) -> Receiver:
    """Read the keys as a browser states them, in base64url. Raises ValueError."""
    receiver = Receiver(from_base64(p256dh), from_base64(auth))
    if (len(receiver.point), len(receiver.auth)) != (POINT_BYTES, AUTH_BYTES):
        raise ValueError("a subscription has a point of 65 bytes and a secret of 16")
    ec.EllipticCurvePublicKey.from_encoded_point(CURVE, receiver.point)
    return receiver


def encrypt(
    message: bytes, receiver: Receiver, sender: ec.EllipticCurvePrivateKey, salt: bytes
) -> bytes:
    """Return the body of a message: one record of `aes128gcm` that the receiver alone can open.

    ``sender`` is a key made for this message alone, ``salt`` 16 random bytes.
    """
    own, theirs = point_of(sender), receiver.point
    shared = sender.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
    secret = _derive(receiver.auth, shared, b"WebPush: info\0" + theirs + own, 32)
    key = _derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(salt, secret, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(key).encrypt(nonce, message + LAST_RECORD, None)
    return salt + struct.pack("!IB", RECORD_BYTES, len(own)) + own + sealed


def authorization(endpoint: str, key: str, contact: str, expires: int) -> str:
    """Return the header that tells a push service who sends (VAPID).

    ``key`` is the private key of the installation (`read_key`), ``contact`` an https or mailto
    address, ``expires`` counts seconds since 1970.
    """
    address, private = urlsplit(endpoint), read_key(key)
    claims = {"aud": f"{address.scheme}://{address.netloc}", "exp": expires, "sub": contact}
    parts = ({"typ": "JWT", "alg": "ES256"}, claims)
    signed = ".".join(to_base64(json.dumps(part).encode()) for part in parts)
    r, s = decode_dss_signature(private.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    signature = to_base64(r.to_bytes(32) + s.to_bytes(32))
    return f"vapid t={signed}.{signature}, k={public_key(key)}"


@lru_cache
def read_key(key: str) -> ec.EllipticCurvePrivateKey:
    """Return the private key of the installation from 64 hex digits. Raises ValueError."""
    return ec.derive_private_key(int(key, 16), CURVE)


@lru_cache
def public_key(key: str) -> str:
    """Return the public key of the installation as browsers take it."""
    return to_base64(point_of(read_key(key)))


def point_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return the public point of a key, uncompressed: 65 bytes."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def to_base64(data: bytes) -> str:
    """Return data as base64url without padding.

    >>> to_base64(b"tute?"), from_base64("dHV0ZT8")
    ('dHV0ZT8', b'tute?')
    """
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64(text: str) -> bytes:
    """Return the data of a text of base64url, with padding or not. Raises ValueError."""
    return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), b"-_", True)


def _derive(salt: bytes, key: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(key)

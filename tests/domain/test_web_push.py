"""Messages to browsers are sealed and signed as the standards say."""

import json

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from tournaments.domain.web_push import (
    CURVE,
    authorization,
    encrypt,
    from_base64,
    point_of,
    read_receiver,
    to_base64,
)


def key_of(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(from_base64(text)), CURVE)


def test_the_message_of_the_standard_is_sealed_as_it_is_there() -> None:  # RFC 8291, 5
    receiver = key_of("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")
    sealed = encrypt(
        b"When I grow up, I want to be a watermelon",
        read_receiver(to_base64(point_of(receiver)), "BTBZMqHH6r4Tts7J_aSIgg=="),
        key_of("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
        from_base64("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert to_base64(sealed) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocIn"
        "mYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNW"
        "QexSgSxsj_Qulcy4a-fN"
    )


def test_the_sender_is_stated_and_signed_for_one_push_service() -> None:  # RFC 8292
    header = authorization("https://push.example:8443/a/b", "7e" * 32, "https://club.example", 99)
    token, public = header.removeprefix("vapid t=").split(", k=")
    head, claims, signature = (from_base64(part) for part in token.split("."))
    assert json.loads(head) == {"typ": "JWT", "alg": "ES256"}
    stated = {"aud": "https://push.example:8443", "exp": 99, "sub": "https://club.example"}
    assert json.loads(claims) == stated
    key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, from_base64(public))
    r, s = int.from_bytes(signature[:32]), int.from_bytes(signature[32:])
    signed = token.rpartition(".")[0].encode()
    key.verify(encode_dss_signature(r, s), signed, ec.ECDSA(hashes.SHA256()))

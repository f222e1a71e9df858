"""One-time codes: the vectors of RFC 6238, and what is taken when."""

import base64

import pytest

from tournaments.domain.totp import code_of, format_secret, matching_step, otpauth_address, step_at

SECRET = b"12345678901234567890"


@pytest.mark.parametrize(
    ("moment", "code"),
    [
        (59, "94287082"),
        (1111111109, "07081804"),
        (1111111111, "14050471"),
        (1234567890, "89005924"),
        (2000000000, "69279037"),
        (20000000000, "65353130"),
    ],
)
def test_the_codes_are_those_of_rfc_6238_appendix_b(moment: int, code: str) -> None:
    assert code_of(SECRET, step_at(moment), digits=8) == code
    assert code_of(SECRET, step_at(moment)) == code[-6:]


def test_a_phone_may_be_half_a_minute_early_or_late() -> None:
    for step in (99, 100, 101):
        assert matching_step(SECRET, code_of(SECRET, step), 100, 0) == step
    for step in (98, 102):
        assert matching_step(SECRET, code_of(SECRET, step), 100, 0) is None


def test_no_code_is_taken_twice_nor_an_older_one_after_it() -> None:
    assert matching_step(SECRET, code_of(SECRET, 100), 100, 99) == 100
    assert matching_step(SECRET, code_of(SECRET, 100), 100, 100) is None
    assert matching_step(SECRET, code_of(SECRET, 99), 100, 100) is None


@pytest.mark.parametrize("typed", ["", "abcdef", "１２３４５６", "1234567", "ñ"])
def test_what_is_no_code_is_none(typed: str) -> None:
    assert matching_step(SECRET, typed, 100, 0) is None


def test_an_app_reads_the_secret_from_its_address() -> None:
    typed = format_secret(SECRET).replace(" ", "")
    assert base64.b32decode(typed) == SECRET
    text = otpauth_address(SECRET, "Baza club.example", "ana:1")
    assert text == (
        f"otpauth://totp/Baza%20club.example:ana%3A1?secret={typed}&issuer=Baza%20club.example"
    )
